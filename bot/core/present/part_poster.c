/* Posters, the pictures that people send on: a call or a dear yaku as a splash, the ends of a round
 * and of a match. Each shows what the text beside it says. See part_picture.h. */
#include "part_picture.h"

/* The key of a stamp; empty in a game that has names of its own for its sets. */
static struct str stamp(const struct draft *d, const char *key)
{
    bool own = !str_is(d->words->yaku[YAKU_GOKO], d->t->words[0].yaku[YAKU_GOKO]);
    return own ? STR("") : str_of(key);
}

/* The last row: which bot this is. */
static void put_sign(const struct draft *d, struct layout *l)
{
    static const struct str scheme = STR("https://");
    struct str link = d->network->link;
    link = str_starts(link, scheme) ? str_skip(link, scheme.n) : link;
    LAYOUT_ADD(l, LAYOUT_SIGN, d->network->name.n ? d->network->name : STR("Koi-Koi"),
               str_cut(link, '?', &(struct str){0}));
}

void part_poster_end(struct draft *d, struct layout *l)
{
    put_sign(d, l);
    draft_picture(d, l);
}

void part_poster(const struct draft *d, struct layout *l)
{
    layout_open(l, d->table ? d->table->rules.deck : d->w->bot->presets[0].deck);
}

void part_face(const struct draft *d, struct layout *l, int seat, enum manner m)
{
    const struct player_seen *p = &d->table->player[seat];
    if (p->computer && p->character)
        LAYOUT_ADD(l, LAYOUT_FACE, str_of(characters[p->character].key), STR(""), STR(""),
                   TX(d, character_text(p->character, m)));
}

void part_poster_title(const struct draft *d, struct layout *l, struct str words)
{
    enum { FOUR_BYTES = 0xF0 }; /* first byte of a sign of four, as all emoji here are */
    struct str rest, line = draft_unmarked(d, words);
    if (line.n > 0 && (unsigned char)line.p[0] >= FOUR_BYTES) {
        (void)str_cut(line, ' ', &rest);
        line = rest.n > 0 ? rest : line;
    }
    LAYOUT_ADD(l, LAYOUT_LINE, line);
}

/* ---- tables ---- */

void part_picture_beside(struct draft *d, bool picture)
{
    if (picture && d->e->pressed)
        d->out.slot = draft_slot(d, "picture", d->notice->post, d->notice->kind);
}

struct str part_place_stamp(int64_t place)
{
    static const char *const stamps[] = {"", "first", "second", "third"};
    return str_of(stamps[place >= 1 && place <= 3 ? place : 0]);
}

void part_place(const struct draft *d, struct layout *l, int64_t place, bool told, struct str name,
                struct str sums, struct str more, struct str total)
{
    struct str on_podium = part_place_stamp(told ? place : 0);
    name = draft_unmarked(d, name);
    if (on_podium.n == 0) {
        LAYOUT_ADD(l, LAYOUT_TABLE, draft_int(d, place), name, sums);
        if (more.p)
            layout_text(l, more);
        layout_text(l, total);
        return;
    }
    if (more.n > 0)
        draft_add(d, &sums, T_DOT, more);
    LAYOUT_ADD(l, LAYOUT_RESULT, on_podium, name, sums, total);
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

/* The set that is worth most, of equals the first. */
static int dearest(const uint16_t worth[static N_YAKU])
{
    int best = 0;
    for (int y = 1; y < N_YAKU; y++)
        if (worth[y] > worth[best])
            best = y;
    return best;
}

struct str part_stake(const struct draft *d, int seat, int *ret_base)
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
    *ret_base = pays.score.base;
    return x > 1 ? TX(d, T_PICTURE_TIMES, draft_int(d, x)) : STR("");
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
    int seat = s->act[0].seat, best = dearest(called ? s->at[seat].score.worth : s->made);
    const struct scene_seat *at = &s->at[seat];
    struct str name = draft_short_name(d, seat), koikoi = d->words->word[WORD_KOIKOI];
    int base = s->made[best];
    struct str times = called ? part_stake(d, seat, &base) : STR("");
    struct str yaku = part_short_yaku(d, best);
    cardset cards = 0;
    if (!called && s->made[best] < DEAR)
        return false;
    for (int y = 0; y < N_YAKU; y++)
        if (called ? at->score.worth[y] > 0 : y == best)
            cards |= cards_of(&d->table->view.rules, y, at->pile);
    LAYOUT_ADD(l, LAYOUT_SPLASH, stamp(d, called ? "koikoi" : yaku_key((enum yaku)best)),
               draft_unmarked(d, called ? draft_loud(d, koikoi) : yaku),
               draft_unmarked(d, called ? part_call(d, seat, name) : TX(d, T_MADE, name, yaku)),
               called ? part_worth_list(d, at->score.worth, COLUMNS) : STR(""),
               times.n ? times : draft_int(d, base));
    layout_cards(l, cards);
    if (called)
        part_face(d, l, seat, MANNER_KOIKOI);
    put_sign(d, l);
    return true;
}

