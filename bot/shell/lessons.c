/* See lessons.h. */
#include "lessons.h"

#include <stdlib.h>
#include <string.h>

static struct lesson_slot *find(struct lessons *l, int64_t session)
{
    for (int i = 0; i < LESSONS_KEPT; i++)
        if (l->at[i].session == session)
            return &l->at[i];
    return NULL;
}

/* The session's own place, or the one whose owner was not asked about for longest, emptied. */
static struct lesson_slot *place(struct lessons *l, int64_t session, int64_t now)
{
    struct lesson_slot *slot = find(l, session);

    if (!slot) {
        slot = &l->at[0];
        for (int i = 1; i < LESSONS_KEPT; i++)
            if (l->at[i].used < slot->used)
                slot = &l->at[i];
        free(slot->lesson);
        *slot = (struct lesson_slot){.session = session};
    }
    slot->used = now;
    return slot;
}

const struct lesson *lessons_find(struct lessons *l, int64_t session, int64_t now, bool *ret_coming)
{
    struct lesson_slot *slot = find(l, session);

    *ret_coming = slot && !slot->lesson && slot->asked > 0 && now < slot->asked + LESSON_WAIT_MS;
    if (!slot || !slot->lesson)
        return NULL;
    slot->used = now;
    return slot->lesson;
}

void lessons_ask(struct lessons *l, int64_t session, int64_t now)
{
    place(l, session, now)->asked = now;
}

const struct lesson *lessons_keep(struct lessons *l, int64_t session, int64_t now, struct str bytes)
{
    struct lesson_slot *slot = place(l, session, now);
    struct lesson head;

    slot->asked = 0;
    if (bytes.n < sizeof head)
        return NULL;
    memcpy(&head, bytes.p, sizeof head);
    if (head.n < 0 || head.n > LESSON_LINES || bytes.n != LESSON_SIZE(head.n))
        return NULL;
    struct lesson *kept = malloc(bytes.n);
    if (!kept)
        return NULL;
    memcpy(kept, bytes.p, bytes.n);
    free(slot->lesson);
    slot->lesson = kept;
    return kept;
}

void lessons_free(struct lessons *l)
{
    for (int i = 0; i < LESSONS_KEPT; i++)
        free(l->at[i].lesson);
    memset(l, 0, sizeof *l);
}
