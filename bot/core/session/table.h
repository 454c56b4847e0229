/* Table: the part of a session that a message may show: everything public, and the cards of one
 * seat at most. Notices carry a table, never a session, so that hidden cards cannot reach a
 * message. */
#ifndef KOIKOI_TABLE_H
#define KOIKOI_TABLE_H

#include "session.h"
#include "view.h"

/* A session seen from one of its venues. */
struct seen_from {
    int64_t account;
    struct str chat, chat_name, language;
    int32_t utc_offset;
    uint8_t venue; /* 0 = home */
    uint8_t state; /* enum venue_state */
    bool direct, one_post, board_picture;
};

struct table {
    int64_t no;
    uint32_t version, ping;
    uint8_t n_venues;
    struct seen_from at;                /* as the chat of the event sees it, else the home */
    struct seen_from venue[MAX_VENUES]; /* venue[0] is the home */
    bool again;                         /* a rematch; while offered, `first` will deal first */
    uint8_t first;
    bool overdue, by_code, lobby;
    int64_t tournament; /* of which this is a game; 0: of none */
    struct origin from; /* it goes on from a position of another match */
    bool duel;          /* a try at a daily duel */
    bool strangers;     /* its people may not know each other's chats */
    bool many;          /* other matches run in this chat: show the number */
    uint8_t phase, end, players;
    struct str match_id;
    struct player_seen {
        struct str name, id, handle, language, seed;
        int64_t person, account;
        bool computer, joined, ready, cut;
        bool words; /* see person_prefs.words */
        bool apart; /* cannot read what is written in their venue */
        bool gone;  /* has left; the computer plays the seat */
        uint8_t venue, channel, lot, level, character;
        uint32_t hand_message;
        uint8_t tips; /* bits of enum tip */
        int64_t time_left;
        int64_t vacation; /* its end, if they are on one now; 0: they are not */
        bool quiet;       /* it is in their quiet hours */
    } player[MAX_PLAYERS];
    struct rules rules;
    int8_t left;
    bool left_timeout;
    bool casual;  /* chosen so */
    bool watched; /* its people let others watch by a link */
    int links;    /* how often the links to its pages were renewed */
    struct open_question ask;
    struct time_control time;
    int64_t due;
    int64_t deadline; /* end of the time for this move; 0 = none */
    char lots_commit[SEED_HEX_SIZE], next_commit[SEED_HEX_SIZE], deal_commit[SEED_HEX_SIZE];
    char lots_seed[SEED_HEX_SIZE], deal_seed[SEED_HEX_SIZE]; /* empty until revealed */
    struct beacon_seen {
        struct str url;
        int64_t next, deal; /* rounds named for the coming and the last deal; 0: none */
        struct str value;   /* of `deal`; empty: it went without */
    } beacon;
    struct view view;    /* of one seat, or public; from SESSION_PLAYING on */
    bool computer;       /* the computer plays */
    bool taken_back;     /* by this event: a move, and with it what was kept */
    uint8_t ahead, lost; /* 1 + the card this seat keeps for its turn; kept until now */
    struct str hint;     /* once shown, for the seat to move alone; empty: none */
#define KEPT(type, member, field) type member;
#include "feature.def"
};

/* A round that is over. */
struct round_summary {
    int64_t round;
    uint8_t why; /* enum round_why */
    int8_t winner;
    uint16_t base;
    int32_t points, scores[MAX_PLAYERS];
    uint16_t worth[N_YAKU];
    uint8_t hand;   /* enum hand_yaku */
    uint16_t added; /* to the base by the winner's calls */
    uint32_t x[N_MULTIPLIERS];
    cardset pile, last; /* what its winner had captured, or shown as dealt; with the last turn;
                           as far as known */
};
/* All its multipliers together. */
static inline int64_t round_factor(const struct round_summary *round)
{
    int64_t x = 1;
    for (int m = 0; m < N_MULTIPLIERS; m++)
        x *= round->x[m] > 1 ? round->x[m] : 1;
    return x;
}
struct rounds {
    int n;
    const struct round_summary *at;
};

/* A position of a finished match, by its number from 0; `round_begins`: where the round began, or
 * the one before if it is that; `next_round`: where the next one does, 0 in the last. */
struct position {
    struct match match;
    int step, last, round_begins, next_round;
    int lines;        /* of the record, before it */
    struct seed seed; /* of the deal that runs in it */
};

#endif
