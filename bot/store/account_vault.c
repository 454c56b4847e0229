/* See account_vault.h. A value is sealed with XChaCha20-Poly1305, its name as the data beside it,
 * so that no value can stand under another's name: 24 random bytes, then the ciphertext. */
#include "account_vault.h"

#include "alloc.h"
#include "file.h"
#include "store_table.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    PATH_MOST = 4096,
    NONCE = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES,
    TAG = crypto_aead_xchacha20poly1305_ietf_ABYTES,
    SCRATCH = 256 * 1024 * 1024
};
_Static_assert(crypto_aead_xchacha20poly1305_ietf_KEYBYTES == VAULT_KEY_BYTES, "one key");

/* A value that is not stored yet; no value: it is to be deleted. */
struct change {
    char *name, *value;
    size_t n_name, n_value;
};

struct account_vault {
    struct vault face; /* first: a struct vault is cast back */
    struct vaults *all;
    int64_t account;
    int n, cap;
    struct change *at; /* in order of their names */
};

struct vaults {
    struct store *store;
    char *key_path;
    bool open; /* `key` is read */
    unsigned char key[VAULT_KEY_BYTES];
    struct arena *scratch;
    int n;
    struct account_vault *at;
};

/* ---- the key ---- */

/* Written under another name first: it is there whole or not at all. */
static bool make_key(const char *path, unsigned char key[VAULT_KEY_BYTES], struct err *err)
{
    char fresh[PATH_MOST];
    if ((size_t)snprintf(fresh, sizeof fresh, "%s.new", path) >= sizeof fresh)
        return err_set(err, "key file: expected a shorter path than %s", path);
    randombytes_buf(key, VAULT_KEY_BYTES);
    int fd = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool good = fd >= 0 && write(fd, key, VAULT_KEY_BYTES) == VAULT_KEY_BYTES;
    int why = errno;
    if (fd >= 0)
        close(fd);
    file_hand_over(fresh, path);
    if (good && file_keep(fresh, path))
        return true;
    return err_set(err, "key file: %s cannot be written: %s", path, strerror(good ? errno : why));
}

/* A core dump would hold the key and what it opened. */
static bool leave_no_core(struct err *err)
{
    const struct rlimit none = {0, 0};
    return setrlimit(RLIMIT_CORE, &none) == 0 ||
           err_set(err, "key file: core dumps cannot be switched off: %s", strerror(errno));
}

bool vault_key_read(const char *path, bool make, unsigned char ret[VAULT_KEY_BYTES],
                    struct err *err)
{
    bool open;
    if (sodium_init() < 0)
        return err_set(err, "libsodium: cannot be used");
    if (!leave_no_core(err))
        return false;
    if (!vault_key_exists(path, &open)) {
        if (make)
            return make_key(path, ret, err);
        return err_set(err,
                       "key file: expected %s, which opens what the store keeps; bring it back "
                       "from a backup",
                       path);
    }
    struct str bytes;
    if (!file_read(path, 2 * VAULT_KEY_BYTES, &bytes, err))
        return err_wrap(err, "key file");
    bool good = bytes.n == VAULT_KEY_BYTES;
    if (good)
        memcpy(ret, bytes.p, VAULT_KEY_BYTES);
    size_t n = bytes.n;
    sodium_memzero((void *)(uintptr_t)bytes.p, bytes.n);
    file_free(bytes);
    return good ||
           err_set(err, "key file: %s: expected %d bytes, got %zu", path, VAULT_KEY_BYTES, n);
}

bool vault_key_exists(const char *path, bool *ret_open)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return false;
    *ret_open = (st.st_mode & (S_IRWXG | S_IRWXO)) != 0;
    return true;
}

/* ---- changes in memory ---- */

static int compare(struct str a, struct str b)
{
    size_t n = a.n < b.n ? a.n : b.n;
    int order = n > 0 ? memcmp(a.p, b.p, n) : 0;
    return order != 0 ? order : (a.n > b.n) - (a.n < b.n);
}

static struct str value_name(const struct change *c)
{
    return (struct str){c->name, c->n_name};
}

