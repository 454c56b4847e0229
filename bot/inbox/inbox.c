/* See inbox.h. One path for everything: make an event, fetch the facts it needs, run bot_step, then
 * store, push and ask for what follows, all inside the caller's transaction.
 *
 * This file has the entries without an update: deadlines, dates, jobs, undeliverable messages,
 * damaged matches. */
#include "inbox_features.h"

#include "badges_file.h"
#include "ruleset_file.h"
#include "scene_write.h"
#include "store_quarantine.h"
#include "texts.h"

enum {
    TURN_BYTES = 32 * 1024 * 1024,
    WORDS_BYTES = 32 * 1024 * 1024,
    ZONES_KEPT = 64,
    ZONE_BYTES = 256,
    MOST_CHATS = 4096,
    CHAT_BYTES = 256,
    POPUPS_KEPT = 256,
    POPUP_BYTES = 1024,
    SCENES_KEPT = 128
};

/* ---- opening ---- */

static void key_load(struct inbox *in)
{
    struct store *store = in->parts.store;
    struct str saved = store_meta(store, in->process, STR("press_key"));
    struct seed seed;
    if (saved.n == 0) {
        char hex[SEED_HEX_SIZE];
        in->parts.clock->chance(in->parts.clock->arg, seed.at, sizeof seed.at);
        chance_hex(&seed, hex);
        store_set_meta(store, STR("press_key"), str_of(hex));
    } else if (!chance_read_seed(saved, &seed)) {
        store_fail(store, "the store's press_key is damaged");
        return;
    }
    memcpy(in->key, seed.at, sizeof in->key);
}

/* Sets what is read from files, all of it or nothing. A catalogue with a fault is left out, unless
 * `strict`. */
static bool files_load(struct inbox *in, const struct inbox_parts *parts, bool strict,
                       struct err *err)
{
    struct arena *words = arena_open(WORDS_BYTES);
    struct rules *presets = arena_array(words, struct rules, RULESETS_MOST);
    struct languages languages;
    int n = 0;
    if (texts_load(parts->texts_dir, parts->default_language, strict, words, &languages, err))
        n = ruleset_file_all(parts->rules_dir, parts->default_rules, presets, err);
    if (n == 0) {
        arena_close(words);
        return false;
    }
    in->words = words;
    in->languages = languages;
    memcpy(in->presets, presets, (size_t)n * sizeof *presets);
    in->n_presets = n;
    return true;
}

/* A command that needs an admin has further entries for its other names, without a description:
 * networks do not list them, but let admins alone use them. Returns the number of entries. */
static int menu_entries(const struct texts *t, enum verb v, struct str language,
                        struct menu_entry *ret)
{
    struct menu_entry e = {language,
                           command_name(t, v, true),
                           t->brief[v],
                           commands[v].seen_by == SEEN_BY_ASKER,
                           commands[v].permitted == FOR_ADMINS,
                           commands[v].listed == LISTED_PRIVATE};
    int n = 0;
    ret[n++] = e;
    for (int i = 0; e.for_admins && i < MAX_ALIASES && t->alias[v][i].n > 0; i++)
        if (!str_is(t->alias[v][i], e.command))
            ret[n++] = (struct menu_entry){
                .language = language, .command = t->alias[v][i], .for_admins = true};
    return n;
}

/* The table of commands in one language. Entries of the first language have no language of their
 * own: they are the default. */
static const struct menu_entry *list_of(void *arg, int no, int *ret_n)
{
    enum { MAX_ENTRIES = N_VERBS + 8 * MAX_ALIASES };
    struct inbox *in = arg;
    int *n = &in->n_list[no];
    if (!in->list[no]) {
        const struct texts *t = texts_typed(in->languages.at[no]);
        struct menu_entry *at = arena_array(in->words, struct menu_entry, MAX_ENTRIES);
        *n = 0;
        for (int v = 0; v < N_VERBS && *n + MAX_ALIASES < MAX_ENTRIES; v++)
            if (commands[v].listed != UNLISTED)
                *n += menu_entries(t, (enum verb)v, no == 0 ? STR("") : t->language, at + *n);
        in->list[no] = at;
    }
    *ret_n = *n;
    return in->list[no];
}

