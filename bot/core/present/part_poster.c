/* Posters, the pictures that people send on: a call or a dear yaku as a splash, the ends of a round
 * and of a match. Each shows what the text beside it says. See part_picture.h. */
#include "part_picture.h"

/* The key of a stamp; empty in a game that has names of its own for its sets. */
static struct str stamp(const struct draft *d, const char *key)
{
    bool own = !str_is(d->words->yaku[YAKU_GOKO], d->t->words[0].yaku[YAKU_GOKO]);
    return own ? STR("") : str_of(key);
}

static void add_words(struct layout *l, enum layout_kind kind, const struct str *words, int n)
{
    layout_row(l, kind);
    for (int i = 0; i < n; i++)
        layout_text(l, words[i]);
}
#define ADD(l, kind, ...)                                                                          \
    add_words((l), (kind), (struct str[]){__VA_ARGS__},                                            \
              (int)(sizeof((struct str[]){__VA_ARGS__}) / sizeof(struct str)))

void part_sign(const struct draft *d, struct layout *l)
{
    static const struct str scheme = STR("https://");
    struct str link = d->network->link;
    link = str_starts(link, scheme) ? str_skip(link, scheme.n) : link;
    ADD(l, LAYOUT_SIGN, d->network->name.n ? d->network->name : STR("Koi-Koi"),
        str_cut(link, '?', &(struct str){0}));
}

/* ---- a splash ---- */

/* The cards of a pile that make up this set. */
static cardset cards_of(const struct rules *r, int yaku, cardset pile)
{
    cardset months = 0;
    int need;
    for (int m = 0; m < N_MONTHS; m++)
        if ((pile & month_set(m)) == month_set(m))
            months |= month_set(m);
    return yaku == YAKU_HIKI ? months : yaku_cards(r, (enum yaku)yaku, &need) & pile;
}

int part_dearest(const uint16_t worth[static N_YAKU])
{
    int best = 0;
    for (int y = 1; y < N_YAKU; y++)
        if (worth[y] > worth[best])
            best = y;
    return best;
}

/* By how much the caller's win would be multiplied, if they called no more. */
static struct str stake(const struct draft *d, int seat)
{
    const struct scene *s = draft_scene(d);
    struct calls calls = {.players = s->players};
    struct round_result pays;
    int64_t x = 1;
    for (int i = 0; i < s->players; i++)
        calls.koikoi[i] = s->at[i].calls;
    score_pay(draft_ruleset(d), &calls, seat, &s->at[seat].score, true, &pays);
    for (int m = 0; m < N_MULTIPLIERS; m++)
        x *= pays.x[m] > 1 ? pays.x[m] : 1;
    return x > 1 ? TX(d, T_PICTURE_TIMES, draft_int(d, x)) : draft_int(d, pays.score.base);
}

/* A call, or a set of five and more, is what the others have to see. A board that is sent anew shows
 * the table: its reader has to find their place in it. */
bool part_splash(const struct draft *d, struct layout *l)
{
    enum { DEAR = 5, COLUMNS = 44 };
    const struct scene *s = draft_scene(d);
    bool called = false;
    if (s->n_acts == 0 || !s->dealt || s->seat >= 0 || d->notice->notify)
        return false;
    for (int i = 0; i < s->n_acts; i++)
        called |= s->act[i].kind == SEEN_KOIKOI;
    int seat = s->act[0].seat, best = part_dearest(called ? s->at[seat].score.worth : s->made);
    const struct scene_seat *at = &s->at[seat];
    struct str name = draft_short_name(d, seat), koikoi = d->words->word[WORD_KOIKOI];
    struct str yaku = part_short_yaku(d, best);
    cardset cards = 0;
    if (!called && s->made[best] < DEAR)
        return false;
    for (int y = 0; y < N_YAKU; y++)
        if (called ? at->score.worth[y] > 0 : y == best)
            cards |= cards_of(&d->table->view.rules, y, at->pile);
    ADD(l, LAYOUT_SPLASH, stamp(d, called ? "koikoi" : yaku_key((enum yaku)best)),
        draft_unmarked(d, called ? draft_loud(d, koikoi) : yaku),
        draft_unmarked(d, called ? part_call(d, seat, name) : TX(d, T_MADE, name, yaku)),
        called ? part_worth_list(d, at->score.worth, COLUMNS) : STR(""),
        called ? stake(d, seat) : draft_int(d, s->made[best]));
    layout_cards(l, cards);
    part_sign(d, l);
    return true;
}

