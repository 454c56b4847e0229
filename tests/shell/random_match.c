/* See random_match.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "random_match.h"
#include "ruleset_file.h"
#include "engine/table.h"

struct rules rules_named(const char *name)
{
    struct rules r;
    struct err err;

    if (!ruleset_file_find((struct str){NULL, 0}, str_of(name), &r, &err))
        fail_msg("%s", err.text);
    return r;
}

struct rules random_short_rules(struct luck *luck)
{
    struct rules r = random_rules(luck);

    r.n_rounds_allowed = 2;
    r.rounds_allowed[0] = r.rounds = 2;
    r.rounds_allowed[1] = 3;
    r.first_dealer = (uint8_t)(luck_next(luck) % 3);
    if (r.scoring == SCORING_COINS) {
        r.n_purse = 2;
        r.purse_rounds[0] = 2;
        r.purse_rounds[1] = 3;
        r.purse[0] = (int16_t)(1 + luck_next(luck) % 30);
        r.purse[1] = 25;
    }
    assert_null(rules_check(&r));
    return r;
}

struct move random_move(void *arg, int who, const struct view *v, uint64_t seed)
{
    const int *resign_in = arg;

    (void)who;
    struct luck luck = luck_seed(seed);
    if (*resign_in > 0 && luck_next(&luck) % (unsigned)*resign_in == 0)
        return (struct move){.kind = MOVE_RESIGN, .card = CARD_NONE};
    return v->legal[luck_next(&luck) % v->n_legal];
}

struct str random_record(const struct rules *r, int players, uint64_t seed, int resign_in,
                         char *room, size_t size)
{
    struct selfplay s = {.rules = r,
                         .players = players,
                         .id = STR("test"),
                         .names = {STR("Ann"), STR("Bo \"\xc3\xa9\""), STR("Ann")},
                         .seed = seed,
                         .choose = random_move,
                         .arg = &resign_in};
    struct buf b = {room, 0, size, false};
    uint8_t joined[MAX_PLAYERS];
    struct match m;

    assert_true(selfplay_match(&s, &b, &m, joined));
    return buf_str(&b);
}
