/* Ends: of a round, a void deal, a match. Also the list of all rounds (/score) and /verify. */
#include "seasons.h"
#include "page.h"
#include "part.h"

static struct round_summary summary_of(const struct view *v, int round)
{
    const struct round_result *r = &v->result;
    struct round_summary n = {.round = round,
                              .why = r->why,
                              .winner = r->winner,
                              .base = r->score.base,
                              .points = r->points,
                              .hand = r->hand,
                              .added = r->added};
    memcpy(n.scores, v->scores, sizeof n.scores);
    memcpy(n.worth, r->score.worth, sizeof n.worth);
    memcpy(n.x, r->x, sizeof n.x);
    return n;
}

static struct score score_of(const struct round_summary *n)
{
    struct score s = {.base = n->base};
    memcpy(s.worth, n->worth, sizeof s.worth);
    return s;
}

static struct str worth_text(const struct draft *d, const struct round_summary *n)
{
    struct score s = score_of(n);
    if (n->why == WHY_HAND_YAKU)
        return TX(d, T_YAKU_WORTH, d->words->hand_yaku[n->hand], draft_int(d, n->base));
    return draft_yaku(d, s.worth);
}

/* All multipliers together. */
static int64_t factor_of(const struct round_summary *n)
{
    int64_t x = 1;
    for (int m = 0; m < N_MULTIPLIERS; m++)
        x *= n->x[m] > 1 ? n->x[m] : 1;
    return x;
}

static void put_round_pay(struct draft *d, const struct round_summary *n)
{
    if (n->why == WHY_OYA_KAN || n->why == WHY_DEALER_POINT || n->winner < 0)
        return;
    int64_t full = (n->base + n->added) * factor_of(n);
    struct score s = score_of(n);
    struct str sum = worth_text(d, n), x = part_factors(d, n->added, n->x);
    if (n->why != WHY_HAND_YAKU && draft_is_sum(s.worth))
        sum = TX(d, T_PAID, sum, draft_int(d, n->base));
    draft_line(d, x.n ? TX(d, T_PAID_TIMES, sum, x, draft_int(d, full)) : sum);
    if (n->points < full)
        SAY(d, T_PAID_CAPPED, draft_coins(d, n->points));
}

/* "Bo wins round 1: 12 coins", with yaku and multipliers. */
static void put_round_result(struct draft *d, const struct round_summary *n)
{
    struct str no = draft_int(d, n->round);
    switch ((enum round_why)n->why) {
    case WHY_STOP:
    case WHY_HAND_YAKU:
        SAY(d, T_ROUND_WON, draft_name(d, n->winner), no, draft_coins(d, n->points));
        break;
    case WHY_OYA_KAN:
        SAY(d, T_ROUND_OYA_KAN, draft_name(d, n->winner), no, draft_coins(d, n->points));
        break;
    case WHY_DEALER_POINT:
        SAY(d, T_ROUND_DEALER_POINT, draft_name(d, n->winner), no, draft_coins(d, n->points));
        break;
    case WHY_HAND_YAKU_TIE:
        SAY(d, T_ROUND_HAND_TIE, no);
        break;
    case WHY_LEAVE:
        SAY(d, T_ROUND_LEFT, no);
        break;
    case WHY_EXHAUSTED:
    case WHY_NONE:
        SAY(d, T_ROUND_DRAWN, no);
        break;
    }
    put_round_pay(d, n);
    for (int i = 0; i < d->table->players; i++)
        if (d->notice->shown[i])
            SAY(d, T_HAND_SHOWN, draft_name(d, i), draft_cards(d, d->notice->shown[i]));
}

static void put_ready(struct draft *d)
{
    struct str due = draft_time(d, d->table->due);
    draft_line(d, draft_can(d, CAN_BUTTONS)
                      ? TX(d, T_GOES_ON, due)
                      : TX(d, T_GOES_ON_HOW, due, draft_command(d, VERB_READY)));
    draft_press(d, T_BUTTON_READY, VERB_READY, 0, BUTTON_TAKE);
}

/* The turn that ended the round, on networks where no board beside this message shows it. */
static void put_last_turn(struct draft *d)
{
    if (!draft_can(d, CAN_EDIT) || d->at->direct)
        part_events(d);
}

/* The step stopped for a winner without cards, or without a call left. Under oya-kan a dealer
 * decides; then others still have cards. */
