/* See beacon_client.h. */
#include "beacon_client.h"

#include <assert.h>
#include <stdlib.h>

#include "alloc.h"
#include "effect.h"
#include "json.h"
#include "outbox.h"

enum {
    WANTS = 256, /* sessions that wait at once; more go without */
    FLIGHTS = 8, /* requests at once */
    TIMEOUT_MS = 4000,
    ANSWER_BYTES = 16 * 1024,
    CHAIN_AGAIN_MS = 30 * 1000, /* after the description could not be had */
    PERIOD_MOST_S = 24 * 3600
};

/* One transfer. The first member is what all tags of the loop begin with. */
struct beacon_flight {
    enum flight kind;
    bool busy;
    int64_t round; /* 0: the description of the chain */
};

struct want {
    int64_t session, version, round;
    char value[SEED_HEX_SIZE]; /* empty: not here yet */
};

struct beacon_client {
    struct beacon_chain chain;
    int64_t chain_due; /* monotonic; INT64_MAX: it is known, or being asked for */
    int n_wants;
    struct want want[WANTS];
    struct beacon_flight flight[FLIGHTS];
};

struct beacon_client *beacon_client_open(struct str url)
{
    struct beacon_client *b = alloc_zeroed(sizeof *b);
    while (url.n && url.p[url.n - 1] == '/')
        url.n--;
    NAME_PUT(b->chain.url, url);
    for (int i = 0; i < FLIGHTS; i++)
        b->flight[i].kind = FLIGHT_BEACON;
    return b;
}

void beacon_client_close(struct beacon_client *b)
{
    free(b);
}

const struct beacon_chain *beacon_client_chain(const struct beacon_client *b)
{
    return &b->chain;
}

void beacon_client_want(struct beacon_client *b, int64_t session, int64_t version, int64_t round)
{
    if (!b || b->n_wants == WANTS)
        return;
    for (int i = 0; i < b->n_wants; i++)
        if (b->want[i].session == session && b->want[i].version == version)
            return;
    b->want[b->n_wants++] = (struct want){.session = session, .version = version, .round = round};
}

void *beacon_client_ask(struct beacon_client *b, int64_t mono, struct arena *turn,
                        struct request *ret)
{
    int64_t round = b->chain_due <= mono ? 0 : -1; /* 0: the description, -1: nothing to ask for */
    int i = 0;
    for (int w = 0; w < b->n_wants && round < 0; w++) {
        bool asked = b->want[w].value[0] != 0;
        for (int k = 0; k < FLIGHTS; k++)
            asked |= b->flight[k].busy && b->flight[k].round == b->want[w].round;
        if (!asked)
            round = b->want[w].round;
    }
    while (i < FLIGHTS && b->flight[i].busy)
        i++;
    if (round < 0 || i == FLIGHTS)
        return NULL;
    if (round == 0)
        b->chain_due = INT64_MAX;
    b->flight[i].busy = true;
    b->flight[i].round = round;
    *ret = (struct request){.kind = REQUEST_HTTP,
                            .method = "GET",
                            .what = STR("beacon"),
                            .timeout_ms = TIMEOUT_MS,
                            .answer_bytes = ANSWER_BYTES};
    ret->url = round ? arena_print(turn, "%s/public/%lld", b->chain.url, (long long)round)
                     : arena_print(turn, "%s/info", b->chain.url);
    return &b->flight[i];
}

int64_t beacon_client_due(const struct beacon_client *b)
{
    return b->chain_due;
}

/* Gives the value to the sessions that wait for the round; without one, forgets them. */
static void end_wants(struct beacon_client *b, int64_t round, const char *value)
{
    int n = 0;
    for (int i = 0; i < b->n_wants; i++) {
        struct want w = b->want[i];
        if (w.round == round && !value)
            continue;
        if (w.round == round)
            memcpy(w.value, value, sizeof w.value);
        b->want[n++] = w;
    }
    b->n_wants = n;
}

bool beacon_client_reply(struct beacon_client *b, void *tag, int64_t mono,
                         const struct reply *reply, struct err *err)
{
    struct beacon_flight *f = tag;
    char value[SEED_HEX_SIZE];
    struct json v = json_open(reply->status == 200 ? reply->body : STR("{}"), JSON_FILE);
    assert(f->busy);
    f->busy = false;
    if (reply->status == 0)
        json_fail(v, NULL, "no answer: %.*s", STR_ARG(reply->why));
    else if (reply->status != 200)
        json_fail(v, NULL, "status: expected 200, got %d", reply->status);
    if (f->round) {
        int64_t found = json_int(v, "round", 1, (int64_t)1 << 53);
        struct str text = json_str(v, "randomness"), signature = json_str(v, "signature");
        if (found != f->round)
            json_fail(v, "round", "expected %lld, got %lld", (long long)f->round, (long long)found);
        if (!chance_is_hash(text, signature))
            json_fail(v, "randomness", "expected the SHA-256 of the signature");
        if (json_good(v))
            memcpy(value, text.p, text.n + 1);
        bool good = json_close(v, err);
        end_wants(b, f->round, good ? value : NULL);
        return good;
    }
    int64_t genesis = json_int(v, "genesis_time", 1, INT64_C(1) << 40);
    int64_t period = json_int(v, "period", 1, PERIOD_MOST_S);
    if (json_close(v, err)) {
        b->chain.genesis = genesis * 1000;
        b->chain.period = period * 1000;
        return true;
    }
    b->chain_due = mono + CHAIN_AGAIN_MS;
    return false;
}

bool beacon_client_next(struct beacon_client *b, struct arena *turn, struct job_done *ret)
{
    for (int i = 0; i < b->n_wants; i++) {
        const struct want w = b->want[i];
        if (!w.value[0])
            continue;
        *ret = (struct job_done){.tag = JOB_BEACON,
                                 .session = w.session,
                                 .version = w.version,
                                 .output = arena_str(turn, str_of(w.value))};
        b->want[i] = b->want[--b->n_wants];
        return true;
    }
    return false;
}
