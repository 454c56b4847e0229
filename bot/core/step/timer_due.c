/* What happens when the timer of a session fires: a challenge expires, a move is warned about or
 * may be claimed, the pause between rounds ends, the computer moves, an abandoned match is closed.
 * And what happens to timers that should have fired while the bot was down. */
#include "choice.h"
#include "play.h"

#define CLAIM_MS     (7 * DAY_MS)    /* an overdue match without a claim: closed, no result */
#define ASK_AGAIN_MS (MINUTE_MS / 2) /* for the computer's lost answer */

/* Puts off a warning that would ring when it must not, and an end of the time that has moved: a
 * stop of the bot moves timers, but neither vacations nor quiet hours. Whoever was not told of their
 * turn has the whole time again. */
static bool put_off(struct step *st, struct session *s, int turn)
{
    int64_t deadline = session_deadline(s);
    bool warns = s->timer == TIMER_WARN;
    if (st->w->untold) {
        s->moved = st->e->now;
        timer_turn(st, s);
        return true;
    }
    if (warns ? absence_ring_at(&s->player[turn].absence, st->e->now) <= st->e->now
              : deadline <= st->e->now)
        return false;
    if (warns)
        timer_turn(st, s);
    else
        timer_set(s, deadline, TIMER_TIME);
    return true;
}

enum verdict timer_due(struct step *st, const struct session *was)
{
    if (was->due == 0 || was->due > st->e->now)
        return IGNORED;
    struct session *s = step_change(st, was);
    struct notice *notice;
    struct move m;
    int turn = session_turn(s);
    bool said;
    switch ((enum timer)s->timer) {
    case TIMER_EXPIRE:
        timer_close(s, END_EXPIRED);
#define EXPIRED(fn) || fn(st, s)
        said = false
#include "feature.def"
            ;
        if (!said)
            announce(st, s, 0, T_EXPIRED, arg_seat(s, 0), arg_command(VERB_CHALLENGE));
        break;
    case TIMER_WARN:
        if (put_off(st, s, turn))
            break;
        timer_set(s, session_deadline(s), TIMER_TIME);
        notice =
            announce(st, s, BUTTON_OF(VERB_HAND), T_WARNED, arg_seat(s, turn), arg_time(s->due));
        step_posts_add(st, s, POSTED_REMINDER, notice);
        break;
    case TIMER_TIME:
        if (put_off(st, s, turn))
            break;
        if (s->tournament && s->time.total_ms > 0) { /* so quick a match waits for no claim */
            play_leave(st, s, turn, true);
            break;
        }
        s->move.overdue = true;
        timer_set(s, st->e->now + CLAIM_MS, TIMER_ABANDON);
        notice = announce(st, s, BUTTON_OF(VERB_CLAIM) | BUTTON_OF(VERB_WAIT), T_TIME_UP,
                          arg_seat(s, turn), arg_command(VERB_CLAIM), arg_command(VERB_WAIT));
        step_posts_add(st, s, POSTED_TIME, notice);
        break;
    case TIMER_ABANDON:
        timer_close(s, END_ABANDONED);
        s->version++;
        announce(st, s, 0, T_ABANDONED, arg_seat(s, 0), arg_seat(s, 1), arg_command(VERB_CHALLENGE))
            ->seals = true; /* the seed is published even if the deal was never finished */
        break;
    case TIMER_READY:
    case TIMER_BEACON:
        play_deal(st, s);
        break;
    case TIMER_COMPUTER:
        if (choice_read(s->move.thought, &m)) {
            play_make(st, s, turn, m);
            break;
        }
        timer_set(s, st->e->now + ASK_AGAIN_MS, TIMER_COMPUTER);
        job_move(st, s, turn);
        break;
    case TIMER_IDLE:
        if (timer_idle_at(st, s, turn) > st->e->now || s->move.nudged)
            timer_turn(st, s); /* they were heard of in between, or nudged */
        else
            play_ping(st, s);
        break;
    case TIMER_CHOOSE:
        play_leave(st, s, s->ask.seat, s->left_timeout);
        break;
#define TIMER(name) case TIMER_##name: /* an event of its own */
#include "feature.def"
    case TIMER_NONE:
    case N_TIMERS:
        break;
    }
    return TAKEN;
}

static void move_times(struct session *s, int64_t by)
{
    s->due += by;
    s->moved += by;
    s->created += by;
    s->beacon.until += s->beacon.until ? by : 0;
    s->move.nudged += s->move.nudged ? by : 0;
    for (int i = 0; i < s->players; i++) {
        s->player[i].channel_failed_at += s->player[i].channel_failed_at ? by : 0;
        s->player[i].heard += s->player[i].heard ? by : 0;
        s->player[i].resign_asked += s->player[i].resign_asked ? by : 0;
    }
}

/* No clock runs while the bot is down, and none jumps with the wall clock: every time in a session
 * moves by the length of the stop or the jump. The event comes once for each chat; a match with
 * several venues is moved by the event of its home. */
enum verdict timer_downtime(struct step *st)
{
    const struct table **running = arena_array(st->fx->arena, const struct table *, MAX_CANDIDATES);
    int64_t stopped = st->e->stopped;
    int n = 0;
    for (int i = 0; i < st->w->here.n; i++) {
        const struct session *s = st->w->here.at[i];
        bool back = st->e->shift < 0; /* else the computer's move is overdue and made at once */
        if (s->venue[0].chat == st->w->chat.id && s->due > 0 &&
            (back || s->timer != TIMER_COMPUTER)) {
            struct session *next = step_change(st, s);
            move_times(next, st->e->shift);
            s = next;
        }
        if (s->phase == SESSION_PLAYING)
            running[n++] = step_table(st, s, SEAT_PUBLIC);
    }
    if (n == 0 || stopped == 0)
        return TAKEN;
    /* to minutes below 2 hours, to hours below 2 days, else to days */
    int64_t unit = stopped < 2 * HOUR_MS ? MINUTE_MS : stopped < 2 * DAY_MS ? HOUR_MS : DAY_MS;
    struct notice *notice = effect_notice(st->fx, NOTICE_GAMES, TO_HERE);
    notice->key = T_AWAY;
    notice->n = (stopped + unit / 2) / unit * unit;
    notice->games = (struct tables){n, running};
    return TAKEN;
}

/* It stands in every venue as it stood there, and no clock has run meanwhile. */
enum verdict timer_mended(struct step *st, const struct session *was)
{
    struct session *s = step_change(st, was);
    if (s->due > 0)
        move_times(s, st->e->shift);
    announce(st, s, 0, T_MENDED, arg_int(s->no));
    for (int i = 0; s->phase == SESSION_PLAYING && i <= s->n_more; i++)
        play_show_again(st, s, i);
    return TAKEN;
}
