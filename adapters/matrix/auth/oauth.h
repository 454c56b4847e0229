/* The OAuth device grant (RFC 8628), for servers without password login: the steps to a first pair
 * of tokens, and the refresh of a pair. */
#ifndef KOIKOI_MATRIX_OAUTH_H
#define KOIKOI_MATRIX_OAUTH_H

#include "wire.h"

/* The next of STEP_METADATA ... STEP_GRANT; there is no access token. */
void oauth_poll(struct matrix *m, struct arena *a, struct request *ret);
bool oauth_read(struct matrix *m, struct arena *a, const struct reply *reply,
                struct matrix_session *next, struct batch *ret, struct err *err) MUST_CHECK;
/* The request of STEP_REFRESH for tokens that came from the grant. */
void oauth_refresh(struct matrix *m, struct arena *a, struct request *ret);

#endif
