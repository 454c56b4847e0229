/* HTTP/1.1 server on loopback: one thread, epoll, timers, keep-alive. All fake networks stand on it.
 *
 *     serve_open(0, answer, NULL, arg)     in a thread of its own until serve_close(); or
 *     serve_listen(...), serve_run(s)      in the caller's thread until serve_stop()
 *
 * answer() is called for each whole request and replies by serve_reply() with request.from, at once
 * or later; the next request of that connection comes after the reply. `round`, if not NULL, is
 * called after each round of events. Both run in the server's thread, one at a time, and so must
 * all calls below that are not said to be for other threads. */
#ifndef KOIKOI_SERVE_H
#define KOIKOI_SERVE_H

#include "fake_json.h"

#include <pthread.h>
#include <stdbool.h>

enum { SERVE_MOST = 1 << 16 }; /* descriptors of the process; a connection beyond is refused */

/* What happens to a reply on its way. */
enum serve_harm {
    SERVE_WHOLE,
    SERVE_CUT,   /* half of the body under its own length: good HTTP, broken JSON */
    SERVE_RESET, /* the connection is reset in the middle of the body */
    SERVE_HALF,  /* the connection ends in the middle of the body */
    SERVE_CLOSE  /* the connection ends behind the reply */
};

struct serve_request {
    uint64_t from;
    const char *method, *path; /* path without the query */
    char *query, *body;        /* may be changed in place; query "" if there is none */
    size_t n;                  /* bytes of the body, which has a NUL behind them */
    const char *head;          /* the header lines, "\r\n" before each */
};

struct serve;
typedef void serve_answer(void *arg, struct serve_request *r);
typedef void serve_round(void *arg);

struct serve *serve_open(int port, serve_answer *answer, serve_round *round, void *arg);
void serve_close(struct serve *s);
struct serve *serve_listen(int port, serve_answer *answer, serve_round *round, void *arg);
void serve_run(struct serve *s);
void serve_stop(struct serve *s);
int serve_port(const struct serve *s);
uint64_t serve_connections(const struct serve *s); /* accepted so far */
/* From any thread: another round; the end of all connections. */
void serve_wake(struct serve *s);
void serve_hang_up(struct serve *s);

/* `headers`: whole lines with their CRLF, or "". */
void serve_reply(struct serve *s, uint64_t from, int status, const char *headers, const char *body,
                 enum serve_harm harm);
void serve_bytes(struct serve *s, uint64_t from, const char *bytes, size_t n); /* as they are */
void serve_end(struct serve *s, uint64_t from);     /* closes the connection without a reply */
void serve_silence(struct serve *s, uint64_t from); /* drops later replies to this request */
bool serve_alive(struct serve *s, uint64_t from);   /* true if the client still waits */
/* The value of a request header, cut to fit `ret`. Returns false, with "", if it is missing. */
bool serve_header(const struct serve_request *r, const char *name, char *ret, size_t size);

/* Sends a whole request to another server on loopback. `answered` gets the status; 0: no answer. */
void serve_ask(struct serve *s, int port, struct text_buffer request,
               void (*answered)(void *with, int status), void *with);

/* For what a server's thread and a test share: holds a lock until the end of the block. */
#define HOLD(lock)                                                                                 \
    __attribute__((unused, cleanup(serve_let_go))) pthread_mutex_t *held_lock = serve_hold(lock)
static inline pthread_mutex_t *serve_hold(pthread_mutex_t *lock)
{
    pthread_mutex_lock(lock);
    return lock;
}
static inline void serve_let_go(pthread_mutex_t **lock)
{
    pthread_mutex_unlock(*lock);
}

int64_t serve_now(void); /* ns, monotonic */
int64_t serve_cpu(void); /* CPU time of this process, ns */
/* Once, at serve_now() >= ns. */
void serve_at(struct serve *s, int64_t ns, void (*call)(void *), void *with);

#endif
