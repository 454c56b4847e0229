/* Client of a public beacon: the HTTP interface of drand. It reads the chain's description once,
 * and rounds as matches want them. The loop carries its requests; results come back as finished
 * jobs.
 *
 *     beacon_client_open(url)
 *     beacon_client_want(b, session, version, round)      in the transaction of a match that waits
 *     while ((tag = beacon_client_ask(b, now, turn, &request)))    http_start(http, &request, tag)
 *     beacon_client_reply(b, tag, now, &reply, &err)      the answer; false: it could not be used
 *     while (beacon_client_next(b, turn, &done))          a value for a session
 *
 * A round that could not be had is forgotten: the session asks again while it waits. What is
 * checked of an answer: that it is of this round, and that the value is the hash of the signature.
 * The signature itself is not checked here; a transfer over https is.
 */
#ifndef KOIKOI_BEACON_CLIENT_H
#define KOIKOI_BEACON_CLIENT_H

#include "adapter.h"
#include "work.h"

struct beacon_client;
struct beacon_chain;

struct beacon_client *beacon_client_open(struct str url);
void beacon_client_close(struct beacon_client *b);
const struct beacon_chain *beacon_client_chain(const struct beacon_client *b);

/* A round that is wanted twice is asked for once. */
void beacon_client_want(struct beacon_client *b, int64_t session, int64_t version, int64_t round);
/* The next request, and its tag, which begins with FLIGHT_BEACON. Returns NULL if none is due. */
void *beacon_client_ask(struct beacon_client *b, int64_t mono, struct arena *turn,
                        struct request *ret);
/* When the next request is due, monotonic ms; INT64_MAX: not by itself. */
int64_t beacon_client_due(const struct beacon_client *b);
bool beacon_client_reply(struct beacon_client *b, void *tag, int64_t mono,
                         const struct reply *reply, struct err *err) MUST_CHECK;
bool beacon_client_next(struct beacon_client *b, struct arena *turn, struct job_done *ret);

#endif
