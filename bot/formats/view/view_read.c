/* Reader of a view. See view_json.h. Beyond kinds and ranges, the cards must add up to one deck,
 * the hands must fit the turn, and the moves made must lead to the piles, so that a search meets
 * only rounds that could have been played. */
#include "ruleset_file.h"
#include "view_json.h"

#include <assert.h>

enum { SCORE_LIMIT = 1000000000 };

static const char *const keys[] = {
    "id",         "phase",  "turn",   "hand",  "table",         "taken",         "hand_sizes",
    "stock_size", "koikoi", "scores", "drawn", "legal",         "result",        "void",
    "seat",       "dealer", "round",  "rules", "table_brights", "last_decision", "seen",
    NULL};

static bool read_bytes(const cJSON *v, const char *name, int n, int high, uint8_t *ret,
                       struct err *err)
{
    int64_t x = 0;
    if (!json_list(v, name, n, n, err))
        return false;
    for (const cJSON *m = v->child; m; m = m->next) {
        if (!json_whole(m, name, 0, high, &x, err))
            return false;
        *ret++ = (uint8_t)x;
    }
    return true;
}

static bool read_byte(const cJSON *v, const char *name, int high, uint8_t *ret, struct err *err)
{
    int64_t x = 0;
    if (!json_whole(v, name, 0, high, &x, err))
        return false;
    *ret = (uint8_t)x;
    return true;
}

/* The yaku of a call: each known, switched on, and worth something. */
static bool read_yaku(const cJSON *v, const struct rules *r, struct score *ret, struct err *err)
{
    struct score s = {.base = 0};
    int64_t worth = 0;
    if (!cJSON_IsObject(v))
        return err_set(
            err, "last_decision: expected yaku for a seat that called koi-koi, got no object");
    for (const cJSON *m = v->child; m; m = m->next) {
        int y = 0;
        while (y < N_YAKU && strcmp(m->string, yaku_key((enum yaku)y)) != 0)
            y++;
        if (y == N_YAKU || r->yaku[y] == 0)
            return err_set(err, "last_decision.%.20s: expected a yaku of this rule set", m->string);
        if (!json_whole(m, "last_decision", 1, (int64_t)MAX_WORTH * N_MONTHS, &worth, err))
            return false;
        s.worth[y] = (uint16_t)worth;
        s.base = (uint16_t)(s.base + worth);
        s.n_yaku = (uint16_t)(s.n_yaku + (y == YAKU_HIKI ? worth / r->yaku[y] : 1));
    }
    *ret = s;
    return s.n_yaku > 0 ||
           err_set(err, "last_decision: expected a yaku for a seat that called koi-koi, got {}");
}

static bool read_decisions(const cJSON *v, struct view *w, struct err *err)
{
    int p = 0;
    if (!json_list(v, "last_decision", w->players, w->players, err))
        return false;
    for (const cJSON *m = v->child; m; m = m->next, p++) {
        if (w->koikoi[p] > 0 && !read_yaku(m, &w->rules, &w->last_decision[p], err))
            return false;
        if (w->koikoi[p] == 0 && !cJSON_IsNull(m))
            return err_set(err, "last_decision: expected null for a seat without koi-koi calls");
    }
    return true;
}

/* Seats, turn and phase, which all other fields are checked against. */
static bool read_frame(const cJSON *v, struct str folder, struct view *w, bool *ret_over,
                       struct err *err)
{
    static const char *const phases[] = {"hand", "draw", "decide", "over", NULL};
    int phase = 0;
    int64_t round = 0;
    uint8_t seat = 0;
    const cJSON *sizes = json_member(v, "hand_sizes");
    if (!json_member(v, "rules"))
        return err_set(err, "rules: missing");
    if (!ruleset_file_value(folder, json_member(v, "rules"), &w->rules, err))
        return err_wrap(err, "rules");
    if (!json_list(sizes, "hand_sizes", MIN_PLAYERS, MAX_PLAYERS, err))
        return false;
    w->players = (uint8_t)cJSON_GetArraySize(sizes);
    if (!(w->rules.players_allowed & 1 << w->players))
        return err_set(err,
                       "hand_sizes: expected a number of players that the rule set allows, got %d",
                       w->players);
    if (!json_choice(json_member(v, "phase"), "phase", phases, &phase, err))
        return false;
    *ret_over = phase == PHASE_OVER;
    if (*ret_over)
        return err_set(err, "phase: expected a running round, got \"over\"");
    w->phase = (uint8_t)phase;
    if (!read_byte(json_member(v, "seat"), "seat", w->players - 1, &seat, err) ||
        !read_byte(json_member(v, "turn"), "turn", w->players - 1, &w->turn, err) ||
        !read_byte(json_member(v, "dealer"), "dealer", w->players - 1, &w->dealer, err) ||
        !json_whole(json_member(v, "round"), "round", 1,
                    w->rules.tie_break == TIE_EXTRA_ROUND ? LAST_ROUND : w->rules.rounds, &round,
                    err))
        return false;
    w->seat = (int8_t)seat;
    w->round_no = (uint16_t)round;
    return read_bytes(sizes, "hand_sizes", w->players, w->rules.hand[w->players], w->hand_size,
                      err);
}

