/* See chance.h. SHA-256 and HMAC-SHA256 are libsodium's; the rest is the published scheme to the
 * letter. */
#include "chance.h"

#include <assert.h>
#include <sodium.h>

void chance_hex(const struct seed *s, char ret[static SEED_HEX_SIZE])
{
    sodium_bin2hex(ret, SEED_HEX_SIZE, s->at, SEED_SIZE);
}

void chance_commit(const struct seed *s, char ret[static SEED_HEX_SIZE])
{
    struct seed hash;
    crypto_hash_sha256(hash.at, s->at, SEED_SIZE);
    chance_hex(&hash, ret);
}

bool chance_read_seed(struct str hex, struct seed *ret)
{
    return str_hex(hex, ret->at, SEED_SIZE);
}

bool chance_is_hash(struct str value, struct str signature)
{
    crypto_hash_sha256_state state;
    struct seed wanted, hash;
    if (!chance_read_seed(value, &wanted) || signature.n == 0 || signature.n % 2 != 0)
        return false;
    crypto_hash_sha256_init(&state);
    for (size_t i = 0; i < signature.n; i += 2) {
        unsigned char byte;
        if (!str_hex((struct str){signature.p + i, 2}, &byte, 1))
            return false;
        crypto_hash_sha256_update(&state, &byte, 1);
    }
    crypto_hash_sha256_final(&state, hash.at);
    return memcmp(&hash, &wanted, sizeof hash) == 0;
}

bool chance_text_ok(struct str s)
{
    return s.n == 0 || memchr(s.p, '\0', s.n) == NULL;
}

/* The endless stream of bytes that a shuffle draws from. */
struct stream {
    crypto_auth_hmacsha256_state prefix; /* has absorbed the message of a block except its number */
    uint32_t block;
    uint8_t bytes[crypto_auth_hmacsha256_BYTES];
    unsigned used;
};

static void absorb(struct stream *s, struct str part)
{
    static const unsigned char zero;
    crypto_auth_hmacsha256_update(&s->prefix, (const unsigned char *)part.p, part.n);
    crypto_auth_hmacsha256_update(&s->prefix, &zero, 1);
}

static void absorb_number(struct stream *s, int n)
{
    char digits[24];
    struct buf b = BUF(digits);
    buf_int(&b, n);
    absorb(s, buf_str(&b));
}

static void next_block(struct stream *s)
{
    crypto_auth_hmacsha256_state state = s->prefix;
    char digits[24];
    struct buf b = BUF(digits);
    buf_int(&b, s->block++);
    crypto_auth_hmacsha256_update(&state, (const unsigned char *)digits, b.n);
    crypto_auth_hmacsha256_final(&state, s->bytes);
    s->used = 0;
}

/* A number 0 ... n - 1, all equally likely: values in the last, incomplete row of n are drawn
 * again. */
static unsigned below(struct stream *s, unsigned n)
{
    uint64_t limit = ((uint64_t)1 << 32) / n * n;
    for (;;) {
        if (s->used == sizeof s->bytes) /* 32 is a multiple of 4: no number spans two blocks */
            next_block(s);
        const uint8_t *p = s->bytes + s->used;
        uint32_t v = p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
        s->used += 4;
        if (v < limit)
            return v % n;
    }
}

void chance_shuffle(const struct seed *s, struct str match_id, int round, int attempt, int players,
                    const struct str *client, struct str beacon, uint8_t ret_deck[static N_CARDS])
{
    struct stream stream = {.block = 0};
    assert(chance_text_ok(match_id));
    crypto_auth_hmacsha256_init(&stream.prefix, s->at, SEED_SIZE);
    absorb(&stream, beacon.n ? STR("koikoi-deck-v2") : STR("koikoi-deck-v1"));
    absorb(&stream, match_id);
    absorb_number(&stream, round);
    absorb_number(&stream, attempt);
    for (int i = 0; i < players; i++) {
        assert(chance_text_ok(client[i]));
        absorb(&stream, client[i]);
    }
    if (beacon.n)
        absorb(&stream, beacon);
    next_block(&stream);
    for (unsigned i = 0; i < N_CARDS; i++)
        ret_deck[i] = (uint8_t)i;
    for (unsigned i = N_CARDS - 1; i > 0; i--) {
        unsigned j = below(&stream, i + 1);
        uint8_t card = ret_deck[i];
        ret_deck[i] = ret_deck[j];
        ret_deck[j] = card;
    }
}

void chance_duel(const struct seed *day, int round, int attempt, struct seed *ret)
{
    struct stream stream = {.block = 0};
    crypto_auth_hmacsha256_init(&stream.prefix, day->at, SEED_SIZE);
    absorb(&stream, STR("koikoi-duel-v1"));
    absorb_number(&stream, round);
    absorb_number(&stream, attempt);
    crypto_auth_hmacsha256_final(&stream.prefix, ret->at);
}

void chance_rest(const struct seed *s, struct str match_id, int round, int attempt, int n,
                 uint8_t deck[static N_CARDS])
{
    uint8_t other[N_CARDS];
    cardset rest = 0;
    int at = N_CARDS - n;
    for (int i = at; i < N_CARDS; i++)
        rest |= CARD(deck[i]);
    chance_shuffle(s, match_id, round, attempt, 0, NULL, NO_BEACON, other);
    for (int i = 0; i < N_CARDS; i++)
        if (rest & CARD(other[i]))
            deck[at++] = other[i];
}

void chance_seats(enum first_dealer how, int players, const uint8_t deck[static N_CARDS],
                  struct seats *ret)
{
    struct seats s = {.has_lots = how == FIRST_LOTS};
    for (int i = 0; i < players; i++)
        s.joined[i] = (uint8_t)i;
    if (how == FIRST_LOTS)
        lots_draw(deck, players, s.joined, s.lots);
    else if (how == FIRST_RANDOM)
        s.dealer = (uint8_t)((card_month(deck[0]) + 1) % players);
    *ret = s;
}

int64_t beacon_round_after(const struct beacon_chain *c, int64_t now)
{
    if (c->period == 0)
        return 0;
    return now < c->genesis ? 1 : (now - c->genesis) / c->period + 2;
}

int64_t beacon_published(const struct beacon_chain *c, int64_t round)
{
    return c->period == 0 ? 0 : c->genesis + (round - 1) * c->period;
}
