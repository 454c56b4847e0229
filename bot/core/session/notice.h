/* Notice: what a step wants to tell, to whom, as a kind (notice.def), keys, numbers and tables;
 * bot/core/present finds the words. */
#ifndef KOIKOI_NOTICE_H
#define KOIKOI_NOTICE_H

#include "chat_settings.h"
#include "match_review.h"
#include "table.h"
#include "text.h"

/* Arguments of a notice's sentence, in the order of its placeholders.
 * ARG_OPTION: names or values of options, in English; shown in the reader's language.
 * ARG_PRIVATE, ARG_GROUP: a command as it is typed in a private chat, in a group. */
enum arg_kind {
    ARG_NONE,
    ARG_TEXT,
    ARG_OPTION,
    ARG_INT,
    ARG_KEY,
    ARG_TIME,
    ARG_CARD,
    ARG_NAME,
    ARG_ALIAS,
    ARG_PRIVATE,
    ARG_GROUP
};
struct arg {
    uint8_t kind;
    int64_t n;       /* number, key, unix ms, card, verb; ARG_NAME: 1 + the character */
    struct str s;    /* text; ARG_NAME: the shown name */
    struct str id;   /* ARG_NAME: network id; empty: none */
    int64_t account; /* ARG_NAME: account of that id; 0: the one of the event */
    uint8_t twin;    /* ARG_NAME: see session_twin() */
    uint8_t known;   /* ARG_NAME: 1 + the only venue that may see the id; 0: any */
};
enum { MAX_ARGS = 6 };

enum notice_kind {
#define PAGE(kind, function, flags, reaction) NOTICE_##kind,
#define PARTS(kind, rows, flags, reaction)    NOTICE_##kind,
#define PLAIN(kind)                           NOTICE_##kind,
#include "notice.def"
    N_NOTICES
};

enum audience {
    TO_TABLE,  /* every venue of the session, or the one in `only` */
    TO_SEAT,   /* one player, by the best channel that works */
    TO_HERE,   /* the chat of the event */
    TO_ASKER,  /* the sender alone */
    TO_HANDLE, /* a private chat on another network: `handle` */
    TO_CHATS   /* `chats`, or the one in `only` */
};

/* Why a hand is shown. HAND_AGAIN: its owner asked once more for an unchanged hand that is hidden
 * in the group: the app has dropped it, so a new one takes its place. */
enum hand_asked { HAND_UNASKED, HAND_ASKED, HAND_AGAIN, HAND_WORDS };

struct tournament_run;

/* Somebody who must learn what is said to a chat. */
struct reader {
    struct str id; /* of the network */
    int64_t account;
    uint8_t at; /* which venue of a table, or which of `chats` */
    bool apart; /* cannot read what is written there */
    bool shut;  /* reads no private message */
    bool quiet; /* it is in their quiet hours */
};
struct chats {
    int n;
    const struct seen_from *at;
    int n_readers;
    const struct reader *readers;
};
struct tables {
    int n;
    const struct table *const *at;
};
struct results {
    int n;
    const struct result_effect *at;
};

struct notice {
    uint8_t kind, audience;
    int8_t seat;          /* TO_SEAT, NOTICE_PING; NOTICE_BOARD with `notify`: whose ping follows */
    int8_t only;          /* TO_TABLE: one venue; -1: all */
    struct handle handle; /* TO_HANDLE */
    struct chats chats;   /* TO_CHATS */
    struct str language;  /* of the reader; empty: of the sender, or of the chat */
    bool fresh;  /* NOTICE_HAND, NOTICE_BOARD, NOTICE_LESSON, NOTICE_TOURNAMENT: not only as an
                          edit */
    bool notify; /* the message makes a sound. NOTICE_BOARD: a ping follows, and a board
                             sent anew may stand in for both */
    bool alert;
    bool opens; /* TO_ASKER: in private even if that opens the private chat */
    bool seals; /* NOTICE_LINE: with the seed of the deal that is over */
    enum text key;
    uint8_t card; /* NOTICE_TARGETS: the one that could take this or that; NOTICE_SETTINGS: 1 + the
                     setting that is shown, 0: all */
    int64_t n;    /* the plural form; NOTICE_HAND: enum hand_asked; others by kind */
    struct arg arg[MAX_ARGS];
    const struct table *table;
    uint64_t verbs;                     /* buttons under a line: bits of enum verb */
    struct str text;                    /* NOTICE_EXPORT, NOTICE_RULES, NOTICE_GAMES */
    const struct rules *rules, *versus; /* NOTICE_RULES, NOTICE_SETS */
    struct rounds rounds;
    struct tables games; /* NOTICE_GAMES, NOTICE_LESSON */
    /* NOTICE_STANDINGS, NOTICE_ME, NOTICE_SETTINGS: pages are edits of one message, by this number; 0: none */
    int64_t post;
    uint32_t posted;        /* number of a message that can be closed, posts.h; 0: it cannot */
    struct results results; /* NOTICE_MATCH; none: for no season */
    struct tournament_shown {
        const struct tournament_run *run;
        int page;  /* NOTICE_TOURNAMENT: of its table, from 0 */
        int round; /* the one that is shown */
    } tournament;
    cardset shown[MAX_PLAYERS]; /* NOTICE_ROUND, NOTICE_MATCH: hands that were yaku as dealt */
    const struct chat_settings *settings;
    const struct match_review *review; /* NOTICE_REVIEW */
    const struct position *position;   /* NOTICE_REPLAY */
#define SHOWN(type, name) type *name;
#include "feature.def"
};

#endif
