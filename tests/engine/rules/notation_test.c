/* The one-line notation: every reachable state is written and read back; a wrong byte is refused
 * with its place. */
#include "test.h"
#include "notation.h"
#include "presets.h"
#include "rounds.h"
#include "table.h"

#include <string.h>

static void expect_move(const char *note, int kind, const char *card, const char *take)
{
    char out[NOTATION_MOVE_MAX];
    struct move m = move_of(note);
    assert_int_equal(m.kind, kind);
    assert_true(card == NULL ? m.card == CARD_NONE : CARD(m.card) == set_of(card));
    assert_true(m.take == set_of(take));
    assert_int_equal(notation_move(m, out), strlen(note));
    assert_string_equal(out, note);
}

TEST(moves_both_ways)
{
    expect_move("1b", MOVE_PLAY, "1b", "");
    expect_move("1b=1r", MOVE_PLAY, "1b", "1r");
    expect_move("11p=11b+11a+11r", MOVE_PLAY, "11p", "11b 11a 11r");
    expect_move("/12p1=12b", MOVE_CHOOSE, "12p1", "12b");
    expect_move("/=12b", MOVE_CHOOSE, NULL, "12b");
    expect_move("koikoi", MOVE_KOIKOI, NULL, "");
    expect_move("stop", MOVE_STOP, NULL, "");
    expect_move("declare", MOVE_DECLARE, NULL, "");
    expect_move("redeal", MOVE_REDEAL, NULL, "");
    expect_move("resign", MOVE_RESIGN, NULL, "");
}

TEST(wrong_moves_are_refused_where_they_go_wrong)
{
    static const struct {
        const char *note;
        int at;
    } bad[] = {{"", 0},           {"13b", 0},
               {"1b=", 3},        {"1b=1r+", 6},
               {"1b=1r+1r", 6},   {"1b=1p1+1r", 7},
               {"1b=1b", 0},      {"1b ", 2},
               {" 1b", 0},        {"/", 1},
               {"/12p1=12p1", 1}, {"koikoi!", 6},
               {"stopp", 4},      {"1b=2a+2r+2p1+2p2", 13},
               {"1b=x", 3},       {"KOIKOI", 0},
               {"1b=1r1p1", 5}};
    struct move m = {.kind = 77};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(notation_read_move(bad[i].note, strlen(bad[i].note), &m), bad[i].at);
        assert_int_equal(m.kind, 77);
    }
}

TEST(rule_sets_both_ways)
{
    struct rng c = rng_seed(71);
    char line[NOTATION_MAX], again[NOTATION_MAX];
    for (int i = 0; i < 2000; i++) {
        struct rules r = i < N_PRESETS ? presets[i] : random_rules(&c), back;
        int n = notation_rules(&r, line);
        assert_int_equal(n, strlen(line));
        assert_int_equal(notation_read_rules(line, (size_t)n, &back), -1);
        notation_rules(&back, again);
        assert_string_equal(line, again);
        assert_memory_equal(back.yaku, r.yaku, sizeof r.yaku);
        assert_memory_equal(back.purse, r.purse, sizeof r.purse);
        assert_string_equal(back.words, r.words);
        for (const char *ch = line; *ch != '\0'; ch++)
            assert_in_range(*ch, '!', '~');
    }
}

/* Replaces the first `from` of a valid line. */
static void edited(const char *line, const char *from, const char *to, char *ret)
{
    const char *at = strstr(line, from);
    assert_non_null(at);
    size_t head = (size_t)(at - line);
    memcpy(ret, line, head);
    memcpy(ret + head, to, strlen(to));
    memcpy(ret + head + strlen(to), at + strlen(from), strlen(at + strlen(from)) + 1);
}

static int rules_fault(const char *from, const char *to)
{
    char good[NOTATION_MAX], wrong[NOTATION_MAX];
    struct rules r = {.rounds = 99};
    notation_rules(&presets[PRESET_SENSEI], good);
    edited(good, from, to, wrong);
    int at = notation_read_rules(wrong, strlen(wrong), &r);
    assert_int_equal(r.rounds, 99);
    return at;
}

