/* The teacher in the chat: a hint for who is to move, in matches that do not count for the season;
 * what koi-koi and stopping are worth there, unasked; and the review of a match that is over.
 *
 * All of it is reckoned off the loop. A hint comes back as an event and stands in the session until
 * the move is made; it is shown under the hand, to its owner alone. Whoever has been shown one has
 * it in the record. */
#include "hint.h"
#include "search.h"
#include "stepping.h"

/* ---- hints ---- */

bool teach_casual(const struct session *s)
{
    return session_with_computer(s);
}

/* The seed hangs on what everybody knows: the same question has the same answer, whatever is
 * hidden. */
void teach_think(struct step *st, const struct session *s)
{
    const struct table *t = step_table(st, s, session_turn(s));
    st->fx->think = true;
    st->fx->job = (struct job_effect){.kind = JOB_HINT,
                                      .no = s->no,
                                      .view = &t->view,
                                      .version = s->version,
                                      .seed = str_hash(str_of(s->id)) + s->version};
}

/* True if a hand can be shown to its owner without being asked for. */
static bool has_private_place(const struct session *s, int seat)
{
    const struct player *p = &s->player[seat];
    return session_venue(s, p->venue)->direct || p->channel <= CHANNEL_DIRECT;
}

enum verdict teach_hint(struct step *st, const struct session *s)
{
    int seat;
    if (play_out_of_turn(st, s, &seat))
        return REFUSED;
    if (!teach_casual(s))
        return refuse(st, T_HINT_CASUAL, ARGS(a_alias(VERB_REVIEW)));
    if (!has_private_place(s, seat))
        return refuse(st, T_OPEN_CHAT, ARGS(a_seat(s, seat)));
    struct session *next = step_change(st, s);
    const struct table *t = step_table(st, next, seat);
    if (t->view.n_legal == 1) {
        st->fx->n_saves--;
        return refuse(st, T_HINT_ONE_MOVE, NO_ARGS);
    }
    next->hinted = true;
    if (next->hint[0]) {
        if (!st->e->pressed) /* asked for by words: shown anew, below them */
            next->player[seat].hand_no++;
        play_hand(st, next, seat, true, true);
        return TAKEN;
    }
    teach_think(st, next);
    return answer(st, T_HINT_COMING, NO_ARGS);
}

static bool is_legal(const struct view *v, struct move m)
{
    for (int i = 0; i < v->n_legal; i++)
        if (v->legal[i].kind == m.kind && v->legal[i].card == m.card && v->legal[i].take == m.take)
            return true;
    return false;
}

/* The answer: to a question, or to the choice that came up. That one is shown only where it can be
 * laid into the hand that stands there already; elsewhere it waits to be asked for. */
enum verdict teach_hinted(struct step *st, const struct session *s)
{
    struct hint h;
    int turn = session_turn(s);
    if (turn < 0 || s->player[turn].computer || st->e->version != s->version ||
        st->e->words.n >= HINT_SIZE || !hint_read(st->e->words, &h))
        return IGNORED;
    struct session *next = step_change(st, s);
    const struct table *t = step_table(st, next, turn);
    if (!is_legal(&t->view, h.best)) {
        st->fx->n_saves--;
        return IGNORED;
    }
    bool lies_there = s->player[turn].account == st->e->account && (st->w->can & CAN_EDIT) &&
                      has_private_place(s, turn);
    NAME_PUT(next->hint, st->e->words);
    next->hinted = s->hinted || lies_there;
    if (next->hinted)
        play_hand(st, next, turn, s->hinted, false);
    return TAKEN;
}

/* ---- the review ---- */

static void tell(struct step *st, const struct session *s, int64_t round, enum audience to,
                 int only)
{
    struct say *say = effect_say(st->fx, SAY_REVIEW, to);
    say->lesson = st->w->lesson;
    say->n = round;
    say->only = (int8_t)only;
    say->table = step_table(st, s, SEAT_PUBLIC);
}

static enum verdict none(struct step *st, const struct session *s)
{
    bool runs = s && s->phase == SESSION_PLAYING;
    for (int i = 0; !s && i < st->w->n_here; i++)
        runs |= st->w->here[i]->phase == SESSION_PLAYING;
    if (runs)
        return refuse(st, T_REVIEW_RUNNING, ARGS(a_alias(VERB_HINT)));
    return s ? refuse(st, T_NO_ENDED, ARGS(a_alias(VERB_CHALLENGE))) : no_match(st);
}

enum verdict teach_review(struct step *st, const struct session *s)
{
    const struct lesson *l = st->w->lesson;
    int64_t round = st->e->pressed ? st->e->index : 0;
    struct str words = str_trim(st->e->words);
    if (!s || s->phase != SESSION_OVER || s->end != END_PLAYED)
        return none(st, s);
    if (!l) {
        if (!st->w->lesson_coming) {
            st->fx->think = true;
            st->fx->job =
                (struct job_effect){.kind = JOB_LESSON, .no = s->no, .version = s->version};
        }
        return answer(st, T_REVIEW_COMING, ARGS(a_alias(VERB_REVIEW)));
    }
    if (words.n > 0 && !str_int(words, &round))
        round = -1;
    if (round < 0 || round > l->n_rounds)
        return refuse(
            st, T_REVIEW_NO_ROUND,
            ARGS(a_str(text_clean(st->fx->arena, words, NAME_COLUMNS)), a_int(l->n_rounds)));
    int venue = session_venue_of(s, st->w->chat);
    tell(st, s, round, round > 0 || venue < 0 ? TO_ASKER : TO_TABLE, venue);
    return TAKEN;
}

enum verdict teach_reviewed(struct step *st, const struct session *s)
{
    if (s->phase != SESSION_OVER)
        return IGNORED;
    if (st->w->lesson) {
        tell(st, s, 0, TO_TABLE, -1);
        return TAKEN;
    }
    struct say *say = say_line(st, TO_TABLE, T_REVIEW_FAILED, ARGS(a_alias(VERB_EXPORT)));
    say->table = step_table(st, s, SEAT_PUBLIC);
    return TAKEN;
}
