/* The key that seals secrets in the store: 32 random bytes in a file of their own, mode 0600. A
 * backup of the store alone opens nothing. */
#ifndef KOIKOI_VAULT_KEY_H
#define KOIKOI_VAULT_KEY_H

#include "err.h"
#include "str.h"

enum { VAULT_KEY_BYTES = 32 };

/* Reads the file. Without one: makes it if `make`, else fails. From then on the process leaves no
 * core dump. */
bool vault_key_read(const char *path, bool make, unsigned char ret[VAULT_KEY_BYTES],
                    struct err *err) MUST_CHECK;
/* True if the file is there; *ret_open if others than its owner may read it. */
bool vault_key_exists(const char *path, bool *ret_open);

#endif
