/* After a long stop. The store keeps when the daemon was last alive; one that starts and finds that
 * long ago tells each chat with a running match, once, and no clock has run meanwhile (inbox_away).
 * Until all are told no deadline is taken. How far that has come is kept with what was said, so
 * that a crash in the middle neither tells a chat twice nor leaves one out.
 *
 *     meta "alive": unix ms    meta "away": "MS CHAT", for how long it was away, the last chat told
 */
#include "loop_parts.h"

enum { STAMP_MS = 5 * 60 * 1000, AWAY_MS = 30 * 60 * 1000, CHATS_AT_ONCE = 50 };

static bool put(struct loop *l, struct str name, int64_t a, int64_t b, struct err *err)
{
    char text[48];
    struct buf s = BUF(text);
    buf_int(&s, a);
    if (b >= 0) {
        buf_char(&s, ' ');
        buf_int(&s, b);
    }
    return store_set_meta(l->store, name, buf_str(&s), err);
}

bool away_open(struct loop *l, struct err *err)
{
    struct str alive, away, chat;
    int64_t last = 0, now = loop_now(l);
    if (!store_meta(l->store, l->turn, STR("alive"), &alive, err) ||
        !store_meta(l->store, l->turn, STR("away"), &away, err))
        return false;
    away = str_cut(away, ' ', &chat);
    if (str_int(away, &l->away_ms) && str_int(chat, &l->away_told))
        return true; /* it ended while it was telling */
    l->away_ms = l->away_told = 0;
    if (!str_int(alive, &last) || now - last < AWAY_MS)
        return true;
    l->away_ms = now - last;
    return put(l, STR("away"), l->away_ms, 0, err) && put(l, STR("alive"), now, -1, err);
}

bool away_take(struct loop *l, bool marked, struct err *err)
{
    struct ids chats;
    l->away_next = l->away_told;
    if (l->away_ms == 0)
        return true;
    if (!store_live_chats(l->store, l->turn, l->away_told, CHATS_AT_ONCE, &chats, err))
        return false;
    for (int i = 0; i < chats.n; i++)
        if (!take_away(l, marked, chats.at[i], err))
            return false;
    l->away_next = chats.n < CHATS_AT_ONCE ? -1 : chats.at[chats.n - 1];
    return l->away_next < 0 ? store_set_meta(l->store, STR("away"), (struct str){0}, err)
                            : put(l, STR("away"), l->away_ms, l->away_next, err);
}

void away_taken(struct loop *l)
{
    if (l->away_next < 0)
        l->away_ms = 0;
    l->away_told = l->away_next;
}

bool away_stamp(struct loop *l, struct err *err)
{
    int64_t now = loop_now(l);
    if (now < l->stamped + STAMP_MS && !l->stopping)
        return true;
    l->stamped = now;
    return put(l, STR("alive"), now, -1, err);
}
