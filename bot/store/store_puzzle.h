/* Puzzles in the store: when each chat gets its next one, and what people answered, which is stored by
 * handle and read by person. Days count from 1970-01-01. See store.h. */
#ifndef KOIKOI_STORE_PUZZLE_H
#define KOIKOI_STORE_PUZZLE_H

#include "store_chat.h"

extern const struct sql_table puzzle_posts;

struct puzzle_answer {
    int64_t day, handle;
    int64_t answer; /* from 1 */
    int64_t chat, at;
    int64_t account; /* under which the store keeps the row */
    bool solved;
};
ROW_LIST(puzzle_answers, struct puzzle_answer);
/* One answer of a handle a day; a second one is an error. */
void store_add_puzzle_answer(struct store *s, const struct puzzle_answer *answer);
/* The person's first one of that day, by any of their handles. */
const struct puzzle_answer *store_puzzle_answer(struct store *s, struct arena *a, int64_t day,
                                                int64_t who);
/* How many people answered, and how many of them solved it. */
struct puzzle_count {
    int64_t answered, solved;
};
struct puzzle_count store_puzzle_count(struct store *s, int64_t day);
/* Of a person, before that day, the newest first. */
struct puzzle_answers store_puzzle_answers(struct store *s, struct arena *a, int64_t who,
                                           int64_t before);

/* People who solved it and belong to the chat: they answered there, or have results there. In the
 * order of their answers. */
struct named_rows store_puzzle_solvers(struct store *s, struct arena *a, int64_t day, int64_t chat,
                                       int most);

#endif
