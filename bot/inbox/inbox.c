/* See inbox.h. One path for everything: make an event, fetch the facts it needs, run bot_step, then
 * store, push and ask for what follows, all inside the caller's transaction.
 *
 * This file has the entries without an update: deadlines, jobs, undeliverable messages. */
#include "inbox_operator.h"

#include "badges_file.h"
#include "menu.h"
#include "ruleset_file.h"
#include "texts.h"
#include "zone.h"

enum {
    TURN_BYTES = 32 * 1024 * 1024,
    WORDS_BYTES = 32 * 1024 * 1024,
    ZONES_KEPT = 64,
    ZONE_BYTES = 256,
    MOST_CHATS = 4096,
    CHAT_BYTES = 256
};

/* ---- opening ---- */

static bool key_load(struct inbox *in, struct err *err)
{
    struct str saved;
    struct seed seed;
    if (!store_meta(in->parts.store, in->process, STR("press_key"), &saved, err))
        return false;
    if (saved.n == 0) {
        char hex[SEED_HEX_SIZE];
        in->parts.clock->chance(in->parts.clock->arg, seed.at, sizeof seed.at);
        chance_hex(&seed, hex);
        if (!store_set_meta(in->parts.store, STR("press_key"), str_of(hex), err))
            return false;
    } else if (!chance_read_seed(saved, &seed)) {
        return err_set(err, "the store's press_key is damaged");
    }
    memcpy(in->key, seed.at, sizeof in->key);
    return true;
}

/* Returns the number of rule sets; 0: the error says why. */
static int presets_load(const struct inbox_parts *parts, struct rules ret[static MAX_PRESETS],
                        struct err *err)
{
    char names[MAX_PRESETS][RULES_NAME_SIZE];
    int n = ruleset_file_names(parts->rules_dir, MAX_PRESETS, names);
    bool found = false;
    for (int i = 0; i < n; i++) {
        if (!ruleset_file_find(parts->rules_dir, str_of(names[i]), &ret[i], err))
            return 0;
        found |= str_is(str_of(names[i]), parts->default_rules);
    }
    if (!found)
        err_set(err, "there is no rule set \"%.*s\"", STR_ARG(parts->default_rules));
    return found ? n : 0;
}

/* Sets what is read from files, all of it or nothing. A catalogue with a fault is left out, unless
 * `strict`. */
static bool files_load(struct inbox *in, const struct inbox_parts *parts, bool strict,
                       struct err *err)
{
    struct arena *words = arena_open(WORDS_BYTES);
    struct rules *presets = arena_array(words, struct rules, MAX_PRESETS);
    struct languages languages;
    int n = 0;
    if (!texts_load(parts->texts_dir, parts->default_language, strict, words, &languages, err) ||
        (n = presets_load(parts, presets, err)) == 0) {
        arena_close(words);
        return false;
    }
    in->words = words;
    in->languages = languages;
    memcpy(in->presets, presets, (size_t)n * sizeof *presets);
    in->n_presets = n;
    return true;
}

static void tell_menu(struct inbox *in)
{
    const struct menu_entry *menu;
    int n = menu_of(&in->languages, in->words, &menu);
    for (int i = 0; i < in->parts.n_accounts; i++)
        if (in->parts.accounts[i].adapter->menu)
            in->parts.accounts[i].adapter->menu(in->parts.accounts[i].state, menu, n);
}

bool inbox_open(const struct inbox_parts *parts, struct inbox **ret, struct err *err)
{
    struct arena *process = arena_open(TURN_BYTES);
    struct inbox *in = arena_new(process, struct inbox);
    in->parts = *parts;
    in->process = process;
    in->forgetting = true;
    in->turn = arena_open(TURN_BYTES);
    in->session_cache = session_cache_open();
    in->review_cache = review_cache_open();
    in->zone_cache = cache_open(ZONES_KEPT, ZONES_KEPT * ZONE_BYTES);
    in->last_said = cache_open(MOST_CHATS, MOST_CHATS * CHAT_BYTES);
    in->ceiling = ceiling_open();
    if (!files_load(in, parts, false, err) || !badges_load(&in->badges, err) ||
        !key_load(in, err) || !operator_open(in, err) ||
        (store_checked(parts->store) && !damage_look(in, err))) {
        inbox_close(in);
        return false;
    }
    tell_menu(in);
    *ret = in;
    return true;
}

