/* Long stops and jumps of the wall clock. Deadlines are times of the wall clock, and people count
 * on their length: when the daemon did not run, or the wall clock was set, all times of sessions
 * move by as much (inbox_away). Until that is done in all chats no deadline fires and no update is
 * handled.
 *
 *     what happened                                    times move      chats with a match
 *                                                                      are told
 *     no daemon ran for AWAY_MS                        by the stop       yes
 *     a sleep took AWAY_MS too long: the machine was   by as much        yes
 *       suspended, or the process was stopped
 *     wall and monotonic clock part by PARTED_MS       by the jump       no, one line in the log
 *     the wall clock was set back by SET_BACK_MS       by the jump       no, one line in the log
 *       while no daemon ran
 *
 * The store keeps when the daemon was last alive. The progress is stored together with the
 * messages, so that a crash in between neither moves or tells a chat twice nor leaves one out.
 *
 *     meta "alive": unix ms        a clock that was set and not yet stored in "away" taken off
 *     meta "away": "MOVE CHAT STOPPED", for struct shift and the last chat done
 */
#include "loop_internal.h"

#include "store_people.h"

enum {
    STAMP_MS = 5 * 60 * 1000,
    AWAY_MS = 30 * 60 * 1000,
    PARTED_MS = 10 * 1000, /* more than any slewing of the clock in one sleep */
    SET_BACK_MS = 60 * 1000,
    CHATS_AT_ONCE = 50
};

static bool is_shift(const struct shift *s)
{
    return s->move || s->stopped;
}

bool downtime_pending(const struct downtime *d)
{
    return is_shift(&d->now);
}

bool downtime_remains(const struct downtime *d)
{
    return is_shift(&d->more) || (is_shift(&d->now) && d->next >= 0);
}

/* ---- noticing ---- */

static void add_shift(struct downtime *d, struct shift more)
{
    struct shift *to = is_shift(&d->now) ? &d->more : &d->now;
    to->move += more.move;
    to->stopped += more.stopped;
}

static void log_jump(int64_t ms)
{
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)ms);
    log_line(LOG_WARN, "clock_was_set", "#by_ms", text, NULL);
}

void downtime_watch(struct downtime *d, const struct clock *clock, int64_t until)
{
    int64_t mono = clock_mono(clock), late = mono - until, ahead = clock_now(clock) - mono;
    int64_t jump = ahead - d->ahead;
    struct shift s = {0};
    d->ahead = ahead;
    if (late >= AWAY_MS)
        s = (struct shift){late, late};
    if (jump > PARTED_MS || jump < -PARTED_MS) {
        log_jump(jump);
        s.move += jump;
        d->jumped = d->jumped + jump > 0 ? d->jumped + jump : 0;
    }
    add_shift(d, s);
}

/* ---- storing ---- */

static void put_alive(struct loop *l)
{
    char text[24];
    struct buf s = BUF(text);
    buf_int(&s, loop_wall(l) - l->downtime.more.move);
    store_set_meta(l->store, STR("alive"), buf_str(&s));
}

/* Progress of the last run, if it ended before all chats were done. */
static void read_progress(struct downtime *d, struct str line)
{
    struct str chat, stopped, move = str_cut(line, ' ', &chat);
    struct shift s;
    int64_t told;
    chat = str_cut(chat, ' ', &stopped);
    if (!str_int(move, &s.move) || !str_int(chat, &told))
        return;
    if (!str_int(stopped, &s.stopped))
        s.stopped = s.move; /* of a version that knew stops alone */
    d->now = s;
    d->told = told;
}

void downtime_open(struct loop *l)
{
    struct downtime *d = &l->downtime;
    int64_t last = 0, now = loop_wall(l);
    d->ahead = now - loop_mono(l);
    d->stamped = loop_mono(l) - STAMP_MS;
    read_progress(d, store_meta(l->store, l->turn, STR("away")));
    bool first = !str_int(store_meta(l->store, l->turn, STR("alive")), &last);
    int64_t gap = first ? 0 : now - last;
    if (gap >= AWAY_MS) {
        add_shift(d, (struct shift){gap, gap});
    } else if (gap < -SET_BACK_MS) {
        log_jump(gap);
        add_shift(d, (struct shift){.move = gap});
    }
    if (!downtime_pending(d))
        downtime_stamp(l); /* in the commit of the start */
}

void downtime_handle(struct loop *l)
{
    struct downtime *d = &l->downtime;
    d->next = d->told;
    if (!downtime_pending(d))
        return;
    struct ids chats = store_live_chats(l->store, l->scratch, d->told, CHATS_AT_ONCE);
    int64_t jump = d->now.move - d->now.stopped;
    if (d->told == 0 && store_holds(l->store, 0)) { /* else another daemon does it */
        if (jump)
            store_move_codes(l->store, jump);
        if (jump < 0)
            inbox_clock_set_back(l->inbox);
        inbox_move_tournaments(l->inbox, d->now.move);
    }
    for (int i = 0; i < chats.n; i++)
        event_handle(l, &(struct loop_event){.kind = EVENT_DOWNTIME, .no = chats.at[i]});
    d->next = chats.n < CHATS_AT_ONCE ? -1 : chats.at[chats.n - 1];
    char text[72];
    struct buf s = BUF(text);
    buf_print(&s, "%lld %lld %lld", (long long)d->now.move, (long long)d->next,
              (long long)d->now.stopped);
    store_set_meta(l->store, STR("away"), d->next < 0 ? STR("") : buf_str(&s));
    put_alive(l);
}

void downtime_handled(struct downtime *d)
{
    d->told = d->next;
    if (!downtime_pending(d) || d->next >= 0)
        return;
    d->now = d->more;
    d->more = (struct shift){0};
    d->told = 0;
}

void downtime_stamp(struct loop *l)
{
    int64_t now = loop_mono(l);
    if (now < l->downtime.stamped + STAMP_MS && !l->stopping)
        return;
    l->downtime.stamped = now;
    put_alive(l);
}