static bool read_cards(const cJSON *v, struct view *w, struct err *err)
{
    const cJSON *taken = json_member(v, "taken"), *drawn = json_member(v, "drawn");
    int p = 0;
    if (!json_cardset(json_member(v, "hand"), "hand", &w->hand, err) ||
        !json_cardset(json_member(v, "table"), "table", &w->field, err) ||
        !json_list(taken, "taken", w->players, w->players, err))
        return false;
    for (const cJSON *m = taken->child; m; m = m->next)
        if (!json_cardset(m, "taken", &w->taken[p++], err))
            return false;
    w->drawn = CARD_NONE;
    if (drawn && !cJSON_IsNull(drawn) && !json_card(drawn, "drawn", &w->drawn, err))
        return false;
    return true;
}

static bool read_counts(const cJSON *v, struct view *w, struct err *err)
{
    const cJSON *scores = json_member(v, "scores");
    int64_t x = 0;
    int p = 0;
    if (!read_byte(json_member(v, "stock_size"), "stock_size", N_CARDS, &w->stock_size, err) ||
        !read_bytes(json_member(v, "koikoi"), "koikoi", w->players, N_CARDS, w->koikoi, err) ||
        !read_byte(json_member(v, "table_brights"), "table_brights", 4, &w->table_brights, err) ||
        !json_list(scores, "scores", w->players, w->players, err))
        return false;
    for (const cJSON *m = scores->child; m; m = m->next) {
        if (!json_whole(m, "scores", 0, SCORE_LIMIT, &x, err))
            return false;
        w->scores[p++] = (int32_t)x;
    }
    return read_decisions(json_member(v, "last_decision"), w, err);
}

/* All cards make one deck, and as many were drawn as there were plays. */
static bool deck_adds_up(const struct view *w, int plays, struct err *err)
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
            return err_set(err, "taken: expected an even number of cards in each pile, got %d",
                           set_count(w->taken[p]));
    }
    if (twice)
        return err_set(err, "hand, table, taken, drawn: expected different cards, got one twice");
    if (set_count(w->hand) != w->hand_size[w->seat])
        return err_set(err, "hand: expected %d cards as in hand_sizes, got %d",
                       w->hand_size[w->seat], set_count(w->hand));
    if (w->stock_size != stock - draws)
        return err_set(err, "stock_size: expected %d after %d plays, got %d", stock - draws, plays,
                       w->stock_size);
    return sum == N_CARDS ||
           err_set(err, "hand_sizes, table, taken, drawn, stock_size: expected %d cards, got %d",
                   N_CARDS, sum);
}

/* Seats before the turn in this lap have played one card more than those after it. */
static bool hands_fit_turn(struct view *w, int *ret_plays, struct err *err)
{
    int most = w->rules.hand[w->players], plays = 0, all_calls = 0;
    int lap = most - w->hand_size[w->turn] - (w->phase != PHASE_HAND);
    for (int p = 0; p < w->players; p++) {
        int place = (p - w->dealer + w->players) % w->players;
        int turn = (w->turn - w->dealer + w->players) % w->players;
        int wanted = lap + (place < turn || (place == turn && w->phase != PHASE_HAND));
        int played = most - w->hand_size[p];
        if (lap < 0 || played != wanted)
            return err_set(err, "hand_sizes: expected sizes that fit turn and dealer");
        int calls = played - (p == w->turn && w->phase != PHASE_HAND);
        if (w->koikoi[p] > calls)
            return err_set(err, "koikoi: expected at most %d calls of seat %d, got %d", calls, p,
                           w->koikoi[p]);
        w->played[p] = played > 0;
        plays += played;
        all_calls += w->koikoi[p];
    }
    if (w->rules.koikoi_limit > 0 && all_calls > w->rules.koikoi_limit)
        return err_set(err, "koikoi: expected at most %d calls of all seats, got %d",
                       w->rules.koikoi_limit, all_calls);
    *ret_plays = plays;
    return w->phase != PHASE_HAND || w->hand_size[w->turn] > 0 ||
           err_set(err, "phase: expected cards in the hand of the seat to move");
}

static bool phase_fits(const struct ruleset *g, const struct view *w, int plays, struct err *err)
{
    cardset takes[N_CARDS];
    struct score now;
    if ((w->phase == PHASE_DRAW) != (w->drawn != CARD_NONE))
        return err_set(err, "drawn: required in phase \"draw\", must be null otherwise");
    if (w->phase == PHASE_DRAW && round_takes(&g->rules, w->field, w->drawn, true, takes) < 2)
        return err_set(err, "drawn: expected a card that may take one of several");
    if (plays == 0 && w->table_brights != set_count(w->field & set_brights & ~CARD(RAINMAN)))
        return err_set(err, "table_brights: expected %d as on the table, got %d",
                       set_count(w->field & set_brights & ~CARD(RAINMAN)), w->table_brights);
    for (int p = 0; p < w->players; p++) {
        score_pile(g, w->taken[p], w->koikoi[p] > 0, &now);
        bool decides = w->phase == PHASE_DECIDE && p == w->turn;
        if (decides && !score_is_new(&now, &w->last_decision[p]))
            return err_set(err, "phase: \"decide\" needs a new yaku of the seat to move");
    }
    return true;
}

