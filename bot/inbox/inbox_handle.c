/* See inbox.h. Updates become events; those without a meaning for the bot end here. */
#include "inbox_features.h"

#include "keyword.h"
#include "typed.h"

#include "store_tournament.h"

#include <stdio.h>

/* The name to show is clean; the handle, then "somebody", stand in for one that shows as nothing. So
 * they do for a number that is the person's id. The name of a sender named by a handle alone is
 * unknown, and stays empty. */
static void sender_clean(struct turn *t, const struct sender *from, struct sender *ret)
{
    const struct str names[] = {from->name, from->handle};
    struct str shown = {0};
    int64_t number;
    *ret = *from;
    for (int i = 0; i < 2 && shown.n == 0; i++) {
        if (str_is(names[i], from->id) && str_int(names[i], &number))
            continue;
        struct str clean = text_clean(t->arena, names[i], NAME_COLUMNS);
        if (!str_is(clean, STR("?")) || str_is(str_trim(names[i]), STR("?")))
            shown = clean;
    }
    if (shown.n == 0)
        shown = text_make(texts_for(&t->in->languages, from->language), t->arena, T_SOMEBODY, 0,
                          NULL, 0);
    if (from->name.n > 0 || from->id.n > 0 || from->handle.n == 0)
        ret->name = shown;
    ret->handle =
        from->handle.n > 0 ? text_clean(t->arena, from->handle, HANDLE_SIZE - 1) : (struct str){0};
    if (ret->id.n >= NETWORK_ID_SIZE)
        ret->id = (struct str){0};
}

static void event_of(struct turn *t, const struct update *u)
{
    struct event *e = &t->event;
    e->chat = u->chat;
    e->chat_name =
        u->chat_name.n > 0 ? text_clean(t->arena, u->chat_name, NAME_COLUMNS) : (struct str){0};
    e->direct = u->direct;
    e->admin = u->admin;
    e->addressed = u->addressed;
    e->for_us = u->direct || u->addressed || t->account->limits.prefix.n > 0;
    e->said = u->said;
    sender_clean(t, &u->from, &e->from);
    e->operates = operator_sends(t);
    e->n_mentions = u->n_mentions;
    for (int i = 0; i < u->n_mentions; i++)
        sender_clean(t, &u->mention[i], &e->mention[i]);
    if (u->unnamed.n > 0)
        e->unnamed = text_clean(t->arena, u->unnamed, NAME_COLUMNS);
    e->n_choices = u->n_choices;
    for (int i = 0; i < u->n_choices; i++)
        sender_clean(t, &u->choice[i], &e->choice[i]);
}

static void read_press(struct turn *t, const struct update *u)
{
    struct event *e = &t->event;
    struct press p;
    e->pressed = true;
    e->press = u->press;
    t->page = u->page;
    if (!press_read(t->in->key, u->text, &p)) {
        e->verb = VERB_FORGED;
        return;
    }
    e->verb = p.verb;
    e->no = p.no;
    e->version = p.version;
    e->index = p.index;
    if (p.verb == VERB_PLAY || p.verb == VERB_INVITE)
        e->words = arena_print(t->arena, "%lld", (long long)p.index);
    if (p.verb == VERB_INVITE) { /* its number is a person, not a match */
        e->no = 0;
        e->index = p.no;
    }
}

static void read_text(struct turn *t, const struct update *u)
{
    struct event *e = &t->event;
    const struct texts *texts[] = {
        texts_for(&t->in->languages, str_of(t->world.me.prefs.language)),
        texts_for(&t->in->languages, str_of(t->world.chat.settings.language)),
        t->in->languages.at[0], texts_for(&t->in->languages, STR("en"))}; /* as in the docs */
    int64_t no;
    command_read(texts, 4, t->arena, u->text, e);
    e->press = u->press; /* a command typed unseen gets its answer unseen */
    /* a link under a board brings "/start h_12", one that opens the private chat for a record
     * "/start o_12" */
    bool record = e->verb == VERB_START && str_starts(e->words, STR("o_"));
    if ((record || (e->verb == VERB_START && str_starts(e->words, STR("h_")))) &&
        str_int(str_skip(e->words, 2), &no) && no > 0) {
        e->no = no;
        if (record) {
            e->verb = VERB_EXPORT;
            e->words = STR("");
        }
    }
    /* "/join 12-k7qfm2xa" names a challenge with its code; a number alone is not enough. "/join"
     * without a code is "/accept". */
    if (e->verb == VERB_JOIN && e->words.n == 0)
        e->verb = VERB_ACCEPT;
    else if (e->verb == VERB_JOIN &&
             !join_code_read(t->in->key, VERB_JOIN, e->words, t->arena, &e->no))
        e->no = 0;
    for (int i = 0; inbox_features[i]; i++)
        if (inbox_features[i]->reads)
            inbox_features[i]->reads(t);
    /* "/end 12" names a match, "/unban 12" a person */
    if (commands[e->verb].permitted == FOR_OPERATORS && e->no == 0 && str_int(e->words, &no) &&
        no > 0)
        e->no = no;
}

