/* See inbox_operator.h. */
#include "inbox_operator.h"

#include "log.h"
#include "store_operator.h"

static const int64_t DAY_MS = 24 * 3600 * (int64_t)1000;
static const int64_t RECENT_MS = 30 * 24 * 3600 * (int64_t)1000;
enum { SENDER_SIZE = 320 };

static bool is_draining(struct store *store, struct arena *a, bool *ret, struct err *err)
{
    struct str value;
    if (!store_meta(store, a, STR("draining"), &value, err))
        return false;
    *ret = value.n > 0;
    return true;
}

bool operator_open(struct inbox *in, struct err *err)
{
    bool draining;
    if (!is_draining(in->parts.store, in->process, &draining, err))
        return false;
    if (draining)
        log_line(LOG_WARN, "draining", "until", "an operator says /drain off", NULL);
    return true;
}

bool operator_sends(const struct turn *t)
{
    const struct sender *from = &t->event.from;
    char called[SENDER_SIZE];
    struct buf b = BUF(called);
    if (from->id.n == 0 || from->anonymous)
        return false;
    buf_print(&b, "%s:%.*s", t->account->adapter->name, STR_ARG(from->id));
    struct str rest = t->in->parts.operators;
    for (struct str word = str_word(&rest); word.n > 0; word = str_word(&rest))
        if (!b.cut && str_is(word, buf_str(&b)))
            return true;
    return false;
}

/* A press is answered each time, for the network waits for it; messages once a day, but not a number
 * in a group, which may be talk. */
bool operator_bans(struct turn *t)
{
    struct event *e = &t->event;
    if (t->banned == 0 || e->operates)
        return false;
    bool talk = e->verb == VERB_NUMBER && !e->direct;
    bool popup = e->pressed && e->press.n > 0 && (t->account->can & CAN_POPUP);
    e->verb = popup || (!talk && e->now - t->ban_told >= DAY_MS) ? VERB_BANNED : VERB_NONE;
    return true;
}

bool facts_open(struct turn *t)
{
    return is_draining(t->in->parts.store, t->in->turn, &t->world.draining, t->err);
}

/* Whom /ban, /unban name by the number of the list. */
static bool person_of_number(struct turn *t)
{
    struct person p;
    bool found = false;
    if (t->event.no == 0)
        return true;
    if (!store_person_by_id(t->in->parts.store, t->in->turn, t->event.no, &p, &found, t->err))
        return false;
    if (!found)
        return true;
    t->event.n_mentions = 1;
    t->event.mention[0] =
        (struct sender){.id = p.network_id, .name = text_clean(t->in->turn, p.name, NAME_COLUMNS)};
    t->world.mention[0].person = p.who;
    return true;
}

static bool named_person(struct turn *t, struct operator_facts *f)
{
    struct person p;
    bool found = false;
    if ((t->event.no == 0 && !facts_mentions(t)) || !person_of_number(t))
        return false;
    if (t->event.n_mentions != 1 || t->world.mention[0].person == 0)
        return true;
    if (!store_person_by_id(t->in->parts.store, t->in->turn, t->world.mention[0].person, &p, &found,
                            t->err))
        return false;
    f->banned = found && p.banned > 0;
    return true;
}

bool facts_operator(struct turn *t)
{
    enum { MOST_NAMED = 20 };
    struct operator_facts *f = arena_new(t->in->turn, struct operator_facts);
    struct store_status status;
    struct people people;
    t->world.operates = f;
    if (!store_status(t->in->parts.store, t->event.now - RECENT_MS, &status, t->err) ||
        !store_banned(t->in->parts.store, t->in->turn, MOST_NAMED, &people, t->err))
        return false;
    f->running = status.running;
    f->chats = status.chats;
    f->waiting = status.waiting;
    f->quarantined = status.quarantined;
    f->n_banned = status.banned;
    f->recent = status.recent;
    struct str names = STR("");
    for (int i = 0; i < people.n; i++)
        names = arena_print(t->in->turn, "%.*s%s#%lld %.*s", STR_ARG(names), i ? ", " : "",
                            (long long)people.at[i].id,
                            STR_ARG(text_clean(t->in->turn, people.at[i].name, NAME_COLUMNS)));
    f->names = names;
    bool names_somebody = t->event.verb == VERB_BAN || t->event.verb == VERB_UNBAN;
    return facts_open(t) && (!names_somebody || named_person(t, f));
}

static void log_order(const struct turn *t, const struct operator_effects *o)
{
    static const char *const names[] = {
        [ORDER_DRAIN] = "drain", [ORDER_BAN] = "ban", [ORDER_ANNOUNCE] = "announce"};
    struct arena *a = t->in->turn;
    if (o->order != ORDER_BAN_TOLD)
        log_line(LOG_INFO, "operator_order", "order", names[o->order], "on", o->on ? "yes" : "no",
                 "person", arena_print(a, "%lld", (long long)o->person).p, "by",
                 arena_print(a, "%lld", (long long)t->me.id).p, NULL);
}

bool settle_operator(struct turn *t, const struct operator_effects *o)
{
    struct store *store = t->in->parts.store;
    if (!o)
        return true;
    log_order(t, o);
    switch ((enum operator_order)o->order) {
    case ORDER_DRAIN:
        return store_set_meta(store, STR("draining"), o->on ? STR("yes") : (struct str){0}, t->err);
    case ORDER_BAN:
        return store_set_ban(store, o->person, o->on ? t->event.now : 0, t->err);
    case ORDER_BAN_TOLD:
        return store_set_ban_told(store, o->person, t->event.now, t->err);
    case ORDER_ANNOUNCE:
        return store_announce(store, o->text, t->event.now, t->event.now - RECENT_MS, t->err);
    }
    return true;
}
