/* See hear.h. What people do here, in our words:
 *
 *     "!koi challenge ..."  (a prefix that can be chosen)     TEXT "/challenge ..."
 *     "!koi 3"                                                TEXT "/play 3"
 *     text that mentions or answers the bot; any text in its private chat: TEXT as it stands
 *     a vote in a poll                                        PRESS with the answer's id
 *     a number as reaction (1️⃣, with or without U+FE0F)       TEXT "3" about that message
 *
 * A person named by a pill stands in the text as @local:server, whatever the pill shows.
 */
#include "hear.h"

#include "seal.h"

enum { MAX_TEXT = 4096, MAX_DIGITS = 2 };

static const struct str MATRIX_TO = {"https://matrix.to/#/", 20};

static struct str member_name(struct arena *a, const cJSON *list, struct str user)
{
    struct str name = {0};
    const cJSON *event;
    cJSON_ArrayForEach(event, list) if (wire_is(event, "type", "m.room.member") &&
                                        str_is(wire_str(a, event, "state_key"), user)) name =
        wire_str(a, wire_at(event, "content"), "displayname");
    return name;
}

struct sender hear_sender(struct arena *a, const struct scene *at, struct str user)
{
    struct sender s = {.id = user, .handle = str_skip(user, 1)};
    s.name = member_name(a, at->more, user);
    if (s.name.n == 0)
        s.name = member_name(a, at->members, user);
    if (s.name.n == 0) {
        struct str server;
        s.name = str_cut(s.handle, ':', &server);
    }
    return s;
}

/* What a hexadecimal digit is worth; -1: it is none. */
static int hex_digit(char c)
{
    const char *digits = "0123456789abcdef",
               *at = c ? strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c) : NULL;
    return at ? (int)(at - digits) : -1;
}

static struct str unescape_url(struct arena *a, struct str s)
{
    struct buf b = {arena_alloc(a, s.n + 1), 0, s.n, false};
    for (size_t i = 0; i < s.n; i++) {
        int high = -1, low = -1;
        if (s.p[i] == '%' && i + 2 < s.n) {
            high = hex_digit(s.p[i + 1]);
            low = hex_digit(s.p[i + 2]);
        }
        if (high >= 0 && low >= 0) {
            buf_char(&b, (char)(high * 16 + low));
            i += 2;
        } else {
            buf_char(&b, s.p[i]);
        }
    }
    return buf_str(&b);
}

static void mention(struct update *u, struct arena *a, const struct scene *at, struct str user)
{
    for (int i = 0; i < u->n_mentions; i++)
        if (str_is(u->mention[i].id, user))
            return;
    if (u->n_mentions < MAX_MENTIONS && is_user_id(user))
        u->mention[u->n_mentions++] = hear_sender(a, at, arena_str(a, user));
}

/* The user id that an <a href=...> tag points to; empty if it is none. */
static struct str pill_target(struct arena *a, struct str tag)
{
    for (; tag.n > MATRIX_TO.n; tag = str_skip(tag, 1)) {
        if (!str_starts(tag, MATRIX_TO))
            continue;
        tag = str_skip(tag, MATRIX_TO.n);
        size_t n = 0;
        while (n < tag.n && !strchr("\"'?> ", tag.p[n]))
            n++;
        struct str user = unescape_url(a, (struct str){tag.p, n});
        return is_user_id(user) ? user : STR("");
    }
    return STR("");
}

/* "&lt;" and the few others that clients write; returns how many bytes it took. */
static size_t entity(struct str s, struct buf *b)
{
    static const struct {
        struct str name, text;
    } ENTITIES[] = {
        {{"&amp;", 5}, {"&", 1}},   {{"&lt;", 4}, {"<", 1}},  {{"&gt;", 4}, {">", 1}},
        {{"&quot;", 6}, {"\"", 1}}, {{"&#39;", 5}, {"'", 1}}, {{"&nbsp;", 6}, {" ", 1}},
    };
    for (size_t i = 0; i < sizeof ENTITIES / sizeof *ENTITIES; i++)
        if (str_starts(s, ENTITIES[i].name)) {
            buf_put(b, ENTITIES[i].text);
            return ENTITIES[i].name.n;
        }
    buf_char(b, s.p[0]);
    return 1;
}

/* The text of a message with pills: tags go, a pill becomes the id it points to. False: no
 * pills. */
static bool text_of_html(struct arena *a, struct str html, const struct scene *at, struct update *u,
                         struct str *ret)
{
    size_t size = 2 * html.n + 1;
    struct buf b = {arena_alloc(a, size), 0, size - 1, false};
    bool pills = false, inside = false;
    while (html.n > 0) {
        if (html.p[0] != '<') {
            struct buf nowhere = {NULL, 0, 0, false};
            html = str_skip(html, entity(html, inside ? &nowhere : &b));
            continue;
        }
        struct str rest, tag = str_cut(html, '>', &rest);
        html = rest;
        if (str_starts(tag, STR("<a "))) {
            struct str user = pill_target(a, tag);
            inside = user.n > 0;
            if (inside) {
                pills = true;
                buf_put(&b, user);
                mention(u, a, at, user);
            }
        } else if (str_starts(tag, STR("</a"))) {
            inside = false;
        } else if (str_starts(tag, STR("<br")) || str_starts(tag, STR("</p"))) {
            buf_char(&b, '\n');
        }
    }
    *ret = buf_str(&b);
    return pills;
}

