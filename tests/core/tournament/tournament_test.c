/* Pairing against published tables, and what every player may expect of any tournament. */
#include "engine/test.h"
#include <string.h>

#include "tournament.h"

static struct tournament begun(enum tournament_format format, int people, int rounds)
{
    struct tournament t = {.format = (uint8_t)format, .rounds = rounds, .n_entrants = people};
    for (int i = 0; i < people; i++)
        t.entrant[i] = (struct tournament_entrant){.person = 100 + i, .rating = 2000 - i};
    tournament_seed(&t);
    return t;
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 16;
}

/* Each open game gets a result; the better one wins more often. */
static void play_round(struct tournament *t, uint32_t *seed)
{
    for (int i = 0; i < t->n_games; i++) {
        struct tournament_game *g = &t->game[i];
        if (g->result != GAME_OPEN)
            continue;
        uint32_t r = next_random(seed) % 10;
        bool better = r < 6;
        g->result = r == 9                             ? GAME_DRAW
                    : better == (g->first < g->second) ? GAME_FIRST
                                                       : GAME_SECOND;
    }
}

/* ---- round robin ---- */

TEST(round_robin_is_bergers_table)
{
    /* the tables for six and for eight, round by round; the first one named deals first */
    static const int six[5][3][2] = {{{1, 6}, {2, 5}, {3, 4}},
                                     {{6, 4}, {5, 3}, {1, 2}},
                                     {{2, 6}, {3, 1}, {4, 5}},
                                     {{6, 5}, {1, 4}, {2, 3}},
                                     {{3, 6}, {4, 2}, {5, 1}}};
    static const int eight[7][4][2] = {
        {{1, 8}, {2, 7}, {3, 6}, {4, 5}}, {{8, 5}, {6, 4}, {7, 3}, {1, 2}},
        {{2, 8}, {3, 1}, {4, 7}, {5, 6}}, {{8, 6}, {7, 5}, {1, 4}, {2, 3}},
        {{3, 8}, {4, 2}, {5, 1}, {6, 7}}, {{8, 7}, {1, 6}, {2, 5}, {3, 4}},
        {{4, 8}, {5, 3}, {6, 2}, {7, 1}}};
    for (int people = 6; people <= 8; people += 2) {
        struct tournament t = begun(FORMAT_ROUND_ROBIN, people, 0);
        assert_int_equal(t.rounds, people - 1);
        for (int r = 0; r < t.rounds; r++) {
            int from = t.n_games;
            uint32_t seed = 1;
            tournament_pair(&t);
            assert_int_equal(t.n_games - from, people / 2);
            for (int i = 0; i < people / 2; i++) {
                const int *pair = people == 6 ? six[r][i] : eight[r][i];
                bool found = false;
                for (int g = from; g < t.n_games; g++)
                    found |= t.game[g].first + 1 == pair[0] && t.game[g].second + 1 == pair[1];
                assert_true(found);
            }
            play_round(&t, &seed);
        }
        assert_true(tournament_is_over(&t));
    }
}

TEST(round_robin_everybody_meets_everybody_once)
{
    for (int people = ENTRANTS_LEAST; people <= ENTRANTS_MOST; people++) {
        struct tournament t = begun(FORMAT_ROUND_ROBIN, people, 0);
        uint8_t met[ENTRANTS_MOST][ENTRANTS_MOST] = {{0}}, byes[ENTRANTS_MOST] = {0};
        uint32_t seed = 7;
        while (!tournament_is_over(&t)) {
            tournament_pair(&t);
            play_round(&t, &seed);
        }
        for (int i = 0; i < t.n_games; i++) {
            const struct tournament_game *g = &t.game[i];
            if (g->result == GAME_BYE) {
                byes[g->first]++;
                continue;
            }
            met[g->first][g->second]++;
            met[g->second][g->first]++;
        }
        for (int a = 0; a < people; a++) {
            assert_int_equal(byes[a], people % 2);
            for (int b = 0; b < people; b++)
                assert_int_equal(met[a][b], a != b);
        }
    }
}

