/* See view_json.h. Beyond kinds and ranges, the cards of a view that is read must add up to one
 * deck, the hands must fit the turn, and the moves made must lead to the piles, so that a search
 * meets only rounds that could have been played. */
#include "view_json.h"

#include "alloc.h"
#include "json_cards.h"
#include "record.h"
#include "ruleset_file.h"

#include <assert.h>

enum { SCORE_LIMIT = 1000000000 };

static const char *const keys[] = {
    "id",         "phase",  "turn",   "hand",  "table",         "taken",         "hand_sizes",
    "stock_size", "koikoi", "scores", "drawn", "legal",         "result",        "void",
    "seat",       "dealer", "round",  "rules", "table_brights", "last_decision", "seen",
    NULL};

static const char *const phases[] = {"hand", "draw", "decide", "over", NULL};
static const char *const move_kinds[] = {"play",    "choose", "koikoi", "stop",
                                         "declare", "redeal", "resign", NULL};
static const char *const seen_kinds[] = {"play", "draw", "koikoi", NULL};
static const char *const void_whys[] = {"", "table_four", "hand_four"};

/* ---- moves ---- */

void view_write_move(struct buf *b, const char *name, struct move m)
{
    json_put_open(b, name, '{');
    json_put_str(b, "do", str_of(move_kinds[m.kind]));
    if (m.kind == MOVE_PLAY)
        json_put_card(b, "card", m.card);
    if (m.kind == MOVE_PLAY || m.kind == MOVE_CHOOSE)
        json_put_cardset(b, "take", m.take);
    buf_char(b, '}');
}

struct move view_read_move(struct json v, const char *key, bool *ret_take_given)
{
    static const char *const bare[] = {"do", NULL}, *const choose[] = {"do", "take", NULL},
                             *const play[] = {"do", "card", "take", NULL};
    struct json o = json_object(v, key);
    struct move m = {.kind = (uint8_t)json_word(o, "do", move_kinds), .card = CARD_NONE};
    json_allow(o, m.kind == MOVE_PLAY ? play : m.kind == MOVE_CHOOSE ? choose : bare);
    if (m.kind == MOVE_PLAY)
        m.card = json_card(o, "card");
    *ret_take_given = json_at(o, "take").at;
    if (*ret_take_given)
        m.take = json_cardset(o, "take");
    return m;
}

/* ---- a view out ---- */

static void put_bytes(struct buf *b, const char *name, const uint8_t *at, int n)
{
    json_put_open(b, name, '[');
    for (int i = 0; i < n; i++)
        json_put_int(b, NULL, at[i]);
    buf_char(b, ']');
}

static void put_sets(struct buf *b, const char *name, const cardset *at, int n)
{
    json_put_open(b, name, '[');
    for (int i = 0; i < n; i++)
        json_put_cardset(b, NULL, at[i]);
    buf_char(b, ']');
}

/* [seat, "play", card, taken cards ...] */
static void put_seen(struct buf *b, struct seen s)
{
    int kind = s.seat_kind & 15;
    json_put_open(b, NULL, '[');
    json_put_int(b, NULL, s.seat_kind >> 4);
    json_put_str(b, NULL, str_of(seen_kinds[kind]));
    if (kind != SEEN_KOIKOI)
        json_put_card(b, NULL, s.card);
    for (cardset take = kind != SEEN_KOIKOI ? seen_take(s) : 0; take; take = set_rest(take))
        json_put_card(b, NULL, set_first(take));
    buf_char(b, ']');
}

