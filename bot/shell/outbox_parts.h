/* What the files of the outbox share. Included by outbox*.c alone. */
#ifndef KOIKOI_OUTBOX_PARTS_H
#define KOIKOI_OUTBOX_PARTS_H

#include "outbox.h"
#include "outbox_lane.h"

enum {
    LANE_ROWS = 32,             /* of one lane in memory; more are left in the database */
    ALL_ROWS = 16384,           /* of all lanes in memory */
    PAGE = 256,                 /* rows loaded at once */
    SETTLE_MS = 5,
    MOST_BACK = 4,              /* so many answered for each that is still under way */
    PICTURES_HELD = 32,         /* being drawn, or drawn and not yet taken by the network */
    DRAW_MS = 3000              /* so long a message waits for its picture */
};

/* A row that was pushed in the transaction that is open. */
struct staged {
    struct row *row;
    int account;
    bool answer;
    struct str lane;            /* in outbox.staging */
};

/* What became of a row, to be written with the next transaction. */
enum outcome { ROW_DONE, ROW_MORE, ROW_LATER, ROW_NEVER, ROW_AGAIN /* its post is gone */,
               ROW_MOVED, ROW_MARK /* is about to fly */ };
struct settling {
    struct row *row;
    enum outcome outcome;
    int64_t wait_until;         /* ROW_LATER */
    bool all_chats;
    struct receipt receipt;     /* strings in outbox.settling_strings */
    bool answered;              /* the network said something (receipt is set) */
};

struct outbox {
    struct outbox_parts parts;
    struct lanes lanes;
    int n_staged, cap_staged;
    struct staged *staged;
    int n_replaced, cap_replaced;
    struct row **replaced;      /* rows with replaced_by set */
    struct arena *staging, *settling_strings;
    int n_settling, cap_settling;
    struct settling *settling;
    int64_t *dropped;           /* cap_settling: ids, while they are settled */
    int64_t oldest;             /* when the first of them came */
    bool awaited;               /* some row cannot go before one of them is durable */
    bool settled;               /* outbox_settle() ran in the transaction that is open */
    bool backlog;               /* the database holds rows of any lane above backlog_after */
    int64_t backlog_after;
    char *scratch;              /* PARCEL_MOST bytes */
    int n_held, n_drawing;
    struct row *held[PICTURES_HELD]; /* rows with a picture in the making or in hand */
    struct err picture_failed;  /* why the last one could not be drawn: said once */
};

static inline int64_t outbox_now(const struct outbox *o) { return clock_now(o->parts.clock); }
static inline const struct account *account_of(const struct outbox *o, const struct lane *l)
{
    return &o->parts.accounts[l->account];
}
/* The pace of one chat and of the account, as interval and burst; false: none. */
bool outbox_chat_pace(const struct account *a, int64_t *ret_interval, int *ret_burst);
bool outbox_account_pace(const struct account *a, int64_t *ret_interval, int *ret_burst);
/* Brings rows that were left in the database into memory. */
bool outbox_load_lane(struct outbox *o, struct lane *l, struct arena *turn,
                      struct err *err) MUST_CHECK;
bool outbox_load_backlog(struct outbox *o, struct arena *turn, struct err *err) MUST_CHECK;
/* outbox_picture.c. Sets the picture of a message that is to be sent now, or sets *ret_wait: the
 * row is called again when that can be told. A row that is freed or has been answered lets go of
 * its picture. */
bool outbox_picture(struct outbox *o, struct row *r, struct arena *turn, struct outgoing *out,
                    bool *ret_wait, struct err *err) MUST_CHECK;
void outbox_let_go(struct outbox *o, struct row *r);
void outbox_stop_waiting(struct outbox *o);                 /* rows that have waited long enough */
int64_t outbox_picture_next(const struct outbox *o);        /* when there is one; INT64_MAX: none
                                                               waits */
/* Applies what was settled; part of outbox_commit(). */
void outbox_commit_settled(struct outbox *o);

#endif
