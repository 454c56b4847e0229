/* See world.h. */
#include "world.h"

#include "options.h"
#include "photo.h"

bool world_keeps, world_old, world_stiff;
uint64_t world_events;

static struct tg_person **people; /* open addressing by id, as the chats */
static size_t n_people, people_cap;
static struct tg_chat **chats;
static size_t n_chats, chats_cap;
static struct tap *taps;
static size_t n_taps, taps_cap;
static int64_t last_message;

static size_t slot_of(int64_t id, size_t cap)
{
    return ((uint64_t)id * 0x9e3779b97f4a7c15u >> 20) & (cap - 1);
}

static size_t seat(int64_t id)
{
    size_t i = slot_of(id, people_cap);
    while (people[i] && people[i]->id != id)
        i = (i + 1) & (people_cap - 1);
    return i;
}

static void more_seats(void)
{
    struct tg_person **old = people;
    size_t n = people_cap;
    people_cap = n ? n * 2 : 256;
    people = must(calloc(people_cap, sizeof(struct tg_person *)));
    for (size_t i = 0; i < n; i++)
        if (old[i])
            people[seat(old[i]->id)] = old[i];
    free(old);
}

struct tg_person *world_person_new(struct tg_person one)
{
    if (n_people * 2 >= people_cap)
        more_seats();
    struct tg_person *p = must(malloc(sizeof *p));
    *p = one;
    people[seat(one.id)] = p;
    n_people++;
    return p;
}

struct tg_person *world_person(int64_t id)
{
    return n_people > 0 ? people[seat(id)] : NULL;
}

static size_t place(int64_t id)
{
    size_t i = slot_of(id, chats_cap);
    while (chats[i] && chats[i]->id != id)
        i = (i + 1) & (chats_cap - 1);
    return i;
}

static void grow(void)
{
    struct tg_chat **old = chats;
    size_t n = chats_cap;
    chats_cap = n ? n * 2 : 1024;
    chats = must(calloc(chats_cap, sizeof *chats));
    for (size_t i = 0; i < n; i++)
        if (old[i])
            chats[place(old[i]->id)] = old[i];
    free(old);
}

struct tg_chat *world_chat_new(int64_t id, enum chat_kind kind, const char *title)
{
    if (n_chats * 2 >= chats_cap)
        grow();
    struct tg_chat *c = must(calloc(1, sizeof *c));
    *c = (struct tg_chat){.id = id, .kind = kind, .title = title, .tokens = 3};
    chats[place(id)] = c;
    n_chats++;
    return c;
}

struct tg_chat *world_chat(int64_t id)
{
    struct tg_chat *c = n_chats > 0 ? chats[place(id)] : NULL;
    if (c || world_keeps)
        return c;
    return world_chat_new(id, id < 0 ? CHAT_GROUP : CHAT_PRIVATE, "Load");
}

int64_t world_message_id(struct tg_chat *c)
{
    return c && c->kind == CHAT_SUPERGROUP ? ++c->last_message : ++last_message;
}

struct tg_message *world_say(struct tg_chat *c, struct tg_message m)
{
    if (c->n == c->cap)
        c->messages = must(realloc(c->messages, (c->cap = c->cap ? c->cap * 2 : 8) * sizeof m));
    m.event = ++world_events;
    c->messages[c->n] = m;
    return &c->messages[c->n++];
}

struct tg_message *world_message(struct tg_chat *c, int64_t id, int64_t receiver)
{
    for (size_t i = c->n; i-- > 0;)
        if (c->messages[i].id == id && c->messages[i].receiver == receiver)
            return c->messages[i].gone ? NULL : &c->messages[i];
    return NULL;
}

struct tg_message *world_inlined(const char *id, struct tg_chat **ret)
{
    for (size_t k = 0; k < chats_cap; k++)
        for (size_t i = 0; chats[k] && i < chats[k]->n; i++) {
            struct tg_message *m = &chats[k]->messages[i];
            if (m->inlined && strcmp(m->inlined, id) == 0) {
                *ret = chats[k];
                return m->gone ? NULL : m;
            }
        }
    return NULL;
}

struct tap *world_tap_new(int64_t person, int64_t chat)
{
    if (n_taps == taps_cap)
        taps = must(realloc(taps, (taps_cap = taps_cap ? taps_cap * 2 : 64) * sizeof *taps));
    taps[n_taps] = (struct tap){.n = (int64_t)n_taps, .person = person, .chat = chat};
    return &taps[n_taps++];
}

struct tap *world_tap(const char *id)
{
    char *end;
    if (!id || strncmp(id, "tap", 3) != 0)
        return NULL;
    unsigned long n = strtoul(id + 3, &end, 10);
    return *end || n >= n_taps ? NULL : &taps[n];
}