/* ---- Swiss ---- */

static void check_round(const struct tournament *t)
{
    int games[ENTRANTS_MOST] = {0};
    for (int i = 0; i < t->n_games; i++) {
        const struct tournament_game *g = &t->game[i];
        if (g->round != t->round)
            continue;
        games[g->first]++;
        if (g->second != NO_ENTRANT)
            games[g->second]++;
    }
    for (int i = 0; i < t->n_entrants; i++)
        assert_int_equal(games[i], !t->entrant[i].out);
}

static int meetings(const struct tournament *t, int a, int b)
{
    int n = 0;
    for (int i = 0; i < t->n_games; i++)
        n += (t->game[i].first == a && t->game[i].second == b) ||
             (t->game[i].first == b && t->game[i].second == a);
    return n;
}

static int byes_of(const struct tournament *t, int a)
{
    int n = 0;
    for (int i = 0; i < t->n_games; i++)
        n += t->game[i].first == a && t->game[i].result == GAME_BYE;
    return n;
}

TEST(swiss_no_rematch_one_bye_everybody_plays)
{
    uint32_t seed = 20;
    for (int people = ENTRANTS_LEAST; people <= ENTRANTS_MOST; people += people < 24 ? 1 : 5) {
        for (int time = 0; time < 4; time++) {
            /* as long as a round robin at most: a pairing without rematch need not exist in its
             * last rounds, so half of it is surely possible */
            struct tournament t = begun(FORMAT_SWISS, people, people < 8 ? 2 : people / 2);
            while (!tournament_is_over(&t)) {
                tournament_pair(&t);
                check_round(&t);
                play_round(&t, &seed);
            }
            assert_int_equal(t.round, t.rounds);
            for (int a = 0; a < people; a++) {
                assert_true(byes_of(&t, a) <= 1);
                for (int b = 0; b < a; b++)
                    assert_true(meetings(&t, a, b) <= 1);
            }
        }
    }
}

/* Rounds as many as a round robin has: everybody still plays every round. */
TEST(swiss_goes_on_when_rematches_cannot_be_avoided)
{
    uint32_t seed = 3;
    for (int people = ENTRANTS_LEAST; people <= 12; people++)
        for (int time = 0; time < 50; time++) {
            struct tournament t = begun(FORMAT_SWISS, people, TOURNAMENT_ROUNDS_MOST);
            assert_int_equal(t.rounds, people - 1 + people % 2);
            while (!tournament_is_over(&t)) {
                tournament_pair(&t);
                check_round(&t);
                play_round(&t, &seed);
            }
            for (int a = 0; a < people; a++)
                assert_true(byes_of(&t, a) <= 2);
        }
}

static const struct tournament_game *game_of(const struct tournament *t, int round, int entrant)
{
    for (int i = 0; i < t->n_games; i++)
        if (t->game[i].round == round &&
            (t->game[i].first == entrant || t->game[i].second == entrant))
            return &t->game[i];
    return NULL;
}

static int opponent(const struct tournament *t, int round, int entrant)
{
    const struct tournament_game *g = game_of(t, round, entrant);
    return g->first == entrant ? g->second : g->first;
}

/* The better ones win all: round 1 pairs the halves, round 2 the winners and the losers
 * likewise. */
TEST(swiss_pairs_halves_of_equal_points)
{
    struct tournament t = begun(FORMAT_SWISS, 8, 3);
    for (int round = 1; round <= 2; round++) {
        tournament_pair(&t);
        for (int i = 0; i < t.n_games; i++)
            if (t.game[i].result == GAME_OPEN)
                t.game[i].result = t.game[i].first < t.game[i].second ? GAME_FIRST : GAME_SECOND;
    }
    for (int i = 0; i < 4; i++)
        assert_int_equal(opponent(&t, 1, i), i + 4);
    assert_int_equal(opponent(&t, 2, 0), 2);
    assert_int_equal(opponent(&t, 2, 1), 3);
    assert_int_equal(opponent(&t, 2, 4), 6);
    assert_int_equal(opponent(&t, 2, 5), 7);
}