/* The first change whose name is not less. */
static int position(const struct account_vault *v, struct str name)
{
    int low = 0, high = v->n;
    while (low < high) {
        int middle = (low + high) / 2;
        if (compare(value_name(&v->at[middle]), name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void forget_value(struct change *c)
{
    if (c->value)
        sodium_memzero(c->value, c->n_value);
    free(c->value);
    c->value = NULL;
    c->n_value = 0;
}

static struct change *change_of(struct account_vault *v, struct str name)
{
    int i = position(v, name);
    if (i < v->n && str_is(value_name(&v->at[i]), name)) {
        forget_value(&v->at[i]);
        return &v->at[i];
    }
    if (v->n == v->cap) {
        v->cap = v->cap > 0 ? 2 * v->cap : 16;
        v->at = alloc_grow(v->at, (size_t)v->cap * sizeof *v->at);
    }
    memmove(&v->at[i + 1], &v->at[i], (size_t)(v->n - i) * sizeof *v->at);
    v->n++;
    v->at[i] = (struct change){.name = alloc_text(name), .n_name = name.n};
    return &v->at[i];
}

static void put(struct vault *face, struct str name, struct str value)
{
    struct change *c = change_of((struct account_vault *)face, name);
    c->value = alloc_text(value);
    c->n_value = value.n;
}

static void erase(struct vault *face, struct str name)
{
    (void)change_of((struct account_vault *)face, name);
}

static bool unstored(const struct vault *face)
{
    return ((const struct account_vault *)face)->n > 0;
}

/* ---- reading ---- */

struct vault_row {
    int64_t account;
    struct str name, sealed;
};
#define ROW(member) COLUMN(struct vault_row, member)
static const struct sql_column columns[] = {
    ROW(account), ROW(name), COLUMN_OF(struct vault_row, sealed, "sealed", COLUMN_BYTES)};
static const struct sql_table vault_rows = {"vault", .n_keys = 2, ROWS(struct vault_row, columns)};

/* The key is read when it is first needed, and made if the table is empty. */
static bool ready(struct vaults *vs, struct err *err)
{
    if (vs->open)
        return true;
    bool empty = store_number(vs->store, "SELECT 1 FROM vault LIMIT 1", 0, NULL) == 0;
    if (store_take_failure(vs->store, err) || !vault_key_read(vs->key_path, empty, vs->key, err))
        return false;
    vs->open = true;
    return true;
}

static bool open_sealed(const struct vaults *vs, struct arena *a, const struct vault_row *row,
                        struct str *ret, struct err *err)
{
    const unsigned char *bytes = (const unsigned char *)row->sealed.p;
    size_t n = row->sealed.n;
    if (n < NONCE + TAG)
        return err_set(err, "vault: a value is damaged");
    unsigned char *plain = (unsigned char *)arena_room(a, n);
    unsigned long long plain_n = 0;
    if (crypto_aead_xchacha20poly1305_ietf_decrypt(plain, &plain_n, NULL, bytes + NONCE, n - NONCE,
                                                   (const unsigned char *)row->name.p, row->name.n,
                                                   bytes, vs->key) != 0)
        return err_set(err, "vault: a value cannot be opened; is %s the key file of this store?",
                       vs->key_path);
    *ret = (struct str){(char *)plain, (size_t)plain_n};
    return true;
}

static bool get(struct vault *face, struct str name, void *to, vault_each *each, struct err *err)
{
    struct account_vault *v = (struct account_vault *)face;
    struct str value;
    int i = position(v, name);
    if (i < v->n && str_is(value_name(&v->at[i]), name)) {
        if (v->at[i].value)
            each(to, name, (struct str){v->at[i].value, v->at[i].n_value});
        return true;
    }
    arena_reset(v->all->scratch);
    if (!ready(v->all, err))
        return false;
    const struct vault_row *row =
        store_find(v->all->store, v->all->scratch, &vault_rows, "WHERE account = $1 AND name = $2",
                   VALUES(db_int(v->account), db_text(name)));
    if (store_take_failure(v->all->store, err))
        return false;
    if (!row)
        return true;
    if (!open_sealed(v->all, v->all->scratch, row, &value, err))
        return false;
    each(to, name, value);
    sodium_memzero((void *)(uintptr_t)value.p, value.n);
    return true;
}

/* Merges what is stored with the changes, both in order. */
static bool list(struct vault *face, struct str prefix, void *to, vault_each *each, struct err *err)
{
    struct account_vault *v = (struct account_vault *)face;
    struct arena *a = v->all->scratch;
    arena_reset(a);
    struct str end = arena_print(a, "%.*s\xef\xbf\xbf", STR_ARG(prefix)); /* above all names */
    if (!ready(v->all, err))
        return false;
    struct rows rows = store_select(v->all->store, a, &vault_rows,
                                    "WHERE account = $1 AND name >= $2 AND name < $3 ORDER BY name",
                                    VALUES(db_int(v->account), db_text(prefix), db_text(end)));
    if (store_take_failure(v->all->store, err))
        return false;
    const struct vault_row *stored = rows.at;
    int i = position(v, prefix), row = 0;
    while (row < rows.n || (i < v->n && str_starts(value_name(&v->at[i]), prefix))) {
        bool changed = i < v->n && str_starts(value_name(&v->at[i]), prefix);
        int order = !changed        ? 1
                    : row >= rows.n ? -1
                                    : compare(value_name(&v->at[i]), stored[row].name);
        if (order <= 0) {
            const struct change *c = &v->at[i++];
            row += order == 0;
            if (c->value)
                each(to, value_name(c), (struct str){c->value, c->n_value});
            continue;
        }
        struct str value;
        if (!open_sealed(v->all, a, &stored[row], &value, err))
            return false;
        each(to, stored[row++].name, value);
        sodium_memzero((void *)(uintptr_t)value.p, value.n);
    }
    return true;
}

/* ---- storing ---- */

static void store_change(const struct vaults *vs, const struct account_vault *v,
                         const struct change *c)
{
    store_writes_ours(vs->store, v->account);
    if (!c->value) {
        store_run(vs->store, "DELETE FROM vault WHERE account = $1 AND name = $2",
                  VALUES(db_int(v->account), db_text(value_name(c))));
        return;
    }
    unsigned long long n = 0;
    unsigned char *sealed = (unsigned char *)arena_room(vs->scratch, NONCE + c->n_value + TAG);
    randombytes_buf(sealed, NONCE);
    crypto_aead_xchacha20poly1305_ietf_encrypt(sealed + NONCE, &n, (const unsigned char *)c->value,
                                               c->n_value, (const unsigned char *)c->name,
                                               c->n_name, NULL, sealed, vs->key);
    store_upsert(
        vs->store, &vault_rows,
        &(struct vault_row){v->account, value_name(c), {(char *)sealed, NONCE + (size_t)n}});
}

void vaults_store(struct vaults *vs)
{
    struct err err;
    if (!vaults_unstored(vs))
        return;
    if (!ready(vs, &err)) {
        store_fail(vs->store, "%s", err.text);
        return;
    }
    arena_reset(vs->scratch);
    for (int i = 0; i < vs->n; i++)
        for (int c = 0; c < vs->at[i].n; c++)
            store_change(vs, &vs->at[i], &vs->at[i].at[c]);
}

void vaults_stored(struct vaults *vs)
{
    for (int i = 0; i < vs->n; i++) {
        struct account_vault *v = &vs->at[i];
        for (int c = 0; c < v->n; c++) {
            forget_value(&v->at[c]);
            free(v->at[c].name);
        }
        v->n = 0;
    }
}

bool vaults_unstored(const struct vaults *vs)
{
    for (int i = 0; i < vs->n; i++)
        if (vs->at[i].n > 0)
            return true;
    return false;
}

/* ---- opening ---- */

struct vaults *vaults_open(struct store *store, const char *key_path, int n_accounts)
{
    struct vaults *vs = alloc_zeroed(sizeof *vs);
    vs->store = store;
    vs->key_path = alloc_text(str_of(key_path));
    vs->scratch = arena_open(SCRATCH);
    vs->n = n_accounts;
    vs->at = alloc_array((size_t)n_accounts + 1, sizeof *vs->at);
    return vs;
}

void vaults_close(struct vaults *vs)
{
    if (!vs)
        return;
    vaults_stored(vs);
    for (int i = 0; i < vs->n; i++)
        free(vs->at[i].at);
    sodium_memzero(vs->key, sizeof vs->key);
    arena_close(vs->scratch);
    free(vs->key_path);
    free(vs->at);
    free(vs);
}

struct vault *vaults_of(struct vaults *vs, int i, int64_t account)
{
    struct account_vault *v = &vs->at[i];
    v->face =
        (struct vault){.get = get, .list = list, .put = put, .remove = erase, .unstored = unstored};
    v->all = vs;
    v->account = account;
    return &v->face;
}
