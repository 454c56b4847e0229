/* The OAuth device grant (RFC 8628), for servers without a login by password: the steps that lead
 * to the first pair of tokens, and the renewal of a pair. */
#ifndef KOIKOI_MATRIX_OAUTH_H
#define KOIKOI_MATRIX_OAUTH_H

#include "cursor.h"

/* The next of the steps STEP_METADATA ... STEP_GRANT; there is no access token. */
void oauth_poll(struct matrix *m, struct arena *a, struct request *ret);
bool oauth_read(struct matrix *m, struct arena *a, const struct reply *reply, struct session *next,
                struct batch *ret, struct err *err) MUST_CHECK;
/* The request of STEP_REFRESH, where the tokens came from here. */
void oauth_ask_refresh(struct matrix *m, struct arena *a, struct request *ret);

#endif
