/* Duels of the day: the facts of one, its page, how a day and the tries at it are stored, a person's own
 * result, which is an event of its own in the same transaction, and the timer: the end of a day. */
#include "inbox_features.h"

#include "duel.h"
#include "notation.h"
#include "store_duel.h"

/* ---- facts ---- */

/* Those of the rows, which are the newest first, up to `day`. */
static int64_t run_up_to(const struct duel_try_rows *rows, int64_t day)
{
    int64_t run = 0;
    for (int i = 0; i < rows->n; i++)
        if (rows->at[i].day == day - run && rows->at[i].state == DUEL_PLAYED)
            run++;
    return run;
}

/* With a try of the person that was played to its end, up to the last day that is over. */
static struct day_run run_of(struct turn *t, int64_t who)
{
    int64_t chat = t->chat.id, day = store_duel(t->store, t->arena, chat).day, days = 0;
    struct duel_try_rows rows =
        store_duel_tries_of(t->store, t->arena, chat, who, day ? day - 1 : INT64_MAX);
    for (int i = 0; i < rows.n; i++)
        days += rows.at[i].state == DUEL_PLAYED;
    return (struct day_run){days, run_up_to(&rows, day ? day - 1 : rows.n ? rows.at[0].day : 0)};
}

/* Those who have tried on that day. */
static void load_tries(struct turn *t, struct duel_facts *f, int64_t day)
{
    struct duel_try_rows rows = store_duel_tries(t->store, t->arena, f->chat, day);
    struct duel_try *at = arena_array(t->arena, struct duel_try, (size_t)rows.n);
    for (int i = 0; i < rows.n; i++) {
        const struct duel_try_row *r = &rows.at[i];
        at[i] = (struct duel_try){.person = r->who,
                                  .session = r->session,
                                  .state = (uint8_t)r->state,
                                  .points = r->points,
                                  .name = turn_name(t, r->name)};
        if (r->state == DUEL_PLAYED) {
            struct duel_try_rows days =
                store_duel_tries_of(t->store, t->arena, f->chat, r->who, day);
            at[i].run = run_up_to(&days, day);
        }
        if (t->me.who && r->who == t->me.who)
            f->own = &at[i];
    }
    f->day = day;
    f->n = rows.n;
    f->at_try = at;
}

/* A day in a chat; of one that is over neither seed nor rules, nor its end. Day 0: the one that runs,
 * or the chat with none. Returns NULL for a chat of a network that is not configured now, a day to
 * come, or rules that cannot be read. */
static struct duel_facts *load(struct turn *t, int64_t chat_id, int64_t day)
{
    const struct chat *chat = store_chat_by_id(t->store, t->arena, chat_id);
    const struct account *account = chat ? turn_account(t->in, chat->account) : NULL;
    struct duel_row row = store_duel(t->store, t->arena, chat_id);
    struct duel_facts *f = arena_new(t->arena, struct duel_facts);
    if (!account || (row.day > 0 && day > row.day))
        return NULL;
    f->chat = chat_id;
    facts_seen_from(t, chat, &f->at);
    struct chat_settings settings = facts_settings_of(t, chat, &f->at.utc_offset);
    f->shared = chat_settings_share(&settings, account->can, chat->direct);
    if (row.day > 0 && (day == 0 || day == row.day)) {
        if (!chance_read_seed(row.seed, &f->seed) ||
            notation_read_rules(row.rules.p, row.rules.n, &f->rules) >= 0) {
            log_line(LOG_ERROR, "duel_unreadable", "field", "seed or rules", NULL);
            return NULL;
        }
        day = row.day;
        f->ends = row.due;
    }
    if (row.day == 0 && day == 0)
        f->ends = row.due;
    if (day > 0)
        load_tries(t, f, day);
    return f;
}

