/* Results of matches: what a season table, ratings and a recount must hold, whatever was played. */
#include "engine/stride.h"
#include "fixture/store_fixture.h"

#include "db_open.h"
#include "inbox_results.h"
#include "rng.h"
#include "store_rating.h"

#include <stdio.h>
#include <stdlib.h>

static struct err err;
static struct db *db; /* of the store */
static int64_t last_session;

enum { CHAT = 9, DAY = 24 * 3600 * 1000, DUMP_BYTES = 1 << 20 };
static const int64_t NOVEMBER_21 = INT64_C(1795262400000); /* 2026, 12:00 UTC */

static int setup(void **state)
{
    if (store_fixture_setup(state))
        return 1;
    store_close(store_fixture);
    last_session = 0;
    return !db_open(scratch_store(), &db, &err) || !store_open_db(db, &store_fixture, &err);
}

static int64_t person(const char *name)
{
    struct sender who = {.id = str_of(name), .name = str_of(name), .language = STR("en")};
    struct person p = store_person(store_fixture, store_fixture_arena, 1, &who);
    return p.id;
}

/* A match of two that was played to its end: points are those of the first. */
struct game {
    int64_t chat, at, one, other;
    int won; /* 1: the first, -1: the other, 0: a draw */
    int points;
    bool unmoved, casual, gave_up;
    bool everywhere; /* of all chats together */
};

static struct results_news played(struct game g)
{
    struct played rows[2];
    for (int i = 0; i < 2; i++) {
        int sign = i == 0 ? 1 : -1;
        rows[i] = (struct played){.chat = g.everywhere ? 0
                                          : g.chat     ? g.chat
                                                       : CHAT,
                                  .session = last_session + 1,
                                  .seat = i,
                                  .person = i == 0 ? g.one : g.other,
                                  .at = g.at ? g.at : NOVEMBER_21,
                                  .day = (g.at ? g.at : NOVEMBER_21) / DAY,
                                  .casual = g.casual,
                                  .rateable = !g.unmoved && !g.casual,
                                  .tally.won = g.won == sign,
                                  .tally.drawn = g.won == 0,
                                  .tally.lost = g.won == -sign,
                                  .tally.gave_up = g.gave_up && g.won == -sign,
                                  .tally.points = sign * g.points,
                                  .tally.rounds = 6,
                                  .tally.calls = g.points & 3,
                                  .tally.calls_won = g.points & 1,
                                  .best = g.points > 0 && i == 0 ? g.points : 0,
                                  .accuracy = NO_ACCURACY,
                                  .season = STR("2026-Q4"),
                                  .also = STR("2026-11 2026"),
                                  .rules = STR("sensei"),
                                  .best_hand = g.points > 0 && i == 0 ? STR("sanko=5") : STR(""),
                                  .yaku = i == 0 ? STR("sanko=1 tane=2") : STR("")};
    }
    last_session++;
    struct arena *turn = arena_open(1 << 20);
    struct results_news news = results_add(store_fixture, turn, rows, 2);
    arena_close(turn);
    return news;
}

static struct board_facts board(const char *season, int64_t asker, int page)
{
    struct season_asked asked = {
        .chat = CHAT, .asker = asker, .ends = NOVEMBER_21 + DAY, .now = NOVEMBER_21, .page = page};
    if (strcmp(season, SEASON_ALL) == 0)
        season_all(&asked.key);
    else
        assert_true(season_read(str_of(season), &asked.key));
    assert_true(season_read(STR("2026-Q4"), &asked.running));
    return season_table_load(store_fixture, store_fixture_arena, &asked);
}

static void order_is(const struct board_facts *f, const char *const *names, const int *places,
                     int n)
{
    assert_int_equal(f->n, n);
    for (int i = 0; i < n; i++) {
        assert_true(str_is(f->at[i].name, str_of(names[i])));
        assert_int_equal(f->at[i].place, places[i]);
    }
}

/* ---- the table ---- */

