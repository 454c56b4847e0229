/* Finished matches in the store, one row a chat and seat, and what is counted from them match by
 * match: counts by name, badges. See store.h; config/schema has the tables. What is counted is
 * decided in bot/inbox. */
#ifndef KOIKOI_STORE_PLAYED_H
#define KOIKOI_STORE_PLAYED_H

#include "adapter.h"
#include "rows.h"
#include "tally.h"

struct store;

/* The pool of all chats, beside the chats' ids. */
enum { EVERY_CHAT = 0, NO_ACCURACY = -1 };

struct played {
    int64_t id, chat, session, seat;
    int64_t account; /* under which the store keeps the row, and finds it */
    int64_t person;  /* handle; 0: the computer */
    int64_t rated;   /* handle whose rating moves */
    int64_t at, day;
    int64_t casual, rateable;
    int64_t forfeit; /* won or lost because somebody left */
    struct tally tally;
    int64_t best;     /* points of the dearest round won */
    int64_t accuracy; /* thousandths; NO_ACCURACY */
    struct str season, also, rules, best_hand, yaku;
};
ROW_LIST(played_rows, struct played);

/* The rows of a match in a chat. */
void store_add_played(struct store *s, const struct played *rows, int n);
/* Rows of a chat with an id above `after`, in order; a match's rows follow each other. */
struct played_rows store_played_after(struct store *s, struct arena *a, int64_t chat, int64_t after,
                                      int most);
/* Empties all that is counted from the rows of a chat's matches. */
void store_uncount(struct store *s, int64_t chat);
/* The first chat above `after` (-1: of all) of which there are such rows or sums; -1: none. */
int64_t store_next_counted(struct store *s, int64_t after);
/* The rows of one match, by seat. */
struct played_rows store_played_match(struct store *s, struct arena *a, int64_t chat,
                                      int64_t session);
/* Rows of a person's matches with a number below `below`, newest first; without those against the
 * computer if `other` is a person: then the matches of these two. */
struct played_rows store_played_of(struct store *s, struct arena *a, int64_t chat, int64_t who,
                                   int64_t other, int64_t below, int most);
/* Of a row that was read. */
void store_set_accuracy(struct store *s, const struct played *p);

/* ---- counts by name ---- */

struct count_row {
    int64_t chat, person, account;
    struct str what;
    int64_t n;
};
ROW_LIST(count_rows, struct count_row);
void store_count(struct store *s, int64_t chat, int64_t handle, struct str what, int64_t n);
/* Of a person, all handles added up, by name: `what` and `n`. */
struct count_rows store_counts(struct store *s, struct arena *a, int64_t chat, int64_t who);

/* ---- badges ---- */

struct badge_row {
    struct str name;
    int64_t chat, session, at;
};
ROW_LIST(badge_rows, struct badge_row);
/* Returns false if the person has it. */
bool store_add_badge(struct store *s, int64_t who, const struct badge_row *badge);
/* In the order they were earned. */
struct badge_rows store_badges(struct store *s, struct arena *a, int64_t who);

/* ---- where rows of results are, for the store's own files ---- */

/* The account that such a row is kept under: that of its chat; in EVERY_CHAT that of its handle. */
int64_t store_home_of_result(struct store *s, int64_t chat, int64_t handle);
/* Behind FROM: rows r of results, of the handles h of the person $n in the chat $c, whose
 * account is $a (store_home_of_result()). CROSS: a file begins with the handles. */
#define RESULTS_OF(table, r, h, n, c, a)                                                           \
    "person AS " h " CROSS JOIN " table " AS " r " WHERE (" h ".id = $" #n " OR (" h               \
    ".owner > 0 AND " h ".owner = $" #n ")) AND " r ".account = CASE $" #c " WHEN 0 THEN " h       \
    ".account ELSE $" #a " END AND " r ".chat = $" #c " AND " r ".person = " h ".id"

#endif
