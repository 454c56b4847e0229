/* HTTP server on loopback, in a thread of the test; the fake networks inside tests stand on it.
 *
 *     serve_open(0, answer, arg)     from then on answer() is called for each whole request
 *     serve_send(...)                the response; at most once for each request
 *     serve_close(...)               joins the thread
 *
 * answer() runs for one request at a time, so it needs a lock only against the test. A deferred
 * request is passed again after each answer to another one, after serve_wake(), and from time to
 * time.
 */
#ifndef KOIKOI_SERVE_H
#define KOIKOI_SERVE_H

#include "str.h"

enum served {
    SERVED,       /* answered; the connection stays open */
    SERVED_LATER, /* deferred: pass it again later */
    SERVED_OVER   /* close the connection */
};

/* A request; valid only during answer(). */
struct asked {
    int fd;                    /* the connection */
    bool again;                /* it was deferred before */
    const char *method, *path; /* path without the query */
    const char *query;         /* "" if there is none */
    const char *head;          /* the header lines, "\r\n" before each */
    const char *body;          /* NUL-terminated */
    size_t n;                  /* bytes of the body */
};

struct serve;
typedef enum served serve_answer(void *arg, const struct asked *asked);

struct serve *serve_open(int port, serve_answer *answer, void *arg); /* 0: any free port */
void serve_close(struct serve *s);
int serve_port(const struct serve *s);
void serve_wake(struct serve *s);
void serve_hang_up(struct serve *s); /* closes all connections, as the end of a server does */

/* `header`: one whole line without its CRLF, or NULL. part: the answer breaks off in the middle. */
void serve_send(int fd, int status, const char *header, const char *body, bool part);
void serve_bytes(int fd, const char *bytes, size_t n); /* sends raw bytes */
/* The value of a request header, cut to fit `ret`. Returns false if it is missing. */
bool serve_header(const struct asked *asked, const char *name, char *ret, size_t size);

#endif
