/* Shared by the files of the room. Calls go downward:
 *
 *     web.c        opening, routes, files, what people do
 *     web_page.c   the document of the start page
 *     web_replay.c replays, their reviews and records
 *     web_hub.c    streams
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
    STREAMS_OF_ONE =
        6 /* one more ends the oldest: it may be the ghost of a page that was reloaded */
};

struct web {
    struct web_parts parts;
    struct server *server;
    struct str link;
    struct arena *scratch; /* of one request, or one look at the store */
    struct hub_stream *streams;
    int n_streams;
    int64_t beat_at;       /* monotonic: when silent streams say something */
    struct cache *counted; /* see who_may() */
    struct cache *replays; /* compressed, by table and language */
    struct cache *watched; /* public views, by table and language */
    int64_t epoch;         /* counts changes of tables: older views are made anew */
};

/* ---- web_answer.c ---- */

/* An answer with the headers that all have, and a type. */
struct server_reply answer_open(int status, const char *type, struct str body);
void answer_header(struct server_reply *reply, const char *name, const char *value);
void answer_json(struct server_request *r, int status, struct str body);
void answer_error(struct web *web, struct server_request *r, int status, const char *error);
/* The same with a sentence for people. */
void answer_said(struct web *web, struct server_request *r, int status, const char *error,
                 struct str text);
void answer_packed(struct server_request *r, const char *type, struct str packed); /* by gzip */

/* ---- web_who.c ---- */

/* Who asks. Strings are in the arena, or the request's. */
struct visitor {
    const struct account *account;
    struct str id;       /* on that account's network */
    int64_t who;         /* the person in the store; 0: not known yet */
    struct str name;     /* empty: not known yet */
    struct str chat;     /* their private chat; may be empty */
    struct str language; /* of their choice, else of the browser */
    struct str secret;   /* of the browser */
    bool fresh;          /* the browser had none: it is to be given this one */
    bool banned;
    struct str token; /* that each act of theirs carries */
};

/* Sets *ret for any request; without a cookie with a fresh secret. */
void who_asks(struct web *web, const struct server_request *r, struct arena *a,
              struct visitor *ret);
/* True for what can be a secret, or the name of a room: both have SECRET hex digits. */
bool who_is_secret(struct str s);
/* The header that gives the secret to the browser. */
struct str who_cookie(const struct web *web, struct str secret, struct arena *a);
/* Hex digits of a hash of "what secret". */
struct str who_hash(struct arena *a, const char *what, struct str secret, int digits);
/* A name for one who has given none: "Pine 42". */
struct str who_name(const struct web *web, const struct visitor *v, struct arena *a);
/* The loopback is free of ceilings of an address. */
bool who_is_free(struct str address);
/* Counts one more of something; false if there were `most` in that time. */
bool who_may(struct web *web, struct str what, int64_t most, int64_t ms);
/* Changes a ticket for a login of this browser. Returns false if it does not count any more. */
bool who_login(struct web *web, struct str ticket, struct str secret, struct arena *a);

/* True if the address may ask for one thing more that costs; else it has been answered. */
bool who_may_ask(struct web *web, struct server_request *r);

/* ---- web_replay.c ---- */

/* Of /replay/12-NAME/WHAT; false if the path names no such thing. */
bool replay_serve(struct web *web, struct server_request *r);
/* Tables that have changed: what was kept of their replays goes. 0: all. */
void replay_changed(struct web *web, int64_t table);

/* ---- web_page.c ---- */

struct str page_document(struct web *web, const struct visitor *v, struct arena *a);

/* ---- web_hub.c ---- */

struct hub_wants {
    int64_t table, version, letter; /* shown, and the newest that the page has; version -1: none */
    struct str room;
    struct str address;
    bool watch; /* the public view, for whoever has the link */
};
void hub_open(struct web *web, struct server_request *r, const struct server_reply *head,
              const struct visitor *v, const struct hub_wants *wants);
/* Something was said in a chat. */
void hub_said(struct web *web, struct str chat);
int hub_count(const struct web *web, struct str address);
void hub_beat(struct web *web);
void hub_end(struct web *web); /* all streams say good-bye */

#endif