/* A sign as a reaction counts under the messages that ask for it. Returns false for another
 * text. */
static bool read_sign(struct event *e, struct str slot, struct str sign)
{
    static const struct {
        struct str slot, sign;
        enum verb verb;
    } rows[] = {
        {{"offer", 5}, {"yes", 3}, VERB_ACCEPT},     {{"offer", 5}, {"no", 2}, VERB_DECLINE},
        {{"round", 5}, {"yes", 3}, VERB_READY},      {{"match", 5}, {"again", 5}, VERB_REMATCH},
        {{"deaf", 4}, {"yes", 3}, VERB_CANNOT_READ},
    };
    if (!str_is(sign, STR("yes")) && !str_is(sign, STR("no")) && !str_is(sign, STR("again")))
        return false;
    e->verb = VERB_NONE;
    e->under = UNDER_OTHER;
    e->words = (struct str){0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows && e->verb == VERB_NONE; i++) {
        e->no = turn_session_of_slot(slot, rows[i].slot);
        if (e->no > 0 && str_is(sign, rows[i].sign))
            e->verb = rows[i].verb;
    }
    if (e->verb == VERB_CANNOT_READ) /* its number is a chat */
        e->no = 0;
    return true;
}

/* A number as a reaction belongs to the match whose hand or board that message is. In private it
 * may also answer a question or stand under an old hand; in a group it is ignored then. */
static void read_reaction(struct turn *t, const struct update *u)
{
    struct event *e = &t->event;
    const struct outgoing to_them = {.where = TO_DIRECT, .to = u->from.id};
    struct str own = outbox_post_key(t->arena, &to_them);
    struct str slot = store_slot(t->store, t->arena, t->account->id, own, u->post);
    if (slot.n == 0)
        slot = store_slot(t->store, t->arena, t->account->id, u->chat, u->post);
    if (read_sign(e, slot, u->text))
        return;
    e->no = turn_session_of_slot(slot, STR("hand"));
    if (e->no == 0)
        e->no = turn_session_of_slot(slot, STR("board"));
    e->under = e->no > 0 ? UNDER_HAND : UNDER_OTHER;
    if (e->no == 0 && !u->direct)
        e->verb = VERB_NONE;
}

/* The news may come twice, and the outbox may have found out first: then the chat is there already,
 * and what stood in the old one is shown if nothing stands in the new. */
static void chat_moved(struct turn *t, const struct update *u)
{
    int64_t account = t->account->id;
    bool moved = store_move_chat(t->store, account, u->chat, u->text);
    if (u->text.n == 0 || u->text.n >= CHAT_KEY_SIZE ||
        (!moved && !store_chat_is_bare(t->store, account, u->text)))
        return;
    event_of(t, u);
    t->event.chat = u->text;
    t->event.verb = VERB_MOVED;
    facts_chat(t, u->text, t->event.chat_name, u->direct);
    facts_load(t);
    settle_event(t);
}

/* Somebody has left the chat, or joined it again. */
static void person_gone(struct turn *t, bool gone)
{
    const struct person *p =
        store_person_by_network_id(t->store, t->arena, t->account->id, t->event.from.id);
    if (!p || t->event.direct || (!gone && !person_has_left(p, t->chat.id)))
        return;
    store_set_left(t->store, p, t->chat.id, gone);
    t->me = *p;
    facts_me(t); /* a seat takes them over */
    t->event.verb = gone ? VERB_GONE : VERB_BACK;
    facts_load(t);
    settle_event(t);
}

/* ---- the ceiling ---- */

struct commands_counted {
    int64_t since;
    uint32_t n;
};

static struct commands_counted counted_find(struct cache *c, uint64_t key, int64_t mono)
{
    struct commands_counted now = {.since = mono};
    (void)cache_read(c, (struct cache_key){.no = (int64_t)key}, &now, sizeof now);
    return now;
}

