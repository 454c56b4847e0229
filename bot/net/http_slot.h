/* Slot of one transfer: libcurl's handle, the request it was given and the answer so far. Slots are
 * used again. Included by http*.c alone.
 *
 *     slot = http_slot_make(ready, proxied)   `ready` watches its sockets
 *     http_slot_fill(slot, &request, tag)     copies what it needs
 *     http_slot_clear(slot)                   frees what it held of the request and its answer
 */
#ifndef KOIKOI_HTTP_SLOT_H
#define KOIKOI_HTTP_SLOT_H

#include <curl/curl.h>

#include "adapter.h"
#include "ready.h"

struct http_slot {
    struct http_slot *next, *before; /* in the list of busy or idle slots */
    CURL *easy;
    void *tag;
    CURLU *parts;  /* of the last address */
    size_t n_host; /* of its beginning, up to the path; in host */
    char host[256];
    struct curl_slist *headers;
    curl_mime *mime;
    char *body;
    size_t n, cap, most; /* most: of the body */
    size_t n_head;       /* bytes of the answer's headers so far */
    int64_t begun;       /* monotonic ms of the first byte of the body */
    const char *refused; /* the reason why the transfer was not begun or was ended; NULL: none */
    bool over;           /* the answer is larger than allowed */
    bool once;           /* a POST: libcurl may not send it again by itself */
    int sent;            /* how often libcurl has begun to send it */
};

/* `proxied`: the environment may name a proxy for it. */
struct http_slot *http_slot_make(struct ready *ready, bool proxied);
void http_slot_free(struct http_slot *s); /* not while it is running */
void http_slot_fill(struct http_slot *s, const struct request *r, void *tag);
void http_slot_clear(struct http_slot *s);

#endif
