/* Ends: of a round, a void deal, a match. Also the list of all rounds (/score) and /verify. */
#include "badge.h"
#include "present_bodies.h"

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

static struct str worth_text(const struct body *body, const struct round_summary *n)
{
    struct score s = score_of(n);
    if (n->why == WHY_HAND_YAKU)
        return TX(body, T_YAKU_WORTH, body->words->hand_yaku[n->hand], body_int(body, n->base));
    return body_yaku(body, &s);
}

/* All multipliers together. */
static int64_t factor_of(const struct round_summary *n)
{
    int64_t x = 1;
    for (int m = 0; m < N_MULTIPLIERS; m++)
        x *= n->x[m] > 1 ? n->x[m] : 1;
    return x;
}

static void put_round_pay(struct body *body, const struct round_summary *n)
{
    if (n->why == WHY_OYA_KAN || n->why == WHY_DEALER_POINT || n->winner < 0)
        return;
    int64_t full = (n->base + n->added) * factor_of(n);
    struct score s = score_of(n);
    struct str sum = worth_text(body, n), x = part_factors(body, n->added, n->x);
    if (n->why != WHY_HAND_YAKU && body_is_sum(&s))
        sum = TX(body, T_PAID, sum, body_int(body, n->base));
    body_line(body, x.n ? TX(body, T_PAID_TIMES, sum, x, body_int(body, full)) : sum);
    if (n->points < full)
        body_line(body, TX(body, T_PAID_CAPPED, body_coins(body, n->points)));
}

/* "Bo wins round 1: 12 coins", with yaku and multipliers. */
static void put_round_result(struct body *body, const struct round_summary *n)
{
    struct str no = body_int(body, n->round);
    switch ((enum round_why)n->why) {
    case WHY_STOP:
    case WHY_HAND_YAKU:
        body_line(body, TX(body, T_ROUND_WON, body_name(body, n->winner), no,
                           body_coins(body, n->points)));
        break;
    case WHY_OYA_KAN:
        body_line(body, TX(body, T_ROUND_OYA_KAN, body_name(body, n->winner), no,
                           body_coins(body, n->points)));
        break;
    case WHY_DEALER_POINT:
        body_line(body, TX(body, T_ROUND_DEALER_POINT, body_name(body, n->winner), no,
                           body_coins(body, n->points)));
        break;
    case WHY_HAND_YAKU_TIE:
        body_line(body, TX(body, T_ROUND_HAND_TIE, no));
        break;
    case WHY_LEAVE:
        body_line(body, TX(body, T_ROUND_LEFT, no));
        break;
    case WHY_EXHAUSTED:
    case WHY_NONE:
        body_line(body, TX(body, T_ROUND_DRAWN, no));
        break;
    }
    put_round_pay(body, n);
    for (int i = 0; i < body->table->players; i++)
        if (body->notice->shown[i])
            body_line(body, TX(body, T_HAND_SHOWN, body_name(body, i),
                               body_cards(body, body->notice->shown[i])));
}

static void put_ready(struct body *body)
{
    struct str due = body_time(body, body->table->due);
    body_line(body, body_can(body, CAN_BUTTONS)
                        ? TX(body, T_GOES_ON, due)
                        : TX(body, T_GOES_ON_HOW, due, body_command(body, VERB_READY)));
    body_button(body, TX0(body, T_BUTTON_READY), VERB_READY, 0, BUTTON_TAKE);
}

/* The turn that ended the round, on networks where no board beside this message shows it. */
static void put_last_turn(struct body *body)
{
    if (!body_can(body, CAN_EDIT) || body->table->at.direct)
        part_events(body);
}

/* The step stopped for a winner without cards, or without a call left. Under oya-kan a dealer
 * decides; then others still have cards. */
static void put_stopped_alone(struct body *body, const struct round_summary *n)
{
    const struct view *v = &body->table->view;
    bool none_left = true;
    int calls = 0;
    for (int i = 0; i < v->players; i++) {
        none_left &= v->hand_size[i] == 0;
        calls += v->koikoi[i];
    }
    if (n->why == WHY_STOP && v->hand_size[n->winner] == 0 &&
        (none_left || v->rules.exhausted != EXHAUSTED_OYA_KAN))
        body_line(body, TX(body, T_STOPPED_ALONE, body_name(body, n->winner)));
    else if (n->why == WHY_STOP && v->rules.koikoi_limit > 0 && calls >= v->rules.koikoi_limit)
        body_line(body, TX(body, T_STOPPED_LIMIT, body_name(body, n->winner),
                           body->words->word[WORD_KOIKOI]));
}