/* ---- the end of a round ---- */

/* The winner's yaku with their cards. */
static void add_yaku(const struct draft *d, struct layout *l, const struct round_summary *n)
{
    const struct view *v = &d->table->view;
    if (n->why == WHY_HAND_YAKU) {
        ADD(l, LAYOUT_YAKU, d->words->hand_yaku[n->hand], draft_int(d, n->base),
            stamp(d, hand_yaku_key((enum hand_yaku)n->hand)));
        layout_cards(l, d->notice->shown[n->winner]);
        return;
    }
    for (int y = 0; y < N_YAKU; y++) {
        if (n->worth[y] == 0)
            continue;
        ADD(l, LAYOUT_YAKU, d->words->yaku[y], draft_int(d, n->worth[y]),
            stamp(d, yaku_key((enum yaku)y)));
        layout_cards(l, cards_of(&v->rules, y, v->taken[n->winner]));
    }
}

/* "×2" "seven or more", ... */
static void add_factors(const struct draft *d, struct layout *l, const struct round_summary *n)
{
    if (n->added == 0 && round_factor(n) == 1)
        return;
    layout_row(l, LAYOUT_SEALS);
    if (n->added > 0) {
        layout_text(l, TX(d, T_PICTURE_PLUS, draft_int(d, n->added)));
        layout_text(l, TX(d, T_X_CALL_BONUS));
    }
    for (int m = 0; m < N_MULTIPLIERS; m++)
        if (n->x[m] > 1) {
            layout_text(l, TX(d, T_PICTURE_TIMES, draft_int(d, n->x[m])));
            layout_text(l, TX(d, (enum text)(T_X_SEVEN_PLUS + m)));
        }
}

/* What the others nearly had: the set that each lacked the fewest cards of. */
static void add_misses(const struct draft *d, struct layout *l, int winner)
{
    const struct scene *s = draft_scene(d);
    for (int i = 0; i < s->players; i++)
        if (i != winner && s->at[i].n_near > 0)
            ADD(l, LAYOUT_NOTE,
                draft_unmarked(d, TX(d, T_SCREEN_NEAR, draft_short_name(d, i),
                                     part_progress(d, &s->at[i].near[0]))));
}

/* Who has won and how much, the sets, their sum, each factor. Nothing for a round without a stop. */
void part_picture_round(struct draft *d)
{
    const struct round_summary n = part_round_over(d);
    int64_t full = (n.base + n.added) * round_factor(&n);
    struct layout l;
    bool won = n.why == WHY_STOP || n.why == WHY_HAND_YAKU;
    if (!draft_can(d, CAN_PICTURE) || !won || n.winner < 0)
        return;
    layout_open(&l, d->table->rules.deck);
    ADD(&l, LAYOUT_RESULT, stamp(d, "win"), draft_short_name(d, n.winner),
        draft_unmarked(d, draft_rounds(d)), draft_coins(d, full));
    add_yaku(d, &l, &n);
    if (n.why != WHY_HAND_YAKU && draft_is_sum(n.worth))
        ADD(&l, LAYOUT_LINE, TX(d, T_PICTURE_SUM), draft_int(d, n.base));
    add_factors(d, &l, &n);
    if (n.points < full)
        ADD(&l, LAYOUT_NOTE, draft_unmarked(d, TX(d, T_PAID_CAPPED, draft_coins(d, n.points))));
    ADD(&l, LAYOUT_LINE, draft_unmarked(d, draft_scores(d)));
    add_misses(d, &l, n.winner);
    part_sign(d, &l);
    draft_picture(d, &l);
}

/* ---- the end of a match ---- */

/* Why it ended before its last round, or whom it left with nothing; empty for others. */
static struct str reason(const struct draft *d)
{
    const struct table *t = d->table;
    if (t->view.why == MATCH_AGREED)
        return TX(d, T_AGREED);
    if (t->view.why == MATCH_LEAVE && t->left >= 0)
        return TX(d, t->left_timeout ? T_LEFT_TIMEOUT : T_LEFT_RESIGN,
                  draft_short_name(d, t->left));
    for (int i = 0; i < t->players; i++)
        if (t->view.why == MATCH_BANKRUPT && draft_scene(d)->at[i].points == 0)
            return TX(d, T_BANKRUPT, draft_short_name(d, i));
    return STR("");
}

