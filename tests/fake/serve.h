/* HTTP on loopback, in a thread of the test: what the fake networks that live inside a test stand
 * on.
 *
 *     serve_open(0, answer, arg)     from then on answer() is called for each whole request
 *     serve_send(...)                what answer() says with; at most once for each request
 *     serve_close(...)               joins the thread
 *
 * One request at a time on each connection, and one at a time altogether: answer() needs no lock
 * against itself, only against the test. A request that is put off is handed out again whenever
 * another has been answered, after serve_wake(), and now and then.
 */
#ifndef KOIKOI_SERVE_H
#define KOIKOI_SERVE_H

#include "str.h"

enum served {
    SERVED,                     /* and the next may come */
    SERVED_LATER,               /* not yet: hand it out again */
    SERVED_OVER                 /* hang up */
};

/* A request; all of it is gone when answer() returns. */
struct asked {
    int fd;                     /* the connection */
    bool again;                 /* it was put off before */
    const char *method, *path;  /* path without the query */
    const char *query;          /* "" if there is none */
    const char *head;           /* the header lines, "\r\n" before each */
    const char *body;           /* NUL-terminated */
    size_t n;                   /* bytes of the body */
};

struct serve;
typedef enum served serve_answer(void *arg, const struct asked *asked);

struct serve *serve_open(int port, serve_answer *answer, void *arg);    /* 0: any free port */
void serve_close(struct serve *s);
int serve_port(const struct serve *s);
void serve_wake(struct serve *s);
void serve_hang_up(struct serve *s);    /* all connections, as when a server ends */

/* `header`: one whole line without its CRLF, NULL: none. part: the answer breaks off in its
 * middle. */
void serve_send(int fd, int status, const char *header, const char *body, bool part);
void serve_bytes(int fd, const char *bytes, size_t n);                   /* anything at all */
/* The value of a header of the request, cut to fit `ret`; false: it has none. */
bool serve_header(const struct asked *asked, const char *name, char *ret, size_t size);

#endif
