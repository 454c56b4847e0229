/* The collection of puzzles, each one of it: a position that the rules allow and that shows no
 * hidden card, a best move that is legal, ahead and found again by a cheaper search, and a reason
 * whose facts the second scorer confirms. */
#include "embedded.h"
#include "engine/naive.h"
#include "engine/presets.h"
#include "engine/table.h"
#include "puzzle_file.h"

#include "engine/test.h"
#include <stdio.h>
#include <string.h>

enum { PUZZLES = 365, LEAST_LEAD = 5, SAMPLE = 9, FEW_VISITS = 1000 };

static struct str file(void)
{
    return embedded_find(STR("puzzles.jsonl"));
}

static struct str line_of(int i)
{
    return puzzle_file_line(file(), i);
}

static void read_line(int i, struct puzzle *ret)
{
    struct err err;
    if (!puzzle_file_read(line_of(i), ret, &err))
        fail_msg("puzzle %d: %s", i + 1, err.text);
}

static int best_of(const struct puzzle *p)
{
    int i = 0;
    while (i < p->view.n_legal && !puzzle_solved_by(p, i))
        i++;
    return i;
}

/* The best move that is no answer. */
static int second_of(const struct puzzle *p)
{
    int second = -1;
    for (int i = 0; i < p->view.n_legal; i++)
        if (!puzzle_solved_by(p, i) && (second < 0 || p->win[i] > p->win[second]))
            second = i;
    return second;
}

/* ---- the collection ---- */

TEST(there_is_one_for_each_day_of_a_year)
{
    int of[N_PRESETS] = {0}, level[N_LEVELS] = {0};
    struct puzzle p;
    assert_int_equal(puzzle_file_count(file()), PUZZLES);
    for (int i = 0; i < PUZZLES; i++) {
        read_line(i, &p);
        assert_int_equal(p.no, i + 1);
        int k = preset_named(p.view.rules.name);
        assert_true(k < N_PRESETS);
        assert_memory_equal(&presets[k], &p.view.rules, sizeof p.view.rules);
        of[k]++;
        level[p.level]++;
    }
    for (int k = 0; k < N_PRESETS; k++)
        assert_true(of[k] >= 30 && (k == PRESET_STANDARD || of[k] < of[PRESET_STANDARD] / 2));
    for (int l = LEVEL_BEGINNER; l < LEVEL_MASTER; l++)
        assert_true(level[l] >= 10);
}

TEST(no_position_comes_twice)
{
    static struct puzzle all[PUZZLES];
    for (int i = 0; i < PUZZLES; i++) {
        read_line(i, &all[i]);
        for (int k = 0; k < i; k++)
            assert_false(all[k].view.hand == all[i].view.hand &&
                         all[k].view.field == all[i].view.field);
    }
}

/* All cards that stand anywhere in the line. */
static cardset cards_in(struct str line)
{
    cardset found = 0;
    for (int card = 0; card < N_CARDS; card++) {
        char quoted[CARD_CODE_SIZE + 3], code[CARD_CODE_SIZE];
        card_code(card, code);
        int n = snprintf(quoted, sizeof quoted, "\"%s\"", code);
        found |= memmem(line.p, line.n, quoted, (size_t)n) ? CARD(card) : 0;
    }
    return found;
}

TEST(a_line_names_only_cards_that_the_seat_sees)
{
    struct puzzle p;
    for (int i = 0; i < PUZZLES; i++) {
        read_line(i, &p);
        cardset seen = p.view.hand | p.view.field;
        int hidden = p.view.stock_size;
        for (int s = 0; s < p.view.players; s++) {
            seen |= p.view.taken[s];
            hidden += s == p.view.seat ? 0 : p.view.hand_size[s];
        }
        if (p.view.drawn != CARD_NONE)
            seen |= CARD(p.view.drawn);
        assert_int_equal(set_count(seen), N_CARDS - hidden);
        if (cards_in(line_of(i)) != seen)
            fail_msg("puzzle %d names a hidden card", i + 1);
    }
}

/* What the format does not know is a slip of whoever wrote the line: in each of its objects. */
TEST(a_line_with_an_unknown_field_is_refused)
{
    static const char *const ahead[] = {"{", "\"reason\":{", "\"calls\":{", "\"stop\":{",
                                        "\"koikoi\":{"};
    enum { N = sizeof ahead / sizeof *ahead };
    int tried[N] = {0};
    for (int i = 0; i < PUZZLES; i++)
        for (int k = 0; k < N && tried[k] < SAMPLE; k++) {
            char text[4096];
            struct str line = line_of(i);
            const char *at = memmem(line.p, line.n, ahead[k], strlen(ahead[k]));
            struct puzzle p;
            struct err err;
            if (!at)
                continue;
            int n = (int)(at - line.p) + (int)strlen(ahead[k]);
            snprintf(text, sizeof text, "%.*s\"more\":1,%.*s", n, line.p, (int)line.n - n,
                     line.p + n);
            assert_false(puzzle_file_read(str_of(text), &p, &err));
            if (!strstr(err.text, "more"))
                fail_msg("puzzle %d: %s", i + 1, err.text);
            tried[k]++;
        }
    for (int k = 0; k < N; k++)
        assert_true(tried[k] > 0);
}