void view_write(struct buf *b, const struct view *v, const struct match *all)
{
    json_put_str(b, "phase", str_of(phases[v->phase]));
    json_put_int(b, "turn", v->turn);
    if (all) {
        const struct round *r = &all->round;
        put_sets(b, "hands", r->hand, v->players);
        json_put_cards(b, "stock", r->deck + r->next, N_CARDS - r->next);
    } else {
        json_put_cardset(b, "hand", v->hand);
    }
    json_put_cardset(b, "table", v->field);
    put_sets(b, "taken", v->taken, v->players);
    put_bytes(b, "hand_sizes", v->hand_size, v->players);
    json_put_int(b, "stock_size", v->stock_size);
    put_bytes(b, "koikoi", v->koikoi, v->players);
    json_put_scores(b, v->scores, v->players);
    if (v->drawn == CARD_NONE)
        json_put_null(b, "drawn");
    else
        json_put_card(b, "drawn", v->drawn);
    json_put_open(b, "legal", '[');
    for (int i = 0; i < v->n_legal; i++)
        view_write_move(b, NULL, v->legal[i]);
    buf_char(b, ']');
    if (v->result.why == WHY_NONE) {
        json_put_null(b, "result");
    } else {
        json_put_open(b, "result", '{');
        record_result(b, &v->result, v->players, v->scores);
        buf_char(b, '}');
    }
    if (v->void_why != VOID_NONE)
        json_put_str(b, "void", str_of(void_whys[v->void_why]));
    if (all)
        json_put_str(b, "seat", STR("all"));
    else
        json_put_int(b, "seat", v->seat);
    json_put_int(b, "dealer", v->dealer);
    json_put_int(b, "round", v->round_no);
    json_put_name(b, "rules");
    ruleset_file_write(b, &v->rules);
    json_put_int(b, "table_brights", v->table_brights);
    json_put_open(b, "last_decision", '[');
    for (int p = 0; p < v->players; p++)
        if (v->koikoi[p] > 0)
            json_put_yaku(b, NULL, &v->last_decision[p]);
        else
            json_put_null(b, NULL);
    buf_char(b, ']');
    json_put_open(b, "seen", '[');
    for (int i = 0; i < v->n_seen; i++)
        put_seen(b, v->seen[i]);
    buf_char(b, ']');
}

/* ---- a view in ---- */

static uint8_t read_byte(struct json v, const char *key, int most)
{
    return (uint8_t)json_int(v, key, 0, most);
}

static void read_bytes(struct json v, const char *key, int n, int most, uint8_t *ret)
{
    for (struct json m = json_first(json_list(v, key, n, n)); m.at; m = json_next(m))
        *ret++ = read_byte(m, NULL, most);
}

/* The yaku of a call: each known, switched on, and worth something. */
static struct score read_yaku(struct json v, const struct rules *r)
{
    struct score s = {.base = 0};
    if (json_kind(v) != JSON_OBJECT)
        json_fail(v, NULL, "expected yaku for a seat that called koi-koi, got no object");
    for (struct json m = json_first(v); m.at; m = json_next(m)) {
        int y = 0;
        while (y < N_YAKU && !str_is(json_name(m), str_of(yaku_key((enum yaku)y))))
            y++;
        if (y == N_YAKU || r->yaku[y] == 0) {
            json_fail(m, NULL, "expected a yaku of this rule set");
            break;
        }
        int64_t worth = json_int(m, NULL, 1, (int64_t)MAX_WORTH * N_MONTHS);
        s.worth[y] = (uint16_t)worth;
        s.base = (uint16_t)(s.base + worth);
        s.n_yaku = (uint16_t)(s.n_yaku + (y == YAKU_HIKI ? worth / r->yaku[y] : 1));
    }
    if (s.n_yaku == 0)
        json_fail(v, NULL, "expected a yaku for a seat that called koi-koi, got {}");
    return s;
}

/* Seats, turn and phase, which all other fields are checked against. */
static void read_frame(struct json v, struct str folder, struct view *w, bool *ret_over)
{
    ruleset_file_value(v, "rules", folder, &w->rules);
    w->players = (uint8_t)json_count(json_list(v, "hand_sizes", MIN_PLAYERS, MAX_PLAYERS));
    if (!(w->rules.players_allowed & 1 << w->players))
        json_fail(v, "hand_sizes", "expected a number of players that the rule set allows, got %d",
                  w->players);
    w->phase = (uint8_t)json_word(v, "phase", phases);
    *ret_over = json_good(v) && w->phase == PHASE_OVER;
    if (*ret_over)
        json_fail(v, "phase", "expected a running round, got \"over\"");
    w->seat = (int8_t)read_byte(v, "seat", w->players - 1);
    w->turn = read_byte(v, "turn", w->players - 1);
    w->dealer = read_byte(v, "dealer", w->players - 1);
    bool longer = w->rules.tie_break == TIE_EXTRA_ROUND;
    w->round_no = (uint16_t)json_int(v, "round", 1, longer ? LAST_ROUND : w->rules.rounds);
    read_bytes(v, "hand_sizes", w->players, w->rules.hand[w->players], w->hand_size);
}