/* Ann, Bo and Cy have won three each. Bo beat Ann twice; Cy beat Dee. Ann has the most points. */
TEST_WITH(level_players_go_by_the_matches_between_them, setup, store_fixture_teardown)
{
    int64_t ann = person("Ann"), bo = person("Bo"), cy = person("Cy"), dee = person("Dee");
    played((struct game){.one = bo, .other = ann, .won = 1, .points = 1});
    played((struct game){.one = bo, .other = ann, .won = 1, .points = 1});
    played((struct game){.one = ann, .other = dee, .won = 1, .points = 50});
    played((struct game){.one = ann, .other = dee, .won = 1, .points = 50});
    played((struct game){.one = cy, .other = dee, .won = 1, .points = 30});
    played((struct game){.one = cy, .other = dee, .won = 1, .points = 30});
    played((struct game){.one = dee, .other = ann, .won = -1, .points = -1});
    played((struct game){.one = bo, .other = dee, .won = 1, .points = 1});
    played((struct game){.one = cy, .other = dee, .won = 1, .points = 1});
    struct board_facts f = board("2026-Q4", 0, 0);
    order_is(&f, (const char *[]){"Bo", "Cy", "Ann", "Dee"}, (int[]){1, 2, 3, 4}, 4);
    assert_int_equal(f.best->person, ann);
    assert_int_equal(f.best->best, 50);
    assert_true(str_is(f.best->best_hand, STR("sanko=5")));
}

/* Three with a win each, who have not met: the most points, then the fewest matches lost. */
TEST_WITH(then_by_points_and_then_by_losses, setup, store_fixture_teardown)
{
    int64_t ann = person("Ann"), bo = person("Bo"), cy = person("Cy"), dee = person("Dee");
    played((struct game){.one = ann, .other = dee, .won = 1, .points = 10});
    played((struct game){.one = ann, .other = dee, .won = -1, .points = -3});
    played((struct game){.one = bo, .other = dee, .won = 1, .points = 7});
    played((struct game){.one = cy, .other = dee, .won = 1, .points = 8});
    played((struct game){.one = dee, .other = person("Eve"), .won = 1, .points = 60});
    played((struct game){.one = dee, .other = person("Eve"), .won = 1, .points = 1});
    struct board_facts f = board("2026-Q4", 0, 0);
    order_is(&f, (const char *[]){"Dee", "Cy", "Bo", "Ann", "Eve"}, (int[]){1, 2, 3, 4, 5}, 5);
}

TEST_WITH(who_is_level_in_all_of_it_shares_a_place, setup, store_fixture_teardown)
{
    int64_t ann = person("Ann"), bo = person("Bo"), cy = person("Cy"), dee = person("Dee");
    played((struct game){.one = ann, .other = bo, .won = 1, .points = 7});
    played((struct game){.one = cy, .other = dee, .won = 1, .points = 7});
    struct board_facts f = board("2026-Q4", 0, 0);
    order_is(&f, (const char *[]){"Ann", "Cy", "Bo", "Dee"}, (int[]){1, 1, 3, 3}, 4);
}

TEST_WITH(the_own_row_is_on_every_page, setup, store_fixture_teardown)
{
    enum { PEOPLE = 23 };
    int64_t who[PEOPLE];
    for (int i = 0; i < PEOPLE; i++) {
        char name[16];
        snprintf(name, sizeof name, "P%02d", i);
        who[i] = person(name);
    }
    for (int i = 1; i < PEOPLE; i++) /* the i-th wins i times */
        for (int k = 0; k < i; k++)
            played((struct game){.one = who[i], .other = who[0], .won = 1, .points = 1});
    for (int page = 0; page < 3; page++) {
        struct board_facts f = board("2026-Q4", who[10], page);
        assert_int_equal(f.pages, 3);
        assert_int_equal(f.page, page);
        assert_int_equal(f.n, page < 2 ? 10 : 3);
        assert_int_equal(f.at[0].place, 10 * page + 1);
        assert_true(page == 1 ? !f.own : f.own->person == who[10] && f.own->place == 13);
    }
    assert_int_equal(board("2026-Q4", 0, 99).page, 2);
    assert_int_equal(board("2026-Q4", 0, 0).run->longest, 22);
}

