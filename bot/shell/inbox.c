/* See inbox.h. One path for everything: an event is made, the facts it needs are fetched, bot_step says
 * what follows, and all of it is stored, pushed and asked for inside the caller's transaction.
 *
 * Here are the doors: what happened becomes an event. inbox_facts.c fetches, inbox_settle.c does the rest. */
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

/* ---- events ---- */

static struct taking *begin(struct inbox *in, const struct account *account, struct err *err)
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

/* Who is named by a handle alone has a name all the same, which is not said here: it stays empty. */
static void sender_clean(struct taking *t, const struct sender *from, struct sender *ret)
{
    bool unsaid = from->name.n == 0 && from->id.n == 0 && from->handle.n > 0;
    *ret = *from;
    if (!unsaid)
        ret->name =
            text_clean(t->in->turn, from->name.n > 0 ? from->name : from->handle, NAME_COLUMNS);
    ret->handle = from->handle.n > 0 ? text_clean(t->in->turn, from->handle, HANDLE_SIZE - 1)
                                     : (struct str){0};
    if (ret->id.n >= NETWORK_ID_SIZE)
        ret->id = (struct str){0};
}

static void event_of(struct taking *t, const struct update *u)
{
    struct event *e = &t->event;
    e->chat = u->chat;
    e->chat_name =
        u->chat_name.n > 0 ? text_clean(t->in->turn, u->chat_name, NAME_COLUMNS) : (struct str){0};
    e->direct = u->direct;
    e->admin = u->admin;
    e->for_us = u->direct || t->account->limits.prefix.n > 0;
    e->post = u->post;
    e->said = u->said;
    sender_clean(t, &u->from, &e->from);
    e->id = u->id.n > 0 ? u->id : arena_print(t->in->turn, "t%lld", (long long)e->now);
    e->n_mentions = u->n_mentions;
    for (int i = 0; i < u->n_mentions; i++)
        sender_clean(t, &u->mention[i], &e->mention[i]);
}

static void press_take(struct taking *t, const struct update *u)
{
    struct event *e = &t->event;
    struct press p;
    e->pressed = true;
    e->press = u->press;
    if (!press_read(t->in->key, u->text, &p)) {
        e->verb = VERB_FORGED;
        return;
    }
    e->verb = p.verb;
    e->no = p.no;
    e->version = p.version;
    e->index = p.index;
    if (p.verb == VERB_PLAY)
        e->words = arena_print(t->in->turn, "%lld", (long long)p.index);
    if (p.verb == VERB_INVITE) { /* it names no match, but a person */
        e->no = 0;
        e->index = p.no;
    }
}

/* A button asks for "hand 12". */
static void query_take(struct event *e, const struct update *u)
{
    int64_t no;
    e->verb = VERB_QUERY;
    e->press = u->press;
    e->words = u->text;
    if (str_starts(u->text, STR("hand ")) && str_int(str_skip(u->text, 5), &no) && no > 0)
        e->no = no;
}

/* A link under a board brings "/start h_12". */
static void start_take(struct event *e)
{
    int64_t no;
    if (e->verb == VERB_START && str_starts(e->words, STR("h_")) &&
        str_int(str_skip(e->words, 2), &no) && no > 0)
        e->no = no;
}

/* "/join 12-k7qfm2xa": the challenge it is about; a number alone opens nothing. Without a code it means
 * to accept. */
static void join_take(struct taking *t)
{
    struct event *e = &t->event;
    if (e->verb != VERB_JOIN)
        return;
    if (e->words.n == 0)
        e->verb = VERB_ACCEPT;
    else if (!join_read(t->in->key, e->words, t->in->turn, &e->no))
        e->no = 0;
}

static void text_take(struct taking *t, const struct update *u)
{
    const struct texts *texts[] = {texts_for(&t->in->languages, str_of(t->world.prefs.language)),
                                   texts_for(&t->in->languages, str_of(t->world.settings.language)),
                                   t->in->languages.at[0]};
    command_read(texts, 3, t->in->turn, u->text, &t->event);
    t->event.press = u->press; /* typed unseen: so must the answer be */
    start_take(&t->event);
    join_take(t);
}

/* "hand:12:0", "board:12": the session that a slot of this kind belongs to, 0 if none. */
static int64_t session_of_slot(struct str slot, struct str kind)
{
    int64_t no;
    struct str rest, what = str_cut(slot, ':', &rest);
    return str_is(what, kind) && str_int(str_cut(rest, ':', &rest), &no) && no > 0 ? no : 0;
}

