/* HTTP/1.1 server on loopback: one thread, epoll, timers, keep-alive.
 *
 *     wire_listen(0);                        any free port
 *     wire_run(on_request, after_events);    until wire_stop()
 *
 * on_request is called for each whole request and must answer it, at once or later, by wire_reply()
 * with request.from; the connection's next request comes only after that. after_events runs once
 * per round. */
#ifndef FAKE_WIRE_H
#define FAKE_WIRE_H

#include "text.h"

#include <stdbool.h>

/* What happens to an answer on its way: the connection is reset in its middle, or the body is cut
 * in half under a Content-Length of the whole. */
enum harm { HARM_NONE, HARM_RESET, HARM_CUT };

struct wire_request {
    char *path;  /* without the query */
    char *query; /* "" if there is none */
    char *type;  /* Content-Type; "" if there is none */
    char *body;  /* with a NUL behind its n bytes; may be changed in place */
    size_t n;
    uint64_t from;
};

void wire_listen(int port);
int wire_port(void);
void wire_run(void (*on_request)(struct wire_request *), void (*after_events)(void));
void wire_stop(void);
void wire_silence(uint64_t from); /* drops later replies to this request */
bool wire_alive(uint64_t from);   /* true if the client still waits */
/* `headers`: whole lines with their CRLF, or "". */
void wire_reply(uint64_t from, int status, const char *headers, const char *body, size_t n,
                enum harm harm);
/* Sends a whole request to another server on loopback. `answered` gets the status; 0 if there was
 * no answer. */
void wire_ask(int port, struct text_buffer request, void (*answered)(void *with, int status),
              void *with);
uint64_t wire_connections(void); /* accepted so far */

int64_t wire_now(void);                                     /* ns, monotonic */
int64_t wire_cpu(void);                                     /* CPU time of this process, ns */
void wire_at(int64_t ns, void (*call)(void *), void *with); /* once, at wire_now() >= ns */

#endif