TEST_WITH(a_closed_season_stays_as_it_was, setup, store_fixture_teardown)
{
    int64_t ann = person("Ann"), bo = person("Bo");
    struct board_facts f;
    played((struct game){.one = ann, .other = bo, .won = 1, .points = 7});
    struct season_asked asked = {.chat = CHAT, .now = NOVEMBER_21 + 2 * DAY};
    assert_true(season_read(STR("2026-Q4"), &asked.key));
    asked.running = asked.key;
    assert_true(season_table_close(store_fixture, store_fixture_arena, &asked, &f));
    order_is(&f, (const char *[]){"Ann", "Bo"}, (int[]){1, 2}, 2);
    for (int i = 0; i < 3; i++)
        played((struct game){.one = bo, .other = ann, .won = 1, .points = 9});
    f = board("2026-Q4", 0, 0);
    order_is(&f, (const char *[]){"Ann", "Bo"}, (int[]){1, 2}, 2);
    assert_int_equal(f.at[0].tally.points, 7);
    assert_false(season_table_close(store_fixture, store_fixture_arena, &asked, &f));
    f = board(SEASON_ALL, 0, 0);
    order_is(&f, (const char *[]){"Bo", "Ann"}, (int[]){1, 2}, 2);
    assert_int_equal(f.n_champions, 1);
    assert_true(str_is(f.champions[0].name, STR("Ann")));
    assert_string_equal(f.champions[0].season.text, "2026-Q4");
}

/* Midnights in Warsaw, whose clocks went forward on 29 March and back on 25 October 2026. */
TEST(a_season_ends_at_midnight_by_the_clock_of_that_day)
{
    static const struct {
        const char *season;
        int64_t end; /* unix seconds */
    } rows[] = {{"2026-01", 1769900400}, {"2026-03", 1774994400}, {"2026-Q1", 1774994400},
                {"2026-09", 1790805600}, {"2026-10", 1793487600}, {"2026-Q3", 1790805600},
                {"2026-12", 1798758000}, {"2026", 1798758000}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct season_key key;
        assert_true(season_read(str_of(rows[i].season), &key));
        assert_int_equal(season_end_in(STR("Europe/Warsaw"), &key), rows[i].end * 1000);
    }
    struct season_key by_hand;
    season_by_hand(3, &by_hand);
    assert_true(season_end_in(STR("UTC"), &by_hand) == INT64_MAX);
}

/* ---- ratings ---- */

static struct rating rated(int64_t who, int64_t *ret_matches)
{
    const struct rating_row *row = store_rating_of(store_fixture, store_fixture_arena, CHAT, who);
    struct rating r;
    *ret_matches = row ? row->matches : 0;
    rating_new(&r);
    assert_int_equal(
        rating_of(store_fixture, store_fixture_arena, CHAT, who, STR("2026-Q4"), NOVEMBER_21, &r),
        row != NULL);
    return r;
}

TEST_WITH(what_is_never_rated, setup, store_fixture_teardown)
{
    int64_t ann = person("Ann"), bo = person("Bo"), matches;
    assert_false(played((struct game){.one = ann, .other = bo, .won = 1, .unmoved = true}).rated);
    assert_false(played((struct game){.one = ann, .other = 0, .won = 1, .casual = true}).rated);
    rated(ann, &matches);
    assert_int_equal(matches, 0);
    for (int i = 0; i < RATED_PAIR_DAY; i++)
        assert_true(played((struct game){.one = ann, .other = bo, .won = 1}).rated);
    struct rating before = rated(ann, &matches);
    struct results_news news = played((struct game){.one = bo, .other = ann, .won = 1});
    assert_true(news.over_limit && !news.rated);
    struct rating after = rated(ann, &matches);
    assert_int_equal(matches, RATED_PAIR_DAY);
    assert_memory_equal(&before, &after, sizeof after);
    assert_true(played((struct game){.one = bo, .other = ann, .won = 1, .at = NOVEMBER_21 + DAY})
                    .rated); /* the next day */
    int64_t cy = person("Cy");
    assert_true(played((struct game){.one = ann, .other = cy, .won = 1}).rated);
}