/* The private chat of the sender is where they play; the chat of the event if that is one. */
static void load_asked(struct turn *t)
{
    struct duel_facts *f = load(t, t->chat.id, 0);
    if (t->event.direct && t->me.who && f && f->day == 0) {
        int64_t other = store_duel_of_person(t->store, t->me.who);
        f = other ? load(t, other, 0) : f;
    }
    t->world.duel = f;
    if (!f || f->day == 0 || !t->me.who)
        return;
    int64_t room = t->event.direct ? t->chat.id : 0;
    if (!room && t->me.reachable && t->me.direct_chat.n > 0)
        room = store_chat(t->store, t->arena, t->account->id, t->me.direct_chat, STR(""), true).id;
    struct tournament_seat *seat = arena_new(t->arena, struct tournament_seat);
    if (room && facts_seat(t, room, t->me.id, t->me.who, seat))
        f->seat = seat;
}

/* ---- its page ---- */

/* The day of a link, and what that person may see of it; NULL if its chat does not let others read. */
static const struct duel_facts *find_duel(struct turn *t, int64_t no, enum duel_page *ret_page)
{
    int64_t chat = no >> DUEL_DAY_BITS, day = no & (((int64_t)1 << DUEL_DAY_BITS) - 1);
    const struct duel_facts *f = load(t, chat, day);
    if (!f || !f->shared)
        return NULL;
    *ret_page = f->ends == 0                              ? DUEL_OVER
                : f->own && f->own->state != DUEL_PLAYING ? DUEL_SO_FAR
                                                          : DUEL_INVITES;
    return f;
}

static bool preview(struct turn *t, int64_t no, struct scene_reader *reader,
                    struct scene_preview *ret)
{
    enum duel_page page;
    const struct duel_facts *f = find_duel(t, no, &page);
    if (f)
        scene_duel_preview(reader, f, page, ret);
    return f != NULL;
}

static bool document(struct turn *t, int64_t no, struct scene_reader *reader, struct str *ret)
{
    enum duel_page page;
    const struct duel_facts *f = find_duel(t, no, &page);
    if (!f)
        return false;
    const struct account *home = turn_account(t->in, f->at.account);
    *ret = scene_duel(reader, f, page, home == t->account ? STR("") : str_of(home->adapter->title));
    return true;
}

/* Where it begins a try. */
static struct str place(struct turn *t, int64_t no, const struct press *p)
{
    const struct duel_facts *f =
        p->verb == VERB_DUEL ? load(t, no >> DUEL_DAY_BITS, p->version) : NULL;
    bool good = f && f->shared && f->at.account == t->account->id &&
                duel_link_no(f->chat, p->version) == no;
    return good ? f->at.chat : STR("");
}

/* ---- effects ---- */

static void settle(struct turn *t, struct effects *fx)
{
    for (int i = 0; i < fx->n_saves; i++) {
        const struct session *s = fx->save[i];
        struct duel_try end;
        if (!s->duel[0] || session_live(s))
            continue;
        duel_outcome(s, &end);
        store_end_duel_try(t->store, s->no, end.state, end.points);
    }
    const struct duel_facts *f = t->world.duel;
    if (!fx->duel || !f)
        return;
    if (fx->duel->begins)
        store_add_duel_try(t->store, &(struct duel_try_row){.chat = f->chat,
                                                            .day = f->day,
                                                            .handle = t->me.id,
                                                            .session = fx->save[0]->no,
                                                            .at = t->event.now});
    const struct duel_facts *next = fx->duel->opened;
    if (!fx->duel->over && !next)
        return;
    char seed[SEED_HEX_SIZE] = "", rules[NOTATION_MAX] = "";
    if (next) {
        chance_hex(&next->seed, seed);
        notation_rules(&next->rules, rules);
    }
    store_set_duel(t->store, &(struct duel_row){.chat = f->chat,
                                                .due = f->opens_ends,
                                                .day = next ? next->day : 0,
                                                .seed = str_of(seed),
                                                .rules = str_of(rules)});
}

/* A day that runs ends at the chat's hour, also where there is no next one. */
static void follow(struct turn *t, const struct chat_settings *next)
{
    struct duel_row row = store_duel(t->store, t->arena, t->chat.id);
    int64_t due = day_calendar_at(next, next->duel, t->event.now).next;
    if (due == 0 && row.due == 0)
        return;
    row.due = due == 0 && row.day > 0 ? row.due : due;
    store_set_duel(t->store, &row);
}

/* ---- a person's own result ---- */