void present_round(struct body *body)
{
    const struct table *t = body->table;
    struct round_summary n = summary_of(&t->view, t->view.round_no - 1);
    put_last_turn(body);
    put_stopped_alone(body, &n);
    put_round_result(body, &n);
    body_line(body, TX(body, T_NEXT_DEALER, body_scores(body), body_name(body, t->view.dealer),
                       body->words->word[WORD_DEALER]));
    put_ready(body);
    part_seals(body);
    part_picture_round(body, &n);
}

void present_void(struct body *body)
{
    const struct table *t = body->table;
    if (t->view.void_why == VOID_TABLE_FOUR)
        body_line(body, TX(body, T_VOID_TABLE, body_int(body, t->view.round_no)));
    else
        body_line(body, TX(body,
                           t->view.rules.hand_four == HAND_FOUR_REDEAL ? T_VOID_HAND_AT_ONCE
                                                                       : T_VOID_HAND,
                           body_name(body, t->view.void_by), body_int(body, t->view.round_no)));
    put_ready(body);
    part_seals(body);
}

/* A round in one line: "3. Bo +12 · moon viewing 5 + plains 1 · ×2". */
static struct str round_line(const struct body *body, const struct round_summary *n)
{
    struct str no = body_int(body, n->round), yaku = worth_text(body, n);
    int64_t x = factor_of(n);
    if (n->winner < 0)
        return TX(body, T_ROUND_LINE_DRAWN, no);
    struct str name = body_name(body, n->winner), points = body_int(body, n->points);
    if (n->added > 0)
        yaku = TX(body, T_ROUND_LINE_ADDED, yaku, body_int(body, n->added));
    if (x > 1)
        yaku = TX(body, T_ROUND_LINE_TIMES, yaku, body_int(body, x));
    if (n->why == WHY_DEALER_POINT)
        return TX(body, T_ROUND_LINE_DEALER_POINT, no, name, points);
    return n->why == WHY_OYA_KAN ? TX(body, T_ROUND_LINE_OYA_KAN, no, name, points)
                                 : TX(body, T_ROUND_LINE_WON, no, name, points, yaku);
}

/* The rounds in one line each, if there are 2 to 12; /score has all. */
static void put_rounds(struct body *body)
{
    const struct notice *notice = body->notice;
    enum { MOST = 12 };
    if (notice->n_notes < 2 || notice->n_notes > MOST)
        return;
    for (int i = 0; i < notice->n_notes; i++)
        body_line(body, round_line(body, &notice->notes[i]));
}

static bool fits_caption(const struct body *body, struct str text)
{
    int most = body->network->limits.caption_chars;
    return most == 0 || text_units(text, body->network->limits.counts_utf16) <= most;
}

/* A text too long to stand under its picture does without this part, which the picture shows
 * too. */
static void make_room_for_picture(struct body *body, size_t from, size_t to)
{
    struct str all = buf_str(&body->text), rest = str_skip(all, to);
    struct buf shorter = {arena_room(body->a, all.n + 1), 0, all.n + 1, false};
    buf_put(&shorter, (struct str){all.p, from});
    buf_put(&shorter, rest);
    if (body->picture.n == 0 || fits_caption(body, all) || !fits_caption(body, buf_str(&shorter)))
        return;
    body->text.n = from;
    buf_put(&body->text, str_skip(buf_str(&shorter), from));
}

static struct str rank_of(const struct body *body, const struct result_effect *r)
{
    struct str place = body_int(body, r->place), name = body_person(body, r->seat);
    if (r->was > r->place)
        return TX(body, T_RANK_UP, place, name, body_int(body, r->was - r->place));
    if (r->was > 0 && r->was < r->place)
        return TX(body, T_RANK_DOWN, place, name, body_int(body, r->place - r->was));
    return TX(body, T_RANK, place, name);
}

