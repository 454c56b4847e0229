/* See store_known.h. Each hash has a few places in a row: what is kept goes first, what was kept
 * longest ago goes. When all together have grown to the ceiling everything is forgotten: that is
 * rare, and who plays is soon known again. */
#include "store_known.h"

#include <assert.h>
#include <stdlib.h>

enum { ROWS = 2048, IN_A_ROW = 4, MOST_BYTES = 4 * 1024 * 1024 };

struct fact {
    enum known_kind kind;
    int64_t no;
    size_t n_key, n;
    char data[]; /* key, value */
};

struct known {
    size_t bytes;
    struct fact *at[ROWS][IN_A_ROW];
};

struct known *known_open(void)
{
    struct known *k = calloc(1, sizeof *k);
    assert(k);
    return k;
}

void known_close(struct known *k)
{
    if (!k)
        return;
    known_clear(k);
    free(k);
}

static size_t row_of(enum known_kind kind, int64_t no, struct str key)
{
    uint64_t hash = ((uint64_t)no << 3 | kind) * 0x9e3779b97f4a7c15u;
    return ((key.n ? hash ^ str_hash(key) : hash) * 0x9e3779b97f4a7c15u >> 32) & (ROWS - 1);
}

/* Its index in the row; IN_A_ROW if it is not there. */
static int place_in(struct fact *const *row, enum known_kind kind, int64_t no, struct str key)
{
    int i = 0;
    for (; i < IN_A_ROW; i++)
        if (row[i] && row[i]->kind == kind && row[i]->no == no &&
            str_is(key, (struct str){row[i]->data, row[i]->n_key}))
            break;
    return i;
}

static void forget(struct known *k, struct fact **at)
{
    if (!*at)
        return;
    k->bytes -= sizeof **at + (*at)->n_key + (*at)->n;
    free(*at);
    *at = NULL;
}

bool known_find(const struct known *k, enum known_kind kind, int64_t no, struct str key,
                struct str *ret_value)
{
    struct fact *const *row = k->at[row_of(kind, no, key)];
    int i = place_in(row, kind, no, key);
    if (i == IN_A_ROW)
        return false;
    *ret_value = (struct str){row[i]->data + row[i]->n_key, row[i]->n};
    return true;
}

static void fill(struct fact *f, struct str key, int n, const struct str *parts)
{
    if (key.n)
        memcpy(f->data, key.p, key.n);
    f->n_key = key.n;
    f->n = 0;
    for (int i = 0; i < n; f->n += parts[i].n, i++)
        if (parts[i].n)
            memcpy(f->data + f->n_key + f->n, parts[i].p, parts[i].n);
}

bool known_find_row(const struct known *k, struct arena *a, enum known_kind kind, int64_t no,
                    struct str key, void *ret, size_t size, int n_strings,
                    struct str *const *strings)
{
    struct str value;
    if (!known_find(k, kind, no, key, &value))
        return false;
    value = arena_str(a, value);
    memcpy(ret, value.p, size);
    const char *at = value.p + size;
    for (int i = 0; i < n_strings; at += strings[i]->n, i++)
        strings[i]->p = at;
    return true;
}

void known_keep(struct known *k, enum known_kind kind, int64_t no, struct str key, int n,
                const struct str *parts)
{
    struct fact **row = k->at[row_of(kind, no, key)];
    int at = place_in(row, kind, no, key);
    size_t bytes = sizeof(struct fact) + key.n;
    for (int i = 0; i < n; i++)
        bytes += parts[i].n;
    if (at == IN_A_ROW)
        for (at = 0; at < IN_A_ROW - 1 && row[at]; at++)
            ;
    forget(k, &row[at]);
    if (k->bytes + bytes > MOST_BYTES)
        known_clear(k);
    struct fact *f = malloc(bytes);
    if (!f)
        return; /* it will be asked for again */
    f->kind = kind;
    f->no = no;
    fill(f, key, n, parts);
    k->bytes += bytes;
    memmove(row + 1, row, (size_t)at * sizeof *row);
    row[0] = f;
}

void known_drop(struct known *k, enum known_kind kind, int64_t no, struct str key)
{
    struct fact **row = k->at[row_of(kind, no, key)];
    int i = place_in(row, kind, no, key);
    if (i < IN_A_ROW)
        forget(k, &row[i]);
}

void known_clear(struct known *k)
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < IN_A_ROW; j++)
            forget(k, &k->at[i][j]);
}
