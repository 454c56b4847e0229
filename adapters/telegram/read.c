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

/* ---- people ---- */

/* People as updates describe them. A name is cut to NAME_CHARS and may hold anything; one that
 * shows nothing is replaced by the handle. */
static struct str clean_name(struct arena *a, struct str s)
{
    return utf8_cut(str_trim(utf8_clean(a, s)), NAME_CHARS, false);
}

static struct str name_of(struct arena *a, struct json user)
{
    struct str first = tg_raw(user, "first_name"), last = tg_raw(user, "last_name");
    if (last.n == 0)
        return clean_name(a, first);
    return clean_name(a, arena_print(a, "%.*s %.*s", STR_ARG(first), STR_ARG(last)));
}

struct sender tg_sender(struct arena *a, struct json user)
{
    int64_t id = json_number(user, "id");
    struct sender s = {.bot = json_bool(user, "is_bot")};
    s.id = arena_print(a, "%lld", (long long)id);
    s.anonymous = tg_ids_is_impersonal(s.id);
    s.handle = tg_text(a, user, "username");
    s.language = tg_text(a, user, "language_code");
    s.name = name_of(a, user);
    if (s.name.n == 0) /* the name has no visible character */
        s.name = s.handle.n > 0 ? s.handle : s.id;
    return s;
}

/* ---- mentions ---- */

/* Mentions: the people whom a text names. The apps write "@bo" for people with a handle
 * (`mention`), and the first name, whatever it is, for those without one (`text_mention`). Both are
 * handed over as mentions, and blanked in the text, so that no name is read as a word of a command.
 * A name at the very start stays: it says whom the text is for. */

/* The bytes of an entity: its offset and length are UTF-16 units. False if it lies outside. */
static bool entity_text(struct str text, struct json entity, struct str *ret)
{
    int64_t from = json_number(entity, "offset"), n = json_number(entity, "length"), at = 0;
    size_t begin = 0, end = 0;
    struct str rest = text;
    if (from < 0 || n <= 0)
        return false;
    while (rest.n > 0 && at < from + n) {
        if (at == from)
            begin = text.n - rest.n;
        at += utf8_next(&rest) > 0xFFFF ? 2 : 1;
    }
    end = text.n - rest.n;
    *ret = (struct str){text.p + begin, end - begin};
    return at == from + n && begin < end;
}

static bool is_own_name(const struct telegram *t, struct str handle)
{
    return handle.n == strlen(t->handle) && strncasecmp(handle.p, t->handle, handle.n) == 0;
}

/* Telegram gives names that end so to bots alone. */
static bool is_name_of_bot(struct str handle)
{
    return handle.n > 3 && strncasecmp(handle.p + handle.n - 3, "bot", 3) == 0;
}

/* Hands over the person of an entity. Returns false if the entity is no mention. A mention of our
 * own name at the start addresses the bot, later it means the computer. */
static bool read_mention(struct telegram *t, struct arena *a, struct json entity, struct str named,
                         struct update *u)
{
    struct str type = tg_raw(entity, "type");
    struct json user = json_at(entity, "user");
    bool by_handle = str_is(type, STR("mention")) && named.n > 1;
    struct str handle = by_handle ? utf8_clean(a, str_skip(named, 1)) : (struct str){0};
    if (!by_handle && !str_is(type, STR("text_mention")))
        return false;
    bool ours = by_handle ? is_own_name(t, handle) : json_number(user, "id") == t->id;
    if (ours && json_number(entity, "offset") == 0)
        return true;
    if (ours)
        update_mention(u, (struct sender){.id = arena_print(a, "%lld", (long long)t->id),
                                          .name = by_handle ? handle : name_of(a, user),
                                          .bot = true,
                                          .self = true});
    else if (by_handle) /* which comes without a name */
        update_mention(u, (struct sender){.handle = handle, .bot = is_name_of_bot(handle)});
    else
        update_mention(u, tg_sender(a, user));
    return true;
}

