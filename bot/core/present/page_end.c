/* Ends: of a round, a void deal, a match. Also the list of all rounds (/score) and /verify. */
#include "page.h"

/* ---- a round ---- */

static struct str worth_text(const struct draft *d, const struct round_summary *n)
{
    return n->why == WHY_HAND_YAKU ? draft_worth(d, d->words->hand_yaku[n->hand], n->base)
                                   : draft_yaku(d, n->worth);
}

/* "Bo wins round 1: 12 coins" */
static void put_winner(struct draft *d, const struct round_summary *n)
{
    static const enum text won[] = {[WHY_STOP] = T_ROUND_WON,
                                    [WHY_HAND_YAKU] = T_ROUND_WON,
                                    [WHY_BEST_YAKU] = T_ROUND_WON,
                                    [WHY_OYA_KAN] = T_ROUND_OYA_KAN,
                                    [WHY_DEALER_POINT] = T_ROUND_DEALER_POINT};
    struct str no = draft_int(d, n->round);
    if (won[n->why])
        SAY(d, won[n->why], draft_name(d, n->winner), no, draft_coins(d, n->points));
    else
        SAY(d,
            n->why == WHY_HAND_YAKU_TIE ? T_ROUND_HAND_TIE
            : n->why == WHY_LEAVE       ? T_ROUND_LEFT
                                        : T_ROUND_DRAWN,
            no);
}

/* Its yaku and multipliers. */
static void put_sum(struct draft *d, const struct round_summary *n)
{
    bool flat = n->why == WHY_OYA_KAN || n->why == WHY_DEALER_POINT;
    if (!flat && n->winner >= 0) {
        int64_t full = (n->base + n->added) * round_factor(n);
        struct str sum = worth_text(d, n), x = part_factors(d, n->added, n->x);
        if (n->why != WHY_HAND_YAKU && draft_is_sum(n->worth))
            sum = TX(d, T_PAID, sum, draft_int(d, n->base));
        draft_line(d, x.n ? TX(d, T_PAID_TIMES, sum, x, draft_int(d, full)) : sum);
        SAY_IF(d, n->points < full, T_PAID_CAPPED, draft_coins(d, n->points));
    }
    for (int i = 0; i < d->table->players; i++)
        SAY_IF(d, d->notice->shown[i], T_HAND_SHOWN, draft_name(d, i),
               draft_cards(d, d->notice->shown[i]));
}

static void put_round(struct draft *d, const struct round_summary *n)
{
    put_winner(d, n);
    put_sum(d, n);
}

/* The turn that ended the round, on networks where no board beside this message shows it. */
static void end_last_turn(struct draft *d)
{
    if (!draft_can(d, CAN_EDIT) || d->at->direct)
        part_events(d);
}

/* The step stopped for a winner without cards, or without a call left. Under oya-kan a dealer decides;
 * then others still have cards. */
static void put_why_stopped(struct draft *d, const struct round_summary *n)
{
    const struct scene *s = draft_scene(d);
    const struct rules *r = &d->table->view.rules;
    bool none_left = true, stopped = n->why == WHY_STOP;
    int calls = 0;
    for (int i = 0; i < s->players; i++) {
        none_left &= s->at[i].hand_size == 0;
        calls += s->at[i].calls;
    }
    if (stopped && s->at[n->winner].hand_size == 0 &&
        (none_left || r->exhausted != EXHAUSTED_OYA_KAN))
        SAY(d, T_STOPPED_ALONE, draft_name(d, n->winner));
    else if (stopped && r->koikoi_limit > 0 && calls >= r->koikoi_limit)
        SAY(d, T_STOPPED_LIMIT, draft_name(d, n->winner), d->words->word[WORD_KOIKOI]);
}

/* What only the poster shows: how many rounds there are, what the others nearly had, the cards. */
static void put_poster_words(struct draft *d, const struct round_summary *n)
{
    struct str line = draft_rounds(d);
    if (d->page != NOTICE_ROUND || !draft_can(d, CAN_PICTURE) || !part_has_poster(n))
        return;
    for (int i = 0; i < d->table->players; i++) {
        struct str miss = part_near_miss(d, i, n->winner);
        if (miss.n > 0)
            draft_add(d, &line, T_DOT, miss);
    }
    draft_line(d, line);
    part_poster_cards(d, n);
}

static void end_round(struct draft *d)
{
    const struct round_summary n = part_round_over(d);
    if (n.why == WHY_NONE)
        return;
    put_why_stopped(d, &n);
    put_round(d, &n);
    put_poster_words(d, &n);
}

/* ---- one screen of a phone: the poster shows the sum, the words of it are folded ---- */

static void end_round_won(struct draft *d)
{
    const struct round_summary n = part_round_over(d);
    put_winner(d, &n);
}

static void end_fold(struct draft *d)
{
    draft_fold(d, T_RESULT_FOLD);
}

static void end_round_sum(struct draft *d)
{
    const struct round_summary n = part_round_over(d);
    put_why_stopped(d, &n);
    put_sum(d, &n);
    put_poster_words(d, &n);
}

