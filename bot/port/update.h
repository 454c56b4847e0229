/* Updates: reports of a network, from the bytes of a poll or a webhook. */
#ifndef KOIKOI_UPDATE_H
#define KOIKOI_UPDATE_H

#include "arena.h"

enum update_kind {
    UPDATE_TEXT,    /* a message, `text` */
    UPDATE_PRESS,   /* a button, vote or reaction; its data is `text` */
    UPDATE_JOINED,  /* the bot was added to `chat` */
    UPDATE_LEFT,    /* the bot was removed from `chat` */
    UPDATE_RIGHTS,  /* the bot's rights in `chat` changed, `text` names how.
                       "encrypted": it cannot read there, but may write; `from` is the
                       writer, if known. Of a chat that it was invited to by `from`:
                       "mute": it may not write there; "space": that is no chat, it has left.
                       "crowded": a third person is in a private chat, which counts as a group
                       now. "unread": a message of `from` cannot be opened. "write": it may
                       write there again */
    UPDATE_BLOCKED, /* `from` closed the private chat; UPDATE_TEXT opens it again */
    UPDATE_MOVED,   /* `chat` has the new key `text` */
    UPDATE_QUERY,   /* inline mode: `from` typed `text`, in a chat we may not see.
                       Answer with articles (OUT_ANSWER) to `press`. The chosen one
                       comes back as UPDATE_PRESS of its id, in a chat of one post; if
                       the network does not report the choice, only when its button is
                       pressed */
    UPDATE_GONE,    /* `from` has left `chat`, or was removed from it */
    UPDATE_BACK,    /* `from` has joined `chat` */
    UPDATE_ERASED   /* `from` has erased the message `post` of `chat`, one of the bot's, perhaps */
};

struct sender {
    struct str id;       /* stable on this network; never empty for people */
    struct str name;     /* as shown: valid UTF-8, otherwise as a stranger chose it */
    struct str handle;   /* without '@'; may be empty */
    struct str language; /* "en", "pt-BR"; may be empty */
    struct str direct; /* their private chat, which is open to the bot from now on; mostly empty */
    bool bot, anonymous; /* anonymous: posts as the group; cannot hold a seat */
    bool self;           /* a mention: this bot, which means the computer */
};

enum { MAX_MENTIONS = 4 };

struct update {
    enum update_kind kind;
    struct str id;        /* unique on this account, for de-duplication; empty: cannot
                             repeat */
    int64_t what;         /* update_content(), where a server may give an id again to something
                             else, as one put back from a backup does; 0: the id says it all */
    struct str chat;      /* opaque; holds topic or thread if the network has them */
    struct str chat_name; /* as shown; may be empty */
    bool direct;          /* a private chat with the bot */
    bool admin;           /* the sender may change the chat's settings */
    bool ask_admin;       /* the network must be asked for that: OUT_ASK */
    bool addressed;       /* UPDATE_TEXT: a command with this bot's name ("/play@koikoi_bot"), or an
                             answer to the bot, which needs no slash */
    bool reacted;         /* UPDATE_TEXT: a reaction to `post`, not typed: a number, or "yes", "no",
                             "again" for signs that mean that */
    struct sender from;
    struct str text;
    struct str press;  /* UPDATE_PRESS, UPDATE_QUERY: the id an answer must carry; may be
                         empty. UPDATE_TEXT: set if the others did not see it: all
                         answers must be for the sender alone, whispers carry this id */
    bool page;         /* UPDATE_PRESS from a page that the daemon serves: popups are for that page,
                         whatever the network can */
    struct str post;   /* id of the pressed or replied-to message; may be empty */
    bool part_unknown; /* of `post`: the network does not say in which topic or thread of `chat` it
                          stands, as of an old one */
    struct str said;   /* UPDATE_TEXT: id of the message itself, for outgoing.reply_to; may
                         be empty */
    int n_mentions;
    struct sender mention[MAX_MENTIONS]; /* people named in the text, in order; id is empty if
                                            only the handle is known */
    struct str unnamed; /* a name in `text` that fits no member of the chat, or the several in
                           `choice`; empty: none such */
    int n_choices;
    struct sender choice[MAX_MENTIONS];
    int64_t when;   /* unix ms by the network's clock; 0 = unknown. For the adapter's
                       own use (Telegram drops what is older than its first start): the
                       bot goes by its own clock */
    struct str raw; /* kept in quarantine if the update cannot be handled; may be
                       empty */
};

struct batch {
    int n;
    struct update *at;
    struct str cursor; /* stored with these updates; empty = unchanged. May hold tokens: it
                          is never logged or shown */
    bool may_wait;   /* without updates: nothing is lost if the cursor is stored with a later batch
                          only, so that news of no account cost no transaction */
    int64_t wait_ms; /* the least time to the next poll (an error, a limit) */
    struct str note; /* for the operator's log ("open this page, confirm that code"); may
                          be empty */
    bool more;       /* the answer was full: the network has more */
    bool fatal;      /* the account cannot work (bad token): err of read says why */
    bool over;       /* the last batch (a closed terminal): once every account is over,
                          the daemon answers what it has heard and ends */
    bool busy;       /* the answer was to another question than for updates: the next poll need
                          not wait because this one brought none */
    bool ask_first;  /* webhook_read: a poll must be answered first; call it again with
                          the same body then */
};

/* A webhook: the network POSTs to `path` of the daemon's server, with `secret` in the header
 * `header`. The server refuses all other requests to that path. */
struct webhook {
    struct str path;
    const char *header;
    struct str secret;
};

/* Adds a person who is named in the text, once if the id is known; not more than MAX_MENTIONS. */
void update_mention(struct update *u, struct sender who);
/* A sum of what the network says in it, never 0: what the account itself knows or looks up (names,
 * rights) has no part in it, so that the same update gives the same sum each time. */
int64_t update_content(const struct update *u);
/* Packs an update as bytes in the arena, so that one which could not be handled can be handled
 * again, by another process too. Times of the network's clock and the raw bytes are left out. */
struct str update_pack(const struct update *u, struct arena *a);
/* Strings point into `bytes`. Returns false, with *ret untouched, for anything that update_pack()
 * does not write. */
bool update_unpack(struct str bytes, struct update *ret);

#endif