void inbox_close(struct inbox *in)
{
    if (!in)
        return;
    ceiling_close(in->ceiling);
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
    in->parts.rules_dir = parts->rules_dir;
    in->parts.texts_dir = parts->texts_dir;
    in->parts.default_rules = parts->default_rules;
    in->parts.default_language = parts->default_language;
    in->parts.operators = parts->operators;
    in->parts.think_ms = parts->think_ms;
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
    struct inbox_counts counts = in->counts;
    counts.logged = in->log.n;
    return counts;
}

void inbox_set_counts(struct inbox *in, struct inbox_counts counts)
{
    in->counts = counts;
    in->log.n = counts.logged;
}

void inbox_log(struct inbox *in)
{
    log_release(&in->log);
}

/* ---- entries ---- */

/* Sets the chat of an event without an update: the session's home or venue on this account. It
 * stays empty if the account shows only a hand of that session. */
static bool chat_of_session(struct turn *t)
{
    const struct session *s = t->world.named;
    for (int i = 0; i <= s->n_more; i++) {
        const struct venue *v = &s->venue[i];
        if (v->account != t->account->id)
            continue;
        t->event.chat = str_of(v->chat_key);
        t->event.direct = v->direct;
        return facts_chat(t, t->event.chat, str_of(v->chat_name), v->direct);
    }
    return true;
}

/* The account of a session's home. */
static const struct account *account_of(struct inbox *in, int64_t session, struct err *err)
{
    struct session_row row;
    struct chat chat;
    bool found = false;
    if (!store_session(in->parts.store, in->turn, session, &row, &found, err))
        return NULL;
    if (found && row.damaged) {
        if (row.due != DUE_ASIDE)
            turn_note_damaged(in, session);
        err_set(err, "session %lld is damaged", (long long)session);
        return NULL;
    }
    if (!found || row.n_chats == 0 ||
        !store_chat_by_id(in->parts.store, in->turn, row.chat[0], &chat, &found, err) || !found) {
        err_set(err, "session %lld: its chat is not there", (long long)session);
        return NULL;
    }
    const struct account *account = turn_account(in, chat.account);
    if (!account)
        err_set(err, "session %lld: its network is not configured", (long long)session);
    return account;
}

/* An event of the session itself, at its home. */
static bool session_event(struct inbox *in, enum verb verb, int64_t session, int64_t away,
                          struct err *err)
{
    bool found;
    arena_reset(in->turn);
    const struct account *account = account_of(in, session, err);
    if (!account)
        return turn_noted_damaged(in, session);
    struct turn *t = turn_begin(in, account, err);
    t->event.verb = verb;
    t->event.no = session;
    t->event.shift = away;
    if (!facts_named(t, session, &found))
        return false;
    if (!found)
        return err_set(err, "session %lld cannot be read", (long long)session);
    bool seeks = verb == VERB_CLOCK && t->world.named->timer == TIMER_SEEK;
    if (seeks)
        t->event.verb = VERB_SEEK_AGAIN;
    return chat_of_session(t) && facts_lists(t, FACT_HERE) &&
           (!seeks || (facts_open(t) && facts_seeks(t))) && settle_event(t);
}

bool inbox_clock(struct inbox *in, int64_t session, struct err *err)
{
    return session_event(in, VERB_CLOCK, session, 0, err);
}

/* The time that it lay aside counts for no clock. */
bool inbox_take_back(struct inbox *in, int64_t session, int64_t at, struct err *err)
{
    struct session_row row;
    bool found;
    arena_reset(in->turn);
    struct session *s = arena_new(in->turn, struct session);
    if (!store_session(in->parts.store, in->turn, session, &row, &found, err))
        return false;
    if (!found)
        return err_set(err, "match %lld is not in the store", (long long)session);
    const char *wrong = session_read(row.line, &in->rulesets, s);
    if (wrong)
        return err_set(err, "match %lld: its %s cannot be read", (long long)session, wrong);
    return store_take_back(in->parts.store, in->turn, session, s->due, &row, err) &&
           session_event(in, VERB_MENDED, session, clock_now(in->parts.clock) - at, err);
}

