/* See ceiling.h. A table of fixed size: of the few rows in which a key may stand, the one whose
 * minute began first gives way to a new key. */
#include "ceiling.h"

#include <stdbool.h>
#include <stdlib.h>

#include "alloc.h"

enum { ROWS = 4096, NEAR = 8 };

struct ceiling_row {
    uint64_t key; /* 0: free */
    int64_t since;
    uint32_t n;
};

struct ceiling {
    struct ceiling_row row[ROWS];
};

struct ceiling *ceiling_open(void)
{
    return alloc_zeroed(sizeof(struct ceiling));
}

void ceiling_close(struct ceiling *c)
{
    free(c);
}

/* The row of this key, else the one that it may take; *ret_found says which. */
static struct ceiling_row *ceiling_row_of(struct ceiling *c, uint64_t key, bool *ret_found)
{
    struct ceiling_row *first = &c->row[key % (ROWS / NEAR) * NEAR], *oldest = first;
    for (struct ceiling_row *r = first; r < first + NEAR; r++) {
        *ret_found = r->key == key;
        if (*ret_found)
            return r;
        if (r->key == 0 || (oldest->key != 0 && r->since < oldest->since))
            oldest = r;
    }
    return oldest;
}

enum ceiling_verdict ceiling_count(struct ceiling *c, uint64_t key, uint32_t weight, int64_t mono)
{
    bool found = false;
    struct ceiling_row *r = ceiling_row_of(c, key, &found);
    if (!found || mono >= r->since + CEILING_MS)
        *r = (struct ceiling_row){.key = key, .since = mono};
    bool above = r->n > CEILING_COMMANDS;
    r->n += weight;
    return above ? CEILING_ABOVE : r->n > CEILING_COMMANDS ? CEILING_REACHED : CEILING_BELOW;
}

void ceiling_forgive(struct ceiling *c, uint64_t key)
{
    bool found = false;
    struct ceiling_row *r = ceiling_row_of(c, key, &found);
    if (found && r->n > 0)
        r->n--;
}
