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
 *     meta "away": "MOVE CHAT STOPPED", for struct away and the last chat done
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

static bool is_away(const struct away *a)
{
    return a->move || a->stopped;
}

static void add_away(struct loop *l, struct away more)
{
    struct away *to = is_away(&l->away) ? &l->away_more : &l->away;
    to->move += more.move;
    to->stopped += more.stopped;
}

bool away_pending(const struct loop *l)
{
    return is_away(&l->away);
}

bool away_remains(const struct loop *l)
{
    return is_away(&l->away_more) || (is_away(&l->away) && l->away_next >= 0);
}

/* ---- noticing ---- */

static void log_jump(int64_t ms)
{
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)ms);
    log_line(LOG_WARN, "clock_was_set", "by_ms", text, NULL);
}

void away_watch(struct loop *l, int64_t until)
{
    int64_t mono = loop_mono(l), late = mono - until, ahead = loop_wall(l) - mono;
    int64_t jump = ahead - l->ahead;
    struct away a = {0};
    l->ahead = ahead;
    if (late >= AWAY_MS)
        a = (struct away){late, late};
    if (jump > PARTED_MS || jump < -PARTED_MS) {
        log_jump(jump);
        a.move += jump;
        l->jumped = l->jumped + jump > 0 ? l->jumped + jump : 0;
    }
    if (is_away(&a))
        add_away(l, a);
}

/* Since the daemon was last alive. */
static struct away stop_until(int64_t now, int64_t alive)
{
    int64_t gap = now - alive;
    if (gap >= AWAY_MS)
        return (struct away){gap, gap};
    if (gap >= -SET_BACK_MS)
        return (struct away){0};
    log_jump(gap);
    return (struct away){.move = gap};
}

/* ---- storing ---- */

static void put_alive(struct loop *l)
{
    char text[24];
    struct buf s = BUF(text);
    buf_int(&s, loop_wall(l) - l->away_more.move);
    store_set_meta(l->store, STR("alive"), buf_str(&s));
}

static void put_progress(struct loop *l, int64_t chat)
{
    char text[72];
    struct buf s = BUF(text);
    buf_int(&s, l->away.move);
    buf_char(&s, ' ');
    buf_int(&s, chat);
    buf_char(&s, ' ');
    buf_int(&s, l->away.stopped);
    store_set_meta(l->store, STR("away"), chat < 0 ? STR("") : buf_str(&s));
}

/* Progress of the last run, if it ended before all chats were done. */
static void read_progress(struct loop *l, struct str line)
{
    struct str chat, stopped, move = str_cut(line, ' ', &chat);
    struct away a;
    int64_t told;
    chat = str_cut(chat, ' ', &stopped);
    if (!str_int(move, &a.move) || !str_int(chat, &told))
        return;
    if (!str_int(stopped, &a.stopped))
        a.stopped = a.move; /* of a version that knew stops alone */
    l->away = a;
    l->away_told = told;
}

void away_open(struct loop *l)
{
    int64_t last = 0, now = loop_wall(l);
    l->ahead = now - loop_mono(l);
    l->stamped = loop_mono(l) - STAMP_MS;
    read_progress(l, store_meta(l->store, l->turn, STR("away")));
    if (str_int(store_meta(l->store, l->turn, STR("alive")), &last))
        add_away(l, stop_until(now, last));
}

void away_handle(struct loop *l, bool guarded)
{
    l->away_next = l->away_told;
    if (!away_pending(l))
        return;
    struct ids chats = store_live_chats(l->store, l->scratch, l->away_told, CHATS_AT_ONCE);
    int64_t jump = l->away.move - l->away.stopped;
    if (l->away_told == 0 && store_holds(l->store, 0)) { /* else another daemon does it */
        if (jump)
            store_move_codes(l->store, jump);
        inbox_move_tournaments(l->inbox, l->away.move);
    }
    for (int i = 0; i < chats.n; i++)
        event_away(l, guarded, chats.at[i]);
    l->away_next = chats.n < CHATS_AT_ONCE ? -1 : chats.at[chats.n - 1];
    put_progress(l, l->away_next);
    put_alive(l);
}

void away_handled(struct loop *l)
{
    l->away_told = l->away_next;
    if (!away_pending(l) || l->away_next >= 0)
        return;
    l->away = l->away_more;
    l->away_more = (struct away){0};
    l->away_told = 0;
}

void away_stamp(struct loop *l)
{
    int64_t now = loop_mono(l);
    if (now < l->stamped + STAMP_MS && !l->stopping)
        return;
    l->stamped = now;
    put_alive(l);
}