/* Nobody deals first in two games more or less than second, over an even number of rounds. */
TEST(swiss_balances_the_first_deal)
{
    uint32_t seed = 5;
    int far = 0, all = 0;
    for (int time = 0; time < 20; time++) {
        struct tournament t = begun(FORMAT_SWISS, 16, 6);
        while (!tournament_is_over(&t)) {
            tournament_pair(&t);
            play_round(&t, &seed);
        }
        for (int a = 0; a < 16; a++, all++) {
            int balance = 0;
            for (int i = 0; i < t.n_games; i++)
                balance += (t.game[i].first == a) - (t.game[i].second == a);
            assert_true(balance >= -4 && balance <= 4);
            far += balance > 2 || balance < -2;
        }
    }
    assert_true(far * 20 < all); /* fewer than one in twenty */
}

/* ---- knock-out ---- */

TEST(knockout_seeds_the_bracket)
{
    struct tournament t = begun(FORMAT_KNOCKOUT, 8, 0);
    static const int pairs[4][2] = {{0, 7}, {3, 4}, {1, 6}, {2, 5}};
    assert_int_equal(t.rounds, 3);
    tournament_pair(&t);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(opponent(&t, 1, pairs[i][0]), pairs[i][1]);
        game_of(&t, 1, pairs[i][0]);
    }
    struct tournament six = begun(FORMAT_KNOCKOUT, 6, 0);
    tournament_pair(&six); /* the two best have byes */
    assert_int_equal(opponent(&six, 1, 0), NO_ENTRANT);
    assert_int_equal(opponent(&six, 1, 1), NO_ENTRANT);
    assert_int_equal(opponent(&six, 1, 3), 4);
    assert_int_equal(opponent(&six, 1, 2), 5);
}

TEST(knockout_leaves_one)
{
    uint32_t seed = 11;
    for (int people = ENTRANTS_LEAST; people <= ENTRANTS_MOST; people++) {
        struct tournament t = begun(FORMAT_KNOCKOUT, people, 0);
        struct standing_row rows[ENTRANTS_MOST];
        int decided = 0;
        while (!tournament_is_over(&t)) {
            tournament_pair(&t);
            play_round(&t, &seed);
        }
        for (int i = 0; i < t.n_games; i++)
            decided += t.game[i].result != GAME_BYE;
        assert_int_equal(decided, people - 1); /* each match sends one home */
        standing_table(&t, rows);
        assert_int_equal(rows[0].place, 1);
        assert_int_equal(rows[1].place, 2); /* the final's loser; the champion is alone */
        assert_int_equal(rows[0].survived, t.rounds);
    }
}

TEST(knockout_two_best_meet_in_the_final)
{
    for (int people = ENTRANTS_LEAST; people <= ENTRANTS_MOST; people++) {
        struct tournament t = begun(FORMAT_KNOCKOUT, people, 0);
        while (!tournament_is_over(&t)) {
            tournament_pair(&t);
            for (int i = 0; i < t.n_games; i++)
                if (t.game[i].result == GAME_OPEN)
                    t.game[i].result =
                        t.game[i].first < t.game[i].second ? GAME_FIRST : GAME_SECOND;
        }
        assert_int_equal(opponent(&t, t.rounds, 0), 1);
    }
}

TEST(a_draw_sends_the_better_seed_on)
{
    struct tournament t = begun(FORMAT_KNOCKOUT, 4, 0);
    tournament_pair(&t);
    for (int i = 0; i < t.n_games; i++)
        t.game[i].result = GAME_DRAW;
    tournament_pair(&t);
    assert_int_equal(opponent(&t, 2, 0), 1);
}

/* ---- tables ---- */

/* One round of results: "CP= YE<" is a draw of C and P, and E's win; '+' is a win against somebody
 * absent, "B*" a bye. */
