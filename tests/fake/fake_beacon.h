/* Fake drand chain: what its HTTP interface answers. A round is published every
 * FAKE_BEACON_PERIOD_S seconds; its signature is made up, its value is the hash of that, as on a
 * real chain.
 *
 *     status = fake_beacon_answer("/info", how, now, body)
 *     beacon.serve = serve_open(0, fake_beacon_serve, fake_beacon_round, &beacon)
 *                                                         the same as a server on loopback
 */
#ifndef KOIKOI_FAKE_BEACON_H
#define KOIKOI_FAKE_BEACON_H

#include "serve.h"

enum { FAKE_BEACON_PERIOD_S = 3, FAKE_BEACON_BODY = 1024, FAKE_BEACON_VALUE = 65 };

enum fake_beacon_way {
    FAKE_BEACON_GOOD,
    FAKE_BEACON_DEAD,  /* knows the chain; hangs up when asked for a round */
    FAKE_BEACON_SLOW,  /* the same, but says nothing until it has another way */
    FAKE_BEACON_LIES,  /* a value that is not the hash of the signature */
    FAKE_BEACON_OTHER, /* a whole round, but not the one asked for */
    FAKE_BEACON_ODD    /* something that is no JSON object */
};

/* A server: serve_open()'s argument. */
struct fake_beacon {
    _Atomic int way;            /* enum fake_beacon_way */
    const _Atomic int64_t *now; /* unix ms */
    struct serve *serve;        /* set by its owner before the first request */
    _Atomic int asked;          /* requests for rounds so far */
    uint64_t waiting;           /* of its thread: the request without an answer; 0: none */
    char path[128];
};
serve_answer fake_beacon_serve;
serve_round fake_beacon_round;

/* The value of a round, lower-case hex. */
void fake_beacon_value(int64_t round, char ret[static FAKE_BEACON_VALUE]);
/* Returns the status; 0: no answer. */
int fake_beacon_answer(struct str path, enum fake_beacon_way way, int64_t now,
                       char ret[static FAKE_BEACON_BODY]);

#endif
