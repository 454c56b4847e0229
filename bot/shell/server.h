/* The one door in: a small HTTP/1.1 server, for networks that bring their news by themselves and
 * for whoever looks after the daemon. It runs on the loop's own thread and never waits; a request
 * stays open until it is answered, which may be turns later.
 *
 *     server_open(STR("127.0.0.1:8080"), gate, arg, &server, &err)
 *     poll server_fd(), at most server_wait() ms
 *     server_run(server)                               reads and writes what is ready
 *     while ((v = server_next(server))) ...            requests that have come whole, in order
 *     server_answer(v, 200, "text/plain", body)        once; v is gone then
 *
 * The gate is asked when the head of a request is there, before anything of its body is read. A
 * body may have BODY_MOST bytes, else it is refused with 413; a head 32 KiB. At most 256
 * connections, and none is silent for longer than a minute. No TLS: on the internet it stands
 * behind a server that has it.
 */
#ifndef KOIKOI_SERVER_H
#define KOIKOI_SERVER_H

#include "err.h"
#include "str.h"

struct server;

/* One request. Strings live until it is answered. */
struct visit {
    struct visit *next;         /* for whoever holds it */
    int64_t came;               /* when it was first held, by whoever holds it */
    struct str method, path;    /* "POST", "/telegram"; without a query */
    struct str body;
};

/* 0: come in. Else the status with which it is refused. */
typedef int server_gate(void *arg, const struct visit *v);

/* `listen`: ADDRESS:PORT in numbers, an IPv6 address in brackets; port 0 is any free one. */
bool server_open(struct str listen, server_gate *gate, void *arg, struct server **ret,
                 struct err *err) MUST_CHECK;
void server_close(struct server *s);            /* what was not answered is cut off */
int server_port(const struct server *s);
int server_fd(const struct server *s);
int server_wait(const struct server *s);        /* ms until it must run again; INT_MAX: when fd is
                                                   ready */
void server_run(struct server *s);
struct visit *server_next(struct server *s);    /* NULL: none */
/* The value of a header, empty if it is not there. */
struct str visit_header(const struct visit *v, const char *name);
void server_answer(struct visit *v, int status, const char *type, struct str body);

#endif
