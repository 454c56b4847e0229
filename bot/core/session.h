/* One table: from the challenge to the end of its match. A flat value; a step works on a copy,
 * saving is one line of text (session_write), and reading one back checks everything.
 *
 * Seats: until the match starts, player[i] is the i-th to join, the challenger first; when the
 * order of seats is known the players are put into it, and player[i] is seat i from then on.
 *
 * Deadlines are data: `due` is the next moment at which the clock has something to do here, `knock`
 * is what. There is never more than one.
 *
 * Venues: a match is played in the chat of the challenge, its home, and in each further chat that
 * took the challenge up, on whatever network. The board stands in all of them; a player is pinged
 * where they sit (player.venue). A player plays from a handle: an account and the network's id for
 * them (player.account, player.id); there their hand is shown. It is where they last did something
 * about this match, for one person may have handles on several networks.
 *
 * `version` rises when something changes what may be played; buttons carry it, so that a press on
 * an old message is stale by arithmetic.
 */
#ifndef KOIKOI_SESSION_H
#define KOIKOI_SESSION_H

#include "chance.h"
#include "made.h"
#include "note.h"
#include "str.h"

enum {
    NAME_SIZE = 132,
    NETWORK_ID_SIZE = 256,
    CHAT_KEY_SIZE = 320,
    HANDLE_SIZE = 72,
    CUT_SIZE = 72,
    LANGUAGE_SIZE = 16,
    MATCH_ID_SIZE = 16,
    SESSION_MAX = 8 * 1024,
    NAME_COLUMNS = 32,
    HINT_SIZE = 160
};

enum session_phase { SESSION_OFFERED, SESSION_PLAYING, SESSION_OVER, N_SESSION_PHASES };

/* How it came to be over. */
enum session_end {
    END_NONE,
    END_PLAYED,
    END_DECLINED,
    END_CANCELLED,
    END_EXPIRED,
    END_ABANDONED,
    N_ENDS
};

enum knock {
    KNOCK_NONE,
    KNOCK_EXPIRE,               /* nobody accepted */
    KNOCK_WARN,                 /* the time for this move is nearly up */
    KNOCK_TIME,                 /* it is up */
    KNOCK_ABANDON,              /* nobody goes on: close it without a result */
    KNOCK_READY,                /* the pause between rounds is over */
    KNOCK_COMPUTER,             /* the computer moves */
    N_KNOCKS
};

/* Where somebody's hand can be shown: the next one is tried when one fails, and after a while the
 * first again, when they ask. */
enum channel { CHANNEL_WHISPER, CHANNEL_DIRECT, CHANNEL_POPUP, CHANNEL_NONE, N_CHANNELS };

enum { MAX_VENUES = MAX_PLAYERS };      /* the home, and one for each other player */

/* A chat in which a match is played. */
struct venue {
    int64_t chat, account;              /* in the store */
    char chat_key[CHAT_KEY_SIZE];
    char chat_name[NAME_SIZE];
    char language[LANGUAGE_SIZE];       /* of the chat */
    int32_t utc_offset;                 /* of the chat, seconds */
    uint8_t season;                     /* enum season_length, of the chat */
    bool direct;                        /* a private one: board and hand are one message */
    bool one_post;                      /* all there is of it is one message: CAN_ONE_POST */
};

struct player {
    int64_t person;                     /* in the store; 0: an open seat, or the computer */
    int64_t account;                    /* they play from; in the store */
    uint8_t venue;                      /* where they sit: 0 = home */
    char id[NETWORK_ID_SIZE];           /* network id; empty: known by handle alone, open,
                                           computer */
    char name[NAME_SIZE];               /* cleaned; empty: an open seat */
    char handle[HANDLE_SIZE];
    char language[LANGUAGE_SIZE];       /* empty: the chat's */
    char cut[CUT_SIZE];                 /* own client seed for the coming deal; empty: none given */
    char seed[CUT_SIZE];                /* client seed of the running deal */
    char event[CUT_SIZE];               /* public id of the event in which they joined or readied
                                           up */
    bool computer, joined, ready;
    uint8_t level;                      /* computer: enum level */
    uint8_t character;                  /* computer: whom it plays as (character.h); 0: itself */
    uint8_t channel;                    /* enum channel: the first that has not failed */
    int64_t lowered;                    /* when one last failed; 0 = never */
    uint8_t lot;                        /* last card drawn, CARD_NONE: none */
    uint32_t hand_no;                   /* counts the messages in which their hand is shown */
    uint32_t looked;                    /* 1 + the version at which they last asked, by a press, for
                                           a hand that is hidden in the group; 0 = never */
    uint8_t seat_joined;                /* once seated: the place in the order of joining */
};