static int place(const char *what)
{
    char good[NOTATION_MAX];
    notation_rules(&presets[PRESET_SENSEI], good);
    return (int)(strstr(good, what) - good);
}

TEST(wrong_rule_sets_are_refused_where_they_go_wrong)
{
    struct rules r;
    assert_int_equal(rules_fault("R1;", "R2;"), 0);
    assert_int_equal(rules_fault(";capture=0", ";kapture=0"), place(";capture=0") + 1);
    assert_int_equal(rules_fault(";capture=0", ";capture=2"),
                     place(";capture=0")); /* right form, no such value */
    assert_int_equal(rules_fault(";capture=0", ";capture=300"), place(";capture=0") + 9);
    assert_int_equal(rules_fault(";capture=0", ";capture=00"), place(";capture=0") + 9);
    assert_int_equal(rules_fault(";capture=0", ";capture=-1"), place(";capture=0") + 9);
    assert_int_equal(rules_fault(";capture=0", ";capture="), place(";capture=0") + 9);
    assert_int_equal(rules_fault(";capture=0", ""), place(";capture=0") + 1);
    assert_int_equal(rules_fault(";yaku=10,8", ";yaku=10,101"), place(";yaku="));
    assert_int_equal(rules_fault(";multipliers.seven_plus.x=2", ";multipliers.seven_plus.x=1"),
                     place(";multipliers.seven_plus.x=2"));
    assert_int_equal(rules_fault(";name=sensei", ";name=a_name_that_is_much_too_long_for_it"),
                     9 - 1);
    assert_int_equal(rules_fault(";name=sensei", ";name=Sensei"), place(";name="));
    assert_int_equal(rules_fault(";deck=hanafuda", ";deck=hanafuda;"), place(";deck=") + 14);
    assert_int_equal(notation_read_rules("", 0, &r), 0);
    static char huge[NOTATION_MAX * 2];
    memset(huge, 'a', sizeof huge);
    assert_int_equal(notation_read_rules(huge, sizeof huge, &r), NOTATION_MAX);
}

static void check_match(const struct ruleset *g, const struct match *m)
{
    char line[NOTATION_MAX], again[NOTATION_MAX];
    struct match back;
    int n = notation_match(m, line);
    assert_int_equal(n, strlen(line));
    int at = notation_read_match(g, line, (size_t)n, &back);
    if (at >= 0)
        fail_msg("refused at %d: %s", at, line);
    notation_match(&back, again);
    assert_string_equal(line, again);
    assert_int_equal(back.round.phase, m->round.phase);
    assert_memory_equal(back.round.hand, m->round.hand, sizeof m->round.hand);
    assert_memory_equal(back.round.taken, m->round.taken, sizeof m->round.taken);
    assert_memory_equal(back.round.last_decision, m->round.last_decision,
                        sizeof m->round.last_decision);
    assert_memory_equal(&back.round.result, &m->round.result, sizeof m->round.result);
    assert_memory_equal(back.scores, m->scores, sizeof m->scores);
    assert_true(back.round.field == m->round.field && back.round.drawn == m->round.drawn);
}

static void step(const struct ruleset *g, struct match *m, struct rng *c)
{
    struct move moves[MAX_MOVES];
    if (m->stage == MATCH_READY) {
        deal_next(g, m, c);
        return;
    }
    int seat = rng_next(c) % 4 == 0 ? (int)(rng_next(c) % m->players) : m->round.turn;
    int n = round_legal(g, &m->round, seat, moves);
    struct move mv = n > 0 ? moves[rng_next(c) % (uint64_t)n]
                           : (struct move){.kind = MOVE_RESIGN, .card = CARD_NONE};
    if (n > 0 || rng_next(c) % 100 == 0)
        match_apply(g, m, seat, mv, NULL);
}