static void counted_put(struct cache *c, uint64_t key, struct commands_counted now)
{
    CACHE_KEEP(c, (struct cache_key){.no = (int64_t)key}, BYTES_OF(now));
}

enum ceiling_verdict ceiling_count(struct cache *c, uint64_t key, uint32_t weight, int64_t mono)
{
    struct commands_counted now = counted_find(c, key, mono);
    if (mono >= now.since + CEILING_MS)
        now = (struct commands_counted){.since = mono};
    bool above = now.n > CEILING_COMMANDS;
    now.n += weight;
    counted_put(c, key, now);
    return above ? CEILING_ABOVE : now.n > CEILING_COMMANDS ? CEILING_REACHED : CEILING_BELOW;
}

void ceiling_forgive(struct cache *c, uint64_t key, uint32_t weight)
{
    struct commands_counted now = counted_find(c, key, 0);
    now.n -= now.n < weight ? now.n : weight;
    counted_put(c, key, now);
}

void inbox_undo(struct inbox *in)
{
    for (int i = 0; i < in->n_counted; i++)
        ceiling_forgive(in->ceiling, in->counted[i], in->added[i]);
    in->n_counted = 0;
}

/* True of a command that only admins may give; of its buttons, those that change something. */
static bool wants_admin(const struct event *e)
{
    return commands[e->verb].permitted == FOR_ADMINS && (!e->pressed || e->index > 0);
}

/* One person's commands in one chat have a ceiling where the bot's messages have one. Legal moves do
 * not count, and those by button pass even above it. Any other button is answered, for the network
 * waits for it: by a popup, which costs no message. */
static void settle_allowed(struct turn *t, const struct update *u)
{
    struct event *e = &t->event;
    enum verb verb = e->verb;
    uint64_t key = str_hash(e->from.id) ^ ((uint64_t)t->chat.id + 1) * 0x9e3779b97f4a7c15u;
    bool move = verb == VERB_MOVE || verb == VERB_PLAY || verb == VERB_NUMBER ||
                verb == VERB_KOIKOI || verb == VERB_STOP || verb == VERB_DECLARE ||
                verb == VERB_REDEAL; /* if it is legal */
    bool free = move && e->pressed;
    bool posts = commands[verb].posts;
    bool limited = t->account->limits.per_chat_minute > 0;
    if (operator_bans(t)) {
        if (e->verb != VERB_NONE)
            settle_event(t);
        return;
    }
    bool asks = u->ask_admin && wants_admin(e); /* of the network, whose calls all chats share */
    if (limited && !t->answered) {
        const uint32_t weight = posts ? CEILING_POST : asks ? CEILING_ASK : 1;
        enum ceiling_verdict v =
            ceiling_count(t->in->ceiling, key, weight, clock_mono(t->in->parts.clock));
        if (t->in->n_counted < COUNTED_MOST) {
            t->in->counted[t->in->n_counted] = key;
            t->in->added[t->in->n_counted++] = weight;
        }
        bool popup = e->pressed && e->press.n > 0 && (t->account->can & CAN_POPUP);
        if (v == CEILING_ABOVE && !free && !popup)
            return;
        if (v != CEILING_BELOW && !free)
            e->verb = VERB_TOO_MANY;
    }
    if (asks && e->verb == verb) {
        turn_ask(t, OUT_ASK, STR(""));
        return;
    }
    facts_load(t);
    settle_event(t);
    if (limited && move && t->taken) {
        ceiling_forgive(t->in->ceiling, key, 1);
        if (t->in->n_counted > 0 && t->in->counted[t->in->n_counted - 1] == key)
            t->in->added[t->in->n_counted - 1]--;
    }
}