/* For the networks that list commands. */
static void tell_menu(struct inbox *in)
{
    in->menu = (struct menu_lists){in->languages.n, list_of, in};
    memset(in->list, 0, sizeof in->list);
    for (int i = 0; i < in->parts.n_accounts; i++)
        if (in->parts.accounts[i].adapter->menu)
            in->parts.accounts[i].adapter->menu(in->parts.accounts[i].state, &in->menu);
}

bool inbox_open(const struct inbox_parts *parts, struct inbox **ret, struct err *err)
{
    struct arena *process = arena_open(TURN_BYTES);
    struct inbox *in = arena_new(process, struct inbox);
    in->parts = *parts;
    in->features = inbox_features;
    in->process = process;
    in->forgetting = true;
    in->turn = arena_open(TURN_BYTES);
    in->session_cache = session_cache_open();
    in->review_cache = review_cache_open();
    in->zone_cache = cache_open(ZONES_KEPT, ZONES_KEPT * ZONE_BYTES);
    in->last_said = cache_open(MOST_CHATS, MOST_CHATS * CHAT_BYTES);
    in->ceiling = cache_open(CEILING_PEOPLE, CEILING_PEOPLE * CHAT_BYTES);
    in->popups = cache_open(POPUPS_KEPT, POPUPS_KEPT * POPUP_BYTES);
    in->scenes = cache_open(SCENES_KEPT, SCENES_KEPT * (SCENE_BYTES + 256));
    if (!files_load(in, parts, false, err) || !badges_load(&in->badges, err)) {
        inbox_close(in);
        return false;
    }
    key_load(in);
    operator_open(in);
    if (store_checked(parts->store))
        damage_look(in);
    tell_menu(in);
    *ret = in;
    return true;
}

void inbox_close(struct inbox *in)
{
    if (!in)
        return;
    cache_close(in->ceiling);
    cache_close(in->popups);
    cache_close(in->scenes);
    cache_close(in->review_cache);
    cache_close(in->session_cache);
    cache_close(in->zone_cache);
    cache_close(in->last_said);
    free(in->log.text);
    arena_close(in->turn);
    arena_close(in->words);
    arena_close(in->process);
}

bool inbox_reload(struct inbox *in, const struct inbox_parts *parts, struct err *err)
{
    struct arena *before = in->words;
    if (!files_load(in, parts, true, err))
        return false;
    in->parts.default_rules = parts->default_rules;
    in->parts.default_language = parts->default_language;
    in->parts.operators = parts->operators;
    in->parts.think_ms = parts->think_ms;
    cache_clear(in->scenes);
    tell_menu(in);
    arena_close(before);
    return true;
}

struct inbox_caches inbox_caches(const struct inbox *in)
{
    return (struct inbox_caches){.rulesets = in->rulesets.cache ? cache_counts(in->rulesets.cache)
                                                                : (struct cache_counts){0},
                                 .sessions = cache_counts(in->session_cache),
                                 .reviews = cache_counts(in->review_cache)};
}

struct inbox_counts inbox_counts(const struct inbox *in)
{
    return (struct inbox_counts){in->counts.begun, in->counts.finished, in->log.n};
}

void inbox_set_counts(struct inbox *in, struct inbox_counts counts)
{
    in->counts = counts;
    in->log.n = counts.logged;
}

void inbox_log(struct inbox *in)
{
    in->n_counted = 0;
    log_release(&in->log);
}

/* ---- entries ---- */

void turn_chat_of_session(struct turn *t, struct str key)
{
    const struct session *s = t->world.named;
    for (int i = 0; i <= s->n_more; i++) {
        const struct venue *v = &s->venue[i];
        if (v->account != t->account->id || (key.n > 0 && !str_is(str_of(v->chat_key), key)))
            continue;
        t->event.chat = str_of(v->chat_key);
        t->event.direct = v->direct;
        facts_chat(t, t->event.chat, str_of(v->chat_name), v->direct);
        return;
    }
}

