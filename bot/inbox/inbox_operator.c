/* The operator's commands: who the operator is, what they may know, and what follows; people who
 * are banned; announcements, one chat after another. */
#include "inbox_features.h"

#include "store_operator.h"
#include "store_played.h"

static const int64_t RECENT_MS = 30 * 24 * 3600 * (int64_t)1000;
enum { SENDER_SIZE = 320 };

static bool is_draining(struct store *store, struct arena *a)
{
    return store_meta(store, a, STR("draining")).n > 0;
}

void operator_open(struct inbox *in)
{
    if (is_draining(in->parts.store, in->process))
        log_line(LOG_WARN, "draining", "until", "an operator says /drain off", NULL);
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

/* A press is answered each time, for the network waits for it; messages once a day, but not a
 * number in a group, which may be talk. */
bool operator_bans(struct turn *t)
{
    struct event *e = &t->event;
    if (t->me.banned == 0 || e->operates)
        return false;
    bool talk = e->verb == VERB_NUMBER && !e->direct;
    bool popup = e->pressed && e->press.n > 0 && (t->account->can & CAN_POPUP);
    e->verb = popup || (!talk && e->now - t->me.ban_told >= DAY_MS) ? VERB_BANNED : VERB_NONE;
    return true;
}

/* ---- facts ---- */

void facts_open(struct turn *t)
{
    t->world.draining = is_draining(t->store, t->arena);
    t->world.me.newcomer =
        store_played_of(t->store, t->arena, EVERY_CHAT, t->me.who, 0, INT64_MAX, 1).n == 0;
}

struct ids operator_persons(struct store *s, struct arena *a, int64_t who)
{
    struct people handles = store_all_handles(s, a, who);
    struct ids ids = {0, arena_array(a, int64_t, (size_t)handles.n)};
    for (int i = 0; i < handles.n; i++) {
        bool known = false;
        for (int k = 0; k < ids.n; k++)
            known |= ids.at[k] == handles.at[i].who;
        if (!known)
            ids.at[ids.n++] = handles.at[i].who;
    }
    return ids;
}

/* Running matches of a person: "#12, #15". */
static struct str running_of(struct turn *t, int64_t who)
{
    struct str all = STR("");
    struct ids persons = operator_persons(t->store, t->arena, who);
    for (int i = 0; i < persons.n; i++) {
        struct session_rows rows =
            store_sessions_of_person(t->store, t->arena, persons.at[i], MAX_CANDIDATES);
        for (int k = 0; k < rows.n && t->n_rows < MAX_CANDIDATES; k++) {
            const struct session *s = facts_session(t, rows.at[k].id);
            if (s && s->phase == SESSION_PLAYING)
                all = arena_print(t->arena, "%.*s%s#%lld", STR_ARG(all), all.n ? ", " : "",
                                  (long long)s->no);
        }
    }
    return all;
}

static void load(struct turn *t)
{
    enum { MOST_NAMED = 20 };
    struct operator_facts *f = arena_new(t->arena, struct operator_facts);
    struct store_status status = store_status(t->store, t->event.now - RECENT_MS);
    struct people people = store_banned(t->store, t->arena, MOST_NAMED);
    t->world.operates = f;
    *f = (struct operator_facts){.running = status.running,
                                 .chats = status.chats,
                                 .waiting = status.waiting,
                                 .quarantined = status.quarantined,
                                 .n_banned = status.banned,
                                 .recent = status.recent};
    for (int i = 0; i < people.n; i++)
        f->names =
            arena_print(t->arena, "%.*s%s#%lld %.*s", STR_ARG(f->names), i ? ", " : "",
                        (long long)people.at[i].id, STR_ARG(turn_name(t, people.at[i].name)));
    facts_open(t);
    if (t->event.verb != VERB_BAN && t->event.verb != VERB_UNBAN)
        return;
    if (t->event.no == 0)
        facts_mentions(t);
    const struct person *p =
        t->event.no ? store_person_by_id(t->store, t->arena, t->event.no) : NULL;
    if (p) { /* by the number of the list */
        t->event.n_mentions = 1;
        t->event.mention[0] = (struct sender){.id = p->network_id, .name = turn_name(t, p->name)};
        t->world.mention[0].person = p->who;
    }
    p = t->event.n_mentions == 1 && t->world.mention[0].person
            ? store_person_by_id(t->store, t->arena, t->world.mention[0].person)
            : NULL;
    f->banned = p && p->banned > 0;
    if (p && t->event.verb == VERB_BAN)
        f->matches = running_of(t, p->who);
}

/* ---- effects ---- */

static void settle(struct turn *t, struct effects *fx)
{
    const struct operator_effects *o = fx->operates;
    static const char *const names[] = {
        [ORDER_DRAIN] = "drain", [ORDER_BAN] = "ban", [ORDER_ANNOUNCE] = "announce"};
    int64_t now = t->event.now;
    if (!o)
        return;
    if (o->order != ORDER_BAN_TOLD)
        log_line(LOG_INFO, "operator_order", "order", names[o->order], "on", o->on ? "yes" : "no",
                 "#person", arena_print(t->arena, "%lld", (long long)o->person).p, "#by",
                 arena_print(t->arena, "%lld", (long long)t->me.id).p, NULL);
    switch ((enum operator_order)o->order) {
    case ORDER_DRAIN:
        store_set_meta(t->store, STR("draining"), o->on ? STR("yes") : STR(""));
        break;
    case ORDER_BAN:
        store_set_ban(t->store, o->person, o->on ? now : 0);
        t->in->banned = o->on ? o->person : 0;
        break;
    case ORDER_BAN_TOLD:
        store_set_ban_told(t->store, o->person, now);
        break;
    case ORDER_ANNOUNCE:
        store_announce(t->store, o->text, now, now - RECENT_MS);
        break;
    }
}

/* ---- announcements ---- */

/* The row goes in the transaction that has the message. Where the network is not configured now,
 * the news would be old once it is. */
static struct turn *due_turn(struct inbox *in, int64_t put_off)
{
    int64_t now = clock_now(in->parts.clock);
    arena_reset(in->turn);
    const struct announcement *next = store_announcement(in->parts.store, in->turn, now);
    if (next && put_off)
        store_put_off_announcement(in->parts.store, next, put_off);
    if (!next || put_off)
        return NULL;
    struct turn *t = turn_begin_in(in, next->chat);
    next = store_announcement(in->parts.store, in->turn, now); /* a turn begins with no memory */
    if (next)
        store_drop_announcement(in->parts.store, next);
    if (!t || !next)
        return NULL;
    t->event.verb = VERB_ANNOUNCED;
    t->event.words = next->text;
    return t;
}

const struct inbox_feature inbox_operator = {.facts = FACT_OPERATOR,
                                             .load = load,
                                             .settle = settle,
                                             .date = "announcement",
                                             .due = due_turn};
