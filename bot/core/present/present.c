/* Rendering, the top of this room: routes the notices of an event one by one. message*.c choose
 * account, chat and form; present_*.c and body.c write the words. See present.h. */
#include "message.h"

#include <assert.h>

/* The log of the moves that this press made. Returns NULL if it made none. */
static const struct round_log *moves_made(const struct effects *fx)
{
    for (int i = 0; i < fx->n_records; i++)
        if (fx->record[i].kind == RECORD_LOG)
            return &fx->record[i].log;
    return NULL;
}

/* The notice that shows the sender's own seat, or the first of the table they sit at. */
static const struct notice *shown_to_sender(const struct render *render, int *ret_seat)
{
    for (int i = 0; i < render->fx->n_notices; i++) {
        const struct notice *notice = render->fx->notice[i];
        for (int seat = 0; notice->table && seat < notice->table->players; seat++) {
            const struct player_seen *p = &notice->table->player[seat];
            *ret_seat = seat;
            if (p->account == render->e->account && p->id.n > 0 &&
                str_is(p->id, render->e->from.id))
                return notice;
        }
    }
    return NULL;
}

/* Where nothing can be edited, a new hand or board tells it. */
static void tell_what_it_did(struct render *render, struct outgoing *o)
{
    int seat;
    const struct round_log *log = moves_made(render->fx);
    const struct notice *notice = log ? shown_to_sender(render, &seat) : NULL;
    if (!notice || !message_can(render, CAN_POPUP) || !message_can(render, CAN_EDIT))
        return;
    struct body *body = message_blank_body(render, notice);
    part_answer(body, log, seat);
    message_text(render, o, body, render->network->limits.popup_chars);
}

/* Adds an answer to a press that got none, since the network waits for one: what the press did in
 * the match, or empty. */
static void answer_press(struct render *render)
{
    if (!render->e->pressed || render->e->press.n == 0)
        return;
    for (int i = 0; i < render->n; i++)
        if (render->out[i].out.kind == OUT_ANSWER)
            return;
    struct outgoing *o = message_new(render, OUT_ANSWER, TO_CHAT);
    o->press = render->e->press;
    o->to = render->e->from.id;
    tell_what_it_did(render, o);
}

/* Came by the calendar: a post that a chat gets once, also late. */
static bool is_dated(enum verb verb)
{
    return verb == VERB_SEASON_OVER || verb == VERB_PUZZLE_DUE;
}

/* Marks the answer to a mere question: one message that is never edited, perhaps with a line in the
 * group that tells where it is, and nothing was saved. It may overtake the messages of matches.
 * While it is unsent, a newer answer to the same person and verb replaces it; after a minute it is
 * worth nothing. */
static void mark_as_aside(struct render *render)
{
    enum { ANSWER_MS = 60 * 1000, MOST = 2 };
    const struct event *e = render->e;
    struct outgoing *posts[MOST];
    int n = 0;
    for (int i = 0; i < render->n; i++) {
        struct outgoing *o = &render->out[i].out;
        if (o->kind == OUT_ANSWER)
            continue;
        if (n == MOST || o->kind != OUT_POST || o->slot.n > 0 ||
            (n > 0 && (posts[0]->where == TO_CHAT || o->where != TO_CHAT)))
            return;
        posts[n++] = o;
    }
    if (render->fx->n_saves > 0 || render->fx->set_chat || render->fx->set_prefs ||
        render->fx->puzzle.answers || is_dated(e->verb))
        return;
    for (int i = 0; i < n; i++) {
        posts[i]->aside = true;
        posts[i]->expires = e->now + ANSWER_MS;
        if (e->from.id.n > 0)
            posts[i]->slot =
                arena_print(render->fx->arena, "answer:%d:%.*s", e->verb, STR_ARG(e->from.id));
    }
}

static void mark_match(struct render *render, int from, int64_t match)
{
    for (int i = from; i < render->n; i++)
        render->out[i].out.match = match;
}

int present(const struct world *w, const struct event *e, const struct effects *fx,
            const struct networks *networks, struct message ret[static MAX_OUTGOING])
{
    struct render render = {.w = w, .e = e, .fx = fx, .networks = networks, .out = ret};
    for (int i = 0; i < fx->n_notices; i++) {
        const struct notice *notice = fx->notice[i];
        int from = render.n;
        bool here = message_from_account(&render, e->account);
        assert(here);
        (void)here;
        if (w->can_here & CAN_ONE_POST)
            message_one_post(&render);
        if (notice->kind == NOTICE_INVITES || notice->kind == NOTICE_MOVES) {
            message_inline_articles(&render, notice);
        } else if (notice->kind == NOTICE_EXPORT) {
            message_record(&render, notice);
        } else if (notice->kind == NOTICE_MYDATA) {
            message_data(&render, notice);
        } else if (notice->audience == TO_SEAT) {
            message_to_seat(&render, notice);
        } else if (notice->audience == TO_TABLE) {
            message_to_table(&render, notice);
        } else if (notice->audience == TO_TOURNAMENT) {
            message_to_tournament(&render, notice);
        } else if (notice->audience == TO_HANDLE) {
            message_to_handle(&render, notice);
        } else if (notice->audience == TO_ASKER) {
            message_to_asker(&render, notice, message_body(&render, notice));
        } else {
            struct body *body = message_body(&render, notice);
            struct outgoing *o = message_new(&render, OUT_POST, TO_CHAT);
            if (notice->post > 0 && body->n_buttons > 0)
                o->slot = message_slot(&render, notice->kind == NOTICE_REPLAY ? "replay" : "pages",
                                       notice->post, -1);
            if (notice->key == T_CANNOT_READ && message_can(&render, CAN_REACT))
                o->slot = message_slot(&render, "deaf", w->chat, -1);
            o->notify = notice->notify;
            message_text(&render, o, body, render.network->limits.text_chars);
            message_picture(&render, o, body);
        }
        mark_match(&render, from, notice->table ? notice->table->no : 0);
    }
    int from = render.n;
    message_inline_post(&render);
    if (message_from_account(&render, e->account))
        answer_press(&render);
    mark_match(&render, from, fx->n_saves > 0 ? fx->save[0]->no : e->no);
    mark_as_aside(&render);
    return render.n;
}
