/* See record_rounds.h. */
#include "record_rounds.h"

#include "json.h"
#include "json_cards.h"
#include "record.h"
#include "record_read.h"

enum { MAX_ROUND_LINES = 128 };

/* ---- rounds ---- */

static void read_round_yaku(struct json yaku, struct round_summary *n)
{
    for (struct json v = json_first(yaku); v.at; v = json_next(v)) {
        for (int y = 0; y < N_YAKU; y++)
            if (str_is(json_name(v), str_of(yaku_key((enum yaku)y))))
                n->worth[y] = (uint16_t)json_number(v, NULL);
        for (int h = 1; h < N_HAND_YAKU; h++)
            if (str_is(json_name(v), str_of(hand_yaku_key((enum hand_yaku)h))))
                n->hand = (uint8_t)h;
    }
}

static void read_multipliers(struct json list, struct round_summary *n)
{
    for (struct json v = json_first(list); v.at; v = json_next(v)) {
        for (int m = 0; m < N_MULTIPLIERS; m++)
            if (json_at(v, "x").at && json_is(v, "name", multiplier_key((enum multiplier)m)))
                n->x[m] = (uint32_t)json_number(v, "x");
        if (json_at(v, "add").at)
            n->added = (uint16_t)json_number(v, "add");
    }
}

/* What each line of a round captured, and whose it was: of a takeback lines are dropped. */
struct round_lines {
    bool moved;               /* a card was played, in any round */
    bool called[MAX_PLAYERS]; /* koi-koi, by seat */
    int n;
    cardset dealt[MAX_PLAYERS];
    struct {
        int8_t seat;
        bool played; /* a card of the hand: it begins a turn */
        cardset captured;
    } at[MAX_ROUND_LINES];
};

static void read_move(struct str line, struct round_lines *ret)
{
    struct err err;
    struct json v = json_open(line, JSON_LINE);
    bool play = json_is(v, "t", "play"), move = play || json_is(v, "t", "draw");
    bool calls = json_is(v, "t", "decide") && json_is(v, "do", "koikoi");
    int seat = -1, dropped = 0;
    cardset captured = 0;
    if (move || calls)
        seat = (int)json_int(v, "p", 0, MAX_PLAYERS - 1);
    if (json_is(v, "t", "takeback"))
        dropped = (int)json_int(v, "lines", 1, MAX_ROUND_LINES);
    if (move) {
        captured = json_cardset(v, "take");
        if (captured)
            captured |= CARD(json_card(v, "card"));
    }
    if (json_is(v, "t", "deal")) {
        int i = 0;
        dropped = ret->n + 1;
        for (struct json h = json_first(json_at(v, "hands")); h.at && i < MAX_PLAYERS;
             h = json_next(h))
            ret->dealt[i++] = json_cardset(h, NULL);
    }
    bool good = json_close(v, &err), counts = good && dropped == 0 && ret->n < MAX_ROUND_LINES;
    ret->moved |= play;
    if (calls && good)
        ret->called[seat] = true;
    ret->n -= dropped < ret->n ? dropped : ret->n;
    if (counts) {
        ret->at[ret->n].seat = (int8_t)seat;
        ret->at[ret->n].played = play;
        ret->at[ret->n++].captured = captured;
    }
}

static void add_cards(const struct round_lines *lines, struct round_summary *ret)
{
    if (ret->why == WHY_HAND_YAKU && ret->winner >= 0)
        ret->pile = lines->dealt[ret->winner]; /* it was shown when the round ended */
    bool turn = true; /* its lines, from the last one back to the card that was played */
    for (int i = lines->n - 1; i >= 0 && ret->winner >= 0; i--) {
        if (lines->at[i].seat != ret->winner)
            continue;
        ret->pile |= lines->at[i].captured;
        ret->last |= turn ? lines->at[i].captured : 0;
        turn &= !lines->at[i].played;
    }
}

/* Returns false if the line is not the end of a round. */
static bool read_round(struct str line, struct round_summary *ret)
{
    struct round_summary n = {.winner = -1};
    struct err err;
    int i = 0;
    if (!memmem(line.p, line.n, "round_end", 9)) /* most lines are moves: not parsed */
        return false;
    struct json v = json_open(line, JSON_LINE);
    if (!json_is(v, "t", "round_end"))
        json_fail(v, "t", "expected round_end");
    n.round = json_int(v, "round", 1, 10000);
    n.base = (uint16_t)json_int(v, "base", 0, 60000);
    n.points = (int32_t)json_int(v, "points", 0, INT32_MAX);
    n.why = (uint8_t)json_word(v, "why", record_round_whys);
    if (json_kind(json_at(v, "winner")) != JSON_NULL)
        n.winner = (int8_t)json_int(v, "winner", 0, MAX_PLAYERS - 1);
    read_round_yaku(json_at(v, "yaku"), &n);
    read_multipliers(json_at(v, "multipliers"), &n);
    for (struct json s = json_first(json_at(v, "scores")); s.at && i < MAX_PLAYERS;
         s = json_next(s))
        n.scores[i++] = (int32_t)json_number(s, NULL);
    if (!json_close(v, &err))
        return false;
    *ret = n;
    return true;
}

