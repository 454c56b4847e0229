/* See step.h. This file hands the event to its verb: lobby*.c before a match, play*.c in it,
 * knock.c for the clock, query.c for questions; and has what they all use: to answer, and to change
 * a session. */
#include "stepping.h"

#include <assert.h>

/* ---- arguments of sentences ---- */

struct arg a_str(struct str s)
{
    return (struct arg){.kind = ARG_TEXT, .s = s};
}
struct arg a_int(int64_t n)
{
    return (struct arg){.kind = ARG_INT, .n = n};
}
struct arg a_key(enum text key)
{
    return (struct arg){.kind = ARG_KEY, .n = key};
}
struct arg a_time(int64_t ms)
{
    return (struct arg){.kind = ARG_TIME, .n = ms};
}
struct arg a_card(int card)
{
    return (struct arg){.kind = ARG_CARD, .n = card};
}
struct arg a_alias(int verb)
{
    return (struct arg){.kind = ARG_ALIAS, .n = verb};
}
struct arg a_name(struct str name, struct str id)
{
    return (struct arg){.kind = ARG_NAME, .s = name, .id = id};
}

struct arg a_seat(const struct session *s, int seat)
{
    const struct player *p = &s->player[seat];
    return (struct arg){.kind = ARG_NAME,
                        .n = p->computer ? 1 + p->character : 0,
                        .s = str_of(p->name),
                        .id = str_of(p->id),
                        .account = p->account};
}

struct say *say_line(struct step *st, enum audience to, enum text key,
                     const struct arg args[MAX_ARGS])
{
    struct say *say = effect_say(st->fx, SAY_LINE, to);
    say->key = key;
    memcpy(say->arg, args, sizeof say->arg);
    for (int i = 0; i < MAX_ARGS; i++) { /* they may point into a session that goes away */
        say->arg[i].s = arena_str(st->fx->arena, say->arg[i].s);
        say->arg[i].id = arena_str(st->fx->arena, say->arg[i].id);
    }
    return say;
}

enum verdict refuse(struct step *st, enum text key, const struct arg args[MAX_ARGS])
{
    say_line(st, TO_ASKER, key, args);
    return REFUSED;
}

enum verdict answer(struct step *st, enum text key, const struct arg args[MAX_ARGS])
{
    say_line(st, TO_ASKER, key, args);
    return TAKEN;
}

/* ---- sessions ---- */

static bool share_venue(const struct session *a, const struct session *b)
{
    for (int i = 0; i <= a->n_more; i++)
        if (session_venue_of(b, session_venue(a, i)->chat) >= 0)
            return a->no != b->no;
    return false;
}

static bool others_here(const struct world *w, const struct session *s)
{
    for (int i = 0; i < w->n_here; i++)
        if (share_venue(w->here[i], s))
            return true;
    for (int i = 0; i < w->n_mine; i++)
        if (share_venue(w->mine[i], s))
            return true;
    return false;
}

/* What the event tells of the venue it happened in. */
static void follow_venue(struct step *st, struct session *s)
{
    int i = session_venue_of(s, st->w->chat);
    if (i < 0)
        return;
    struct venue *v = i == 0 ? &s->home : &s->more[i - 1];
    v->utc_offset = st->w->utc_offset;
    v->season = st->w->settings.season;
    NAME_PUT(v->language, str_of(st->w->settings.language));
    if (st->e->chat_name.n > 0)
        NAME_PUT(v->chat_name, st->e->chat_name);
}

/* Who does something from another network than before plays from there from now on: their hand
 * follows them, and they sit where they spoke if that is a venue. */
static void follow_handle(struct step *st, const struct session *s, struct player *p)
{
    const struct event *e = st->e;
    if (e->from.id.n == 0 || p->account == e->account)
        return;
    int venue = session_venue_of(s, st->w->chat);
    bool direct = e->direct || venue < 0;
    p->account = e->account;
    p->lowered = 0;
    p->hand_no++;
    p->channel = !direct                   ? (uint8_t)lobby_channel(st->w->can)
                 : st->w->can & CAN_DIRECT ? CHANNEL_DIRECT
                                           : CHANNEL_NONE;
    if (venue >= 0)
        p->venue = (uint8_t)venue;
}

struct session *step_change(struct step *st, const struct session *s)
{
    assert(st->fx->n_saves < MAX_SAVES);
    struct session *next = arena_new(st->fx->arena, struct session);
    *next = *s;
    follow_venue(st, next);
    int seat = st->w->me ? session_seat(next, st->w->me) : -1;
    if (seat >= 0 && st->e->from.name.n > 0) {
        struct player *p = &next->player[seat];
        follow_handle(st, next, p);
        if (session_venue(next, p->venue)->account == p->account)
            NAME_PUT(p->name, st->e->from.name); /* as they are known where they sit */
        NAME_PUT(p->language, str_of(st->w->prefs.language));
        if (st->e->from.id.n > 0)
            NAME_PUT(p->id, st->e->from.id);
    }
    st->fx->save[st->fx->n_saves++] = next;
    return next;
}

struct table *step_table(struct step *st, const struct session *s, int seat)
{
    struct table *t = effect_table(st->fx, st->w->made, s, seat);
    t->deadline = knock_deadline(s);
    t->many = others_here(st->w, s);
    return t;
}

void seed_from(const struct event *e, int at, struct seed *ret)
{
    memcpy(ret->at, e->chance + at, sizeof ret->at);
}

