/* What is kept of a person: listed for them to read, and taken away from them.
 *
 * Forgetting takes name, handle, network id, language, choices, badges, answers to puzzles and
 * private chat out of the store at once, and the name out of matches and their records in steps,
 * which go on where they were after a restart. Results stay for the opponents. A person with a
 * match that runs cannot be forgotten. Words typed for a shuffle stay: they are its proof. */
#include "inbox_features.h"

#include "json.h"
#include "record_rounds.h"
#include "store_forget.h"

#include <limits.h>

/* A step takes some 10 ms: most of it is the records that are written anew. */
enum { SCANNED = 1000, AT_ONCE = 8, ARENA_BYTES = 64 << 20, LISTING_BYTES = 4 << 20 };

/* ---- what is kept ---- */

static void put_handle(struct buf *b, const struct person *p)
{
    buf_print(b, "{\"t\":\"handle\",\"reachable\":%s", p->reachable ? "true" : "false");
    json_put_str(b, "network_id", p->network_id);
    json_put_str(b, "name", p->name);
    json_put_str(b, "handle", p->handle);
    json_put_str(b, "language", p->language);
    json_put_str(b, "choices", p->prefs);
    json_put_str(b, "private_chat", p->direct_chat);
    if (p->left_chats.n > 0)
        json_put_str(b, "left_chats", str_trim(p->left_chats));
    buf_put(b, STR("}\n"));
}

static void put_match(struct buf *b, const struct played *p)
{
    buf_print(b,
              "{\"t\":\"match\",\"no\":%lld,\"ended\":%lld,\"seat\":%lld,\"won\":%lld,"
              "\"drawn\":%lld,\"lost\":%lld,\"gave_up\":%lld,\"forfeit\":%lld,\"points\":%lld,"
              "\"rounds\":%lld,\"rounds_won\":%lld,\"calls\":%lld",
              (long long)p->session, (long long)p->at, (long long)p->seat, (long long)p->tally.won,
              (long long)p->tally.drawn, (long long)p->tally.lost, (long long)p->tally.gave_up,
              (long long)p->forfeit, (long long)p->tally.points, (long long)p->tally.rounds,
              (long long)p->tally.rounds_won, (long long)p->tally.calls);
    json_put_str(b, "rules", p->rules);
    json_put_str(b, "best_hand", p->best_hand);
    buf_put(b, STR("}\n"));
}

/* The newest first, page by page. If they do not all fit, the last line says from which match on
 * they are left out. */
static void put_matches(struct store *s, int64_t who, struct buf *b)
{
    enum { PAGE = 500, PAGE_BYTES = 8 << 20, LAST_BYTES = 64 };
    struct buf all = {b->p, b->n, b->cap - LAST_BYTES, b->cut};
    struct played_rows rows = {.n = PAGE};
    struct arena *page = arena_open(PAGE_BYTES);
    for (int64_t below = INT64_MAX; rows.n == PAGE && !all.cut;) {
        arena_reset(page);
        rows = store_played_of(s, page, EVERY_CHAT, who, 0, below, PAGE);
        int n = rows.n; /* of matches that are whole: a page may end between two seats of one */
        while (rows.n == PAGE && n > 0 && rows.at[n - 1].session == rows.at[PAGE - 1].session)
            n--;
        for (int i = 0; i < n && !all.cut; i++) {
            put_match(&all, &rows.at[i]);
            below = rows.at[i].session;
            if (!all.cut)
                b->n = all.n;
            else
                buf_print(b, "{\"t\":\"left_out\",\"from_no\":%lld}\n", (long long)below);
        }
    }
    arena_close(page);
}

struct str forget_listing(struct store *s, struct arena *a, int64_t who)
{
    struct buf b = {arena_room(a, LISTING_BYTES), 0, LISTING_BYTES, false};
    struct people handles = store_handles(s, a, who);
    const struct rating_row *rating = store_rating_of(s, a, EVERY_CHAT, who);
    struct badge_rows earned = store_badges(s, a, who);
    for (int i = 0; i < handles.n; i++)
        put_handle(&b, &handles.at[i]);
    if (rating)
        buf_print(&b, "{\"t\":\"rating\",\"points\":%lld,\"deviation\":%lld,\"matches\":%lld}\n",
                  (long long)rating->points / 1000, (long long)rating->deviation / 1000,
                  (long long)rating->matches);
    for (int i = 0; i < earned.n; i++) {
        buf_print(&b, "{\"t\":\"badge\",\"at\":%lld", (long long)earned.at[i].at);
        json_put_str(&b, "name", earned.at[i].name);
        buf_put(&b, STR("}\n"));
    }
    for (int i = 0; inbox_features[i]; i++)
        if (inbox_features[i]->list)
            inbox_features[i]->list(s, a, who, &b);
    put_matches(s, who, &b);
    return buf_str(&b);
}

/* ---- forgetting ---- */