static void put_results(struct tournament *t, const char *names, const char *round)
{
    t->round++;
    for (const char *p = round; *p; p++) {
        if (*p == ' ')
            continue;
        struct tournament_game *g = &t->game[t->n_games++];
        *g = (struct tournament_game){.round = (uint8_t)t->round,
                                      .first = (uint8_t)(strchr(names, *p) - names)};
        p++;
        g->unplayed = *p == '*';
        if (*p == '*') {
            g->second = NO_ENTRANT;
            g->result = GAME_BYE;
            continue;
        }
        g->second = (uint8_t)(strchr(names, *p++) - names);
        g->unplayed = *p == '+';
        g->result = *p == '=' ? GAME_DRAW : *p == '<' ? GAME_SECOND : GAME_FIRST;
    }
}

static struct standing_row row_of(const struct tournament *t, const char *names, char name)
{
    struct standing_row rows[ENTRANTS_MOST];
    standing_table(t, rows);
    for (int i = 0; i < t->n_entrants; i++)
        if (names[rows[i].entrant] == name)
            return rows[i];
    fail();
    return rows[0];
}

/* The masters' tournament of the UzChess Cup, Tashkent 2025: ten players, three of them with 5.5
 * points. Sonneborn-Berger as in the published table. */
TEST(a_published_round_robin)
{
    static const char names[] = "EPANCRSMYV"; /* by rating */
    static const char *const rounds[] = {
        "CP= YE< MR= NS< AV>", "PV> SA= RN= EM= CY<", "YP= MC= NE= AR> VS=",
        "PS> RV= EA= CN= YM<", "MP> NY= AC> VE< SR>", "PR< ES= CV= YA> MN=",
        "NP= AM> VY= SC> RE=", "PE> CR< YS= MV< NA=", "AP< VN> SM= RY= EC="};
    static const struct {
        char name;
        int place, halves, quarters;
    } published[] = {{'P', 1, 11, 101}, {'A', 2, 11, 90}, {'S', 3, 11, 89}, {'E', 4, 10, 86},
                     {'M', 5, 9, 82},   {'Y', 6, 9, 78},  {'R', 7, 9, 75},  {'V', 8, 8, 66},
                     {'N', 9, 7, 64},   {'C', 10, 5, 45}};
    struct tournament t = begun(FORMAT_ROUND_ROBIN, 10, 0);
    for (int i = 0; i < 9; i++)
        put_results(&t, names, rounds[i]);
    assert_true(tournament_is_over(&t));
    for (int i = 0; i < 10; i++) {
        struct standing_row row = row_of(&t, names, published[i].name);
        assert_int_equal(row.place, published[i].place);
        assert_int_equal(row.points, published[i].halves);
        assert_int_equal(row.sonneborn, published[i].quarters);
        assert_int_equal(row.buchholz, 90 - published[i].halves); /* everybody met everybody else */
    }
}

/* A Swiss of PlayStrategy (EY1k6otN): seven rounds, nine players with a bye each round, and one who
 * never came and is left out here. Points, Sonneborn-Berger and Buchholz (in FIDE's way with
 * virtual opponents) as published. */
TEST(a_published_swiss)
{
    static const char names[] = "DARIBMTKFE";
    static const char *const rounds[] = {
        "DT> AK> RM> IB> FE+", "DA> RI> MK> TF> B*", "DR> AM> IF> BT> K*", "DB> AR> IT> KF> M*",
        "DI> AB> RK> MF> T*",  "DM> AI> RT> BK> F*", "DF> RB> IM> TK> A*"};
    static const struct {
        char name;
        int halves, buchholz, sonneborn; /* quarters */
    } published[] = {{'D', 14, 47, 104}, {'A', 12, 55, 68}, {'R', 10, 51, 60},
                     {'I', 8, 53, 44},   {'B', 6, 56, 20},  {'M', 6, 54, 16},
                     {'T', 6, 47, 16},   {'K', 4, 43, 8},   {'F', 4, 44, 0}};
    struct tournament t = begun(FORMAT_SWISS, 10, 7);
    for (int i = 0; i < 7; i++)
        put_results(&t, names, rounds[i]);
    for (int i = 0; i < 9; i++) {
        struct standing_row row = row_of(&t, names, published[i].name);
        assert_int_equal(row.points, published[i].halves);
        assert_int_equal(row.buchholz, published[i].buchholz);
        assert_int_equal(row.sonneborn, published[i].sonneborn);
    }
    static const char order[] = "DARIBMTFKE"; /* B, M and T have equal points; F and K */
    for (int i = 0; i < 10; i++)
        assert_int_equal(row_of(&t, names, order[i]).place, i + 1);
}

