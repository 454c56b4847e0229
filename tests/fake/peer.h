/* A scripted HTTP server on loopback, in a thread of the test: what the network says and does to
 * us. It speaks the wire adapter's words: updates that were queued are handed out until they are
 * confirmed by a higher offset, everything that is sent is kept for the test to look at, and rules
 * make it misbehave.
 */
#ifndef KOIKOI_PEER_H
#define KOIKOI_PEER_H

#include "str.h"

enum peer_fault {
    PEER_ANSWERS,
    PEER_HANGS_UP,              /* takes the request, says nothing and closes */
    PEER_CUTS,                  /* closes in the middle of its answer */
    PEER_BABBLES,               /* answers with something that is no HTTP */
    PEER_IS_SILENT              /* takes the request and says nothing, ever */
};

/* The first rule that fits a request and is not used up decides about it. */
struct peer_rule {
    const char *method;         /* "sendMessage" */
    const char *contains;       /* a part of the request's body; NULL: any */
    int times;                  /* how often; 0: for ever */
    enum peer_fault fault;
    int status;                 /* 0: 200 and the usual answer */
    const char *header;         /* "Retry-After: 7"; NULL: none */
    const char *body;           /* NULL: the usual one */
    bool but_done;              /* the request is carried out all the same: only the answer
                                   suffers */
    int pid, signal[2];         /* that process is sent these, one after the other; 0: none */
};

struct peer;
/* post: the id that a sendMessage was given; done: it was carried out. */
struct peer_request { const char *method, *body; int64_t at, post; bool done; };

/* `now` is read at each request, from the peer's thread. */
struct peer *peer_open(const _Atomic int64_t *now);
void peer_close(struct peer *p);
struct str peer_root(const struct peer *p);         /* "http://127.0.0.1:1234/bot" */
void peer_rule(struct peer *p, struct peer_rule rule);
/* The n-th request from now on (polls too) ends that process with SIGKILL: before it is looked at,
 * or when it has been answered. */
void peer_kills(struct peer *p, int n, int pid, bool after);
/* The n-th request from now on (polls too) goes wrong, as a rule would say it. */
void peer_fails(struct peer *p, int n, enum peer_fault fault, int status, bool but_done);
/* True if it has; the next one is spared otherwise. */
bool peer_failed(struct peer *p);
/* At most n updates are handed out at a time (100 at first). */
void peer_hands_out(struct peer *p, int n);
/* Somebody types in a chat, or presses a button there; returns the update's id. "@ann" is the
 * private chat with ann. */
int64_t peer_types(struct peer *p, const char *chat, const char *from, const char *text);
int64_t peer_presses(struct peer *p, const char *chat, const char *from, const char *data);
/* All requests but getUpdates so far, in order; valid until peer_close(). */
int peer_count(struct peer *p);
struct peer_request peer_request(struct peer *p, int i);
/* How many of them have this method and this part of a body (NULL: any), carried out or not. */
int peer_asked(struct peer *p, const char *method, const char *contains);
int peer_polls(struct peer *p);
/* The highest offset that was asked for: all updates below it are confirmed. */
int64_t peer_confirmed(struct peer *p);

#endif