bool world_all_answered(void)
{
    bool all = true;
    for (size_t i = 0; i < n_taps; i++)
        all &= taps[i].answered || taps[i].late;
    return all;
}

double world_chance(void)
{
    static uint64_t s;
    if (!s)
        s = (uint64_t)opt.seed * 0x9e3779b97f4a7c15u + 1;
    s ^= s << 13;
    s ^= s >> 7;
    s ^= s << 17;
    return (double)(s >> 11) / (double)(1ull << 53);
}

/* ---- as JSON ---- */

static void name_json(struct text_buffer *t, const char *name, const char *handle)
{
    text_put(t, "\"first_name\":");
    text_json(t, name);
    if (*handle) {
        text_put(t, ",\"username\":");
        text_json(t, handle);
    }
}

void person_json(struct text_buffer *t, const struct tg_person *p)
{
    text_put(t, "{\"id\":");
    text_int(t, p->id);
    text_put(t, ",\"is_bot\":false,");
    name_json(t, p->name, p->handle);
    if (*p->language) {
        text_put(t, ",\"language_code\":");
        text_json(t, p->language);
    }
    text_put(t, "}");
}

void bot_json(struct text_buffer *t, bool whole)
{
    text_print(t,
               "{\"id\":%d,\"is_bot\":true,\"first_name\":\"Koi-Koi\",\"username\":\"koikoi_bot\"",
               BOT_ID);
    if (whole)
        text_print(t,
                   ",\"can_join_groups\":true,\"can_read_all_group_messages\":false,"
                   "\"supports_inline_queries\":%s,\"can_connect_to_business\":false,"
                   "\"has_main_web_app\":false,\"has_topics_enabled\":false,"
                   "\"supports_guest_queries\":%s",
                   world_old ? "false" : "true", world_old ? "false" : "true");
    text_put(t, "}");
}

void chat_json(struct text_buffer *t, const struct tg_chat *c)
{
    static const char *const kinds[] = {"private", "group", "supergroup"};
    text_put(t, "{\"id\":");
    text_int(t, c->id);
    text_put(t, ",\"type\":\"");
    text_put(t, kinds[c->kind]);
    text_put(t, "\",");
    const struct tg_person *p = c->kind == CHAT_PRIVATE ? world_person(c->id) : NULL;
    if (c->kind == CHAT_PRIVATE) {
        name_json(t, p ? p->name : c->title, p ? p->handle : "");
    } else {
        text_put(t, "\"title\":");
        text_json(t, c->title);
        if (c->forum)
            text_put(t, ",\"is_forum\":true");
    }
    text_put(t, "}");
}

static void media_json(struct text_buffer *t, const struct tg_message *m)
{
    if (m->photo) {
        text_put(t, ",\"photo\":");
        photo_json(t, m->photo);
    }
    if (m->document)
        text_put(t, ",\"document\":{\"file_id\":\"document1\",\"file_unique_id\":\"document1u\"}");
    bool media = m->photo || m->document;
    if (!media || *m->text) {
        text_put(t, media ? ",\"caption\":" : ",\"text\":");
        text_json(t, m->text);
    }
    if (m->entities && *m->entities && strcmp(m->entities, "[]") != 0) {
        text_put(t, media ? ",\"caption_entities\":" : ",\"entities\":");
        text_put(t, m->entities);
    }
}

void message_json(struct text_buffer *t, const struct tg_chat *c, const struct tg_message *m,
                  bool edited)
{
    const struct tg_person *from = m->from ? world_person(m->from) : NULL;
    text_put(t, "{\"message_id\":");
    text_int(t, m->receiver ? 0 : m->id);
    if (m->receiver) {
        text_print(t, ",\"ephemeral_message_id\":%lld", (long long)m->id);
        const struct tg_person *to = world_person(m->receiver);
        if (to && !m->from) {
            text_put(t, ",\"receiver_user\":");
            person_json(t, to);
        }
    }
    text_put(t, ",\"from\":");
    if (from)
        person_json(t, from);
    else
        bot_json(t, false);
    text_put(t, ",\"chat\":");
    chat_json(t, c);
    if (m->thread)
        text_print(t, ",\"message_thread_id\":%lld,\"is_topic_message\":true",
                   (long long)m->thread);
    text_put(t, ",\"date\":");
    text_int(t, (int64_t)time(NULL));
    if (edited)
        text_print(t, ",\"edit_date\":%lld", (long long)time(NULL));
    media_json(t, m);
    if (m->markup) {
        char *markup = cJSON_PrintUnformatted(m->markup);
        text_print(t, ",\"reply_markup\":%s", markup);
        free(markup);
    }
    text_put(t, "}");
}
