/* The table as all players see it: turn, scores, what happened, field, captures, seals. See part.h. */
#include "part.h"

#include <limits.h>

#include "text.h"

/* ---- turn and clock ---- */

struct str part_turn_of(const struct draft *d, struct str name)
{
    const struct table *t = d->table;
    int turn = t->view.turn;
    const struct player_seen *p = &t->player[turn];
    if (t->ask.what == ASK_GO_ON)
        return TX(d, T_IS_CHOOSING, draft_name(d, t->ask.seat));
    if (t->view.stage != MATCH_PLAYING || t->phase != SESSION_PLAYING)
        return TX(d, t->phase == SESSION_OVER ? T_IS_OVER : T_IS_BETWEEN);
    int64_t deadline = draft_scene(d)->deadline;
    return p->vacation  ? TX(d, T_TO_MOVE_VACATION, name, draft_time(d, p->vacation))
           : t->overdue ? TX(d, T_TO_MOVE_LATE, name)
           : deadline   ? TX(d, T_TO_MOVE_UNTIL, name, draft_time(d, deadline))
                        : TX(d, T_TO_MOVE, name);
}

struct str part_turn(const struct draft *d)
{
    return part_turn_of(d, draft_name(d, d->table->view.turn));
}

void part_turn_line(struct draft *d)
{
    draft_line(d, part_turn(d));
}

struct str part_time_left(const struct draft *d, int seat)
{
    const struct table *t = d->table;
    long long s = draft_scene(d)->at[seat].time_left / 1000;
    if (t->time.total_ms == 0 || t->phase != SESSION_PLAYING || t->player[seat].computer ||
        t->player[seat].gone)
        return STR("");
    return s < 3600 ? arena_print(d->a, "%lld:%02lld", s / 60, s % 60)
                    : arena_print(d->a, "%lld:%02lld:%02lld", s / 3600, s / 60 % 60, s % 60);
}

struct str part_times_left(const struct draft *d)
{
    struct str list = {0};
    for (int i = 0; i < d->table->players; i++) {
        struct str face = part_time_left(d, i);
        if (face.n > 0)
            draft_add(d, &list, T_DOT, TX(d, T_NAME_SCORE, draft_name(d, i), face));
    }
    return list.n > 0 ? TX(d, T_TIMES, list) : list;
}

void part_times(struct draft *d)
{
    draft_line(d, part_times_left(d));
}

/* ---- how a player can be reached ---- */

bool part_moves_in_open(const struct draft *d)
{
    const struct table *t = d->table;
    const struct player_seen *p = &t->player[t->view.turn];
    if (draft_can(d, CAN_ONE_POST))
        return true;
    return t->view.stage == MATCH_PLAYING && draft_can(d, CAN_POPUP) && !d->at->direct &&
           !p->computer && !p->gone && p->account == d->network->account &&
           p->channel == CHANNEL_POPUP;
}

bool part_asks_by_popup(const struct draft *d)
{
    const struct table *t = d->table;
    if (draft_can(d, CAN_ONE_POST))
        return !d->w->me.reachable;
    return d->e->press.n > 0 && draft_can(d, CAN_POPUP) && t->view.seat >= 0 &&
           t->player[t->view.seat].channel == CHANNEL_POPUP && !d->e->direct;
}

bool part_popup_only(const struct draft *d)
{
    int channel = CHANNEL_WHISPER;
    for (int i = 0; d->table && i < d->table->players; i++) {
        const struct player_seen *p = &d->table->player[i];
        if (p->account == d->e->account && p->id.n > 0 && str_is(p->id, d->e->from.id))
            channel = p->channel;
    }
    bool unseen = draft_can(d, CAN_WHISPER) && channel < CHANNEL_POPUP;
    return d->e->pressed && draft_can(d, CAN_POPUP) && !d->e->direct && !unseen &&
           draft_can(d, CAN_DIRECT) && !d->w->me.reachable;
}

/* ---- scores and events ---- */

void part_head(struct draft *d)
{
    SAY(d, T_BOARD_HEAD, draft_rounds(d), draft_scores(d), draft_int(d, d->table->no));
}

void part_many(struct draft *d)
{
    if (d->table && d->table->many)
        draft_line(d, draft_names(d));
}

void part_pages(struct draft *d, int page, int pages, enum verb v, int64_t first)
{
    SAY_IF(d, pages > 1, T_BOARD_PAGE, draft_int(d, page + 1), draft_int(d, pages));
    if (page > 0)
        draft_press(d, T_BUTTON_BEFORE, v, first + page - 1, BUTTON_PLAIN);
    if (page + 1 < pages)
        draft_press(d, T_BUTTON_AFTER, v, first + page + 1, BUTTON_PLAIN);
}

struct str part_call(const struct draft *d, int seat, struct str name)
{
    struct str word = draft_loud(d, d->words->word[WORD_KOIKOI]);
    return seat == draft_scene(d)->seat ? TX(d, T_YOU_KOIKOI, word)
                                        : TX(d, T_DID_KOIKOI, name, word);
}

