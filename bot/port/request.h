/* Requests that adapters want made, and the replies to them. */
#ifndef KOIKOI_REQUEST_H
#define KOIKOI_REQUEST_H

#include "str.h"

enum request_kind {
    REQUEST_NONE, /* nothing to do now: poll is called again soon; after send, receipt is called
                     with status 0 */
    REQUEST_HTTP,
    REQUEST_WATCH, /* poll only: call read when `fd` is readable */
    REQUEST_DONE,  /* send only: already done; receipt is called at once */
    REQUEST_KEEP   /* send only: `letter` goes into the store's letter box, in the transaction that
                      ends the message; receipt is called at once and must answer SENT */
};
/* A message of a network whose far end is the daemon: its readers ask the store for it. */
struct letter_to {
    struct str chat, reader; /* network id of its one reader; empty: all in the chat */
    struct str slot;         /* takes the place of the letter of that slot; empty: of none */
};
enum { MAX_HEADERS = 8 };
struct header {
    struct str name, value;
};
struct part {
    struct str name, file, type, bytes;
}; /* multipart/form-data */
enum { MAX_PARTS = 24 };
struct request {
    enum request_kind kind;
    const char *method; /* "GET", "POST", "PUT" */
    struct str url;     /* holds secrets: never logged */
    struct str what;    /* its name in logs ("sendMessage"): of every kind but REQUEST_NONE, at most
                           63 bytes, no secret */
    int n_headers;
    struct header headers[MAX_HEADERS];
    struct str body; /* with its Content-Type among the headers */
    int n_parts;
    /* REQUEST_KEEP: its address; `body` is what the readers get. */
    struct letter_to letter;
    struct part *parts; /* instead of body */
    bool follow;        /* follow redirects; only for a GET without secrets */
    bool outside;   /* the address came from outside: only public ones are connected to, whatever a
                           name resolves to; without a proxy, which would resolve it elsewhere */
    bool unpaced;   /* send: the network does not count it (a look-up, an upload); the rate
                           limits count it as the message that follows */
    int timeout_ms; /* whole transfer; 0 = 30 s */
    int answer_bytes; /* the largest answer; 0 = 4 MiB */
    bool idle;        /* poll: it waits for news, and may be given up when an answer to
                           `beside` has come */
    bool no_news; /* beside: its answer brings neither updates nor a cursor, and is read at once */
    int fd;       /* REQUEST_WATCH */
    bool patient; /* REQUEST_WATCH: read only once everything heard is answered and
                           the computer has moved (a prepared input, line by line) */
};
struct reply {
    int status; /* HTTP status; 0 = no answer (network) */
    struct str body;
    int64_t retry_after_ms; /* from the Retry-After header; -1 = none */
    struct str why;         /* status 0: the reason in words ("the name hs.home was not found"),
                               without secrets; may be empty */
    bool cut;               /* the connection broke after the request was written */
    bool too_large;         /* status 0: the answer was larger than request.answer_bytes */
    int64_t now;            /* unix ms */
    int64_t date;           /* unix ms of the Date header, the other side's clock; 0 = none */
};

#endif
