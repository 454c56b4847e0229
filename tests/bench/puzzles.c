/* Maker of puzzles: positions of the computer's own games in which one decision matters.
 * `make puzzles` runs it; the format is in bot/formats.
 *
 *     puzzles [N [SEED]] > config/puzzles.jsonl
 *
 * 1. A match is played by the policy up to a round of its second half, and that round by level
 *    `hard`, until a search sees one move well ahead of every other.
 * 2. The lead must hold in SEARCHES searches with other seeds, each with four times the playouts:
 *    by LEAST_LEAD in the mean, by 5 standard errors, and with the same choice each time.
 * 3. There must be a reason in words of the review, by many more playouts than a review takes, and
 *    a level below master that misses the move more often than not.
 *
 * Puzzle i depends on i and SEED alone, and nothing here is rounded by a library: the same bytes
 * come on every machine.
 */
#include "engine/naive.h"
#include "engine/positions.h"
#include "engine/presets.h"
#include "puzzle_file.h"
#include "review_worlds.h"
#include "search_policy.h"
#include "json_cards.h"
#include "view_json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    FIRST_VISITS = 2000,
    VISITS = 4 * FIRST_VISITS,
    SEARCHES = 24,
    FEW_SIGHTINGS = 9, /* of a level */
    SIGHTINGS = 41,
    REASON_WORLDS = 6000,
    MIN_CARDS = 3, /* in the hand of the seat to play one */
    MAX_CARDS = 7, /* the first cards of a round settle little */
};
static const float least_lead = 0.06f; /* in chances of the match */

/* ---- What is wanted -------------------------------------------------------------------------- */

struct source {
    int preset, players;
};
/* Half of the puzzles are of the rules most people play. */
static const struct source sources[] = {
    {PRESET_STANDARD, 2}, {PRESET_SENSEI, 2},       {PRESET_STANDARD, 2}, {PRESET_OKOSHKI, 2},
    {PRESET_STANDARD, 2}, {PRESET_CONSOLE, 2},      {PRESET_STANDARD, 2}, {PRESET_MONGOLOPEDIA, 2},
    {PRESET_STANDARD, 2}, {PRESET_STEAM, 2},        {PRESET_STANDARD, 2}, {PRESET_SENSEI, 2},
    {PRESET_STANDARD, 2}, {PRESET_OKOSHKI, 2},      {PRESET_STANDARD, 2}, {PRESET_CONSOLE, 2},
    {PRESET_STANDARD, 2}, {PRESET_MONGOLOPEDIA, 3}, {PRESET_STANDARD, 2}, {PRESET_STEAM, 2},
};
enum { N_SOURCES = sizeof sources / sizeof *sources };

/* Themes take turns, so that a week has all of them. */
enum theme { THEME_OWN, THEME_THEIRS, THEME_CALL, THEME_COMPLETE };
static const uint8_t themes[] = {THEME_OWN,    THEME_CALL, THEME_THEIRS, THEME_COMPLETE,
                                 THEME_THEIRS, THEME_OWN,  THEME_CALL};
enum { N_THEMES = sizeof themes / sizeof *themes };

/* The weakest level that must miss it: an easy one, then harder ones. */
static const uint8_t grades[] = {LEVEL_EASY, LEVEL_NORMAL, LEVEL_BEGINNER};
enum { N_GRADES = sizeof grades / sizeof *grades };

struct wanted {
    struct source source;
    enum theme theme;
    int level; /* at least */
};

/* Returns false for a reason that names no card: it can be said, but not seen. */
static bool is_of_theme(int reason, enum theme theme)
{
    switch ((enum reason_kind)reason) {
    case REASON_COMPLETES:
        return theme == THEME_COMPLETE;
    case REASON_TAKES:
    case REASON_HOLDS:
        return theme == THEME_OWN;
    case REASON_DENIES:
    case REASON_GIVES:
        return theme == THEME_THEIRS;
    case REASON_STOP:
    case REASON_KOIKOI:
        return theme == THEME_CALL;
    default:
        return false;
    }
}

/* ---- Games ----------------------------------------------------------------------------------- */

static void deal(const struct ruleset *g, struct rng *chance, struct match *m)
{
    uint8_t deck[N_CARDS];
    deck_by_chance(chance, deck);
    match_deal(g, m, deck, NULL);
}

static void play_by_policy(const struct ruleset *g, struct match *m)
{
    struct move moves[MAX_MOVES];
    const struct round *r = &m->round;
    int n = round_legal(g, r, r->turn, moves);
    match_apply(g, m, r->turn, moves[policy_pick(g, &policy_tuned, r, moves, n)], NULL);
}

/* Plays up to the deal of a round of the second half. Returns false if the match ended before. */
static bool begin(const struct ruleset *g, int players, struct rng *chance, struct match *m)
{
    unsigned rounds = g->rules.rounds;
    unsigned last = rounds - rng_below(rng_next(chance), (rounds + 1) / 2);
    match_start(&g->rules, players, (int)rng_below(rng_next(chance), (unsigned)players), m);
    while (m->stage != MATCH_OVER && (m->stage != MATCH_READY || m->round_no < last))
        if (m->stage == MATCH_READY)
            deal(g, chance, m);
        else
            play_by_policy(g, m);
    while (m->stage == MATCH_READY)
        deal(g, chance, m);
    return m->stage == MATCH_PLAYING;
}

