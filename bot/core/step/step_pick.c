/* Choice of the session an event is about: the number that was typed, else the session that fits
 * the scope of the verb best. And the answers when none fits, or several fit equally well. */
#include "turn.h"

/* How well a session fits. For a verb with a turn or a condition of its own, FIT_BEST means that
 * the verb can be done there now. */
enum fit { FIT_NOT, FIT_POOR, FIT_FAIR, FIT_WELL, FIT_BEST };

static enum fit fit_offer(const struct world *w, const struct session *s, enum verb verb)
{
    bool own = s->player[0].person == w->me.person;
    if (s->phase != SESSION_OFFERED)
        return FIT_NOT;
    if (verb == VERB_CANCEL)
        return own ? FIT_FAIR : FIT_POOR;
    if (session_free_seat(s, w->me.person))
        return FIT_BEST;
    if (own)
        return verb == VERB_DECLINE                              ? FIT_FAIR
               : verb == VERB_ACCEPT && !session_awaited_seat(s) ? FIT_WELL
                                                                 : FIT_POOR;
    return session_free_seat(s, 0) ? FIT_WELL : FIT_POOR;
}

/* True if the verb can be done from this seat of a running match now. */
static bool possible_now(const struct session *s, int seat, enum verb verb)
{
    switch (verb) {
    case VERB_REDEAL:
        return s->match.stage == MATCH_PLAYING && s->match.round.may_redeal[seat];
    case VERB_READY:
    case VERB_CUT:
        return s->match.stage == MATCH_READY && !s->player[seat].ready;
    case VERB_CLAIM:
    case VERB_WAIT:
        return s->move.overdue && session_turn(s) != seat;
    case VERB_NUDGE:
        return session_turn(s) != seat;
    default:
        return commands[verb].scope == SCOPE_TURN && session_turn(s) == seat;
    }
}

static enum fit fit_of(const struct world *w, const struct session *s, enum verb verb)
{
    int seat = session_seat(s, w->me.person);
    if (commands[verb].scope == SCOPE_OFFER)
        return fit_offer(w, s, verb);
    if (commands[verb].scope == SCOPE_ANY)
        return seat >= 0                     ? (s->phase == SESSION_PLAYING ? FIT_BEST : FIT_WELL)
               : s->phase == SESSION_PLAYING ? FIT_FAIR
                                             : FIT_POOR;
    if (seat < 0)
        return FIT_NOT;
    if (s->phase == SESSION_OFFERED)
        return verb == VERB_READY || verb == VERB_CUT || verb == VERB_HAND ? FIT_FAIR : FIT_POOR;
    return possible_now(s, seat, verb) ? FIT_BEST : FIT_WELL;
}

static void weigh(const struct world *w, enum verb verb, const struct session_list *list,
                  struct candidates *c)
{
    for (int i = 0; i < list->n; i++) {
        const struct session *s = list->at[i];
        int fit = (int)fit_of(w, s, verb);
        if (fit == (int)FIT_NOT || (c->s && c->s->no == s->no))
            continue;
        if (fit > c->best)
            *c = (struct candidates){s, 1, fit};
        else if (fit == c->best)
            c->n++;
    }
}

/* Numbers are 1, 2, 3 ..., so a number alone opens no door: it counts in the chats where that match
 * is played, for the people who play it (a seat of their own, or one that is kept for them), and
 * for the holder of its code (VERB_JOIN) or of the link to its replay (VERB_PLAY_ON). A button that
 * was copied to another place opens no more; it may turn the pages that were made for its reader,
 * and an old challenge says that it is over. */