static void put_stopped_alone(struct draft *d, const struct round_summary *n)
{
    const struct view *v = &d->table->view;
    bool none_left = true;
    int calls = 0;
    for (int i = 0; i < v->players; i++) {
        none_left &= v->hand_size[i] == 0;
        calls += v->koikoi[i];
    }
    if (n->why == WHY_STOP && v->hand_size[n->winner] == 0 &&
        (none_left || v->rules.exhausted != EXHAUSTED_OYA_KAN))
        SAY(d, T_STOPPED_ALONE, draft_name(d, n->winner));
    else if (n->why == WHY_STOP && v->rules.koikoi_limit > 0 && calls >= v->rules.koikoi_limit)
        SAY(d, T_STOPPED_LIMIT, draft_name(d, n->winner), d->words->word[WORD_KOIKOI]);
}

void page_round(struct draft *d)
{
    const struct table *t = d->table;
    struct round_summary n = summary_of(&t->view, t->view.round_no - 1);
    put_last_turn(d);
    put_stopped_alone(d, &n);
    put_round_result(d, &n);
    SAY(d, T_NEXT_DEALER, draft_scores(d), draft_name(d, t->view.dealer),
        d->words->word[WORD_DEALER]);
    put_ready(d);
    part_seals(d);
    part_picture_round(d, &n);
}

void page_void(struct draft *d)
{
    const struct table *t = d->table;
    if (t->view.void_why == VOID_TABLE_FOUR)
        SAY(d, T_VOID_TABLE, draft_int(d, t->view.round_no));
    else
        SAY(d, t->view.rules.hand_four == HAND_FOUR_REDEAL ? T_VOID_HAND_AT_ONCE : T_VOID_HAND,
            draft_name(d, t->view.void_by), draft_int(d, t->view.round_no));
    put_ready(d);
    part_seals(d);
}

/* A round in one line: "3. Bo +12 · moon viewing 5 + plains 1 · ×2". */
static struct str round_line(const struct draft *d, const struct round_summary *n)
{
    struct str no = draft_int(d, n->round), yaku = worth_text(d, n);
    int64_t x = factor_of(n);
    if (n->winner < 0)
        return TX(d, T_ROUND_LINE_DRAWN, no);
    struct str name = draft_name(d, n->winner), points = draft_int(d, n->points);
    if (n->added > 0)
        yaku = TX(d, T_ROUND_LINE_ADDED, yaku, draft_int(d, n->added));
    if (x > 1)
        yaku = TX(d, T_ROUND_LINE_TIMES, yaku, draft_int(d, x));
    if (n->why == WHY_DEALER_POINT)
        return TX(d, T_ROUND_LINE_DEALER_POINT, no, name, points);
    return n->why == WHY_OYA_KAN ? TX(d, T_ROUND_LINE_OYA_KAN, no, name, points)
                                 : TX(d, T_ROUND_LINE_WON, no, name, points, yaku);
}

/* The rounds in one line each, if there are 2 to 12; /score has all. */
static void put_rounds(struct draft *d)
{
    const struct notice *notice = d->notice;
    enum { MOST = 12 };
    if (notice->rounds.n < 2 || notice->rounds.n > MOST)
        return;
    for (int i = 0; i < notice->rounds.n; i++)
        draft_line(d, round_line(d, &notice->rounds.at[i]));
}

static bool fits_caption(const struct draft *d, struct str text)
{
    int most = d->network->limits.caption_chars;
    return most == 0 || text_units(text, d->network->limits.counts_utf16) <= most;
}

/* A text too long to stand under its picture does without this part, which the picture shows
 * too. */
static void make_room_for_picture(struct draft *d, size_t from, size_t to)
{
    struct str all = buf_str(&d->text), rest = str_skip(all, to);
    struct buf shorter = {arena_room(d->a, all.n + 1), 0, all.n + 1, false};
    buf_put(&shorter, (struct str){all.p, from});
    buf_put(&shorter, rest);
    if (d->picture.n == 0 || fits_caption(d, all) || !fits_caption(d, buf_str(&shorter)))
        return;
    d->text.n = from;
    buf_put(&d->text, str_skip(buf_str(&shorter), from));
}

