/* See seal.h. */
#include "seal.h"

struct sealed seal_close(const struct matrix *m, struct str room, const char *type, cJSON *content)
{
    (void)m, (void)room;
    return (struct sealed){type, content};
}

const cJSON *seal_open(const struct matrix *m, const cJSON *event)
{
    (void)m;
    return wire_is(event, "type", "m.room.encrypted") ? NULL : event;
}
