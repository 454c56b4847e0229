/* Messages of the bot on their way to a network, and the receipt of each attempt to send one. */
#ifndef KOIKOI_OUTGOING_MESSAGE_H
#define KOIKOI_OUTGOING_MESSAGE_H

#include "ability.h"

enum { OUT_FILE_MOST = 192 * 1024 };

/* OUT_CLOSE: the message of the slot loses its buttons, or its poll goes, when there is nothing
 * else to send. OUT_ASK: may the person `to` change the settings of `chat`? OUT_WIDGET: for `to`, the
 * page `caption` beside `chat`, or none. `text` of both: the update that waits. OUT_TYPING: "is writing". */
enum out_kind { OUT_POST, OUT_ERASE, OUT_ANSWER, OUT_CLOSE, OUT_ASK, OUT_TYPING, OUT_WIDGET };
enum out_where { TO_CHAT, TO_WHISPER, TO_DIRECT };

/* Markup bytes inside outgoing.text: control characters, which are stripped from all text that
 * comes from outside. Each style is closed by MARK_END. MARK_TIME: unix seconds in decimal,
 * MARK_END. MARK_NAME: the network id, MARK_NAME again, the shown name, MARK_END. MARK_FOLD: whole
 * lines that the reader opens at will, the first one as their title; folds do not nest. Needs
 * CAN_FOLD. */
enum markup {
    MARK_BOLD = 0x01,
    MARK_CODE = 0x02,
    MARK_QUIET = 0x03,
    MARK_TIME = 0x04,
    MARK_NAME = 0x05,
    MARK_TABLE = 0x06, /* monospaced lines */
    MARK_END = 0x07,
    MARK_FOLD = 0x08,
    MARK_LAST = MARK_FOLD
};

enum button_style {
    BUTTON_PLAIN,
    BUTTON_TAKE,
    BUTTON_YAKU,
    BUTTON_DANGER,
    BUTTON_LINK,
    BUTTON_BACK,  /* to outgoing.group; left out if that has no address */
    BUTTON_QUERY, /* starts an UPDATE_QUERY in the chat it is in */
    BUTTON_ADD,   /* leads to adding the bot to a group: CAN_ADD */
    BUTTON_APP,   /* opens the page of a table: CAN_APP */
    BUTTON_STYLES
};
struct button {
    struct str label;
    struct str data; /* at most BUTTON_DATA bytes. LINK: payload of a link to the private chat, left
                        out there; QUERY: its text; APP: the table; BACK, ADD: empty */
    uint8_t style;
    bool row_end; /* the last of its row */
};

enum { MAX_BUTTONS = 48, BUTTON_DATA = 64 /* bytes; every network must carry that many */ };

/* One result of an inline query: a message that a person may send into a chat of their choice. Only
 * that person sees title and about. */
struct article {
    struct str id; /* like a button's data */
    struct str title, about;
    struct str text;  /* the message, with markup bytes */
    struct str label; /* of the button under it, whose data is `id`; empty = no button */
};
enum { MAX_ARTICLES = 48 };

