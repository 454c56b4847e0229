/* See fake_beacon.h. */
#include "fake_beacon.h"

#include <sodium.h>
#include <stdio.h>

enum { GENESIS_S = 1000, SIGNATURE = 48 };

/* 48 bytes, as of a signature in G1. */
static void signature_of(int64_t round, unsigned char ret[static SIGNATURE])
{
    for (int i = 0; i < SIGNATURE; i++)
        ret[i] = (unsigned char)(round * 31 + i * 7);
}

void fake_beacon_value(int64_t round, char ret[static FAKE_BEACON_VALUE])
{
    unsigned char signature[SIGNATURE], hash[crypto_hash_sha256_BYTES];
    signature_of(round, signature);
    crypto_hash_sha256(hash, signature, sizeof signature);
    sodium_bin2hex(ret, FAKE_BEACON_VALUE, hash, sizeof hash);
}

static void print_round(int64_t round, bool lies, char *ret)
{
    unsigned char bytes[SIGNATURE];
    char signature[2 * SIGNATURE + 1], value[FAKE_BEACON_VALUE];
    signature_of(round, bytes);
    sodium_bin2hex(signature, sizeof signature, bytes, sizeof bytes);
    fake_beacon_value(lies ? round + 1 : round, value);
    snprintf(ret, FAKE_BEACON_BODY, "{\"round\":%lld,\"randomness\":\"%s\",\"signature\":\"%s\"}",
             (long long)round, value, signature);
}

int fake_beacon_answer(struct str path, enum fake_beacon_way way, int64_t now,
                       char ret[static FAKE_BEACON_BODY])
{
    int64_t round = 0, last = (now / 1000 - GENESIS_S) / FAKE_BEACON_PERIOD_S + 1;
    if (str_is(path, STR("/info"))) {
        snprintf(
            ret, FAKE_BEACON_BODY,
            "{\"public_key\":\"83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e7601834"
            "\",\"period\":%d,\"genesis_time\":%d,\"hash\":\"52db9ba70e0cc0f6eaf7803dd07447a1\","
            "\"schemeID\":\"bls-unchained-g1-rfc9380\",\"metadata\":{\"beaconID\":\"fake\"}}",
            FAKE_BEACON_PERIOD_S, GENESIS_S);
        return 200;
    }
    ret[0] = '\0';
    if (!str_starts(path, STR("/public/")) || !str_int(str_skip(path, 8), &round))
        return 404;
    if (way == FAKE_BEACON_DEAD || way == FAKE_BEACON_SLOW)
        return 0;
    if (round > last) {
        snprintf(ret, FAKE_BEACON_BODY, "{\"error\":\"round is in the future\"}");
        return 425;
    }
    if (way == FAKE_BEACON_ODD)
        snprintf(ret, FAKE_BEACON_BODY, "[\"round\",%lld", (long long)round);
    else
        print_round(way == FAKE_BEACON_OTHER ? round - 1 : round, way == FAKE_BEACON_LIES, ret);
    return 200;
}

static void answer(struct fake_beacon *b, uint64_t from, const char *path)
{
    char body[FAKE_BEACON_BODY];
    enum fake_beacon_way way = (enum fake_beacon_way)b->way;
    int status = fake_beacon_answer(str_of(path), way, *b->now, body);
    b->waiting = 0;
    if (status > 0) {
        serve_reply(b->serve, from, status, "", body, SERVE_WHOLE);
    } else if (way == FAKE_BEACON_SLOW) {
        b->waiting = from;
        snprintf(b->path, sizeof b->path, "%s", path);
    } else {
        serve_end(b->serve, from);
    }
}

void fake_beacon_serve(void *arg, struct serve_request *r)
{
    struct fake_beacon *b = arg;
    b->asked += str_starts(str_of(r->path), STR("/public/"));
    answer(b, r->from, r->path);
}

void fake_beacon_round(void *arg)
{
    struct fake_beacon *b = arg;
    if (b->waiting && b->way != FAKE_BEACON_SLOW)
        answer(b, b->waiting, b->path);
}
