/* See step.h. This file finds the session that is meant and hands the event to its verb: lobby.c before
 * a match, play.c in it, knock.c for the clock, query.c for questions. */
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

/* Who does something from another network than before plays from there from now on: their hand follows
 * them, and they sit where they spoke if that is a venue. */
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

/* ---- which one? ---- */

enum need { NEED_NOTHING, NEED_OFFER, NEED_SEAT, NEED_TURN, NEED_ANY, NEED_ENDED };

static enum need need_of(enum verb v)
{
    switch (v) {
    case VERB_ACCEPT:
    case VERB_DECLINE:
    case VERB_CANCEL:
        return NEED_OFFER;
    case VERB_PLAY:
    case VERB_NUMBER:
    case VERB_KOIKOI:
    case VERB_STOP:
    case VERB_DECLARE:
    case VERB_REDEAL:
    case VERB_MOVE:
    case VERB_HINT:
    case VERB_UNKNOWN:
        return NEED_TURN;
    case VERB_HAND:
    case VERB_RESIGN:
    case VERB_CUT:
    case VERB_READY:
    case VERB_CLAIM:
    case VERB_WAIT:
    case VERB_NUDGE:
        return NEED_SEAT;
    case VERB_TABLE:
    case VERB_YAKU:
    case VERB_RULES:
    case VERB_SCORE:
    case VERB_VERIFY:
        return NEED_ANY;
    case VERB_REMATCH:
    case VERB_EXPORT:
    case VERB_REVIEW:
        return NEED_ENDED;
    default:
        return NEED_NOTHING;
    }
}

/* How well a session fits what is needed: 0 not at all; more is better. */
static int fit(const struct world *w, const struct session *s, enum verb verb, enum need need)
{
    int seat = session_seat(s, w->me);
    if (need == NEED_OFFER) {
        if (s->phase != SESSION_OFFERED)
            return 0;
        if (verb == VERB_CANCEL)
            return s->player[0].person == w->me ? 2 : 1;
        bool alone = true;
        for (int i = 1; i < s->players; i++) {
            if (!s->player[i].joined && s->player[i].person == w->me)
                return 4;
            alone &= s->player[i].joined;
        }
        if (s->player[0].person == w->me)
            return alone && verb == VERB_ACCEPT ? 3 : verb == VERB_DECLINE ? 2 : 1;
        for (int i = 1; i < s->players; i++)
            if (!s->player[i].joined && s->player[i].person == 0)
                return 3;
        return 1;
    }
    if (need == NEED_ANY)
        return seat >= 0 ? 3 : s->phase == SESSION_PLAYING ? 2 : 1;
    if (seat < 0)
        return 0;
    if (s->phase == SESSION_OFFERED)
        return verb == VERB_READY || verb == VERB_CUT || verb == VERB_HAND ? 2 : 1;
    if (verb == VERB_REDEAL)
        return s->match.stage == MATCH_PLAYING && s->match.round.may_redeal[seat] ? 4 : 3;
    if (verb == VERB_READY || verb == VERB_CUT)
        return s->match.stage == MATCH_READY && !s->player[seat].ready ? 4 : 3;
    if (verb == VERB_CLAIM || verb == VERB_WAIT)
        return s->overdue && session_turn(s) != seat ? 4 : 3;
    if (verb == VERB_NUDGE)
        return session_turn(s) != seat ? 4 : 3;
    return need == NEED_TURN && session_turn(s) == seat ? 4 : 3;
}

struct choice {
    const struct session *s;
    int n, best;
};

static void weigh(const struct world *w, const struct event *e, const struct session *const *at,
                  int n, struct choice *c)
{
    for (int i = 0; i < n; i++) {
        int f = fit(w, at[i], e->verb, need_of(e->verb));
        if (f == 0 || (c->s && c->s->no == at[i]->no))
            continue;
        if (f > c->best)
            *c = (struct choice){at[i], 1, f};
        else if (f == c->best)
            c->n++;
    }
}

