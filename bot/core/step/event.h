/* Event: a message or press, a timer that fired, the computer's answer, a failed delivery. Time and
 * chance are part of it, so that a step needs nothing else. Strings live as long as the turn. */
#ifndef KOIKOI_EVENT_H
#define KOIKOI_EVENT_H

#include "adapter.h"
#include "round.h"

enum verb {
    VERB_NONE, /* talk, not meant for the bot */
#define COMMAND(verb, ...) VERB_##verb,
#define EVENT(verb, ...)
#include "command.def"
    N_COMMANDS, /* commands are 1 ... N_COMMANDS - 1, events follow */
    VERB_LAST_COMMAND = N_COMMANDS - 1,
#define COMMAND(...)
#define EVENT(verb, ...) VERB_##verb,
#include "command.def"
    N_VERBS
};

enum { CHANCE_BYTES = 128 };
/* `index` of a VERB_PLAY button: a card; INDEX_ANOTHER: another card than the one pressed before;
 * INDEX_TARGET + 1, 2 ...: the first, second capture open to that one; or INDEX_AHEAD +
 * N_CARDS * card + 0, 1 ...: a card to keep for one's turn, with its first, second capture. */
enum { INDEX_ANOTHER = 0, INDEX_TARGET = 100, INDEX_AHEAD = 1000 };
/* `index` of a VERB_HAND button that asks for all its cards in words. */
enum { INDEX_WORDS = 1 };

/* VERB_HELP: the command, VERB_NONE for the first page, or HELP_ALL; also NOTICE_HELP, n. */
enum { HELP_ALL = 1000 };
/* VERB_RULES: the page, plus N_RULES_PAGES times 1 + the preset if it is about no match; NOTICE_RULES,
 * n: its page. */
enum rules_page { RULES_NO_PAGE, RULES_TURN, RULES_SETS, RULES_TABLE, N_RULES_PAGES };
/* VERB_CARDS: the page, plus N_CARDS_PAGES times the preset, from 1, or 0; NOTICE_CARDS, n. */
enum cards_page { CARDS_KINDS, CARDS_FIRST_HALF, CARDS_SECOND_HALF, N_CARDS_PAGES };

/* Of a first match, a lobby or a tournament, unless more are asked for. */
enum { FEW_ROUNDS = 3 };
/* VERB_START_MENU. */
enum start_menu {
    MENU_OPEN,
    MENU_COMPUTER,
    MENU_FRIEND,
    MENU_CODE,
    MENU_GROUP,
    MENU_HERE, /* a table in this chat */
    MENU_MEI   /* a first match after the lessons */
};
/* VERB_TERMS, from the opener of a challenge: 0 shows its presets to choose from; else a preset, a
 * number of seats, or of rounds. */
enum terms { TERMS_RULES, TERMS_PRESET = 100, TERMS_SEATS = 200, TERMS_ROUNDS = 300 };
/* VERB_ACCEPT: 0 takes a seat, this begins the match. */
enum { ACCEPT_BEGIN = 1 };

/* The message that a reaction was set under: the newest hand or board of match `no`, or
 * any other. */
enum under { UNDER_NOTHING, UNDER_HAND, UNDER_OTHER };

/* VERB_WIDGET: has the network shown the page, or taken it away? */
enum placed { PLACED_UNASKED, PLACED_YES, PLACED_NO };

struct event {
    enum verb verb;
    int64_t account; /* the network login it came by, in the store; 0: not stored yet */
    struct str chat, chat_name;
    bool direct, admin;
    bool operates;      /* the sender is an operator of the bot */
    bool for_us;        /* a command typed here can only be meant for this bot */
    bool addressed;     /* an answer to the bot */
    struct sender from; /* name cleaned */
    struct str press;   /* a press: the id an answer must carry; may be empty even so */
    bool pressed;
    struct str said; /* what an answer names: update.said */
    enum under under;
    int64_t now; /* unix ms */
    uint8_t chance[CHANCE_BYTES];
    int64_t no;             /* number of the match, 0 = not given */
    int64_t version, index; /* of a button or an advice; -1 = none */
    struct str words;       /* behind the command, as typed, blanks squeezed */
    struct str alias;       /* the command as typed, folded */
    enum verb near;         /* VERB_UNKNOWN: the most similar command, or VERB_NONE */
    int n_mentions;
    struct sender mention[MAX_MENTIONS];
    struct str unnamed; /* as in struct update, cleaned */
    int n_choices;
    struct sender choice[MAX_MENTIONS];
    struct move move; /* VERB_ADVICE */
    /* VERB_DOWNTIME, VERB_MENDED: ms by which all times move; negative after the wall clock was set
     * back. VERB_BANNED_OFFER: the person. */
    int64_t shift;
    /* VERB_DOWNTIME: ms that the bot did not run; 0 = chats get no message, since only the wall clock
     * was set. */
    int64_t stopped;
    enum placed placed;
    struct lacking lacking; /* PLACED_NO */
    enum out_where where;   /* VERB_UNREACHABLE: what failed, as an answer to `press` if any */
};

#endif
