/* Parts that every way to an access token shares. */
#ifndef KOIKOI_MATRIX_TOKEN_H
#define KOIKOI_MATRIX_TOKEN_H

#include "wire.h"

/* A request without an access token. */
void token_request(struct arena *a, const char *method, struct str url, const char *what,
                   struct request *ret);
/* Reads a pair of tokens, from whichever endpoint, into *next. Returns false if the answer holds
 * none. */
bool token_read(struct arena *a, const struct reply *reply, struct matrix_session *next);

#endif