/* Two who are equal in all of it: their own game decides in a round robin. */
TEST(equals_share_a_place_or_their_game_decides)
{
    struct tournament t = begun(FORMAT_ROUND_ROBIN, 4, 0);
    put_results(&t, "ABCD", "AD= BC=");
    put_results(&t, "ABCD", "DC= AB=");
    put_results(&t, "ABCD", "BD= CA=");
    for (int i = 0; i < 4; i++)
        assert_int_equal(row_of(&t, "ABCD", "ABCD"[i]).place, 1);
    /* A and B are equal in all sums; B beat A */
    t = begun(FORMAT_ROUND_ROBIN, 4, 0);
    put_results(&t, "ABCD", "BA> CD=");
    put_results(&t, "ABCD", "AC> BD<");
    put_results(&t, "ABCD", "AD= BC=");
    struct standing_row a = row_of(&t, "ABCD", 'A'), b = row_of(&t, "ABCD", 'B');
    assert_int_equal(a.points, b.points);
    assert_int_equal(a.sonneborn, b.sonneborn);
    assert_int_equal(b.place, 2);
    assert_int_equal(a.place, 3);
}

/* ---- leaving ---- */

TEST(who_leaves_loses_what_remains)
{
    uint32_t seed = 9;
    struct tournament t = begun(FORMAT_ROUND_ROBIN, 4, 0);
    tournament_pair(&t);
    struct tournament_game *running = tournament_game_of(&t, 3);
    running->session = 77; /* has begun: the match itself must end */
    assert_ptr_equal(tournament_leave(&t, 3), running);
    running->result = running->first == 3 ? GAME_SECOND : GAME_FIRST;
    while (!tournament_is_over(&t)) {
        play_round(&t, &seed);
        if (!tournament_is_over(&t))
            tournament_pair(&t);
    }
    assert_int_equal(standing_points(&t, 3), 0);
    for (int round = 1; round <= 3; round++) {
        const struct tournament_game *g = game_of(&t, round, 3);
        assert_int_equal(g->result, g->first == 3 ? GAME_SECOND : GAME_FIRST);
    }
}

TEST(a_game_that_waits_is_lost_at_once)
{
    struct tournament t = begun(FORMAT_SWISS, 5, 3);
    tournament_pair(&t);
    int other = opponent(&t, 1, 0);
    assert_null(tournament_leave(&t, 0));
    assert_int_equal(standing_points(&t, other), 2);
    assert_true(game_of(&t, 1, 0)->unplayed);
    for (int i = 0; i < t.n_games; i++)
        if (t.game[i].result == GAME_OPEN)
            t.game[i].result = GAME_DRAW;
    tournament_pair(&t); /* four are left: no bye, and 0 is not paired */
    assert_null(game_of(&t, 2, 0));
    check_round(&t);
}

TEST(it_ends_when_one_is_left)
{
    struct tournament t = begun(FORMAT_SWISS, 3, 3);
    tournament_pair(&t);
    for (int i = 0; i < 2; i++)
        tournament_leave(&t, i);
    assert_true(tournament_round_over(&t));
    assert_true(tournament_is_over(&t));
}