static void read_values(struct json v, struct view *w)
{
    int p = 0;
    w->hand = json_cardset(v, "hand");
    w->field = json_cardset(v, "table");
    struct json taken = json_list(v, "taken", w->players, w->players);
    for (struct json m = json_first(taken); m.at; m = json_next(m))
        w->taken[p++] = json_cardset(m, NULL);
    bool waits = json_kind(json_at(v, "drawn")) > JSON_NULL;
    w->drawn = waits ? json_card(v, "drawn") : CARD_NONE;
    w->stock_size = read_byte(v, "stock_size", N_CARDS);
    read_bytes(v, "koikoi", w->players, N_CARDS, w->koikoi);
    w->table_brights = read_byte(v, "table_brights", 4);
    struct json scores = json_list(v, "scores", w->players, w->players);
    p = 0;
    for (struct json m = json_first(scores); m.at; m = json_next(m))
        w->scores[p++] = (int32_t)json_int(m, NULL, 0, SCORE_LIMIT);
    struct json yaku = json_list(v, "last_decision", w->players, w->players);
    p = 0;
    for (struct json m = json_first(yaku); m.at; m = json_next(m), p++)
        if (w->koikoi[p] > 0)
            w->last_decision[p] = read_yaku(m, &w->rules);
        else if (json_kind(m) != JSON_NULL)
            json_fail(m, NULL, "expected null for a seat without koi-koi calls");
    if (json_at(v, "void").at || json_kind(json_at(v, "result")) > JSON_NULL)
        json_fail(v, NULL, "result, void: expected null and no such field in a running round");
}

/* Seats before the turn in this lap have played one card more than those after it. Returns the
 * number of plays. */
static int check_hands(struct json v, struct view *w)
{
    int most = w->rules.hand[w->players], plays = 0, all_calls = 0;
    int lap = most - w->hand_size[w->turn] - (w->phase != PHASE_HAND);
    for (int p = 0; p < w->players; p++) {
        int place = (p - w->dealer + w->players) % w->players;
        int turn = (w->turn - w->dealer + w->players) % w->players;
        int wanted = lap + (place < turn || (place == turn && w->phase != PHASE_HAND));
        int played = most - w->hand_size[p];
        if (lap < 0 || played != wanted)
            json_fail(v, "hand_sizes", "expected sizes that fit turn and dealer");
        int calls = played - (p == w->turn && w->phase != PHASE_HAND);
        if (w->koikoi[p] > calls)
            json_fail(v, "koikoi", "expected at most %d calls of seat %d, got %d", calls, p,
                      w->koikoi[p]);
        w->played[p] = played > 0;
        plays += played;
        all_calls += w->koikoi[p];
    }
    if (w->rules.koikoi_limit > 0 && all_calls > w->rules.koikoi_limit)
        json_fail(v, "koikoi", "expected at most %d calls of all seats, got %d",
                  w->rules.koikoi_limit, all_calls);
    if (w->phase == PHASE_HAND && w->hand_size[w->turn] == 0)
        json_fail(v, "phase", "expected cards in the hand of the seat to move");
    if (plays == 0 && w->table_brights != set_count(w->field & set_brights & ~CARD(RAINMAN)))
        json_fail(v, "table_brights", "expected %d as on the table, got %d",
                  set_count(w->field & set_brights & ~CARD(RAINMAN)), w->table_brights);
    return plays;
}

