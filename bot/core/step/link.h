/* Handles of one person on several networks, for /link and /unlink: see link.c. */
#ifndef KOIKOI_LINK_H
#define KOIKOI_LINK_H

#include "arg.h"

struct link_facts {
    int64_t own;         /* the sender's handle as a person of its own; world.me.person.person
                                     is the person it is linked to, if any */
    bool linked;         /* that person has other handles */
    int wrong;           /* wrong codes from this handle in the last hour */
    int64_t owner;       /* the person whose valid code was typed; 0: none */
    struct handle whose; /* the handle that asked for the code */
    struct str name, here, there; /* of the owner; of the sender's and the owner's network */
    bool same_network;            /* both have a handle on one network */
    int64_t both;                 /* a live match in which both sit; 0: none */
};

enum link_kind { LINK_CODE, LINK_WRONG, LINK_JOIN, LINK_PART };
struct link_effects {
    uint8_t kind;
    struct str code; /* LINK_CODE: replaces an older code of the sender */
    int64_t expires;
    /* LINK_JOIN: `other` becomes `person`; LINK_PART: the sender's handle is `other` again */
    int64_t person, other;
};

#endif
