/* People: those that an event names, quiet hours, the language of an app; /link and /unlink: one
 * person on several networks. Running matches of a person that is merged or parted are rewritten;
 * results stay where they are. */
#include "inbox_features.h"

#include "zone.h"

/* ---- absence and language ---- */

/* The offsets of a zone, before and after its next change. */
static bool put_offsets(struct turn *t, struct str zone, struct absence *ret)
{
    struct zone_change found;
    if (!zone_change_cached(t->in->zone_cache, zone, t->event.now, &found))
        return false;
    ret->offset = found.offset;
    ret->later_offset = found.later_offset;
    ret->change = found.change;
    return true;
}

void facts_language(struct turn *t, struct str app, struct person_prefs *prefs)
{
    const struct texts *spoken = texts_find(&t->in->languages, app);
    prefs->language_of_app = !prefs->language[0] && spoken;
    if (prefs->language_of_app)
        NAME_PUT(prefs->language, spoken->language);
}

static bool has_quiet_hours(const struct person_prefs *prefs)
{
    return prefs->absence.quiet_from != prefs->absence.quiet_to;
}

void facts_offsets(struct turn *t, struct person_prefs *prefs)
{
    if (has_quiet_hours(prefs))
        (void)put_offsets(t, str_of(prefs->quiet_zone), &prefs->absence); /* else they are UTC's */
}

void facts_quiet(struct turn *t)
{
    const struct person_prefs *own = &t->world.me.prefs;
    struct str zone = str_of(t->world.chat.settings.zone);
    struct str rest = t->event.words;
    (void)str_word(&rest);
    struct str named = str_trim(rest);
    if (named.n > 0)
        zone = named;
    else if (has_quiet_hours(own))
        zone = str_of(own->quiet_zone);
    t->absence.zone = zone;
    t->world.zone_ok = zone.n < sizeof own->quiet_zone && put_offsets(t, zone, &t->absence.offsets);
}

struct person_prefs facts_prefs_of(struct turn *t, int64_t who)
{
    struct person_prefs prefs = {0};
    const struct person *p = who ? store_person_by_id(t->store, t->arena, who) : NULL;
    if (p)
        person_prefs_read(p->prefs, &prefs);
    return prefs;
}

/* ---- people that an event names ---- */

void facts_mentions(struct turn *t)
{
    struct event *e = &t->event;
    /* "/challenge @bo" where the network itself does not mark names */
    bool words = e->n_mentions == 0 && e->unnamed.n == 0 && (t->account->can & CAN_HANDLES);
    for (struct str rest = e->words, w = str_word(&rest);
         words && w.n > 0 && e->n_mentions < MAX_MENTIONS; w = str_word(&rest))
        if (w.n > 1 && w.p[0] == '@')
            e->mention[e->n_mentions++] = (struct sender){.handle = str_skip(w, 1)};
    for (int i = 0; i < e->n_mentions; i++) {
        struct sender *who = &e->mention[i];
        if (who->bot || (who->id.n == 0 && who->handle.n == 0))
            continue;
        t->world.mention[i].by_handle = who->id.n == 0;
        struct person p = store_person(t->store, t->arena, t->account->id, who);
        struct person_prefs prefs = facts_prefs_of(t, p.who);
        facts_offsets(t, &prefs);
        t->world.mention[i].person = p.who;
        t->world.banned = p.banned ? p.who : t->world.banned;
        t->world.mention[i].absence = prefs.absence;
        t->world.mention[i].left = person_has_left(&p, t->chat.id);
        who->name = turn_name(t, p.name);
        who->id = p.network_id;
        who->handle = p.handle;
    }
}

void facts_rematch(struct turn *t)
{
    const struct session *old = step_pick(&t->world, &t->event);
    for (int i = 0; old && i < old->players; i++) {
        const struct person *p = store_person_by_id(t->store, t->arena, old->player[i].person);
        if (p && p->banned)
            t->world.banned = p->who;
        const struct player *seat = &old->player[i];
        p = store_person_by_network_id(t->store, t->arena, seat->account, str_of(seat->id));
        if (p && person_has_left(p, old->venue[seat->venue].chat))
            t->world.left_chat |= (uint8_t)(1 << i);
    }
}

/* Sets mention[0] to the author of the challenge whose button was pressed, if found. */
void facts_inviter(struct turn *t)
{
    const struct person *p = store_person_by_id(t->store, t->arena, t->event.index);
    if (!p || p->account != t->account->id || p->banned)
        return;
    t->world.mention[0].person = p->who;
    t->event.n_mentions = 1;
    t->event.mention[0] =
        (struct sender){.id = p->network_id, .handle = p->handle, .name = turn_name(t, p->name)};
}

/* ---- facts of a link ---- */

enum { MOST_LIVE = 1000 };
static const int64_t WRONG_MS = 3600 * (int64_t)1000;

static struct str network_of(const struct turn *t, int64_t account)
{
    const struct account *a = turn_account(t->in, account);
    return a ? str_of(a->adapter->title) : (struct str){0};
}

