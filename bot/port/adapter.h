/* THE contract with chat networks.
 *
 * An adapter is a const row in a table: what a network can do, and five pure-ish verbs that
 * translate between its bytes and our words. It owns no queue, no retry, no thread, no timer and no
 * connection; it never decides when something is sent or whether it is sent again. Strings it is
 * handed live until it returns; strings it hands back come from the arena it was given (or are
 * constant).
 *
 *     open(account, options)                once; checks its options, fails with one clear sentence
 *     loop: poll(account, cursor) -> request    what to ask for news (HTTP), or which descriptor to watch
 *           read(account, reply) -> batch       their news -> our updates, and the new cursor
 *           send(account, outgoing) -> request  one step of saying one thing
 *           receipt(account, outgoing, reply) -> SENT | MORE | LATER | NEVER
 *
 * A network may bring its news by itself (`hook`, `brought`); it is still polled, for what is left
 * to ask.
 *
 * The shell stores batch.cursor in the same transaction as the updates, so nothing is asked for
 * twice or lost. A send that needs several calls answers MORE with a `progress` that the shell
 * stores in the row and hands back in outgoing.progress: the sequence survives a crash.
 *
 * How to add one: a file adapters/NAME.c that defines `const struct adapter NAME_adapter` (or a
 * folder adapters/NAME/). The Makefile finds it, the registry lists it, the section [NAME] of the
 * configuration exists from then on, and the contract test covers it. Nothing else is edited.
 */
#ifndef KOIKOI_ADAPTER_H
#define KOIKOI_ADAPTER_H

#include "arena.h"
#include "err.h"
#include "str.h"

/* What a network can do. Only bot/core/present.c asks. */
enum ability {
    CAN_BUTTONS  = 1 << 0,      /* buttons under a message */
    CAN_EDIT     = 1 << 1,      /* a sent message can be replaced */
    CAN_ERASE    = 1 << 2,      /* a sent message can be deleted */
    CAN_PICTURE  = 1 << 3,
    CAN_WHISPER  = 1 << 4,      /* a message in the group that one person sees */
    CAN_DIRECT   = 1 << 5,      /* a private chat with one person */
    CAN_POPUP    = 1 << 6,      /* an answer to a press that only the presser sees */
    CAN_REACT    = 1 << 7,      /* people can react to a message with a number; it arrives as
                                   UPDATE_TEXT of that number, `reacted`, `post` is the message */
    CAN_POLL     = 1 << 8,      /* in a private chat a poll stands in for buttons; a vote arrives as
                                   a press */
    CAN_STYLE    = 1 << 9,      /* bold, code and the like are shown (else marks are dropped) */
    CAN_COUNTDOWN = 1 << 10,    /* a time can be shown in the reader's own zone, live */
    CAN_MENTION  = 1 << 11,     /* a name can notify its owner */
    CAN_HANDLES  = 1 << 12,     /* people have handles (@bo) that can be challenged before they
                                   spoke */
    CAN_RETURN   = 1 << 13,     /* a button in a private chat can lead to a message in a group */
    CAN_QUERY    = 1 << 14,     /* people can ask us for something to say, in any chat:
                                   UPDATE_QUERY */
    CAN_ONE_POST = 1 << 15,     /* of one chat, see can_in: all there is of it is one message,
                                   already said; what is posted there takes the place of its text */
    CAN_NUMBER   = 1 << 16      /* buttons are shown with numbers of their own, from 1 */
};

/* ---- heard ---- */

enum update_kind {
    UPDATE_TEXT,                /* somebody typed `text` */
    UPDATE_PRESS,               /* somebody pressed a button (or voted, or reacted): its data is
                                   `text` */
    UPDATE_JOINED,              /* the bot was added to `chat` */
    UPDATE_LEFT,                /* the bot was removed from `chat` */
    UPDATE_RIGHTS,              /* what the bot may do in `chat` changed (`text` names it):
                                   "encrypted": it cannot read there, but may still write; `from` is
                                   who wrote, if known */
    UPDATE_BLOCKED,             /* `from` closed the private chat; UPDATE_TEXT opens it again */
    UPDATE_MOVED,               /* `chat` is now `text`: re-key it */
    UPDATE_QUERY                /* `from` looks for something to say in a chat, `text` is what for:
                                   answer with articles (OUT_ANSWER) to `press`. The one that is
                                   said comes back as an UPDATE_PRESS of its id, in a chat of one
                                   post; where the network does not tell, only when its button is
                                   pressed */
};

struct sender {
    struct str id;              /* stable on this network; never empty for people */
    struct str name;            /* as shown; any bytes a stranger may choose, valid UTF-8 */
    struct str handle;          /* without '@'; may be empty */
    struct str language;        /* "en", "pt-BR"; may be empty */
    bool bot, anonymous;        /* anonymous: posts as the group; cannot hold a seat */
};

