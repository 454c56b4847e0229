/* State that the files outbox*.c share. The states of a row are drawn in row.h, those of a lane in
 * lane.h.
 *
 *     outbox.c          opening, loading, and the end of a transaction
 *     outbox_push.c     a message becomes a staged row, and replaces an older one of its slot
 *     outbox_slot.c     which message replaces which, and tells what; log lines on each row
 *     outbox_send.c     the pump: rows become requests, answers become outcomes
 *     outbox_outcome.c  outcomes until then; answers that are folded into one
 *     outbox_settle.c   outcomes become database writes, then changes in memory
 *     outbox_pass.c     what waits in a chat that takes nothing goes to its learners in private
 *     outbox_picture.c  rows that wait for a picture
 */
#ifndef KOIKOI_OUTBOX_INTERNAL_H
#define KOIKOI_OUTBOX_INTERNAL_H

#include "lane.h"
#include "log.h"
#include "outbox_pass.h"

enum {
    LANE_ROWS = 32,             /* of one lane in memory; the others stay in the database */
    ALL_ROWS = 16384,           /* of all lanes in memory */
    SPARE_ROWS = 4096,          /* more, while the others are full, for what is no mere answer */
    PAGE = 256,                 /* rows loaded at once */
    MOST_BACK = 4,              /* outcomes for each send in flight: then a commit is due */
    PICTURES_HELD = 32,         /* being drawn, or drawn and not yet taken by the network */
    DRAW_MS = 3000,             /* the longest a message waits for its picture */
    PRESS_MS = 10 * 1000,       /* a chat held up for longer: whispers that answer a press fail */
    ASKED_MOST_MS = 3600 * 1000 /* the longest a network may ask to wait */
};

/* A row pushed in the open transaction. */
struct staged {
    struct row *row;
    int account;
    enum lane_kind kind;
    bool marked;     /* stored as attempted: it will go at once */
    struct str lane; /* in outbox.staging */
};

/* What happened to a row, to be written in the next transaction. */
enum row_outcome {
    OUTCOME_DONE,
    OUTCOME_MORE,
    OUTCOME_LATER,
    OUTCOME_NEVER,
    OUTCOME_AGAIN, /* the post to edit is gone: it is sent as a new message */
    OUTCOME_MOVED,
    OUTCOME_MARK /* not an answer: the row is to be marked as attempted */
};
struct settling {
    struct row *row;
    enum row_outcome outcome;
    int64_t wait_until;      /* OUTCOME_LATER */
    bool asked;              /* the network asked to wait so long: kept over a restart */
    struct receipt receipt;  /* strings in outbox.settling_strings */
    bool answered;           /* receipt is set */
    struct letter_to letter; /* REQUEST_KEEP: stored with the outcome, ... */
    struct str said;         /* ... and what it says, if anything; in settling_strings */
};

struct outbox {
    struct outbox_parts parts;
    struct lanes lanes;
    struct outbox_counts *counts; /* by account */
    int64_t heard;                /* see outbox_heard() */
    struct outbox_kept kept;      /* see outbox_take_kept() */
    int n_staged, cap_staged;
    struct staged *staged;
    int n_replaced, cap_replaced;
    struct row **replaced; /* those with replaced_by set */
    struct arena *staging, *settling_strings, *loading;
    int n_settling, cap_settling;
    struct settling *settling;
    struct row **dropped; /* cap_settling of them: room for drop_rows() */
    int settle_ms;        /* the longest an outcome waits for a transaction */
    int64_t oldest;       /* when the first outcome came, monotonic */
    bool awaited;         /* a row waits until one of the outcomes is stored */
    bool settled;         /* outbox_settle() ran in the open transaction */
    bool backlog;         /* rows of any lane with ids above backlog_after are not loaded */
    int64_t backlog_after;
    struct pass_queue passing;
    int64_t seen;  /* the highest id that was pushed or loaded: all below are known */
    char *scratch; /* OUTGOING_MOST bytes */
    int n_held, n_drawing;
    struct row *held[PICTURES_HELD]; /* rows whose picture is being drawn or in memory */
    struct err picture_failed;       /* of the last one that failed: logged once */
};

