/* Which limits count for a lane: those of a press, of one person, or of a group. */
#include "outbox_internal.h"

enum lane_kind outbox_lane_kind(const struct outbox *o, int account, struct str key, bool answer)
{
    const struct account *a = &o->parts.accounts[account];
    if (answer)
        return LANE_OF_PRESS;
    if (str_starts(key, STR("@")) ||
        (a->adapter->one_reader && a->adapter->one_reader(a->state, key)))
        return LANE_OF_PERSON;
    return LANE_OF_GROUP;
}