/* In the second person if the reader did it. */
static struct str act_text(const struct draft *d, const struct scene_act *act, int reader)
{
    bool mine = act->seat == reader, takes = act->took != 0;
    struct str name = draft_name(d, act->seat);
    if (act->kind == SEEN_KOIKOI)
        return part_call(d, act->seat, name);
    struct str card = draft_card_taken(d, act->card), cards = draft_cards_taken(d, act->took);
    if (act->kind == SEEN_PLAY && mine)
        return takes ? TX(d, T_YOU_TAKE, card, cards) : TX(d, T_YOU_LAY, card);
    if (act->kind == SEEN_PLAY)
        return takes ? TX(d, T_DID_TAKE, name, card, cards) : TX(d, T_DID_LAY, name, card);
    if (mine)
        return takes ? TX(d, T_YOU_DRAW_TAKE, card, cards) : TX(d, T_YOU_DRAW_LAY, card);
    return takes ? TX(d, T_DID_DRAW_TAKE, card, cards) : TX(d, T_DID_DRAW_LAY, card);
}

/* The yaku that were made by it, if any. */
static void put_made(struct draft *d)
{
    const struct scene *s = draft_scene(d);
    struct str yaku = draft_yaku(d, s->made);
    bool open = d->page == NOTICE_BOARD && part_moves_in_open(d);
    bool asked = s->phase == PHASE_DECIDE && (s->mine || open); /* the question names it */
    if (yaku.n > 0 && !asked)
        SAY(d, T_MADE, s->act[0].seat == s->seat ? TX(d, T_YOU) : draft_name(d, s->act[0].seat),
            yaku);
}

void part_name_news(struct draft *d, size_t from)
{
    if (d->has_news)
        return;
    d->has_news = d->page == NOTICE_BOARD || d->at->direct;
    d->news = from;
    d->news_end = d->text.n;
}

void part_events(struct draft *d)
{
    const struct scene *s = draft_scene(d);
    struct str line = {0};
    size_t before = d->text.n;
    for (int i = 0; i < s->n_acts; i++) {
        const struct scene_act *act = &s->act[i];
        struct str text = act_text(d, act, s->seat);
        if (act->kind != SEEN_KOIKOI) {
            line = draft_join(d, line, TX(d, T_NEXT), text);
            continue;
        }
        draft_line(d, line);
        line = (struct str){0};
        put_made(d);
        draft_line(d, text);
        draft_character_says(d, act->seat, MANNER_KOIKOI);
    }
    draft_line(d, line);
    if (s->n_acts > 0 && s->act[s->n_acts - 1].kind != SEEN_KOIKOI)
        put_made(d);
    part_name_news(d, before);
}

void part_answer(struct draft *d, const struct round_log *log, int seat)
{
    const struct view *v = &d->table->view;
    struct str line = {0};
    for (int i = 0; i < log->n; i++) {
        const struct log_line *l = &log->at[i];
        bool play = l->kind == LOG_PLAY, koikoi = l->kind == LOG_DECIDE && l->what == MOVE_KOIKOI;
        if (l->seat != seat || (!play && !koikoi && l->kind != LOG_DRAW))
            continue;
        enum seen_kind kind = play ? SEEN_PLAY : koikoi ? SEEN_KOIKOI : SEEN_DRAW;
        const struct scene_act act = {(uint8_t)seat, (uint8_t)kind, l->card, l->take};
        line = draft_join(d, line, TX(d, T_NEXT), act_text(d, &act, seat));
    }
    if (v->stage == MATCH_PLAYING && v->phase == PHASE_DRAW && v->turn == seat)
        line = draft_join(d, line, TX(d, T_NEXT), TX(d, T_YOU_DREW, draft_card_taken(d, v->drawn)));
    draft_line(d, line);
}

/* ---- field and captures ---- */

void part_field(struct draft *d)
{
    SAY_IF(d, draft_scene(d)->dealt, T_FIELD, draft_cards(d, draft_scene(d)->field));
}

struct str part_short_yaku(const struct draft *d, int y)
{
    struct str name = d->words->yaku[y];
    for (size_t i = 1; i + 1 < name.n; i++)
        if (name.p[i] == ' ' && name.p[i + 1] == '(')
            return (struct str){name.p, i};
    return name;
}

/* The list with one more item, if so many columns hold it. */
static void add_fitting(const struct draft *d, struct str *list, enum text sep, struct str item,
                        int columns)
{
    struct str longer = *list;
    draft_add(d, &longer, sep, item);
    if (text_columns(draft_unmarked(d, longer)) <= columns)
        *list = longer;
}

struct str part_worth_list(const struct draft *d, const uint16_t worth[static N_YAKU], int columns)
{
    struct str list = {0};
    for (int y = 0; y < N_YAKU; y++)
        if (worth[y] > 0)
            add_fitting(d, &list, T_PLUS, draft_worth(d, part_short_yaku(d, y), worth[y]), columns);
    return list;
}

struct str part_progress(const struct draft *d, const struct scene_near *near)
{
    return TX(d, T_PROGRESS, part_short_yaku(d, near->yaku), draft_int(d, near->have),
              draft_int(d, near->need));
}

