/* One transfer of http.c: libcurl's handle for it, the request it was given and the answer as it
 * comes. It is used again and again. Included by http*.c alone.
 *
 *     slot = slot_make(ready, proxied)   its sockets are told to `ready`
 *     slot_fill(slot, &request, tag)     copies what it needs
 *     slot_rest(slot)                    what it held of the request and its answer is let go
 */
#ifndef KOIKOI_HTTP_SLOT_H
#define KOIKOI_HTTP_SLOT_H

#include <curl/curl.h>

#include "adapter.h"
#include "ready.h"

struct slot {
    struct slot *next, *before; /* of those under way, or next idle one */
    CURL *easy;
    void *tag;
    CURLU *parts;  /* of the last address */
    size_t n_host; /* of its beginning, up to the path; in host */
    char host[256];
    struct curl_slist *headers;
    curl_mime *mime;
    char *body;
    size_t n, cap;
    bool over; /* more came than may come */
    bool once; /* a POST: what may have arrived is not sent again from here */
    int sent;  /* how often libcurl began to send it */
};

/* `proxied`: the environment may name a proxy for it. */
struct slot *slot_make(struct ready *ready, bool proxied);
void slot_free(struct slot *s); /* not while it is under way */
void slot_fill(struct slot *s, const struct request *r, void *tag);
void slot_rest(struct slot *s);

#endif
