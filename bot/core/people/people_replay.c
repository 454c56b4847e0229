/* /replay: a finished match step by step, in one message that its buttons edit. All cards are open,
 * for the seeds of its deals are published. */
#include "step_internal.h"

enum { POSTS = 1000000 };

/* The session as it stood at the position, seen from the chat of the event. */
static struct table *table_then(struct step *st, const struct session *s)
{
    struct session *then = arena_new(st->fx->arena, struct session);
    *then = *s;
    then->match = st->w->position->match;
    then->phase = then->match.stage == MATCH_OVER ? SESSION_OVER : SESSION_PLAYING;
    then->clock_ms = then->total_ms = 0;
    then->overdue = false;
    then->ask = ASK_NONE;
    struct table *t = step_table(st, then, SEAT_PUBLIC);
    t->at.direct = st->e->direct;
    t->at.utc_offset = st->w->utc_offset;
    t->at.language = str_of(st->e->direct ? st->w->prefs.language : st->w->settings.language);
    return t;
}

enum verdict people_replay(struct step *st, const struct session *s)
{
    if (s->phase != SESSION_OVER || s->end != END_PLAYED || !st->w->position)
        return notice_refuse(st, T_REPLAY_NONE, ARGS(arg_command(VERB_HISTORY)));
    bool leafs = st->e->pressed && st->e->version > 0;
    struct notice *notice = effect_notice(st->fx, NOTICE_REPLAY, TO_HERE);
    struct table *t = table_then(st, s);
    notice->post = leafs ? st->e->version : 1 + st->e->now / 1000 % POSTS;
    t->version = (uint32_t)notice->post;
    notice->table = t;
    notice->position = st->w->position;
    return TAKEN;
}
