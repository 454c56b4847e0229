/* Sending: one outgoing -> one request after another, and their answers -> a receipt. */
#ifndef KOIKOI_MATRIX_SEND_H
#define KOIKOI_MATRIX_SEND_H

#include "adapter.h"

void matrix_send(void *account, struct arena *a, const struct outgoing *out, struct request *ret);
void matrix_receipt(void *account, struct arena *a, const struct outgoing *out,
                    const struct reply *reply, struct receipt *ret);

#endif
