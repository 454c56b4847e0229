/* See inbox.h. One path for everything: an event is made, the facts it needs are fetched, bot_step
 * says what follows, and all of it is stored, pushed and asked for inside the caller's transaction.
 *
 * Here are the doors for what nobody said: clock, jobs, what cannot be delivered. inbox_hear.c has
 * the one for updates. inbox_facts.c fetches, inbox_settle.c does the rest. */
#include "inbox_parts.h"

#include "menu.h"
#include "ruleset_file.h"
#include "texts.h"
#include "zone.h"

enum { TURN_BYTES = 32 * 1024 * 1024 };

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

static bool presets_load(struct inbox *in, struct err *err)
{
    char names[MAX_PRESETS][RULES_NAME_SIZE];
    int n = ruleset_file_names(in->parts.rules_dir, MAX_PRESETS, names);
    bool found = false;
    for (int i = 0; i < n; i++) {
        if (!ruleset_file_find(in->parts.rules_dir, str_of(names[i]), &in->presets[i], err))
            return false;
        found |= str_is(str_of(names[i]), in->parts.default_rules);
    }
    in->n_presets = n;
    return found || err_set(err, "there is no rule set \"%.*s\"", STR_ARG(in->parts.default_rules));
}

static void tell_menu(struct inbox *in)
{
    const struct menu_entry *menu;
    int n = menu_of(&in->languages, in->process, &menu);
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
    in->turn = arena_open(TURN_BYTES);
    in->recall = recall_open();
    if (!texts_load(parts->texts_dir, parts->default_language, process, &in->languages, err) ||
        !presets_load(in, err) || !key_load(in, err)) {
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
    lessons_free(&in->lessons);
    recall_close(in->recall);
    arena_close(in->turn);
    arena_close(in->process);
}

/* ---- doors ---- */

struct taking *taking_begin(struct inbox *in, const struct account *account, struct err *err)
{
    arena_reset(in->turn);
    struct taking *t = arena_new(in->turn, struct taking);
    t->in = in;
    t->account = account;
    t->err = err;
    t->event.account = account->id;
    t->event.version = t->event.index = -1;
    t->event.now = clock_now(in->parts.clock);
    in->parts.clock->chance(in->parts.clock->arg, t->event.chance, sizeof t->event.chance);
    t->world = (struct world){.languages = &in->languages,
                              .n_presets = in->n_presets,
                              .presets = in->presets,
                              .made = &in->made,
                              .default_rules = in->parts.default_rules,
                              .default_language = in->parts.default_language,
                              .can = account->can,
                              .zone_ok = true};
    chat_settings_default(&t->world.settings);
    return t;
}

/* Where something happens that nobody said: the session's home, or its venue on this account;
 * nowhere, if somebody's hand alone is shown there. */
static bool chat_of_session(struct taking *t)
{
    const struct session *s = t->world.named;
    for (int i = 0; i <= s->n_more; i++) {
        const struct venue *v = session_venue(s, i);
        if (v->account != t->account->id)
            continue;
        t->event.chat = str_of(v->chat_key);
        t->event.direct = v->direct;
        return facts_chat(t, t->event.chat, str_of(v->chat_name), v->direct);
    }
    return true;
}

const struct account *account_by_id(const struct inbox *in, int64_t account)
{
    for (int i = 0; i < in->parts.n_accounts; i++)
        if (in->parts.accounts[i].id == account)
            return &in->parts.accounts[i];
    return NULL;
}

/* The account of a session's home. */
static const struct account *account_of(struct inbox *in, int64_t session, struct err *err)
{
    struct session_row row;
    struct chat chat;
    bool found = false;
    if (!store_session(in->parts.store, in->turn, session, &row, &found, err))
        return NULL;
    if (!found || row.n_chats == 0 ||
        !store_chat_by_id(in->parts.store, in->turn, row.chat[0], &chat, &found, err) || !found) {
        err_set(err, "session %lld: its chat is not there", (long long)session);
        return NULL;
    }
    const struct account *account = account_by_id(in, chat.account);
    if (!account)
        err_set(err, "session %lld: its network is not configured", (long long)session);
    return account;
}

bool inbox_clock(struct inbox *in, int64_t session, struct err *err)
{
    bool found;
    arena_reset(in->turn);
    const struct account *account = account_of(in, session, err);
    if (!account)
        return false;
    struct taking *t = taking_begin(in, account, err);
    t->event.verb = VERB_CLOCK;
    t->event.no = session;
    if (!facts_named(t, session, &found))
        return false;
    if (!found)
        return err_set(err, "session %lld cannot be read", (long long)session);
    t->event.id = arena_print(in->turn, "clock-%lld", (long long)t->world.named->due);
    return chat_of_session(t) && facts_lists(t, FACT_HERE) && settle_event(t);
}

/* A message for one person was refused: the next way of saying it that it allows; false: there is
 * none. */
static bool next_way(struct outgoing *out)
{
    if (out->kind != OUT_POST || out->slot.n > 0 || out->to.n == 0)
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
        out->text = out->aloud;
        out->n_buttons = 0;
    }
    return out->chat.n > 0;
}

