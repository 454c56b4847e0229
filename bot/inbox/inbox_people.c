/* Facts and effects of /link and /unlink: one person on several networks. Running matches of a
 * person that is merged or parted are rewritten; results stay where they are (store_link.c). */
#include "inbox_internal.h"

#include "forget.h"
#include "store_seek.h"

enum { MOST_LIVE = 1000 };
static const int64_t WRONG_MS = 3600 * (int64_t)1000;

/* ---- facts ---- */

static struct str network_of(const struct turn *t, int64_t account)
{
    const struct account *a = turn_account(t->in, account);
    return a ? str_of(a->adapter->title) : (struct str){0};
}

static bool share_a_match(const struct people *a, const struct people *b)
{
    for (int i = 0; i < a->n; i++)
        for (int k = 0; k < b->n; k++)
            if (a->at[i].account == b->at[k].account)
                return true;
    return false;
}

/* *ret is a live match in which both have a seat or an invitation; 0 if there is none. */
static bool both_in(struct turn *t, int64_t a, int64_t b, int64_t *ret, struct err *err)
{
    struct session_rows of_a;
    *ret = 0;
    if (!store_sessions_of_person(t->in->parts.store, t->in->turn, a, MOST_LIVE, &of_a, err))
        return false;
    for (int i = 0; i < of_a.n; i++)
        for (int k = 0; k < of_a.at[i].n_people; k++)
            if (of_a.at[i].person[k] == b)
                *ret = of_a.at[i].id;
    return true;
}

/* Finds the owner of the typed code, and whether the two can be linked. */
static bool owner_load(struct turn *t, const struct people *mine)
{
    struct link_facts *f = &t->link;
    struct store *store = t->in->parts.store;
    struct person owner;
    struct people theirs;
    int64_t handle;
    bool found;
    struct str code = text_fold(t->in->turn, str_trim(t->event.words));
    if (!store_code(store, code, t->event.now, &handle, t->err))
        return false;
    if (handle == 0)
        return true;
    if (!store_person_by_id(store, t->in->turn, handle, &owner, &found, t->err))
        return false;
    if (!found)
        return true;
    f->owner = owner.who;
    f->whose = (struct handle){owner.account, owner.network_id, owner.name};
    f->name = text_clean(t->in->turn, owner.name, NAME_COLUMNS);
    f->there = network_of(t, owner.account);
    if (!store_handles(store, t->in->turn, owner.who, &theirs, t->err))
        return false;
    f->same_network = share_a_match(mine, &theirs);
    return both_in(t, owner.who, t->me.who, &f->both, t->err);
}

bool facts_link(struct turn *t)
{
    struct link_facts *f = &t->link;
    struct people mine;
    if (t->me.id == 0)
        return true;
    f->own = t->me.id;
    f->here = network_of(t, t->account->id);
    if (!store_handles(t->in->parts.store, t->in->turn, t->me.who, &mine, t->err) ||
        !store_wrong_codes(t->in->parts.store, t->me.id, t->event.now - WRONG_MS, &f->wrong,
                           t->err))
        return false;
    f->linked = mine.n > 1;
    return t->event.verb != VERB_LINK || owner_load(t, &mine);
}

/* ---- effects ---- */

/* Replaces the person `from` by `to` in every running match; if `by` is given, only in seats played
 * from that handle. */
static bool rename_seats(struct turn *t, int64_t from, int64_t to, const struct person *by)
{
    struct store *store = t->in->parts.store;
    struct session_rows rows;
    if (!store_sessions_of_person(store, t->in->turn, from, MOST_LIVE, &rows, t->err))
        return false;
    for (int i = 0; i < rows.n; i++) {
        struct session *s = arena_new(t->in->turn, struct session);
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
        if (!store_save(store, &row, rows.at[i].version, t->err))
            return false;
    }
    return true;
}

/* What the bot remembers of two people that become one: of `person` first, then of the other. */
static bool join_prefs(struct turn *t, const struct person *keeps, const struct person *joins)
{
    struct person_prefs prefs, other;
    char line[PREFS_LINE];
    struct buf b = BUF(line);
    person_prefs_read(keeps->prefs, &prefs);
    person_prefs_read(joins->prefs, &other);
    person_prefs_join(&prefs, &other);
    struct str joined = person_prefs_write(&prefs, &b);
    return str_is(joined, keeps->prefs) ||
           store_set_prefs(t->in->parts.store, keeps->id, joined, t->err);
}

static bool join_people(struct turn *t, int64_t person, int64_t other)
{
    struct store *store = t->in->parts.store;
    struct person keeps, joins;
    bool a, b;
    if (!store_person_by_id(store, t->in->turn, person, &keeps, &a, t->err) ||
        !store_person_by_id(store, t->in->turn, other, &joins, &b, t->err))
        return false;
    if (a && b && !join_prefs(t, &keeps, &joins))
        return false;
    return store_drop_codes(store, person, t->err) && store_drop_codes(store, other, t->err) &&
           store_join_watches(store, person, other, t->err) &&
           rename_seats(t, other, person, NULL) && store_link(store, person, other, t->err);
}

/* Parts a handle from its person; if it is the person itself, each of the other handles parts. */
static bool part(struct turn *t, int64_t person, int64_t handle)
{
    struct store *store = t->in->parts.store;
    struct people all;
    if (!store_handles(store, t->in->turn, person, &all, t->err))
        return false;
    for (int i = 0; i < all.n; i++)
        if (all.at[i].id != person && (handle == person || handle == all.at[i].id) &&
            !rename_seats(t, person, all.at[i].id, &all.at[i]))
            return false;
    return store_part(store, handle, t->err);
}

bool settle_link(struct turn *t, const struct link_effects *link)
{
    struct store *store = t->in->parts.store;
    int64_t now = t->event.now;
    if (!link)
        return true;
    switch ((enum link_kind)link->kind) {
    case LINK_CODE:
        return store_set_code(store, t->me.id, link->code, link->expires, t->err);
    case LINK_WRONG:
        return store_wrong_code(store, t->me.id, now, now - WRONG_MS, t->err) &&
               (link->person == 0 || store_drop_codes(store, link->person, t->err));
    case LINK_JOIN:
        return join_people(t, link->person, link->other);
    case LINK_PART:
        return part(t, link->person, link->other);
    }
    return true;
}

/* ---- /mydata and /forget ---- */

bool facts_kept(struct turn *t)
{
    return t->me.who == 0 || !t->event.direct ||
           forget_listing(t->in->parts.store, t->in->turn, t->me.who, &t->world.record, t->err);
}

bool settle_forget(struct turn *t)
{
    int live;
    struct str name = text_make(texts_for(&t->in->languages, t->in->parts.default_language),
                                t->in->turn, T_SOMEBODY, 0, NULL, 0);
    t->in->forgetting = true;
    return forget_person(t->in->parts.store, t->me.who, name, &live, t->err);
}

bool inbox_forgetting(const struct inbox *in)
{
    return in->forgetting;
}

bool inbox_forget_step(struct inbox *in, struct err *err)
{
    return forget_step(in->parts.store, &in->rulesets, &in->forgetting, err);
}
