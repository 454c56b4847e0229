/* Session: one table, from the challenge to the end of its match. A flat value: a step works on a
 * copy; session_write() makes one line of text of it, session_read() checks everything.
 *
 * Seats: until the match starts, player[i] is the i-th to join, the challenger first; from then on
 * player[i] is seat i.
 *
 * Timer: there is one at most. It fires at `due`, and `timer` says for what.
 *
 * Venues: the chat of the challenge is the home; every other chat that accepted it is a further
 * venue, on any network. The board stands in all of them; a player is pinged in their venue
 * (player.venue). A player plays from a handle (player.account, player.id), where their hand is
 * shown: the one they last used for this match, for a person may have handles on several networks.
 *
 * `version` rises with every change of what may be played; buttons carry it: an old one is known.
 */
#ifndef KOIKOI_SESSION_H
#define KOIKOI_SESSION_H

#include "chance.h"
#include "rules_option.h"
#include "notation.h"
#include "player.h"
#include "str.h"

enum { SESSION_MAX = 8 * 1024 /* bytes of its line */, MATCH_ID_SIZE = 16 };

enum session_phase { SESSION_OFFERED, SESSION_PLAYING, SESSION_OVER, N_SESSION_PHASES };

/* Why a session is over. */
enum session_end {
    END_NONE,
    END_PLAYED,
    END_DECLINED,
    END_CANCELLED,
    END_EXPIRED,
    END_ABANDONED,
    N_ENDS
};

enum timer {
    TIMER_NONE,
    TIMER_EXPIRE,   /* the challenge was not accepted */
    TIMER_WARN,     /* the time for this move is nearly up */
    TIMER_TIME,     /* the time for this move is up */
    TIMER_ABANDON,  /* no move for too long: close without a result */
    TIMER_READY,    /* the pause between rounds is over */
    TIMER_COMPUTER, /* the computer moves */
    TIMER_IDLE,     /* the player to move is idle: they are pinged */
    TIMER_BEACON,   /* the deal waits for a round of the beacon */
    TIMER_CHOOSE,   /* the time to choose whether to play on is up */
#define TIMER(name) TIMER_##name,
#include "feature.def"
    N_TIMERS
};

struct session {
    int64_t no;                     /* its number (#12); 0 before it is stored */
    struct venue venue[MAX_VENUES]; /* [0] is the home */
    uint8_t n_more;                 /* venues besides it */
    bool strangers;                 /* it may meet people of a chat that knows nothing of its own */
    bool by_code;                   /* /join CODE brings the challenge to other chats */
    bool lobby; /* a table opened by a tap: it begins when its opener says so, with those who sit */
    uint32_t version;
    uint8_t phase, end, players; /* players: seats to be filled */
    char id[MATCH_ID_SIZE];      /* match id of the record and the shuffle */
    struct player player[MAX_PLAYERS];
    struct rules rules;
    struct match match;    /* from SESSION_PLAYING on */
    bool again;            /* a rematch: under FIRST_CHALLENGER, with `first` known */
    uint8_t first;         /* first dealer: a seat; before a rematch a place in joining order */
    struct seed lots_seed; /* round 0: revealed at the start */
    struct seed next_seed; /* sealed, for the coming deal */
    struct seed deal_seed; /* of the running deal, revealed when it ends */
    struct beacon_rounds beacon;
    int64_t tournament;       /* the tournament of this match; 0: not of a tournament */
    char duel[SEED_HEX_SIZE]; /* of a try at a daily duel: the day's seed; else empty */
    struct origin from;       /* it goes on from a position of another match */
    bool casual;              /* chosen so: for no season, and moves may be taken back */
    struct open_question ask;
    struct time_control time;
    int64_t created, moved;   /* unix ms; moved: of the last move or deal */
    int64_t due;              /* when the timer fires, unix ms; 0 = never */
    uint8_t timer;            /* enum timer */
    int8_t left;              /* seat that left before the end, -1 = none */
    bool left_timeout;        /* by a claim, else by resigning */
    struct awaited_move move; /* zero in each new position */
    struct posts posts;
    struct ping ping;
    uint16_t links; /* how often the links to its pages were renewed */
#define KEPT(type, member, field) type member;
#include "feature.def"
};

static inline bool session_live(const struct session *s)
{
    return s->phase != SESSION_OVER;
}
int session_seat(const struct session *s, int64_t person); /* -1: they have none, or left it */
/* The first seat of a challenge that is free for a person: kept for them, or open (person 0); the
 * first that is not taken yet. 0 if none is: that is the challenger's. */
int session_free_seat(const struct session *s, int64_t person);
int session_awaited_seat(const struct session *s);
/* The seat to move; -1 before, between and after rounds, and while ASK_GO_ON is open. */
int session_turn(const struct session *s);
bool session_dealt(const struct session *s); /* in this round or before: there is a board */
/* 2 for the second person at the table with that name, 3 for the third; 0 for the first, and for most. */
int session_twin(const struct session *s, int seat);
/* The player of this seat has left and the others play on; so the computer plays it, or from the
 * beginning; a match with the computer has hints, and no clock unless asked for. */
bool session_gone(const struct session *s, int seat);
bool session_by_computer(const struct session *s, int seat);
bool session_with_computer(const struct session *s);
bool session_casual(const struct session *s); /* it counts for no season */
/* True if the player cannot read their venue; if, besides, no other message reaches them. */
bool session_apart(const struct session *s, int seat);
bool session_out_of_reach(const struct session *s, int seat);
int64_t session_time(const struct session *s, int seat); /* for a move, ms; 0: no clock */
bool session_has_clock(const struct session *s);
int64_t session_deadline(const struct session *s); /* of the move, unix ms; 0: no time runs */
/* Takes the time of the ended move off the total clock of its player; `was`: before the move. */
void session_spend(struct session *s, const struct session *was, int64_t now);
bool session_has_lots(const struct session *s); /* round 0 decides the first dealer */

/* What a finished match was for a seat. Who leaves loses: of three alone, if the match ends with
 * it. If it went on with the computer in that seat, the others win, draw or lose as usual. */
struct match_outcome {
    bool won, drawn, lost; /* one of them */
    bool forfeit;          /* won or lost because somebody left */
};
struct match_outcome outcome_of(const struct session *s, int seat);

/* The venue of this chat; -1 if the match has no venue there. */
int session_venue_of(const struct session *s, int64_t chat);
/* Removes venue i, not the home; no player may sit there. */
void session_drop_venue(struct session *s, int i);
/* Copies s into a char array of `size` bytes, cut between characters, NUL-terminated. */
void session_put_name(char *ret, size_t size, struct str s);
#define NAME_PUT(array, s) session_put_name((array), sizeof(array), (s))

/* One line of printable text, both ways. Reading returns NULL if all is well, else the name of the
 * first wrong field (a constant), with *ret untouched. It replays the round by the tables of the
 * cache. */
struct str session_write(const struct session *s, struct buf *ret);
const char *session_read(struct str line, struct ruleset_cache *rulesets, struct session *ret);

#endif
