/* Vault of an account: values by name, for keys and ratchets that must never fall behind what was
 * sent or heard. What is put is durable with the transaction of the batch or receipt that follows.
 *
 *     adapter.keep(account, vault)       once, before open
 *     vault->get, list                   what was put, durable or not
 *     vault->put, remove                 in memory at once; stored by the loop's next transaction
 *     vault->unstored                    true until then: send nothing that depends on it
 *
 * The values are sealed in the store with a key that is kept in a file beside it.
 */
#ifndef KOIKOI_VAULT_H
#define KOIKOI_VAULT_H

#include "err.h"
#include "str.h"

typedef void vault_each(void *to, struct str name, struct str value);

struct vault {
    /* Passes the value to `each`, if there is one. False: it cannot be read. */
    bool (*get)(struct vault *v, struct str name, void *to, vault_each *each,
                struct err *err) MUST_CHECK;
    /* Values whose names begin with the prefix, in order of their names. */
    bool (*list)(struct vault *v, struct str prefix, void *to, vault_each *each,
                 struct err *err) MUST_CHECK;
    void (*put)(struct vault *v, struct str name, struct str value);
    void (*remove)(struct vault *v, struct str name);
    bool (*unstored)(const struct vault *v);
};

#endif