TEST_WITH(a_forfeit_is_rated, setup, store_fixture_teardown)
{
    int64_t ann = person("Ann"), bo = person("Bo"), matches;
    assert_true(played((struct game){.one = ann, .other = bo, .won = 1, .gave_up = true}).rated);
    assert_true(rated(ann, &matches).points > rated(bo, &matches).points);
}

/* Three at a table: each pair is a game of its own, and who gives up loses to both. */
TEST_WITH(three_players_are_three_pairs, setup, store_fixture_teardown)
{
    const char *const names[] = {"Ann", "Bo", "Cy"};
    struct played rows[3];
    for (int i = 0; i < 3; i++)
        rows[i] = (struct played){.chat = CHAT,
                                  .session = 1,
                                  .seat = i,
                                  .person = person(names[i]),
                                  .at = NOVEMBER_21,
                                  .rateable = 1,
                                  .tally.won = i == 0,
                                  .tally.lost = i > 0,
                                  .tally.gave_up = i == 1,
                                  .tally.points = i == 0   ? 5
                                                  : i == 1 ? 20
                                                           : 3,
                                  .season = STR("2026-Q4"),
                                  .rules = STR("mongolopedia")};
    struct results_news news = results_add(store_fixture, store_fixture_arena, rows, 3);
    assert_true(news.rated);
    assert_true(news.rating[0].points > news.rating[2].points);
    assert_true(news.rating[2].points > news.rating[1].points);
    assert_int_equal(news.rating[2].points, 1500 * RATING_UNIT); /* won one, lost one */
    struct pairings met = store_pairings(store_fixture, store_fixture_arena, CHAT, STR("2026-Q4"),
                                         rows[2].person, rows[1].person, 9);
    assert_int_equal(met.n, 1);
    assert_int_equal(met.at[0].tally.won, 1);
}

/* A person with two handles has one rating, whichever of them plays. */
TEST_WITH(linked_handles_have_one_rating, setup, store_fixture_teardown)
{
    int64_t ann = person("Ann"), anna = person("Anna"), bo = person("Bo"), matches;
    played((struct game){.one = anna, .other = bo, .won = 1});
    store_link(store_fixture, ann, anna);
    struct rating before = rated(ann, &matches);
    assert_int_equal(matches, 1);
    played((struct game){.one = ann, .other = bo, .won = 1});
    assert_true(rated(ann, &matches).points > before.points);
    assert_int_equal(matches, 2);
    store_part(store_fixture, anna);
    rated(anna, &matches);
    assert_int_equal(matches, 2);
}

TEST_WITH(a_new_season_makes_ratings_less_sure, setup, store_fixture_teardown)
{
    int64_t ann = person("Ann"), bo = person("Bo"), matches;
    for (int i = 0; i < 30; i++)
        played((struct game){
            .one = ann, .other = bo, .won = i % 2 ? 1 : -1, .at = NOVEMBER_21 + i * (int64_t)DAY});
    struct rating now = rated(ann, &matches), later;
    assert_true(rating_of(store_fixture, store_fixture_arena, CHAT, ann, STR("2027-Q3"),
                          NOVEMBER_21 + 240 * (int64_t)DAY, &later));
    assert_int_equal(later.points, now.points);
    assert_true(later.deviation > now.deviation + 10 * RATING_UNIT);
}

/* Wherever its players live, and whatever seasons their chats have. */
TEST_WITH(the_rating_of_all_chats_has_the_quarters_of_utc, setup, store_fixture_teardown)
{
    const int64_t quarter = INT64_C(1798761600000); /* 1 January 2027, 00:00 UTC */
    int64_t ann = person("Ann"), bo = person("Bo");
    for (int i = 0; i < 30; i++)
        played((struct game){.one = ann,
                             .other = bo,
                             .won = i % 2 ? 1 : -1,
                             .at = NOVEMBER_21 + i * (int64_t)DAY,
                             .everywhere = true});
    for (int begun = 0; begun < 2; begun++) {
        struct figures_asked asked = {.chat = CHAT, .who = ann, .now = quarter - 1 + begun};
        asked.season = STR("2026-Q4");
        struct figures f = figures_load(store_fixture, store_fixture_arena, &asked);
        struct rating old, fresh;
        assert_true(f.rated_everywhere);
        assert_true(rating_of(store_fixture, store_fixture_arena, EVERY_CHAT, ann, STR("2026-Q4"),
                              asked.now, &old));
        assert_true(rating_of(store_fixture, store_fixture_arena, EVERY_CHAT, ann, STR("2027-Q1"),
                              asked.now, &fresh));
        assert_true(old.deviation != fresh.deviation);
        assert_int_equal(f.world.deviation, begun ? fresh.deviation : old.deviation);
    }
}

