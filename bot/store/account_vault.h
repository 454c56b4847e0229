/* Vaults of the accounts over one store: see vault.h. What was put is kept in memory until a
 * transaction of the loop has stored it.
 *
 *     vaults_open(store, key_path, n, &vaults)    makes or reads the key when a vault is first used
 *     vaults_of(vaults, i, account)               the vault of an account, by its id in the store
 *     vaults_store(vaults)                        inside each transaction
 *     vaults_stored(vaults)                       after its commit
 */
#ifndef KOIKOI_ACCOUNT_VAULT_H
#define KOIKOI_ACCOUNT_VAULT_H

#include "store.h"
#include "vault.h"

struct vaults;

struct vaults *vaults_open(struct store *store, const char *key_path, int n_accounts);
void vaults_close(struct vaults *vs);
struct vault *vaults_of(struct vaults *vs, int i, int64_t account);
bool vaults_unstored(const struct vaults *vs);
void vaults_store(struct vaults *vs);
void vaults_stored(struct vaults *vs);

/* The key: 32 random bytes in a file of their own, mode 0600. A backup of the store alone opens
 * nothing. */
enum { VAULT_KEY_BYTES = 32 };
/* Reads the file. Without one: makes it if `make`, else fails. From then on the process leaves no
 * core dump. */
bool vault_key_read(const char *path, bool make, unsigned char ret[VAULT_KEY_BYTES],
                    struct err *err) MUST_CHECK;
/* True if the file is there; *ret_open if others than its owner may read it. */
bool vault_key_exists(const char *path, bool *ret_open);

#endif