enum { MAX_MENTIONS = 4 };

struct update {
    enum update_kind kind;
    struct str id;              /* unique on this account, for de-duplication; empty: cannot
                                   repeat */
    struct str chat;            /* opaque; holds topic or thread if the network has them */
    struct str chat_name;       /* as shown; may be empty */
    bool direct;                /* a private chat with the bot */
    bool admin;                 /* the sender may change the chat's settings */
    bool reacted;               /* UPDATE_TEXT: not typed, but set under `post` */
    struct sender from;
    struct str text;
    struct str press;           /* UPDATE_PRESS, UPDATE_QUERY: the id an answer must carry; may be
                                   empty. UPDATE_TEXT: not empty if it was typed unseen by the
                                   others: then all that answers it must be for its sender alone,
                                   and a whisper carries this id */
    struct str post;            /* the id of the pressed or replied-to message; may be empty */
    struct str said;            /* UPDATE_TEXT: the id of the message itself, for an answer to refer
                                   to; may be empty */
    int n_mentions;
    struct sender mention[MAX_MENTIONS];   /* people named in the text, in order; id may be empty if
                                              only the handle is known */
    int64_t when;               /* unix ms by the network's clock; 0 = not known */
    struct str raw;             /* for a poison update: what to keep in quarantine; may be empty */
};

struct batch {
    int n;
    struct update *at;
    struct str cursor;          /* stored with these updates; empty = unchanged. It may hold tokens:
                                   the shell shows it to nobody */
    int64_t wait_ms;            /* do not poll again before this long (an error, a limit) */
    struct str note;            /* for the operator's log ("open this page, confirm that code"); may
                                   be empty */
    bool fatal;                 /* the account cannot work (bad token): err of read says why */
    bool over;                  /* no news will come any more (a closed terminal): once every
                                   account is over, the daemon answers what it has heard and ends */
    bool ask_first;             /* of `brought`: not before a poll has asked something; bring it
                                   again */
};

/* Where a network brings its news: a POST to `path` of the daemon's server, whose header `header`
 * holds `secret`. The shell lets no other in. */
struct hook { struct str path; const char *header; struct str secret; };

/* ---- said ---- */

enum out_kind { OUT_POST, OUT_ERASE, OUT_ANSWER };
enum out_where { TO_CHAT, TO_WHISPER, TO_DIRECT };

/* Styles inside outgoing.text: single bytes that no text from outside may hold (they are stripped
 * at the door). Each is closed by MARK_END. MARK_TIME: unix seconds in decimal, MARK_END.
 * MARK_NAME: the network id, MARK_NAME again, the shown name, MARK_END. */
enum mark {
    MARK_BOLD = 0x01,
    MARK_CODE = 0x02,
    MARK_QUIET = 0x03,
    MARK_TIME = 0x04,
    MARK_NAME = 0x05,
    MARK_TABLE = 0x06 /* monospaced lines */,
    MARK_END = 0x07
};

enum button_style { BUTTON_PLAIN, BUTTON_TAKE, BUTTON_YAKU, BUTTON_DANGER, BUTTON_LINK,
                    BUTTON_BACK /* to outgoing.group; left out where that has no address */,
                    BUTTON_QUERY /* asks us, as an UPDATE_QUERY, from the chat it is in */ };
struct button {
    struct str label;
    struct str data;            /* at most limits.data_bytes; BUTTON_LINK: a deep-link payload;
                                   BUTTON_BACK: empty; BUTTON_QUERY: what is asked */
    uint8_t style;
    bool row_end;               /* the last of its row */
};

enum { MAX_BUTTONS = 48 };

/* Something a person may say in a chat of their choice. Title and about are seen by that person
 * alone. */
struct article {
    struct str id;              /* like a button's data */
    struct str title, about;
    struct str text;            /* what is said, for all, with marks */
    struct str label;           /* of the button under it, whose data is `id`; empty: none */
};
enum { MAX_ARTICLES = 48 };