struct session {
    int64_t no;                         /* its number, as people say it (#12); 0 before it is
                                           stored */
    struct venue home;
    struct venue more[MAX_VENUES - 1];
    uint8_t n_more;
    bool by_code;                       /* an open seat may be brought to other chats: /join CODE */
    uint32_t version;
    uint8_t phase, end, players;        /* players: seats to be filled */
    char id[MATCH_ID_SIZE];             /* match id of the record and the shuffle */
    struct player player[MAX_PLAYERS];
    struct rules rules;
    struct match match;                 /* from SESSION_PLAYING on */
    bool again;                         /* a rematch: who deals first is known, under
                                           FIRST_CHALLENGER */
    uint8_t first;                      /* who deals first: in a rematch not yet begun a place in
                                           the order of joining; once seated, in any match, a
                                           seat */
    struct seed lots_seed;              /* round 0: revealed at the start */
    struct seed next_seed;              /* sealed, for the coming deal */
    struct seed deal_seed;              /* of the running deal, revealed when it ends */
    int64_t clock_ms;                   /* for one move; 0 = no clock */
    int64_t created, moved;             /* when it was made; when the last move or deal was */
    int64_t due;                        /* 0 = never */
    uint8_t knock;                      /* enum knock */
    bool overdue;                       /* the time of the player to move is up: it may be
                                           claimed */
    int8_t left;                        /* seat that left before the end, -1 = none */
    bool left_timeout;                  /* because its time was up, else by resigning */
    int8_t resign_asked;                /* seat that was asked "sure?", -1 = none */
    int64_t nudged;                     /* when the player to move was last nudged; 0 = never */
    char thought[NOTE_MOVE_MAX];        /* the computer's answer for this version (note_move);
                                           empty: none */
    uint8_t asked;                      /* 1 + the card in hand about which the player to move was
                                           asked, for this version, what it shall take; 0 = none */
    bool hinted;                        /* the player to move has had a hint for this version */
    char hint[HINT_SIZE];               /* what it said (hint_write); empty: none yet */
    uint32_t ping;                      /* version of the standing "your move" message; 0 = none */
    uint8_t ping_venue, ping_seat;      /* where it stands, and for whom */
};

static inline bool session_live(const struct session *s) { return s->phase != SESSION_OVER; }
/* The seat of a person, -1 if they have none here. */
int session_seat(const struct session *s, int64_t person);
/* The seat that must do something now: to move; -1 if none (not playing, between rounds). */
int session_turn(const struct session *s);
bool session_with_computer(const struct session *s);
/* True if the first dealer is found by a deal of round 0. */
bool session_has_lots(const struct session *s);

/* Venue i of 1 + n_more; 0 is the home. */
const struct venue *session_venue(const struct session *s, int i);
/* The venue that is this chat, -1 if none is. */
int session_venue_of(const struct session *s, int64_t chat);
/* Venue i, not the home, is one no more. Nobody sits there. */
void session_drop_venue(struct session *s, int i);

/* Copies s into a char array of `size` bytes, cut between characters, NUL-terminated. */
void name_put(char *ret, size_t size, struct str s);
#define NAME_PUT(array, s) name_put((array), sizeof(array), (s))

/* One line of printable text, both ways. Reading returns NULL if good, else the name of the first
 * wrong field (a constant); *ret is untouched then. Reading plays the round again, by tables of
 * `made`. */
struct str session_write(const struct session *s, struct buf *ret);
const char *session_read(struct str line, struct made *made, struct session *ret);

#endif
