/* The table as all players see it: turn, scores, last events, field. See part.h. */
#include "part.h"

struct str part_turn(const struct draft *d)
{
    const struct table *t = d->table;
    int turn = t->view.turn;
    if (t->ask.what == ASK_GO_ON)
        return TX(d, T_IS_CHOOSING, draft_name(d, t->ask.seat));
    if (t->view.stage != MATCH_PLAYING || t->phase != SESSION_PLAYING)
        return TX(d, t->phase == SESSION_OVER ? T_IS_OVER : T_IS_BETWEEN);
    if (t->player[turn].vacation)
        return TX(d, T_TO_MOVE_VACATION, draft_name(d, turn),
                  draft_time(d, t->player[turn].vacation));
    if (t->overdue)
        return TX(d, T_TO_MOVE_LATE, draft_name(d, turn));
    return t->deadline ? TX(d, T_TO_MOVE_UNTIL, draft_name(d, turn), draft_time(d, t->deadline))
                       : TX(d, T_TO_MOVE, draft_name(d, turn));
}

/* "9:12", "26:05:00" */
static struct str clock_face(const struct draft *d, int64_t ms)
{
    long long s = ms / 1000;
    return s < 3600 ? arena_print(d->a, "%lld:%02lld", s / 60, s % 60)
                    : arena_print(d->a, "%lld:%02lld:%02lld", s / 3600, s / 60 % 60, s % 60);
}

void part_times(struct draft *d)
{
    const struct table *t = d->table;
    struct str list = {0};
    if (t->time.total_ms == 0 || t->phase != SESSION_PLAYING)
        return;
    for (int i = 0; i < t->players; i++)
        if (!t->player[i].computer && !t->player[i].gone)
            draft_add(d, &list, T_DOT,
                      TX(d, T_NAME_SCORE, draft_name(d, i), clock_face(d, t->player[i].time_left)));
    SAY(d, T_TIMES, list);
}

void part_ping(struct draft *d, int seat)
{
    SAY(d, T_PING, draft_mention(d, seat));
}

void part_head(struct draft *d)
{
    SAY(d, T_BOARD_HEAD, draft_rounds(d), draft_scores(d), draft_int(d, d->table->no));
}

/* One thing that a seat did. */
struct act {
    int seat;
    enum seen_kind kind;
    int card;
    cardset took;
};

static struct act act_seen(const struct seen *e)
{
    enum seen_kind kind = (enum seen_kind)(e->seat_kind & 15);
    return (struct act){e->seat_kind >> 4, kind, e->card, kind == SEEN_KOIKOI ? 0 : seen_take(*e)};
}

/* In the second person if the reader did it. */
static struct str act_text(const struct draft *d, struct act act, int reader)
{
    bool mine = act.seat == reader;
    struct str name = draft_name(d, act.seat), word = d->words->word[WORD_KOIKOI];
    if (act.kind == SEEN_KOIKOI)
        return mine ? TX(d, T_YOU_KOIKOI, word) : TX(d, T_DID_KOIKOI, name, word);
    struct str card = draft_card(d, act.card), cards = draft_cards(d, act.took);
    if (act.kind == SEEN_PLAY && mine)
        return act.took ? TX(d, T_YOU_TAKE, card, cards) : TX(d, T_YOU_LAY, card);
    if (act.kind == SEEN_PLAY)
        return act.took ? TX(d, T_DID_TAKE, name, card, cards) : TX(d, T_DID_LAY, name, card);
    if (mine)
        return act.took ? TX(d, T_YOU_DRAW_TAKE, card, cards) : TX(d, T_YOU_DRAW_LAY, card);
    return act.took ? TX(d, T_DID_DRAW_TAKE, card, cards) : TX(d, T_DID_DRAW_LAY, card);
}

/* The event with which the last turn began. */
static int last_turn(const struct view *v)
{
    int first = v->n_seen;
    while (first > 0 &&
           v->seen[first - 1].seat_kind >> 4 == v->seen[v->n_seen - 1].seat_kind >> 4) {
        first--;
        if ((v->seen[first].seat_kind & 15) == SEEN_PLAY)
            break;
    }
    return first;
}

void part_events(struct draft *d)
{
    const struct view *v = &d->table->view;
    struct str line = {0};
    d->has_news = d->page == NOTICE_BOARD || d->at->direct;
    d->news = d->text.n;
    for (int i = last_turn(v); i < v->n_seen; i++) {
        struct act act = act_seen(&v->seen[i]);
        if (act.kind != SEEN_KOIKOI) {
            line = draft_join(d, line, STR(" "), act_text(d, act, v->seat));
            continue;
        }
        draft_line(d, line);
        line = (struct str){0};
        draft_line(d, act_text(d, act, v->seat));
        draft_character_says(d, act.seat, MANNER_KOIKOI);
    }
    draft_line(d, line);
    d->news_end = d->text.n;
}

void part_answer(struct draft *d, const struct round_log *log, int seat)
{
    const struct view *v = &d->table->view;
    struct str line = {0};
    for (int i = 0; i < log->n; i++) {
        const struct log_line *at = &log->at[i];
        bool play = at->kind == LOG_PLAY,
             koikoi = at->kind == LOG_DECIDE && at->what == MOVE_KOIKOI;
        if (at->seat != seat || (!play && !koikoi && at->kind != LOG_DRAW))
            continue;
        enum seen_kind kind = play ? SEEN_PLAY : koikoi ? SEEN_KOIKOI : SEEN_DRAW;
        struct act act = {seat, kind, at->card, at->take};
        line = draft_join(d, line, STR(" "), act_text(d, act, seat));
    }
    if (v->stage == MATCH_PLAYING && v->phase == PHASE_DRAW && v->turn == seat)
        line = draft_join(d, line, STR(" "), TX(d, T_YOU_DREW, draft_card(d, v->drawn)));
    draft_line(d, line);
}

void part_field(struct draft *d)
{
    const struct view *v = &d->table->view;
    if (v->stage != MATCH_PLAYING)
        return;
    SAY(d, T_FIELD, draft_cards(d, v->field));
}
