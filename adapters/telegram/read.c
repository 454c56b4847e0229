/* Their updates -> ours. Everything is optional and may be of a kind nobody knows yet: what is not
 * understood is passed over. Two ways of hearing are Telegram's own: a command may carry our name
 * ("/play@koikoi_bot 3"), or another bot's, and then it is not for us; and a command may be typed
 * unseen, which makes the answer a hidden message to the one who typed it. */
#include "telegram.h"

#include "utf8.h"

#include <strings.h>

/* ---- people and chats ---- */

static struct str shown(struct arena *a, struct str s)
{
    return utf8_cut(str_trim(utf8_clean(a, s)), NAME_CHARS, false);
}

static struct str full_name(struct arena *a, const cJSON *user)
{
    struct str first = tg_json_raw(user, "first_name"), last = tg_json_raw(user, "last_name");
    if (last.n == 0)
        return shown(a, first);
    return shown(a, arena_print(a, "%.*s %.*s", STR_ARG(first), STR_ARG(last)));
}

static struct sender sender_of(struct arena *a, const cJSON *user)
{
    int64_t id = tg_json_int(user, "id");
    struct sender s = {.bot = tg_json_true(user, "is_bot")};
    s.id = arena_print(a, "%lld", (long long)id);
    s.anonymous = tg_is_nobody(s.id);
    s.handle = tg_json_text(a, user, "username");
    s.language = tg_json_text(a, user, "language_code");
    s.name = full_name(a, user);
    if (s.name.n == 0) /* a name of nothing that can be seen */
        s.name = s.handle.n > 0 ? s.handle : s.id;
    return s;
}

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
    u->chat_name = u->direct ? full_name(a, chat) : shown(a, tg_json_raw(chat, "title"));
}

static struct post post_of(const cJSON *message)
{
    int64_t hidden = tg_json_int(message, "ephemeral_message_id");
    return (struct post){hidden ? hidden : tg_json_int(message, "message_id"), hidden != 0,
                         tg_json_get(message, "photo") != NULL};
}

/* ---- who is named ---- */