/* Ids that were typed or are listed in m.mentions, behind those of pills. True if the bot is named:
 * ahead of everything that is an address, behind that the computer is meant. */
static bool hear_mentions(struct matrix *m, struct arena *a, const struct scene *at,
                          const cJSON *content, struct update *u)
{
    struct str rest = u->text;
    bool computer = false, first = true;
    for (struct str word; (word = str_word(&rest)).n > 0; first = false) {
        while (word.n > 0 && strchr(":,;.!?", word.p[word.n - 1]))
            word.n--;
        mention(u, a, at, word);
        computer |= !first && str_is(word, m->session.user);
    }
    const cJSON *id;
    cJSON_ArrayForEach(id, wire_in(content, "m.mentions", "user_ids", NULL))
        mention(u, a, at, wire_text(a, id));
    bool me = false;
    int n = 0;
    for (int i = 0; i < u->n_mentions; i++) {
        bool own = str_is(u->mention[i].id, m->session.user);
        u->mention[i].bot = own;
        me |= own;
        if (!own || computer)
            u->mention[n++] = u->mention[i];
    }
    u->n_mentions = n;
    return me;
}

/* Old clients quote what they answer in lines "> ..." before an empty line. */
static struct str without_quote(struct str text)
{
    struct str rest = text, line;
    while (str_starts(rest, STR("> ")))
        line = str_cut(rest, '\n', &rest);
    (void)line;
    return rest.n < text.n ? str_trim(rest) : text;
}

static bool is_number(struct str s)
{
    if (s.n == 0 || s.n > MAX_DIGITS)
        return false;
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] < '0' || s.p[i] > '9')
            return false;
    return true;
}

/* Behind the prefix a command needs no slash. */
static struct str command(struct arena *a, struct str words)
{
    if (words.n == 0)
        return STR("/help");
    if (words.p[0] == '/')
        return words;
    return arena_print(a, is_number(words) ? "/play %.*s" : "/%.*s", STR_ARG(words));
}

static struct str same_case(struct arena *a, struct str s)
{
    struct str copy = arena_str(a, s);
    for (size_t i = 0; i < copy.n; i++)
        if (copy.p[i] >= 'A' && copy.p[i] <= 'Z')
            ((char *)copy.p)[i] |= 0x20;
    return copy;
}

/* True if the text is for the bot; *text is then what is meant. */
static bool for_us(struct matrix *m, struct arena *a, struct str *text, bool direct, bool named)
{
    struct str rest = *text, head = str_word(&rest);
    if (m->prefix.n > 0 && str_is(same_case(a, head), same_case(a, m->prefix))) {
        *text = command(a, str_trim(rest));
        return true;
    }
    if (direct)
        return true;
    if (!named)
        return false;
    if (str_starts(head, m->session.user)) /* "@koikoi:example.org: hand" */
        *text = command(a, str_trim(rest));
    return true;
}

/* True if each thread of the room is a chat. */
static bool has_threads(const struct matrix *m, struct str room)
{
    struct str rest = m->threads;
    for (struct str word; (word = str_word(&rest)).n > 0;)
        if (str_is(word, STR("yes")) || str_is(word, room))
            return true;
    return false;
}

static bool hear_message(struct matrix *m, struct arena *a, const struct scene *at,
                         const cJSON *content, struct update *u)
{
    if (!wire_is(content, "msgtype", "m.text"))
        return false;
    const cJSON *relation = wire_at(content, "m.relates_to");
    if (wire_is(relation, "rel_type", "m.replace"))
        return false;
    struct str html = wire_str(a, content, "formatted_body");
    u->text = wire_str(a, content, "body");
    if (u->text.n > MAX_TEXT || html.n > 4 * (size_t)MAX_TEXT)
        return false;
    if (wire_is(content, "format", "org.matrix.custom.html")) {
        struct str text;
        if (text_of_html(a, html, at, u, &text))
            u->text = text;
    }
    const cJSON *answered = wire_at(relation, "m.in_reply_to");
    if (answered && !wire_true(relation, "is_falling_back")) {
        u->post = wire_str(a, answered, "event_id");
        u->text = without_quote(u->text);
    }
    if (wire_is(relation, "rel_type", "m.thread") && has_threads(m, u->chat))
        u->chat = arena_print(a, "%.*s %.*s", STR_ARG(u->chat),
                              STR_ARG(wire_str(a, relation, "event_id")));
    bool named = hear_mentions(m, a, at, content, u);
    u->text = str_trim(u->text);
    u->kind = UPDATE_TEXT;
    return u->text.n > 0 && for_us(m, a, &u->text, u->direct, named);
}