struct outgoing {
    enum out_kind kind;
    enum out_where where;
    struct str chat;            /* the group; for TO_DIRECT the private chat if known, else empty */
    struct str to;              /* TO_WHISPER, TO_DIRECT, OUT_ANSWER: network id of the one
                                   person */
    struct str to_name;
    struct str slot;            /* names a message that is replaced by the next of its slot; empty:
                                   none */
    bool replace_only;          /* the slot's message if it stands, else nothing */
    bool notify;                /* should make a sound; only a new message can */
    bool alert;                 /* OUT_ANSWER: a popup that waits, not a passing toast */
    bool aside;                 /* a new message that belongs to nothing that goes on in the chat:
                                   what is sent there after it need not wait until it has been
                                   taken */
    struct str press;           /* OUT_ANSWER, or TO_WHISPER in answer to a press */
    struct str reply_to;        /* post id */
    struct str group, group_slot;   /* TO_DIRECT: the chat it is about and a slot there, for a way
                                       back; may be empty */
    /* What the shell does with a message for one person that is refused. Neither: it comes back as
     * an event if it is a hand, else that was all. */
    bool or_direct;             /* TO_WHISPER: it is said in the private chat */
    bool or_aloud;              /* it is said to all, in answer to `reply_to`: `aloud`, or the text
                                   itself */
    struct str aloud;           /* instead of a text that is a secret, and of its buttons; may be
                                   empty */
    struct str text;            /* UTF-8 with marks; also the alt text and the fallback of a
                                   picture */
    struct str picture;         /* what to draw, one line; empty: none. The shell draws it before
                                   send */
    struct str picture_bytes;   /* PNG, set by the shell; empty if it was not drawn: it could not
                                   be, or picture_file is known */
    struct str picture_file;    /* this network's own id for the same bytes, if sent before */
    int n_buttons;
    struct button *buttons;
    int n_articles;             /* OUT_ANSWER to an UPDATE_QUERY */
    struct article *articles;
    int64_t expires;            /* unix ms; worthless afterwards; 0 = never */
    /* set by the shell when it calls send */
    struct str post;            /* the id to edit or erase; empty: a new message */
    struct str direct_chat;     /* TO_DIRECT: the private chat known for this person; may be
                                   empty */
    struct str group_post;      /* the message of group_slot; may be empty */
    struct str progress;        /* what the last MORE said; empty at first */
    int64_t row;                /* unique and stable over retries: a transaction id */
    bool unknown;               /* an earlier attempt may have arrived (the answer was lost) */
};

enum receipt_kind { SENT, MORE, LATER, NEVER };
enum never_why {
    NEVER_OTHER,
    NEVER_UNREACHABLE,          /* that person or chat */
    NEVER_GONE,                 /* the post to edit: the shell sends it anew */
    NEVER_MOVED,                /* chat is now `chat` */
    NEVER_LATE                  /* press too old */
};
struct receipt {
    enum receipt_kind kind;
    struct str post;            /* SENT: id of the message, for later edits; may be empty */
    struct str direct_chat;     /* SENT, MORE: the private chat that was used or made */
    struct str picture_file;    /* SENT, MORE: this network's id of the picture */
    bool picture_refused;       /* MORE: outgoing.picture_file is of no use: the bytes are wanted */
    struct str progress;        /* MORE */
    struct str chat;            /* NEVER_MOVED */
    enum never_why why;         /* NEVER */
    int64_t wait_ms;            /* LATER: at least this long; 0: the shell's back-off decides */
    bool all_chats;             /* LATER: holds for the whole account */
    struct str note;            /* LATER, NEVER: for the log; never a secret */
};

/* ---- wire ---- */

enum request_kind {
    REQUEST_NONE,               /* nothing to do (a receipt follows at once with status 0) */
    REQUEST_HTTP,
    REQUEST_WATCH,              /* poll only: call read when `fd` is readable */
    REQUEST_DONE                /* send only: it has been done on the spot; a receipt follows at
                                   once */
};
enum { MAX_HEADERS = 8 };
struct header { struct str name, value; };
struct part { struct str name, file, type, bytes; };          /* multipart/form-data */
enum { MAX_PARTS = 24 };
struct request {
    enum request_kind kind;
    const char *method;         /* "GET", "POST", "PUT" */
    struct str url;             /* holds secrets: never logged */
    struct str what;            /* what it is called in logs ("sendMessage") */
    int n_headers;
    struct header headers[MAX_HEADERS];
    struct str body;            /* with its Content-Type among the headers */
    int n_parts;
    struct part *parts;         /* instead of body */
    bool follow;                /* GET that carries no secret: redirects are followed */
    bool unpaced;               /* send: none of the messages that the pace is about (a look, an
                                   upload) */
    int timeout_ms;             /* whole transfer; 0 = 30 s */
    int fd;                     /* REQUEST_WATCH */
    bool patient;               /* REQUEST_WATCH: call read only once all that was heard is answered
                                   and the computer has moved (a prepared input, read line by
                                   line) */
};
struct reply {
    int status;                 /* HTTP status; 0 = no answer (network) */
    struct str body;
    int64_t retry_after_ms;     /* from the Retry-After header; -1 = none */
    bool cut;                   /* the connection broke after the request was written */
    int64_t now;                /* unix ms */
    int64_t date;               /* when it was answered, by the other side's clock: unix ms; 0 = not
                                   said */
};