void facts_link(struct turn *t)
{
    struct link_facts *f = &t->link;
    if (t->me.id == 0)
        return;
    struct people mine = store_handles(t->store, t->arena, t->me.who);
    f->own = t->me.id;
    f->here = network_of(t, t->account->id);
    f->wrong = store_wrong_codes(t->store, t->me.id, t->event.now - WRONG_MS);
    f->linked = mine.n > 1;
    if (t->event.verb != VERB_LINK)
        return;
    /* the owner of the typed code, and whether the two can be linked */
    struct str code = text_fold(t->arena, str_trim(t->event.words));
    int64_t handle = code.n ? store_code(t->store, code, t->event.now) : 0;
    const struct person *owner = handle ? store_person_by_id(t->store, t->arena, handle) : NULL;
    if (!owner)
        return;
    struct people theirs = store_handles(t->store, t->arena, owner->who);
    f->owner = owner->who;
    f->whose = (struct handle){owner->account, owner->network_id, owner->name};
    f->name = turn_name(t, owner->name);
    f->there = network_of(t, owner->account);
    for (int i = 0; i < mine.n; i++)
        for (int k = 0; k < theirs.n; k++)
            f->same_network |= mine.at[i].account == theirs.at[k].account;
    /* a live match in which both have a seat or an invitation */
    struct session_rows of_owner =
        store_sessions_of_person(t->store, t->arena, owner->who, MOST_LIVE);
    for (int i = 0; i < of_owner.n; i++)
        for (int k = 0; k < of_owner.at[i].n_people; k++)
            if (of_owner.at[i].person[k] == t->me.who)
                f->both = of_owner.at[i].id;
}

/* ---- effects of a link ---- */

/* Replaces the person `from` by `to` in every running match; if `by` is given, only in seats played
 * from that handle. */
static void rename_seats(struct turn *t, int64_t from, int64_t to, const struct person *by)
{
    struct session_rows rows = store_sessions_of_person(t->store, t->arena, from, MOST_LIVE);
    for (int i = 0; i < rows.n; i++) {
        struct session *s = arena_new(t->arena, struct session);
        struct session_row row;
        bool any = false;
        if (session_read(rows.at[i].line, &t->in->rulesets, s))
            continue; /* damaged */
        s->no = rows.at[i].id;
        for (int k = 0; k < s->players; k++) {
            struct player *p = &s->player[k];
            if (p->person != from ||
                (by && (p->account != by->account || !str_is(str_of(p->id), by->network_id))))
                continue;
            p->person = to;
            any = true;
        }
        if (!any)
            continue;
        turn_row(t, s, &row);
        memcpy(row.chat, rows.at[i].chat, sizeof row.chat);
        row.version = rows.at[i].version + 1;
        store_save(t->store, &row, rows.at[i].version);
    }
}

static void join_people(struct turn *t, int64_t person, int64_t other)
{
    const struct person *keeps = store_person_by_id(t->store, t->arena, person),
                        *joins = store_person_by_id(t->store, t->arena, other);
    if (keeps && joins) { /* the choices of `keeps` first, then of the other */
        struct person_prefs prefs, more;
        char line[PREFS_LINE];
        struct buf b = BUF(line);
        person_prefs_read(keeps->prefs, &prefs);
        person_prefs_read(joins->prefs, &more);
        person_prefs_join(&prefs, &more);
        struct str joined = person_prefs_write(&prefs, &b);
        if (!str_is(joined, keeps->prefs))
            store_set_prefs(t->store, keeps->id, joined);
    }
    store_drop_codes(t->store, person);
    store_drop_codes(t->store, other);
    for (int i = 0; t->in->features[i]; i++)
        if (t->in->features[i]->joined)
            t->in->features[i]->joined(t->store, person, other);
    rename_seats(t, other, person, NULL);
    store_link(t->store, person, other);
}

void facts_window(struct turn *t)
{
    const struct event *e = &t->event;
    t->world.window = widget_is_code(e->words) &&
                      store_login_waits(t->store, t->account->id, e->from.id, e->words, e->now);
}

void settle_link(struct turn *t, const struct link_effects *link)
{
    int64_t now = t->event.now;
    struct people all;
    switch ((enum link_kind)link->kind) {
    case LINK_CODE:
        store_set_code(t->store, t->me.id, link->code, link->expires);
        break;
    case LINK_WRONG:
        store_wrong_code(t->store, t->me.id, now, now - WRONG_MS);
        if (link->person)
            store_drop_codes(t->store, link->person);
        break;
    case LINK_JOIN:
        join_people(t, link->person, link->other);
        break;
    case LINK_PART: /* if the handle is the person itself, each of the other handles parts */
        all = store_handles(t->store, t->arena, link->person);
        for (int i = 0; i < all.n; i++)
            if (all.at[i].id != link->person &&
                (link->other == link->person || link->other == all.at[i].id))
                rename_seats(t, link->person, all.at[i].id, &all.at[i]);
        store_part(t->store, link->other);
        break;
    case LINK_NEW:
        all = link->person ? store_handles(t->store, t->arena, link->person) : (struct people){0};
        for (int i = 0; i < all.n; i++)
            store_drop_logins(t->store, all.at[i].account, all.at[i].network_id);
        if (link->room.n > 0)
            store_set_chat_link(t->store, t->chat.id, link->room);
        break;
    }
}
