/* Pages that the daemon serves for a network: tables in a browser. */
#ifndef KOIKOI_PAGES_H
#define KOIKOI_PAGES_H

#include "str.h"

struct pages {
    struct str
        listen;     /* ADDRESS:PORT in numbers; empty: where the daemon likes, beside a terminal */
    struct str url; /* the address as seen from outside, without a slash at its end; empty: that
                          of `listen` */
    struct str proxies; /* addresses with blanks between, whose X-Forwarded-For is believed */
    struct str frames;  /* hosts, with blanks between, whose pages may show these in a frame */
    int64_t streams, per_address; /* most readers in all, and of one address */
};

#endif
