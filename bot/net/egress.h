/* Ways out of this machine: the proxy of a request, and the certificates that are trusted. From the
 * two options ca_file and proxy, and from the environment, which is read at the start alone.
 *
 *     egress_open(&egress)                                    what the environment names
 *     egress_use(&egress, ca_file, proxy, of_system, &err)    what the options name, ahead of it
 *     egress_close(&egress)
 */
#ifndef KOIKOI_EGRESS_H
#define KOIKOI_EGRESS_H

#include "err.h"
#include "str.h"

struct egress {
    bool proxied;       /* a proxy is named, for some requests at least */
    char *proxy;        /* that of the option; NULL: the environment's */
    char *no_proxy;     /* hosts that are asked directly all the same; set with `proxy` */
    struct str trusted; /* certificates (PEM) of the system and of ca_file; empty: the system's */
};

void egress_open(struct egress *r);
/* Both options may be empty: see http_use(). of_system: path of the system's certificates, or NULL.
 * Errors name the option. */
bool egress_use(struct egress *r, struct str ca_file, struct str proxy, const char *of_system,
                struct err *err) MUST_CHECK;
/* The proxy that is named; NULL: none. */
const char *egress_proxy(const struct egress *r);
void egress_close(struct egress *r);

#endif
