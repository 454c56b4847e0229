/* Updates of Telegram -> ours. Every member is optional and may be of an unknown kind; what this
 * file does not know it skips. Two rules are Telegram's own: a command may carry a bot's name
 * ("/play@koikoi_bot 3") and is then for that bot alone; and a command may be ephemeral (typed
 * unseen by the group), so its answer is an ephemeral message to its sender. */
#include "telegram.h"

#include "utf8.h"

#include <strings.h>

#define KINDS                                                                                      \
    "[\"message\",\"callback_query\",\"my_chat_member\",\"inline_query\",\"chosen_inline_"         \
    "result\","                                                                                    \
    "\"guest_message\"]"
const struct str tg_read_kinds = {KINDS, sizeof KINDS - 1};

/* ---- chats ---- */

static struct str chat_key(struct arena *a, const cJSON *message)
{
    int64_t id = tg_json_int(tg_json_get(message, "chat"), "id");
    if (tg_json_true(message, "is_topic_message"))
        return arena_print(a, "%lld/%lld", (long long)id,
                           (long long)tg_json_int(message, "message_thread_id"));
    return arena_print(a, "%lld", (long long)id);
}

static void set_chat(struct arena *a, const cJSON *message, struct update *u)
{
    const cJSON *chat = tg_json_get(message, "chat");
    u->chat = chat_key(a, message);
    u->direct = str_is(tg_json_raw(chat, "type"), STR("private"));
    u->chat_name =
        u->direct ? tg_sender_name(a, chat) : tg_sender_clean(a, tg_json_raw(chat, "title"));
}

static struct post post_of(const cJSON *message)
{
    int64_t hidden = tg_json_int(message, "ephemeral_message_id");
    return (struct post){hidden ? hidden : tg_json_int(message, "message_id"), hidden != 0,
                         tg_json_get(message, "photo") != NULL};
}

/* ---- texts ---- */

/* "/play@koikoi_bot 3" becomes "/play 3", and *ret_own true. False: the command is another
 * bot's. */
static bool strip_own_name(struct telegram *t, struct arena *a, struct str *text, bool *ret_own)
{
    if (text->n == 0 || text->p[0] != '/')
        return true;
    struct str rest = *text, command = str_word(&rest), name;
    struct str bare = str_cut(command, '@', &name);
    if (bare.n == command.n || *t->handle == 0)
        return true;
    if (!tg_mention_is_own(t, name))
        return false;
    *text = arena_print(a, "%.*s%.*s", STR_ARG(bare), STR_ARG(rest));
    *ret_own = true;
    return true;
}

/* A clock that was set back makes no answer recent for longer. */
static bool is_recent(const struct known_admin *known, int64_t now)
{
    return known->until > now && known->until - now <= ADMIN_MS;
}

/* True, and *ret, if a recent ASK_ADMIN told whether this person is an administrator of the
 * chat. */
static bool admin_known(struct telegram *t, int64_t chat, int64_t person, int64_t now, bool *ret)
{
    for (int i = 0; i < KNOWN_ADMINS; i++)
        if (t->admin[i].chat == chat && t->admin[i].person == person &&
            is_recent(&t->admin[i], now)) {
            *ret = t->admin[i].admin;
            return true;
        }
    return false;
}

static bool wants_admin(struct telegram *t, struct str text)
{
    struct str rest = text, word = str_word(&rest);
    word = str_skip(word, word.n > 0 && word.p[0] == '/');
    for (int i = 0; i < t->n_menu; i++)
        if (t->menu[i].for_admins && word.n == t->menu[i].command.n &&
            strncasecmp(word.p, t->menu[i].command.p, word.n) == 0)
            return true;
    return false;
}

/* True for words that are not the sender's own: forwarded, by hand or from a channel to its group,
 * or made by a bot in inline mode (ours too: our results are no commands). */
