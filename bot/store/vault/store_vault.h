/* Sealed values of accounts, by name. See store.h; only bot/vault calls these. */
#ifndef KOIKOI_STORE_VAULT_H
#define KOIKOI_STORE_VAULT_H

#include "arena.h"
#include "err.h"

struct store;

struct vault_row {
    struct str name, sealed;
};
struct vault_rows {
    int n;
    struct vault_row *at;
};

/* The rows whose names are `from` or more, and less than `to`, in order of their names. */
bool store_vault(struct store *s, struct arena *a, int64_t account, struct str from, struct str to,
                 struct vault_rows *ret, struct err *err) MUST_CHECK;
/* One row; ret->n is 0 or 1. */
bool store_vault_one(struct store *s, struct arena *a, int64_t account, struct str name,
                     struct vault_rows *ret, struct err *err) MUST_CHECK;
/* An empty value deletes the row. */
bool store_set_vault(struct store *s, int64_t account, struct str name, struct str sealed,
                     struct err *err) MUST_CHECK;
bool store_vault_empty(struct store *s, bool *ret, struct err *err) MUST_CHECK;

#endif
