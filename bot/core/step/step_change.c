/* Working copy of a session, a seat's view of it, the channels a hand can be shown by (which is best
 * on a network, which failed lately), and the rule sets a world knows. */
#include "turn.h"

#include <assert.h>

#define REMEMBER_MS (7 * DAY_MS) /* later matches of the chat skip a failed channel */

enum channel channel_best(uint32_t can)
{
    return can & CAN_WHISPER ? CHANNEL_WHISPER : can & CAN_DIRECT ? CHANNEL_DIRECT : CHANNEL_POPUP;
}

/* Where all is one message, the private chat is tried once it is known to be open. */
enum channel channel_here(const struct world *w)
{
    return w->chat.can & CAN_ONE_POST ? CHANNEL_POPUP : channel_best(w->can);
}

/* The player's seat in the match of this chat whose channel failed last, within REMEMBER_MS.
 * Returns NULL if none failed. */
static const struct player *failed_lately(const struct step *st, int64_t person)
{
    const struct player *found = NULL;
    for (int i = -1; i < st->w->here.n; i++) {
        const struct session *s = i < 0 ? st->w->last : st->w->here.at[i];
        int seat = s && person ? session_seat(s, person) : -1;
        const struct player *p = seat >= 0 ? &s->player[seat] : NULL;
        if (p && p->account == st->e->account && s->venue[p->venue].chat == st->w->chat.id &&
            p->channel_failed_at && st->e->now < p->channel_failed_at + REMEMBER_MS &&
            (!found || p->channel_failed_at > found->channel_failed_at))
            found = p;
    }
    return found;
}

void channel_recall(const struct step *st, struct player *p)
{
    const struct player *was = failed_lately(st, p->person);
    if (was && was->channel > p->channel) {
        p->channel = was->channel;
        p->channel_failed_at = was->channel_failed_at;
    }
}

static bool share_venue(const struct session *a, const struct session *b)
{
    for (int i = 0; i <= a->n_more; i++)
        if (session_venue_of(b, a->venue[i].chat) >= 0)
            return a->no != b->no;
    return false;
}

static bool others_here(const struct world *w, const struct session *s)
{
    for (int i = 0; i < w->here.n; i++)
        if (share_venue(w->here.at[i], s))
            return true;
    for (int i = 0; i < w->mine.n; i++)
        if (share_venue(w->mine.at[i], s))
            return true;
    return false;
}

/* Copies what the event knows of its chat into the venue. */
static void follow_venue(struct step *st, struct session *s)
{
    int i = session_venue_of(s, st->w->chat.id);
    if (i < 0)
        return;
    struct venue *v = i == 0 ? &s->venue[0] : &s->venue[i];
    v->utc_offset = st->w->chat.utc_offset;
    v->board_picture = st->w->chat.settings.board_picture;
    NAME_PUT(v->language, str_of(st->w->chat.settings.language));
    if (st->e->chat_name.n > 0)
        NAME_PUT(v->chat_name, st->e->chat_name);
}

const struct ruleset *step_ruleset(struct step *st, const struct session *s)
{
    return ruleset_cache_get(st->w->bot->rulesets, &s->rules);
}

const struct session *step_snapshot(struct step *st, const struct session *s)
{
    struct session *copy = arena_new(st->fx->arena, struct session);
    *copy = *s;
    return copy;
}

void step_new_hand(struct player *p, int64_t at)
{
    p->hand_message++;
    p->hand_at = at;
}

/* A player who acts from another account than before plays from there from now on: their hand
 * follows them, and so does their seat if the chat is a venue. */
static void follow_handle(struct step *st, const struct session *s, struct player *p)
{
    const struct event *e = st->e;
    if (e->from.id.n == 0 || p->account == e->account)
        return;
    int venue = session_venue_of(s, st->w->chat.id);
    bool direct = e->direct || venue < 0;
    p->account = e->account;
    p->channel_failed_at = 0;
    step_new_hand(p, 0);
    p->channel = !direct                   ? (uint8_t)channel_best(st->w->can)
                 : st->w->can & CAN_DIRECT ? CHANNEL_DIRECT
                                           : CHANNEL_NONE;
    if (venue >= 0)
        p->venue = (uint8_t)venue;
}

struct session *step_save(struct step *st, const struct session *s)
{
    assert(st->fx->n_saves < MAX_SAVES);
    struct session *next = arena_new(st->fx->arena, struct session);
    *next = *s;
    st->fx->save[st->fx->n_saves++] = next;
    return next;
}

struct session *step_change(struct step *st, const struct session *s)
{
    struct session *next = step_save(st, s);
    follow_venue(st, next);
    int seat = st->w->me.person ? session_seat(next, st->w->me.person) : -1;
    if (seat >= 0 && st->e->verb != VERB_UNREACHABLE)
        next->player[seat].heard = st->e->now;
    if (seat >= 0 && st->e->from.name.n > 0) {
        struct player *p = &next->player[seat];
        follow_handle(st, next, p);
        if (next->venue[p->venue].account == p->account)
            NAME_PUT(p->name, st->e->from.name); /* their name in the venue where they sit */
        NAME_PUT(p->language, str_of(st->w->me.prefs.language));
        p->absence = st->w->me.prefs.absence;
        if (st->e->from.id.n > 0)
            NAME_PUT(p->id, st->e->from.id);
    }
    return next;
}

/* The venue from which the event sees the session: the home, but of strangers' matches the event's
 * chat, else where the sender sits. */
static int venue_seen(struct step *st, const struct session *s)
{
    if (!s->search.on)
        return 0;
    int venue = session_venue_of(s, st->w->chat.id), seat = session_seat(s, st->w->me.person);
    return venue >= 0 ? venue : seat >= 0 ? s->player[seat].venue : 0;
}

struct table *step_table(struct step *st, const struct session *s, int seat)
{
    struct table *t = effect_table(st->fx, st->w->bot->rulesets, s, seat);
    t->at = t->venue[venue_seen(st, s)];
    t->deadline = session_deadline(s);
    for (int i = 0; i < s->players; i++) {
        const struct absence *absence = &s->player[i].absence;
        bool away = absence_on_vacation(absence, st->e->now);
        t->player[i].vacation = away ? absence->away_until : 0;
        t->player[i].quiet = absence_quiet_end(absence, st->e->now) > 0;
    }
    t->many = others_here(st->w, s);
    if (seat >= 0)
        t->lost = st->lost[seat];
    t->taken_back = st->taken_back;
    return t;
}

struct person_prefs *step_prefs(struct step *st)
{
    if (!st->fx->prefs) {
        st->fx->prefs = arena_new(st->fx->arena, struct person_prefs);
        *st->fx->prefs = st->w->me.prefs;
    }
    return st->fx->prefs;
}

void step_seed(const struct event *e, int at, struct seed *ret)
{
    memcpy(ret->at, e->chance + at, sizeof ret->at);
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