/* With the rating, once it is sure. */
static struct str season_rank(const struct body *body, const struct result_effect *r)
{
    struct str rank = rank_of(body, r);
    return r->rated && !rating_provisional(&r->rating)
               ? TX(body, T_RANK_RATED, rank, part_rating(body, &r->rating))
               : rank;
}

/* Told in the match's first chat alone: the results of others carry none. */
static void put_badges(struct body *body, const struct result_effect *r)
{
    for (int b = 0; b < N_BADGES && r->venue == body->table->at.venue; b++)
        if (r->badges >> b & 1)
            body_line(body, TX(body, T_BADGE_EARNED, body_name(body, r->seat),
                               TX0(body, badges[b].text)));
}

/* The players' places on this chat's scoreboard after the match, best first. */
static void put_season_ranks(struct body *body)
{
    const struct notice *notice = body->notice;
    struct str list = {0};
    const struct result_effect *last = NULL;
    for (int n = 0; n < body->table->players; n++) {
        const struct result_effect *next = NULL;
        for (int i = 0; i < notice->n_results; i++) {
            const struct result_effect *r = &notice->results[i];
            bool later = !last || r->place > last->place ||
                         (r->place == last->place && r->seat > last->seat);
            if (r->venue == body->table->at.venue && later && (!next || r->place < next->place))
                next = r;
        }
        if (!next)
            break;
        list = body_join(body, list, TX0(body, T_DOT), season_rank(body, next));
        last = next;
    }
    body_line(body, list.n ? TX(body, T_SEASON_NOW, list, body_command(body, VERB_BOARD))
                           : TX0(body, body->table->casual ? T_CASUAL_OVER : T_NOT_IN_SEASON));
    for (int i = 0; i < notice->n_results; i++)
        put_badges(body, &notice->results[i]);
    if (last && last->over_limit)
        body_line(body, TX(body, T_OVER_RATED, body_int(body, RATED_PAIR_DAY)));
}

/* Those who left, and what ended the match, if it was not its last round. */
static void put_break(struct body *body)
{
    const struct table *t = body->table;
    bool ends = t->view.why == MATCH_LEAVE;
    for (int i = 0; i < t->players; i++)
        if (t->player[i].gone)
            body_line(body, TX(body, T_LEFT_BEFORE, body_person(body, i)));
    if (ends && t->left >= 0)
        body_line(body, TX(body, t->left_timeout ? T_LEFT_TIMEOUT : T_LEFT_RESIGN,
                           body_name(body, t->left)));
    if (t->view.why == MATCH_AGREED)
        body_line(body, TX0(body, T_AGREED));
}

static void put_winner(struct body *body)
{
    const struct table *t = body->table;
    const struct view *v = &t->view;
    struct str scores = body_scores(body), no = body_int(body, t->no);
    bool leave = v->why == MATCH_LEAVE;
    int rest[MAX_PLAYERS] = {0}, n = 0;
    for (int i = 0; i < t->players; i++)
        if (!t->player[i].gone && !(leave && t->left == i))
            rest[n++] = i;
    if (v->winner >= 0)
        body_line(body, TX(body, leave ? T_MATCH_FORFEIT : T_MATCH_WON, body_name(body, v->winner),
                           scores, no));
    else if (n < t->players)
        body_line(body, TX(body, T_MATCH_DRAWN_REST, body_name(body, rest[0]),
                           body_name(body, rest[1]), scores, no));
    else
        body_line(body, TX(body, T_MATCH_DRAWN, scores, no));
}

