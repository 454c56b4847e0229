/* The web adapter: shared by its files. */
#ifndef KOIKOI_ADAPTER_WEB_H
#define KOIKOI_ADAPTER_WEB_H

#include "adapter.h"

/* The id of a person has so many lower-case hex digits, that of a room too. */
enum { WEB_ID = 32 };

/* web_letter.c: the body of a letter of that slot. The format is in README.md. */
struct str web_letter(struct arena *a, const struct outgoing *out, struct str slot);

#endif