/* ---- the end of a round ---- */

/* The winner's yaku with their cards. */
static void add_yaku(const struct draft *d, struct layout *l, const struct round_summary *n)
{
    const struct view *v = &d->table->view;
    if (n->why == WHY_HAND_YAKU) {
        LAYOUT_ADD(l, LAYOUT_YAKU, d->words->hand_yaku[n->hand], draft_int(d, n->base),
                   stamp(d, hand_yaku_key((enum hand_yaku)n->hand)));
        layout_cards(l, d->notice->shown[n->winner]);
        return;
    }
    for (int y = 0; y < N_YAKU; y++) {
        if (n->worth[y] == 0)
            continue;
        LAYOUT_ADD(l, LAYOUT_YAKU, d->words->yaku[y], draft_int(d, n->worth[y]),
                   stamp(d, yaku_key((enum yaku)y)));
        layout_cards(l, cards_of(&v->rules, y, v->taken[n->winner]));
    }
}

void part_poster_cards(struct draft *d, const struct round_summary *n)
{
    const struct view *v = &d->table->view;
    for (int y = 0; y < N_YAKU && n->why == WHY_STOP; y++)
        SAY_IF(d, n->worth[y] > 0, T_SCREEN_NEAR, d->words->yaku[y],
               draft_cards_short(d, cards_of(&v->rules, y, v->taken[n->winner])));
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

struct str part_near_miss(const struct draft *d, int seat, int winner)
{
    const struct scene_seat *at = &draft_scene(d)->at[seat];
    return seat == winner || at->n_near == 0
               ? STR("")
               : TX(d, T_SCREEN_NEAR, draft_short_name(d, seat), part_progress(d, &at->near[0]));
}

static void add_misses(const struct draft *d, struct layout *l, int winner)
{
    for (int i = 0; i < d->table->players; i++) {
        struct str miss = part_near_miss(d, i, winner);
        if (miss.n > 0)
            LAYOUT_ADD(l, LAYOUT_NOTE, draft_unmarked(d, miss));
    }
}

bool part_has_poster(const struct round_summary *n)
{
    return (n->why == WHY_STOP || n->why == WHY_HAND_YAKU) && n->winner >= 0;
}

/* Who has won and how much, the sets, their sum, each factor. Nothing for a round without a stop. */
void part_picture_round(struct draft *d)
{
    const struct round_summary n = part_round_over(d);
    int64_t full = (n.base + n.added) * round_factor(&n);
    struct layout l;
    if (!draft_can(d, CAN_PICTURE) || !part_has_poster(&n))
        return;
    part_poster(d, &l);
    LAYOUT_ADD(&l, LAYOUT_RESULT, stamp(d, "win"), draft_short_name(d, n.winner),
               draft_unmarked(d, draft_rounds(d)), draft_coins(d, full));
    add_yaku(d, &l, &n);
    if (n.why != WHY_HAND_YAKU && draft_is_sum(n.worth))
        LAYOUT_ADD(&l, LAYOUT_LINE, TX(d, T_PICTURE_SUM), draft_int(d, n.base));
    add_factors(d, &l, &n);
    if (n.points < full)
        LAYOUT_ADD(&l, LAYOUT_NOTE,
                   draft_unmarked(d, TX(d, T_PAID_CAPPED, draft_coins(d, n.points))));
    LAYOUT_ADD(&l, LAYOUT_LINE, draft_unmarked(d, draft_scores(d)));
    add_misses(d, &l, n.winner);
    part_poster_end(d, &l);
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

/* The dearest round that a seat has won, of equals the last; NULL if it has won none by its cards. */
static const struct round_summary *best_of(const struct draft *d, int seat)
{
    const struct round_summary *best = NULL, *at = d->notice->rounds.at;
    for (int i = 0; i < d->notice->rounds.n; i++)
        if (at[i].winner == seat && (!best || at[i].points >= best->points))
            best = &at[i];
    return best && (best->why == WHY_STOP || best->why == WHY_HAND_YAKU) ? best : NULL;
}

cardset part_dearest_cards(const struct rules *r, const struct round_summary *n)
{
    int need, yaku = dearest(n->worth);
    cardset cards = yaku_cards(r, (enum yaku)yaku, &need);
    if (n->pile || n->hand)
        return n->hand ? n->pile : cards_of(r, yaku, n->pile);
    return yaku != YAKU_HIKI && set_count(cards) == need ? cards : 0;
}

struct str part_dearest_words(const struct draft *d, const struct round_summary *n)
{
    return n->hand ? d->words->hand_yaku[n->hand] : part_short_yaku(d, dearest(n->worth));
}

const char *part_dearest_key(const struct round_summary *n)
{
    return n->hand ? hand_yaku_key((enum hand_yaku)n->hand)
                   : yaku_key((enum yaku)dearest(n->worth));
}

/* The best hand of each: its dearest set with its cards, what it paid. */
static void add_best(const struct draft *d, struct layout *l)
{
    for (int i = 0; i < d->table->players; i++) {
        const struct round_summary *n = best_of(d, i);
        if (!n)
            continue;
        LAYOUT_ADD(l, LAYOUT_YAKU, draft_unmarked(d, part_dearest_words(d, n)),
                   TX(d, T_PICTURE_PLUS, draft_int(d, n->points)), stamp(d, part_dearest_key(n)),
                   draft_unmarked(d, draft_short_name(d, i)));
        layout_cards(l, part_dearest_cards(&d->table->view.rules, n));
    }
}

struct str part_hand_cards(const struct draft *d, const struct rules *r,
                           const struct round_summary *n)
{
    cardset cards = draft_can(d, CAN_PICTURE) ? part_dearest_cards(r, n) : 0;
    return cards ? draft_cards_short(d, cards) : STR("");
}

void part_best_cards(struct draft *d)
{
    for (int i = 0; i < d->table->players; i++) {
        const struct round_summary *n = best_of(d, i);
        struct str cards = n ? part_hand_cards(d, &d->table->view.rules, n) : STR("");
        SAY_IF(d, cards.n > 0, T_SCREEN_NEAR, draft_name(d, i),
               draft_join(d, part_dearest_words(d, n), TX(d, T_DOT), cards));
    }
}

/* The round that moved the chances most: the cards of its last turn, the chance before and after. */
static void add_turning(const struct draft *d, struct layout *l)
{
    struct part_moment m;
    if (!part_moment(d, &m))
        return;
    struct str name = TX(d, T_BUTTON_REVIEW_ROUND, draft_int(d, m.round->round));
    draft_add(d, &name, T_DOT, draft_short_name(d, m.seat));
    LAYOUT_ADD(l, LAYOUT_MOMENT, TX(d, T_PICTURE_TURNING), name,
               TX(d, T_PICTURE_CHANCE, draft_int(d, m.before), draft_int(d, m.after)));
    layout_cards(l, m.round->last);
}

/* A line between two points says nothing; where a portrait speaks, the poster has no room for it. */
static bool has_curve(const struct draft *d)
{
    const struct table *t = d->table;
    bool faces = false;
    for (int i = 0; i < t->players; i++)
        faces |= t->player[i].computer && t->player[i].character;
    return d->notice->rounds.n > 1 && !faces;
}

static void add_scores(const struct draft *d, struct layout *l)
{
    const struct table *t = d->table;
    if (!has_curve(d))
        return;
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

/* The scores of three are too long to stand beside the winner; a curve below has them, too. */
static void add_result(const struct draft *d, struct layout *l, bool curve)
{
    struct str scores = draft_unmarked(d, draft_scores(d));
    struct str beside = d->table->players == 2 ? scores : STR("");
    int winner = d->table->view.winner;
    if (winner >= 0)
        LAYOUT_ADD(l, LAYOUT_RESULT, stamp(d, "win"), draft_short_name(d, winner), beside,
                   draft_coins(d, draft_scene(d)->at[winner].points));
    else
        LAYOUT_ADD(l, LAYOUT_RESULT, stamp(d, "draw"), TX(d, T_PICTURE_DRAW), beside);
    if (beside.n == 0 && !curve)
        LAYOUT_ADD(l, LAYOUT_LINE, scores);
}

/* Who has won, the scores by round, the best hand of each, the round that moved it most. */
void part_picture_match(struct draft *d)
{
    const struct table *t = d->table;
    struct layout l;
    struct str why = reason(d);
    if (!draft_can(d, CAN_PICTURE))
        return;
    part_poster(d, &l);
    add_result(d, &l, has_curve(d));
    if (why.n > 0)
        LAYOUT_ADD(&l, LAYOUT_LINE, draft_unmarked(d, why));
    for (int i = 0; i < t->players; i++)
        part_face(d, &l, i, part_end_manner(t->view.winner, i));
    if (d->notice->rounds.n > 0) {
        add_scores(d, &l);
        add_best(d, &l);
    }
    add_turning(d, &l);
    part_poster_end(d, &l);
}

void part_picture_preview(struct draft *d)
{
    struct part_moment m;
    struct layout l;
    part_poster(d, &l);
    add_result(d, &l, false);
    if (part_moment(d, &m))
        add_turning(d, &l);
    else
        add_best(d, &l);
    part_poster_end(d, &l);
}