static struct str read_mentions(struct telegram *t, struct arena *a, struct json message,
                                struct str text, struct update *u)
{
    struct str rest = arena_str(a, text), named;
    struct json e = json_first(json_at(message, "entities"));
    for (; e.at; e = json_next(e))
        if (entity_text(text, e, &named) && read_mention(t, a, e, named, u) && named.p > text.p)
            memset((char *)rest.p + (named.p - text.p), ' ', named.n);
    struct json replied = json_at(json_at(message, "reply_to_message"), "from");
    if (u->n_mentions == 0 && replied.at && !json_bool(replied, "is_bot"))
        update_mention(u, tg_sender(a, replied));
    return str_trim(rest);
}

/* ---- chats ---- */

static void set_chat(struct arena *a, struct json message, struct update *u)
{
    struct json chat = json_at(message, "chat");
    u->chat = arena_print(a, "%lld", (long long)json_number(chat, "id"));
    if (json_bool(message, "is_topic_message"))
        u->chat = arena_print(a, "%.*s/%lld", STR_ARG(u->chat),
                              (long long)json_number(message, "message_thread_id"));
    u->direct = str_is(tg_raw(chat, "type"), STR("private"));
    u->chat_name = u->direct ? name_of(a, chat) : clean_name(a, tg_raw(chat, "title"));
}

static struct post post_of(struct json message)
{
    int64_t hidden = json_number(message, "ephemeral_message_id");
    return (struct post){hidden ? hidden : json_number(message, "message_id"), hidden != 0,
                         json_at(message, "photo").at != NULL};
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
    if (!is_own_name(t, name))
        return false;
    *text = arena_print(a, "%.*s%.*s", STR_ARG(bare), STR_ARG(rest));
    *ret_own = true;
    return true;
}

/* True, and *ret, if a recent OUT_ASK told whether this person is an administrator of the
 * chat. A clock that was set back makes no answer recent for longer. */
static bool admin_known(struct telegram *t, int64_t chat, int64_t person, int64_t now, bool *ret)
{
    for (const struct known_admin *k = t->admin; k < t->admin + KNOWN_ADMINS; k++)
        if (k->chat == chat && k->person == person && k->until > now &&
            k->until - now <= ADMIN_MS) {
            *ret = k->admin;
            return true;
        }
    return false;
}

static bool wants_admin(struct telegram *t, struct str text)
{
    struct str rest = text, word = str_word(&rest);
    word = str_skip(word, word.n > 0 && word.p[0] == '/');
    for (int list = 0, n; t->menu && list < t->menu->n_lists; list++) {
        const struct menu_entry *at = t->menu->list(t->menu->arg, list, &n);
        for (int i = 0; i < n; i++)
            if (at[i].for_admins && word.n == at[i].command.n &&
                strncasecmp(word.p, at[i].command.p, word.n) == 0)
                return true;
    }
    return false;
}

/* True for words that are not the sender's own: forwarded, by hand or from a channel to its group,
 * or made by a bot in inline mode (ours too: our results are no commands). */
