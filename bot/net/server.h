/* HTTP/1.1 server for webhooks, /health and /metrics. It runs on the loop's thread and never waits;
 * a request stays open until it is answered, which may be turns later.
 *
 *     server_open(STR("127.0.0.1:8080"), gate, arg, &server, &err)
 *     poll server_fd(), at most server_wait() ms
 *     server_run(server)                               reads and writes what is ready
 *     while ((r = server_next(server))) ...            complete requests, in order
 *     server_answer(r, 200, "text/plain", body)        once; frees r
 *
 * The gate is called when the head of a request has arrived, before its body is read. A body may
 * have 1 MiB, else the answer is 413; a head 32 KiB. No TLS: on the internet it stands behind a
 * proxy that has it.
 *
 * At most 256 connections, 32 of one address, 16 kept for the loopback (127.0.0.1, ::1: the proxy,
 * the operator), which may have all. A connection is closed if it is silent for a minute, if its
 * head has not arrived after 15 s, its body 30 s after the head, or its answer is not read within
 * 30 s, however often a byte moves. One that is kept open has 75 s for the next head.
 */
#ifndef KOIKOI_SERVER_H
#define KOIKOI_SERVER_H

#include "err.h"
#include "str.h"

struct server;

/* A request. Strings live until it is answered. */
struct server_request {
    struct server_request *next; /* for the caller's own list */
    int64_t came;                /* the caller's: when it was first held back */
    struct str method, path;     /* "POST", "/telegram"; without a query */
    struct str body;
};

/* Returns 0 to accept, else the status to refuse with. */
typedef int server_gate(void *arg, const struct server_request *v);

/* `listen`: ADDRESS:PORT in numbers, an IPv6 address in brackets; port 0 is any free one. */
bool server_open(struct str listen, server_gate *gate, void *arg, struct server **ret,
                 struct err *err) MUST_CHECK;
void server_close(struct server *s); /* answers 503 to requests that are open */
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
void server_answer(struct server_request *r, int status, const char *type, struct str body);

#endif
