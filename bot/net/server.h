/* HTTP/1.1 server for webhooks, pages, /health and /metrics. It runs on the loop's thread and never
 * waits; a request stays open until it is answered, which may be turns later.
 *
 *     server_open(STR("127.0.0.1:8080"), &server_usual, gate, arg, &server, &err)
 *     poll server_fd(), at most server_wait() ms
 *     server_run(server)                               reads and writes what is ready
 *     while ((r = server_next(server))) ...            complete requests, in order
 *     server_answer(r, 200, "text/plain", body)        once; frees r
 *     server_stream(r, &reply, &source)                or an answer without an end
 *
 * The gate is called when the head of a request has arrived, before its body is read. A body that is
 * too long is answered 413. No TLS: on the internet it stands behind a proxy that has it.
 *
 * Of all connections 16 are kept for the loopback (127.0.0.1, ::1: the proxy, the operator), which
 * may have all. A connection is closed if it is silent for a minute, if its
 * head has not arrived after 15 s, its body 30 s after the head, or its answer is not read within
 * 30 s, however often a byte moves. One that is kept open has 75 s for the next head.
 */
#ifndef KOIKOI_SERVER_H
#define KOIKOI_SERVER_H

#include "arena.h"
#include "err.h"
#include "request.h"

struct server;

/* Ceilings of a server. */
struct server_limits {
    int connections, per_address; /* per_address: of one address other than the loopback */
    int head_bytes, body_bytes;   /* head_bytes is also the memory that a connection takes */
};
extern const struct server_limits server_usual; /* 256, 32; 32 KiB, 1 MiB */

/* A request. Strings live until it is answered. */
struct server_request {
    struct server_request *next; /* for the caller's own list */
    int64_t came;                /* the caller's: when it was first held back */
    struct str method, path;     /* "POST", "/telegram"; without a query */
    struct str body;
};

/* Returns 0 to accept, else the status to refuse with. */
typedef int server_gate(void *arg, const struct server_request *v);

/* `listen`: ADDRESS:PORT in numbers, an IPv6 address in brackets; port 0 is any free one. 0.0.0.0 is
 * every address of IPv4, [::] every one of both. */
bool server_check_address(struct str listen, struct err *err) MUST_CHECK;
/* Addresses as that of server_client(): in numbers, no ranges. */
bool server_check_proxies(struct str proxies, struct err *err) MUST_CHECK;
bool server_open(struct str listen, const struct server_limits *limits, server_gate *gate,
                 void *arg, struct server **ret, struct err *err) MUST_CHECK;
/* Answers 503 to requests that are open, ends all streams. */
void server_close(struct server *s);
/* For connections and requests from then on; ms. */
void server_set_deadlines(struct server *s, int head_ms, int body_ms);
int server_port(const struct server *s);
int server_fd(const struct server *s);
/* Milliseconds until it must run again; INT_MAX: not until server_fd() is ready. */
int server_wait(const struct server *s);
void server_run(struct server *s);
/* Returns NULL if there is no complete request. */
struct server_request *server_next(struct server *s);
/* The value of a header; empty if absent. */
struct str server_header(const struct server_request *r, const char *name);
/* The value of a parameter of the query, decoded; empty if absent. */
struct str server_query(const struct server_request *r, const char *name);
/* The address of the client, in numbers: of the connection, or, if that is in `proxies` (addresses
 * with blanks between), the last one of X-Forwarded-For. In the arena. */
struct str server_client(const struct server_request *r, struct str proxies, struct arena *a);
void server_answer(struct server_request *r, int status, const char *type, struct str body);

/* An answer with headers of its own. */
enum { REPLY_HEADERS = 12 };
struct server_reply {
    int status;
    struct str body;
    bool constant; /* the body outlives the server: no copy is made */
    int n;
    struct header at[REPLY_HEADERS]; /* values end with NUL */
};
void server_reply(struct server_request *r, const struct server_reply *reply);

/* The bytes compressed as gzip, in the arena; for a header Content-Encoding. */
struct str server_gzip(struct arena *a, struct str bytes);
/* What gzip made them of, in the arena. */
struct str server_gunzip(struct arena *a, struct str gzip);

/* An answer that goes on: whenever the client has taken all bytes and server_wake() was called, the
 * source is asked for more, so that a slow reader holds nothing but one answer of the source, and
 * 16 KiB in the kernel. A client that takes nothing for 30 s is cut off. With many streams all
 * answers are gathered: a thousand of them delay one by at most 16 ms. */
struct server_stream;
struct stream_source {
    /* Appends what there is to say now, perhaps nothing. Returns false to end the stream after it.
     * Called by server_run() and server_close(). */
    bool (*more)(void *arg, struct buf *b);
    void (*gone)(void *arg); /* the stream has ended; the last call */
    void *arg;
};
enum { STREAM_BYTES = 64 * 1024 }; /* most bytes of one answer of the source */
/* Frees r. `reply` has no body. */
struct server_stream *server_stream(struct server_request *r, const struct server_reply *reply,
                                    const struct stream_source *source);
void server_wake(struct server_stream *stream);

#endif