bool inbox_never(struct inbox *in, const struct account *on, const struct outgoing *out,
                 const struct receipt *receipt, struct err *err)
{
    bool found;
    struct taking *t = taking_begin(in, on, err);
    int64_t no = session_of_slot(out->slot, STR("hand"));
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
    t->world.me = found ? t->me.who : 0;
    return settle_event(t);
}

bool inbox_away(struct inbox *in, int64_t chat_id, int64_t away_ms, struct err *err)
{
    struct chat chat;
    bool found;
    arena_reset(in->turn);
    if (!store_chat_by_id(in->parts.store, in->turn, chat_id, &chat, &found, err))
        return false;
    const struct account *account = found ? account_by_id(in, chat.account) : NULL;
    if (!account)
        return true;
    char key[CHAT_KEY_SIZE];
    bool direct = chat.direct;
    NAME_PUT(key, chat.key);
    struct taking *t = taking_begin(in, account, err);
    t->event.verb = VERB_AWAY;
    t->event.away = away_ms;
    t->event.chat = arena_str(in->turn, str_of(key));
    t->event.direct = direct;
    return facts_chat(t, t->event.chat, (struct str){0}, direct) && facts_lists(t, FACT_HERE) &&
           settle_event(t);
}

/* What was computed, as an event. */
static bool answer_of(struct taking *t, enum job_kind kind, struct str output)
{
    switch (kind) {
    case JOB_HINT:
        t->event.verb = VERB_HINTED;
        t->event.words = output;
        return true;
    case JOB_LESSON:
        t->event.verb = VERB_REVIEWED;
        t->world.lesson = lessons_keep(&t->in->lessons, t->event.no, t->event.now, output);
        return true;
    case JOB_MOVE:
        break;
    }
    t->event.verb = VERB_ADVICE;
    return note_read_move(output.p, output.n, &t->event.move) < 0 ||
           err_set(t->err, "the computer's move cannot be read");
}

bool inbox_job_done(struct inbox *in, const struct job_done *done, struct err *err)
{
    bool found;
    arena_reset(in->turn);
    struct str output = done->output;
    const struct account *account = account_of(in, done->session, err);
    if (!account)
        return false;
    struct taking *t = taking_begin(in, account, err);
    t->event.no = done->session;
    t->event.version = done->version;
    if (!answer_of(t, (enum job_kind)done->tag, output))
        return false;
    if (!facts_named(t, done->session, &found) || !found)
        return !found;
    t->event.id = arena_print(in->turn, "computer-%lld", (long long)done->version);
    return chat_of_session(t) && facts_lists(t, FACT_HERE) && settle_event(t);
}
