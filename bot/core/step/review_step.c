/* Hints and reviews in the chat.
 *
 * A hint is for the player to move, in casual matches only. It is computed off the loop from the
 * player's own view, comes back as an event, and is kept in the session until the move is made. It
 * is shown under the hand, to its owner alone; the record marks the move made after it. A hint for
 * koi-koi or stop comes unasked.
 *
 * A review is of a finished match: computed from its record on demand, shown to the table;
 * round by round to the sender alone. */
#include "choice.h"
#include "hint.h"
#include "play.h"

/* ---- hints ---- */

/* True if the hand reaches its owner alone without a press. */
static bool has_private_channel(const struct session *s, int seat)
{
    const struct player *p = &s->player[seat];
    return s->venue[p->venue].direct || p->channel <= CHANNEL_DIRECT;
}

enum verdict review_step_hint(struct step *st, const struct session *s)
{
    int seat;
    if (play_out_of_turn(st, s, &seat))
        return REFUSED;
    if (s->duel[0])
        return refuse(st, T_DUEL_NO_HELP);
    if (!session_with_computer(s))
        return refuse(st, T_HINT_CASUAL, arg_command(VERB_REVIEW));
    if (!has_private_channel(s, seat))
        return refuse(st, T_OPEN_CHAT, arg_seat(s, seat));
    if (step_table(st, s, seat)->view.n_legal == 1)
        return refuse(st, T_HINT_ONE_MOVE);
    struct session *next = step_change(st, s);
    next->move.hinted = true;
    if (!next->move.hint[0]) {
        job_hint(st, next);
        return answer(st, T_HINT_COMING);
    }
    if (!st->e->pressed) /* typed: a new message, below what was typed */
        step_new_hand(&next->player[seat], st->e->now);
    play_hand(st, next, seat, true, true);
    return TAKEN;
}

/* A hint that was asked for is shown at once. One for koi-koi or stop, which comes unasked, is
 * shown by an edit of the standing hand; where that is impossible it waits until the player asks.
 */
enum verdict review_step_hint_ready(struct step *st, const struct session *s)
{
    struct hint h;
    int turn = session_turn(s);
    if (turn < 0 || session_by_computer(s, turn) || st->e->version != s->version ||
        st->e->words.n >= HINT_SIZE || !hint_read(st->e->words, &h))
        return IGNORED;
    const struct view *v = &step_table(st, s, turn)->view;
    if (choice_find(v->legal, v->n_legal, h.best) == v->n_legal)
        return IGNORED;
    struct session *next = step_change(st, s);
    bool shown = s->player[turn].account == st->e->account && (st->w->can & CAN_EDIT) &&
                 has_private_channel(s, turn);
    NAME_PUT(next->move.hint, st->e->words);
    next->move.hinted = s->move.hinted || shown;
    if (next->move.hinted)
        play_hand(st, next, turn, s->move.hinted, false);
    return TAKEN;
}

/* ---- reviews ---- */

static void show_review(struct step *st, const struct session *s, int64_t round, enum audience to,
                        int only)
{
    struct notice *notice = notice_show(st, NOTICE_REVIEW, to, s, SEAT_PUBLIC);
    notice->review = st->w->review;
    notice->n = round;
    notice->only = (int8_t)only;
}

enum verdict review_step_show(struct step *st, const struct session *s)
{
    const struct match_review *review = st->w->review;
    int64_t round = st->e->pressed ? st->e->index : 0;
    struct str words = str_trim(st->e->words);
    if (!s && st->e->no > 0)
        return step_no_match(st);
    if (!s || s->phase != SESSION_OVER || s->end != END_PLAYED) {
        bool runs = s && s->phase == SESSION_PLAYING;
        for (int i = 0; !s && i < st->w->here.n; i++)
            runs |= st->w->here.at[i]->phase == SESSION_PLAYING;
        if (runs)
            return refuse(st, T_REVIEW_RUNNING, arg_command(VERB_HINT));
        return s ? refuse(st, T_NO_ENDED, arg_command(VERB_CHALLENGE)) : step_no_match(st);
    }
    if (!review) {
        if (!st->w->review_coming)
            st->fx->job = STEP_NEW(st, struct job_effect, .kind = JOB_REVIEW, .no = s->no,
                                   .version = s->version);
        return answer(st, T_REVIEW_COMING, arg_command(VERB_REVIEW));
    }
    if (words.n > 0 && !str_int(words, &round))
        round = -1;
    if (round < 0 || round > review->n_rounds)
        return refuse(st, T_REVIEW_NO_ROUND, arg_typed(st, words), arg_int(review->n_rounds));
    int venue = session_venue_of(s, st->w->chat.id);
    show_review(st, s, round, round > 0 || venue < 0 ? TO_ASKER : TO_TABLE, venue);
    return TAKEN;
}

enum verdict review_step_ready(struct step *st, const struct session *s)
{
    if (s->phase != SESSION_OVER)
        return IGNORED;
    if (st->w->review)
        show_review(st, s, 0, TO_TABLE, -1);
    else
        inform(st, s, T_REVIEW_FAILED, arg_command(VERB_EXPORT));
    return TAKEN;
}