/* ---- examined ---- */

enum found { FOUND_FINE, FOUND_ADVICE, FOUND_WRONG };
struct finding {
    enum found found;
    struct str text;            /* what it is and what to do, for the operator; never a secret */
};
enum { MAX_FINDINGS = 8 };
struct findings {
    int n;
    struct finding at[MAX_FINDINGS];
    int64_t wait_ms;            /* so long before the next question; 0: at once */
};

/* ---- the row ---- */

enum option_kind {
    OPTION_TEXT,
    OPTION_SECRET,
    OPTION_FOLDER,              /* that is there; empty: none */
    OPTION_INT,
    OPTION_BOOL
};
struct option {                 /* one key of the adapter's own section */
    const char *key;
    enum option_kind kind;
    const char *fallback;       /* as text; NULL: none */
    long min, max;              /* OPTION_INT */
    const char *about;          /* one sentence, for koikoi.conf and errors */
    size_t offset;              /* of a struct str, int64_t or bool in the account */
};

struct limits {
    struct str prefix;          /* what people type ahead of a command for this bot alone ("!koi ");
                                   empty: "/", which other bots may hear as well */
    int text_chars;             /* of one message, as the network counts; 0 = none */
    int caption_chars;          /* of a picture's text */
    int popup_chars;
    int data_bytes;             /* of a button */
    int buttons, buttons_a_row;
    int per_chat_minute;        /* our own pace into one chat: sends and edits; 0 = none */
    int account_per_second_x100; /* over all chats, in hundredths; 0 = none */
    int account_burst;
    bool picture_apart;         /* a picture is a message more: where little of account_burst is
                                   left, it is left out */
    bool counts_utf16;          /* text_chars counts UTF-16 units, else code points */
    int in_flight;              /* sends at once over all chats; in one chat 1, and what is said
                                   aside */
};

/* One command as the network's own list of commands shows it. Entries of one language stand
 * together; those with an empty language are for everybody else. */
struct menu_entry {
    struct str language;                    /* "en"; may be empty */
    struct str command;                     /* without '/'; letters, digits and '_' */
    struct str about;                       /* one short line for people; empty: known, but not
                                               shown */
    bool unseen;                            /* its answer is for the sender alone */
    bool for_admins;                        /* update.admin must be right for it */
};

struct adapter {
    const char *name;                       /* also the configuration section */
    const char *title;                      /* as people call it */
    uint32_t can;                           /* enum ability */
    struct limits limits;                   /* defaults; open may narrow or set them by option */
    size_t account_size;                    /* the shell allocates and zeroes it, fills the
                                               options */
    const struct option *options;           /* ends with a NULL key */
    /* True if the options say this network is wanted (a token is there). */
    bool (*configured)(const void *account);
    /* What fails says which option is at fault, as "[name] option: reason". */
    bool (*open)(void *account, struct arena *process, uint32_t *can, struct limits *limits,
                 struct err *err) MUST_CHECK;
    /* What can be done in one chat, by its key; `can` is what can be done at large. NULL: the same
     * in all. */
    uint32_t (*can_in)(const void *account, struct str chat, uint32_t can);
    /* What commands there are, once after open; entries and strings live as long as the account.
     * May be NULL. */
    void (*menu)(void *account, const struct menu_entry *at, int n);
    void (*poll)(void *account, struct arena *turn, struct str cursor, struct request *ret);
    /* False: nothing was heard, and err says why (logged when it changes); ret.wait_ms and
     * ret.fatal are set all the same. */
    bool (*read)(void *account, struct arena *turn, const struct reply *reply, struct batch *ret,
                 struct err *err) MUST_CHECK;
    /* True, and *ret, if the options say that the network brings its news. Known after open. May be
     * NULL. */
    bool (*hook)(const void *account, struct hook *ret);
    /* What was brought, as `reply->body`: like read, but it is answered only once it is stored;
     * cursor, wait_ms and fatal mean nothing. False: it cannot be read. May be NULL if hook is. */
    bool (*brought)(void *account, struct arena *turn, const struct reply *reply, struct batch *ret,
                    struct err *err) MUST_CHECK;
    void (*send)(void *account, struct arena *turn, const struct outgoing *out,
                 struct request *ret);
    void (*receipt)(void *account, struct arena *turn, const struct outgoing *out,
                    const struct reply *reply, struct receipt *ret);
    void (*close)(void *account);
    /* What is right and what is wrong with this account, one question after the other, once after
     * open and without anything else: `reply` answers the question before, NULL at first. Adds to
     * *ret; sets *next, REQUEST_NONE at the end. May be NULL. */
    void (*examine)(void *account, struct arena *a, const struct reply *reply, struct request *next,
                    struct findings *ret);
};

#endif
