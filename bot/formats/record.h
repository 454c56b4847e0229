/* Writer of match records: one match as JSON lines, written while it is played. The format is in
 * README.md of formats, "Match record"; replay.h reads it back.
 *
 *     record_match(&b, &head)                  once
 *     record_deal(&b, &rules, &deal)           for each deal, before match_deal()
 *     record_log(&b, &match, &deal, &log, why, hinted)
 *                                              after each other call on the match
 *
 * All functions append to the caller's buffer; b.cut is true if it was too small. A deal line shows
 * all cards, so a record must stay private until its match is over.
 */
#ifndef KOIKOI_RECORD_H
#define KOIKOI_RECORD_H

#include "chance.h"
#include "json.h"

/* Bytes that one step writes at most, without the players' own texts. */
enum { RECORD_STEP_MAX = 8192 };

enum leave_why { LEAVE_RESIGN, LEAVE_TIMEOUT };

struct record_head {
    struct str id;
    const struct rules *rules; /* with the rounds chosen */
    int players;
    struct str names[MAX_PLAYERS]; /* by seat */
    struct seats seats;
    /* Of round 0, which lots and a random dealer come from; not written under FIRST_CHALLENGER. */
    struct seed seed;
    struct str clients[MAX_PLAYERS]; /* in joining order */
    /* The first lines are those of another match, with this number, whose id this one keeps, and
     * other players; 0: of none. */
    int64_t from;
    int from_lines;
};

/* The round of a public beacon that is mixed into a deck. */
struct record_beacon {
    struct str url;
    int64_t round;
    struct str value; /* lower-case hex; empty: none is mixed in, and none is written */
};

/* Cards at the end of the stock that were dealt anew; see chance_rest(). Each has fewer than the one
 * before. */
struct record_anew {
    int cards;
    struct seed seed;
};
enum { RECORD_ANEW = N_CARDS };

struct record_deal {
    int round, attempt, dealer, players;
    struct seed seed;
    struct str clients[MAX_PLAYERS]; /* by seat */
    struct record_beacon beacon;
    const uint8_t *deck; /* N_CARDS, dealt from the first */
    int n_anew;
    struct record_anew anew[RECORD_ANEW]; /* one after the other */
};

void record_match(struct buf *b, const struct record_head *h);
void record_deal(struct buf *b, const struct rules *r, const struct record_deal *d);
/* Appends the lines of one step. m: the match after the step. d: its deal, unused where a seat left
 * before the first. why: used with LOG_LEAVE only. hinted: the move was made after a hint; the
 * first line says so. */
void record_log(struct buf *b, const struct match *m, const struct record_deal *d,
                const struct round_log *log, enum leave_why why, bool hinted);

/* Part of other formats too: the fields of a round's result from `why` to `scores`. */
void record_result(struct buf *b, const struct round_result *r, int players, const int32_t *scores);
extern const char *const record_round_whys[]; /* by enum round_why; ends with NULL */

/* Why the engine refused a move, in English for logs and authors of programs. */
const char *record_illegal_text(enum illegal why);

#endif
