/* A row of the outbox in memory: one message and how far it has come. Included by the files of this
 * room alone. */
#ifndef KOIKOI_ROW_H
#define KOIKOI_ROW_H

#include "outbox.h"

/* STAGED -> PENDING -> SETTLING -> MARKED -> [DRAWING -> DRAWN ->] IN_FLIGHT -> SETTLING -> freed
 *
 *     from            to          when
 *     STAGED          PENDING     commit
 *     STAGED          MARKED      commit of a row that was stored with the mark
 *     PENDING         SETTLING    its turn has come: it is marked first (OUTCOME_MARK)
 *     MARKED          DRAWING     its turn has come: its picture is drawn first
 *     DRAWING         DRAWN       it was drawn, or not within DRAW_MS
 *     MARKED, DRAWN   IN_FLIGHT   its turn has come
 *     IN_FLIGHT       SETTLING    a receipt; DONE too if there is nothing left to send
 *     SETTLING        MARKED      stored: MARK, MORE, AGAIN; LATER if it may have arrived
 *     SETTLING        PENDING     stored: LATER, certainly not arrived
 *     SETTLING        freed       stored: DONE, NEVER, MOVED
 *
 * The mark is in the database before a row is sent, so that after a crash a repeat is known as one;
 * a row that will go at once is stored with it. From any state in which it may go, a row that has
 * expired or has nothing to replace goes to SETTLING as DONE. A newer row of its slot replaces it
 * in STAGED, PENDING, MARKED and DRAWN, unless it may have arrived or is between two calls. */
enum row_state {
    ROW_STAGED,  /* its transaction is open */
    ROW_PENDING, /* stored, not marked as attempted */
    ROW_MARKED,  /* stored, marked as attempted: may be sent */
    ROW_DRAWING, /* waits for its picture */
    ROW_DRAWN,   /* may be sent, with `png` or without */
    ROW_IN_FLIGHT,
    ROW_FOLDED,  /* goes with `with`: it ends, or is as it was, when that has been answered */
    ROW_SETTLING /* its outcome waits for a transaction */
};

struct row {
    enum flight kind; /* FLIGHT_ROW: rows are tags of transfers */
    enum row_state state;
    struct row *next;
    struct lane *lane;
    const struct row *with; /* ROW_FOLDED */
    bool unmarked;          /* ROW_FOLDED: it was ROW_PENDING */
    int64_t id;
    /* what it is */
    bool aside;   /* later rows need not wait for its receipt */
    bool whisper; /* one person sees it */
    bool erases;  /* takes the message of its slot away */
    bool closes;  /* takes its buttons away: goes when there is nothing else to send */
    bool named;   /* see outgoing.named */
    bool has_news;
    bool has_learners, reports; /* see outgoing */
    bool passed_on;             /* its learners have it */
    bool urgent;                /* a whisper in answer to a press: see ORDER_WHISPERS_FIRST */
    int64_t since; /* when the first of those that it replaced was pushed; 0 = unknown */
    int64_t match; /* it is about; 0 = none */
    int64_t heard; /* when the first thing that they answer was heard; 0 = unknown */
    /* its history */
    bool maybe_sent; /* an earlier attempt may have arrived */
    bool counted;    /* by the rate limits, for what was asked ahead of it: it goes at once */
    bool told;       /* people see it; the rest of its steps count as none */
    int64_t tries;   /* attempts that were answered LATER */
    int replaced_by; /* 1 + index of the staged row that replaces it; 0 = none. Not a
                        state: a rollback takes it back */
    /* strings end with a NUL; NULL is empty */
    char *progress, *post;
    char *direct, *file; /* sent with it: private chat, the network's id of the picture */
    char *others;        /* news of other boards that it told as well */
    char *picture;       /* name of its picture */
    int64_t draw_until;  /* it goes without its picture then; 0 = not asked for yet */
    char *png;           /* n_png bytes; may be NULL */
    size_t n_png;
    size_t n_slot, n_bytes;
    char data[]; /* slot, bytes */
};

static inline struct str row_slot(const struct row *r)
{
    return (struct str){r->data, r->n_slot};
}
static inline struct str row_bytes(const struct row *r)
{
    return (struct str){r->data + r->n_slot, r->n_bytes};
}
/* What the network takes at once, past all rate limits: in a lane of its own. */
static inline bool row_is_answer(const struct outgoing *out)
{
    return out->kind == OUT_ANSWER || out->kind == OUT_ASK || out->kind == OUT_TYPING;
}
/* True if the row has been sent or its outcome is not stored yet. */
static inline bool row_busy(const struct row *r)
{
    return r->state == ROW_IN_FLIGHT || r->state == ROW_SETTLING || r->state == ROW_FOLDED;
}

/* A staged row for *out, encoded as `bytes`. */
/* True if the message only takes something away, when there is nothing else to send. */
bool row_only_tidies(const struct outgoing *out);
struct row *row_make(struct str slot, struct str bytes, const struct outgoing *out);
void row_free(struct row *r);
/* Sets a string of a row. */
void row_set(char **at, struct str s);

#endif
