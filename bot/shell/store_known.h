/* Rows that were read or written lately, so that whoever plays on is not looked for in the database
 * at each press. Included by store*.c alone.
 *
 * The store is the only one that writes to its database, and tells of each change here: a row that
 * changes is kept anew or dropped, and a rollback, of all or of a part, clears everything. So what
 * is known is what a reader within the open transaction would find. A value is bytes; what they
 * mean is between those who keep and find them.
 *
 *     known_open()
 *     known_find(known, kind, no, key, &value)       false: ask the database, and
 *     known_keep(known, kind, no, key, n, parts)     also after writing
 *     known_drop(known, kind, no, key)               it has changed, and nobody knows into what
 *     known_clear(known)
 */
#ifndef KOIKOI_STORE_KNOWN_H
#define KOIKOI_STORE_KNOWN_H

#include "arena.h"
#include "str.h"

/* What `no` and `key` are: */
enum known_kind {
    KNOWN_PERSON,               /* account, network id */
    KNOWN_CHAT,                 /* account, key */
    KNOWN_SESSION,              /* session */
    KNOWN_HERE,                 /* chat: its live sessions */
    KNOWN_THEIRS,               /* person: their live sessions */
    KNOWN_POST                  /* account, place and slot */
};

struct known;

struct known *known_open(void);
void known_close(struct known *k);
/* The value lives until the next call that is not known_find(). */
bool known_find(const struct known *k, enum known_kind kind, int64_t no, struct str key,
                struct str *ret_value);
/* The value is the parts one behind the other. What is kept may be forgotten at any time; all of it
 * together takes at most some 4 MB. */
void known_keep(struct known *k, enum known_kind kind, int64_t no, struct str key, int n,
                const struct str *parts);
/* The same for a struct of `size` bytes whose parts are its bytes and then what its strings point
 * to, in order: *ret and its strings live in the arena. */
bool known_find_row(const struct known *k, struct arena *a, enum known_kind kind, int64_t no,
                    struct str key, void *ret, size_t size, int n_strings,
                    struct str *const *strings);
void known_drop(struct known *k, enum known_kind kind, int64_t no, struct str key);
void known_clear(struct known *k);

#endif
