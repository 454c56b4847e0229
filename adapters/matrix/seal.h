/* The seam where end-to-end encryption would sit: everything that is put into a room passes
 * seal_close, everything heard passes seal_open. Today rooms are spoken to in the clear, and what
 * is encrypted cannot be opened. With keys, close would turn (type, content) into m.room.encrypted
 * and open would turn that back; nothing else in the adapter would change. */
#ifndef KOIKOI_MATRIX_SEAL_H
#define KOIKOI_MATRIX_SEAL_H

#include "room.h"

struct sealed { const char *type; cJSON *content; };

/* Takes the content. */
struct sealed seal_close(const struct matrix *m, struct str room, const char *type, cJSON *content);
/* The event as it was before it was sealed; NULL: it cannot be read. */
const cJSON *seal_open(const struct matrix *m, const cJSON *event);

#endif