TEST(swiss_with_leavers_pairs_those_who_stay)
{
    uint32_t seed = 31;
    for (int time = 0; time < 40; time++) {
        struct tournament t = begun(FORMAT_SWISS, 5 + time, 5);
        while (!tournament_is_over(&t)) {
            tournament_pair(&t);
            check_round(&t);
            play_round(&t, &seed);
            if (tournament_present(&t) > 2)
                tournament_leave(&t, (int)(next_random(&seed) % (uint32_t)t.n_entrants));
        }
    }
}

/* ---- matching ---- */

static bool complete_by_hand(const uint64_t *allowed, uint64_t players)
{
    if (players == 0)
        return true;
    int a = 0;
    while (!(players >> a & 1))
        a++;
    for (int b = a + 1; b < 64; b++)
        if (players >> b & allowed[a] >> b & 1 &&
            complete_by_hand(allowed, players & ~((uint64_t)1 << a) & ~((uint64_t)1 << b)))
            return true;
    return false;
}

/* ---- arena ---- */

/* Games end one by one, in any order; after each one those who are free are paired at once. */
TEST(an_arena_pairs_whoever_is_free)
{
    for (int people = 2; people <= 12; people++) {
        uint32_t seed = (uint32_t)people;
        struct tournament t = begun(FORMAT_ARENA, people, 0);
        int last[ENTRANTS_MOST];
        memset(last, -1, sizeof last);
        assert_int_equal(t.rounds, 1);
        t.round = 1;
        for (int ended = 0, seen = 0; ended < 60; ended++) {
            tournament_pair_free(&t);
            int open = 0, busy[ENTRANTS_MOST] = {0};
            for (int i = 0; i < t.n_games; i++) {
                const struct tournament_game *g = &t.game[i];
                if (i >= seen) { /* a new one: again the same two only where they are alone */
                    bool again = last[g->first] == g->second && last[g->second] == g->first;
                    assert_true(!again || tournament_present(&t) <= 3);
                    last[g->first] = g->second;
                    last[g->second] = g->first;
                    assert_int_equal(g->board, i + 1);
                }
                open += g->result == GAME_OPEN;
                busy[g->first] += g->result == GAME_OPEN;
                busy[g->second] += g->result == GAME_OPEN;
            }
            seen = t.n_games;
            assert_true(open > 0);
            for (int i = 0; i < people; i++)
                assert_in_range(busy[i], 0, 1);
            assert_in_range(people - 2 * open, 0, 2 + people % 2);
            int which = (int)(next_random(&seed) % (uint32_t)open);
            for (int i = 0; i < t.n_games; i++)
                if (t.game[i].result == GAME_OPEN && which-- == 0)
                    t.game[i].result = GAME_FIRST;
        }
    }
}

TEST(an_arena_ends_no_earlier_than_its_boards)
{
    uint32_t seed = 1;
    struct tournament t = begun(FORMAT_ARENA, 8, 0);
    t.round = 1;
    for (int i = 0; i < 200; i++) {
        tournament_pair_free(&t);
        play_round(&t, &seed);
    }
    assert_int_equal(t.n_games, ARENA_GAMES_MOST);
    for (int i = 0; i < t.n_games; i++)
        assert_int_equal(t.game[i].board, i + 1);
}

TEST(matching_agrees_with_trying_all)
{
    uint32_t seed = 1;
    int yes = 0, no = 0;
    for (int time = 0; time < 4000; time++) {
        uint64_t allowed[64] = {0};
        int n = 2 + (int)(next_random(&seed) % 5) * 2;
        uint32_t density = 1 + next_random(&seed) % 5;
        for (int a = 0; a < n; a++)
            for (int b = 0; b < a; b++)
                if (next_random(&seed) % 8 < density) {
                    allowed[a] |= (uint64_t)1 << b;
                    allowed[b] |= (uint64_t)1 << a;
                }
        uint64_t players = ((uint64_t)1 << n) - 1;
        bool want = complete_by_hand(allowed, players);
        assert_int_equal(matching_is_complete(allowed, players), want);
        yes += want;
        no += !want;
    }
    assert_true(yes > 500 && no > 500); /* both answers were tried */
}
