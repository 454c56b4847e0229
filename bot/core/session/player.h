/* Player: one seat of a session, and the handle from which it is played. And what else a session is
 * made of: venues, clocks, messages that can be closed. */
#ifndef KOIKOI_PLAYER_H
#define KOIKOI_PLAYER_H

#include "absence.h"
#include "notation.h"

#include <stdbool.h>
#include <stdint.h>

/* Bytes of texts in a session, each with its NUL; NAME_COLUMNS: of a name as shown. */
enum {
    NAME_SIZE = 132,
    NETWORK_ID_SIZE = 256,
    CHAT_KEY_SIZE = 320,
    HANDLE_SIZE = 72,
    CUT_SIZE = 72,
    LANGUAGE_SIZE = 16,
    NAME_COLUMNS = 32,
    HINT_SIZE = 160
};

/* Channels for a player's hand. When one fails the next is tried; after a while the first again, on
 * demand. */
enum channel { CHANNEL_WHISPER, CHANNEL_DIRECT, CHANNEL_POPUP, CHANNEL_NONE, N_CHANNELS };

/* A question to the other people of a running match; their answers are in `agreed`. */
enum ask {
    ASK_NONE,
    ASK_GO_ON,    /* one of three has left: play on? The match stands still until then */
    ASK_DRAW,     /* is the match a draw? */
    ASK_TAKEBACK, /* may the last move be taken back? */
    N_ASKS
};

/* A clock: for each move, or for each player's part of the match; 0 = none. */
struct time_control {
    int64_t move_ms;
    int64_t total_ms, gain_ms; /* for the match; what a turn adds */
};

/* A person on one network: an account in the store and that network's id. */
struct handle {
    int64_t account;
    struct str id, name;
};

struct player {
    int64_t person;           /* in the store; 0: an open seat, or the computer */
    int64_t account;          /* of the handle they play from; in the store */
    uint8_t venue;            /* 0 = home */
    char id[NETWORK_ID_SIZE]; /* network id; empty: open, computer, or only the handle is
                                 known */
    char name[NAME_SIZE];     /* cleaned; empty: an open seat */
    char handle[HANDLE_SIZE];
    bool by_handle;               /* invited by it alone: the seat is of whoever has it now */
    char language[LANGUAGE_SIZE]; /* empty: the chat's */
    char cut[CUT_SIZE];           /* own client seed for the coming deal; empty: none given */
    char seed[CUT_SIZE];          /* client seed of the running deal */
    bool computer, joined, ready;
    bool watched;              /* lets others watch by a link */
    uint8_t level;             /* computer: enum level */
    uint8_t character;         /* computer: see character.h; 0: none */
    bool words;                /* see person_prefs.words */
    bool left_chat;            /* they have left the chat of their venue */
    uint8_t channel;           /* enum channel: the first that has not failed */
    int64_t channel_failed_at; /* when one last failed; 0 = never */
    struct absence absence;    /* as they last chose it */
    int64_t time_left;         /* of a total clock, when their move began, ms */
    int64_t heard;             /* when they last did something here; 0 = unknown */
    uint8_t lot;               /* last card drawn, CARD_NONE: none */
    uint8_t tips;              /* explained under their hand: bits of enum tip */
    uint32_t hand_message;     /* counts the messages that show their hand */
    int64_t hand_at;        /* when that message was sent into the group; 0 = not since the deal */
    uint32_t asked_version; /* 1 + the version at which they last pressed for a
                                  hand hidden in the group; 0 = never */
    char ahead[NOTATION_MOVE_MAX]; /* the move kept for their turn; empty: none */
    int64_t resign_asked;          /* when they were asked "sure?", unix ms; 0 = never */
    uint8_t seat_joined;           /* once seated: their place in the order of joining */
};

enum { MAX_VENUES = MAX_PLAYERS }; /* the home, and one for each other player */

/* Whether the bot can write in a venue. Where it cannot, whoever sits there gets their turns,
 * warnings and results in private. VENUE_REFUSES: it is tried again with each new message;
 * VENUE_LEFT: the bot was removed. */
enum venue_state { VENUE_OPEN, VENUE_REFUSES, VENUE_LEFT, N_VENUE_STATES };

/* Venue: a chat in which a match is played. */
struct venue {
    int64_t chat, account; /* in the store */
    char chat_key[CHAT_KEY_SIZE];
    char chat_name[NAME_SIZE];
    char language[LANGUAGE_SIZE]; /* of the chat */
    int32_t utc_offset;           /* of the chat, seconds */
    bool board_picture;           /* of the chat: its boards are pictures */
    uint8_t state;                /* enum venue_state */
    bool direct;                  /* private: board and hand are one message */
    bool one_post;                /* the chat is a single message: CAN_ONE_POST */
};

/* The finished match from a position of which this one goes on. */
struct origin {
    int64_t match; /* its number; 0: there is no such match */
    bool anew;     /* with the rest of the stock dealt anew */
};

/* A question to the others at the table. */
struct open_question {
    uint8_t what;   /* enum ask */
    uint8_t seat;   /* whose */
    uint8_t agreed; /* bit n: seat n said yes */
};

/* What is known of the move that is awaited. */
struct awaited_move {
    int64_t nudged;                  /* when its player was last nudged; 0 = never */
    bool overdue;                    /* they are out of time */
    uint8_t asked;                   /* 1 + the card whose capture they were asked to choose;
                                        0 = none */
    bool hinted;                     /* they have seen a hint */
    char hint[HINT_SIZE];            /* by hint_write(); empty: none yet */
    char thought[NOTATION_MOVE_MAX]; /* the computer's; empty: none yet */
};

/* The standing "your move" message. */
struct ping {
    uint32_t version; /* 0 = none */
    uint8_t venue, seat;
};

/* Messages whose buttons go dead together with what they are about, counted by session. One of each
 * kind stands at most; their buttons carry its number, so that a press on an older one is known. */
enum posted {
    POSTED_OFFER,    /* while the challenge is open */
    POSTED_PAUSE,    /* between two rounds */
    POSTED_QUESTION, /* while it is open: enum ask */
    POSTED_TIME,     /* while the player to move is out of time */
    POSTED_REMINDER, /* while the match runs */
    N_POSTED
};

struct posts {
    uint32_t n;                  /* so far */
    uint32_t standing[N_POSTED]; /* the number of the one that stands; 0 = none */
};

#endif
