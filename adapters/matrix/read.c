/* Events as updates, see sync.c:
 *
 *     "!koi challenge ..."  (the prefix is an option)        TEXT "/challenge ..."
 *     "!koi 3"                                               TEXT "/play 3"
 *     text that mentions or answers the bot; any text in its private chat: TEXT, unchanged
 *     a vote in a poll                                       PRESS with the answer's id
 *     a number as reaction (1️⃣, with or without U+FE0F)      TEXT "3" about that message
 *     👍 ✅, 👎 ❌, 🔁 as reaction                              TEXT "yes", "no", "again" about it
 *
 * A person named by a pill becomes @local:server in the text, whatever the pill shows.
 */
#include "crypto.h"
#include "polled.h"
#include "typed.h"

#include <ctype.h>

/* Names are looked up among MAX_MEMBERS events at most, and only for updates: a server decides how
 * many of either there are. */
enum { MAX_TEXT = 4096, MAX_MEMBERS = 1000 };

static const struct str MATRIX_TO = {"https://matrix.to/#/", 20};

static struct str member_name(struct arena *a, struct json list, struct str user)
{
    struct str name = {0};
    struct json event = json_first(list);
    for (int i = 0; event.at && i < MAX_MEMBERS; event = json_next(event), i++)
        if (json_is_str(event, "state_key", user) && wire_is_member(event)) {
            struct str given = wire_member_name(a, event);
            if (given.n > 0 || !wire_is_out(event))
                name = given;
        }
    return name;
}

struct sender read_sender(struct arena *a, const struct event_context *at, struct str user)
{
    struct str known;
    struct sender s = {.id = user, .handle = str_skip(user, 1)};
    s.name = member_name(a, at->more, user);
    if (s.name.n == 0)
        s.name = member_name(a, at->members, user);
    if (s.name.n == 0 && room_name_of(at->room, user, &known))
        s.name = arena_str(a, known);
    if (s.name.n == 0)
        s.name = str_cut(s.handle, ':', &known);
    else if (room_name_is_shared(at->room, user, s.name))
        s.name =
            arena_print(a, "%.*s (%.*s)", STR_ARG(s.name), STR_ARG(str_cut(s.handle, ':', &known)));
    return s;
}

bool read_is_for_another(const struct room *room, const struct update *u)
{
    bool other = false, own = false;
    for (int i = 0; i < u->n_mentions; i++) {
        other |= room_in_words(room->bots, u->mention[i].id);
        own |= u->mention[i].bot;
    }
    return u->kind == UPDATE_TEXT && other && !own;
}

static struct str unescape_url(struct arena *a, struct str s)
{
    struct buf b = {arena_alloc(a, s.n + 1), 0, s.n, false};
    for (size_t i = 0; i < s.n; i++) {
        int byte = str_escaped(str_skip(s, i));
        buf_char(&b, byte >= 0 ? (char)byte : s.p[i]);
        i += byte >= 0 ? 2 : 0;
    }
    return buf_str(&b);
}

/* The name follows in name_mentions(). */
static void mention_id(struct update *u, struct arena *a, struct str user)
{
    if (wire_is_user_id(user))
        update_mention(u, (struct sender){.id = arena_str(a, user)});
}

/* The word without the punctuation behind it. */
static struct str bare(struct str word)
{
    while (word.n > 0 && strchr(":,;.!?", word.p[word.n - 1]))
        word.n--;
    return word;
}

static void name_mentions(struct update *u, struct arena *a, const struct event_context *at)
{
    for (int i = 0; i < u->n_mentions; i++) {
        bool own = u->mention[i].self;
        u->mention[i] = read_sender(a, at, u->mention[i].id);
        u->mention[i].bot = u->mention[i].self = own;
    }
}

/* The user id that an <a href=...> tag points to; empty if not found. */
static struct str pill_target(struct arena *a, struct str tag)
{
    const char *at = tag.n > 0 ? memmem(tag.p, tag.n, MATRIX_TO.p, MATRIX_TO.n) : NULL;
    size_t n = 0;
    if (!at)
        return STR("");
    tag = str_skip(tag, (size_t)(at - tag.p) + MATRIX_TO.n);
    while (n < tag.n && !strchr("\"'?> ", tag.p[n]))
        n++;
    struct str user = unescape_url(a, (struct str){tag.p, n});
    return wire_is_user_id(user) ? user : STR("");
}

/* Decodes "&lt;" and the few others that clients write. Returns the bytes read. */
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