struct candidates step_candidates(const struct world *w, const struct event *e)
{
    struct candidates c = {NULL, 0, FIT_NOT};
    enum scope scope = commands[e->verb].scope;
    if (e->no > 0 && w->named) {
        const struct session *s = w->named;
        int64_t me = w->me.person;
        bool counts = e->verb == VERB_JOIN || session_venue_of(s, w->chat.id) >= 0;
        for (int i = 0; me != 0 && i < s->players; i++)
            counts |= s->player[i].person == me;
        if (e->pressed && e->verb == VERB_REVIEW)
            counts |= me != 0 && e->version == press_reader(me);
        else if (e->pressed && e->verb == VERB_PLAY_ON)
            counts |= me != 0 && e->direct; /* it was given to a holder of the link alone */
        else if (e->pressed)
            counts |= scope == SCOPE_OFFER && s->phase != SESSION_OFFERED;
        counts &= !s->duel[0] || e->direct; /* its cards are those of everybody's duel */
        if (counts)
            c = (struct candidates){s, 1, FIT_POOR};
    }
    if (e->no > 0)
        return c;
    if (scope == SCOPE_NONE || scope == SCOPE_NUMBER || scope == SCOPE_NAMED)
        return c;
    if (scope == SCOPE_ENDED)
        return (struct candidates){w->last, w->last != NULL, FIT_POOR};
    weigh(w, e->verb, &w->here, &c);
    if (e->direct)
        weigh(w, e->verb, &w->mine, &c);
    bool unscored = e->verb == VERB_SCORE && c.s && c.s->phase == SESSION_OFFERED && w->last &&
                    w->last->match.players > 0;
    bool ended = e->verb == VERB_SCORE || e->verb == VERB_VERIFY || e->verb == VERB_LINK;
    if (unscored || (!c.s && w->last && ended))
        c = (struct candidates){w->last, 1, FIT_POOR};
    return c;
}

const struct session *step_pick(const struct world *w, const struct event *e)
{
    struct candidates c = step_candidates(w, e);
    return c.n == 1 ? c.s : NULL;
}

/* ---- no match, or too many ---- */

enum verdict step_no_match(struct step *st)
{
    const struct event *e = st->e;
    if (e->pressed && e->no == 0)
        return IGNORED;
    if (e->no > 0)
        return refuse(st, T_NO_SUCH_MATCH, arg_int(e->no), arg_command(VERB_GAMES));
    if (commands[e->verb].scope == SCOPE_OFFER)
        return refuse(st, T_NO_OFFER, arg_command(VERB_CHALLENGE));
    if (commands[e->verb].scope == SCOPE_ENDED)
        return refuse(st, T_NO_ENDED, arg_command(VERB_CHALLENGE));
    bool foreign = !e->direct && st->w->here.n > 0;
    return refuse(st, foreign ? T_NOT_SEATED : T_NO_MATCH, arg_command(VERB_CHALLENGE));
}

struct tables step_list(struct step *st, int fit, bool mine)
{
    const struct table **at = arena_array(st->fx->arena, const struct table *, 2 * MAX_CANDIDATES);
    int n = 0;
    for (const struct session_list *from = &st->w->here; from;
         from = mine && from == &st->w->here ? &st->w->mine : NULL)
        for (int i = 0; i < from->n; i++) {
            bool listed = fit >= 0 && (int)fit_of(st->w, from->at[i], st->e->verb) != fit;
            for (int j = 0; j < n; j++)
                listed |= at[j]->no == from->at[i]->no;
            if (!listed)
                at[n++] = step_table(st, from->at[i], SEAT_PUBLIC);
        }
    return (struct tables){n, at};
}

enum verdict step_which_match(struct step *st)
{
    const struct event *e = st->e;
    if (commands[e->verb].scope == SCOPE_TURN && st->fits.best < (int)FIT_BEST)
        return refuse(st, T_NO_TURN, arg_command(VERB_GAMES));
    struct notice *notice = effect_notice(st->fx, NOTICE_GAMES, TO_ASKER);
    notice->key = T_WHICH_MATCH;
    if (e->words.n > 0)
        notice->text = text_clean(st->fx->arena, e->words, NAME_COLUMNS);
    notice->n = e->verb == VERB_NUMBER ? VERB_PLAY : e->verb;
    notice->games = step_list(st, st->fits.best, e->direct);
    return REFUSED;
}