/* All cards make one deck, and as many were drawn as there were plays. */
static void check_cards(struct json v, const struct view *w, int plays)
{
    const struct rules *r = &w->rules;
    int stock = N_CARDS - w->players * r->hand[w->players] - r->table[w->players];
    int draws = plays < stock ? plays : stock, sum = set_count(w->field) + w->stock_size;
    cardset seen = w->field | w->hand;
    bool twice = (w->field & w->hand) != 0;
    if (w->drawn != CARD_NONE) {
        twice = twice || (seen & CARD(w->drawn));
        seen |= CARD(w->drawn);
        sum++;
    }
    for (int p = 0; p < w->players; p++) {
        twice = twice || (seen & w->taken[p]);
        seen |= w->taken[p];
        sum += set_count(w->taken[p]) + w->hand_size[p];
        if (set_count(w->taken[p]) % 2 != 0)
            json_fail(v, "taken", "expected an even number of cards in each pile, got %d",
                      set_count(w->taken[p]));
    }
    if (twice)
        json_fail(v, "hand, table, taken, drawn", "expected different cards, got one twice");
    if (set_count(w->hand) != w->hand_size[w->seat])
        json_fail(v, "hand", "expected %d cards as in hand_sizes, got %d", w->hand_size[w->seat],
                  set_count(w->hand));
    if (w->stock_size != stock - draws)
        json_fail(v, "stock_size", "expected %d after %d plays, got %d", stock - draws, plays,
                  w->stock_size);
    if (sum != N_CARDS)
        json_fail(v, "hand_sizes, table, taken, drawn, stock_size", "expected %d cards, got %d",
                  N_CARDS, sum);
}

static void check_phase(struct json v, const struct view *w, const struct ruleset *g)
{
    cardset takes[N_CARDS];
    struct score now;
    if ((w->phase == PHASE_DRAW) != (w->drawn != CARD_NONE))
        json_fail(v, "drawn", "required in phase \"draw\", must be null otherwise");
    else if (w->phase == PHASE_DRAW && round_takes(&g->rules, w->field, w->drawn, true, takes) < 2)
        json_fail(v, "drawn", "expected a card that may take one of several");
    score_pile(g, w->taken[w->turn], w->koikoi[w->turn] > 0, &now);
    if (w->phase == PHASE_DECIDE && !score_is_new(&now, &w->last_decision[w->turn]))
        json_fail(v, "phase", "\"decide\" needs a new yaku of the seat to move");
}

/* ---- the list `seen` ---- */

/* [seat, "play", card, taken cards ...]; *ret_take is what was taken. */
static struct seen read_seen_entry(struct json v, const struct view *w, cardset *ret_take)
{
    uint8_t card = CARD_NONE;
    struct json m = json_first(json_list(v, NULL, 2, 6));
    *ret_take = 0;
    if (!m.at)
        return (struct seen){0};
    uint8_t seat = read_byte(m, NULL, w->players - 1);
    m = json_next(m);
    int kind = json_word(m, NULL, seen_kinds);
    m = json_next(m);
    if ((kind == SEEN_KOIKOI) != !m.at)
        json_fail(v, NULL, "expected a card with a play or a draw, and none with koikoi");
    if (m.at) {
        card = json_card(m, NULL);
        for (m = json_next(m); m.at && json_good(v); m = json_next(m))
            *ret_take |= CARD(json_card(m, NULL) % N_CARDS);
    }
    cardset take = *ret_take, same = card == CARD_NONE ? 0 : take & card_month_set(card);
    if (take != same && set_count(take) != 1)
        json_fail(v, NULL, "expected taken cards of one month");
    uint8_t took = take == same ? (uint8_t)(card == CARD_NONE ? 0 : same >> (card & ~3))
                                : (uint8_t)(16 + set_first(take));
    return (struct seen){.seat_kind = (uint8_t)(seat << 4 | kind), .card = card, .took = took};
}

/* Undoes one entry in `then`, from the newest to the oldest; false if it cannot have happened. */
static bool undo(struct view *then, const struct seen *s, cardset take)
{
    int seat = s->seat_kind >> 4;
    if ((s->seat_kind & 15) == SEEN_KOIKOI)
        return then->koikoi[seat]-- > 0;
    assert(s->card < N_CARDS);
    cardset *from = take ? &then->taken[seat] : &then->field, moved = take | CARD(s->card);
    if (moved & ~*from || take & CARD(s->card))
        return false;
    *from &= ~moved;
    then->field |= take;
    if ((s->seat_kind & 15) == SEEN_PLAY)
        then->hand_size[seat]++;
    else
        then->stock_size++;
    return true;
}

