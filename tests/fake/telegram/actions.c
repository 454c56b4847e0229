/* Actions of people, as updates for the bot; see story.h. */
#include "story.h"

#include "api.h"

#include <ctype.h>

/* Text as shown: "[12]", a person picked in the app, becomes their first name with a text_mention.
 * The caller frees it. Appends to *entities, separated by commas. */
static char *pick_people(const char *words, struct text_buffer *entities)
{
    struct text_buffer shown = {0};
    txt_put(&shown, "");
    for (const char *s = words; *s;) {
        char *end = NULL;
        const struct tg_person *p = *s == '[' ? world_person(strtoll(s + 1, &end, 10)) : NULL;
        if (!p || *end != ']') {
            txt_add(&shown, s++, 1);
            continue;
        }
        js_put(entities, "%-s{'offset':%zu,'length':%zu,'type':'text_mention','user':",
               entities->n > 0 ? "," : "", utf16_length(shown.p, shown.n),
               utf16_length(p->name, strlen(p->name)));
        person_json(entities, p);
        txt_put(entities, "}");
        txt_put(&shown, p->name);
        s = end + 1;
    }
    return shown.p;
}

/* Entities that the network finds itself, as in "/play@koikoi_bot 3" and "hello @bo". */
static void find_entities(struct text_buffer *t, const char *words)
{
    const char *s = words;
    for (size_t n; *s; s += n ? n : 1) {
        n = 0;
        bool fresh = s == words || isspace((unsigned char)s[-1]);
        if (!fresh || (*s != '/' && *s != '@'))
            continue;
        n = strspn(s + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@") + 1;
        if (n == 1)
            continue;
        js_put(t, "%-s{'offset':%zu,'length':%zu,'type':%s}", t->n > 0 ? "," : "",
               utf16_length(words, (size_t)(s - words)), utf16_length(s, n),
               *s == '/' ? "bot_command" : "mention");
    }
}

static bool heard(const struct tg_chat *c, const char *words)
{
    return c->kind == CHAT_PRIVATE || c->bot == BOT_ADMIN || *words == '/' ||
           strstr(words, "@koikoi_bot");
}

static void put_head(struct text_buffer *t, struct tg_chat *c, int64_t person, int64_t thread,
                     const struct tg_message *m)
{
    const struct tg_person *p = world_person(person);
    js_put(t, "{'message_id':%lld,", (long long)(m->receiver ? 0 : m->id));
    if (m->receiver)
        js_put(t, "'ephemeral_message_id':%lld,", (long long)m->id);
    txt_put(t, "\"from\":");
    if (p) {
        person_json(t, p);
    } else {
        js_put(t,
               "{'id':%d,'is_bot':true,'first_name':'Group','username':'GroupAnonymousBot'},"
               "'sender_chat':",
               ANONYMOUS_ID);
        chat_json(t, c);
    }
    txt_put(t, ",\"chat\":");
    chat_json(t, c);
    if (thread)
        js_put(t, ",'message_thread_id':%lld,'is_topic_message':true", (long long)thread);
    js_put(t, ",'date':%lld", (long long)time(NULL));
}

void action_say(struct tg_chat *c, int64_t person, int64_t thread, const char *words,
                enum action_as as)
{
    struct tg_person *p = world_person(person);
    if (c->kind == CHAT_PRIVATE && p) {
        p->opened = true;
        p->blocked = false;
    }
    struct text_buffer entities = {0};
    char *shown = pick_people(words, &entities);
    struct tg_message m = {.id = world_message_id(c),
                           .from = as == AS_ANONYMOUS ? ANONYMOUS_ID : person,
                           .thread = thread,
                           .receiver = as == AS_HIDDEN ? person : 0,
                           .text = shown,
                           .entities = must(strdup(""))};
    struct tg_message *kept = world_say(c, m);
    find_entities(&entities, shown);
    if (!heard(c, shown)) {
        txt_free(&entities);
        return;
    }
    struct text_buffer t = {0};
    put_head(&t, c, kept->from, thread, kept);
    js_put(&t, ",'text':%s,'entities':[%-s]}", shown, entities.n > 0 ? entities.p : "");
    txt_free(&entities);
    updates_push("message", 0, t);
}

struct tap *action_press(struct tg_chat *c, int64_t person, const struct tg_message *m,
                         const char *data, bool late)
{
    struct tap *tap = world_tap_new(person, c->id);
    struct text_buffer t = {0};
    tap->at = serve_now();
    tap->late = late;
    js_put(&t, "{'id':'tap%lld','chat_instance':'%lld','data':%s,", (long long)tap->n,
           (long long)c->id, data);
    if (m->inlined) {
        js_put(&t, "'inline_message_id':%s,", m->inlined);
    } else {
        txt_put(&t, "\"message\":");
        message_json(&t, c, m, false);
        txt_put(&t, ",");
    }
    txt_put(&t, "\"from\":");
    person_json(&t, world_person(person));
    txt_put(&t, "}");
    updates_push("callback_query", 0, t);
    return tap;
}

static void put_standing(struct text_buffer *t, enum tg_standing s)
{
    static const char *const names[] = {"member", "administrator", "left", "kicked"};
    txt_put(t, "{\"user\":");
    bot_json(t, false);
    js_put(t, ",'status':%s", names[s]);
    if (s == BOT_ADMIN)
        js_put(t, ",'can_be_edited':false,'is_anonymous':false,'can_manage_chat':true,"
                  "'can_delete_messages':true,'can_manage_video_chats':false,"
                  "'can_restrict_members':false,'can_promote_members':false,"
                  "'can_change_info':false,'can_invite_users':false,'can_post_stories':false,"
                  "'can_edit_stories':false,'can_delete_stories':false,"
                  "'can_send_welcome_messages':false");
    if (s == BOT_KICKED)
        js_put(t, ",'until_date':0");
    txt_put(t, "}");
}

void action_standing(struct tg_chat *c, int64_t person, enum tg_standing now)
{
    struct text_buffer t = {0};
    js_put(&t, "{'date':%lld,'chat':", (long long)time(NULL));
    chat_json(&t, c);
    txt_put(&t, ",\"from\":");
    person_json(&t, world_person(person));
    txt_put(&t, ",\"old_chat_member\":");
    put_standing(&t, c->bot);
    txt_put(&t, ",\"new_chat_member\":");
    put_standing(&t, now);
    txt_put(&t, "}");
    if (c->kind != CHAT_PRIVATE)
        c->bot = now;
    updates_push("my_chat_member", 0, t);
}

void action_block(int64_t person)
{
    struct tg_person *p = world_person(person);
    p->blocked = true;
    action_standing(world_chat(person), person, BOT_KICKED);
}

static void tell_migration(struct tg_chat *c, int64_t person, const char *field, int64_t other)
{
    struct text_buffer t = {0};
    struct tg_message m = {.id = world_message_id(c)};
    put_head(&t, c, person, 0, &m);
    js_put(&t, ",%s:%lld}", field, (long long)other);
    updates_push("message", 0, t);
}

struct tg_chat *action_migrate(struct tg_chat *c, int64_t person, int64_t new_id)
{
    struct tg_chat *next = world_chat_new(new_id, CHAT_SUPERGROUP, c->title);
    next->bot = c->bot;
    c->moved_to = new_id;
    tell_migration(c, person, "migrate_to_chat_id", new_id);
    tell_migration(next, person, "migrate_from_chat_id", c->id);
    return next;
}
