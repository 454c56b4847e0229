/* Handling of failed polls: retry with back-off, give up, or get a new access token. */
#ifndef KOIKOI_MATRIX_POLL_ERRORS_H
#define KOIKOI_MATRIX_POLL_ERRORS_H

#include "wire.h"

/* The poll brought nothing; retry. Sets ret->wait_ms (1, 2, 4 ... 64 s, or longer if the server
 * asks for it) and *err. Always returns false. */
bool poll_errors_retry(struct matrix *m, const char *what, const struct reply *reply,
                       const struct wire_error *t, struct batch *ret, struct err *err);
/* The account cannot work. Sets ret->fatal; the caller sets *err. Always returns false. */
bool poll_errors_fatal(struct batch *ret);
/* The server refuses the access token: plans a refresh or a new login in *next. Returns false, with
 * ret->fatal and *err, if the token is the configured one. */
bool poll_errors_token_lost(struct matrix *m, const struct wire_error *t,
                            struct matrix_session *next, struct batch *ret,
                            struct err *err) MUST_CHECK;

#endif
