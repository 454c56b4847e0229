/* See recall.h. A place for each of the last PLACES numbers: matches that are played at the same time were
 * mostly begun at about the same time, and so have places of their own. */
#include "recall.h"

#include <assert.h>
#include <stdlib.h>

enum { PLACES = 512, ROOM = 512 };

struct known {
    struct session s;
    size_t n, cap;
    char line[];
};

struct recall {
    struct known *at[PLACES];
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
    for (int i = 0; i < PLACES; i++)
        free(r->at[i]);
    free(r);
}

static size_t place_of(int64_t no)
{
    return (uint64_t)no % PLACES;
}

bool recall_find(const struct recall *r, int64_t no, struct str line, struct session *ret)
{
    const struct known *k = r->at[place_of(no)];
    if (!k || !str_is(line, (struct str){k->line, k->n}))
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
    struct known **at = &r->at[place_of(no)];
    if (!*at || (*at)->cap < line.n) {
        size_t cap = (line.n + ROOM) / ROOM * ROOM;
        struct known *more = malloc(sizeof *more + cap);
        if (!more)
            return; /* it will be read */
        more->cap = cap;
        free(*at);
        *at = more;
    }
    (*at)->s = *s;
    as_read(&(*at)->s);
    (*at)->n = line.n;
    memcpy((*at)->line, line.p, line.n);
}
