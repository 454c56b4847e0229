/* See address.h. */
#include "address.h"

#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct range {
    uint8_t first[16];
    int bits;
};

/* Of IPv4: everything else is public. */
static const struct range special[] = {
    {{0}, 8},
    {{10}, 8},
    {{100, 64}, 10},
    {{127}, 8},
    {{169, 254}, 16},
    {{172, 16}, 12},
    {{192, 0, 0}, 24},
    {{192, 0, 2}, 24},
    {{192, 31, 196}, 24},
    {{192, 52, 193}, 24},
    {{192, 88, 99}, 24},
    {{192, 168}, 16},
    {{192, 175, 48}, 24},
    {{198, 18}, 15},
    {{198, 51, 100}, 24},
    {{203, 0, 113}, 24},
    {{224}, 3},
};
/* Of IPv6 only 2000::/3 is given out, but for these. */
static const struct range given = {{0x20}, 3};
static const struct range kept[] = {
    {{0x20, 0x01}, 23},             /* protocols, Teredo, benchmarks */
    {{0x20, 0x01, 0x0d, 0xb8}, 32}, /* documentation */
    {{0x20, 0x02}, 16},             /* 6to4 */
    {{0x3f, 0xff}, 20},             /* documentation */
};

static bool is_in(const uint8_t *at, const struct range *r)
{
    int bytes = r->bits / 8, rest = r->bits % 8;
    unsigned mask = 0xffu << (8 - rest) & 0xffu;
    return memcmp(at, r->first, (size_t)bytes) == 0 &&
           (rest == 0 || ((at[bytes] ^ r->first[bytes]) & mask) == 0);
}

static bool is_in_one(const uint8_t *at, const struct range *all, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (is_in(at, &all[i]))
            return true;
    return false;
}

bool address_is_public(const struct sockaddr *at)
{
    if (at->sa_family == AF_INET) {
        struct sockaddr_in in;
        uint8_t bytes[4];
        memcpy(&in, at, sizeof in);
        memcpy(bytes, &in.sin_addr, sizeof bytes);
        return !is_in_one(bytes, special, sizeof special / sizeof *special);
    }
    if (at->sa_family == AF_INET6) {
        struct sockaddr_in6 in;
        memcpy(&in, at, sizeof in);
        return is_in(in.sin6_addr.s6_addr, &given) &&
               !is_in_one(in.sin6_addr.s6_addr, kept, sizeof kept / sizeof *kept);
    }
    return false;
}