/* A number under a message: of the match whose hand or board that is now. In private it may also be the answer
 * to a question, or the hand is not the newest any more; elsewhere it means nothing to us. */
static bool reaction_take(struct taking *t, const struct update *u)
{
    struct store *store = t->in->parts.store;
    struct event *e = &t->event;
    const struct outgoing to_them = {.where = TO_DIRECT, .to = u->from.id};
    struct str own = outbox_place(t->in->turn, &to_them), slot;
    if (!store_slot(store, t->in->turn, t->account->id, own, u->post, &slot, t->err) ||
        (slot.n == 0 &&
         !store_slot(store, t->in->turn, t->account->id, u->chat, u->post, &slot, t->err)))
        return false;
    e->no = session_of_slot(slot, STR("hand"));
    if (e->no == 0)
        e->no = session_of_slot(slot, STR("board"));
    e->under = e->no > 0 ? UNDER_HAND : UNDER_OTHER;
    if (e->no == 0 && !u->direct)
        e->verb = VERB_NONE;
    return true;
}

/* ---- doors ---- */

bool inbox_take(struct inbox *in, const struct account *from, const struct update *u,
                struct err *err)
{
    bool is_new = true;
    struct taking *t = begin(in, from, err);
    if (u->id.n > 0 && !store_hear(in->parts.store, from->id, u->id, t->event.now, &is_new, err))
        return false;
    if (!is_new)
        return true;
    if (u->kind == UPDATE_MOVED)
        return store_move_chat(in->parts.store, from->id, u->chat, u->text, err);
    if (u->chat.n == 0 || u->chat.n >= CHAT_KEY_SIZE)
        return true;
    event_of(t, u);
    if (u->kind == UPDATE_TEXT) { /* chatter costs nothing more than its mark */
        struct event probe = t->event;
        command_read((const struct texts *const *)in->languages.at, in->languages.n, in->turn,
                     u->text, &probe);
        if (probe.verb == VERB_NONE)
            return true;
    }
    if (!facts_chat(t, u->chat, t->event.chat_name, u->direct) || !facts_person(t))
        return false;
    switch (u->kind) {
    case UPDATE_TEXT:
        text_take(t, u);
        if (u->reacted && !reaction_take(t, u))
            return false;
        if (t->event.verb == VERB_NONE)
            return true;
        break;
    case UPDATE_PRESS:
        press_take(t, u);
        break;
    case UPDATE_JOINED:
        t->event.verb = VERB_JOINED;
        break;
    case UPDATE_BLOCKED:
        return t->me.id == 0 ||
               store_set_direct(in->parts.store, t->me.id, (struct str){0}, false, err);
    case UPDATE_LEFT:
        t->event.verb = VERB_LEFT;
        break;
    case UPDATE_RIGHTS:
        t->event.verb = str_is(u->text, STR("encrypted")) ? VERB_CANNOT_READ : VERB_RIGHTS;
        break;
    case UPDATE_QUERY:
        query_take(&t->event, u);
        break;
    case UPDATE_MOVED:
        return true;
    }
    return facts_load(t) && settle_event(t);
}

/* Where something happens that nobody said: the session's home, or its venue on this account; nowhere, if
 * somebody's hand alone is shown there. */
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
    struct taking *t = begin(in, account, err);
    t->event.verb = VERB_CLOCK;
    t->event.no = session;
    if (!facts_named(t, session, &found))
        return false;
    if (!found)
        return err_set(err, "session %lld cannot be read", (long long)session);
    t->event.id = arena_print(in->turn, "clock-%lld", (long long)t->world.named->due);
    return chat_of_session(t) && facts_lists(t, FACT_HERE) && settle_event(t);
}

/* A message for one person was refused: the next way of saying it that it allows; false: there is none. */
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
    struct taking *t = begin(in, on, err);
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
    struct taking *t = begin(in, account, err);
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
    struct taking *t = begin(in, account, err);
    t->event.no = done->session;
    t->event.version = done->version;
    if (!answer_of(t, (enum job_kind)done->tag, output))
        return false;
    if (!facts_named(t, done->session, &found) || !found)
        return !found;
    t->event.id = arena_print(in->turn, "computer-%lld", (long long)done->version);
    return chat_of_session(t) && facts_lists(t, FACT_HERE) && settle_event(t);
}