/* ---- the list `seen` ---- */

static bool read_seen_entry(const cJSON *v, const struct view *w, struct seen *ret,
                            cardset *ret_take, struct err *err)
{
    static const char *const kinds[] = {"play", "draw", "koikoi", NULL};
    uint8_t seat = 0, card = CARD_NONE, taken = 0;
    int kind = 0;
    cardset take = 0;
    if (!json_list(v, "seen", 2, 6, err) ||
        !read_byte(v->child, "seen", w->players - 1, &seat, err) ||
        !json_choice(v->child->next, "seen", kinds, &kind, err))
        return false;
    const cJSON *m = v->child->next->next;
    if ((kind == SEEN_KOIKOI) != !m)
        return err_set(err, "seen: expected a card with a play or a draw, and none with koikoi");
    if (m && !json_card(m, "seen", &card, err))
        return false;
    for (m = m ? m->next : NULL; m; m = m->next) {
        if (!json_card(m, "seen", &taken, err))
            return false;
        take |= CARD(taken);
    }
    cardset same = card == CARD_NONE ? 0 : take & card_month_set(card);
    if (take != same && set_count(take) != 1)
        return err_set(err, "seen: expected taken cards of one month");
    uint8_t took = take == same ? (uint8_t)(card == CARD_NONE ? 0 : same >> (card & ~3))
                                : (uint8_t)(16 + set_first(take));
    *ret = (struct seen){.seat_kind = (uint8_t)(seat << 4 | kind), .card = card, .took = took};
    *ret_take = take;
    return true;
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
static bool read_seen(const cJSON *v, struct view *w, struct err *err)
{
    cardset takes[MAX_SEEN] = {0};
    struct view *then;
    bool ok = true;
    if (!v)
        return true;
    if (!json_list(v, "seen", 0, MAX_SEEN, err))
        return false;
    for (const cJSON *m = v->child; m; m = m->next, w->n_seen++)
        if (!read_seen_entry(m, w, &w->seen[w->n_seen], &takes[w->n_seen], err))
            return false;
    then = malloc(sizeof *then);
    if (!then)
        return err_set(err, "no memory");
    *then = *w;
    then->stock_size = (uint8_t)(then->stock_size + (w->drawn != CARD_NONE));
    for (int i = w->n_seen - 1; ok && i >= 0; i--)
        ok = undo(then, &w->seen[i], takes[i]);
    ok = ok && set_count(then->field) == w->rules.table[w->players];
    for (int p = 0; p < w->players; p++)
        ok = ok && then->taken[p] == 0 && then->koikoi[p] == 0 &&
             then->hand_size[p] == w->rules.hand[w->players];
    free(then);
    return ok || err_set(err, "seen: expected moves that lead to these piles, hands and calls");
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

/* `legal` may be left out, or be in any order; it must be the list found here. */
static bool legal_fits(const cJSON *v, const struct view *w, struct err *err)
{
    struct move m = {0};
    bool given = false, found;
    if (!v)
        return true;
    if (!cJSON_IsArray(v) || cJSON_GetArraySize(v) != w->n_legal)
        return err_set(err, "legal: expected a list of the %d legal moves", w->n_legal);
    for (const cJSON *o = v->child; o; o = o->next) {
        if (!view_read_move(o, &m, &given, err))
            return err_wrap(err, "legal");
        found = false;
        for (int i = 0; i < w->n_legal; i++) {
            const struct move *l = &w->legal[i];
            found = found || (l->kind == m.kind && l->take == m.take &&
                              (m.kind == MOVE_CHOOSE || l->card == m.card));
        }
        if (!found)
            return err_set(err, "legal: expected legal moves only");
    }
    return true;
}

bool view_read(const cJSON *v, struct str folder, struct view *ret, bool *ret_over, struct err *err)
{
    struct view *w = ret;
    struct ruleset g;
    int plays = 0;
    *ret_over = false;
    memset(w, 0, sizeof *w);
    w->stage = MATCH_PLAYING;
    w->attempt = 1;
    w->winner = w->void_by = -1;
    if (!json_only(v, keys, err) || !read_frame(v, folder, w, ret_over, err) ||
        !read_cards(v, w, err) || !read_counts(v, w, err))
        return false;
    if (json_member(v, "void") ||
        (json_member(v, "result") && !cJSON_IsNull(json_member(v, "result"))))
        return err_set(err, "result, void: expected null and no such field in a running round");
    ruleset_make(&w->rules, &g);
    if (!hands_fit_turn(w, &plays, err) || !deck_adds_up(w, plays, err) ||
        !phase_fits(&g, w, plays, err) || !read_seen(json_member(v, "seen"), w, err))
        return false;
    find_legal(&g, w);
    if (!legal_fits(json_member(v, "legal"), w, err))
        return false;
    *ret_over = w->n_legal == 0;
    return !*ret_over || err_set(err, "turn: expected a seat with a move to make");
}