static bool is_private_chat(const struct venue *v, const struct people *handles)
{
    for (int i = 0; i < handles->n; i++)
        if (v->direct && handles->at[i].account == v->account &&
            str_is(handles->at[i].direct_chat, str_of(v->chat_key)))
            return true;
    return false;
}

static void forget_in_session(struct store *s, struct arena *a, struct ruleset_cache *rulesets,
                              struct session_row *row, const struct people *handles,
                              struct str name)
{
    struct session match;
    if (row->damaged || session_read(row->line, rulesets, &match))
        return; /* it is unreadable for everybody */
    for (int i = 0; i < match.players; i++) {
        struct player *p = &match.player[i];
        int k = 0;
        while (k < handles->n && p->person != handles->at[k].id)
            k++;
        if (k == handles->n)
            continue;
        int64_t id;
        struct str lines = store_record_head(s, a, row->id, &id);
        if (id)
            store_rewrite_record(s, id, row->id, record_forget(a, lines, i, p->seat_joined, name));
        memset(p->id, 0, sizeof p->id);
        memset(p->handle, 0, sizeof p->handle);
        memset(p->language, 0, sizeof p->language);
        p->absence = (struct absence){0};
        NAME_PUT(p->name, name);
    }
    for (int i = 0; i <= match.n_more; i++)
        if (is_private_chat(&match.venue[i], handles)) {
            NAME_PUT(match.venue[i].chat_key, STR("forgotten"));
            NAME_PUT(match.venue[i].chat_name, name);
        }
    struct buf line = {arena_room(a, SESSION_LINE), 0, SESSION_LINE, false};
    int64_t was = row->version++;
    row->line = session_write(&match, &line);
    store_save(s, row, was);
}

bool forget_step(struct store *s, struct ruleset_cache *rulesets)
{
    struct arena *a = arena_open(ARENA_BYTES);
    struct forgetting f = store_forgetting(s, a);
    if (f.who && f.next < 0) {
        store_forgotten(s, &f);
    } else if (f.who) {
        struct session_window next = {f.reached, SCANNED, AT_ONCE};
        int64_t reached;
        struct session_rows rows =
            store_sessions_naming(s, a, f.handles.at[f.next].id, next, &reached);
        for (int i = 0; i < rows.n; i++)
            forget_in_session(s, a, rulesets, &rows.at[i], &f.handles, f.name);
        store_forgotten_up_to(s, &f, reached);
    }
    arena_close(a);
    return f.who != 0 || store_failed(s);
}

int forget_person(struct store *s, int64_t who, struct str name)
{
    struct arena *a = arena_open(ARENA_BYTES);
    int live = store_sessions_of_person(s, a, who, INT_MAX).n;
    struct people handles = store_handles(s, a, who);
    if (live == 0)
        store_forget_handles(s, who, &handles, name);
    arena_close(a);
    return live;
}

/* Returns 0, and *ret_names lists them, if not exactly one person is called so. */
static int64_t person_called(struct store *s, struct arena *a, struct str called,
                             struct str *ret_names)
{
    struct people found = store_handles_called(s, a, called);
    int64_t who = found.n > 0 ? found.at[0].who : 0;
    *ret_names = STR("");
    for (int i = 0; i < found.n; i++) {
        if (found.at[i].who != who)
            who = 0;
        *ret_names = arena_print(a, "%.*s\n  #%lld  %.*s", STR_ARG(*ret_names),
                                 (long long)found.at[i].who, STR_ARG(found.at[i].name));
    }
    return who;
}

void forget_called(struct store *s, struct str called, struct str name)
{
    struct arena *a = arena_open(ARENA_BYTES);
    struct str names;
    int64_t who = person_called(s, a, called, &names);
    if (who == 0)
        store_fail(s, names.n ? "expected one person, got:%.*s" : "there is no such person%.*s",
                   STR_ARG(names));
    int live = who ? forget_person(s, who, name) : 0;
    if (live > 0)
        store_fail(s, "matches of this person that still run: %d", live);
    arena_close(a);
}

/* ---- /mydata and /forget ---- */

void facts_kept(struct turn *t)
{
    if (t->me.who && t->event.direct)
        t->world.record = forget_listing(t->store, t->arena, t->me.who);
}

/* "somebody" in the daemon's language */
static struct str somebody(const struct inbox *in, struct arena *a)
{
    return text_make(texts_for(&in->languages, in->parts.default_language), a, T_SOMEBODY, 0, NULL,
                     0);
}

void settle_forget(struct turn *t)
{
    t->in->forgetting = true;
    (void)forget_person(t->store, t->me.who, somebody(t->in, t->arena));
}

void inbox_forget_called(struct inbox *in, struct str called)
{
    struct arena *a = arena_open(1 << 16);
    in->forgetting = true;
    forget_called(in->parts.store, called, somebody(in, a));
    arena_close(a);
}

bool inbox_forgetting(const struct inbox *in)
{
    return in->forgetting;
}

void inbox_forget_step(struct inbox *in)
{
    in->forgetting = forget_step(in->parts.store, &in->rulesets);
}
