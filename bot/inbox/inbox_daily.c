/* What a chat gets daily: when, by the clock of its zone; its settings; the timer. */
#include "inbox_features.h"

#include "zone.h"

static int64_t offset_ms(struct str zone, int64_t unix_ms)
{
    int32_t offset;
    return zone_offset(zone, unix_ms, &offset) ? offset * (int64_t)1000 : 0;
}

/* The moment of a local time of a day; the offset is that of the moment itself, where it has
 * one. */
static int64_t moment_of(struct str zone, int64_t day, int minute)
{
    static const int64_t MINUTE_MS = 60 * 1000;
    int64_t local = day * DAY_MS + minute * MINUTE_MS;
    int64_t first = local - offset_ms(zone, local);
    return local - offset_ms(zone, first);
}

struct day_calendar day_calendar_at(const struct chat_settings *settings, int setting, int64_t now)
{
    struct str zone = str_of(settings->zone);
    int minute = setting - 1;
    int64_t local = now + offset_ms(zone, now);
    struct day_calendar c = {.today = local / DAY_MS - (local % DAY_MS < 0)};
    if (minute < 0)
        return c;
    c.passed = moment_of(zone, c.today, minute) <= now;
    c.next = moment_of(zone, c.today + c.passed, minute);
    return c;
}

static struct day_calendar calendar_of(const struct daily_kind *kind,
                                       const struct chat_settings *settings, int64_t now)
{
    uint16_t minute;
    memcpy(&minute, (const char *)settings + kind->hour, sizeof minute);
    return day_calendar_at(settings, minute, now);
}

void daily_follow_settings(struct turn *t, const struct daily_kind *kind,
                           const struct chat_settings *next)
{
    struct daily_post post = store_daily_post(t->store, kind->posts, t->chat.id);
    bool known = post.due > 0 || post.day > 0;
    post.due = calendar_of(kind, next, t->event.now).next;
    if (post.due > 0 || known)
        store_set_daily_post(t->store, kind->posts, &post);
}

struct turn *daily_due_turn(struct inbox *in, const struct daily_kind *kind, int64_t put_off,
                            int64_t *ret_today, int64_t *ret_before)
{
    int64_t now = clock_now(in->parts.clock);
    struct daily_post post = store_daily_due(in->parts.store, kind->posts, now);
    if (!post.chat)
        return NULL;
    struct turn *t = put_off ? NULL : turn_begin_in(in, post.chat);
    if (!t) { /* its network is not configured now */
        post.due = now + (put_off ? put_off : DAY_MS);
        store_set_daily_post(in->parts.store, kind->posts, &post);
        return NULL;
    }
    struct day_calendar c = calendar_of(kind, &t->world.chat.settings, t->event.now);
    if (post.day > c.today + 1) /* a wrong clock posted it, not a zone further east */
        post.day = c.passed ? c.today : c.today - 1;
    bool posts =
        c.next > 0 && c.passed && c.today > post.day && c.today % kind->every == kind->first;
    *ret_before = post.day;
    *ret_today = c.today;
    post.due = c.next;
    post.day = posts ? c.today : post.day;
    store_set_daily_post(t->store, kind->posts, &post);
    return posts ? t : NULL;
}

/* A wrong clock put off until years from now what comes daily. */
void inbox_clock_set_back(struct inbox *in)
{
    int64_t now = clock_now(in->parts.clock);
    store_clock_set_back(in->parts.store, now, now + 2 * DAY_MS);
}
