/* Addresses on the internet, apart from those of a machine, a private network or a special purpose
 * (the special-purpose registries of IANA, RFC 6890). */
#ifndef KOIKOI_ADDRESS_H
#define KOIKOI_ADDRESS_H

#include <stdbool.h>

struct sockaddr;

/* True for an IPv4 or IPv6 address that belongs to the public internet. An IPv6 address that stands
 * for an IPv4 one (mapped, 6to4, Teredo, NAT64) does not. */
bool address_is_public(const struct sockaddr *at);

#endif