static struct turn *result_turn(struct turn *t, const struct session *s)
{
    int64_t chat = s->duel[0] && s->end == END_PLAYED ? store_duel_chat(t->store, s->no) : 0;
    int seat = s->player[0].computer ? 1 : 0;
    if (!chat)
        return NULL;
    struct turn *next = arena_new(t->arena, struct turn);
    *next = *t;
    next->event = (struct event){.verb = VERB_DUEL_RESULT,
                                 .account = s->venue[0].account,
                                 .chat = str_of(s->venue[0].chat_key),
                                 .chat_name = str_of(s->venue[0].chat_name),
                                 .direct = true,
                                 .now = t->event.now,
                                 .version = -1,
                                 .index = -1};
    next->me.who = next->world.me.person = s->player[seat].person;
    next->world.named = NULL;
    next->world.here.n = next->world.mine.n = 0;
    next->world.duel = load(next, chat, 0);
    return next->world.duel && next->world.duel->day ? next : NULL;
}

/* ---- its timer ---- */

/* First the tries that still run end, an event each; then the day. A day is opened on that day
 * alone, and once. */
static struct turn *due_turn(struct inbox *in, int64_t put_off)
{
    struct store *store = in->parts.store;
    int64_t now = clock_now(in->parts.clock);
    arena_reset(in->turn);
    struct duel_row row = store_duel_due(store, in->turn, now);
    if (!row.chat)
        return NULL;
    struct turn *t = put_off ? NULL : turn_begin_in(in, row.chat);
    if (!t) { /* its network is not configured now */
        arena_reset(in->turn);
        row = store_duel(store, in->turn, row.chat);
        row.due = now + (put_off ? put_off : DAY_MS);
        store_set_duel(store, &row);
        return NULL;
    }
    row = store_duel(store, t->arena, row.chat); /* the turn has an arena of its own */
    const struct chat_settings *settings = &t->world.chat.settings;
    struct day_calendar calendar = day_calendar_at(settings, settings->duel, now);
    if (row.day && row.day == calendar.today && calendar.next) { /* the hour was changed */
        row.due = calendar.next;
        store_set_duel(store, &row);
        return NULL;
    }
    struct duel_facts *f = load(t, row.chat, 0);
    if (!f) {
        row.due = now + DAY_MS;
        store_set_duel(store, &row);
        return NULL;
    }
    int64_t open = row.day ? store_duel_open_try(store, row.chat) : 0;
    if (open && !facts_named(t, open)) { /* it cannot be read, and is in quarantine */
        store_end_duel_try(store, open, DUEL_UNFINISHED, 0);
        return NULL; /* the day is still due: others may be open */
    }
    f->opens = calendar.passed ? calendar.today : 0;
    f->opens_ends = calendar.next;
    t->event.verb = VERB_DUEL_DUE;
    t->world.duel = f;
    return t;
}

/* "/duel @bo" is a challenge. */
static void reads(struct turn *t)
{
    struct event *e = &t->event;
    if (e->verb == VERB_DUEL &&
        (e->n_mentions > 0 || (e->words.n > 0 && memchr(e->words.p, '@', e->words.n))))
        e->verb = VERB_CHALLENGE;
}

static void list(struct store *s, struct arena *a, int64_t who, struct buf *b)
{
    struct duel_try_rows rows = store_duel_tries_of(s, a, 0, who, INT64_MAX);
    for (int i = 0; i < rows.n; i++)
        buf_print(b, "{\"t\":\"duel\",\"day\":%lld,\"at\":%lld,\"points\":%lld}\n",
                  (long long)rows.at[i].day, (long long)rows.at[i].at,
                  (long long)rows.at[i].points);
}

const struct inbox_feature inbox_duel = {
    .reads = reads,
    .facts = FACT_DUEL,
    .load = load_asked,
    .settle = settle,
    .follow = follow,
    .ended = result_turn,
    .date = "duel",
    .due = due_turn,
    .list = list,
    .run_head = T_WEEK_DUELS,
    .run = run_of,
    .shared = {
        .what = "duel", .document = "table", .preview = preview, .read = document, .place = place}};
