/* See recall.h. Each number has a few places in a row: what is kept goes first, what was kept
 * longest ago goes. */
#include "recall.h"

#include <assert.h>
#include <stdlib.h>

enum { ROWS = 256, IN_A_ROW = 4, ROOM = 512 };

struct known {
    int64_t no;
    struct session s;
    size_t n, cap;
    char line[];
};

struct recall {
    struct known *at[ROWS][IN_A_ROW];
};

struct recall *recall_open(void)
{
    struct recall *r = calloc(1, sizeof *r);
    assert(r);
    return r;
}

void recall_close(struct recall *r)
{
    if (!r)
        return;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < IN_A_ROW; j++)
            free(r->at[i][j]);
    free(r);
}

static size_t row_of(int64_t no)
{
    return ((uint64_t)no * 0x9e3779b97f4a7c15u >> 32) % ROWS;
}

/* Where the match is, or else where it may go: a free place, or the last. */
static int place_in(struct known *const *row, int64_t no)
{
    int i = 0;
    for (; i < IN_A_ROW - 1; i++)
        if (!row[i] || row[i]->no == no)
            break;
    return i;
}

bool recall_find(const struct recall *r, int64_t no, struct str line, struct session *ret)
{
    struct known *const *row = r->at[row_of(no)];
    const struct known *k = row[place_in(row, no)];
    if (!k || k->no != no || !str_is(line, (struct str){k->line, k->n}))
        return false;
    *ret = k->s;
    return true;
}

/* What is not written is as reading leaves it. */
static void as_read(struct session *s)
{
    for (int i = s->players; i < MAX_PLAYERS; i++)
        memset(&s->player[i], 0, sizeof s->player[i]);
    for (int i = s->n_more; i < MAX_VENUES - 1; i++)
        memset(&s->more[i], 0, sizeof s->more[i]);
}

void recall_keep(struct recall *r, int64_t no, struct str line, const struct session *s)
{
    struct known **row = r->at[row_of(no)];
    int at = place_in(row, no);
    struct known *k = row[at];
    if (!k || k->cap < line.n) {
        size_t cap = (line.n + ROOM) / ROOM * ROOM;
        struct known *more = malloc(sizeof *more + cap);
        if (!more)
            return; /* it will be read */
        more->cap = cap;
        free(k);
        k = more;
    }
    memmove(row + 1, row, (size_t)at * sizeof *row);
    row[0] = k;
    k->no = no;
    k->s = *s;
    as_read(&k->s);
    k->n = line.n;
    memcpy(k->line, line.p, line.n);
}
