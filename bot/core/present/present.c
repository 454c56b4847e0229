/* The top of this room: each notice of an event takes its way; then the press that made the event
 * is answered, and what may overtake others is marked. See present.h. */
#include "way.h"

#include <assert.h>

/* ---- the answer to a press ---- */

/* The notice that shows the sender's own seat, or the first of the table they sit at. */
static const struct notice *shown_to_sender(const struct draft *d, int *ret_seat)
{
    for (int i = 0; i < d->fx->n_notices; i++) {
        const struct notice *notice = d->fx->notice[i];
        for (int seat = 0; notice->table && seat < notice->table->players; seat++) {
            const struct player_seen *p = &notice->table->player[seat];
            *ret_seat = seat;
            if (p->account == d->e->account && p->id.n > 0 && str_is(p->id, d->e->from.id))
                return notice;
        }
    }
    return NULL;
}

/* Adds an answer to a press that got none, since the network waits for one: what the press did in
 * the match, or empty. Where nothing can be edited, a new hand or board tells what it did. */
static void answer_press(struct draft *d)
{
    static const struct notice nothing = {.audience = TO_HERE};
    const struct round_log *log = NULL; /* of the moves that this press made */
    int seat;
    if (!d->e->pressed || d->e->press.n == 0)
        return;
    for (int i = 0; i < d->fx->n_records && !log; i++)
        if (d->fx->record[i].kind == RECORD_LOG)
            log = &d->fx->record[i].log;
    for (int i = 0; i < d->n_sent; i++)
        if (d->sent[i].out.kind == OUT_ANSWER)
            return;
    const struct notice *shown = log ? shown_to_sender(d, &seat) : NULL;
    bool tells = shown && draft_can(d, CAN_POPUP) && draft_can(d, CAN_EDIT) &&
                 !draft_can(d, CAN_SCENE); /* which says it */
    d->notice = tells ? shown : &nothing;
    draft_open(
        d, (struct outgoing){
               .kind = OUT_ANSWER, .chat = d->e->chat, .press = d->e->press, .to = d->e->from.id});
    if (tells)
        part_answer(d, log, seat);
    draft_send(d);
}

/* ---- marks ---- */

/* A number for what is asked, but for the moment: of a match its newest board, of a person theirs. */
static uint64_t question_of(const struct event *e)
{
    uint64_t asked = str_hash(e->words);
    if (e->verb == VERB_UNKNOWN)
        asked = 31 * asked + str_hash(e->alias);
    asked = 31 * asked + (uint64_t)e->no;
    asked = 31 * asked + (uint64_t)e->index;
    for (int i = 0; i < e->n_mentions; i++)
        asked = 31 * asked + str_hash(e->mention[i].id);
    return asked;
}

/* Marks the answer to a mere question: one message that is never edited, perhaps with a line in the
 * group that tells where it is, and nothing was saved. It stands below the question, in its thread
 * too, and may overtake the messages of matches. While it is unsent, a newer answer to the same
 * question of the same person replaces it; after a minute it is worth nothing. */
static void mark_as_aside(struct draft *d)
{
    enum { ANSWER_MS = 60 * 1000, MOST = 2 };
    const struct event *e = d->e;
    const struct effects *fx = d->fx;
#define EFFECT(type, name) || fx->name
    bool saved = fx->n_saves > 0 || fx->chat || fx->prefs || fx->forget
#include "feature.def"
        ;
    struct outgoing *posts[MOST];
    int n = 0;
    if (saved || e->from.id.n == 0) /* without a sender it is a post by the calendar, also late */
        return;
    for (int i = 0; i < d->n_sent; i++) {
        struct outgoing *o = &d->sent[i].out;
        if (o->kind == OUT_ANSWER)
            continue;
        if (n == MOST || o->kind != OUT_POST || o->slot.n > 0 ||
            (n > 0 && (posts[0]->where == TO_CHAT || o->where != TO_CHAT)))
            return;
        posts[n++] = o;
    }
    for (int i = 0; i < n; i++) {
        posts[i]->aside = true;
        if (posts[i]->where == TO_CHAT && !e->direct)
            posts[i]->reply_to = e->said;
        posts[i]->expires = e->now + ANSWER_MS;
        posts[i]->slot = arena_print(d->a, "answer:%d:%llx:%.*s", e->verb,
                                     (unsigned long long)question_of(e), STR_ARG(e->from.id));
    }
}

static void mark_match(struct draft *d, int from, int64_t match)
{
    for (int i = from; i < d->n_sent; i++)
        d->sent[i].out.match = match;
}

int present(const struct world *w, const struct event *e, const struct effects *fx,
            const struct networks *networks, struct message ret[static MAX_OUTGOING])
{
    struct draft d = {.w = w,
                      .e = e,
                      .fx = fx,
                      .networks = networks,
                      .a = fx->arena,
                      .scene = arena_new(fx->arena, struct scene_cache),
                      .sent = ret};
    for (int i = 0; i < fx->n_notices; i++) {
        int from = d.n_sent;
        bool here = draft_from(&d, e->account, NULL);
        assert(here);
        (void)here;
        if (w->chat.can & CAN_ONE_POST)
            draft_one_post(&d);
        const struct notice *notice = d.notice = fx->notice[i];
        way_take(&d);
        mark_match(&d, from, notice->table ? notice->table->no : 0);
    }
    int from = d.n_sent;
    inline_post(&d);
    if (draft_from(&d, e->account, NULL))
        answer_press(&d);
    mark_match(&d, from, fx->n_saves > 0 ? fx->save[0]->no : e->no);
    mark_as_aside(&d);
    return d.n_sent;
}