TEST(matches_both_ways_at_every_step)
{
    struct rng c = rng_seed(72);
    for (int i = 0; i < 60; i++) {
        struct rules r = i < 2 * N_PRESETS ? presets[i % N_PRESETS] : random_rules(&c);
        const struct ruleset *g = ready(0, &r);
        struct match m;
        r.rounds = r.rounds_allowed[0];
        g = ready(0, &r);
        match_start(&r, (r.players_allowed >> 3 & 1) != 0 && i % 2 ? 3 : 2, 0, &m);
        check_match(g, &m);
        while (m.stage != MATCH_OVER) {
            step(g, &m, &c);
            check_match(g, &m);
        }
        match_start(&r, 2, 1, &m);
        if (i % 2)
            step(g, &m, &c);
        if (m.stage != MATCH_OVER)
            match_leave(g, &m, 0, NULL);
        check_match(g, &m);
    }
}

/* A running match with one play behind it, and its line. */
static struct match running(char *line)
{
    const struct ruleset *g = preset(PRESET_SENSEI);
    uint8_t deck[N_CARDS];
    struct match m;
    match_start(&g->rules, 2, 0, &m);
    deck_of(&g->rules, 2, 0,
            (const char *const[]){"1b 2a 3b 4a 5a 6a 7a 8a", "1r 2r 3r 4r 5r 6r 7r 8b"},
            "1p1 9r 9p1 10a 10r 11r 12b 12p2", "3p1 12p1", deck);
    match_deal(g, &m, deck, NULL);
    assert_int_equal(match_apply(g, &m, 0, move_of("1b=1p1"), NULL), LEGAL);
    notation_match(&m, line);
    return m;
}

static int match_fault(const char *from, const char *to, int *ret_place)
{
    char good[NOTATION_MAX], wrong[NOTATION_MAX];
    struct match m = {.attempt = 4242};
    running(good);
    edited(good, from, to, wrong);
    *ret_place = (int)(strstr(good, from) - good);
    int at = notation_read_match(preset(PRESET_SENSEI), wrong, strlen(wrong), &m);
    assert_int_equal(m.attempt, 4242);
    return at;
}

TEST(wrong_matches_are_refused_where_they_go_wrong)
{
    static const struct {
        const char *from, *to;
        int after;
    } bad[] = {
        {"M1;", "M2;", 0},               /* another version */
        {";players=2", ";players=3", 0}, /* sensei is for two */
        {";players=2", ";players=4", 9},
        {";stage=1", ";stage=3", 7},
        {";stage=1", ";stage=0", 0}, /* the round still runs */
        {";round=1,1", ";round=0,1", 7},
        {";round=1,1;", ";round=13,1;", 29}, /* sensei has no extra rounds: the totals' place */
        {";dealer=0", ";dealer=2", 8},
        {";end=0,-1", ";end=1,-1", 0},
        {";end=0,-1", ";end=0,0", 0},
        {";scores=100,100", ";scores=100,101", 0}, /* coins came from nowhere */
        {";scores=100,100", ";scores=100", 11},
        {";won=0,0", ";won=2,0", -15},
        {";moves=1b=1p1,/3p1", ";moves=1b,/3p1", 7},      /* it must capture */
        {";moves=1b=1p1,/3p1", ";moves=1b=1p1,/3p2", 14}, /* not what was drawn */
        {";moves=1b=1p1,/3p1", ";moves=1b=1p1", 13},      /* the draw is missing */
        {";moves=1b=1p1,/3p1", ";moves=1r=1p1,/3p1", 7},  /* not in that hand */
        {";moves=1b=1p1,/3p1", ";moves=1b=1p1,/3p1,", 19},
        {";moves=1b=1p1,/3p1", ";moves=1b=1p1,/3p1,stop", 19},
        {";moves=1b=1p1,/3p1", ";moves=1b=1p1,/3p1,redeal", 25},
        {";moves=1b=1p1,/3p1", ";moves=1b=1p1,/3p1,redeal@1", 19},
        {";moves=1b=1p1,/3p1", ";moves=1b=1p1/3p1", 13},
        {";moves=1b=1p1,/3p1", ";muves=", 1},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        int where, at = match_fault(bad[i].from, bad[i].to, &where);
        if (at < 0)
            fail_msg("accepted: %s", bad[i].to);
        if (at != where + bad[i].after)
            fail_msg("%s: refused at %d, expected %d", bad[i].to, at, where + bad[i].after);
    }
}