static bool is_secondhand(const cJSON *message)
{
    static const char *const marks[] = {"forward_origin",    "forward_date",        "forward_from",
                                        "forward_from_chat", "forward_sender_name", "via_bot"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (tg_json_get(message, marks[i]))
            return true;
    return tg_json_true(message, "is_automatic_forward");
}

static enum read_result read_text(struct telegram *t, struct arena *a, const cJSON *message,
                                  int64_t now, struct update *u)
{
    struct str text = tg_json_raw(message, "text");
    const cJSON *from = tg_json_get(message, "from"), *as = tg_json_get(message, "sender_chat");
    const cJSON *replied = tg_json_get(message, "reply_to_message");
    bool ours = tg_json_int(from, "id") == t->id;
    if (!from || text.n == 0 || ours || is_secondhand(message))
        return READ_NOTHING;
    u->kind = UPDATE_TEXT;
    u->from = tg_sender(a, from);
    u->from.anonymous |= as != NULL;
    text = utf8_clean(a, tg_mention_read(t, a, message, text, u));
    if (!strip_own_name(t, a, &text, &u->addressed))
        return READ_NOTHING;
    u->text = text;
    struct post own = post_of(message);
    if (own.hidden)
        u->press = arena_print(a, "e%lld", (long long)own.id);
    else
        u->said = tg_ids_print_post(a, own);
    if (replied)
        u->post = tg_ids_print_post(a, post_of(replied));
    u->admin = u->direct || tg_json_int(from, "id") == ANONYMOUS_ADMIN;
    int64_t chat = tg_json_int(tg_json_get(message, "chat"), "id"),
            person = tg_json_int(from, "id");
    if (u->admin || u->from.anonymous || !wants_admin(t, text) ||
        admin_known(t, chat, person, now, &u->admin))
        return READ_UPDATE;
    t->wanted_chat = chat;
    t->wanted_person = person;
    return READ_NEEDS_ADMIN;
}

static enum read_result read_message(struct telegram *t, struct arena *a, const cJSON *message,
                                     int64_t now, struct update *u)
{
    int64_t to = tg_json_int(message, "migrate_to_chat_id");
    int64_t from = tg_json_int(message, "migrate_from_chat_id");
    set_chat(a, message, u);
    u->when = tg_json_int(message, "date") * 1000;
    if (!to && !from)
        return read_text(t, a, message, now, u);
    u->kind = UPDATE_MOVED; /* comes twice: from the old chat and from the new one */
    u->text = to ? arena_print(a, "%lld", (long long)to) : u->chat;
    if (from)
        u->chat = arena_print(a, "%lld", (long long)from);
    return READ_UPDATE;
}

/* ---- presses ---- */

static enum read_result read_press(struct arena *a, const cJSON *query, struct update *u)
{
    const cJSON *message = tg_json_get(query, "message");
    struct str id = tg_json_text(a, query, "id"), data = tg_json_text(a, query, "data");
    struct str inlined = tg_json_text(a, query, "inline_message_id");
    if ((!message && inlined.n == 0) || id.n == 0 || data.n == 0)
        return READ_NOTHING;
    u->kind = UPDATE_PRESS;
    if (message) {
        set_chat(a, message, u);
        u->post = tg_ids_print_post(a, post_of(message));
    } else {
        u->chat = arena_print(a, "i%.*s", STR_ARG(inlined));
    }
    u->from = tg_sender(a, tg_json_get(query, "from"));
    u->text = data;
    u->press = arena_print(a, "q%.*s", STR_ARG(id));
    u->admin = u->direct;
    return READ_UPDATE;
}

/* ---- inline mode ---- */

static enum read_result read_query(struct arena *a, const cJSON *query, struct update *u)
{
    struct str id = tg_json_text(a, query, "id");
    if (id.n == 0)
        return READ_NOTHING;
    u->kind = UPDATE_QUERY;
    u->chat = STR("i");
    u->from = tg_sender(a, tg_json_get(query, "from"));
    u->text = tg_json_text(a, query, "query");
    u->press = arena_print(a, "i%.*s", STR_ARG(id));
    return READ_UPDATE;
}

/* The article that a person chose; comes only if inline feedback is on at @BotFather. */
static enum read_result read_chosen(struct arena *a, const cJSON *chosen, struct update *u)
{
    struct str inlined = tg_json_text(a, chosen, "inline_message_id");
    u->kind = UPDATE_PRESS;
    u->chat = arena_print(a, "i%.*s", STR_ARG(inlined));
    u->from = tg_sender(a, tg_json_get(chosen, "from"));
    u->text = tg_json_text(a, chosen, "result_id");
    return inlined.n > 0 && u->text.n > 0 ? READ_UPDATE : READ_NOTHING;
}

/* A mention in a chat that the bot is not in; it may be answered once. */
static enum read_result read_guest(struct telegram *t, struct arena *a, const cJSON *message,
                                   struct update *u)
{
    struct str id = tg_json_text(a, message, "guest_query_id");
    struct str rest = tg_json_text(a, message, "text");
    struct buf b = {arena_alloc(a, rest.n + 1), 0, rest.n + 1, false};
    if (id.n == 0 || !tg_json_get(message, "from") || tg_json_get(message, "sender_chat") ||
        is_secondhand(message))
        return READ_NOTHING;
    for (struct str w = str_word(&rest); w.n > 0; w = str_word(&rest)) {
        if (w.p[0] == '@' && tg_mention_is_own(t, str_skip(w, 1)))
            continue;
        if (b.n > 0)
            buf_char(&b, ' ');
        buf_put(&b, w);
    }
    u->kind = UPDATE_QUERY;
    u->chat = STR("i");
    u->from = tg_sender(a, tg_json_get(message, "from"));
    u->text = buf_str(&b);
    u->press = arena_print(a, "g%.*s", STR_ARG(id));
    return u->from.bot ? READ_NOTHING : READ_UPDATE;
}

/* ---- our own membership ---- */

static bool is_in(const cJSON *member)
{
    struct str s = tg_json_raw(member, "status");
    return str_is(s, STR("member")) || str_is(s, STR("administrator")) ||
           str_is(s, STR("creator")) ||
           (str_is(s, STR("restricted")) && tg_json_true(member, "is_member"));
}

static enum read_result read_membership(struct arena *a, const cJSON *change, struct update *u)
{
    const cJSON *old = tg_json_get(change, "old_chat_member"),
                *now = tg_json_get(change, "new_chat_member");
    set_chat(a, change, u);
    u->from = tg_sender(a, tg_json_get(change, "from"));
    u->when = tg_json_int(change, "date") * 1000;
    bool before = is_in(old), after = is_in(now);
    if (u->direct) {
        u->kind = UPDATE_BLOCKED;
        return after ? READ_NOTHING : READ_UPDATE;
    }
    u->kind = !before && after ? UPDATE_JOINED : before && !after ? UPDATE_LEFT : UPDATE_RIGHTS;
    u->text = tg_json_text(a, now, "status");
    return before || after ? READ_UPDATE : READ_NOTHING;
}

static enum read_result read_kind(struct telegram *t, struct arena *a, const cJSON *update,
                                  int64_t now, struct update *ret)
{
    const cJSON *o;
    if ((o = tg_json_get(update, "message")))
        return read_message(t, a, o, now, ret);
    if ((o = tg_json_get(update, "callback_query")))
        return read_press(a, o, ret);
    if ((o = tg_json_get(update, "my_chat_member")))
        return read_membership(a, o, ret);
    if ((o = tg_json_get(update, "inline_query")))
        return read_query(a, o, ret);
    if ((o = tg_json_get(update, "chosen_inline_result")))
        return read_chosen(a, o, ret);
    if ((o = tg_json_get(update, "guest_message")))
        return read_guest(t, a, o, ret);
    return READ_NOTHING;
}

enum read_result tg_read(struct telegram *t, struct arena *a, const cJSON *update, int64_t now,
                         struct update *ret)
{
    int64_t chat;
    *ret =
        (struct update){.id = arena_print(a, "%lld", (long long)tg_json_int(update, "update_id"))};
    enum read_result result = read_kind(t, a, update, now, ret);
    t->now = now;
    if ((ret->direct || tg_json_get(update, "my_chat_member")) && str_int(ret->chat, &chat))
        tg_closed_forget(t, chat);
    return result;
}