/* ---- A clear decision ------------------------------------------------------------------------ */

/* Index of the first move that is the same as m but for equal plains; -1 if there is none. */
static int index_of(const struct view *v, struct move m)
{
    for (int i = 0; i < v->n_legal; i++)
        if (review_alike(v->legal[i], m))
            return i;
    return -1;
}

/* The best of the moves that differ from `best`; -1 if there is none. */
static int second(const struct view *v, int best, const float *win)
{
    int found = -1;
    for (int i = 0; i < v->n_legal; i++)
        if (!review_alike(v->legal[i], v->legal[best]) && (found < 0 || win[i] > win[found]))
            found = i;
    return found;
}

/* Cards to play or choose, or a call; with few enough answers for buttons. */
static bool asks(const struct view *v)
{
    int cards = set_count(v->hand);
    for (int i = 0; i < v->n_legal; i++)
        if (v->legal[i].kind == MOVE_DECLARE || v->legal[i].kind == MOVE_REDEAL)
            return false;
    return v->n_legal >= 2 && v->n_legal <= MAX_PUZZLE_ANSWERS && cards <= MAX_CARDS &&
           (v->phase != PHASE_HAND || cards >= MIN_CARDS);
}

/* The lead of one search; 0 if there is none. */
static float lead(const struct ruleset *g, const struct view *v, uint32_t visits, uint64_t seed,
                  int *ret_best, float ret_win[static MAX_PUZZLE_ANSWERS])
{
    struct advice a;
    const struct budget b = {.visits = visits};
    search_under(g, v, LEVEL_MASTER, &b, seed, &a);
    *ret_best = index_of(v, a.move);
    for (int i = 0; i < v->n_legal; i++)
        ret_win[i] = a.at[i].win;
    int next = second(v, *ret_best, ret_win);
    return next < 0 ? 0 : a.win - ret_win[next];
}

static int percent(float share)
{
    return (int)(100 * share + 0.5f);
}

/* Many searches agree. Fills the chances and the best move. */
static bool confirmed(const struct ruleset *g, uint64_t seed, struct puzzle *p, int *ret_next)
{
    const struct view *v = &p->view;
    float win[MAX_PUZZLE_ANSWERS], sum[MAX_PUZZLE_ANSWERS] = {0}, lead_sum = 0, squares = 0;
    int best = -1, chosen;
    for (int k = 0; k < SEARCHES; k++) {
        float by = lead(g, v, VISITS, seed + (uint64_t)k, &chosen, win);
        if (k > 0 && chosen != best)
            return false;
        best = chosen;
        lead_sum += by;
        squares += by * by;
        for (int i = 0; i < v->n_legal; i++)
            sum[i] += win[i];
    }
    float mean = lead_sum / SEARCHES;
    float error = sqrtf(fmaxf(squares / SEARCHES - mean * mean, 0) / SEARCHES);
    float ahead = sum[best] - sum[second(v, best, sum)];
    p->hint.best = v->legal[best];
    for (int i = 0; i < v->n_legal; i++) {
        p->win[i] = (uint8_t)percent(sum[i] / SEARCHES);
        win[i] = p->win[i];
    }
    p->hint.win = p->win[best];
    *ret_next = second(v, best, win); /* by the numbers that are shown */
    return ahead >= least_lead * SEARCHES && mean >= 5 * error;
}

/* ---- The reason, and who misses it ----------------------------------------------------------- */

/* Fills the reason why the best move is better than v->legal[next]. */
static void explain(int next, uint64_t seed, struct puzzle *p)
{
    const struct view *v = &p->view;
    struct review r = {.best = (uint8_t)index_of(v, p->hint.best),
                       .reason = {.seat = -1, .yaku = N_YAKU, .card = CARD_NONE}};
    struct review_worlds w;
    for (int i = 0; i < v->n_legal; i++)
        r.advice.at[i].win = (float)p->win[i] / 100;
    review_worlds_make(v, seed, &w);
    review_outlooks(&w, REASON_WORLDS, &r);
    if (!r.decision)
        review_reason(&w, r.best, next, REASON_WORLDS, &r.reason);
    else
        r.reason.kind = p->hint.best.kind == MOVE_STOP ? REASON_STOP : REASON_KOIKOI;
    hint_of(v, &r, &p->hint);
}

/* The strongest level that misses the move more often than not; -1 if all find it. */
static int missed_by(const struct ruleset *g, int sightings, uint64_t seed, const struct puzzle *p)
{
    int level = LEVEL_MASTER;
    while (--level >= 0) {
        int missed = 0;
        for (int k = 0; k < sightings; k++) {
            struct advice a;
            search_under(g, &p->view, (enum level)level, &(const struct budget){0},
                         seed + (uint64_t)k, &a);
            missed += !review_alike(a.move, p->hint.best);
        }
        if (2 * missed > sightings)
            break;
    }
    return level;
}