static bool is_secondhand(struct json message)
{
    static const char *const marks[] = {"forward_origin",    "forward_date",        "forward_from",
                                        "forward_from_chat", "forward_sender_name", "via_bot"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (json_at(message, marks[i]).at)
            return true;
    return json_bool(message, "is_automatic_forward");
}

static enum read_result read_text(struct telegram *t, struct arena *a, struct json message,
                                  int64_t now, struct update *u)
{
    struct str text = tg_raw(message, "text");
    struct json from = json_at(message, "from"), as = json_at(message, "sender_chat"),
                replied = json_at(message, "reply_to_message");
    bool ours = json_number(from, "id") == t->id;
    if (!from.at || text.n == 0 || ours || is_secondhand(message))
        return READ_NOTHING;
    u->kind = UPDATE_TEXT;
    u->from = tg_sender(a, from);
    u->from.anonymous |= as.at != NULL;
    text = utf8_clean(a, read_mentions(t, a, message, text, u));
    if (!strip_own_name(t, a, &text, &u->addressed))
        return READ_NOTHING;
    u->text = text;
    struct post own = post_of(message);
    if (own.hidden)
        u->press = arena_print(a, "e%lld", (long long)own.id);
    else
        u->said = tg_ids_print_post(a, own);
    if (replied.at)
        u->post = tg_ids_print_post(a, post_of(replied));
    u->admin = u->direct || json_number(from, "id") == ANONYMOUS_ADMIN;
    int64_t chat = json_number(json_at(message, "chat"), "id"), person = json_number(from, "id");
    u->ask_admin = !u->admin && !u->from.anonymous && wants_admin(t, text) &&
                   !admin_known(t, chat, person, now, &u->admin);
    return READ_UPDATE;
}

static enum read_result read_message(struct telegram *t, struct arena *a, struct json message,
                                     int64_t now, struct update *u)
{
    int64_t to = json_number(message, "migrate_to_chat_id");
    int64_t from = json_number(message, "migrate_from_chat_id");
    set_chat(a, message, u);
    u->when = json_number(message, "date") * 1000;
    /* of several who were added together the first: whoever is heard there is back as well */
    struct json left = json_at(message, "left_chat_member"),
                came = json_first(json_at(message, "new_chat_members")),
                who = left.at ? left : came;
    if (who.at && json_number(who, "id") != t->id) {
        u->kind = left.at ? UPDATE_GONE : UPDATE_BACK;
        u->from = tg_sender(a, who);
        return u->direct ? READ_NOTHING : READ_UPDATE;
    }
    if (!to && !from)
        return read_text(t, a, message, now, u);
    u->kind = UPDATE_MOVED; /* comes twice: from the old chat and from the new one */
    u->text = to ? arena_print(a, "%lld", (long long)to) : u->chat;
    if (from)
        u->chat = arena_print(a, "%lld", (long long)from);
    return READ_UPDATE;
}

/* ---- presses ---- */

static enum read_result read_press(struct telegram *t, struct arena *a, struct json query,
                                   int64_t now, struct update *u)
{
    struct json message = json_at(query, "message");
    struct str id = tg_text(a, query, "id"), data = tg_text(a, query, "data");
    struct str inlined = tg_text(a, query, "inline_message_id");
    if ((!message.at && inlined.n == 0) || id.n == 0 || data.n == 0)
        return READ_NOTHING;
    u->kind = UPDATE_PRESS;
    if (message.at) {
        set_chat(a, message, u);
        u->post = tg_ids_print_post(a, post_of(message));
        struct json date = json_at(message, "date"); /* 0: it has its chat and its id alone */
        u->part_unknown = date.at && json_number(date, NULL) == 0;
    } else {
        u->chat = arena_print(a, "i%.*s", STR_ARG(inlined));
    }
    u->from = tg_sender(a, json_at(query, "from"));
    u->text = data;
    u->press = arena_print(a, "q%.*s", STR_ARG(id));
    u->admin = u->direct;
    u->ask_admin = message.at && !u->direct &&
                   !admin_known(t, json_number(json_at(message, "chat"), "id"),
                                json_number(json_at(query, "from"), "id"), now, &u->admin);
    return READ_UPDATE;
}

/* ---- inline mode ---- */

static enum read_result read_query(struct arena *a, struct json query, struct update *u)
{
    struct str id = tg_text(a, query, "id");
    if (id.n == 0)
        return READ_NOTHING;
    u->kind = UPDATE_QUERY;
    u->chat = STR("i");
    u->from = tg_sender(a, json_at(query, "from"));
    u->text = tg_text(a, query, "query");
    u->press = arena_print(a, "i%.*s", STR_ARG(id));
    return READ_UPDATE;
}

/* The article that a person chose; comes only if inline feedback is on at @BotFather. */
static enum read_result read_chosen(struct arena *a, struct json chosen, struct update *u)
{
    struct str inlined = tg_text(a, chosen, "inline_message_id");
    u->kind = UPDATE_PRESS;
    u->chat = arena_print(a, "i%.*s", STR_ARG(inlined));
    u->from = tg_sender(a, json_at(chosen, "from"));
    u->text = tg_text(a, chosen, "result_id");
    return inlined.n > 0 && u->text.n > 0 ? READ_UPDATE : READ_NOTHING;
}

/* A mention in a chat that the bot is not in; it may be answered once. */
static enum read_result read_guest(struct telegram *t, struct arena *a, struct json message,
                                   struct update *u)
{
    struct str id = tg_text(a, message, "guest_query_id");
    struct str rest = tg_text(a, message, "text");
    struct buf b = {arena_alloc(a, rest.n + 1), 0, rest.n + 1, false};
    if (id.n == 0 || !json_at(message, "from").at || json_at(message, "sender_chat").at ||
        is_secondhand(message))
        return READ_NOTHING;
    for (struct str w = str_word(&rest); w.n > 0; w = str_word(&rest)) {
        if (w.p[0] == '@' && is_own_name(t, str_skip(w, 1)))
            continue;
        if (b.n > 0)
            buf_char(&b, ' ');
        buf_put(&b, w);
    }
    u->kind = UPDATE_QUERY;
    u->chat = STR("i");
    u->from = tg_sender(a, json_at(message, "from"));
    u->text = buf_str(&b);
    u->press = arena_print(a, "g%.*s", STR_ARG(id));
    return u->from.bot ? READ_NOTHING : READ_UPDATE;
}

/* ---- our own membership ---- */

/* Readers of a channel cannot type: it is no place to play, and gets no greeting. */
static bool is_channel(struct json change)
{
    return str_is(tg_raw(json_at(change, "chat"), "type"), STR("channel"));
}

static bool is_in(struct json member)
{
    struct str s = tg_raw(member, "status");
    return str_is(s, STR("member")) || str_is(s, STR("administrator")) ||
           str_is(s, STR("creator")) ||
           (str_is(s, STR("restricted")) && json_bool(member, "is_member"));
}

static enum read_result read_membership(struct arena *a, struct json change, struct update *u)
{
    struct json old = json_at(change, "old_chat_member"), now = json_at(change, "new_chat_member");
    set_chat(a, change, u);
    u->from = tg_sender(a, json_at(change, "from"));
    u->when = json_number(change, "date") * 1000;
    bool before = is_in(old), after = is_in(now);
    if (u->direct) {
        u->kind = UPDATE_BLOCKED;
        return after ? READ_NOTHING : READ_UPDATE;
    }
    u->kind = !before && after ? UPDATE_JOINED : before && !after ? UPDATE_LEFT : UPDATE_RIGHTS;
    u->text = tg_text(a, now, "status");
    return (before || after) && !is_channel(change) ? READ_UPDATE : READ_NOTHING;
}

static enum read_result read_kind(struct telegram *t, struct arena *a, struct json update,
                                  int64_t now, struct update *ret)
{
    struct json o;
    if ((o = json_at(update, "message")).at)
        return read_message(t, a, o, now, ret);
    if ((o = json_at(update, "callback_query")).at)
        return read_press(t, a, o, now, ret);
    if ((o = json_at(update, "my_chat_member")).at)
        return read_membership(a, o, ret);
    if ((o = json_at(update, "inline_query")).at)
        return read_query(a, o, ret);
    if ((o = json_at(update, "chosen_inline_result")).at)
        return read_chosen(a, o, ret);
    if ((o = json_at(update, "guest_message")).at)
        return read_guest(t, a, o, ret);
    return READ_NOTHING;
}

enum read_result tg_read(struct telegram *t, struct arena *a, struct json update, int64_t now,
                         struct update *ret)
{
    int64_t chat;
    *ret =
        (struct update){.id = arena_print(a, "%lld", (long long)json_number(update, "update_id"))};
    enum read_result result = read_kind(t, a, update, now, ret);
    ret->what = update_content(ret);
    t->now = now;
    if ((ret->direct || json_at(update, "my_chat_member").at) && str_int(ret->chat, &chat))
        tg_closed_forget(t, chat);
    return result;
}