struct outgoing {
    enum out_kind kind;
    enum out_where where;
    struct str chat;     /* the group; for TO_DIRECT the private chat if known, else empty */
    struct str to;       /* TO_WHISPER, TO_DIRECT, OUT_ANSWER: network id of the receiver */
    bool alone;          /* TO_CHAT: a private chat as such. If others than `to` (or, if that is
                            empty, its one person) are there too, it is not sent */
    struct str slot;     /* the next message of the same slot replaces this one; or empty */
    bool replace_only;   /* edits the slot's message; does nothing if there is none */
    bool notify;         /* make a sound; only a new message can */
    bool alert;          /* OUT_ANSWER: a popup to be closed, not a passing toast */
    bool aside;          /* has no place in the order of its chat: later messages need not wait
                            for it. Always a new message, replaced only while it is unsent.
                            OUT_ERASE: when there is nothing else to send, as OUT_CLOSE */
    bool named;          /* always a new message: its slot only names it, for OUT_CLOSE */
    struct str press;    /* OUT_ANSWER, or TO_WHISPER in answer to a press */
    struct str reply_to; /* post id in `chat`; holds for TO_CHAT alone */
    struct str group, group_slot; /* TO_DIRECT: the chat it is about and a slot there, for a way
                                     back; may be empty */
    /* TO_CHAT: network ids of the people who must learn it, each with '\n' behind it. If the chat
     * refuses it, or holds it up, each gets it in private. TO_WHISPER: of what is said aloud. */
    struct str learners;
    bool reports;   /* its refusal, or arrival as a new message in a chat, comes back as an event */
    bool passed_on; /* set by the outbox: the learners have got it in private */
    /* The way of a refused message for one person. With neither, a hand comes back as an event and
     * any other message is dropped. */
    bool or_direct;           /* TO_WHISPER: send it to the private chat */
    bool or_aloud;            /* send `aloud`, or the text if that is empty, to the chat, in
                                 answer to `reply_to` */
    struct str aloud;         /* in place of a secret text, a file, all buttons but links; or "" */
    struct str text;          /* UTF-8 with markup bytes; also the alt text and the fallback of a
                                 picture */
    struct str news;          /* the lines of `text` that tell what has happened, each with the \n
                                 before it: a message that takes the place of one not yet sent
                                 tells its news too. Empty with an address: none here; NULL: not
                                 such a message. For the outbox */
    struct str caption;       /* of a picture above its poll, in plain words; or its first line */
    struct str picture;       /* what to draw, one line; may be empty. The outbox has it drawn */
    struct str picture_bytes; /* PNG, set by the outbox; or empty: drawn in vain, or sent before */
    struct str picture_file;  /* the network's own id of the same bytes, if sent before */
    /* A document with the text as its caption, and its bytes, OUT_FILE_MOST at most; in a new
     * message only. Empty: none. */
    struct str file_name, file;
    int n_buttons;
    struct button *buttons;
    int n_articles; /* OUT_ANSWER to an UPDATE_QUERY */
    struct article *articles;
    int64_t expires; /* unix ms: dropped if not sent by then; 0 = never */
    int64_t match;   /* that it is about, for the log; 0 = none */
    /* set by the outbox for each send */
    struct str post;        /* id of the message to edit or erase; empty = a new message */
    struct str direct_chat; /* TO_DIRECT: the receiver's private chat; empty if unknown */
    struct str group_post;  /* the message of group_slot; may be empty */
    struct str progress;    /* from the last MORE; empty at first */
    int64_t row;            /* unique, the same in each attempt: a transaction id */
    bool maybe_sent;        /* an earlier attempt may have arrived: a new message without a
                               transaction id makes no sound then. Edits and answers may repeat */
};

enum receipt_kind { SENT, MORE, LATER, NEVER };
enum never_why {
    NEVER_OTHER,
    NEVER_UNREACHABLE, /* that person or chat */
    NEVER_GONE,        /* the post to edit: the outbox sends a new one */
    NEVER_MOVED,       /* the chat has the new key `chat` */
    NEVER_LATE         /* the press is too old */
};
struct receipt {
    enum receipt_kind kind;
    struct str post; /* SENT: its id, for later edits; may be empty. update.post may name it by
                                each of several words. MORE: people see it; the rest costs nothing */
    struct str direct_chat;  /* SENT, MORE: the private chat that was used or made */
    struct str picture_file; /* SENT, MORE: the network's id of the picture */
    bool picture_refused;    /* MORE: outgoing.picture_file does not work, send the bytes */
    struct str progress;     /* MORE */
    bool repeats;            /* MORE: done again it comes to the same: the next goes at once */
    bool admin;              /* SENT, of OUT_ASK: they may */
    struct lacking lacking;  /* NEVER, of OUT_WIDGET: why not; all 0: for another reason */
    struct str chat;         /* NEVER_MOVED */
    enum never_why why;      /* NEVER */
    int64_t wait_ms;         /* LATER: at least this long; 0 = the outbox's back-off */
    bool all_chats;          /* LATER: wait_ms holds for the whole account */
    bool limited;            /* LATER: the network's rate limit refused it */
    struct str note;         /* LATER, NEVER: for the log; never a secret */
};

#endif