/* ---- the answer ---- */

TEST(the_answer_is_ahead_and_something_else_is_possible)
{
    struct puzzle p;
    for (int i = 0; i < PUZZLES; i++) {
        read_line(i, &p);
        int best = best_of(&p), second = second_of(&p);
        assert_true(best < p.view.n_legal && second >= 0);
        if (p.win[best] < p.win[second] + LEAST_LEAD)
            fail_msg("puzzle %d: %d %% beside %d %%", i + 1, p.win[best], p.win[second]);
    }
}

TEST(a_cheaper_search_finds_the_same)
{
    const struct budget few = {.visits = FEW_VISITS};
    struct advice a;
    struct puzzle p;
    for (int i = 0; i < PUZZLES; i += SAMPLE) {
        read_line(i, &p);
        search(&p.view, LEVEL_MASTER, &few, 4711, &a);
        if (!review_alike(a.move, p.hint.best))
            fail_msg("puzzle %d: the search chooses another move", i + 1);
    }
}

TEST(the_level_that_misses_it_chooses_something_else)
{
    enum { SIGHTINGS = 25 };
    struct advice a;
    struct puzzle p;
    for (int i = 0; i < PUZZLES; i += SAMPLE) {
        int missed = 0;
        read_line(i, &p);
        for (uint64_t seed = 0; seed < SIGHTINGS; seed++) {
            search(&p.view, (enum level)p.level, &(const struct budget){0}, 5000 + seed, &a);
            missed += !review_alike(a.move, p.hint.best);
        }
        if (missed < SIGHTINGS / 4)
            fail_msg("puzzle %d: %s misses it %d times of %d", i + 1,
                     level_key((enum level)p.level), missed, SIGHTINGS);
    }
}

/* ---- the reason ---- */

static struct naive_score score_of(const struct view *v, int seat, cardset pile)
{
    bool has[N_CARDS];
    for (int card = 0; card < N_CARDS; card++)
        has[card] = pile & CARD(card);
    return naive_score(&v->rules, has, v->koikoi[seat] > 0);
}

/* The card counts for the yaku, which the rules have and no other seat has made impossible. */
static bool helps(const struct view *v, int seat, int card, enum yaku y)
{
    static const char *const sets[N_YAKU] = {
        [YAKU_GOKO] = "1b 3b 8b 11b 12b",
        [YAKU_SHIKO] = "1b 3b 8b 12b",
        [YAKU_AME_SHIKO] = "1b 3b 8b 11b 12b",
        [YAKU_SANKO] = "1b 3b 8b 12b",
        [YAKU_TSUKIMI] = "8b 9a",
        [YAKU_HANAMI] = "3b 9a",
        [YAKU_INOSHIKACHO] = "6a 7a 10a",
        [YAKU_AKATAN] = "1r 2r 3r",
        [YAKU_AOTAN] = "6r 9r 10r",
        [YAKU_TANE] = "2a 4a 5a 6a 7a 8a 9a 10a 11a",
        [YAKU_TANZAKU] = "1r 2r 3r 4r 5r 6r 7r 9r 10r 11r",
        [YAKU_KASU] = "1p1 1p2 2p1 2p2 3p1 3p2 4p1 4p2 5p1 5p2 6p1 6p2 7p1 7p2 8p1 8p2 9p1 9p2 9a "
                      "10p1 10p2 11p 12p1 12p2 12p3",
        [YAKU_HIKI] = NULL,
    };
    cardset set = y == YAKU_HIKI ? month_set(card_month(card)) : set_of(sets[y]), others = 0;
    for (int s = 0; s < v->players; s++)
        others |= s == seat ? 0 : v->taken[s];
    if (y == YAKU_HIKI)
        return v->rules.yaku[y] > 0 && (set & others) == 0;
    return v->rules.yaku[y] > 0 && (set & CARD(card)) && !(others & CARD(card)) &&
           (y != YAKU_KASU || card != SAKE || v->rules.sake_is_plain);
}

static cardset captured_by(struct move m)
{
    return m.take ? m.take | (m.card < N_CARDS ? CARD(m.card) : 0) : 0;
}

