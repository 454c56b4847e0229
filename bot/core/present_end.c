/* What is said when something is over: a round, a deal that does not count, a match; and the
 * notebook. */
#include "page.h"

static struct round_note note_of(const struct view *v, int round)
{
    const struct round_result *r = &v->result;
    struct round_note n = {.round = round,
                           .why = r->why,
                           .winner = r->winner,
                           .base = r->score.base,
                           .points = r->points,
                           .hand = r->hand};
    memcpy(n.scores, v->scores, sizeof n.scores);
    memcpy(n.worth, r->score.worth, sizeof n.worth);
    memcpy(n.x, r->x, sizeof n.x);
    return n;
}

static struct str worth_text(const struct page *pg, const struct round_note *n)
{
    struct score s = {.base = n->base};
    memcpy(s.worth, n->worth, sizeof s.worth);
    if (n->why == WHY_HAND_YAKU)
        return TX(pg, T_YAKU_WORTH, pg->words->hand_yaku[n->hand], page_int(pg, n->base));
    return page_yaku(pg, &s);
}

struct str present_factors(const struct page *pg, const uint32_t x[static N_MULTIPLIERS])
{
    struct str list = {0};
    for (int m = 0; m < N_MULTIPLIERS; m++)
        if (x[m] > 1)
            list = page_join(
                pg, list, TX0(pg, T_DOT),
                TX(pg, T_FACTOR, TX0(pg, (enum text)(T_X_SEVEN_PLUS + m)), page_int(pg, x[m])));
    return list;
}

/* All multipliers together. */
static int64_t factor_of(const struct round_note *n)
{
    int64_t x = 1;
    for (int m = 0; m < N_MULTIPLIERS; m++)
        x *= n->x[m] > 1 ? n->x[m] : 1;
    return x;
}

static void paid(struct page *pg, const struct round_note *n)
{
    if (n->why == WHY_OYA_KAN || n->winner < 0)
        return;
    int64_t full = n->base * factor_of(n);
    struct str yaku = worth_text(pg, n), x = present_factors(pg, n->x);
    page_line(pg, x.n ? TX(pg, T_PAID_TIMES, yaku, page_int(pg, n->base), x, page_int(pg, full))
                      : TX(pg, T_PAID, yaku, page_int(pg, n->base)));
    if (n->points < full)
        page_line(pg, TX(pg, T_PAID_CAPPED, page_coins(pg, n->points)));
}

/* What ended the round: "Bo wins round 1: 12 coins", with yaku and multipliers. */
static void result(struct page *pg, const struct round_note *n)
{
    struct str no = page_int(pg, n->round);
    switch ((enum round_why)n->why) {
    case WHY_STOP:
    case WHY_HAND_YAKU:
        page_line(pg, TX(pg, T_ROUND_WON, page_name(pg, n->winner), no, page_coins(pg, n->points)));
        break;
    case WHY_OYA_KAN:
        page_line(pg,
                  TX(pg, T_ROUND_OYA_KAN, page_name(pg, n->winner), no, page_coins(pg, n->points)));
        break;
    case WHY_HAND_YAKU_TIE:
        page_line(pg, TX(pg, T_ROUND_HAND_TIE, no));
        break;
    case WHY_LEAVE:
        page_line(pg, TX(pg, T_ROUND_LEFT, no));
        break;
    case WHY_EXHAUSTED:
    case WHY_NONE:
        page_line(pg, TX(pg, T_ROUND_DRAWN, no));
        break;
    }
    paid(pg, n);
}

/* The seed of the deal that is over, and the seal of the next if there will be one. */
static void seals(struct page *pg)
{
    const struct table *t = pg->table;
    if (t->deal_seed[0])
        page_line(pg, TX(pg, T_DEAL_SEED, str_of(t->deal_seed), page_command(pg, VERB_VERIFY)));
    if (t->next_commit[0] && t->phase == SESSION_PLAYING)
        page_line(pg,
                  TX(pg, T_DEAL_SEALED, page_int(pg, t->view.round_no), str_of(t->next_commit)));
}

static void ready(struct page *pg)
{
    struct str due = page_time(pg, pg->table->due);
    page_line(pg, page_can(pg, CAN_BUTTONS)
                      ? TX(pg, T_GOES_ON, due)
                      : TX(pg, T_GOES_ON_HOW, due, page_command(pg, VERB_READY)));
    page_button(pg, TX0(pg, T_BUTTON_READY), VERB_READY, 0, BUTTON_TAKE);
}

