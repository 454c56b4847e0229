/* Session cache: its sessions equal those read from their lines, through whole matches. A line
 * alone finds its session: neither a line of a failed transaction nor an older one finds
 * another. */
#include "engine/test.h"
#include "fixture/session_fixture.h"
#include "fixture/match/random_match.h"
#include "fixture/scratch.h"

#include "arena.h"
#include "inbox_internal.h"
#include "view.h"

static struct arena *arena;
static struct cache *session_cache;
static struct ruleset_cache rulesets;

FIXTURE(open_all)
{
    arena = arena_open((size_t)1 << 28);
    session_cache = session_cache_open();
    return 0;
}

FIXTURE(close_all)
{
    cache_close(session_cache);
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
    struct session s = session_fixture_match(r, players);
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

/* Compares everything that a step can see. */
static void same(const struct session *a, const struct session *b)
{
    const struct ruleset *g = ruleset_cache_get(&rulesets, &a->rules);
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

/* Stored as written, found as read. */
static void keep_and_look(const struct session *s)
{
    struct session found, read;
    struct str line = written(s);
    session_cache_put(session_cache, s->no, line, s);
    assert_true(session_cache_find(session_cache, s->no, line, &found));
    assert_null(session_read(line, &rulesets, &read));
    same(&found, &read);
}

TEST(cached_sessions_equal_parsed_ones)
{
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct rng rng = rng_seed(seed * 977);
        struct rules r = random_short_rules(&rng);
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
                deal(&s, rng_next(&rng));
                continue;
            }
            int seat = s.match.round.turn, n = round_legal(&g, &s.match.round, seat, legal);
            match_apply(&g, &s.match, seat, legal[rng_next(&rng) % (unsigned)n], NULL);
            s.version++;
        }
        arena_reset(arena);
    }
}

/* Unused seats are not written: bytes that a step left in them are lost. */
TEST(unwritten_seats_are_not_cached)
{
    struct rules r = rules_named("sensei");
    struct session s = begun(&r, 2, 5);
    s.player[2].account = 1;
    s.player[2].lot = CARD_NONE;
    s.venue[1].account = 2;
    keep_and_look(&s);
    struct session found;
    assert_true(session_cache_find(session_cache, s.no, written(&s), &found));
    assert_true(found.player[2].account == 0 && found.player[2].lot == 0 &&
                found.venue[1].account == 0);
}

/* A transaction makes a move and fails; the store still has the line before it, and another move
 * follows. All three are of the same match, the last two of the same version. */
TEST(a_session_is_found_by_its_whole_line_alone)
{
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
    session_cache_put(session_cache, before.no, written(&before), &before);
    session_cache_put(session_cache, undone.no, written(&undone), &undone);
    assert_false(session_cache_find(session_cache, before.no, written(&before), &found));
    assert_false(session_cache_find(session_cache, other.no, written(&other), &found));
    assert_int_equal(found.no, -7);
    keep_and_look(&other);
    assert_false(session_cache_find(session_cache, undone.no, written(&undone), &found));
}

/* Far more matches than the cache holds: each is found or not, never confused; so is one whose line
 * has grown. */
TEST(many_matches_do_not_mix)
{
    struct rules r = rules_named("sensei");
    struct session s = begun(&r, 2, 3), found;
    int known = 0;
    for (s.no = 1; s.no <= 3000; s.no++) {
        NAME_PUT(s.id, arena_print(arena, "id%d", (int)s.no));
        session_cache_put(session_cache, s.no, written(&s), &s);
    }
    for (s.no = 1; s.no <= 3000; s.no++) {
        NAME_PUT(s.id, arena_print(arena, "id%d", (int)s.no));
        if (session_cache_find(session_cache, s.no, written(&s), &found)) {
            known++;
            assert_int_equal(found.no, s.no);
            assert_string_equal(found.id, s.id);
        }
    }
    assert_in_range(known, 100, 2999);
    s.no = 3000;
    memset(s.venue[0].chat_name, 'n', sizeof s.venue[0].chat_name - 1);
    memset(s.player[0].id, 'i', sizeof s.player[0].id - 1);
    memset(s.player[1].id, '%', sizeof s.player[1].id - 1); /* three bytes each */
    keep_and_look(&s);
}

TESTS_WITH(open_all, close_all)