/* The bytes of an entity: its offset and length are UTF-16 units. False if it lies outside. */
static bool entity_text(struct str text, const cJSON *entity, struct str *ret)
{
    int64_t from = tg_json_int(entity, "offset"), n = tg_json_int(entity, "length"), at = 0;
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

static bool same_handle(struct str handle, const char *ours)
{
    return handle.n == strlen(ours) && strncasecmp(handle.p, ours, handle.n) == 0;
}

static void add_mention(struct update *u, struct sender s)
{
    for (int i = 0; i < u->n_mentions; i++)
        if (s.id.n > 0 && str_is(u->mention[i].id, s.id))
            return;
    if (u->n_mentions < MAX_MENTIONS)
        u->mention[u->n_mentions++] = s;
}

/* Our own name, as it was said: ahead of everything it is an address, behind that the computer is
 * meant. */
static void add_ourselves(struct telegram *t, struct arena *a, const cJSON *entity, struct str name,
                          struct update *u)
{
    struct str id = arena_print(a, "%lld", (long long)t->id);
    if (tg_json_int(entity, "offset") > 0)
        add_mention(u, (struct sender){.id = id, .name = name, .bot = true});
}

static void read_mentions(struct telegram *t, struct arena *a, const cJSON *message,
                          struct str text, struct update *u)
{
    const cJSON *e;
    struct str named;
    cJSON_ArrayForEach(e, tg_json_get(message, "entities"))
    {
        struct str type = tg_json_raw(e, "type");
        if (str_is(type, STR("text_mention"))) {
            const cJSON *user = tg_json_get(e, "user");
            if (tg_json_int(user, "id") == t->id)
                add_ourselves(t, a, e, full_name(a, user), u);
            else
                add_mention(u, sender_of(a, user));
        } else if (str_is(type, STR("mention")) && entity_text(text, e, &named) && named.n > 1) {
            struct str handle = utf8_clean(a, str_skip(named, 1));
            if (same_handle(handle, t->handle))
                add_ourselves(t, a, e, handle, u);
            else
                add_mention(u, (struct sender){.handle = handle}); /* their name is not said */
        }
    }
    const cJSON *replied = tg_json_get(tg_json_get(message, "reply_to_message"), "from");
    if (u->n_mentions == 0 && replied && !tg_json_true(replied, "is_bot"))
        add_mention(u, sender_of(a, replied));
}

/* ---- texts ---- */

/* "/play@koikoi_bot 3" becomes "/play 3". False: the command is another bot's. */
static bool take_off_our_name(struct telegram *t, struct arena *a, struct str *text)
{
    if (text->n == 0 || text->p[0] != '/')
        return true;
    struct str rest = *text, command = str_word(&rest), name;
    struct str bare = str_cut(command, '@', &name);
    if (bare.n == command.n || *t->handle == 0)
        return true;
    if (!same_handle(name, t->handle))
        return false;
    *text = arena_print(a, "%.*s%.*s", STR_ARG(bare), STR_ARG(rest));
    return true;
}

/* Is it known whether this person may change the chat's settings? Only commands that are about that
 * ask for it; see `settings_command`. */
static bool admin_known(struct telegram *t, int64_t chat, int64_t person, int64_t now, bool *ret)
{
    for (int i = 0; i < KNOWN_ADMINS; i++)
        if (t->admin[i].chat == chat && t->admin[i].person == person && t->admin[i].until > now) {
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

static enum heard hear_text(struct telegram *t, struct arena *a, const cJSON *message, int64_t now,
                            struct update *u)
{
    struct str text = tg_json_text(a, message, "text");
    const cJSON *from = tg_json_get(message, "from"), *as = tg_json_get(message, "sender_chat");
    const cJSON *replied = tg_json_get(message, "reply_to_message");
    bool ours = tg_json_int(from, "id") == t->id ||
                tg_json_int(tg_json_get(message, "via_bot"), "id") == t->id;
    if (!from || text.n == 0 || ours)
        return HEARD_NOTHING;
    u->kind = UPDATE_TEXT;
    u->from = sender_of(a, from);
    u->from.anonymous |= as != NULL;
    read_mentions(t, a, message, text, u);
    if (!take_off_our_name(t, a, &text))
        return HEARD_NOTHING;
    u->text = text;
    struct post own = post_of(message);
    if (own.hidden)
        u->press = arena_print(a, "e%lld", (long long)own.id);
    else
        u->said = tg_post_write(a, own);
    if (replied)
        u->post = tg_post_write(a, post_of(replied));
    u->admin = u->direct || tg_json_int(from, "id") == ANONYMOUS_ADMIN;
    int64_t chat = tg_json_int(tg_json_get(message, "chat"), "id"),
            person = tg_json_int(from, "id");
    if (u->admin || u->from.anonymous || !wants_admin(t, text) ||
        admin_known(t, chat, person, now, &u->admin))
        return HEARD;
    t->wanted_chat = chat;
    t->wanted_person = person;
    return HEARD_NEEDS_ADMIN;
}

static enum heard hear_message(struct telegram *t, struct arena *a, const cJSON *message,
                               int64_t now, struct update *u)
{
    int64_t to = tg_json_int(message, "migrate_to_chat_id");
    int64_t from = tg_json_int(message, "migrate_from_chat_id");
    set_chat(a, message, u);
    u->when = tg_json_int(message, "date") * 1000;
    if (!to && !from)
        return hear_text(t, a, message, now, u);
    u->kind = UPDATE_MOVED; /* told twice, by the old chat and by the new one */
    u->text = to ? arena_print(a, "%lld", (long long)to) : u->chat;
    if (from)
        u->chat = arena_print(a, "%lld", (long long)from);
    return HEARD;
}

/* ---- presses ---- */

static enum heard hear_press(struct arena *a, const cJSON *query, struct update *u)
{
    const cJSON *message = tg_json_get(query, "message");
    struct str id = tg_json_text(a, query, "id"), data = tg_json_text(a, query, "data");
    struct str inlined = tg_json_text(a, query, "inline_message_id");
    if ((!message && inlined.n == 0) || id.n == 0 || data.n == 0)
        return HEARD_NOTHING;
    u->kind = UPDATE_PRESS;
    if (message) {
        set_chat(a, message, u);
        u->post = tg_post_write(a, post_of(message));
    } else {
        u->chat = arena_print(a, "i%.*s", STR_ARG(inlined));
    }
    u->from = sender_of(a, tg_json_get(query, "from"));
    u->text = data;
    u->press = arena_print(a, "q%.*s", STR_ARG(id));
    u->admin = u->direct;
    return HEARD;
}

/* ---- in chats that we are not in ---- */

static enum heard hear_query(struct arena *a, const cJSON *query, struct update *u)
{
    struct str id = tg_json_text(a, query, "id");
    if (id.n == 0)
        return HEARD_NOTHING;
    u->kind = UPDATE_QUERY;
    u->chat = STR("i");
    u->from = sender_of(a, tg_json_get(query, "from"));
    u->text = tg_json_text(a, query, "query");
    u->press = arena_print(a, "i%.*s", STR_ARG(id));
    return HEARD;
}

/* What was chosen of our answer has been said; told if @BotFather was asked for feedback. */
static enum heard hear_chosen(struct arena *a, const cJSON *chosen, struct update *u)
{
    struct str inlined = tg_json_text(a, chosen, "inline_message_id");
    u->kind = UPDATE_PRESS;
    u->chat = arena_print(a, "i%.*s", STR_ARG(inlined));
    u->from = sender_of(a, tg_json_get(chosen, "from"));
    u->text = tg_json_text(a, chosen, "result_id");
    return inlined.n > 0 && u->text.n > 0 ? HEARD : HEARD_NOTHING;
}

/* "@koikoi_bot" in a chat that we are not in: it may be answered once. */
static enum heard hear_guest(struct telegram *t, struct arena *a, const cJSON *message,
                             struct update *u)
{
    struct str id = tg_json_text(a, message, "guest_query_id");
    struct str rest = tg_json_text(a, message, "text");
    struct buf b = {arena_alloc(a, rest.n + 1), 0, rest.n + 1, false};
    if (id.n == 0 || !tg_json_get(message, "from") || tg_json_get(message, "sender_chat"))
        return HEARD_NOTHING;
    for (struct str w = str_word(&rest); w.n > 0; w = str_word(&rest)) {
        if (w.p[0] == '@' && same_handle(str_skip(w, 1), t->handle))
            continue;
        if (b.n > 0)
            buf_char(&b, ' ');
        buf_put(&b, w);
    }
    u->kind = UPDATE_QUERY;
    u->chat = STR("i");
    u->from = sender_of(a, tg_json_get(message, "from"));
    u->text = buf_str(&b);
    u->press = arena_print(a, "g%.*s", STR_ARG(id));
    return u->from.bot ? HEARD_NOTHING : HEARD;
}

/* ---- our own standing ---- */

static bool is_in(const cJSON *member)
{
    struct str s = tg_json_raw(member, "status");
    return str_is(s, STR("member")) || str_is(s, STR("administrator")) ||
           str_is(s, STR("creator")) ||
           (str_is(s, STR("restricted")) && tg_json_true(member, "is_member"));
}

static enum heard hear_standing(struct arena *a, const cJSON *change, struct update *u)
{
    const cJSON *old = tg_json_get(change, "old_chat_member"),
                *now = tg_json_get(change, "new_chat_member");
    set_chat(a, change, u);
    u->from = sender_of(a, tg_json_get(change, "from"));
    u->when = tg_json_int(change, "date") * 1000;
    bool before = is_in(old), after = is_in(now);
    if (u->direct) {
        u->kind = UPDATE_BLOCKED;
        return after ? HEARD_NOTHING : HEARD;
    }
    u->kind = !before && after ? UPDATE_JOINED : before && !after ? UPDATE_LEFT : UPDATE_RIGHTS;
    u->text = tg_json_text(a, now, "status");
    return before || after ? HEARD : HEARD_NOTHING;
}

enum heard tg_hear(struct telegram *t, struct arena *a, const cJSON *update, int64_t now,
                   struct update *ret)
{
    *ret =
        (struct update){.id = arena_print(a, "%lld", (long long)tg_json_int(update, "update_id"))};
    const cJSON *o;
    if ((o = tg_json_get(update, "message")))
        return hear_message(t, a, o, now, ret);
    if ((o = tg_json_get(update, "callback_query")))
        return hear_press(a, o, ret);
    if ((o = tg_json_get(update, "my_chat_member")))
        return hear_standing(a, o, ret);
    if ((o = tg_json_get(update, "inline_query")))
        return hear_query(a, o, ret);
    if ((o = tg_json_get(update, "chosen_inline_result")))
        return hear_chosen(a, o, ret);
    if ((o = tg_json_get(update, "guest_message")))
        return hear_guest(t, a, o, ret);
    return HEARD_NOTHING;
}