/* Behind the quotation that old clients put ahead of an answer. */
static struct str without_quotation(struct str html)
{
    static const struct str OPEN = {"<mx-reply", 9}, CLOSE = {"</mx-reply>", 11};
    const char *at = html.n > 0 ? memmem(html.p, html.n, OPEN.p, OPEN.n) : NULL, *end = NULL;
    for (struct str rest = html; at; rest = str_skip(html, (size_t)(end - html.p) + CLOSE.n)) {
        const char *next = rest.n > 0 ? memmem(rest.p, rest.n, CLOSE.p, CLOSE.n) : NULL;
        if (!next)
            break;
        end = next;
    }
    return !at ? html : end ? str_skip(html, (size_t)(end - html.p) + CLOSE.n) : STR("");
}

/* The text of a message with pills: tags are dropped, a pill becomes the id it points to. False if
 * there is no pill. */
static bool text_of_html(struct arena *a, struct str html, struct update *u, struct str *ret)
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
                mention_id(u, a, user);
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

/* Adds mentions of typed ids and of m.mentions to those of pills. True if the bot is mentioned: at
 * the start that addresses it, later it means the computer. */
static bool read_mentions(struct matrix *m, struct arena *a, struct json content, struct update *u)
{
    struct str rest = u->text;
    bool computer = false, first = true;
    for (struct str word; (word = str_word(&rest)).n > 0; first = false) {
        word = bare(word);
        mention_id(u, a, word);
        computer |= !first && str_is(word, m->session.user);
    }
    struct json id = json_first(json_in(content, "m.mentions", "user_ids", NULL));
    for (; id.at; id = json_next(id))
        mention_id(u, a, wire_str(a, id, NULL));
    bool me = false;
    int n = 0;
    for (int i = 0; i < u->n_mentions; i++) {
        bool own = str_is(u->mention[i].id, m->session.user);
        u->mention[i].self = own;
        me |= own;
        if (!own || computer)
            u->mention[n++] = u->mention[i];
    }
    u->n_mentions = n;
    return me;
}

/* ---- reactions: numbers, and signs for yes, no and again ---- */

enum { MAX_DIGITS = 2 };

static bool is_number(struct str s)
{
    if (s.n == 0 || s.n > MAX_DIGITS)
        return false;
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] < '0' || s.p[i] > '9')
            return false;
    return true;
}

/* Signs that mean a word, by their first character: a skin tone or U+FE0F may follow. */
static struct str word_of(struct str key)
{
    static const struct {
        struct str sign, word;
    } SIGNS[] = {
        {{"\xf0\x9f\x91\x8d", 4}, {"yes", 3}},   {{"\xe2\x9c\x85", 3}, {"yes", 3}},
        {{"\xe2\x9c\x94", 3}, {"yes", 3}},       {{"\xe2\x98\x91", 3}, {"yes", 3}},
        {{"\xf0\x9f\x91\x8e", 4}, {"no", 2}},    {{"\xe2\x9d\x8c", 3}, {"no", 2}},
        {{"\xf0\x9f\x94\x81", 4}, {"again", 5}}, {{"\xf0\x9f\x94\x84", 4}, {"again", 5}},
    };
    enum { LONGEST = 12 };
    for (size_t i = 0; i < sizeof SIGNS / sizeof *SIGNS; i++)
        if (str_starts(key, SIGNS[i].sign) && key.n <= LONGEST)
            return SIGNS[i].word;
    return STR("");
}

static bool read_reaction(struct arena *a, struct json content, struct update *u)
{
    struct json relation = json_at(content, "m.relates_to");
    if (!json_is(relation, "rel_type", "m.annotation"))
        return false;
    struct str key = wire_str(a, relation, "key"), plain = typed_plain(a, key),
               number = is_number(plain) ? plain : STR("");
    u->kind = UPDATE_TEXT;
    u->reacted = true;
    u->post = wire_id(a, relation, "event_id");
    u->text = number.n == 0 ? word_of(key)
              : u->direct   ? number
                            : arena_print(a, "/play %.*s", STR_ARG(number));
    return u->text.n > 0;
}

/* ---- messages ---- */