/* The dearest round that a seat has won, of equals the last; NULL if it has won none. */
static const struct round_summary *best_of(const struct draft *d, int seat)
{
    const struct round_summary *best = NULL, *at = d->notice->rounds.at;
    for (int i = 0; i < d->notice->rounds.n; i++)
        if (at[i].winner == seat && (!best || at[i].points >= best->points))
            best = &at[i];
    return best;
}

cardset part_certain_cards(const struct rules *r, int yaku)
{
    int need;
    cardset cards = yaku_cards(r, (enum yaku)yaku, &need);
    return yaku != YAKU_HIKI && set_count(cards) == need ? cards : 0;
}

/* The best hand of each: its dearest set, what it paid; the cards as far as they are known, those of
 * the last round from the table. */
static void add_best(const struct draft *d, struct layout *l)
{
    const struct view *v = &d->table->view;
    const struct round_summary *last = &d->notice->rounds.at[d->notice->rounds.n - 1];
    for (int i = 0; i < d->table->players; i++) {
        const struct round_summary *n = best_of(d, i);
        if (!n || (n->why != WHY_STOP && n->why != WHY_HAND_YAKU))
            continue;
        int y = part_dearest(n->worth);
        bool whole = n == last && v->why != MATCH_LEAVE && v->why != MATCH_AGREED;
        bool dealt = n->why == WHY_HAND_YAKU;
        struct str yaku = dealt ? d->words->hand_yaku[n->hand] : part_short_yaku(d, y);
        ADD(l, LAYOUT_YAKU, draft_unmarked(d, TX(d, T_SCREEN_NEAR, draft_short_name(d, i), yaku)),
            TX(d, T_PICTURE_PLUS, draft_int(d, n->points)),
            stamp(d, dealt ? hand_yaku_key((enum hand_yaku)n->hand) : yaku_key((enum yaku)y)));
        layout_cards(l, dealt   ? (whole ? d->notice->shown[i] : 0)
                        : whole ? cards_of(&v->rules, y, v->taken[i])
                                : part_certain_cards(&v->rules, y));
    }
}

static void add_scores(const struct draft *d, struct layout *l)
{
    const struct table *t = d->table;
    ADD(l, LAYOUT_NOTE, TX(d, T_PICTURE_BY_ROUND));
    layout_row(l, LAYOUT_CURVE);
    for (int i = 0; i < t->players; i++) {
        struct buf b = {arena_room(d->a, LAYOUT_BYTES), 0, LAYOUT_BYTES, false};
        buf_int(&b, rules_start_score(&t->rules)); /* then the scores after each round */
        for (int k = 0; k < d->notice->rounds.n; k++)
            buf_print(&b, " %d", d->notice->rounds.at[k].scores[i]);
        layout_text(l, TX(d, T_NAME_SCORE, draft_short_name(d, i),
                          draft_int(d, draft_scene(d)->at[i].points)));
        layout_text(l, buf_str(&b));
    }
}

/* Who has won, the scores by round, the best hand of each, the round that moved it most. */
void part_picture_match(struct draft *d)
{
    const struct table *t = d->table;
    struct part_moment m;
    struct layout l;
    struct str scores = draft_unmarked(d, draft_scores(d)), why = reason(d);
    int winner = t->view.winner;
    if (!draft_can(d, CAN_PICTURE))
        return;
    layout_open(&l, t->rules.deck);
    if (winner >= 0)
        ADD(&l, LAYOUT_RESULT, stamp(d, "win"), draft_short_name(d, winner), scores,
            draft_coins(d, draft_scene(d)->at[winner].points));
    else
        ADD(&l, LAYOUT_RESULT, stamp(d, "draw"), TX(d, T_PICTURE_DRAW), scores);
    if (why.n > 0)
        ADD(&l, LAYOUT_LINE, draft_unmarked(d, why));
    if (d->notice->rounds.n > 0) {
        add_scores(d, &l);
        add_best(d, &l);
    }
    if (part_moment(d, &m))
        ADD(&l, LAYOUT_NOTE,
            draft_unmarked(d, TX(d, T_REVIEW_TURNING, draft_int(d, m.round->round),
                                 draft_short_name(d, m.seat), draft_int(d, m.before),
                                 draft_int(d, m.after))));
    part_sign(d, &l);
    draft_picture(d, &l);
}