/* Digits followed by U+20E3, perhaps with U+FE0F between; or the one emoji for ten. */
static struct str number_of(struct str key)
{
    static const struct str TEN = {"\xf0\x9f\x94\x9f", 4}, KEYCAP = {"\xe2\x83\xa3", 3};
    static const struct str VARIANT = {"\xef\xb8\x8f", 3};
    if (str_is(key, TEN))
        return STR("10");
    size_t n = 0;
    while (n < key.n && key.p[n] >= '0' && key.p[n] <= '9')
        n++;
    struct str digits = {key.p, n}, rest = str_skip(key, n);
    if (str_starts(rest, VARIANT))
        rest = str_skip(rest, VARIANT.n);
    if (rest.n > 0 && !str_is(rest, KEYCAP))
        return STR("");
    return is_number(digits) ? digits : STR("");
}

static bool hear_reaction(struct arena *a, const cJSON *content, struct update *u)
{
    const cJSON *relation = wire_at(content, "m.relates_to");
    if (!wire_is(relation, "rel_type", "m.annotation"))
        return false;
    struct str number = number_of(wire_str(a, relation, "key"));
    u->kind = UPDATE_TEXT;
    u->reacted = true;
    u->post = wire_str(a, relation, "event_id");
    u->text = u->direct ? number : arena_print(a, "/play %.*s", STR_ARG(number));
    return number.n > 0;
}

static bool hear_vote(struct arena *a, const cJSON *content, struct update *u)
{
    const cJSON *votes = wire_in(content, "org.matrix.msc3381.poll.response", "answers", NULL);
    if (!votes)
        votes = wire_at(content, "m.selections");
    u->kind = UPDATE_PRESS;
    u->text = wire_text(a, cJSON_GetArrayItem(votes, 0));
    u->post = arena_print(a, "poll:%.*s",
                          STR_ARG(wire_str(a, wire_at(content, "m.relates_to"), "event_id")));
    return cJSON_IsArray(votes) && u->text.n > 0 && u->text.n <= ID_BYTES;
}

/* Who shares a private chat with the bot comes and goes. */
static bool hear_membership(struct arena *a, const struct scene *at, const cJSON *event,
                            struct update *u)
{
    struct str who = wire_str(a, event, "state_key");
    const cJSON *content = wire_at(event, "content");
    bool gone = wire_is(content, "membership", "leave") || wire_is(content, "membership", "ban");
    if (!gone || at->room->with.n == 0 || !str_is(at->room->with, who))
        return false;
    u->kind = UPDATE_BLOCKED;
    u->from = hear_sender(a, at, who);
    return true;
}

bool hear_encrypted(struct arena *a, struct room *room, struct sender who, struct update *ret)
{
    if (room->told)
        return false;
    room->told = true;
    *ret = (struct update){.kind = UPDATE_RIGHTS,
                           .text = STR("encrypted"),
                           .chat = arena_str(a, room->id),
                           .chat_name = arena_str(a, room->name),
                           .from = who};
    ret->id = arena_print(a, "encrypted:%.*s", STR_ARG(room->id));
    return true;
}

static bool is_any(const cJSON *event, const char *one, const char *other)
{
    return wire_is(event, "type", one) || wire_is(event, "type", other);
}

bool hear_event(struct matrix *m, struct arena *a, const struct scene *at, const cJSON *event,
                struct update *ret)
{
    struct room *room = at->room;
    const cJSON *content = wire_at(event, "content");
    struct update u = {.id = wire_str(a, event, "event_id"),
                       .chat = arena_str(a, room->id),
                       .chat_name = arena_str(a, room->name),
                       .direct = room->with.n > 0,
                       .when = wire_int(event, "origin_server_ts")};
    struct str sender = wire_str(a, event, "sender");
    if (!is_event_id(u.id) || !is_user_id(sender) || !cJSON_IsObject(content) ||
        str_is(sender, m->session.user))
        return false;
    if (!seal_open(m, event) || wire_is(event, "type", "m.room.encryption")) {
        room->encrypted = true;
        return hear_encrypted(a, room, hear_sender(a, at, sender), ret);
    }
    u.from = hear_sender(a, at, sender);
    u.admin = room_level(room, sender) >= room->state_default;
    bool heard = false;
    if (wire_is(event, "type", "m.room.message"))
        heard = hear_message(m, a, at, content, &u);
    else if (wire_is(event, "type", "m.reaction"))
        heard = hear_reaction(a, content, &u);
    else if (is_any(event, "org.matrix.msc3381.poll.response", "m.poll.response"))
        heard = hear_vote(a, content, &u);
    else if (wire_is(event, "type", "m.room.member"))
        heard = hear_membership(a, at, event, &u);
    if (heard)
        *ret = u;
    return heard;
}