static void end_void(struct draft *d)
{
    const struct view *v = &d->table->view;
    struct str no = draft_int(d, v->round_no);
    bool at_once = v->rules.hand_four == HAND_FOUR_REDEAL;
    if (v->void_why == VOID_TABLE_FOUR)
        SAY(d, T_VOID_TABLE, no);
    else
        SAY(d, at_once ? T_VOID_HAND_AT_ONCE : T_VOID_HAND, draft_name(d, v->void_by), no);
}

/* The pause: who deals next, when it goes on. */
static void end_pause(struct draft *d)
{
    const struct table *t = d->table;
    struct str due = draft_time(d, t->due);
    SAY_IF(d, d->page == NOTICE_ROUND, T_NEXT_DEALER, draft_scores(d),
           draft_name(d, draft_scene(d)->dealer), d->words->word[WORD_DEALER]);
    draft_line(d, draft_can(d, CAN_BUTTONS)
                      ? TX(d, T_GOES_ON, due)
                      : TX(d, T_GOES_ON_HOW, due, draft_command(d, VERB_READY)));
    draft_press(d, T_BUTTON_READY, VERB_READY, 0, BUTTON_TAKE);
}

/* ---- a match ---- */

/* Those who left, and what ended the match, if it was not its last round. */
static void end_break(struct draft *d)
{
    const struct table *t = d->table;
    for (int i = 0; i < t->players; i++)
        SAY_IF(d, t->player[i].gone, T_LEFT_BEFORE, draft_person(d, i));
    SAY_IF(d, t->view.why == MATCH_LEAVE && t->left >= 0,
           t->left_timeout ? T_LEFT_TIMEOUT : T_LEFT_RESIGN, draft_name(d, t->left));
    SAY_IF(d, t->view.why == MATCH_AGREED, T_AGREED);
}

static void end_winner(struct draft *d)
{
    const struct table *t = d->table;
    const struct view *v = &t->view;
    struct str scores = draft_scores(d), no = draft_int(d, t->no);
    bool leave = v->why == MATCH_LEAVE;
    int rest[MAX_PLAYERS] = {0}, n = 0;
    for (int i = 0; i < t->players; i++) {
        SAY_IF(d, v->why == MATCH_BANKRUPT && draft_scene(d)->at[i].points == 0, T_BANKRUPT,
               draft_name(d, i));
        if (!t->player[i].gone && !(leave && t->left == i))
            rest[n++] = i;
    }
    if (v->winner >= 0)
        SAY(d, leave ? T_MATCH_FORFEIT : T_MATCH_WON, draft_name(d, v->winner), scores, no);
    else if (n < t->players)
        SAY(d, T_MATCH_DRAWN_REST, draft_name(d, rest[0]), draft_name(d, rest[1]), scores, no);
    else
        SAY(d, T_MATCH_DRAWN, scores, no);
}

/* A round in one line: "3. Bo +12 · moon viewing 5 + plains 1 · ×2". */
static struct str round_line(const struct draft *d, const struct round_summary *n)
{
    struct str no = draft_int(d, n->round), yaku = worth_text(d, n);
    int64_t x = round_factor(n);
    if (n->winner < 0)
        return TX(d, T_ROUND_LINE_DRAWN, no);
    struct str name = draft_name(d, n->winner), points = draft_int(d, n->points);
    if (n->added > 0)
        yaku = TX(d, T_ROUND_LINE_ADDED, yaku, draft_int(d, n->added));
    if (x > 1)
        yaku = TX(d, T_ROUND_LINE_TIMES, yaku, draft_int(d, x));
    return n->why == WHY_DEALER_POINT ? TX(d, T_ROUND_LINE_DEALER_POINT, no, name, points)
           : n->why == WHY_OYA_KAN    ? TX(d, T_ROUND_LINE_OYA_KAN, no, name, points)
                                      : TX(d, T_ROUND_LINE_WON, no, name, points, yaku);
}

/* The rounds in one line each, if there are 2 to 12; /score has all. The picture shows them too, and
 * the best hand of each. */
static void end_rounds(struct draft *d)
{
    enum { MOST = 12 };
    int n = d->notice->rounds.n;
    d->spare = d->text.n;
    for (int i = 0; n >= 2 && n <= MOST && i < n; i++)
        draft_line(d, round_line(d, &d->notice->rounds.at[i]));
    part_best_cards(d);
    d->spare_end = d->text.n;
}

static void end_characters(struct draft *d)
{
    for (int i = 0; i < d->table->players; i++)
        draft_character_says(d, i, part_end_manner(d->table->view.winner, i));
}