static struct str rank_of(const struct draft *d, const struct result_effect *r)
{
    struct str place = draft_int(d, r->place), name = draft_person(d, r->seat);
    if (r->was > r->place)
        return TX(d, T_RANK_UP, place, name, draft_int(d, r->was - r->place));
    if (r->was > 0 && r->was < r->place)
        return TX(d, T_RANK_DOWN, place, name, draft_int(d, r->place - r->was));
    return TX(d, T_RANK, place, name);
}

/* With the rating, once it is sure. */
static struct str season_rank(const struct draft *d, const struct result_effect *r)
{
    struct str rank = rank_of(d, r);
    return r->rated && !rating_provisional(&r->rating)
               ? TX(d, T_RANK_RATED, rank, part_rating(d, &r->rating))
               : rank;
}

/* Told in the match's first chat alone: the results of others carry none. */
static void put_badges(struct draft *d, const struct result_effect *r)
{
    for (int b = 0; b < N_BADGES && r->venue == d->at->venue; b++)
        if (r->badges >> b & 1)
            SAY(d, T_BADGE_EARNED, draft_name(d, r->seat), TX(d, badges[b].text));
}

/* The players' places on this chat's scoreboard after the match, best first. */
static void put_season_ranks(struct draft *d)
{
    const struct notice *notice = d->notice;
    struct str list = {0};
    const struct result_effect *last = NULL;
    for (int n = 0; n < d->table->players; n++) {
        const struct result_effect *next = NULL;
        for (int i = 0; i < notice->results.n; i++) {
            const struct result_effect *r = &notice->results.at[i];
            bool later = !last || r->place > last->place ||
                         (r->place == last->place && r->seat > last->seat);
            if (r->venue == d->at->venue && later && (!next || r->place < next->place))
                next = r;
        }
        if (!next)
            break;
        draft_add(d, &list, T_DOT, season_rank(d, next));
        last = next;
    }
    draft_line(d, list.n ? TX(d, T_SEASON_NOW, list, draft_command(d, VERB_BOARD))
                         : TX(d, d->table->casual ? T_CASUAL_OVER : T_NOT_IN_SEASON));
    for (int i = 0; i < notice->results.n; i++)
        put_badges(d, &notice->results.at[i]);
    if (last && last->over_limit)
        SAY(d, T_OVER_RATED, draft_int(d, RATED_PAIR_DAY));
}

/* Those who left, and what ended the match, if it was not its last round. */
static void put_break(struct draft *d)
{
    const struct table *t = d->table;
    bool ends = t->view.why == MATCH_LEAVE;
    for (int i = 0; i < t->players; i++)
        if (t->player[i].gone)
            SAY(d, T_LEFT_BEFORE, draft_person(d, i));
    if (ends && t->left >= 0)
        SAY(d, t->left_timeout ? T_LEFT_TIMEOUT : T_LEFT_RESIGN, draft_name(d, t->left));
    if (t->view.why == MATCH_AGREED)
        SAY(d, T_AGREED);
}

static void put_winner(struct draft *d)
{
    const struct table *t = d->table;
    const struct view *v = &t->view;
    struct str scores = draft_scores(d), no = draft_int(d, t->no);
    bool leave = v->why == MATCH_LEAVE;
    int rest[MAX_PLAYERS] = {0}, n = 0;
    for (int i = 0; i < t->players; i++)
        if (!t->player[i].gone && !(leave && t->left == i))
            rest[n++] = i;
    if (v->winner >= 0)
        SAY(d, leave ? T_MATCH_FORFEIT : T_MATCH_WON, draft_name(d, v->winner), scores, no);
    else if (n < t->players)
        SAY(d, T_MATCH_DRAWN_REST, draft_name(d, rest[0]), draft_name(d, rest[1]), scores, no);
    else
        SAY(d, T_MATCH_DRAWN, scores, no);
}

