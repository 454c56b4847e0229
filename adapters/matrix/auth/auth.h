/* Getting and keeping an access token. The files call downwards only: auth.c (what is next), then
 * login.c and oauth.c (the two ways to a first token), then token.c (their shared parts). */
#ifndef KOIKOI_MATRIX_AUTH_H
#define KOIKOI_MATRIX_AUTH_H

#include "wire.h"

/* The next request towards a working token; false if there is one already. */
bool auth_poll(struct matrix *m, struct arena *a, struct request *ret) MUST_CHECK;
/* Reads its answer into *next, which is stored before its tokens are used. */
bool auth_read(struct matrix *m, struct arena *a, const struct reply *reply,
               struct matrix_session *next, struct batch *ret, struct err *err) MUST_CHECK;

#endif