static struct choice choose(const struct world *w, const struct event *e)
{
    struct choice c = {NULL, 0, 0};
    enum need need = need_of(e->verb);
    if (e->no > 0)
        return (struct choice){w->named, w->named != NULL, 1};
    if (need == NEED_NOTHING)
        return c;
    if (need == NEED_ENDED)
        return (struct choice){w->last, w->last != NULL, 1};
    weigh(w, e, w->here, w->n_here, &c);
    if (e->direct && c.n == 0)
        weigh(w, e, w->mine, w->n_mine, &c);
    else if (e->direct && w->n_mine > 0)
        weigh(w, e, w->mine, w->n_mine, &c);
    if (!c.s && w->last && (e->verb == VERB_SCORE || e->verb == VERB_VERIFY))
        c = (struct choice){w->last, 1, 1};
    return c;
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

const struct session *step_pick(const struct world *w, const struct event *e)
{
    struct choice c = choose(w, e);
    return c.n == 1 ? c.s : NULL;
}

/* ---- no match, or too many ---- */

enum verdict no_match(struct step *st)
{
    const struct event *e = st->e;
    if (e->pressed && e->no == 0)
        return IGNORED;
    if (e->no > 0)
        return refuse(st, T_NO_SUCH_MATCH, ARGS(a_int(e->no), a_alias(VERB_GAMES)));
    if (need_of(e->verb) == NEED_OFFER)
        return refuse(st, T_NO_OFFER, ARGS(a_alias(VERB_CHALLENGE)));
    if (need_of(e->verb) == NEED_ENDED)
        return refuse(st, T_NO_ENDED, ARGS(a_alias(VERB_CHALLENGE)));
    bool foreign = !e->direct && st->w->n_here > 0;
    return refuse(st, foreign ? T_NOT_SEATED : T_NO_MATCH, ARGS(a_alias(VERB_CHALLENGE)));
}

enum verdict which_match(struct step *st)
{
    struct say *say = effect_say(st->fx, SAY_GAMES, TO_ASKER);
    const struct table **list =
        arena_array(st->fx->arena, const struct table *, 2 * MAX_CANDIDATES);
    const struct event *e = st->e;
    struct choice c = choose(st->w, e);
    if (need_of(e->verb) == NEED_TURN && c.best < 4) {
        st->fx->n_says--;
        return refuse(st, T_NO_TURN, ARGS(a_alias(VERB_GAMES)));
    }
    say->key = T_WHICH_MATCH;
    say->text = text_clean(st->fx->arena, e->words, NAME_COLUMNS);
    if (e->words.n == 0)
        say->text = (struct str){0};
    say->n = e->verb == VERB_NUMBER ? VERB_PLAY : e->verb;
    for (int k = 0; k < 2; k++) {
        const struct session *const *at = k ? st->w->mine : st->w->here;
        int n = k ? e->direct ? st->w->n_mine : 0 : st->w->n_here;
        for (int i = 0; i < n; i++) {
            bool have = false;
            for (int j = 0; j < say->n_games; j++)
                have |= list[j]->no == at[i]->no;
            if (!have && fit(st->w, at[i], e->verb, need_of(e->verb)) == c.best)
                list[say->n_games++] = step_table(st, at[i], SEAT_PUBLIC);
        }
    }
    say->games = list;
    return REFUSED;
}

/* ---- what a verb does ---- */

typedef enum verdict verb_fn(struct step *st, const struct session *s);
static verb_fn *const verbs[N_VERBS] = {
    [VERB_ACCEPT] = lobby_accept,   [VERB_DECLINE] = lobby_decline, [VERB_CANCEL] = lobby_cancel,
    [VERB_REMATCH] = lobby_rematch, [VERB_PLAY] = play_cards,       [VERB_NUMBER] = play_cards,
    [VERB_MOVE] = play_move,        [VERB_KOIKOI] = play_verb,      [VERB_STOP] = play_verb,
    [VERB_DECLARE] = play_verb,     [VERB_REDEAL] = play_verb,      [VERB_RESIGN] = play_resign,
    [VERB_NUDGE] = nudge,           [VERB_CUT] = play_cut,          [VERB_READY] = play_ready,
    [VERB_CLAIM] = play_claim,      [VERB_WAIT] = play_wait,        [VERB_HINT] = teach_hint,
};

/* A bare number in a group is a move only where people have nothing else or we alone are spoken to, and
 * it is their turn. */
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

enum verdict bot_step(const struct world *w, const struct event *e, struct effects *fx)
{
    struct step st = {w, e, fx};
    struct choice c = choose(w, e);
    if (e->verb == VERB_NONE)
        return IGNORED;
    if (e->verb == VERB_LEFT)
        return chat_left(&st);
    if (e->verb == VERB_JOINED)
        return chat_joined(&st);
    if (e->verb == VERB_RIGHTS)
        return chat_rights(&st);
    if (e->verb == VERB_CANNOT_READ) {
        say_line(&st, TO_HERE, T_CANNOT_READ, NO_ARGS);
        if (e->from.id.n > 0) /* the way out: a chat of our own */
            say_line(&st, TO_ASKER, T_CAN_READ_HERE, NO_ARGS);
        return TAKEN;
    }
    if (e->verb == VERB_QUERY)
        return lobby_query(&st);
    if (e->verb == VERB_INVITE)
        return lobby_invite(&st);
    if (e->verb == VERB_FORGED)
        return refuse(&st, T_FORGED, NO_ARGS);
    if (e->verb == VERB_UNKNOWN && names_a_card(&st, c.n == 1 ? c.s : NULL))
        return play_cards(&st, c.s);
    if (e->verb == VERB_UNKNOWN && e->near != VERB_NONE)
        return refuse(&st, T_UNKNOWN_NEAR,
                      ARGS(a_str(text_clean(fx->arena, e->alias, NAME_COLUMNS)), a_alias(e->near)));
    if (e->verb == VERB_UNKNOWN)
        return refuse(
            &st, T_UNKNOWN,
            ARGS(a_str(text_clean(fx->arena, e->alias, NAME_COLUMNS)), a_alias(VERB_HELP)));
    if (e->verb == VERB_CHALLENGE)
        return lobby_challenge(&st);
    if (e->verb == VERB_JOIN)
        return lobby_join(&st, c.n == 1 ? c.s : NULL);
    if (e->verb == VERB_LINK)
        return people_link(&st);
    if (e->verb == VERB_UNLINK)
        return people_unlink(&st);
    if (e->verb == VERB_AWAY)
        return chat_away(&st);
    if (e->verb == VERB_SETTINGS)
        return settings(&st);
    if (e->verb == VERB_LANGUAGE)
        return language(&st);
    if (e->verb == VERB_CLOCK)
        return w->named ? knock(&st, w->named) : IGNORED;
    if (e->verb == VERB_ADVICE)
        return w->named ? play_advice(&st, w->named) : IGNORED;
    if (e->verb == VERB_HINTED)
        return w->named ? teach_hinted(&st, w->named) : IGNORED;
    if (e->verb == VERB_REVIEWED)
        return w->named ? teach_reviewed(&st, w->named) : IGNORED;
    if (e->verb == VERB_REVIEW)
        return e->no > 0 && !c.s ? no_match(&st) : teach_review(&st, c.s);
    if (e->verb == VERB_UNREACHABLE)
        return w->named ? unreachable(&st, w->named) : IGNORED;
    if (e->verb == VERB_NUMBER && !number_counts(w, e, c.s))
        return IGNORED;
    if (!verbs[e->verb])
        return query(&st, c.n == 1 ? c.s : NULL, c.n > 1);
    if (c.n == 0)
        return no_match(&st);
    if (c.n > 1)
        return which_match(&st);
    return verbs[e->verb](&st, c.s);
}
