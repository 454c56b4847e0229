/* See made.h. The slot that was not used for longest gives way. Rule sets are compared as bytes:
 * two that differ in padding alone would be made twice, which is only slower. */
#include "made.h"

#include <string.h>

const struct ruleset *made_ruleset(struct made *m, const struct rules *r)
{
    int slot = 0;
    m->clock++;
    for (int i = 0; i < MADE_SLOTS; i++) {
        if (m->used[i] > 0 && memcmp(&m->at[i].rules, r, sizeof *r) == 0) {
            m->used[i] = m->clock;
            return &m->at[i];
        }
        if (m->used[i] < m->used[slot])
            slot = i;
    }
    ruleset_make(r, &m->at[slot]);
    m->used[slot] = m->clock;
    return &m->at[slot];
}