/* Begins a turn at the home of a session. Returns NULL if that fails, or if it is damaged, which is
 * noted. */
static struct turn *turn_of_session(struct inbox *in, int64_t session)
{
    struct store *store = in->parts.store;
    long long no = session;
    arena_reset(in->turn);
    const struct session_row *row = store_session(store, in->turn, session);
    if (row && row->damaged) {
        if (row->due != DUE_QUARANTINED)
            damage_note(in, session);
        if (!damage_noted(in, session))
            store_fail(store, "session %lld is damaged", no);
        return NULL;
    }
    const struct chat *chat =
        row && row->n_chats ? store_chat_by_id(store, in->turn, row->chat[0]) : NULL;
    const struct account *account = chat ? turn_account(in, chat->account) : NULL;
    if (!chat)
        store_fail(store, "session %lld: its chat is not there", no);
    else if (!account)
        store_fail(store, "session %lld: its network is not configured", no);
    return account ? turn_begin(in, account) : NULL;
}

/* True if what the player to move must learn about the match has not reached them: the network is away,
 * or has asked for a pause in the chat and they read no private messages either. */
static bool is_untold(struct turn *t, const struct session *s)
{
    int seat = session_turn(s);
    const struct player *p = seat >= 0 ? &s->player[seat] : NULL;
    const struct venue *v = p ? &s->venue[p->venue] : NULL;
    const struct account *own = p && p->id[0] ? turn_account(t->in, p->account) : NULL,
                         *chat = v ? turn_account(t->in, v->account) : NULL;
    if (!own || !chat)
        return false;
    const struct outgoing direct = {.where = TO_DIRECT, .to = str_of(p->id)};
    const struct person *person =
        store_person_by_network_id(t->store, t->arena, own->id, direct.to);
    bool reads = person && person->reachable && p->channel <= CHANNEL_DIRECT;
    const struct outbox *o = t->in->parts.outbox;
    enum outbox_wait there = outbox_waits(o, chat, str_of(v->chat_key), s->no);
    return there == WAITS || (there == WAITS_PASSED_ON && !reads) ||
           outbox_waits(o, own, outbox_post_key(t->arena, &direct), s->no) != WAITS_NOT;
}

void turn_of_session_event(struct inbox *in, enum verb verb, int64_t session, int64_t shift)
{
    struct turn *t = turn_of_session(in, session);
    if (!t)
        return;
    t->event.verb = verb;
    t->event.no = session;
    t->event.shift = shift;
    if (!facts_named(t, session)) {
        store_fail(t->store, "session %lld cannot be read", (long long)session);
        return;
    }
    for (int i = 0; inbox_features[i] && verb == VERB_CLOCK; i++)
        if (inbox_features[i]->timed && inbox_features[i]->timer == t->world.named->timer)
            t->event.verb = inbox_features[i]->timed;
    turn_chat_of_session(t, STR(""));
    facts_lists(t, FACT_HERE);
    t->world.untold = verb == VERB_CLOCK && is_untold(t, t->world.named);
    if (t->event.verb != verb)
        facts_load(t);
    settle_event(t);
}

void inbox_clock(struct inbox *in, int64_t session)
{
    turn_of_session_event(in, VERB_CLOCK, session, 0);
}

/* The time that it lay in quarantine counts for no clock. */
void inbox_take_back(struct inbox *in, int64_t session, int64_t at)
{
    struct store *store = in->parts.store;
    arena_reset(in->turn);
    struct session *s = arena_new(in->turn, struct session);
    const struct session_row *row = store_session(store, in->turn, session);
    if (!row) {
        store_fail(store, "match %lld is not in the store", (long long)session);
        return;
    }
    const char *wrong = session_read(row->line, &in->rulesets, s);
    if (wrong) {
        store_fail(store, "match %lld: its %s cannot be read", (long long)session, wrong);
        return;
    }
    store_take_back(store, in->turn, session, s->due);
    if (!store_failed(store))
        turn_of_session_event(in, VERB_MENDED, session, clock_now(in->parts.clock) - at);
}

