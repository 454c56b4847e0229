/* Lanes: one queue of rows for each chat, and which row may go when. Included by the files of this
 * room alone; knows neither the store nor the network.
 *
 * Windows. What a chat sees counts in its window, hidden messages in one of their own. When the
 * network refuses a hidden one, both wait for a while by the window of all that went into the chat.
 * A private chat has a window of its own size until the network refuses there. While a match has
 * something to say in a chat, answers to mere questions (rows aside) fill a third of its window at
 * most, but for two a minute; else the whole window. Above the third they keep apart, and those that
 * wait are folded into one message. What closes buttons goes last: while a window is used by a third at most.
 * Boards share a window that is nearly full evenly: else a burst would hold up the next for most of
 * a minute. Boards of several matches share it evenly from the start, and each tells what happened
 * in the matches whose boards wait (outbox_slot.c).
 *
 *               a row may go, at once                  lanes_next()
 *       IDLE -----------------------------> READY ------------------> IDLE
 *        |  ^                                 ^
 *        |  | (lane_schedule takes it out)    | its moment has come: lanes_wake()
 *        v  |                                 |
 *       WAITING ------------------------------+
 *
 * lane_schedule() moves a lane to the state it should have now. An empty lane with nothing to
 * remember is freed.
 */
#ifndef KOIKOI_LANE_H
#define KOIKOI_LANE_H

#include "limiter.h"
#include "row.h"

enum lane_state {
    LANE_IDLE,   /* empty, or its rows wait for one that is in flight */
    LANE_READY,  /* in the list of its account: has a row that may go */
    LANE_WAITING /* in the heap: waits for `until` */
};
enum lane_order {
    ORDER_PLAIN,          /* first in, first out */
    ORDER_WHISPERS_FIRST, /* its window has held it up, and it has not been empty since:
                             while a whisper answers a press, whispers go first */
    ORDER_EXCLUSIVE       /* one row at a time: the chat has a new key */
};
/* Rows of the lane that are in the database alone, those after last_id. */
enum lane_unloaded { UNLOADED_NONE, UNLOADED_SOME, UNLOADED_ATTEMPTED /* and some are marked */ };

/* When a board last went. */
struct board_sent {
    uint64_t slot; /* its hash; 0 = none */
    int64_t at;
};

struct lane {
    struct lane *same_hash;                /* next in its bucket */
    struct lane *next_ready, **link_ready; /* LANE_READY: the next one; what points to this one */
    enum lane_state state;
    enum lane_order order;
    enum lane_unloaded unloaded;
    bool answer;          /* holds the answer to a press: goes first, has no window */
    bool alone;           /* a private chat: one person reads it */
    uint8_t list;         /* LANE_READY: in which list */
    int64_t until;        /* LANE_WAITING: when it becomes ready (or may be freed) */
    int account, heap_at; /* index; LANE_WAITING */
    int64_t last_id, passed;
    struct lane *next_passing;  /* outbox_pass.c; not freed while it is set */
    int64_t not_before;         /* held back by LATER */
    struct board_sent board[2]; /* of two slots, the latest first */
    int64_t answered, typing; /* when the last mere answer went; how long the bot seems to write */
    struct window window, whispers, answers;
    struct window all; /* window and whispers; charged if whispers have one of their own */
    struct row *first, **end;
    int n;
    uint64_t hash;
    size_t n_key;
    char key[];
};

static inline struct str lane_key(const struct lane *l)
{
    return (struct str){l->key, l->n_key};
}

/* The network has refused what one person sees: until then such messages count like any. */
struct strictness {
    int64_t until, span;
}; /* span: ms, doubled each time */

/* Lanes that are ready. A hand goes before boards, which newer ones replace; but every fourth is a
 * group, if one waits. Those with mere answers (rows aside) go last, however many there are. */
enum { READY_ANSWERS, READY_PERSONS, READY_GROUPS, READY_ASIDE, N_READY };

/* The lanes of one account that are ready, and what holds for all of them. */
struct account_queue {
    int64_t not_before;
    struct bucket bucket;
    struct refill refill;
    struct rate chat, person;
    struct strictness strict[2]; /* for hidden messages, for private chats */
    int in_flight, n_ready;
    struct ready_list {
        struct lane *first, **end;
    } ready[N_READY];
    int overtaken; /* private chats in a row that went before a group that waits */
};

struct lanes {
    struct lane **bucket;
    size_t n_buckets, n;
    struct lane **heap; /* soonest first */
    int n_heap, cap_heap;
    int n_rows;
    struct account_queue *queue; /* by account */
    int64_t opened; /* unix ms: windows of lanes made soon after are half full, for what
                       was sent before a restart */
};

void lanes_open(struct lanes *ls, int n_accounts, int64_t now);
void lanes_close(struct lanes *ls);
/* Returns NULL if not found; lanes_make() makes it then. */
struct lane *lanes_find(const struct lanes *ls, int account, struct str key);
enum lane_kind { LANE_OF_GROUP, LANE_OF_PERSON, LANE_OF_PRESS };
struct lane *lanes_make(struct lanes *ls, int account, struct str key, enum lane_kind kind,
                        int64_t now);
/* The row that may go now. Returns NULL if all wait: *until is when a window opens for one, or
 * INT64_MAX if they wait for a row that is under way. */
struct row *lane_next(const struct lanes *ls, const struct lane *l, int64_t now, int64_t *until);

int lane_busy(const struct lane *l); /* rows in flight or settling */
void lane_add(struct lanes *ls, struct lane *l, struct row *r);
void lane_remove(struct lanes *ls, struct lane *l, struct row *r);
void lane_leave(struct lane *l, bool marked); /* a row stays in the database alone */
void lane_schedule(struct lanes *ls, struct lane *l, int64_t now);
void lanes_wake(struct lanes *ls, int64_t now); /* those whose moment has come become ready */
/* Takes the first ready lane of an account off its list; NULL if none is. */
struct lane *lanes_next(struct lanes *ls, int account, bool answers);

/* True for an answer that others which wait may be folded into. */
bool lane_folds(const struct lanes *ls, const struct lane *l, const struct row *r, int64_t now);
/* A message of a group that a newer one may replace. */
bool lane_is_board(const struct lane *l, const struct row *r);
/* True if boards of several slots went within the window, *r included. */
bool lane_shares_boards(const struct lanes *ls, const struct lane *l, const struct row *r,
                        int64_t now);
void lane_charge(struct lanes *ls, struct lane *l, const struct row *r, int64_t now); /* it goes */
/* When one more message like this may go, after `ahead` others; in the past if now. The lane may be
 * NULL: a chat that has none yet, private or not. */
int64_t lane_room_at(const struct lanes *ls, int account, const struct lane *l, bool alone,
                     const struct row *r, int ahead, int64_t now);
/* The network has refused a message for its rate: learns from it if one person was to see it, or if
 * hidden messages were sent there in the last minute. */
void lane_learn(struct lanes *ls, const struct lane *l, const struct row *r, int64_t now);

#endif