/* The turn that ended it, where no board beside this message shows it. */
static void last_turn(struct page *pg)
{
    if (!page_can(pg, CAN_EDIT) || pg->table->at.direct)
        present_events(pg);
}

void present_round(struct page *pg)
{
    const struct table *t = pg->table;
    struct round_note n = note_of(&t->view, t->view.round_no - 1);
    last_turn(pg);
    result(pg, &n);
    page_line(pg, TX(pg, T_NEXT_DEALER, page_scores(pg), page_name(pg, t->view.dealer),
                     pg->words->word[WORD_DEALER]));
    seals(pg);
    ready(pg);
}

void present_void(struct page *pg)
{
    const struct table *t = pg->table;
    if (t->view.void_why == VOID_TABLE_FOUR)
        page_line(pg, TX(pg, T_VOID_TABLE, page_int(pg, t->view.round_no)));
    else
        page_line(pg, TX(pg, T_VOID_HAND, page_name(pg, t->view.void_by),
                         page_int(pg, t->view.round_no)));
    seals(pg);
    ready(pg);
}

/* A round in one line: "3. Bo +12 · moon viewing 5 + plains 1 · ×2". */
static struct str note_line(const struct page *pg, const struct round_note *n)
{
    struct str no = page_int(pg, n->round), yaku = worth_text(pg, n);
    int64_t x = factor_of(n);
    if (n->winner < 0)
        return TX(pg, T_NOTE_NONE, no);
    struct str name = page_name(pg, n->winner), points = page_int(pg, n->points);
    if (x > 1)
        yaku = TX(pg, T_NOTE_TIMES, yaku, page_int(pg, x));
    return n->why == WHY_OYA_KAN ? TX(pg, T_NOTE_OYA_KAN, no, name, points)
                                 : TX(pg, T_NOTE_WON, no, name, points, yaku);
}

/* The rounds again, if there were some and not too many: all of them stand behind /score. */
static void notebook(struct page *pg)
{
    const struct say *say = pg->say;
    enum { MOST = 12 };
    if (say->n_notes < 2 || say->n_notes > MOST)
        return;
    for (int i = 0; i < say->n_notes; i++)
        page_line(pg, note_line(pg, &say->notes[i]));
}

static struct str rank(const struct page *pg, const struct result_effect *r)
{
    struct str place = page_int(pg, r->place), name = page_name(pg, r->seat);
    if (r->was > r->place)
        return TX(pg, T_RANK_UP, place, name, page_int(pg, r->was - r->place));
    if (r->was > 0 && r->was < r->place)
        return TX(pg, T_RANK_DOWN, place, name, page_int(pg, r->place - r->was));
    return TX(pg, T_RANK, place, name);
}

/* Where the match put its players on the scoreboard of this chat, the best first. */
static void ranks(struct page *pg)
{
    const struct say *say = pg->say;
    struct str list = {0};
    const struct result_effect *last = NULL;
    for (int n = 0; n < pg->table->players; n++) {
        const struct result_effect *next = NULL;
        for (int i = 0; i < say->n_results; i++) {
            const struct result_effect *r = &say->results[i];
            bool later = !last || r->place > last->place ||
                         (r->place == last->place && r->seat > last->seat);
            if (r->venue == pg->table->at.venue && later && (!next || r->place < next->place))
                next = r;
        }
        if (!next)
            break;
        list = page_join(pg, list, TX0(pg, T_DOT), rank(pg, next));
        last = next;
    }
    page_line(pg, list.n ? TX(pg, T_SEASON_NOW, list, page_command(pg, VERB_BOARD))
                         : TX0(pg, T_NOT_IN_SEASON));
}