static enum verb rights_verb(struct str what)
{
    static const struct {
        struct str what;
        enum verb verb;
    } rows[] = {{{"encrypted", 9}, VERB_CANNOT_READ}, {{"mute", 4}, VERB_CANNOT_WRITE},
                {{"space", 5}, VERB_IN_SPACE},        {{"crowded", 7}, VERB_CROWDED},
                {{"unread", 6}, VERB_UNREAD},         {{"unable", 6}, VERB_UNABLE},
                {{"compare", 7}, VERB_COMPARE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (str_is(what, rows[i].what))
            return rows[i].verb;
    return VERB_RIGHTS;
}

/* An answer to a challenge is for the bot, whether it mentions the bot or not. */
static bool answers_offer(struct turn *t, const struct update *u)
{
    if (u->kind != UPDATE_TEXT || u->direct || u->addressed || u->reacted || u->post.n == 0)
        return false;
    struct str slot = store_slot(t->store, t->arena, t->account->id, u->chat, u->post);
    return turn_session_of_slot(slot, STR("offer")) > 0;
}

/* An old press without its topic: where its message is known to stand, else where the match is played
 * that its button names. */
static struct str place_of_press(struct turn *t, const struct update *u)
{
    struct press p;
    struct str chat = store_place_of_post(t->store, t->arena, t->account->id, u->chat, u->post);
    if (chat.n > 0 || !press_read(t->in->key, u->text, &p) || commands[p.verb].scope == SCOPE_NONE)
        return chat.n > 0 ? chat : u->chat;
    const struct session_row *row = store_session(t->store, t->arena, p.no);
    for (int i = 0; row && i < row->n_chats; i++) {
        const struct chat *at = store_chat_by_id(t->store, t->arena, row->chat[i]);
        if (at && at->account == t->account->id && str_starts(at->key, u->chat) &&
            (at->key.n == u->chat.n || strchr("/ ", at->key.p[u->chat.n])))
            return at->key;
    }
    return u->chat;
}

/* What is erased cannot be edited: the next message of its slot is a new one. A board or a challenge
 * stands again at once, but not within a minute, nor against a bot that keeps the chat clean. */
static void post_erased(struct turn *t, const struct update *u)
{
    int64_t account = t->account->id;
    const struct outgoing to_them = {.where = TO_DIRECT, .to = u->from.id};
    struct str place = outbox_post_key(t->arena, &to_them);
    struct str slot = store_slot(t->store, t->arena, account, place, u->post);
    if (slot.n == 0) {
        place = u->chat;
        slot = store_slot(t->store, t->arena, account, place, u->post);
    }
    if (slot.n == 0)
        return;
    store_set_post(t->store, account, place, slot, STR(""));
    int64_t board = turn_session_of_slot(slot, STR("board"));
    t->event.no = board > 0 ? board : turn_session_of_slot(slot, STR("offer"));
    uint64_t key = str_hash(slot) ^ str_hash(place);
    if (t->event.no == 0 || u->from.bot ||
        ceiling_count(t->in->ceiling, key, CEILING_COMMANDS + 1, clock_mono(t->in->parts.clock)) ==
            CEILING_ABOVE)
        return;
    facts_chat(t, u->chat, t->event.chat_name, u->direct);
    t->event.verb = VERB_ERASED;
    facts_load(t);
    settle_event(t);
}

static void handle_new(struct turn *t, const struct account *from, const struct update *u)
{
    struct inbox *in = t->in;
    int64_t no;
    if (u->kind == UPDATE_MOVED) {
        chat_moved(t, u);
        return;
    }
    if (u->chat.n == 0 || u->chat.n >= CHAT_KEY_SIZE)
        return;
    if (u->part_unknown) {
        struct update *placed = arena_new(t->arena, struct update);
        *placed = *u;
        placed->chat = place_of_press(t, u);
        placed->part_unknown = false;
        u = placed;
    }
    t->update = u;
    event_of(t, u);
    if (u->kind == UPDATE_ERASED) {
        post_erased(t, u);
        return;
    }
    t->event.addressed |= answers_offer(t, u);
    if (u->kind == UPDATE_TEXT && !u->direct && u->press.n == 0)
        turn_note_said(t, from->id, u->chat);
    if (u->kind == UPDATE_TEXT && !u->reacted) { /* chatter costs nothing more than its mark */
        struct event probe = t->event;
        command_read((const struct texts *const *)in->languages.at, in->languages.n, in->turn,
                     u->text, &probe);
        if (probe.verb == VERB_NONE)
            return;
    }
    facts_chat(t, u->chat, t->event.chat_name, u->direct);
    if (u->kind == UPDATE_GONE || u->kind == UPDATE_BACK) { /* of a stranger nothing is kept */
        person_gone(t, u->kind == UPDATE_GONE);
        return;
    }
    facts_person(t);
    switch (u->kind) {
    case UPDATE_TEXT:
        read_text(t, u);
        if (u->reacted)
            read_reaction(t, u);
        if (t->event.verb != VERB_NONE)
            settle_allowed(t, u);
        return;
    case UPDATE_PRESS:
        read_press(t, u);
        settle_allowed(t, u);
        return;
    case UPDATE_BLOCKED:
        if (t->me.id)
            store_set_direct(t->store, &t->me, STR(""), false);
        return;
    case UPDATE_QUERY:
        if (t->me.banned)
            return;
        t->event.verb = VERB_QUERY;
        t->event.press = u->press;
        t->event.words = typed_plain(t->arena, u->text);
        if (str_starts(u->text, STR("hand ")) && str_int(str_skip(u->text, 5), &no) && no > 0)
            t->event.no = no; /* a button asks for "hand 12" */
        break;
    case UPDATE_JOINED:
        t->event.verb = VERB_JOINED;
        break;
    case UPDATE_LEFT:
        t->event.verb = VERB_LEFT;
        break;
    case UPDATE_RIGHTS:
        t->event.verb = rights_verb(u->text);
        break;
    case UPDATE_MOVED:
    case UPDATE_GONE:
    case UPDATE_BACK:
    case UPDATE_ERASED:
        return;
    }
    facts_load(t);
    settle_event(t);
}

/* A chat's news of its members comes from the chat as a whole: whoever plays in a part of it, a topic or
 * a thread, has it there too. The bot greets none of them: what it may do there has changed. */
static void handle_parts(struct inbox *in, const struct account *from, const struct update *u)
{
    enum { BYTES = 64 << 10 };
    bool people = u->kind == UPDATE_GONE || u->kind == UPDATE_BACK;
    bool bot = u->kind == UPDATE_JOINED || u->kind == UPDATE_LEFT ||
               (u->kind == UPDATE_RIGHTS && rights_verb(u->text) == VERB_RIGHTS);
    if (!people && !bot)
        return;
    struct arena *a = arena_open(BYTES);
    struct ids parts = store_live_parts(in->parts.store, a, from->id, u->chat);
    for (int i = 0; i < parts.n; i++) {
        const struct chat *part = store_chat_by_id(in->parts.store, a, parts.at[i]);
        struct update there = *u;
        if (!part)
            continue;
        there.kind = u->kind == UPDATE_JOINED ? UPDATE_RIGHTS : u->kind;
        there.chat = part->key;
        handle_new(turn_begin(in, from), from, &there);
    }
    arena_close(a);
}

/* ---- what a ban takes back ---- */

static bool is_offer_to_tell(struct inbox *in, struct arena *a, const struct session_row *row)
{
    struct session s;
    const struct chat *home =
        row->n_chats ? store_chat_by_id(in->parts.store, a, row->chat[0]) : NULL;
    return !row->damaged && !session_read(row->line, &in->rulesets, &s) &&
           s.phase == SESSION_OFFERED && home && turn_account(in, home->account);
}

/* Each challenge and each tournament is an event of its own, in the transaction of the ban. One on a
 * network that is not configured now cannot be told, and stays as it is. */
static void ban_takes_back(struct inbox *in)
{
    enum { BYTES = 32 << 20, MOST = 1000 };
    struct store *store = in->parts.store;
    struct arena *a = arena_open(BYTES);
    struct ids persons = operator_persons(store, a, in->banned);
    for (int i = 0; i < persons.n; i++) {
        int64_t who = persons.at[i];
        for (int k = 0; inbox_features[k]; k++)
            if (inbox_features[k]->banned)
                inbox_features[k]->banned(store, who);
        store_drop_codes(store, who);
        struct session_rows rows = store_sessions_of_person(store, a, who, MOST);
        for (int k = 0; k < rows.n; k++)
            if (is_offer_to_tell(in, a, &rows.at[k]))
                turn_of_session_event(in, VERB_BANNED_OFFER, rows.at[k].id, who);
        struct ids tournaments = store_tournaments_of_person(store, a, who);
        for (int k = 0; k < tournaments.n; k++) {
            struct turn *t = tournament_banned_turn(in, tournaments.at[k], who);
            if (t)
                settle_event(t);
        }
    }
    arena_close(a);
}

/* Never what it says. */
static void log_received(struct inbox *in, const struct account *from, const struct update *u)
{
    static const char *const kinds[] = {
        [UPDATE_TEXT] = "text",   [UPDATE_PRESS] = "press",   [UPDATE_JOINED] = "joined",
        [UPDATE_LEFT] = "left",   [UPDATE_RIGHTS] = "rights", [UPDATE_BLOCKED] = "blocked",
        [UPDATE_MOVED] = "moved", [UPDATE_GONE] = "gone",     [UPDATE_BACK] = "back",
        [UPDATE_QUERY] = "query", [UPDATE_ERASED] = "erased"};
    if (!log_wants(LOG_DEBUG))
        return;
    char match[24], chat[128], id[64];
    snprintf(match, sizeof match, "%lld", (long long)in->match);
    snprintf(chat, sizeof chat, "%.*s", STR_ARG(u->chat));
    snprintf(id, sizeof id, "%.*s", STR_ARG(u->id));
    log_hold(&in->log, LOG_DEBUG, "received", "account", from->name.p, "chat", chat, "#match",
             match, "update", id, "kind", kinds[u->kind], NULL);
}

void inbox_look_ahead(struct inbox *in, const struct account *from, int n,
                      const struct update *const *u)
{
    arena_reset(in->turn);
    struct foreseen *all = arena_array(in->turn, struct foreseen, (size_t)n);
    for (int i = 0; i < n; i++) {
        const struct sender *who = &u[i]->from;
        all[i] = (struct foreseen){.id = u[i]->id, .what = u[i]->what};
        if (who->id.n < NETWORK_ID_SIZE && !who->anonymous) {
            all[i].person = who->id;
            all[i].handle = who->handle;
        }
        if (u[i]->chat.n < CHAT_KEY_SIZE)
            all[i].chat = u[i]->chat;
    }
    store_look_ahead(in->parts.store, from->id, n, all, clock_now(in->parts.clock));
}

void inbox_handle(struct inbox *in, const struct account *from, const struct update *u)
{
    struct turn *t = turn_begin(in, from);
    in->match = in->banned = 0;
    if (u->id.n > 0 && !store_hear(t->store, from->id, u->id, u->what, t->event.now))
        return;
    handle_new(t, from, u);
    handle_parts(in, from, u);
    if (in->banned)
        ban_takes_back(in);
    if (!store_failed(in->parts.store))
        log_received(in, from, u);
}

/* ---- what became of a message ---- */

/* The network has said whether the sender of an update may change the settings of its chat, or whether
 * it has placed the page there. */
static void answered(struct inbox *in, const struct account *on, const struct outgoing *out,
                     const struct receipt *receipt)
{
    struct turn *t = turn_begin(in, on);
    struct update u;
    if (!update_unpack(arena_str(t->arena, out->text), &u)) {
        store_fail(t->store, "an update that waited cannot be read");
        return;
    }
    if (out->kind == OUT_ASK) {
        u.admin = receipt->kind == SENT && receipt->admin;
    } else {
        t->event.placed = receipt->kind == SENT ? PLACED_YES : PLACED_NO;
        t->event.lacking = receipt->lacking;
    }
    t->answered = true;
    handle_new(t, on, &u);
}

/* The next way that a refused message for one person allows. Returns false without one. */
static bool next_way(struct outgoing *out)
{
    if (out->kind != OUT_POST || (out->slot.n > 0 && !out->aside && !out->named) || out->to.n == 0)
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

void inbox_report(struct inbox *in, const struct account *on, const struct outgoing *out,
                  const struct receipt *receipt)
{
    if (out->kind == OUT_ASK || out->kind == OUT_WIDGET) {
        answered(in, on, out, receipt);
        return;
    }
    struct turn *t = turn_begin(in, on);
    bool place = out->where == TO_CHAT, arrived = receipt->kind == SENT;
    int64_t hand = turn_session_of_slot(out->slot, STR("hand"));
    int64_t no = place || out->reports ? out->match : hand;
    struct outgoing next = *out;
    if (!arrived && receipt->why != NEVER_UNREACHABLE)
        return;
    if (!arrived && out->where == TO_DIRECT) {
        const struct person *shut = store_person_by_network_id(t->store, t->arena, on->id, out->to);
        if (shut && shut->reachable)
            store_set_direct(t->store, shut, STR(""), false);
    }
    if (!arrived && next_way(&next)) {
        outbox_push(in->parts.outbox, on, &next);
        return;
    }
    if (no == 0 || (place ? out->kind != OUT_POST : out->to.n == 0 || out->replace_only))
        return;
    t->event.verb = arrived ? VERB_ARRIVED : VERB_UNREACHABLE;
    t->event.no = no;
    t->event.where = out->where;
    if (!facts_named(t, no))
        return;
    if (place) {
        turn_chat_of_session(t, arena_str(in->turn, out->chat));
        settle_event(t);
        return;
    }
    t->event.press = arena_str(in->turn, out->press);
    t->event.from.id = arena_str(in->turn, out->to);
    turn_chat_of_session(t, STR(""));
    const struct person *p =
        store_person_by_network_id(t->store, t->arena, on->id, t->event.from.id);
    if (p)
        t->me = *p;
    t->world.me.person = t->me.who;
    settle_event(t);
}
