/* Any bytes as what a beacon answers: to the question for the chain, or for a round. The first byte
 * says which, and the status. A description that counts has a period; a value that counts is a
 * hash, and reaches the session that waits for it; after a bad answer no session waits. */
#include <stdint.h>

#include "chance.h"
#include "beacon_client.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BEACON_FUZZ_ROUND = 7 };

static void beacon_describe(struct arena *turn, const struct reply *reply)
{
    static struct beacon_client *b; /* asks again after a failure, once after a success */
    static int64_t mono;
    struct request request = {0};
    struct err err = {""};
    if (!b)
        b = beacon_client_open(STR("https://beacon.example.org/"));
    mono += 3600 * 1000;
    void *tag = beacon_client_ask(b, mono, turn, &request);
    assert(tag && str_is(request.url, STR("https://beacon.example.org/info")));
    if (!beacon_client_reply(b, tag, mono, reply, &err)) {
        assert(err.text[0] != '\0' && beacon_client_chain(b)->period == 0);
        return;
    }
    const struct beacon_chain *chain = beacon_client_chain(b);
    assert(chain->genesis > 0 && chain->period >= 1000);
    int64_t round = beacon_round_after(chain, chain->genesis + 5 * chain->period);
    assert(beacon_published(chain, round) > chain->genesis + 5 * chain->period);
    assert(beacon_client_due(b) == INT64_MAX);
    beacon_client_close(b);
    b = NULL;
}

static void beacon_round(struct arena *turn, const struct reply *reply)
{
    static struct beacon_client *b;
    static int64_t version;
    struct request request = {0};
    struct job_done done = {0};
    struct err err = {""};
    if (!b) {
        b = beacon_client_open(STR("https://beacon.example.org"));
        (void)beacon_client_ask(b, 1, turn, &request); /* the description; never answered */
    }
    beacon_client_want(b, 3, ++version, BEACON_FUZZ_ROUND);
    void *tag = beacon_client_ask(b, 1, turn, &request);
    assert(tag && str_is(request.url, STR("https://beacon.example.org/public/7")));
    bool good = beacon_client_reply(b, tag, 1, reply, &err);
    bool brought = beacon_client_next(b, turn, &done);
    struct seed value;
    assert(brought == good && (good || err.text[0] != '\0'));
    assert(!good || (done.session == 3 && done.version == version));
    assert(!good || chance_read_seed(done.output, &value));
    assert(!beacon_client_next(b, turn, &done) && !beacon_client_ask(b, 1, turn, &request));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct arena *turn;
    if (!turn)
        turn = arena_open((size_t)1 << 24);
    if (size == 0)
        return 0;
    arena_reset(turn);
    struct reply reply = {.status = data[0] & 2 ? 425 : 200, .retry_after_ms = -1, .now = 1};
    reply.body = (struct str){(const char *)data + 1, size - 1};
    if (data[0] & 1)
        beacon_round(turn, &reply);
    else
        beacon_describe(turn, &reply);
    return 0;
}
