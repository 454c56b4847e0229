/* What the operator's commands need to know, and what they order: see operator.c. */
#ifndef KOIKOI_OPERATOR_H
#define KOIKOI_OPERATOR_H

#include "str.h"

struct operator_facts {
    int64_t running, chats; /* matches and open challenges, and the chats that have them */
    int64_t waiting;        /* messages */
    int64_t quarantined, n_banned;
    int64_t recent;     /* chats that an announcement reaches */
    struct str names;   /* of people who are banned: "#12 Ann, #13 Bo" */
    bool banned;        /* mention[0] is */
    struct str matches; /* that mention[0] plays now: "#12, #15" */
};

/* BAN_TOLD: the person has read that they are banned. */
enum operator_order { ORDER_DRAIN, ORDER_BAN, ORDER_BAN_TOLD, ORDER_ANNOUNCE };
struct operator_effects {
    uint8_t order;
    bool on; /* DRAIN, BAN */
    int64_t person;
    struct str text; /* ANNOUNCE */
};

#endif