/* The list may be left out; else it must lead from the deal to this view. */
static void read_seen(struct json v, struct view *w)
{
    cardset takes[MAX_SEEN] = {0};
    if (!json_at(v, "seen").at)
        return;
    struct json list = json_list(v, "seen", 0, MAX_SEEN);
    for (struct json m = json_first(list); m.at; m = json_next(m), w->n_seen++)
        w->seen[w->n_seen] = read_seen_entry(m, w, &takes[w->n_seen]);
    if (!json_good(v))
        return;
    struct view *then = alloc_room(sizeof *then);
    bool leads = true;
    *then = *w;
    then->stock_size = (uint8_t)(then->stock_size + (w->drawn != CARD_NONE));
    for (int i = w->n_seen - 1; leads && i >= 0; i--)
        leads = undo(then, &w->seen[i], takes[i]);
    leads = leads && set_count(then->field) == w->rules.table[w->players];
    for (int p = 0; p < w->players; p++)
        leads = leads && then->taken[p] == 0 && then->koikoi[p] == 0 &&
                then->hand_size[p] == w->rules.hand[w->players];
    free(then);
    if (!leads)
        json_fail(v, "seen", "expected moves that lead to these piles, hands and calls");
}

/* ---- legal moves ---- */

/* Finds the legal moves in a round that looks like this view from its seat. Hidden cards do not
 * matter: no legal move of this seat depends on them. */
static void find_legal(const struct ruleset *g, struct view *w)
{
    struct round r = {.phase = w->phase,
                      .turn = w->turn,
                      .players = w->players,
                      .dealer = w->dealer,
                      .next = (uint8_t)(N_CARDS - w->stock_size),
                      .drawn = w->drawn,
                      .void_by = -1,
                      .table_brights = w->table_brights,
                      .field = w->field};
    cardset months = 0;
    for (int p = 0; p < w->players; p++) {
        r.played[p] = w->played[p];
        r.koikoi[p] = w->koikoi[p];
        r.last_decision[p] = w->last_decision[p];
        r.taken[p] = w->taken[p];
    }
    r.hand[w->seat] = w->hand;
    for (int m = 0; m < N_MONTHS; m++)
        if ((w->hand & month_set(m)) == month_set(m))
            months |= month_set(m);
    r.may_redeal[w->seat] =
        g->rules.hand_four == HAND_FOUR_MAY_REDEAL && months != 0 && !w->played[w->seat];
    w->n_legal = (uint8_t)round_legal(g, &r, w->seat, w->legal);
}

int view_legal_place(const struct view *v, struct move m)
{
    for (int i = 0; i < v->n_legal; i++) {
        const struct move *l = &v->legal[i];
        if (l->kind == m.kind && l->take == m.take && (m.kind == MOVE_CHOOSE || l->card == m.card))
            return i;
    }
    return -1;
}

/* `legal` may be left out, or be in any order; it must be the list found here. */
static void check_legal(struct json v, const struct view *w)
{
    struct json list = json_at(v, "legal");
    bool given;
    if (list.at && (json_kind(list) != JSON_LIST || json_count(list) != w->n_legal))
        json_fail(list, NULL, "expected a list of the %d legal moves", w->n_legal);
    for (struct json m = json_first(list); m.at; m = json_next(m))
        if (view_legal_place(w, view_read_move(m, NULL, &given)) < 0)
            json_fail(list, NULL, "expected legal moves only");
}

void view_read(struct json from, const char *key, struct str folder, struct view *ret,
               bool *ret_over)
{
    struct json v = json_object(from, key);
    struct view *w = ret;
    struct ruleset g;
    *ret_over = false;
    *w = (struct view){.stage = MATCH_PLAYING, .attempt = 1, .winner = -1, .void_by = -1};
    json_allow(v, keys);
    read_frame(v, folder, w, ret_over);
    read_values(v, w);
    if (!json_good(from))
        return;
    rules_in_round(&w->rules, w->round_no);
    ruleset_make(&w->rules, &g);
    check_cards(v, w, check_hands(v, w));
    check_phase(v, w, &g);
    if (json_good(v))
        read_seen(v, w);
    if (!json_good(v))
        return;
    find_legal(&g, w);
    check_legal(v, w);
    *ret_over = json_good(v) && w->n_legal == 0;
    if (*ret_over)
        json_fail(v, "turn", "expected a seat with a move to make");
}