/* The next way that a refused message for one person allows. Returns false if there is none. */
static bool next_way(struct outgoing *out)
{
    if (out->kind != OUT_POST || (out->slot.n > 0 && !out->aside) || out->to.n == 0)
        return false;
    if (out->where == TO_WHISPER && out->or_direct) {
        out->where = TO_DIRECT;
        out->group = out->chat;
        out->chat = out->press = (struct str){0};
        return true;
    }
    if (out->where == TO_CHAT || !out->or_aloud)
        return false;
    out->chat = out->where == TO_DIRECT ? out->group : out->chat;
    out->where = TO_CHAT;
    out->press = (struct str){0};
    if (out->aloud.n > 0) {
        int n = 0;
        for (int i = 0; i < out->n_buttons; i++)
            if (out->buttons[i].style == BUTTON_LINK)
                out->buttons[n++] = out->buttons[i];
        out->n_buttons = n;
        out->text = out->aloud;
        out->file_name = out->file = (struct str){0};
    }
    return out->chat.n > 0;
}

bool inbox_never(struct inbox *in, const struct account *on, const struct outgoing *out,
                 const struct receipt *receipt, struct err *err)
{
    bool found;
    struct turn *t = turn_begin(in, on, err);
    int64_t no = turn_session_of_slot(out->slot, STR("hand"));
    struct outgoing next = *out;
    if (receipt->why == NEVER_UNREACHABLE && next_way(&next))
        return outbox_push(in->parts.outbox, on, &next, err);
    if (receipt->why != NEVER_UNREACHABLE || no == 0 || out->to.n == 0 || out->replace_only)
        return true;
    t->event.verb = VERB_UNREACHABLE;
    t->event.no = no;
    t->event.where = out->where;
    t->event.press = arena_str(in->turn, out->press);
    t->event.from.id = arena_str(in->turn, out->to);
    if (!facts_named(t, no, &found))
        return false;
    if (!found || !chat_of_session(t))
        return !found;
    if (!store_person_by_network_id(in->parts.store, in->turn, on->id, t->event.from.id, &t->me,
                                    &found, err))
        return false;
    t->world.me.person = found ? t->me.who : 0;
    return settle_event(t);
}

bool inbox_away(struct inbox *in, int64_t chat_id, int64_t move_ms, int64_t stopped_ms,
                struct err *err)
{
    struct turn *t;
    if (!turn_begin_in(in, chat_id, &t, err))
        return false;
    if (!t)
        return true;
    t->event.verb = VERB_DOWNTIME;
    t->event.shift = move_ms;
    t->event.stopped = stopped_ms;
    return facts_chat(t, t->event.chat, (struct str){0}, t->event.direct) &&
           facts_lists(t, FACT_HERE) && settle_event(t);
}

/* Fills the event with the result of a job. */
static bool answer_of(struct turn *t, enum job_kind kind, struct str output)
{
    switch (kind) {
    case JOB_HINT:
        t->event.verb = VERB_HINTED;
        t->event.words = output;
        return true;
    case JOB_REVIEW:
        t->event.verb = VERB_REVIEWED;
        t->world.review = review_cache_put(t->in->review_cache, t->event.no, output);
        return true;
    case JOB_BEACON:
        t->event.verb = VERB_BEACON;
        t->event.words = output;
        return true;
    case JOB_MOVE:
        break;
    }
    t->event.verb = VERB_ADVICE;
    return notation_read_move(output.p, output.n, &t->event.move) < 0 ||
           err_set(t->err, "the computer's move cannot be read");
}

bool inbox_job_done(struct inbox *in, const struct job_done *done, struct err *err)
{
    bool found;
    arena_reset(in->turn);
    struct str output = done->output;
    const struct account *account = account_of(in, done->session, err);
    if (!account)
        return turn_noted_damaged(in, done->session);
    struct turn *t = turn_begin(in, account, err);
    t->event.no = done->session;
    t->event.version = done->version;
    if (!answer_of(t, (enum job_kind)done->tag, output))
        return false;
    if (!facts_named(t, done->session, &found) || !found)
        return !found;
    if (t->event.verb == VERB_REVIEWED && t->world.review &&
        !results_review(t, t->world.named, t->world.review))
        return false;
    return chat_of_session(t) && facts_lists(t, FACT_HERE) && settle_event(t);
}