/* Behind the prefix a command needs no slash. */
static struct str command(struct arena *a, struct str words)
{
    if (words.n == 0)
        return STR("/help");
    struct str plain = typed_plain(a, words);
    if (str_starts(plain, STR("/")))
        return words;
    return arena_print(a, is_number(plain) ? "/play %.*s" : "/%.*s", STR_ARG(words));
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

/* True if s begins with `name`, and a word ends there. */
static bool begins_with_name(struct str s, struct str name)
{
    if (name.n == 0 || name.n > s.n)
        return false;
    for (size_t i = 0; i < name.n; i++)
        if (lower(s.p[i]) != lower(name.p[i]))
            return false;
    return s.n == name.n || strchr(" \t\n:,;.!?", s.p[name.n]);
}

/* True if the text is for the bot; *text is then the command in it. */
static bool for_us(struct matrix *m, struct arena *a, struct str *text, bool direct, bool named)
{
    struct str rest = *text, head = typed_word(&rest), plain = typed_plain(a, head);
    if ((head.n == m->prefix.n && begins_with_name(head, m->prefix)) ||
        (plain.n == m->prefix.n && begins_with_name(plain, m->prefix))) {
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

/* What a message answers. The first one in a thread stands below its root, and answers it. A thread
 * that is no chat of its own is where its questions are answered: `said` names both. */
static void read_relation(struct matrix *m, struct arena *a, struct json relation, struct update *u)
{
    struct json answered = json_at(relation, "m.in_reply_to");
    bool thread = json_is(relation, "rel_type", "m.thread");
    struct str root = wire_id(a, relation, "event_id"), post = wire_id(a, answered, "event_id");
    bool chat = room_in_words(m->threads, STR("yes")) || room_in_words(m->threads, u->chat);
    if (answered.at && (!json_bool(relation, "is_falling_back") || (thread && str_is(post, root))))
        u->post = post;
    struct str rest = u->text; /* old clients quote it: lines "> ..." before an empty line */
    while (answered.at && str_starts(rest, STR("> ")))
        str_cut(rest, '\n', &rest);
    if (rest.n < u->text.n)
        u->text = str_trim(rest);
    if (!thread || !wire_is_event_id(root))
        return;
    if (chat)
        u->chat = arena_print(a, "%.*s %.*s", STR_ARG(u->chat), STR_ARG(root));
    else if (!u->direct)
        u->said = arena_print(a, "%.*s %.*s", STR_ARG(u->id), STR_ARG(root));
}

/* A word that may accept what it answers, without a mention. */
static bool is_short(struct str text)
{
    enum { MOST = 40 };
    struct str rest = text;
    (void)str_word(&rest);
    return text.n <= MOST && str_trim(rest).n == 0;
}

static bool read_message(struct matrix *m, struct arena *a, struct json content, struct update *u)
{
    if (!json_is(content, "msgtype", "m.text"))
        return false;
    struct json relation = json_at(content, "m.relates_to");
    if (json_is(relation, "rel_type", "m.replace"))
        return false;
    struct str html = wire_str(a, content, "formatted_body");
    u->text = wire_str(a, content, "body");
    if (u->text.n > MAX_TEXT || html.n > 4 * (size_t)MAX_TEXT)
        return false;
    if (json_is(content, "format", "org.matrix.custom.html")) {
        struct str text;
        if (text_of_html(a, without_quotation(html), u, &text))
            u->text = text;
    }
    struct json sent = json_at(content, "org.matrix.msc4391.command");
    struct str verb = wire_str(a, sent, "command"),
               words = wire_str(a, json_at(sent, "arguments"), COMMAND_WORDS);
    if (verb.n > 0) /* the body is the client's own rendering */
        u->text = arena_print(a, "/%.*s %.*s", STR_ARG(verb), STR_ARG(words));
    read_relation(m, a, relation, u);
    bool named = read_mentions(m, a, content, u);
    u->text = str_trim(u->text);
    u->kind = UPDATE_TEXT;
    u->addressed = named;
    return u->text.n > 0 &&
           (for_us(m, a, &u->text, u->direct, named) || (u->post.n > 0 && is_short(u->text)));
}

static bool read_vote(struct arena *a, struct json content, struct update *u)
{
    struct json votes = json_in(content, "org.matrix.msc3381.poll.response", "answers", NULL);
    if (!votes.at)
        votes = json_at(content, "m.selections");
    u->kind = UPDATE_PRESS;
    u->text = wire_str(a, json_first(votes), NULL);
    u->post = arena_print(a, "poll:%.*s",
                          STR_ARG(wire_id(a, json_at(content, "m.relates_to"), "event_id")));
    return json_kind(votes) == JSON_LIST && u->text.n > 0 && u->text.n <= ID_BYTES;
}

/* Somebody asks to compare emoji with our device. */
static bool read_comparison(struct matrix *m, struct arena *a, const struct room *room,
                            struct json content, struct update *u)
{
    if (!json_is(content, "msgtype", "m.key.verification.request") ||
        !json_is_str(content, "to", m->session.user))
        return false;
    crypto_cancel(m, a, room->id, STR(""), u->id);
    *u = (struct update){.kind = UPDATE_RIGHTS,
                         .id = u->id,
                         .text = STR("compare"),
                         .chat = u->chat,
                         .chat_name = u->chat_name,
                         .direct = u->direct,
                         .when = u->when};
    return true;
}

/* Somebody is no member any more, or is one again: UPDATE_GONE, UPDATE_BACK; of a private chat
 * UPDATE_BLOCKED. */
static bool read_membership(struct arena *a, const struct event_context *at, struct json event,
                            struct update *u)
{
    struct str who = wire_id(a, event, "state_key");
    bool own = at->room->with.n > 0, out = wire_is_out(event),
         in = json_is(json_at(event, "content"), "membership", "join") &&
              !json_is(json_in(event, "unsigned", "prev_content", NULL), "membership", "join");
    if (!(out || (in && !own)) || !wire_is_user_id(who) || (own && !str_is(at->room->with, who)))
        return false;
    u->kind = own ? UPDATE_BLOCKED : out ? UPDATE_GONE : UPDATE_BACK;
    u->admin = false; /* of whoever removed them */
    u->from = read_sender(a, at, who);
    return true;
}

/* Whose message it was, and in which thread, is not said. Up to version 10 of a room the id stands
 * beside the content. */
static bool read_redaction(struct arena *a, const struct event_context *at, struct json event,
                           struct update *u)
{
    u->kind = UPDATE_ERASED;
    u->from = read_sender(a, at, wire_id(a, event, "sender"));
    u->from.bot = room_in_words(at->room->bots, u->from.id);
    u->post = wire_id(a, json_at(event, "content"), "redacts");
    if (u->post.n == 0)
        u->post = wire_id(a, event, "redacts");
    u->part_unknown = true;
    return wire_is_event_id(u->post);
}

struct update read_rights(struct arena *a, const struct room *room, const char *what,
                          struct sender who)
{
    return (struct update){.kind = UPDATE_RIGHTS,
                           .id = arena_print(a, "%s:%.*s", what, STR_ARG(room->id)),
                           .text = str_of(what),
                           .chat = arena_str(a, room->id),
                           .chat_name = arena_str(a, room->name),
                           .from = who};
}

bool read_encrypted(struct arena *a, struct room *room, struct sender who, struct update *ret)
{
    if (room->told)
        return false;
    room->told = true;
    *ret = read_rights(a, room, "encrypted", who);
    return true;
}

bool read_event(struct matrix *m, struct arena *a, const struct event_context *at,
                struct json event, struct update *ret)
{
    struct room *room = at->room;
    struct json content = json_at(event, "content");
    struct update u = {.id = wire_id(a, event, "event_id"),
                       .chat = arena_str(a, room->id),
                       .chat_name = arena_str(a, room->name),
                       .when = json_number(event, "origin_server_ts")};
    struct str sender = wire_id(a, event, "sender");
    if (!wire_is_event_id(u.id) || !wire_is_user_id(sender) || json_kind(content) != JSON_OBJECT ||
        str_is(sender, m->session.user))
        return false;
    bool sets = json_is(event, "type", "m.room.encryption") && json_is(event, "state_key", "");
    room->encrypted |= sets;
    if (sets || json_is(event, "type", "m.room.encrypted"))
        return room->encrypted && !m->crypto &&
               read_encrypted(a, room, read_sender(a, at, sender), ret);
    u.direct = !room->crowded && str_is(room->with, sender);
    u.admin = room_level(room, sender) >= room->state_default;
    if (json_is(event, "type", "m.room.message") && json_is(content, "msgtype", "m.notice"))
        room_add_bot(m->known, a, room, sender);
    bool found = false;
    if (json_is(event, "type", "m.room.message"))
        found = read_comparison(m, a, room, content, &u) || read_message(m, a, content, &u);
    else if (json_is(event, "type", "m.reaction"))
        found = read_reaction(a, content, &u);
    else if (wire_is_vote(event))
        found = read_vote(a, content, &u);
    else if (wire_is_member(event))
        found = read_membership(a, at, event, &u);
    else if (json_is(event, "type", "m.room.redaction"))
        found = read_redaction(a, at, event, &u);
    if (!found)
        return false;
    if (u.from.id.n == 0) /* else it is about somebody else, or read already */
        u.from = read_sender(a, at, sender);
    name_mentions(&u, a, at);
    *ret = u;
    return !read_is_for_another(room, &u);
}

/* ---- people that a command names as they are called ("@bo", "@Bo Peep"), not by a pill or a whole
 * user id: looked up among the members of the room. A name is the local part of a user id, a
 * display name, or the first word of one, in letters of any case; the longest display name wins,
 * and whole names win over first words ---- */

enum { FIT_FIRST_WORD = 1, FIT_WHOLE };

/* Behind the '@' of a word that is a name; empty for any other word. */
static struct str typed_name(struct str word)
{
    word = bare(word);
    return word.n > 1 && word.p[0] == '@' && !wire_is_user_id(word) ? str_skip(word, 1) : STR("");
}

/* True if the update is a command of a room with such a name in it. */
static bool names_are_typed(const struct update *u)
{
    if (u->kind != UPDATE_TEXT || u->direct || u->reacted)
        return false;
    for (struct str rest = u->text, word; (word = str_word(&rest)).n > 0;)
        if (typed_name(word).n > 0)
            return true;
    return false;
}

/* How `typed`, the rest of a text behind '@', fits a member; *ret_n: the bytes that are the
 * name. */
static int fit_of(struct str typed, struct str id, struct str shown, size_t *ret_n)
{
    struct str server, rest = shown, local = str_cut(str_skip(id, 1), ':', &server),
                       first = str_word(&rest);
    int fit = 0;
    *ret_n = 0;
    if (begins_with_name(typed, local)) {
        *ret_n = local.n;
        fit = FIT_WHOLE;
    }
    if (shown.n > *ret_n && begins_with_name(typed, shown)) {
        *ret_n = shown.n;
        fit = FIT_WHOLE;
    }
    if (fit == 0 && begins_with_name(typed, first)) {
        *ret_n = first.n;
        fit = FIT_FIRST_WORD;
    }
    return fit;
}

struct hits {
    int n, fit;
    size_t bytes;
    struct sender at[MAX_MENTIONS]; /* the first ones */
};

/* The members that the name at the beginning of `typed` fits best. */
static struct hits find(struct arena *a, struct json joined, struct str typed)
{
    struct hits hits = {0};
    for (struct json member = json_first(joined); member.at; member = json_next(member)) {
        struct str id = json_name(member), name = wire_name(a, member, "display_name");
        size_t bytes;
        int fit = wire_is_user_id(id) ? fit_of(typed, id, name, &bytes) : 0;
        if (fit == 0 || fit < hits.fit || (fit == hits.fit && bytes < hits.bytes))
            continue;
        if (fit > hits.fit || bytes > hits.bytes)
            hits = (struct hits){.fit = fit, .bytes = bytes};
        id = arena_str(a, id);
        struct sender who = {.id = id, .handle = str_skip(id, 1), .name = name};
        if (name.n == 0)
            who.name = str_cut(who.handle, ':', &name);
        if (hits.n < MAX_MENTIONS)
            hits.at[hits.n] = who;
        hits.n++;
    }
    return hits;
}

void names_resolve(const struct matrix *m, struct arena *a, struct json joined, struct update *u)
{
    struct str done = {0}, text = u->text;
    for (size_t i = 0; i < text.n;) {
        struct str rest = str_skip(text, i), word = rest;
        bool begins = i == 0 || text.p[i - 1] == ' ' || text.p[i - 1] == '\n';
        struct str typed = begins ? typed_name(str_word(&word)) : STR("");
        if (rest.p[0] != '@' || typed.n == 0) {
            i++;
            continue;
        }
        struct hits hits = find(a, joined, str_skip(rest, 1));
        if (hits.n != 1) {
            if (u->unnamed.n == 0) { /* the first name that does not mean exactly one member */
                u->unnamed = typed;
                u->n_choices = hits.n < MAX_MENTIONS ? hits.n : MAX_MENTIONS;
                memcpy(u->choice, hits.at, sizeof u->choice);
            }
            i++;
            continue;
        }
        hits.at[0].bot = hits.at[0].self = str_is(hits.at[0].id, m->session.user);
        update_mention(u, hits.at[0]);
        done = arena_print(a, "%.*s%.*s", (int)i, text.p, STR_ARG(hits.at[0].id));
        text = arena_print(a, "%.*s%.*s", STR_ARG(done), STR_ARG(str_skip(rest, 1 + hits.bytes)));
        i = done.n;
    }
    u->text = text;
}

/* A command with a name in it waits until the members are known. */
static bool ask_names(struct polled *p, struct json event, const struct update *u)
{
    struct str server;
    if (!names_are_typed(u))
        return false;
    json_remove(event, "unsigned"); /* of no more use */
    struct room_action action = {.kind = ACTION_NAMES,
                                 .room = str_cut(u->chat, ' ', &server),
                                 .event = json_print(p->a, event)};
    return cursor_add_action(p->next, action);
}

void read_take(struct polled *p, const struct event_context *at, struct json event)
{
    struct update update;
    if (read_event(p->m, p->a, at, event, &update) && !ask_names(p, event, &update))
        *polled_add(p) = update;
}