/* Reads on to the end of the next round. Returns false if the record ends before it. */
static bool next_round(struct str *rest, struct round_lines *lines, struct round_summary *ret)
{
    *lines = (struct round_lines){.moved = lines->moved};
    while (rest->n > 0) {
        struct str line = str_cut(*rest, '\n', rest);
        if (read_round(line, ret)) {
            add_cards(lines, ret);
            return true;
        }
        read_move(line, lines);
    }
    return false;
}

int record_rounds_read(struct arena *a, struct str record, const struct round_summary **ret)
{
    struct round_summary *rounds = arena_array(a, struct round_summary, MAX_RECORD_ROUNDS), one;
    struct round_lines lines = {0};
    int n = 0;
    for (struct str rest = record; next_round(&rest, &lines, &one);) {
        if (n == MAX_RECORD_ROUNDS)
            memmove(rounds, rounds + 1, sizeof *rounds * (size_t)--n);
        rounds[n++] = one;
    }
    *ret = rounds;
    return n;
}

/* ---- figures: of calls of koi-koi and of rounds ---- */

static void end_round(struct record_figures *ret, const struct round_summary *round,
                      const bool called[MAX_PLAYERS])
{
    if (round->why == WHY_LEAVE)
        return;
    for (int i = 0; i < MAX_PLAYERS; i++) {
        struct figures_of_seat *to = &ret->seat[i];
        bool won = round->winner == i;
        to->tally.rounds++;
        to->tally.rounds_won += won;
        to->tally.calls += called[i];
        to->tally.calls_won += called[i] && won;
        to->tally.calls_paid += called[i] && !won && round->winner >= 0;
        if (!won)
            continue;
        for (int y = 0; y < N_YAKU; y++)
            to->yaku[y] += round->worth[y] > 0;
        if (round->points > to->dearest.points)
            to->dearest = *round;
    }
}

void record_figures_read(struct str record, struct record_figures *ret)
{
    struct round_lines lines = {0};
    struct round_summary round;
    *ret = (struct record_figures){0};
    for (struct str rest = record; next_round(&rest, &lines, &round);)
        end_round(ret, &round, lines.called);
    ret->moved = lines.moved;
}

/* ---- without a name ---- */

static void rename_in(struct json list, int at, struct str name)
{
    for (struct json v = json_first(list); v.at; v = json_next(v))
        if (at-- == 0)
            json_set_str(v, NULL, name);
}

struct str record_forget(struct arena *a, struct str lines, int seat, int joined, struct str name)
{
    struct str rest, head = str_cut(lines, '\n', &rest);
    struct json v = json_open(head, JSON_LINE);
    struct str ret = lines;
    if (json_is(v, "t", "match")) {
        rename_in(json_at(v, "players"), seat, name);
        rename_in(json_in(v, "lots_draw", "joined", NULL), joined, name);
        ret = arena_print(a, "%.*s\n%.*s", STR_ARG(json_print(a, v)), STR_ARG(rest));
    }
    json_free(v);
    return ret;
}

/* ---- the beginning of another match ---- */

static void put_begun_head(struct buf *b, struct json v, const struct record_begun *g,
                           struct record_opening *ret)
{
    record_read_match(v, ret);
    if (!json_good(v))
        return;
    for (int i = 0; i < ret->head.players; i++) {
        ret->head.names[i] = g->names[i];
        ret->head.seats.joined[i] = g->joined[i];
    }
    ret->head.from = g->from;
    ret->head.from_lines = g->lines;
    record_match(b, &ret->head);
}

static void put_begun_deal(struct buf *b, struct json v, const struct record_begun *g,
                           const struct record_opening *o)
{
    struct record_cards cards;
    struct record_deal *d = &cards.deal;
    int left = N_CARDS - g->next;
    record_read_deal(v, o, &cards);
    if (!json_good(v))
        return;
    d->seed = *g->deal_seed;
    d->deck = g->deck;
    if (d->n_anew > 0 && d->anew[d->n_anew - 1].cards == left)
        d->n_anew--; /* the same cards once more */
    d->anew[d->n_anew++] = (struct record_anew){left, *g->anew};
    record_deal(b, &o->rules, &cards.deal);
}

bool record_begin(struct buf *b, struct str record, const struct record_begun *g)
{
    struct record_lines lines = {.rest = record};
    struct record_opening opening;
    struct json head = {0}, v;
    struct str t, line;
    struct err err;
    bool good = true;
    int dealt = 0;
    for (struct str rest = record; lines.n < g->lines && rest.n > 0; lines.n++) {
        line = str_cut(rest, '\n', &rest);
        dealt = memmem(line.p, line.n, "\"t\":\"deal\"", 10) ? lines.n + 1 : dealt;
    }
    for (lines.n = 0; good && lines.n < g->lines;) {
        line = lines.rest;
        if (!record_next(&lines, &v, &t))
            break;
        line.n -= lines.rest.n;
        if (lines.n == 1)
            put_begun_head(b, v, g, &opening);
        else if (lines.n == dealt && g->anew)
            put_begun_deal(b, v, g, &opening);
        else
            buf_put(b, line);
        if (lines.n == 1 && json_good(v))
            head = v; /* holds the strings of the opening */
        else
            good = json_close(v, &err);
    }
    json_free(head);
    return good && lines.n == g->lines && dealt > 0;
}