void present_match(struct body *body)
{
    const struct table *t = body->table;
    const struct view *v = &t->view;
    struct round_summary n = summary_of(v, v->round_no);
    bool broken_off = v->why == MATCH_LEAVE || v->why == MATCH_AGREED;
    put_break(body);
    if (n.why != WHY_NONE && !broken_off) {
        put_last_turn(body);
        put_stopped_alone(body, &n);
        put_round_result(body, &n);
    }
    if (v->why == MATCH_BANKRUPT)
        for (int i = 0; i < t->players; i++)
            if (v->scores[i] == 0)
                body_line(body, TX(body, T_BANKRUPT, body_name(body, i)));
    put_winner(body);
    part_moment_line(body);
    size_t rounds = body->text.n;
    if (!body_can(body, CAN_ONE_POST))
        put_rounds(body);
    size_t rounds_end = body->text.n;
    for (int i = 0; i < t->players; i++)
        body_character_says(body, i,
                            v->winner < 0    ? MANNER_DRAW
                            : v->winner == i ? MANNER_WIN
                                             : MANNER_LOSS);
    if (body_can(body, CAN_ONE_POST)) {
        body_line(body, TX(body, T_MATCH_MORE_INLINE, body_command(body, VERB_SCORE),
                           body_command(body, VERB_EXPORT)));
    } else {
        put_season_ranks(body);
        body_line(body, TX(body, T_MATCH_MORE, body_command(body, VERB_SCORE),
                           body_command(body, VERB_REMATCH), body_command(body, VERB_EXPORT)));
    }
    part_seals(body);
    part_picture_match(body);
    make_room_for_picture(body, rounds, rounds_end);
    body_button(body, TX0(body, T_BUTTON_REMATCH), VERB_REMATCH, 0, BUTTON_TAKE);
    body_button(body, TX0(body, T_BUTTON_SCORE), VERB_SCORE, 0, BUTTON_PLAIN);
    body_button(body, TX0(body, T_BUTTON_REVIEW), VERB_REVIEW, 0, BUTTON_PLAIN);
    body_button(body, TX0(body, T_BUTTON_VERIFY), VERB_VERIFY, 0, BUTTON_PLAIN);
}

static void put_rounds_from(struct body *body, int first)
{
    const struct notice *notice = body->notice;
    body_line(body, TX(body, T_SCORE_HEAD, body_names(body), body_scores(body)));
    if (first > 0)
        body_line(body, TN(body, T_SCORE_EARLIER, first, body_int(body, first),
                           body_command(body, VERB_EXPORT)));
    for (int i = first; i < notice->n_notes; i++)
        put_round_result(body, &notice->notes[i]);
    if (notice->n_notes == 0)
        body_line(body, TX0(body, T_SCORE_NO_ROUNDS));
    else if (body->table->phase == SESSION_PLAYING && body->table->view.stage == MATCH_PLAYING)
        body_line(body, TX(body, T_SCORE_NOW, body_rounds(body)));
}

/* All rounds, or as many of the last ones as a message holds. */
void present_score(struct body *body)
{
    int most = body->network->limits.text_chars;
    for (int first = 0; first <= body->notice->n_notes; first++) {
        body->text.n = 0;
        body->text.cut = false;
        put_rounds_from(body, first);
        if (!body->text.cut &&
            (most == 0 ||
             text_units(buf_str(&body->text), body->network->limits.counts_utf16) <= most))
            return;
    }
}

void present_verify(struct body *body)
{
    const struct table *t = body->table;
    struct str id = t->match_id, seeds = {0};
    body_line(body, TX(body, T_VERIFY_HEAD, body_names(body), id));
    for (int i = 0; i < t->players; i++)
        if (t->player[i].seed.n > 0)
            seeds = body_join(body, seeds, TX0(body, T_DOT),
                              TX(body, T_VERIFY_CLIENT, body_name(body, i), t->player[i].seed));
    if (t->lots_commit[0])
        body_line(body, TX(body, T_LOTS_SEALED, str_of(t->lots_commit)));
    if (t->lots_seed[0])
        body_line(body, TX(body, T_LOTS_SEED, str_of(t->lots_seed)));
    if (t->deal_commit[0])
        body_line(body, TX(body, T_VERIFY_DEAL, str_of(t->deal_commit)));
    body_line(body, t->deal_seed[0]     ? TX(body, T_VERIFY_SEED, str_of(t->deal_seed))
                    : t->deal_commit[0] ? TX0(body, T_VERIFY_LATER)
                                        : (struct str){0});
    part_beacon(body);
    if (t->next_commit[0])
        body_line(body, TX(body, T_VERIFY_NEXT, str_of(t->next_commit)));
    part_beacon_next(body);
    if (seeds.n > 0)
        body_line(body, TX(body, T_VERIFY_CLIENTS, seeds));
    body_line(body,
              TX(body, t->beacon.next || t->beacon.deal ? T_VERIFY_SHARE_BEACON : T_VERIFY_SHARE,
                 body_command(body, VERB_CUT)));
    body_line(body, TX(body, T_VERIFY_HOW, body_command(body, VERB_EXPORT)));
}
