/* Finished matches in the store, one row a chat and seat, and what is counted from them match by
 * match: ratings, counts by name, badges. See store.h; config/schema has the tables.
 * bot/results decides what is counted. */
#ifndef KOIKOI_STORE_PLAYED_H
#define KOIKOI_STORE_PLAYED_H

#include "adapter.h"

struct store;

/* The pool of all chats, beside the chats' ids. */
enum { EVERY_CHAT = 0, NO_ACCURACY = -1 };

struct played {
    int64_t id, chat, session, seat;
    int64_t person; /* handle; 0: the computer */
    int64_t rated;  /* handle whose rating moves */
    int64_t at, day;
    int64_t casual, rateable;
    int64_t won, drawn, lost, gave_up, points;
    int64_t rounds, rounds_won, calls, calls_won, calls_paid;
    int64_t best;     /* points of the dearest round won */
    int64_t accuracy; /* thousandths; NO_ACCURACY */
    struct str season, also, rules, best_hand, yaku;
};
struct played_rows {
    int n;
    struct played *at;
};

bool store_add_played(struct store *s, const struct played *p, struct err *err) MUST_CHECK;
/* Rows with an id above `after`, in order; a match's rows of one chat follow each other. */
bool store_played_after(struct store *s, struct arena *a, int64_t after, int most,
                        struct played_rows *ret, struct err *err) MUST_CHECK;
/* The rows of one match, by seat. */
bool store_played_match(struct store *s, struct arena *a, int64_t chat, int64_t session,
                        struct played_rows *ret, struct err *err) MUST_CHECK;
/* Rows of a person's matches with a number below `below`, newest first; without those against the
 * computer if `other` is a person: then the matches of these two. */
bool store_played_of(struct store *s, struct arena *a, int64_t chat, int64_t who, int64_t other,
                     int64_t below, int most, struct played_rows *ret, struct err *err) MUST_CHECK;
bool store_set_accuracy(struct store *s, int64_t id, int64_t accuracy, struct err *err) MUST_CHECK;

/* ---- ratings ---- */

struct rating_row {
    int64_t person; /* handle; store_rating_of(): the person */
    int64_t points, deviation, volatility, matches, at;
    struct str season;
};
struct rating_rows {
    int n;
    struct rating_row *at;
};
bool store_rating(struct store *s, struct arena *a, int64_t chat, int64_t handle,
                  struct rating_row *ret, bool *ret_found, struct err *err) MUST_CHECK;
bool store_set_rating(struct store *s, int64_t chat, const struct rating_row *row,
                      struct err *err) MUST_CHECK;
/* By person, in no order: of a person's handles the row with the most matches. store_rating_of()
 * keeps the handle as row.person. */
bool store_ratings(struct store *s, struct arena *a, int64_t chat, struct rating_rows *ret,
                   struct err *err) MUST_CHECK;
bool store_rating_of(struct store *s, struct arena *a, int64_t chat, int64_t who,
                     struct rating_row *ret, bool *ret_found, struct err *err) MUST_CHECK;
/* Adds a rated match of the two on that day; *ret is the number of those before it. */
bool store_add_rated_pair(struct store *s, int64_t chat, int64_t one, int64_t other, int64_t day,
                          int64_t *ret, struct err *err) MUST_CHECK;

/* ---- counts by name ---- */

struct count_row {
    struct str what;
    int64_t n;
};
struct count_rows {
    int n;
    struct count_row *at;
};
bool store_count(struct store *s, int64_t chat, int64_t handle, struct str what, int64_t n,
                 struct err *err) MUST_CHECK;
/* Of a person, all handles added up, by name. */
bool store_counts(struct store *s, struct arena *a, int64_t chat, int64_t who,
                  struct count_rows *ret, struct err *err) MUST_CHECK;

/* ---- badges ---- */

struct badge_row {
    struct str name;
    int64_t chat, session, at;
};
struct badge_rows {
    int n;
    struct badge_row *at;
};
/* *ret_new is false if the person has it. */
bool store_add_badge(struct store *s, int64_t who, const struct badge_row *badge, bool *ret_new,
                     struct err *err) MUST_CHECK;
/* In the order they were earned. */
bool store_badges(struct store *s, struct arena *a, int64_t who, struct badge_rows *ret,
                  struct err *err) MUST_CHECK;

#endif