void present_match(struct page *pg)
{
    const struct table *t = pg->table;
    const struct view *v = &t->view;
    struct round_note n = note_of(v, v->round_no);
    bool in_round = n.why != WHY_NONE && (v->why != MATCH_LEAVE || n.why == WHY_LEAVE);
    if (v->why == MATCH_LEAVE && t->left >= 0)
        page_line(pg,
                  TX(pg, t->left_timeout ? T_LEFT_TIMEOUT : T_LEFT_RESIGN, page_name(pg, t->left)));
    if (in_round && n.why != WHY_LEAVE) {
        last_turn(pg);
        result(pg, &n);
    }
    if (v->why == MATCH_BANKRUPT)
        for (int i = 0; i < t->players; i++)
            if (v->scores[i] == 0)
                page_line(pg, TX(pg, T_BANKRUPT, page_name(pg, i)));
    if (v->winner >= 0)
        page_line(pg, TX(pg, T_MATCH_WON, page_name(pg, v->winner), page_scores(pg),
                         page_int(pg, t->no)));
    else
        page_line(pg, TX(pg, T_MATCH_DRAWN, page_scores(pg), page_int(pg, t->no)));
    if (!page_can(pg, CAN_ONE_POST))
        notebook(pg);
    for (int i = 0; i < t->players; i++)
        page_says(pg, i, v->winner < 0 ? MANNER_DRAW : v->winner == i ? MANNER_WIN : MANNER_LOSS);
    seals(pg);
    if (page_can(pg, CAN_ONE_POST)) {
        page_line(pg, TX(pg, T_MATCH_MORE_THERE, page_command(pg, VERB_SCORE),
                         page_command(pg, VERB_EXPORT)));
    } else {
        ranks(pg);
        page_line(pg, TX(pg, T_MATCH_MORE, page_command(pg, VERB_SCORE),
                         page_command(pg, VERB_REMATCH), page_command(pg, VERB_EXPORT)));
    }
    page_button(pg, TX0(pg, T_BUTTON_REMATCH), VERB_REMATCH, 0, BUTTON_TAKE);
    page_button(pg, TX0(pg, T_BUTTON_SCORE), VERB_SCORE, 0, BUTTON_PLAIN);
    page_button(pg, TX0(pg, T_BUTTON_REVIEW), VERB_REVIEW, 0, BUTTON_PLAIN);
    page_button(pg, TX0(pg, T_BUTTON_VERIFY), VERB_VERIFY, 0, BUTTON_PLAIN);
}

static void score_from(struct page *pg, int first)
{
    const struct say *say = pg->say;
    page_line(pg, TX(pg, T_SCORE_HEAD, page_names(pg), page_scores(pg)));
    if (first > 0)
        page_line(
            pg, TN(pg, T_SCORE_EARLIER, first, page_int(pg, first), page_command(pg, VERB_EXPORT)));
    for (int i = first; i < say->n_notes; i++)
        result(pg, &say->notes[i]);
    if (say->n_notes == 0)
        page_line(pg, TX0(pg, T_SCORE_NO_ROUNDS));
    else if (pg->table->phase == SESSION_PLAYING && pg->table->view.stage == MATCH_PLAYING)
        page_line(pg, TX(pg, T_SCORE_NOW, page_rounds(pg)));
}

/* The whole notebook, or as many of its last rounds as a message holds. */
void present_score(struct page *pg)
{
    int most = pg->place->limits.text_chars;
    for (int first = 0; first <= pg->say->n_notes; first++) {
        pg->body.n = 0;
        pg->body.cut = false;
        score_from(pg, first);
        if (!pg->body.cut &&
            (most == 0 || text_units(buf_str(&pg->body), pg->place->limits.counts_utf16) <= most))
            return;
    }
}

void present_verify(struct page *pg)
{
    const struct table *t = pg->table;
    struct str id = t->match_id, seeds = {0};
    page_line(pg, TX(pg, T_VERIFY_HEAD, page_names(pg), id));
    for (int i = 0; i < t->players; i++)
        if (t->player[i].seed.n > 0)
            seeds = page_join(pg, seeds, TX0(pg, T_DOT),
                              TX(pg, T_VERIFY_CLIENT, page_name(pg, i), t->player[i].seed));
    if (t->lots_commit[0])
        page_line(pg, TX(pg, T_LOTS_SEALED, str_of(t->lots_commit)));
    if (t->lots_seed[0])
        page_line(pg, TX(pg, T_LOTS_SEED, str_of(t->lots_seed)));
    if (t->deal_commit[0])
        page_line(pg, TX(pg, T_VERIFY_DEAL, str_of(t->deal_commit)));
    page_line(pg, t->deal_seed[0]     ? TX(pg, T_VERIFY_SEED, str_of(t->deal_seed))
                  : t->deal_commit[0] ? TX0(pg, T_VERIFY_LATER)
                                      : (struct str){0});
    if (t->next_commit[0])
        page_line(pg, TX(pg, T_VERIFY_NEXT, str_of(t->next_commit)));
    if (seeds.n > 0)
        page_line(pg, TX(pg, T_VERIFY_CLIENTS, seeds));
    page_line(pg, TX(pg, T_VERIFY_SHARE, page_command(pg, VERB_READY), page_command(pg, VERB_CUT)));
    page_line(pg, TX(pg, T_VERIFY_HOW, page_command(pg, VERB_EXPORT)));
}
