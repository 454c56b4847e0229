/* Match records: one match as JSON lines, written while it is played. README.md, "Match record", is
 * the format; replay.h reads it back.
 *
 *     record_match(&b, &head)                       once
 *     record_deal(&b, &rules, &deal)                for each deal, before match_deal()
 *     record_log(&b, &match, &deal, &log, why, hinted)   after match_deal(), match_apply() and match_leave()
 *
 * Everything is built in the caller's buffer; if it was too small, b.cut says so. A deal line shows
 * all cards: a record may leave the house only when its match is over.
 */
#ifndef KOIKOI_RECORD_H
#define KOIKOI_RECORD_H

#include "chance.h"
#include "json.h"

/* One step writes at most so much, without the players' own texts. */
enum { RECORD_STEP_MAX = 8192 };

enum leave_why { LEAVE_RESIGN, LEAVE_TIMEOUT };

struct record_head {
    struct str id;
    const struct rules *rules;            /* with the rounds chosen */
    int players;
    struct str names[MAX_PLAYERS];        /* by seat */
    struct seats seats;
    /* Round 0, from which lots and a random dealer come; not written under FIRST_CHALLENGER. */
    struct seed seed;
    struct str clients[MAX_PLAYERS];      /* in joining order */
};

struct record_deal {
    int round, attempt, dealer, players;
    struct seed seed;
    struct str clients[MAX_PLAYERS];      /* by seat */
    const uint8_t *deck;                  /* N_CARDS, dealt from the first */
};

void record_match(struct buf *b, const struct record_head *h);
void record_deal(struct buf *b, const struct rules *r, const struct record_deal *d);
/* The lines of one step: m as it is after it, d the deal it belongs to (not looked at where a seat
 * left before the first). `why` is asked only where the log holds a LOG_LEAVE; hinted: the move was
 * made after a hint, which its own line, the first, says. */
void record_log(struct buf *b, const struct match *m, const struct record_deal *d,
                const struct round_log *log, enum leave_why why, bool hinted);

/* Parts that other formats share: {"sanko":5}, and the fields of a round's result from why to
 * scores. */
void record_yaku(struct buf *b, const struct score *s);
void record_result(struct buf *b, const struct round_result *r, int players, const int32_t *scores);

/* Why the engine refused a move, in words for a log or a program's author. */
const char *illegal_text(enum illegal why);

#endif
