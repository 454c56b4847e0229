/* What koikoi doctor asks of the account once it is known who it is: the keys that the server
 * has of its device, then its name and picture, which are set if that was asked for. */
#ifndef KOIKOI_MATRIX_EXAMINE_ACCOUNT_H
#define KOIKOI_MATRIX_EXAMINE_ACCOUNT_H

#include "wire.h"

/* The first question about `user`, whose device the bot is `device`. */
void examine_account_begin(struct matrix *m, struct arena *a, struct str user, struct str device,
                           struct request *next);
/* Reads an answer. False after the last; *next is the next question till then. */
bool examine_account_read(struct matrix *m, struct arena *a, const struct reply *reply,
                          struct request *next, struct findings *ret);

#endif
