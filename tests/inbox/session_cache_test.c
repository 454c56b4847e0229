/* What is remembered of a session is what reading its line would give, through whole matches; and
 * it is found by that line alone: neither what a failed transaction wrote nor what was stored
 * before it is ever taken for it. */
#include "core/sitting.h"
#include "shell/random_match.h"
#include "shell/scratch.h"

#include "arena.h"
#include "recall.h"
#include "view.h"

static struct arena *arena;
static struct recall *recall;
static struct made made;

static int open_all(void **state)
{
    (void)state;
    arena = arena_open((size_t)1 << 28);
    recall = recall_open();
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    recall_close(recall);
    arena_close(arena);
    return 0;
}

static void deal(struct session *s, uint64_t seed)
{
    struct ruleset g;
    uint8_t deck[N_CARDS];
    ruleset_make(&s->rules, &g);
    deck_shuffled(seed, deck);
    match_deal(&g, &s->match, deck, NULL);
}

static struct session begun(const struct rules *r, int players, uint64_t seed)
{
    struct session s = sitting_down(r, players);
    s.no = (int64_t)(seed % 4000) + 1;
    s.version = 1;
    NAME_PUT(s.id, arena_print(arena, "m%u", (unsigned)seed));
    for (int i = 0; i < players; i++)
        NAME_PUT(s.player[i].name, arena_print(arena, "%c %% \xC3\xA9", 'A' + i));
    match_start(r, players, 0, &s.match);
    deal(&s, seed);
    return s;
}

static struct str written(const struct session *s)
{
    struct buf b = {arena_alloc(arena, SESSION_MAX), 0, SESSION_MAX, false};
    return session_write(s, &b);
}

/* All that a step could tell them apart by. */
static void same(const struct session *a, const struct session *b)
{
    const struct ruleset *g = made_ruleset(&made, &a->rules);
    assert_int_equal(a->no, b->no);
    assert_true(str_is(written(a), written(b)));
    for (int seat = -1; seat < a->players; seat++) {
        struct view of_a, of_b;
        memset(&of_a, 0, sizeof of_a);
        memset(&of_b, 0, sizeof of_b);
        view_of(g, &a->match, seat, &of_a);
        view_of(g, &b->match, seat, &of_b);
        assert_memory_equal(&of_a, &of_b, sizeof of_a);
    }
    assert_memory_equal(a->match.round.deck, b->match.round.deck, N_CARDS);
    for (int i = a->players; i < MAX_PLAYERS; i++)
        assert_true(a->player[i].account == b->player[i].account &&
                    a->player[i].lot == b->player[i].lot);
}

/* Kept as it was written, found as it would be read. */
static void keep_and_look(const struct session *s)
{
    struct session found, read;
    struct str line = written(s);
    recall_keep(recall, s->no, line, s);
    assert_true(recall_find(recall, s->no, line, &found));
    assert_null(session_read(line, &made, &read));
    same(&found, &read);
}

static void matches_are_kept_as_they_are_read(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct luck luck = luck_seed(seed * 977);
        struct rules r = random_short_rules(&luck);
        int players = r.players_allowed >> 3 & 1 && seed % 2 ? 3 : 2;
        if (!(r.players_allowed >> players & 1))
            players = r.players_allowed >> 2 & 1 ? 2 : 3;
        struct session s = begun(&r, players, seed);
        struct ruleset g;
        ruleset_make(&r, &g);
        while (s.match.stage != MATCH_OVER) {
            struct move legal[MAX_MOVES];
            keep_and_look(&s);
            if (s.match.stage == MATCH_READY) {
                deal(&s, luck_next(&luck));
                continue;
            }
            int seat = s.match.round.turn, n = round_legal(&g, &s.match.round, seat, legal);
            match_apply(&g, &s.match, seat, legal[luck_next(&luck) % (unsigned)n], NULL);
            s.version++;
        }
        arena_reset(arena);
    }
}

/* Seats that are not there are not written: what a step left in them is forgotten. */
static void nothing_is_kept_that_is_not_written(void **state)
{
    (void)state;
    struct rules r = rules_named("sensei");
    struct session s = begun(&r, 2, 5);
    s.player[2].account = 1;
    s.player[2].lot = CARD_NONE;
    s.more[0].account = 2;
    keep_and_look(&s);
    struct session found;
    assert_true(recall_find(recall, s.no, written(&s), &found));
    assert_true(found.player[2].account == 0 && found.player[2].lot == 0 &&
                found.more[0].account == 0);
}

/* A transaction makes a move and fails; the store still has the line before it, and another move
 * follows. All three are of the same match, the last two of the same version. */
static void a_change_that_was_undone_is_not_found(void **state)
{
    (void)state;
    struct rules r = rules_named("standard");
    struct ruleset g;
    struct move legal[MAX_MOVES];
    struct session before = begun(&r, 2, 11), undone, other, found = {.no = -7};
    ruleset_make(&r, &g);
    int seat = before.match.round.turn, n = round_legal(&g, &before.match.round, seat, legal);
    assert_in_range(n, 2, MAX_MOVES);
    undone = other = before;
    match_apply(&g, &undone.match, seat, legal[0], NULL);
    match_apply(&g, &other.match, seat, legal[n - 1], NULL);
    undone.version = other.version = before.version + 1;
    recall_keep(recall, before.no, written(&before), &before);
    recall_keep(recall, undone.no, written(&undone), &undone);
    assert_false(recall_find(recall, before.no, written(&before), &found));
    assert_false(recall_find(recall, other.no, written(&other), &found));
    assert_int_equal(found.no, -7);
    keep_and_look(&other);
    assert_false(recall_find(recall, undone.no, written(&undone), &found));
}

/* Far more matches than there are places: each is found or not, never taken for another; and one
 * whose line has grown is kept too. */
static void many_matches_do_not_mix(void **state)
{
    (void)state;
    struct rules r = rules_named("sensei");
    struct session s = begun(&r, 2, 3), found;
    int known = 0;
    for (s.no = 1; s.no <= 3000; s.no++) {
        NAME_PUT(s.id, arena_print(arena, "id%d", (int)s.no));
        recall_keep(recall, s.no, written(&s), &s);
    }
    for (s.no = 1; s.no <= 3000; s.no++) {
        NAME_PUT(s.id, arena_print(arena, "id%d", (int)s.no));
        if (recall_find(recall, s.no, written(&s), &found)) {
            known++;
            assert_int_equal(found.no, s.no);
            assert_string_equal(found.id, s.id);
        }
    }
    assert_in_range(known, 100, 2999);
    s.no = 3000;
    memset(s.home.chat_name, 'n', sizeof s.home.chat_name - 1);
    memset(s.player[0].id, 'i', sizeof s.player[0].id - 1);
    memset(s.player[1].id, '%', sizeof s.player[1].id - 1); /* three bytes each */
    keep_and_look(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches_are_kept_as_they_are_read),
        cmocka_unit_test(nothing_is_kept_that_is_not_written),
        cmocka_unit_test(a_change_that_was_undone_is_not_found),
        cmocka_unit_test(many_matches_do_not_mix),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
