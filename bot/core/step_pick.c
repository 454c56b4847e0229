/* Which session is meant, when it is not said: by what the verb needs, how well each one fits; and
 * what is said when none does, or several do. */
#include "stepping.h"

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

static void weigh(const struct world *w, const struct event *e, const struct session *const *at,
                  int n, struct candidates *c)
{
    for (int i = 0; i < n; i++) {
        int f = fit(w, at[i], e->verb, need_of(e->verb));
        if (f == 0 || (c->s && c->s->no == at[i]->no))
            continue;
        if (f > c->best)
            *c = (struct candidates){at[i], 1, f};
        else if (f == c->best)
            c->n++;
    }
}

struct candidates step_candidates(const struct world *w, const struct event *e)
{
    struct candidates c = {NULL, 0, 0};
    enum need need = need_of(e->verb);
    if (e->no > 0)
        return (struct candidates){w->named, w->named != NULL, 1};
    if (need == NEED_NOTHING)
        return c;
    if (need == NEED_ENDED)
        return (struct candidates){w->last, w->last != NULL, 1};
    weigh(w, e, w->here, w->n_here, &c);
    if (e->direct)
        weigh(w, e, w->mine, w->n_mine, &c);
    if (!c.s && w->last && (e->verb == VERB_SCORE || e->verb == VERB_VERIFY))
        c = (struct candidates){w->last, 1, 1};
    return c;
}

const struct session *step_pick(const struct world *w, const struct event *e)
{
    struct candidates c = step_candidates(w, e);
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
    struct candidates c = step_candidates(st->w, e);
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
