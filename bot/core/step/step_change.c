/* Working copy of a session, a seat's view of it, the channels a hand can be shown by (which is
 * best on a network, which failed lately), and the rule sets a world knows. */
#include "turn.h"

#include <assert.h>

/* ---- channels ---- */

enum channel channel_best(uint32_t can)
{
    return can & CAN_WHISPER ? CHANNEL_WHISPER : can & CAN_DIRECT ? CHANNEL_DIRECT : CHANNEL_POPUP;
}

/* ---- copies ---- */

struct session *step_snapshot(struct step *st, const struct session *s)
{
    struct session *copy = arena_new(st->fx->arena, struct session);
    *copy = *s;
    return copy;
}

struct session *step_save(struct step *st, const struct session *s)
{
    assert(st->fx->n_saves < MAX_SAVES);
    return st->fx->save[st->fx->n_saves++] = step_snapshot(st, s);
}

const struct session *step_before(const struct step *st, const struct session *s)
{
    const struct world *w = st->w;
    if (w->named && w->named->no == s->no)
        return w->named;
    for (int i = 0; i < w->mine.n; i++)
        if (w->mine.at[i]->no == s->no)
            return w->mine.at[i];
    for (int i = 0; i < w->here.n; i++)
        if (w->here.at[i]->no == s->no)
            return w->here.at[i];
    return NULL;
}

void step_new_hand(struct player *p, int64_t at)
{
    p->hand_message++;
    p->hand_at = at;
}

/* The venue gets what the event knows of its chat, the sender's seat what it knows of them. A
 * player who acts from another account than before plays from there from now on: their hand follows
 * them, and so does their seat if the chat is a venue. */
struct session *step_change(struct step *st, const struct session *s)
{
    const struct event *e = st->e;
    struct session *next = step_save(st, s);
    int venue = session_venue_of(next, st->w->chat.id), seat = step_seat(st, next);
    if (venue >= 0) {
        struct venue *v = &next->venue[venue];
        v->utc_offset = st->w->chat.utc_offset;
        v->board_picture = st->w->chat.settings.board_picture;
        if (st->w->chat.settings.language[0])
            NAME_PUT(v->language, str_of(st->w->chat.settings.language));
        if (e->chat_name.n > 0)
            NAME_PUT(v->chat_name, e->chat_name);
    }
    if (seat < 0)
        return next;
    struct player *p = &next->player[seat];
    if (e->verb != VERB_UNREACHABLE)
        p->heard = e->now;
    if (e->from.name.n == 0)
        return next;
    if (e->from.id.n > 0 && p->account != e->account) {
        p->account = e->account;
        p->channel_failed_at = 0;
        step_new_hand(p, 0);
        p->channel = !e->direct && venue >= 0  ? (uint8_t)channel_best(st->w->can)
                     : st->w->can & CAN_DIRECT ? CHANNEL_DIRECT
                                               : CHANNEL_NONE;
        if (venue >= 0)
            p->venue = (uint8_t)venue;
    }
    if (venue >= 0 && p->venue == venue)
        p->left_chat = false;
    if (next->venue[p->venue].account == p->account)
        NAME_PUT(p->name, e->from.name); /* their name in the venue where they sit */
    NAME_PUT(p->language, str_of(st->w->me.prefs.language));
    p->absence = st->w->me.prefs.absence;
    p->words = st->w->me.prefs.words;
    if (e->from.id.n > 0)
        NAME_PUT(p->id, e->from.id);
    return next;
}

/* ---- tables ---- */

static bool shares_venue(const struct session_list *list, const struct session *s)
{
    for (int i = 0; i < list->n; i++)
        for (int v = 0; list->at[i]->no != s->no && v <= list->at[i]->n_more; v++)
            if (session_venue_of(s, list->at[i]->venue[v].chat) >= 0)
                return true;
    return false;
}

/* The event sees the session from the home; matches of strangers from its own chat, else from where
 * the sender sits. */
struct table *step_table(struct step *st, const struct session *s, int seat)
{
    struct table *t = effect_table(st->fx, st->w->bot->rulesets, s, seat);
    if (s->strangers) {
        int venue = session_venue_of(s, st->w->chat.id), own = step_seat(st, s);
        t->at = t->venue[venue >= 0 ? venue : own >= 0 ? s->player[own].venue : 0];
    }
    effect_times(t, s, st->e->now);
    t->many = shares_venue(&st->w->here, s) || shares_venue(&st->w->mine, s);
    if (seat >= 0)
        t->lost = st->lost[seat];
    t->taken_back = st->taken_back;
    return t;
}

/* ---- what the world knows ---- */

/* Chats of inline messages have no settings. */
struct str step_chat_language(struct step *st)
{
    const struct chat_settings *now = st->fx->chat ? st->fx->chat : &st->w->chat.settings;
    struct str own = str_of(st->w->me.prefs.language);
    if (now->language[0])
        return str_of(now->language);
    if (own.n > 0 && !(st->w->chat.can & CAN_ONE_POST)) {
        struct chat_settings *chat = arena_new(st->fx->arena, struct chat_settings);
        *chat = *now;
        NAME_PUT(chat->language, own);
        st->fx->chat = chat;
    }
    return own;
}

struct person_prefs *step_prefs(struct step *st)
{
    if (!st->fx->prefs) {
        st->fx->prefs = arena_new(st->fx->arena, struct person_prefs);
        *st->fx->prefs = st->w->me.prefs;
    }
    return st->fx->prefs;
}

int64_t step_post(const struct step *st)
{
    uint32_t post;
    memcpy(&post, st->e->chance + CHANCE_ID, sizeof post);
    return 1 + post / 2;
}

bool step_reaches_alone(const struct step *st)
{
    return st->e->direct || st->w->me.reachable ||
           (st->w->chat.can & (CAN_WHISPER | CAN_ONE_POST)) == CAN_WHISPER;
}

enum keyword step_keyword(const struct step *st, struct str words)
{
    return keyword_find(st->w->bot->languages, st->fx->arena, words);
}

int step_seat(const struct step *st, const struct session *s)
{
    return session_seat(s, st->w->me.person);
}

const struct ruleset *step_ruleset(struct step *st, const struct session *s)
{
    return ruleset_cache_get(st->w->bot->rulesets, &s->rules);
}

const struct rules *step_preset(const struct world *w, struct str name)
{
    for (int i = 0; i < w->bot->n_presets; i++)
        if (str_is(name, str_of(w->bot->presets[i].name)))
            return &w->bot->presets[i];
    return NULL;
}

const struct rules *step_usual_rules(const struct world *w)
{
    const struct rules *r = step_preset(w, str_of(w->chat.settings.rules));
    if (!r)
        r = step_preset(w, w->bot->default_rules);
    return r ? r : &w->bot->presets[0];
}

/* The chat's, or few, or those of the rule set, which hold if it was asked for: then neither the
 * chat's number nor the few of a newcomer do. */
int step_usual_rounds(const struct world *w, const struct rules *r, bool named, bool few)
{
    int own = w->chat.settings.rounds;
    if (own > 0)
        return named ? r->rounds : own;
    few |= w->me.newcomer && !named;
    return few && r->rounds > FEW_ROUNDS ? FEW_ROUNDS : r->rounds;
}
