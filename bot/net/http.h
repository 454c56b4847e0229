/* HTTP client, and the one line of the daemon that sleeps. Many transfers at once over connections
 * that are kept open; each has a time limit, and ceilings on the headers (64 KiB) and the body of
 * its answer (4 MiB, if the request names no other). A request that is too long for libcurl fails
 * as one without an answer.
 *
 *     http_open(&http, &err)
 *     http_use(http, ca_file, proxy, &err)  if the options name one
 *     http_start(http, &request, tag)       copies what it needs
 *     http_wait(http, fds, n, ms)           until something happens
 *     while (http_take(http, &done)) ...    done.reply.body lives until the next http_take
 *
 * https is verified: reply.why has the issuer of a certificate that is not trusted. Plain http is for
 * loopback and private networks of the operator's choice. URLs hold secrets and are never logged.
 */
#ifndef KOIKOI_HTTP_H
#define KOIKOI_HTTP_H

#include <poll.h>

#include "adapter.h"

struct http;

struct http_done {
    void *tag;
    struct reply reply; /* reply.now is not set; reply.why lives as long as the body */
};

bool http_open(struct http **ret, struct err *err) MUST_CHECK;
void http_close(struct http *h); /* drops transfers that are running */
/* Before the first request. ca_file: a file of certificates (PEM) that are trusted beside the
 * system's; empty: none. proxy: "http://HOST:PORT", "socks5h://USER:PASSWORD@HOST:PORT", which
 * loopback does not use; "none": no proxy; empty: what the environment names. */
bool http_use(struct http *h, struct str ca_file, struct str proxy, struct err *err) MUST_CHECK;
void http_start(struct http *h, const struct request *r, void *tag);
/* It goes before all others, and http_wait() ends as soon as it has: the others wait. */
void http_start_first(struct http *h, const struct request *r, void *tag);
bool http_take(struct http *h, struct http_done *ret);
/* Ends a transfer; its tag never comes back. */
void http_cancel(struct http *h, const void *tag);
int http_running(const struct http *h);
/* Sleeps until a transfer makes progress, one of `fds` (at most 65) is ready (revents is set) or
 * `ms` are over. */
void http_wait(struct http *h, struct pollfd *fds, int n, int ms);
/* Goes on with the transfers, which are taken later, until `fd` is ready (revents is set) or `ms` are
 * over: after that nothing is sent. `http` is a struct http. */
void http_meanwhile(void *http, struct pollfd *fd, int ms);
/* From now on may() is asked after each sleep; if it returns false, transfers do not go on in that
 * call. For a process that was stopped and must not finish what it began. */
void http_set_may(struct http *h, bool (*may)(void *arg), void *arg);

#endif