/* All waits of the outbox run on the monotonic clock. Times in the store and in messages are of the
 * wall clock: outbox_wall(), outbox_wall_of(). */
static inline int64_t outbox_now(const struct outbox *o)
{
    return clock_mono(o->parts.clock);
}
static inline int64_t outbox_wall(const struct outbox *o)
{
    return clock_now(o->parts.clock);
}
static inline int64_t outbox_wall_of(const struct outbox *o, int64_t mono)
{
    return mono - outbox_now(o) + outbox_wall(o);
}
static inline const struct account *account_of(const struct outbox *o, const struct lane *l)
{
    return &o->parts.accounts[l->account];
}
/* The kind of the lane of messages to that chat; of OUT_ANSWER to a press if `answer`. */
enum lane_kind outbox_lane_kind(const struct outbox *o, int account, struct str key, bool answer);
/* Loads rows that were left in the database. */
void outbox_load_lane(struct outbox *o, struct lane *l, struct arena *turn);
void outbox_load_backlog(struct outbox *o, struct arena *turn);
/* outbox_outcome.c. The row is to be settled. The entry is valid until the next call. */
struct settling *outbox_settle_later(struct outbox *o, struct row *r, enum row_outcome outcome);
/* Takes the answers that wait behind a row along in *out, as far as they fit; outbox_unfold() is due
 * when it has been answered: they have gone with it if it was sent, else they wait as before. */
void outbox_fold(struct outbox *o, struct row *r, struct arena *turn, struct outgoing *out);
void outbox_unfold(struct outbox *o, const struct row *r, bool sent);
/* Whispers that answer a press go another way if the lane is held up for longer than PRESS_MS. */
void outbox_fail_whispers(struct outbox *o, struct lane *l);
/* outbox_slot.c. The lane of a message, and its slot with the person it is for: only messages that
 * stand in the same chat, for the same person, replace one another. */
struct str outbox_lane_key(struct arena *a, const struct outgoing *out);
struct str outbox_full_slot(struct arena *a, const struct outgoing *out);
/* True if a newer message of that slot takes the place of the row. */
bool outbox_replaceable(const struct row *r, struct str slot, const struct outgoing *by);
/* What the newer one takes over from it. */
void outbox_inherit(struct outbox *o, int account, const struct row *old, struct outgoing *out);
/* outbox_picture.c. Sets the picture of a message that is to be sent now, or *ret_wait if the
 * row must wait for it. outbox_drop_picture() is due when a row has been answered, unless it
 * goes on with the same picture, or is freed. */
bool outbox_picture(struct outbox *o, struct row *r, struct arena *turn, struct outgoing *out,
                    bool *ret_wait, struct err *err) MUST_CHECK;
void outbox_drop_picture(struct outbox *o, struct row *r);
void outbox_stop_waiting(struct outbox *o);          /* rows that have waited DRAW_MS */
int64_t outbox_picture_next(const struct outbox *o); /* the next such moment, or INT64_MAX */
/* Adds what the waiting boards of other matches tell to a board that goes now; to a repeat, what
 * its first attempt told. */
void outbox_add_waiting_news(const struct outbox *o, struct row *r, struct arena *turn,
                             struct outgoing *out);
/* Applies stored outcomes; part of outbox_commit(). */
void outbox_commit_settled(struct outbox *o);
/* One line on what happened to a row; `why` may be empty. */
void outbox_log(const struct outbox *o, const struct row *r, enum log_level level,
                const char *event, struct str why);
/* The network asks to wait for so long. */
void outbox_log_pause(const struct outbox *o, const struct row *r, bool all_chats, int64_t ms);

#endif
