/* Something happened: somebody said or pressed something, a deadline is due, the computer has an
 * answer, a message could not be delivered. Time and chance ride in it, so that a step needs
 * nothing else. Strings live as long as the turn. */
#ifndef KOIKOI_EVENT_H
#define KOIKOI_EVENT_H

#include "adapter.h"
#include "round.h"

enum verb {
    VERB_NONE,                  /* chatter, not for us */
    /* commands people type */
    VERB_CHALLENGE, VERB_ACCEPT, VERB_DECLINE, VERB_CANCEL, VERB_PLAY, VERB_KOIKOI, VERB_STOP,
    VERB_DECLARE, VERB_REDEAL, VERB_HAND, VERB_TABLE, VERB_YAKU, VERB_RULES, VERB_SCORE, VERB_GAMES,
    VERB_RESIGN, VERB_REMATCH, VERB_NUDGE, VERB_BOARD, VERB_HELP, VERB_SETTINGS, VERB_LANGUAGE,
    VERB_VERIFY, VERB_CUT, VERB_READY, VERB_CLAIM, VERB_WAIT, VERB_EXPORT, VERB_PING, VERB_PRIVACY,
    VERB_START, VERB_JOIN, VERB_LINK, VERB_UNLINK, VERB_HINT, VERB_REVIEW,
    VERB_OPPONENTS,
    N_COMMANDS,
    /* what else can happen */
    VERB_MOVE = N_COMMANDS,     /* a button that plays legal move `index` of `version` */
    VERB_NUMBER,                /* a bare number */
    VERB_UNKNOWN,               /* looks like a command for us, is none */
    VERB_FORGED,                /* a button that is not ours */
    VERB_CLOCK,                 /* the deadline of session `no` is due */
    VERB_ADVICE,                /* the computer's `move` for session `no` at `version` */
    VERB_HINTED,                /* the teacher's answer (`words`) for session `no` at `version` */
    VERB_REVIEWED,              /* the lesson of session `no` is there, in the world; index 1: it is
                                   shown */
    VERB_UNREACHABLE,           /* a private message to `from` about session `no` could not be
                                   given */
    VERB_JOINED, VERB_LEFT,     /* the bot in `chat` */
    VERB_RIGHTS,                /* what the bot may do in `chat` has changed */
    VERB_AWAY,                  /* the bot did not run for `away` ms: told once to each `chat` */
    VERB_CANNOT_READ,           /* the bot may write in `chat`, but what is said there is
                                   encrypted */
    VERB_QUERY,                 /* something to say is looked for, for any chat: `no`, a move of
                                   that match; else a challenge, and `words` may name a rule set */
    VERB_INVITE,                /* a button under a challenge said where the bot is not: mention[0]
                                   is who said it, `version` is str_hash() of the rule set's name,
                                   cut to 32 bits */
    N_VERBS
};

enum { CHANCE_BYTES = 128 };
/* A button of VERB_PLAY: the number of a card; or this and 1, 2 ...: the first, second thing that
 * the card can take whose number was pressed before. */
enum { INDEX_TARGET = 100 };

/* Under the newest hand or board of the match `no`, or under anything else. */
enum under { UNDER_NOTHING, UNDER_HAND, UNDER_OTHER };

struct event {
    enum verb verb;
    int64_t account;            /* the network login it came by, in the store; 0: none yet */
    struct str chat, chat_name;
    bool direct, admin;
    bool for_us;                /* a command typed here can only be meant for this bot */
    struct sender from;         /* name cleaned */
    struct str id;              /* public id of what happened, for default client seeds */
    struct str press;           /* a press: the id an answer must carry; may be empty even so */
    bool pressed;
    struct str post, said;
    enum under under;           /* a number that was not typed, but set under `post` */
    int64_t now;                /* unix ms */
    uint8_t chance[CHANCE_BYTES];
    int64_t no;                 /* the match meant, 0 = not said */
    int64_t version, index;     /* of a button or an advice; -1 = none */
    struct str words;           /* behind the command, as typed, blanks squeezed */
    struct str alias;           /* the command as it was typed, folded */
    enum verb near;             /* VERB_UNKNOWN: what was perhaps meant, VERB_NONE: no idea */
    int n_mentions;
    struct sender mention[MAX_MENTIONS];
    struct move move;           /* VERB_ADVICE */
    int64_t away;               /* VERB_AWAY */
    enum out_where where;       /* VERB_UNREACHABLE: what failed; `press` is what it answered, if
                                   anything */
};

#endif
