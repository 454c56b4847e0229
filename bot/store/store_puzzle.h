/* What comes daily, in the store. Puzzles: when each chat gets its next one, and what people
 * answered. Duels: the day that runs in a chat, and the tries at it. Days count from 1970-01-01.
 * Answers and tries are stored by handle and read by person. See store.h. */
#ifndef KOIKOI_STORE_PUZZLE_H
#define KOIKOI_STORE_PUZZLE_H

#include "adapter.h"

struct store;

/* A puzzle of the day, or the champion of the week, which is looked for each day. */
enum daily { DAILY_PUZZLE, DAILY_WEEK, N_DAILY };
struct daily_post {
    int64_t chat;
    int64_t due; /* unix ms; 0: the chat gets none */
    int64_t day; /* of the last one posted; 0: none */
};
/* Of a chat; zeros if it never had one. */
struct daily_post store_daily_post(struct store *s, enum daily kind, int64_t chat);
void store_set_daily_post(struct store *s, enum daily kind, const struct daily_post *post);
/* The one that is due first, if it is due by `now`; else its chat is 0. */
struct daily_post store_daily_due(struct store *s, enum daily kind, int64_t now);

struct puzzle_answer {
    int64_t day, handle;
    int64_t answer; /* from 1 */
    int64_t chat, at;
    bool solved;
};
struct puzzle_answers {
    int n;
    struct puzzle_answer *at;
};
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

struct solver_row {
    int64_t who;
    struct str name;
};
struct solver_rows {
    int n;
    struct solver_row *at;
};
/* People who solved it and belong to the chat: they answered there, or have results there. In the
 * order of their answers. */
struct solver_rows store_puzzle_solvers(struct store *s, struct arena *a, int64_t day, int64_t chat,
                                        int most);
/* People who have answered a puzzle in the chat, or played its duel, since that day; without banned
 * ones. */
struct solver_rows store_daily_people(struct store *s, struct arena *a, int64_t chat,
                                      int64_t since);

/* ---- duels ---- */

struct duel_row {
    int64_t chat;
    int64_t due; /* unix ms; 0: never */
    int64_t day; /* that runs; 0: none */
    struct str seed, rules;
};
/* Of a chat; its other members are zero if it never had one. */
struct duel_row store_duel(struct store *s, struct arena *a, int64_t chat);
void store_set_duel(struct store *s, const struct duel_row *row);
/* The one that is due first, if it is due by `now`; else its chat is 0. */
struct duel_row store_duel_due(struct store *s, struct arena *a, int64_t now);
/* A chat of the person in which a day runs: they have played there before. First one in which they
 * have no try yet. Returns 0 if not found. */
int64_t store_duel_of_person(struct store *s, int64_t who);

struct duel_try_row {
    int64_t chat, day, handle, session, state, points, at;
    int64_t who;     /* when read: the person, */
    struct str name; /* and their name */
};
struct duel_try_rows {
    int n;
    struct duel_try_row *at;
};
void store_add_duel_try(struct store *s, const struct duel_try_row *row);
void store_end_duel_try(struct store *s, int64_t session, int64_t state, int64_t points);
/* Those of a day, the best that were played (state 1) first, without those of banned people. */
struct duel_try_rows store_duel_tries(struct store *s, struct arena *a, int64_t chat, int64_t day);
/* Those of a person in a chat up to a day, the newest first; chat 0: in all chats, without names. */
struct duel_try_rows store_duel_tries_of(struct store *s, struct arena *a, int64_t chat,
                                         int64_t who, int64_t day);
/* The chat of a try by its session; and the session of one that has not ended (state 0) in a chat.
 * Both return 0 if not found. */
int64_t store_duel_chat(struct store *s, int64_t session);
int64_t store_duel_open_try(struct store *s, int64_t chat);

#endif