const struct rules *step_preset(const struct world *w, struct str name)
{
    for (int i = 0; i < w->n_presets; i++)
        if (str_is(name, str_of(w->presets[i].name)))
            return &w->presets[i];
    return NULL;
}

const struct rules *step_usual_rules(const struct world *w)
{
    const struct rules *r = step_preset(w, str_of(w->settings.rules));
    if (!r)
        r = step_preset(w, w->default_rules);
    return r ? r : &w->presets[0];
}

/* ---- what a verb does ---- */

static enum verdict cannot_read(struct step *st)
{
    say_line(st, TO_HERE, T_CANNOT_READ, NO_ARGS);
    if (st->e->from.id.n > 0) /* the way out: a chat of our own */
        say_line(st, TO_ASKER, T_CAN_READ_HERE, NO_ARGS);
    return TAKEN;
}

static enum verdict forged(struct step *st)
{
    return refuse(st, T_FORGED, NO_ARGS);
}

/* By what a verb is handed: nothing, the session that its event names, or the one that is meant. */
typedef enum verdict event_fn(struct step *st);
static event_fn *const of_event[N_VERBS] = {
    [VERB_LEFT] = chat_left,
    [VERB_JOINED] = chat_joined,
    [VERB_RIGHTS] = chat_rights,
    [VERB_AWAY] = chat_away,
    [VERB_CANNOT_READ] = cannot_read,
    [VERB_QUERY] = lobby_query,
    [VERB_INVITE] = lobby_invite,
    [VERB_FORGED] = forged,
    [VERB_CHALLENGE] = lobby_challenge,
    [VERB_LINK] = people_link,
    [VERB_UNLINK] = people_unlink,
    [VERB_SETTINGS] = settings,
    [VERB_LANGUAGE] = language,
};
typedef enum verdict session_fn(struct step *st, const struct session *s);
static session_fn *const of_named[N_VERBS] = {
    [VERB_CLOCK] = knock,
    [VERB_ADVICE] = play_advice,
    [VERB_HINTED] = teach_hinted,
    [VERB_REVIEWED] = teach_reviewed,
    [VERB_UNREACHABLE] = unreachable,
};
static session_fn *const of_meant[N_VERBS] = {
    [VERB_ACCEPT] = lobby_accept,   [VERB_DECLINE] = lobby_decline, [VERB_CANCEL] = lobby_cancel,
    [VERB_REMATCH] = lobby_rematch, [VERB_PLAY] = play_cards,       [VERB_NUMBER] = play_cards,
    [VERB_MOVE] = play_move,        [VERB_KOIKOI] = play_verb,      [VERB_STOP] = play_verb,
    [VERB_DECLARE] = play_verb,     [VERB_REDEAL] = play_verb,      [VERB_RESIGN] = play_resign,
    [VERB_NUDGE] = nudge,           [VERB_CUT] = play_cut,          [VERB_READY] = play_ready,
    [VERB_CLAIM] = play_claim,      [VERB_WAIT] = play_wait,        [VERB_HINT] = teach_hint,
};

/* A bare number in a group is a move only where people have nothing else or we alone are spoken to,
 * and it is their turn. */
static bool number_counts(const struct world *w, const struct event *e, const struct session *s)
{
    if (e->direct)
        return true;
    return s && (!(w->can & CAN_BUTTONS) || e->for_us) && session_turn(s) >= 0 &&
           session_turn(s) == session_seat(s, w->me);
}

/* In private, to a player whose turn it is, a card's name alone is enough. */
static bool names_a_card(struct step *st, const struct session *s)
{
    if (!s || !st->e->direct || session_turn(s) < 0 ||
        session_turn(s) != session_seat(s, st->w->me))
        return false;
    return play_names(st, s);
}

static enum verdict unknown(struct step *st, const struct session *s)
{
    const struct event *e = st->e;
    if (names_a_card(st, s))
        return play_cards(st, s);
    struct arg alias = a_str(text_clean(st->fx->arena, e->alias, NAME_COLUMNS));
    if (e->near != VERB_NONE)
        return refuse(st, T_UNKNOWN_NEAR, ARGS(alias, a_alias(e->near)));
    return refuse(st, T_UNKNOWN, ARGS(alias, a_alias(VERB_HELP)));
}

enum verdict bot_step(const struct world *w, const struct event *e, struct effects *fx)
{
    struct step st = {w, e, fx};
    struct candidates c = step_candidates(w, e);
    const struct session *s = c.n == 1 ? c.s : NULL;
    if (e->verb == VERB_NONE || (e->verb == VERB_NUMBER && !number_counts(w, e, c.s)))
        return IGNORED;
    if (of_event[e->verb])
        return of_event[e->verb](&st);
    if (of_named[e->verb])
        return w->named ? of_named[e->verb](&st, w->named) : IGNORED;
    if (e->verb == VERB_UNKNOWN)
        return unknown(&st, s);
    if (e->verb == VERB_JOIN)
        return lobby_join(&st, s);
    if (e->verb == VERB_REVIEW)
        return e->no > 0 && !c.s ? no_match(&st) : teach_review(&st, c.s);
    if (!of_meant[e->verb])
        return query(&st, s, c.n > 1);
    if (c.n == 0)
        return no_match(&st);
    if (c.n > 1)
        return which_match(&st);
    return of_meant[e->verb](&st, s);
}