struct str part_near_list(const struct draft *d, int seat, int columns)
{
    const struct scene_seat *at = &draft_scene(d)->at[seat];
    struct str list = part_worth_list(d, at->score.worth, columns - 2);
    if (list.n > 0)
        list = TX(d, T_PROGRESS_HAS, list);
    for (int i = 0; i < at->n_near; i++)
        add_fitting(d, &list, T_DOT, part_progress(d, &at->near[i]), columns);
    return list;
}

/* The captures that the picture shows. */
static void put_taken(struct draft *d)
{
    const struct scene *s = draft_scene(d);
    d->taken = d->text.n;
    for (int i = 0; i < s->players; i++)
        SAY_IF(d, s->at[i].pile, T_SCREEN_NEAR, i == s->seat ? TX(d, T_YOU) : draft_name(d, i),
               TX(d, T_YAKU_TOOK, draft_cards_short(d, s->at[i].pile)));
    d->taken_end = d->text.n;
}

void part_captures(struct draft *d)
{
    const struct scene *s = draft_scene(d);
    for (int i = 0; i < s->players; i++) {
        const struct scene_seat *at = &s->at[i];
        struct str list = part_near_list(d, i, INT_MAX);
        SAY(d, T_CAPTURES, i == s->seat ? TX(d, T_YOU) : draft_name(d, i),
            at->calls ? TX(d, T_CALLS, draft_int(d, at->calls)) : (struct str){0},
            draft_int(d, at->hand_size), list.n > 0 ? list : TX(d, T_PROGRESS_NONE));
    }
    if (d->picture.n > 0)
        put_taken(d);
}

void part_near(struct draft *d, int seat)
{
    enum { NEAR = 2, FEW = 3 };
    const struct scene_seat *at = &draft_scene(d)->at[seat];
    for (int i = 0; i < at->n_near && at->near[i].need - at->near[i].have <= NEAR; i++) {
        const struct scene_near *r = &at->near[i];
        struct str name =
            draft_worth(d, part_short_yaku(d, r->yaku), d->table->view.rules.yaku[r->yaku]);
        struct str have = draft_int(d, r->have), need = draft_int(d, r->need);
        draft_line(d, set_count(r->missing) <= FEW
                          ? TX(d, T_YAKU_LACKS, name, have, need, draft_cards(d, r->missing))
                          : TX(d, T_YAKU_COUNT, name, have, need));
    }
}

/* ---- commitments of deals, and the rounds of a beacon that their seals name ---- */

void part_beacon(struct draft *d)
{
    const struct beacon_seen *b = &d->table->beacon;
    if (b->deal && b->value.n)
        SAY(d, T_VERIFY_BEACON, draft_int(d, b->deal), b->value, b->url);
    else if (b->deal)
        SAY(d, T_VERIFY_NO_BEACON, draft_int(d, b->deal), b->url);
}

void part_beacon_next(struct draft *d)
{
    const struct beacon_seen *b = &d->table->beacon;
    SAY_IF(d, b->next, T_DEAL_BEACON, draft_int(d, b->next), b->url);
}

void part_seal(struct draft *d)
{
    const struct table *t = d->table;
    if (t->view.stage != MATCH_PLAYING || t->phase != SESSION_PLAYING || !t->deal_commit[0])
        return;
    draft_fold(d, T_SEALS_FOLD);
    SAY(d, T_DEAL_SEALED, draft_int(d, t->view.round_no), str_of(t->deal_commit));
    part_beacon(d);
    draft_unfold(d);
}

void part_seal_next(struct draft *d, int round)
{
    SAY(d, T_DEAL_SEALED, draft_int(d, round), str_of(d->table->next_commit));
    part_beacon_next(d);
}

void part_seals(struct draft *d)
{
    const struct table *t = d->table;
    bool next = t->next_commit[0] && t->phase == SESSION_PLAYING;
    if (!t->deal_seed[0] && !next)
        return;
    draft_fold(d, T_SEALS_FOLD);
    SAY_IF(d, t->deal_seed[0], T_DEAL_SEED, str_of(t->deal_seed), draft_command(d, VERB_VERIFY));
    if (next)
        part_seal_next(d, t->view.round_no);
    draft_unfold(d);
}

void part_doors(struct draft *d)
{
    const struct table *about = d->table;
    const bool group = d->table ? !d->at->direct && !d->at->one_post : !d->e->direct;
    if (!group || draft_can(d, CAN_ONE_POST))
        return;
    d->table = NULL; /* of no match */
    draft_row(d);
    draft_press(d, T_BUTTON_HERE, VERB_START_MENU, MENU_HERE, BUTTON_PLAIN);
    draft_press(d, T_BUTTON_COMPUTER, VERB_START_MENU, MENU_COMPUTER, BUTTON_PLAIN);
    draft_press(d, T_BUTTON_HOW, VERB_RULES, RULES_TURN, BUTTON_PLAIN);
    draft_row(d);
    d->table = about;
}