/* next: the move that the best one is better than. */
static const char *fault_of_reason(const struct puzzle *p, struct move next)
{
    const struct view *v = &p->view;
    const struct hint *h = &p->hint;
    const struct move best = h->best;
    bool own = h->seat == v->seat;
    cardset card = CARD(h->card);
    if (h->card >= N_CARDS)
        return "names no card";
    if (own ? h->chance <= h->instead : h->chance >= h->instead)
        return "its numbers speak for the other move";
    if (!helps(v, h->seat, h->card, (enum yaku)h->yaku))
        return "its card is not of its yaku";
    if (v->taken[h->seat] & card)
        return "its card is captured already";
    switch ((enum reason_kind)h->kind) {
    case REASON_COMPLETES: {
        struct naive_score was = score_of(v, h->seat, v->taken[h->seat]);
        struct naive_score is = score_of(v, h->seat, v->taken[h->seat] | captured_by(best));
        return own && was.worth[h->yaku] == 0 && is.worth[h->yaku] > 0 && captured_by(best) & card
                   ? NULL
                   : "nothing is completed";
    }
    case REASON_TAKES:
        return own && captured_by(best) & card && !(captured_by(next) & card)
                   ? NULL
                   : "the card is not taken, or by the other move too";
    case REASON_DENIES:
        return !own && best.take & card && !(captured_by(next) & card)
                   ? NULL
                   : "the card is not taken away";
    case REASON_HOLDS:
        return own && v->hand & card && best.card != h->card && next.card == h->card && !next.take
                   ? NULL
                   : "the card does not stay in hand";
    case REASON_GIVES:
        return !own && v->hand & card && best.card != h->card && next.card == h->card && !next.take
                   ? NULL
                   : "the card is not given away";
    default:
        return "no such reason";
    }
}

TEST(the_facts_of_each_reason_are_true)
{
    struct puzzle p;
    for (int i = 0; i < PUZZLES; i++) {
        read_line(i, &p);
        const char *fault =
            p.hint.decision ? NULL : fault_of_reason(&p, p.view.legal[second_of(&p)]);
        if (fault)
            fail_msg("puzzle %d: %s", i + 1, fault);
    }
}

/* What a stop pays, capped by what the other purse holds. */
static long pay_of_stop(const struct view *v)
{
    struct naive_score s = score_of(v, v->seat, v->taken[v->seat]);
    int calls[MAX_PLAYERS];
    for (int k = 0; k < v->players; k++)
        calls[k] = v->koikoi[k];
    return naive_pay(&v->rules, s.base, s.n_yaku, v->players, v->seat, calls, v->table_brights);
}

TEST(the_numbers_of_each_call_are_true)
{
    struct puzzle p;
    int calls = 0;
    for (int i = 0; i < PUZZLES; i++) {
        read_line(i, &p);
        const struct hint *h = &p.hint;
        if (!h->decision)
            continue;
        calls++;
        assert_int_equal(h->stop_gain, pay_of_stop(&p.view));
        assert_true(h->won + h->lost <= 100);
        assert_true(h->best.kind == MOVE_STOP ? h->stop_win > h->koikoi_win
                                              : h->stop_win < h->koikoi_win);
    }
    assert_true(calls >= 30);
}

/* ---- the reader ---- */

static void refused(const char *change, const char *by, const char *wanted)
{
    static char text[16 * 1024];
    struct buf b = BUF(text);
    struct str line = line_of(0);
    struct puzzle p;
    struct err err = {.text = ""};
    const char *at = memmem(line.p, line.n, change, strlen(change));
    assert_non_null(at);
    buf_put(&b, (struct str){line.p, (size_t)(at - line.p)});
    buf_put(&b, str_of(by));
    buf_put(&b, str_skip(line, (size_t)(at - line.p) + strlen(change)));
    assert_false(puzzle_file_read(buf_str(&b), &p, &err));
    if (!strstr(err.text, wanted))
        fail_msg("%s instead of %s: %s", by, change, err.text);
}

TEST(a_wrong_line_is_refused_with_its_field)
{
    refused("{\"puzzle\":1", "{\"puzzle\":0", "puzzle");
    refused("{\"puzzle\":1", "{\"answer\":1", "answer");
    refused("\"best\":{", "\"best\":{\"do\":\"resign\"},\"view\":{", "view");
    refused("\"do\":\"play\"", "\"do\":\"stop\"", "best");
    refused("\"win\":[", "\"win\":[7,", "win");
    refused("\"missed_by\":\"", "\"missed_by\":\"un", "missed_by");
    refused("\"reason\":{\"kind\":\"", "\"reason\":{\"kind\":\"un", "kind");
    refused("\"chance\":", "\"chance\":1000", "chance");
    refused("\"phase\":\"hand\"", "\"phase\":\"over\"", "phase");
}

TEST(a_line_beyond_the_last_is_empty)
{
    assert_int_equal(line_of(PUZZLES).n, 0);
    assert_int_equal(puzzle_file_count(STR("")), 0);
}