TEST(a_deck_has_every_card_once)
{
    char line[NOTATION_MAX], wrong[NOTATION_MAX];
    struct match m;
    running(line);
    edited(line, ";deal=0,1r", ";deal=0,2r", wrong); /* 2r comes again, second */
    assert_int_equal(notation_read_match(preset(PRESET_SENSEI), wrong, strlen(wrong), &m),
                     (int)(strstr(line, ";deal=") - line) + 10);
    *strstr(line, ";moves") = '\0';
    assert_int_equal(notation_read_match(preset(PRESET_SENSEI), line, strlen(line), &m),
                     strlen(line));
}

TEST(the_result_kept_is_the_result_played)
{
    const struct ruleset *g = preset(PRESET_SENSEI);
    char line[NOTATION_MAX], wrong[NOTATION_MAX];
    struct match m = running(line);
    match_leave(g, &m, 0, NULL);
    notation_match(&m, line);
    check_match(g, &m);
    edited(line, ";last=6,-1,0,0", ";last=6,-1,0,5", wrong);
    assert_int_equal(notation_read_match(g, wrong, strlen(wrong), &m),
                     strstr(line, ";last=") - line);
    edited(line, ";end=3,1", ";end=0,1", wrong);
    assert_int_equal(notation_read_match(g, wrong, strlen(wrong), &m),
                     strstr(line, ";end=") - line);
    edited(line, ";end=3,1", ";end=1,1", wrong); /* over by rounds, but at a tie */
    assert_int_equal(notation_read_match(g, wrong, strlen(wrong), &m),
                     strstr(line, ";end=") - line);
}

/* A redeal may be called out of turn: the line names the seat. */
TEST(a_redeal_keeps_its_caller)
{
    const struct ruleset *g = preset(PRESET_OKOSHKI);
    char line[NOTATION_MAX], wrong[NOTATION_MAX];
    uint8_t deck[N_CARDS];
    struct match m;
    match_start(&g->rules, 2, 0, &m);
    deck_of(&g->rules, 2, 0,
            (const char *const[]){"3r 4r 5r 6r 7r 8b 9r 12b", "1b 1r 1p1 1p2 2a 3b 4a 5a"},
            "8p1 9a 10a 10r 11b 11a 12p1 6a", "10p1", deck);
    match_deal(g, &m, deck, NULL);
    assert_int_equal(match_apply(g, &m, 1, move_of("redeal"), NULL), LEGAL);
    check_match(g, &m);
    notation_match(&m, line);
    assert_non_null(strstr(line, ";moves=redeal@1"));
    edited(line, "redeal@1", "redeal@0", wrong);
    assert_int_equal(notation_read_match(g, wrong, strlen(wrong), &m),
                     strstr(line, "redeal@1") - line);
}

/* A line with a damaged byte is refused, or is valid and is written again as it was read. */
TEST(damaged_lines_never_pass_as_something_else)
{
    struct rng c = rng_seed(73);
    char line[NOTATION_MAX], hurt[NOTATION_MAX], again[NOTATION_MAX];
    int refused = 0;
    running(line);
    int n = (int)strlen(line);
    for (int i = 0; i < 4000; i++) {
        struct match m;
        memcpy(hurt, line, sizeof hurt);
        int at = (int)(rng_next(&c) % (uint64_t)n);
        hurt[at] = (char)(' ' + rng_next(&c) % 96);
        int length = i % 8 == 0 ? at : n;
        if (notation_read_match(preset(PRESET_SENSEI), hurt, (size_t)length, &m) >= 0) {
            refused++;
            continue;
        }
        assert_int_equal(notation_match(&m, again), length);
        assert_memory_equal(again, hurt, (size_t)length);
    }
    assert_true(refused > 3000);
}
