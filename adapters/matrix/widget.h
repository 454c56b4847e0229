/* The daemon's page beside a room, and the proofs of its readers. */
#ifndef KOIKOI_MATRIX_WIDGET_H
#define KOIKOI_MATRIX_WIDGET_H

#include "send.h"

/* True if the one who asks for the page, and the bot, have the power for it. */
bool widget_may(const struct sending *s);
void widget_request(const struct sending *s, struct request *ret);
/* Reads a final answer, or why there was no request. */
void widget_read(const struct sending *s);

/* prove() of the adapter: the bytes are the OpenID token of a client, as JSON. */
enum proved widget_prove(void *account, struct arena *a, const struct proving *p,
                         struct proof *ret);

#endif
