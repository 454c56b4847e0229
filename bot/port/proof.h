/* Proof of a person by bytes that their browser sends: a secret that it keeps, or what a network gives
 * to a page that it shows. */
#ifndef KOIKOI_PROOF_H
#define KOIKOI_PROOF_H

#include "request.h"
#include "update.h"

/* Bytes, and the answers to what the network was asked for them so far. */
struct proving {
    struct str bytes;
    int64_t now; /* unix ms */
    int answers;
    const struct reply *reply; /* the last answer; NULL if `answers` is 0 */
};
enum proved {
    PROVED_NO,
    PROVED_ASK, /* `ask` first */
    PROVED
};
struct proof {
    struct sender who;
    struct str once;    /* the bytes count once in an account, under this name; empty: always */
    bool confirm;       /* others may have got the bytes too: the browser waits until its person has
                        said in a chat that it is theirs, once */
    struct request ask; /* PROVED_ASK */
};

#endif
