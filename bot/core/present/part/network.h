/* Networks as rendering sees them: one login each, with what it can do and how much a message
 * holds.
 */
#ifndef KOIKOI_NETWORK_H
#define KOIKOI_NETWORK_H

#include "ability.h"

/* One login to a network, and what can be done with it. */
struct network {
    int64_t account; /* in the store */
    uint32_t can;    /* bits of enum ability */
    struct limits limits;
    const uint8_t *key; /* signs button data, PRESS_KEY_BYTES */
};
struct networks {
    int n;
    const struct network *at;
};

#endif
