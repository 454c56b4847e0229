/* Abilities and limits of a network. */
#ifndef KOIKOI_ABILITY_H
#define KOIKOI_ABILITY_H

#include "str.h"

/* Abilities of a network. Only bot/core/present asks for them, and the outbox for CAN_TYPING. */
enum ability {
    CAN_BUTTONS = 1 << 0, /* buttons under a message */
    CAN_EDIT = 1 << 1,    /* a sent message can be replaced */
    CAN_ERASE = 1 << 2,   /* a sent message can be deleted */
    CAN_PICTURE = 1 << 3,
    CAN_WHISPER = 1 << 4,    /* a message in the group that one person sees */
    CAN_DIRECT = 1 << 5,     /* a private chat with one person */
    CAN_POPUP = 1 << 6,      /* an answer to a press that only the presser sees */
    CAN_REACT = 1 << 7,      /* reactions; one with a meaning arrives as UPDATE_TEXT with `reacted`,
                                `post` is the message */
    CAN_POLL = 1 << 8,       /* in a private chat a poll stands in for buttons; a vote arrives as
                                UPDATE_PRESS */
    CAN_STYLE = 1 << 9,      /* shows bold, code and the like; else markup bytes are dropped */
    CAN_COUNTDOWN = 1 << 10, /* shows a time in the reader's own zone, live */
    CAN_MENTION = 1 << 11,   /* a name can notify its owner */
    CAN_HANDLES = 1 << 12,   /* people have handles (@bo): they can be challenged before they
                                wrote anything */
    CAN_RETURN = 1 << 13,    /* a button in a private chat can lead to a message in a group */
    CAN_QUERY = 1 << 14,     /* inline mode: UPDATE_QUERY from any chat */
    CAN_ONE_POST = 1 << 15,  /* of one chat, see can_in: the bot has one message there, already
                                sent; a post replaces its text */
    CAN_NUMBER = 1 << 16,    /* shows buttons with numbers of their own, from 1 */
    CAN_ADD = 1 << 17,       /* a button can lead to adding the bot to a group */
    CAN_FILE = 1 << 18,      /* a message can carry a file */
    CAN_CLOSE = 1 << 19,     /* a sent message can lose its buttons, or its poll be taken away */
    CAN_SCENE = 1 << 20,     /* shows tables itself, as they are now: no board or hand is sent */
    CAN_TYPING = 1 << 21,    /* shows in a chat that the bot is writing */
    CAN_FOLD = 1 << 22,      /* folds a part of a message, MARK_FOLD; else all of it is shown */
    CAN_APP = 1 << 23,       /* a button can open the daemon's page of a table inside the network */
    CAN_WIDGET = 1 << 24     /* a room can show the daemon's page beside its messages: OUT_WIDGET */
};

/* A power level of a room that is too low for what was asked. */
struct lacking {
    int64_t needs, has;
    bool theirs; /* that of the person who asked, else the bot's */
};

struct limits {
    struct str prefix;   /* what people type ahead of a command for this bot alone ("!koi ");
                          empty: "/", which other bots may hear as well */
    bool plain_commands; /* a command's name has a-z, 0-9 and _ alone: others are not seen as one */
    int text_chars;      /* of one message, as the network counts; 0 = no limit */
    int caption_chars;   /* of a picture's text */
    int popup_chars;
    int buttons, buttons_a_row;
    int row_columns; /* of a row of buttons, one for the edge of each: they are all as wide as the
                        longest label. A button that would not fit begins a new row. 0 = no limit */
    int per_chat_minute;         /* our own rate limit in one chat, sends and edits, in any 60 s;
                                    0 = none */
    int per_person_minute;       /* the same for what one person sees: whispers in one chat, a
                                    private chat; 0 = they count like all in their chat */
    int account_per_second_x100; /* the same over all chats, in hundredths; 0 = none */
    int account_burst;
    bool picture_apart; /* a picture is a message of its own: it is left out where less than
                           half of account_burst is left */
    bool counts_utf16;  /* text_chars counts UTF-16 units, else code points */
    int in_flight;      /* sends at once over all chats; in one chat 1, and those aside */
};

#endif