/* Asks the cheap questions first. hint: the view's advice from a weaker search. */
static bool makes_puzzle(const struct ruleset *g, const struct view *v, const struct advice *hint,
                         uint64_t seed, const struct wanted *w, struct puzzle *p)
{
    float win[MAX_PUZZLE_ANSWERS];
    int best, next;
    if (!asks(v) || (w->theme == THEME_CALL) != (v->phase == PHASE_DECIDE))
        return false;
    for (int i = 0; i < v->n_legal; i++)
        win[i] = hint->at[i].win;
    next = second(v, index_of(v, hint->move), win);
    if (next < 0 || hint->win - win[next] < least_lead / 2 ||
        lead(g, v, FIRST_VISITS, seed, &best, win) < least_lead)
        return false;
    *p = (struct puzzle){.view = *v, .hint = {.best = v->legal[best]}};
    if (missed_by(g, FEW_SIGHTINGS, seed + 200, p) < w->level)
        return false;
    explain(second(v, best, win), seed + 100, p);
    if (!is_of_theme(p->hint.kind, w->theme) || !confirmed(g, seed + 1, p, &next))
        return false;
    explain(next, seed + 300, p);
    int level = missed_by(g, SIGHTINGS, seed + 400, p); /* the few were met by luck at times */
    p->level = (uint8_t)level;
    return level >= w->level && is_of_theme(p->hint.kind, w->theme);
}

/* Plays one round in search of a puzzle. */
static bool found_in_round(const struct wanted *w, uint64_t seed, struct puzzle *p)
{
    const struct ruleset *g = preset(w->source.preset);
    struct rng chance = rng_seed(seed);
    struct match m;
    struct view v;
    struct advice a;
    if (!begin(g, w->source.players, &chance, &m))
        return false;
    while (m.stage == MATCH_PLAYING) {
        view_of(g, &m, m.round.turn, &v);
        uint64_t at = rng_next(&chance) >> 16;
        search_under(g, &v, LEVEL_HARD, &(const struct budget){0}, at, &a);
        if (makes_puzzle(g, &v, &a, at + 1000, w, p))
            return true;
        match_apply(g, &m, v.seat, a.move, NULL);
    }
    return false;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

static void put_view(struct buf *b, const struct view *v)
{
    static char text[32 * 1024];
    struct buf whole = BUF(text);
    buf_char(&whole, '{');
    view_write(&whole, v, NULL);
    buf_char(&whole, '}');
    struct json state = json_open(buf_str(&whole), JSON_LINE);
    /* what the reader finds by itself */
    json_remove(state, "legal");
    json_remove(state, "result");
    json_set_str(state, "rules", str_of(v->rules.name));
    struct arena *a = arena_open(1 << 20);
    buf_put(b, json_print(a, state));
    arena_close(a);
    json_free(state);
}

static void put_reason(struct buf *b, const struct hint *h)
{
    if (h->decision) {
        buf_print(
            b,
            "\"calls\":{\"stop\":{\"win\":%d,\"points\":%d},\"koikoi\":{\"win\":%d,\"won\":%d,"
            "\"gain\":%d,\"lost\":%d,\"risk\":%d}}",
            h->stop_win, h->stop_gain, h->koikoi_win, h->won, h->gain, h->lost, h->risk);
        return;
    }
    buf_print(b, "\"reason\":{\"kind\":\"%s\",\"seat\":%d,\"yaku\":\"%s\"",
              reason_key((enum reason_kind)h->kind), h->seat, yaku_key((enum yaku)h->yaku));
    if (h->card < N_CARDS)
        json_put_card(b, "card", h->card);
    buf_print(b, ",\"chance\":%d,\"instead\":%d}", h->chance, h->instead);
}

static void print_line(const struct puzzle *p)
{
    static char text[32 * 1024];
    struct buf b = BUF(text);
    buf_print(&b, "{\"puzzle\":%d,\"view\":", p->no);
    put_view(&b, &p->view);
    view_write_move(&b, "best", p->hint.best);
    buf_put(&b, STR(",\"win\":["));
    for (int i = 0; i < p->view.n_legal; i++)
        buf_print(&b, "%s%d", i > 0 ? "," : "", p->win[i]);
    buf_print(&b, "],\"missed_by\":\"%s\",", level_key((enum level)p->level));
    put_reason(&b, &p->hint);
    buf_put(&b, STR("}\n"));
    fwrite(b.p, 1, b.n, stdout);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 365;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    for (int i = 0; i < n; i++) {
        const struct wanted w = {sources[i % N_SOURCES], (enum theme)themes[i % N_THEMES],
                                 grades[i % N_GRADES]};
        struct rng chance = rng_seed(seed << 20 | (uint64_t)i);
        struct puzzle p;
        int rounds = 1;

        while (!found_in_round(&w, rng_next(&chance) >> 8, &p))
            rounds++;
        p.no = i + 1;
        print_line(&p);
        fprintf(stderr, "%d: %s, %s, %s, round %d\n", p.no, p.view.rules.name,
                reason_key((enum reason_kind)p.hint.kind), level_key((enum level)p.level), rounds);
    }
}
