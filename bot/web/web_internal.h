/* Shared by the files of the room. Calls go downward:
 *
 *     web.c        opening, routes, files, what people do
 *     web_page.c   the document of the start page
 *     web_shared.c what links open that may be passed on
 *     web_preview.c what messengers show of a link
 *     web_hub.c    streams
 *     web_frame.c  the page in a frame of another program
 *     web_who.c    cookies, tokens, people, ceilings
 *     web_answer.c answers
 */
#ifndef KOIKOI_WEB_INTERNAL_H
#define KOIKOI_WEB_INTERNAL_H

#include "alloc.h"
#include "cache.h"
#include "json.h"
#include "web.h"

enum {
    SECRET = 32,   /* hex digits of a browser's secret, of a room */
    TICKET = 64,   /* of a ticket */
    HASH_HEX = 64, /* of its hash in the store */
    NAME_MOST = 64,
    TEXT_MOST = 500,
    STREAMS_OF_ONE = 6 /* one more ends the oldest, perhaps the ghost of a reloaded page */
};

struct web {
    struct web_parts parts;
    struct server *server;
    struct str link;
    struct arena *scratch;   /* of one request, or one look at the store */
    struct hub *hub;         /* of streams */
    struct cache *counted;   /* see who_may() */
    struct cache *replays;   /* compressed, by table and language */
    struct posters *posters; /* of previews */
    struct proofs *proofs;   /* see web_frame.c; NULL: there were none */
    int64_t epoch, doors;    /* count changes of tables, and of logins and rooms' links */
    bool busy;               /* somebody's request was answered in this turn */
};

/* ---- web_answer.c ---- */

/* An answer with the headers that all have, and a type. */
struct server_reply answer_open(int status, const char *type, struct str body);
void answer_header(struct server_reply *reply, const char *name, const char *value);
/* Lets these hosts show the answer in a frame; an empty list allows no host. */
void answer_frames(struct web *web, struct server_reply *reply, struct str hosts);
void answer_json(struct server_request *r, int status, struct str body);
void answer_error(struct web *web, struct server_request *r, int status, const char *error);
/* True if the store has failed: then the answer is that they may try again. */
bool answer_failure(struct web *web, struct server_request *r);
void answer_said(struct web *web, struct server_request *r, int status, const char *error,
                 struct str text);
/* The body is by gzip: it goes as it is to who takes that. */
void answer_packed(struct web *web, const struct server_request *r, struct server_reply *reply);
void answer_document(struct web *, struct server_request *, const char *type, struct str packed);

/* ---- web_who.c ---- */

/* Who asks. Strings are in the arena, or the request's. */
struct visitor {
    struct inbox_reader reader; /* who 0: not known yet; a language of choice, or the browser's */
    struct str id;              /* on the account's network */
    struct str name;            /* empty: not known yet */
    struct str chat;            /* their private chat; may be empty */
    struct str secret;          /* of the browser */
    bool fresh;                 /* the browser had none: it is to be given this one */
    bool framed;                /* it asks without cookies, by the header Authorization */
    bool banned;
    struct str login; /* hash of the secret by which they are that person; empty: of the web */
    struct str token; /* that each act of theirs carries */
};

/* Sets *ret for any request; without a cookie with a fresh secret. */
void who_asks(struct web *web, const struct server_request *r, struct arena *a,
              struct visitor *ret);
/* Sets anew what the store knows of them: an act may have changed it. */
void who_known(struct web *web, const struct server_request *r, struct arena *a, struct visitor *v);
bool who_is_secret(struct str s); /* or a room's name: both have SECRET hex digits */
/* The header that gives the secret to the browser. */
struct str who_cookie(const struct web *web, struct str secret, struct arena *a);
/* Hex digits of a hash of "what secret". */
struct str who_hash(struct arena *a, const char *what, struct str secret, int digits);
/* Key of the chat that a room's link of this name leads to; empty: to none, or not any more. */
struct str who_room(struct web *web, struct str name, struct arena *a);
struct str who_link(const struct chat *room); /* the name of the link that leads there now */
/* A name for one who has given none: "Pine 42". */
struct str who_name(const struct web *web, const struct visitor *v, struct arena *a);
/* The loopback is free of ceilings of an address. */
bool who_is_free(struct str address);
/* Counts one more of something; false if there were `most` in that time. */
bool who_may(struct web *web, struct str what, int64_t most, int64_t ms);
struct str who_fresh(const struct web *web, struct arena *a); /* a new secret */
/* In a transaction: the browser with this secret is that person for some hours. */
void who_log_in(struct web *web, struct str secret, int64_t account, struct str network_id,
                struct arena *a);
/* Changes a ticket for a login of this browser. Returns false if it does not count any more. */
bool who_login(struct web *web, struct str ticket, struct str secret, struct arena *a);
/* True if the address may ask for one thing more that costs; else it has been answered. */
bool who_may_ask(struct web *web, struct server_request *r);

/* ---- web_shared.c ---- */

/* Of /KIND/12-NAME/PART; false if the path names no such thing. */
bool shared_serve(struct web *web, struct server_request *r);
/* Tables that have changed: what was kept of their replays goes. 0: all. */
void replay_changed(struct web *web, int64_t table);

/* ---- web_frame.c ---- */

/* True if /app/NAME is the page of a network. */
bool frame_is_path(const struct web *web, struct str path);
/* The hosts that may show the page of this path in a frame, with blanks between; empty: no host. */
struct str frame_hosts(const struct web *web, struct str path);
/* Answers that the page must be opened anew. */
void frame_refuse(struct web *web, struct server_request *r, const struct visitor *v);
/* Of POST /prove. */
void frame_prove(struct web *web, struct server_request *r);
void frame_end(struct web *web); /* what a network is still asked is given up */

/* ---- web_page.c ---- */

struct str page_document(struct web *web, const struct visitor *v, struct str chat,
                         struct arena *a);
/* For those to whom the bot cannot write yet. */
struct str page_closed(const struct texts *t, struct arena *a);

/* ---- web_hub.c ---- */

struct hub_wants {
    int64_t table, version, letter; /* shown, and the newest that the page has; version -1: none */
    struct str room, chat;          /* name of a room's link, and where it leads to */
    struct str address;
    bool watch;        /* the public view, for whoever has the link */
    struct str secret; /* of that link */
};
void hub_open(struct web *web, struct server_request *r, const struct server_reply *head,
              const struct visitor *v, const struct hub_wants *wants);
void hub_said(struct web *web, struct str chat); /* something was said there */
/* True if the address, or all together, have as many as they may. */
bool hub_full(const struct web *web, struct str address);
struct hub *hub_make(void);
void hub_free(struct hub *hub);                     /* after the last stream */
void hub_wake_watchers(struct web *web, bool busy); /* some, later while requests are answered */
void hub_beat(struct web *web);
void hub_end(struct web *web); /* all streams say good-bye */

#endif