void inbox_away(struct inbox *in, int64_t chat_id, int64_t move_ms, int64_t stopped_ms)
{
    struct turn *t = turn_begin_in(in, chat_id);
    if (!t)
        return;
    t->event.verb = VERB_DOWNTIME;
    t->event.shift = move_ms;
    t->event.stopped = stopped_ms;
    facts_lists(t, FACT_HERE);
    settle_event(t);
}

void inbox_job_done(struct inbox *in, const struct job_done *done)
{
    struct turn *t = turn_of_session(in, done->session);
    if (!t)
        return;
    t->event.no = done->session;
    t->event.version = done->version;
    switch ((enum job_kind)done->tag) {
    case JOB_HINT:
        t->event.verb = VERB_HINTED;
        t->event.words = done->output;
        break;
    case JOB_REVIEW_PAGE:
        (void)review_cache_put(in->review_cache, done->session, done->output);
        return;
    case JOB_REVIEW:
        t->event.verb = VERB_REVIEWED;
        t->world.review = review_cache_put(in->review_cache, done->session, done->output);
        break;
    case JOB_BEACON:
        t->event.verb = VERB_BEACON;
        t->event.words = done->output;
        break;
    case JOB_MOVE:
        t->event.verb = VERB_ADVICE;
        if (notation_read_move(done->output.p, done->output.n, &t->event.move) >= 0)
            store_fail(t->store, "the computer's move cannot be read");
        break;
    }
    if (!facts_named(t, done->session))
        return;
    if (t->event.verb == VERB_REVIEWED && t->world.review)
        settle_review(t, t->world.named, t->world.review);
    turn_chat_of_session(t, STR(""));
    facts_lists(t, FACT_HERE);
    settle_event(t);
}

/* ---- dates ---- */

static const struct inbox_feature *dated(int i)
{
    for (int k = 0; inbox_features[k]; k++)
        if (inbox_features[k]->due && i-- == 0)
            return inbox_features[k];
    return NULL;
}

const char *inbox_date_kind(int i)
{
    const struct inbox_feature *f = dated(i);
    return f ? f->date : NULL;
}

void inbox_date(struct inbox *in, int i, int64_t put_off)
{
    struct turn *t = dated(i)->due(in, put_off);
    if (t)
        settle_event(t);
}

/* ---- damaged matches ---- */

/* They are listed when found, and leave play in the transaction of the events (the store keeps
 * their remains), with one message to each chat where they were played. */
bool inbox_damaged(const struct inbox *in)
{
    return in->n_damaged > 0;
}

void inbox_forget_damaged(struct inbox *in)
{
    in->n_damaged = 0;
}

static void quarantine(struct inbox *in, int64_t session)
{
    enum { CHATS = 8 };
    struct arena *a = in->turn;
    const char *why = store_damage_why(in->parts.store, session);
    struct ids chats =
        store_quarantine_session(in->parts.store, a, session, clock_now(in->parts.clock),
                                 arena_print(a, "match %lld: %s", (long long)session, why));
    int64_t at[CHATS];
    int n = chats.n < CHATS ? chats.n : CHATS;
    if (store_failed(in->parts.store))
        return;
    log_line(LOG_ERROR, "match_damaged", "#match", arena_print(a, "%lld", (long long)session).p,
             "why", why, "now", "set aside in the table quarantine", NULL);
    for (int i = 0; i < n; i++)
        at[i] = chats.at[i];
    for (int i = 0; i < n; i++) {
        struct turn *t = turn_begin_in(in, at[i]);
        if (!t)
            continue;
        t->event.verb = VERB_DAMAGED;
        t->event.no = session;
        settle_event(t);
    }
}

void inbox_quarantine(struct inbox *in)
{
    int kept = 0;
    for (int i = 0; i < in->n_damaged; i++) {
        arena_reset(in->turn);
        const struct session_row *row = store_session(in->parts.store, in->turn, in->damaged[i]);
        if (store_failed(in->parts.store))
            return;
        if (!row || row->due == DUE_QUARANTINED)
            continue; /* an earlier transaction has done it */
        quarantine(in, in->damaged[i]);
        in->damaged[kept++] = in->damaged[i];
    }
    in->n_damaged = kept;
}
