/* Lessons that were made lately, by session, so that their pages can be turned. Memory alone: a
 * lesson that is gone is made again and comes out the same. One thread. */
#ifndef KOIKOI_LESSONS_H
#define KOIKOI_LESSONS_H

#include "lesson.h"
#include "str.h"

enum { LESSONS_KEPT = 16, LESSON_WAIT_MS = 60 * 1000 };

struct lesson_slot {
    int64_t session, used, asked;       /* 0: empty; when it was last touched; when it was asked
                                           for */
    struct lesson *lesson;              /* NULL: not there yet */
};
struct lessons { struct lesson_slot at[LESSONS_KEPT]; };

/* NULL: there is none. *ret_coming: it was asked for within the last LESSON_WAIT_MS. */
const struct lesson *lessons_find(struct lessons *l, int64_t session, int64_t now,
                                  bool *ret_coming);
/* Notes that a lesson is being made; the one that was not touched for longest makes room. */
void lessons_ask(struct lessons *l, int64_t session, int64_t now);
/* Keeps a copy of its bytes and returns it; NULL if they are none. */
const struct lesson *lessons_keep(struct lessons *l, int64_t session, int64_t now,
                                  struct str bytes);
void lessons_free(struct lessons *l);

#endif
