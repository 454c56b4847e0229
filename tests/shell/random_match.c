/* See random_match.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "random_match.h"
#include "ruleset_file.h"

uint64_t dice(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    uint64_t x = *state ^ (*state >> 29);
    x *= 0x9e3779b97f4a7c15u;
    return x ^ (x >> 32);
}

static unsigned pick(uint64_t *state, unsigned n)
{
    return (unsigned)(dice(state) % n);
}

struct rules rules_named(const char *name)
{
    struct rules r;
    struct err err;

    if (!ruleset_file_find((struct str){NULL, 0}, str_of(name), &r, &err))
        fail_msg("%s", err.text);
    return r;
}

static void turn_knobs(uint64_t *s, struct rules *r)
{
    r->first_dealer = (uint8_t)pick(s, 3);
    r->tie_break = (uint8_t)pick(s, 2);
    r->table_four = (uint8_t)pick(s, 2);
    r->hand_four = (uint8_t)pick(s, 2);
    r->has_hand_yaku = pick(s, 2);
    memset(r->hand_yaku, 0, sizeof r->hand_yaku);
    r->claim = CLAIM_DECLARED;
    r->hand_yaku_multiplied = false;
    if (r->has_hand_yaku) {
        for (int h = 1; h < N_HAND_YAKU; h++)
            r->hand_yaku[h] = (uint8_t)(pick(s, 3) * 4);
        r->claim = (uint8_t)pick(s, 2);
        r->hand_yaku_multiplied = pick(s, 2);
    }
    r->deal_order = (uint8_t)pick(s, 3);
    r->deal_packet = (uint8_t)(1 + pick(s, 9));
    r->capture = (uint8_t)pick(s, 2);
    r->wild_lightning = pick(s, 2);
    r->exhausted = (uint8_t)pick(s, 2);
    r->own_koikoi = (uint8_t)pick(s, 3);
    r->opponent_koikoi = (uint8_t)pick(s, 3);
    r->any_koikoi = (uint8_t[]){DOUBLING_NONE, DOUBLING_ONCE, DOUBLING_PLUS_ONE_EACH}[pick(s, 3)];
    r->table_brights = pick(s, 2);
    for (int y = 0; y < N_YAKU; y++)
        if (pick(s, 3) == 0)
            r->yaku[y] = (uint8_t)pick(s, 12);
    r->rain_cancels = (uint8_t)pick(s, 3);
    r->viewing_both = (uint8_t)pick(s, 5);
    r->viewing_with_brights = pick(s, 2);
    r->sake_is_plain = pick(s, 2);
    r->trio_extra = (uint8_t)pick(s, 3);
}

struct rules random_rules(uint64_t *state)
{
    static const char *const names[] = {"sensei", "mongolopedia", "okoshki", "standard"};
    struct rules r = rules_named(names[pick(state, 4)]);

    turn_knobs(state, &r);
    r.n_rounds_allowed = 2;
    r.rounds_allowed[0] = r.rounds = 2;
    r.rounds_allowed[1] = 3;
    if (r.scoring == SCORING_COINS) {
        r.n_purse = 2;
        r.purse_rounds[0] = 2;
        r.purse_rounds[1] = 3;
        r.purse[0] = (int16_t)(1 + pick(state, 30));
        r.purse[1] = 25;
    }
    assert_null(rules_check(&r));
    return r;
}

struct move random_move(void *arg, int who, const struct view *v, uint64_t seed)
{
    const int *resign_in = arg;

    (void)who;
    if (*resign_in > 0 && dice(&seed) % (unsigned)*resign_in == 0)
        return (struct move){.kind = MOVE_RESIGN, .card = CARD_NONE};
    return v->legal[dice(&seed) % v->n_legal];
}

struct str random_record(const struct rules *r, int players, uint64_t seed, int resign_in, char *room,
                         size_t size)
{
    struct selfplay s = {.rules = r, .players = players, .id = STR("test"),
                         .names = {STR("Ann"), STR("Bo \"\xc3\xa9\""), STR("Ann")},
                         .seed = seed, .choose = random_move, .arg = &resign_in};
    struct buf b = {room, 0, size, false};
    uint8_t joined[MAX_PLAYERS];
    struct match m;

    assert_true(selfplay_match(&s, &b, &m, joined));
    return buf_str(&b);
}