/* ---- counting anew ---- */

/* All that is counted, as lines, in an order of its own. */
static struct str counted(struct arena *a)
{
    static const char *const tables[] = {"result", "pairing", "counted", "rating", "rated_pair"};
    struct buf b = {arena_room(a, DUMP_BYTES), 0, DUMP_BYTES, false};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        struct db_table t;
        OK(db->verbs->query(
            db, a,
            arena_print(a, "SELECT * FROM %s WHERE account IN (0, 1) ORDER BY 1, 2, 3, 4, 5",
                        tables[i])
                .p,
            0, NULL, &t, &err));
        assert_true(t.rows > 0);
        for (int k = 0; k < t.rows * t.cols; k++) {
            buf_int(&b, t.at[k].i);
            buf_put(&b, t.at[k].s);
            buf_char(&b, k % t.cols ? ' ' : '\n');
        }
    }
    assert_false(b.cut);
    return buf_str(&b);
}

/* Whatever was played in whatever order, with people linked and parted between the matches,
 * counting anew gives the same tables. */
TEST_WITH(a_recount_gives_the_same, setup, store_fixture_teardown)
{
    enum { PEOPLE = 9, MATCHES = 400 };
    for (uint64_t seed = 1; seed <= (uint64_t)stride(1, 3); seed++) {
        struct rng rng = rng_seed(seed);
        int64_t who[PEOPLE], matches;
        for (int i = 0; i < PEOPLE; i++) {
            char name[16];
            snprintf(name, sizeof name, "S%dP%d", (int)seed, i);
            who[i] = person(name);
        }
        for (int i = 0; i < MATCHES; i++) {
            int one = (int)rng_below(rng_next(&rng), PEOPLE);
            int other = (one + 1 + (int)rng_below(rng_next(&rng), PEOPLE - 1)) % PEOPLE;
            unsigned dice = rng_below(rng_next(&rng), 100);
            struct game g = {.chat = CHAT + dice % 3,
                             .at = NOVEMBER_21 + i * (int64_t)3600 * 1000,
                             .one = who[one],
                             .other = who[other],
                             .won = (int)rng_below(rng_next(&rng), 3) - 1,
                             .points = (int)rng_below(rng_next(&rng), 60),
                             .unmoved = dice<5, .casual = dice> 95,
                             .gave_up = dice % 7 == 0};
            if (dice == 50)
                store_link(store_fixture, who[0], who[1]);
            if (dice == 60)
                store_part(store_fixture, who[1]);
            if (g.one != g.other && !(one < 2 && other < 2))
                played(g);
        }
        struct arena *tables = arena_open(64 << 20);
        struct str before = counted(tables);
        matches = results_recount(store_fixture);
        assert_true(str_is(before, counted(tables)));
        assert_int_equal(matches, last_session);
        arena_close(tables);
    }
}

/* Between two steps matches end, in chats that are counted already and in those that are not; a count
 * that was broken off begins anew. The sums are those of one count at the end. */
