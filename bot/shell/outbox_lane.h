/* The outbox in memory: lanes, each a queue of rows of one chat, and who of them may go when.
 * Included by outbox*.c alone. Nothing here knows the store or the network.
 *
 * A lane is in one of three places: among the ready ones (it has a row that may go), in the heap
 * (it waits for a moment), or in neither (what it has is in flight or waits for that, or it is
 * empty).
 */
#ifndef KOIKOI_OUTBOX_LANE_H
#define KOIKOI_OUTBOX_LANE_H

#include "outbox.h"

struct row {
    enum flight kind;           /* FLIGHT_ROW: rows are tags of transfers */
    struct row *next;
    struct lane *lane;
    int64_t id;
    bool aside;                 /* those behind it need not wait until it is taken */
    bool whisper;               /* one person alone sees it ... */
    bool urgent;                /* ... in answer to a press: in a slow lane whispers go first */
    bool busy;                  /* in flight or being settled */
    bool drawing;               /* waits for its picture */
    bool drawn;                 /* that has come, or will not: it goes with `png` */
    bool flown;                 /* as the database has it */
    bool unknown;               /* an earlier attempt may have arrived */
    int64_t tries;
    int replaced_by;            /* 1 + index of the staged row that does; 0: none */
    char *progress, *post;      /* with a NUL; NULL is empty */
    char *direct, *file;        /* what it flew with: the private chat, the picture's id there; the
                                   same */
    char *picture;              /* what its picture is called; the same */
    int64_t draw_until;         /* then it goes without; 0: not yet asked for */
    char *png;                  /* n_png bytes; NULL: none */
    size_t n_png;
    size_t n_slot, n_bytes;
    char data[];                /* slot, bytes */
};

static inline struct str row_slot(const struct row *r) { return (struct str){r->data, r->n_slot}; }
static inline struct str row_bytes(const struct row *r)
{
    return (struct str){r->data + r->n_slot, r->n_bytes};
}

enum lane_place { LANE_IDLE, LANE_READY, LANE_WAITING };
struct lane {
    struct lane *same_hash;     /* next in its bucket */
    struct lane *next_ready;
    enum lane_place place;
    int heap_at;                /* LANE_WAITING */
    int64_t until;              /* LANE_WAITING: when it becomes ready (or may be forgotten) */
    int account;                /* index */
    bool answer;                /* holds the answer to a press: goes first, knows no pace */
    bool alone;                 /* one row at a time, whatever it is: the chat moves */
    bool spilled;               /* the database holds more of its rows than are here, after last_id
                                   ... */
    bool strays;                /* ... and some of those are marked as flown */
    int64_t last_id;
    bool slow;                  /* its pace has held it back, and it has not been empty since */
    int64_t not_before;         /* held back by "later" */
    int64_t paced;              /* its pace's clock: see lanes_pace() */
    struct row *first, **end;
    int n;
    uint64_t hash;
    size_t n_key;
    char key[];
};

static inline struct str lane_key(const struct lane *l) { return (struct str){l->key, l->n_key}; }

/* Of one account. */
struct gate {
    int64_t not_before, paced;
    int in_flight, n_ready;
    struct lane *ready, **ready_end, *answers, **answers_end;
};

struct lanes {
    struct lane **bucket;
    size_t n_buckets, n;
    struct lane **heap;
    int n_heap, cap_heap;
    int n_rows;
    struct gate *gate;
};

void lanes_open(struct lanes *ls, int n_accounts);
void lanes_close(struct lanes *ls);
struct lane *lanes_find(struct lanes *ls, int account, struct str key, bool answer, bool make);
/* A row of *out, packed in `bytes`. */
struct row *row_make(struct str slot, struct str bytes, const struct outgoing *out);
/* The row that may go now as far as those before it are concerned; NULL if there is none. */
struct row *lane_next(const struct lane *l);
int lane_busy(const struct lane *l);            /* how many rows are in flight or being settled */
void row_free(struct row *r);
void lane_add(struct lanes *ls, struct lane *l, struct row *r);
void lane_remove(struct lanes *ls, struct lane *l, struct row *r);
/* Puts the lane where it belongs now; frees it if it is empty and nothing has to be remembered. */
void lane_place(struct lanes *ls, struct lane *l, int64_t now);
/* Lanes whose moment has come become ready. */
void lanes_wake(struct lanes *ls, int64_t now);
/* Takes the first ready lane of an account off its list; NULL if there is none. */
struct lane *lanes_next(struct lanes *ls, int account, bool answers);

/* A pace of `burst` at once and then one each `interval` ms, as one number: the time at which the
 * last one let through would have gone if all had kept the interval. When the next may go: */
int64_t pace_when(int64_t paced, int64_t interval, int burst);
int64_t pace_after(int64_t paced, int64_t interval, int64_t now);

#endif
