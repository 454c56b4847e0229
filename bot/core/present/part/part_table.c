/* The table as all players see it: turn, scores, last events, field. See part.h. */
#include "part.h"

struct str part_turn(const struct body *body)
{
    const struct table *t = body->table;
    int turn = t->view.turn;
    if (t->ask == ASK_GO_ON)
        return TX(body, T_IS_CHOOSING, body_name(body, t->ask_seat));
    if (t->view.stage != MATCH_PLAYING || t->phase != SESSION_PLAYING)
        return TX0(body, t->phase == SESSION_OVER ? T_IS_OVER : T_IS_BETWEEN);
    if (t->player[turn].vacation)
        return TX(body, T_TO_MOVE_VACATION, body_name(body, turn),
                  body_time(body, t->player[turn].vacation));
    if (t->overdue)
        return TX(body, T_TO_MOVE_LATE, body_name(body, turn));
    return t->deadline
               ? TX(body, T_TO_MOVE_UNTIL, body_name(body, turn), body_time(body, t->deadline))
               : TX(body, T_TO_MOVE, body_name(body, turn));
}

/* "9:12", "26:05:00" */
static struct str clock_face(const struct body *body, int64_t ms)
{
    long long s = ms / 1000;
    return s < 3600 ? arena_print(body->a, "%lld:%02lld", s / 60, s % 60)
                    : arena_print(body->a, "%lld:%02lld:%02lld", s / 3600, s / 60 % 60, s % 60);
}

void part_times(struct body *body)
{
    const struct table *t = body->table;
    struct str list = {0};
    if (t->total_ms == 0 || t->phase != SESSION_PLAYING)
        return;
    for (int i = 0; i < t->players; i++)
        if (!t->player[i].computer && !t->player[i].gone)
            list = body_join(body, list, TX0(body, T_DOT),
                             TX(body, T_NAME_SCORE, body_name(body, i),
                                clock_face(body, t->player[i].time_left)));
    body_line(body, TX(body, T_TIMES, list));
}

void part_ping(struct body *body, int seat)
{
    const struct player_seen *p = &body->table->player[seat];
    body_line(body, TX(body, T_PING, body_mention(body, p->name, p->id)));
}

void part_head(struct body *body)
{
    body_line(body, TX(body, T_BOARD_HEAD, body_rounds(body), body_scores(body),
                       body_int(body, body->table->no)));
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
static struct str act_text(const struct body *body, struct act act, int reader)
{
    bool mine = act.seat == reader;
    struct str name = body_name(body, act.seat), word = body->words->word[WORD_KOIKOI];
    if (act.kind == SEEN_KOIKOI)
        return mine ? TX(body, T_YOU_KOIKOI, word) : TX(body, T_DID_KOIKOI, name, word);
    struct str card = body_card(body, act.card), cards = body_cards(body, act.took);
    if (act.kind == SEEN_PLAY && mine)
        return act.took ? TX(body, T_YOU_TAKE, card, cards) : TX(body, T_YOU_LAY, card);
    if (act.kind == SEEN_PLAY)
        return act.took ? TX(body, T_DID_TAKE, name, card, cards) : TX(body, T_DID_LAY, name, card);
    if (mine)
        return act.took ? TX(body, T_YOU_DRAW_TAKE, card, cards) : TX(body, T_YOU_DRAW_LAY, card);
    return act.took ? TX(body, T_DID_DRAW_TAKE, card, cards) : TX(body, T_DID_DRAW_LAY, card);
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

void part_events(struct body *body)
{
    const struct view *v = &body->table->view;
    struct str line = {0};
    body->has_news = body->notice->kind == NOTICE_BOARD || body->table->at.direct;
    body->news = body->text.n;
    for (int i = last_turn(v); i < v->n_seen; i++) {
        struct act act = act_seen(&v->seen[i]);
        if (act.kind != SEEN_KOIKOI) {
            line = body_join(body, line, STR(" "), act_text(body, act, v->seat));
            continue;
        }
        body_line(body, line);
        line = (struct str){0};
        body_line(body, act_text(body, act, v->seat));
        body_character_says(body, act.seat, MANNER_KOIKOI);
    }
    body_line(body, line);
    body->news_end = body->text.n;
}

void part_answer(struct body *body, const struct round_log *log, int seat)
{
    const struct view *v = &body->table->view;
    struct str line = {0};
    for (int i = 0; i < log->n; i++) {
        const struct log_line *at = &log->at[i];
        bool play = at->kind == LOG_PLAY,
             koikoi = at->kind == LOG_DECIDE && at->what == MOVE_KOIKOI;
        if (at->seat != seat || (!play && !koikoi && at->kind != LOG_DRAW))
            continue;
        enum seen_kind kind = play ? SEEN_PLAY : koikoi ? SEEN_KOIKOI : SEEN_DRAW;
        struct act act = {seat, kind, at->card, at->take};
        line = body_join(body, line, STR(" "), act_text(body, act, seat));
    }
    if (v->stage == MATCH_PLAYING && v->phase == PHASE_DRAW && v->turn == seat)
        line = body_join(body, line, STR(" "), TX(body, T_YOU_DREW, body_card(body, v->drawn)));
    body_line(body, line);
}

void part_field(struct body *body)
{
    const struct view *v = &body->table->view;
    if (v->stage != MATCH_PLAYING)
        return;
    body_line(body, TX(body, T_FIELD, body_cards(body, v->field)));
}