TEST_WITH(a_recount_in_steps_counts_what_ends_meanwhile, setup, store_fixture_teardown)
{
    enum { CHATS = 5, ROUNDS = 4 };
    int64_t ann = person("Ann"), bo = person("Bo"), cy = person("Cy");
    struct arena *tables = arena_open(64 << 20);
    for (int broken_off = 0; broken_off <= CHATS; broken_off++) {
        int64_t chat = -1, matches = 0, at = NOVEMBER_21 + broken_off * (int64_t)DAY;
        for (int i = 0; i < CHATS * ROUNDS; i++)
            played((struct game){.chat = CHAT + i % CHATS,
                                 .at = at,
                                 .one = ann,
                                 .other = bo,
                                 .won = 1,
                                 .points = i});
        for (int step = 0; step < broken_off; step++)
            assert_true(results_recount_step(store_fixture, &chat, &matches));
        chat = -1;
        matches = 0;
        while (results_recount_step(store_fixture, &chat, &matches)) {
            played((struct game){.chat = CHAT, .at = at, .one = cy, .other = ann, .points = 1});
            played((struct game){
                .chat = CHAT + CHATS - 1, .at = at, .one = bo, .other = cy, .won = 1, .points = 7});
        }
        assert_int_equal(chat, CHAT + CHATS - 1);
        struct str before = counted(tables);
        assert_int_equal(results_recount(store_fixture), last_session);
        assert_true(str_is(before, counted(tables)));
    }
    arena_close(tables);
}

/* What a step has not reached has its old sums, whatever they are; what it has reached the right
 * ones. */
TEST_WITH(a_step_of_a_recount_is_one_chat, setup, store_fixture_teardown)
{
    static const int64_t chats[] = {0, CHAT, CHAT + 1}; /* the first: all together */
    int64_t ann = person("Ann"), bo = person("Bo"), chat = -1, matches = 0;
    struct arena *a = arena_open(1 << 20);
    for (int i = 0; i < 3; i++)
        played((struct game){.chat = chats[i],
                             .everywhere = chats[i] == 0,
                             .one = ann,
                             .other = bo,
                             .won = 1,
                             .points = 5});
    struct db_table t;
    OK(db->verbs->query(db, a, "UPDATE result SET won = 40 WHERE account IN (0, 1)", 0, NULL, &t,
                        &err));
    for (int step = 0; results_recount_step(store_fixture, &chat, &matches); step++) {
        assert_int_equal(chat, chats[step]);
        assert_int_equal(matches, step + 1);
        for (int i = 0; i < 3; i++)
            assert_int_equal(
                store_result(store_fixture, a, chats[i], STR(SEASON_ALL), ann).tally.won,
                i <= step ? 1 : 40);
    }
    assert_int_equal(matches, 3);
    arena_close(a);
}

/* Ann was 12 points ahead when the two agreed to a draw. */
TEST_WITH(an_agreed_draw_is_half_a_win_for_both, setup, store_fixture_teardown)
{
    int64_t ann = person("Ann"), bo = person("Bo");
    struct results_news news = played((struct game){.one = ann, .other = bo, .points = 12});
    assert_true(news.rated);
    assert_int_equal(news.rating[0].points, news.rating[1].points);
}

/* Three wins in a row are a run. A draw ends it, as a loss does. */
TEST_WITH(a_draw_ends_a_run, setup, store_fixture_teardown)
{
    static const int results[] = {1, 1, 0, 1, 1, -1, 1, 1, 1};
    enum { N = sizeof results / sizeof *results };
    int64_t ann = person("Ann"), bo = person("Bo");
    for (int i = 0; i < N; i++) {
        played((struct game){.one = ann, .other = bo, .won = results[i]});
        const struct stand *run = board("2026-Q4", ann, 0).run;
        assert_int_equal(run ? run->longest : 0, i == N - 1 ? 3 : 0);
    }
}

/* Whoever wins the largest part of the rounds they have called koi-koi in, of five at least. */
TEST_WITH(the_best_caller_has_won_after_calls, setup, store_fixture_teardown)
{
    int64_t ann = person("Ann"), bo = person("Bo"), cy = person("Cy"), dee = person("Dee");
    for (int i = 0; i < 3; i++) /* two calls each, for nothing */
        played((struct game){.one = ann, .other = bo, .won = 1, .points = 2});
    assert_null(board("2026-Q4", 0, 0).caller);
    for (int i = 0; i < 8; i++) /* three calls each, one of them won */
        played((struct game){.one = ann, .other = bo, .won = 1, .points = 3});
    assert_int_equal(board("2026-Q4", 0, 0).caller->tally.calls_won, 8);
    for (int i = 0; i < 5; i++) /* one call each, and it is won */
        played((struct game){.one = cy, .other = dee, .won = 1, .points = 1});
    assert_int_equal(board("2026-Q4", 0, 0).caller->person, cy);
}