void page_match(struct draft *d)
{
    const struct table *t = d->table;
    const struct view *v = &t->view;
    struct round_summary n = summary_of(v, v->round_no);
    bool broken_off = v->why == MATCH_LEAVE || v->why == MATCH_AGREED;
    put_break(d);
    if (n.why != WHY_NONE && !broken_off) {
        put_last_turn(d);
        put_stopped_alone(d, &n);
        put_round_result(d, &n);
    }
    if (v->why == MATCH_BANKRUPT)
        for (int i = 0; i < t->players; i++)
            if (v->scores[i] == 0)
                SAY(d, T_BANKRUPT, draft_name(d, i));
    put_winner(d);
    part_moment_line(d);
    size_t rounds = d->text.n;
    if (!draft_can(d, CAN_ONE_POST))
        put_rounds(d);
    size_t rounds_end = d->text.n;
    for (int i = 0; i < t->players; i++)
        draft_character_says(d, i,
                             v->winner < 0    ? MANNER_DRAW
                             : v->winner == i ? MANNER_WIN
                                              : MANNER_LOSS);
    if (draft_can(d, CAN_ONE_POST)) {
        SAY(d, T_MATCH_MORE_INLINE, draft_command(d, VERB_SCORE), draft_command(d, VERB_EXPORT));
    } else {
        put_season_ranks(d);
        SAY(d, T_MATCH_MORE, draft_command(d, VERB_SCORE), draft_command(d, VERB_REMATCH),
            draft_command(d, VERB_EXPORT));
    }
    part_seals(d);
    part_picture_match(d);
    make_room_for_picture(d, rounds, rounds_end);
    draft_press(d, T_BUTTON_REMATCH, VERB_REMATCH, 0, BUTTON_TAKE);
    draft_press(d, T_BUTTON_SCORE, VERB_SCORE, 0, BUTTON_PLAIN);
    draft_press(d, T_BUTTON_REVIEW, VERB_REVIEW, 0, BUTTON_PLAIN);
    draft_press(d, T_BUTTON_VERIFY, VERB_VERIFY, 0, BUTTON_PLAIN);
}

static void put_rounds_from(struct draft *d, int first)
{
    const struct notice *notice = d->notice;
    SAY(d, T_SCORE_HEAD, draft_names(d), draft_scores(d));
    if (first > 0)
        SAY_N(d, T_SCORE_EARLIER, first, draft_int(d, first), draft_command(d, VERB_EXPORT));
    for (int i = first; i < notice->rounds.n; i++)
        put_round_result(d, &notice->rounds.at[i]);
    if (notice->rounds.n == 0)
        SAY(d, T_SCORE_NO_ROUNDS);
    else if (d->table->phase == SESSION_PLAYING && d->table->view.stage == MATCH_PLAYING)
        SAY(d, T_SCORE_NOW, draft_rounds(d));
}

/* All rounds, or as many of the last ones as a message holds. */
void page_score(struct draft *d)
{
    int most = d->network->limits.text_chars;
    for (int first = 0; first <= d->notice->rounds.n; first++) {
        d->text.n = 0;
        d->text.cut = false;
        put_rounds_from(d, first);
        if (!d->text.cut &&
            (most == 0 || text_units(buf_str(&d->text), d->network->limits.counts_utf16) <= most))
            return;
    }
}

void page_verify(struct draft *d)
{
    const struct table *t = d->table;
    struct str id = t->match_id, seeds = {0};
    SAY(d, T_VERIFY_HEAD, draft_names(d), id);
    for (int i = 0; i < t->players; i++)
        if (t->player[i].seed.n > 0)
            draft_add(d, &seeds, T_DOT,
                      TX(d, T_VERIFY_CLIENT, draft_name(d, i), t->player[i].seed));
    if (t->lots_commit[0])
        SAY(d, T_LOTS_SEALED, str_of(t->lots_commit));
    if (t->lots_seed[0])
        SAY(d, T_LOTS_SEED, str_of(t->lots_seed));
    if (t->deal_commit[0])
        SAY(d, T_VERIFY_DEAL, str_of(t->deal_commit));
    draft_line(d, t->deal_seed[0]     ? TX(d, T_VERIFY_SEED, str_of(t->deal_seed))
                  : t->deal_commit[0] ? TX(d, T_VERIFY_LATER)
                                      : (struct str){0});
    part_beacon(d);
    if (t->next_commit[0])
        SAY(d, T_VERIFY_NEXT, str_of(t->next_commit));
    part_beacon_next(d);
    if (seeds.n > 0)
        SAY(d, T_VERIFY_CLIENTS, seeds);
    SAY(d, t->beacon.next || t->beacon.deal ? T_VERIFY_SHARE_BEACON : T_VERIFY_SHARE,
        draft_command(d, VERB_CUT));
    SAY(d, T_VERIFY_HOW, draft_command(d, VERB_EXPORT));
}
