/* Player: one seat of a session, and the handle from which it is played. */
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
    NAME_COLUMNS = 32
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

struct player {
    int64_t person;           /* in the store; 0: an open seat, or the computer */
    int64_t account;          /* of the handle they play from; in the store */
    uint8_t venue;            /* 0 = home */
    char id[NETWORK_ID_SIZE]; /* network id; empty: open, computer, or only the handle is
                                 known */
    char name[NAME_SIZE];     /* cleaned; empty: an open seat */
    char handle[HANDLE_SIZE];
    char language[LANGUAGE_SIZE]; /* empty: the chat's */
    char cut[CUT_SIZE];           /* own client seed for the coming deal; empty: none given */
    char seed[CUT_SIZE];          /* client seed of the running deal */
    bool computer, joined, ready;
    uint8_t level;             /* computer: enum level */
    uint8_t character;         /* computer: see character.h; 0: none */
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

#endif
