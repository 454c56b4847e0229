/* Scripted HTTP server on loopback, in a thread of the test: the network's side of the wire
 * adapter. It delivers queued updates until a higher offset confirms them, keeps all requests of
 * the bot for the test, and fails by rules.
 */
#ifndef KOIKOI_PEER_H
#define KOIKOI_PEER_H

#include "str.h"

enum peer_fault {
    PEER_ANSWERS,
    PEER_HANGS_UP, /* closes without an answer */
    PEER_CUTS,     /* closes in the middle of its answer */
    PEER_BABBLES,  /* answers with bytes that are not HTTP */
    PEER_IS_SILENT /* never answers */
};

/* The first rule that matches a request and is not used up decides the answer. The method is the last
 * part of the path; of Matrix, where that is the id of a transaction or a room, what is done ("send",
 * "join"), and of its keys "keys/upload". */
struct peer_rule {
    const char *method;   /* "sendMessage"; NULL: any */
    const char *contains; /* substring of the request's body; NULL: any */
    int times;            /* how often it applies; 0: without limit */
    enum peer_fault fault;
    int status;         /* 0: 200 and the usual answer */
    const char *header; /* "Retry-After: 7"; NULL: no header */
    const char *body;   /* NULL: the usual body */
    bool but_done;      /* the request is carried out even if its answer fails */
    int pid, signal[2]; /* signals sent to process `pid`, in this order; 0: none */
    const char *under;  /* substring of the request's path; NULL: any */
};

struct peer;
/* post: the id given to a sendMessage. done: the request was carried out. */
struct peer_request {
    const char *method, *body;
    int64_t at, post;
    bool done;
};

/* `now` is read at each request, in the peer's thread. */
struct peer *peer_open(const _Atomic int64_t *now);
void peer_close(struct peer *p);
struct str peer_root(const struct peer *p); /* "http://127.0.0.1:1234/bot" */
void peer_rule(struct peer *p, struct peer_rule rule);
void peer_no_rules(struct peer *p);
/* The n-th request from now on, polls included, kills that process with SIGKILL: before it is
 * carried out, or (`after`) after its answer. */
void peer_kills(struct peer *p, int n, int pid, bool after);
/* The n-th request from now on, polls included, fails like a rule of this fault and status. */
void peer_fails(struct peer *p, int n, enum peer_fault fault, int status, bool but_done);
/* True if it has failed; else takes the order back. */
bool peer_failed(struct peer *p);
/* At most n updates in one answer (100 by default). */
void peer_hands_out(struct peer *p, int n);
/* A person types in a chat, or presses a button there. Returns the update's id. "@ann" is the
 * private chat with ann. */
int64_t peer_types(struct peer *p, const char *chat, const char *from, const char *text);
int64_t peer_presses(struct peer *p, const char *chat, const char *from, const char *data);
/* From now on updates carry ids that are lower by so many, as those of a server put back from a
 * backup. */
void peer_goes_back(struct peer *p, int64_t ids);
/* All requests so far but getUpdates, in order; valid until peer_close(). */
int peer_count(struct peer *p);
struct peer_request peer_request(struct peer *p, int i);
/* Number of requests with this method and this substring of the body (NULL: any), carried out or
 * not. */
int peer_asked(struct peer *p, const char *method, const char *contains);
int peer_polls(struct peer *p);
/* The highest offset that was requested: all updates below it are confirmed. */
int64_t peer_confirmed(struct peer *p);

#endif