static void end_more(struct draft *d)
{
    struct str score = draft_command(d, VERB_SCORE), record = draft_command(d, VERB_EXPORT);
    draft_line(d, draft_can(d, CAN_ONE_POST)
                      ? TX(d, T_MATCH_MORE_INLINE, score, record)
                      : TX(d, T_MATCH_MORE, score, draft_command(d, VERB_REMATCH), record));
    part_replay_link(d, 0);
    bool revenge = d->table->players == 2 && d->table->view.winner >= 0;
    draft_press(d, revenge ? T_BUTTON_REVENGE : T_BUTTON_REMATCH, VERB_REMATCH, 0, BUTTON_TAKE);
    if (!part_on_screen(d)) /* there the fold has the rounds, and how to check them */
        draft_press(d, T_BUTTON_SCORE, VERB_SCORE, 0, BUTTON_PLAIN);
    draft_press(d, T_BUTTON_REVIEW, VERB_REVIEW, 0, BUTTON_PLAIN);
    if (!part_on_screen(d))
        draft_press(d, T_BUTTON_VERIFY, VERB_VERIFY, 0, BUTTON_PLAIN);
    part_doors(d);
}

/* ---- all rounds ---- */

/* All rounds, or as many of the last ones as a message holds. */
void page_score(struct draft *d)
{
    const struct notice *notice = d->notice;
    const struct table *t = d->table;
    for (int first = 0; first <= notice->rounds.n; first++) {
        d->text.n = 0;
        d->text.cut = false;
        SAY(d, T_SCORE_HEAD, draft_names(d), draft_scores(d));
        if (first > 0)
            SAY_N(d, T_SCORE_EARLIER, first, draft_int(d, first), draft_command(d, VERB_EXPORT));
        for (int i = first; i < notice->rounds.n; i++)
            put_round(d, &notice->rounds.at[i]);
        if (notice->rounds.n == 0)
            SAY(d, T_SCORE_NO_ROUNDS);
        else if (t->phase == SESSION_PLAYING && t->view.stage == MATCH_PLAYING)
            SAY(d, T_SCORE_NOW, draft_rounds(d));
        if (!d->text.cut && draft_fits(d, buf_str(&d->text), d->network->limits.text_chars))
            return;
    }
}

/* ---- fairness ---- */

void page_verify(struct draft *d)
{
    const struct table *t = d->table;
    struct str seeds = {0};
    SAY(d, T_VERIFY_HEAD, draft_names(d), t->match_id);
    for (int i = 0; i < t->players; i++)
        if (t->player[i].seed.n > 0)
            draft_add(d, &seeds, T_DOT,
                      TX(d, T_VERIFY_CLIENT, draft_name(d, i), t->player[i].seed));
    SAY_IF(d, t->from.match, T_VERIFY_FROM, draft_int(d, t->from.match));
    SAY_IF(d, t->from.anew, T_VERIFY_ANEW);
    SAY_IF(d, t->lots_commit[0], T_LOTS_SEALED, str_of(t->lots_commit));
    SAY_IF(d, t->lots_seed[0], T_LOTS_SEED, str_of(t->lots_seed));
    SAY_IF(d, t->deal_commit[0], T_VERIFY_DEAL, str_of(t->deal_commit));
    if (t->deal_seed[0])
        SAY(d, T_VERIFY_SEED, str_of(t->deal_seed));
    else if (t->deal_commit[0])
        SAY(d, T_VERIFY_LATER);
    part_beacon(d);
    SAY_IF(d, t->next_commit[0], T_VERIFY_NEXT, str_of(t->next_commit));
    part_beacon_next(d);
    SAY_IF(d, seeds.n > 0, T_VERIFY_CLIENTS, seeds);
    SAY(d, t->beacon.next || t->beacon.deal ? T_VERIFY_SHARE_BEACON : T_VERIFY_SHARE,
        draft_command(d, VERB_CUT));
    SAY(d, T_VERIFY_HOW, draft_command(d, VERB_EXPORT));
}

const struct page_part page_round[] = {
    {end_last_turn, 0, IF_SCREEN},
    {end_round, 0, IF_SCREEN},
    {end_round_won, IF_SCREEN, 0},
    {end_pause, 0, 0},
    {end_fold, IF_SCREEN, 0},
    {end_last_turn, IF_SCREEN, 0},
    {end_round_sum, IF_SCREEN, 0},
    {part_seals, 0, 0},
    {draft_unfold, IF_SCREEN, 0},
    {part_picture_round, 0, 0},
    {0},
};

const struct page_part page_void[] = {{end_void, 0, 0}, {end_pause, 0, 0}, {part_seals, 0, 0}, {0}};

const struct page_part page_match[] = {
    {end_break, 0, IF_SCREEN},
    {end_last_turn, 0, IF_BROKEN | IF_SCREEN},
    {end_round, 0, IF_BROKEN | IF_SCREEN},
    {end_winner, 0, 0},
    {end_fold, IF_SCREEN, 0},
    {end_break, IF_SCREEN, 0},
    {seasons_ranks, IF_SCREEN, IF_ONE_POST},
    {end_last_turn, IF_SCREEN, IF_BROKEN},
    {end_round, IF_SCREEN, IF_BROKEN},
    {part_moment_line, 0, 0},
    {end_rounds, 0, IF_ONE_POST},
    {end_characters, 0, 0},
    {seasons_ranks, 0, IF_ONE_POST | IF_QUOTED | IF_SCREEN},
    {end_more, 0, IF_QUOTED},
    {part_seals, 0, 0},
    {draft_unfold, IF_SCREEN, 0},
    {part_picture_match, 0, 0},
    {0},
};
