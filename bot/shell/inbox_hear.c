/* See inbox.h. What somebody said, pressed or did becomes an event; what means nothing to us ends
 * here. */
#include "inbox_parts.h"

/* Who is named by a handle alone has a name all the same, which is not said here: it stays
 * empty. */
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

/* "/join 12-k7qfm2xa": the challenge it is about; a number alone opens nothing. Without a code it
 * means to accept. */
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

int64_t session_of_slot(struct str slot, struct str kind)
{
    int64_t no;
    struct str rest, what = str_cut(slot, ':', &rest);
    return str_is(what, kind) && str_int(str_cut(rest, ':', &rest), &no) && no > 0 ? no : 0;
}

/* A number under a message: of the match whose hand or board that is now. In private it may also be
 * the answer to a question, or the hand is not the newest any more; elsewhere it means nothing to
 * us. */
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

bool inbox_take(struct inbox *in, const struct account *from, const struct update *u,
                struct err *err)
{
    bool is_new = true;
    struct taking *t = taking_begin(in, from, err);
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
