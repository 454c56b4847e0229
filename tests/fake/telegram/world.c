/* See world.h. Of a picture it reads only the head of the file, which holds the size that the
 * network checks; each is kept in two sizes. */
#include "world.h"

bool world_keeps, world_old, world_stiff;
uint64_t world_events;
const char *const chat_kinds[] = {"private", "group", "supergroup"};

/* Open addressing by id: each entry begins with its id. */
struct by_id {
    int64_t **at;
    size_t n, cap;
};
static struct by_id people, chats;
static struct tap *taps;
static size_t n_taps, taps_cap;
static int64_t last_message;

static size_t place(const struct by_id *t, int64_t id)
{
    size_t i = ((uint64_t)id * 0x9e3779b97f4a7c15u >> 20) & (t->cap - 1);
    while (t->at[i] && *t->at[i] != id)
        i = (i + 1) & (t->cap - 1);
    return i;
}

static void *look_up(const struct by_id *t, int64_t id)
{
    return t->n > 0 ? t->at[place(t, id)] : NULL;
}

static void enter(struct by_id *t, int64_t *one)
{
    if (t->n++ * 2 >= t->cap) {
        struct by_id old = *t;
        t->cap = old.cap ? old.cap * 2 : 1024;
        t->at = must(calloc(t->cap, sizeof *t->at));
        for (size_t i = 0; i < old.cap; i++)
            if (old.at[i])
                t->at[place(t, *old.at[i])] = old.at[i];
        free(old.at);
    }
    t->at[place(t, *one)] = one;
}

struct tg_person *world_person_new(struct tg_person one)
{
    struct tg_person *p = must(malloc(sizeof *p));
    *p = one;
    enter(&people, &p->id);
    return p;
}

struct tg_person *world_person(int64_t id)
{
    return look_up(&people, id);
}

struct tg_chat *world_chat_new(int64_t id, enum chat_kind kind, const char *title)
{
    struct tg_chat *c = must(calloc(1, sizeof *c));
    *c = (struct tg_chat){.id = id, .kind = kind, .title = title, .tokens = 3};
    enter(&chats, &c->id);
    return c;
}

struct tg_chat *world_chat(int64_t id)
{
    struct tg_chat *c = look_up(&chats, id);
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
    for (size_t k = 0; k < chats.cap; k++) {
        struct tg_chat *c = (struct tg_chat *)chats.at[k];
        for (size_t i = 0; c && i < c->n; i++) {
            struct tg_message *m = &c->messages[i];
            if (m->inlined && strcmp(m->inlined, id) == 0) {
                *ret = c;
                return m->gone ? NULL : m;
            }
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

/* ---- pictures ---- */

enum { MOST_BYTES = 10 << 20, MOST_SIDES = 10000, MOST_RATIO = 20, LARGEST = 1280, SMALLEST = 90 };

static struct photo {
    char id[32], small_id[32]; /* file ids of the largest and of the smallest size */
    int width, height;
    size_t bytes;
} * *photos;
static size_t n_photos;

static int number_at(const unsigned char *p)
{
    return p[0] > 0 ? MOST_SIDES : p[1] << 16 | p[2] << 8 | p[3];
}

/* Width and height of a PNG. Returns false if it is not one. */
static bool read_png(const char *bytes, size_t n, int *width, int *height)
{
    const unsigned char *p = (const unsigned char *)bytes;
    static const char end[] = "IEND\xae\x42\x60\x82";
    if (n < 45 || memcmp(p, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16) != 0 ||
        memcmp(p + n - 8, end, 8) != 0)
        return false;
    *width = number_at(p + 16);
    *height = number_at(p + 20);
    return *width > 0 && *height > 0;
}

const char *world_photo(const char *bytes, size_t n, const char **ret)
{
    struct photo one = {.bytes = n};
    if (n == 0)
        return "file must be non-empty";
    if (n > MOST_BYTES)
        return "file is too big";
    if (!read_png(bytes, n, &one.width, &one.height))
        return "IMAGE_PROCESS_FAILED";
    int longer = one.width > one.height ? one.width : one.height;
    int shorter = one.width > one.height ? one.height : one.width;
    if (longer + shorter > MOST_SIDES || longer > shorter * MOST_RATIO)
        return "PHOTO_INVALID_DIMENSIONS";
    snprintf(one.id, sizeof one.id, "photo%zu", n_photos + 1);
    snprintf(one.small_id, sizeof one.small_id, "photo%zus", n_photos + 1);
    photos = must(realloc(photos, (n_photos + 1) * sizeof *photos));
    photos[n_photos] = must(malloc(sizeof one));
    *photos[n_photos] = one;
    *ret = photos[n_photos++]->id;
    return NULL;
}

static const struct photo *photo_of(const char *file_id)
{
    for (size_t i = 0; i < n_photos; i++)
        if (strcmp(photos[i]->id, file_id) == 0 || strcmp(photos[i]->small_id, file_id) == 0)
            return photos[i];
    return NULL;
}

const char *world_photo_id(const char *file_id)
{
    const struct photo *p = photo_of(file_id);
    return p ? p->id : NULL;
}

/* ---- as JSON ---- */

static void put_size(struct text_buffer *t, const struct photo *p, const char *id, int most)
{
    int longer = p->width > p->height ? p->width : p->height;
    int width = longer > most ? p->width * most / longer : p->width;
    int height = longer > most ? p->height * most / longer : p->height;
    js_put(t, "{'file_id':%s,'file_unique_id':'unique-%-s','width':%d,'height':%d,'file_size':%zu}",
           id, id, width > 0 ? width : 1, height > 0 ? height : 1, p->bytes);
}

static void name_json(struct text_buffer *t, const char *name, const char *handle)
{
    js_put(t, "'first_name':%s", name);
    if (*handle)
        js_put(t, ",'username':%s", handle);
}

void person_json(struct text_buffer *t, const struct tg_person *p)
{
    js_put(t, "{'id':%lld,'is_bot':false,", (long long)p->id);
    name_json(t, p->name, p->handle);
    if (*p->language)
        js_put(t, ",'language_code':%s", p->language);
    txt_put(t, "}");
}

void bot_json(struct text_buffer *t, bool whole)
{
    const char *able = world_old ? "false" : "true";
    js_put(t, "{'id':%d,'is_bot':true,'first_name':'Koi-Koi','username':'koikoi_bot'", BOT_ID);
    if (whole)
        js_put(t,
               ",'can_join_groups':true,'can_read_all_group_messages':false,"
               "'supports_inline_queries':%-s,'can_connect_to_business':false,"
               "'has_main_web_app':false,'has_topics_enabled':false,"
               "'supports_guest_queries':%-s",
               able, able);
    txt_put(t, "}");
}

void chat_json(struct text_buffer *t, const struct tg_chat *c)
{
    const struct tg_person *p = c->kind == CHAT_PRIVATE ? world_person(c->id) : NULL;
    js_put(t, "{'id':%lld,'type':%s,", (long long)c->id, chat_kinds[c->kind]);
    if (c->kind == CHAT_PRIVATE)
        name_json(t, p ? p->name : c->title, p ? p->handle : "");
    else
        js_put(t, "'title':%s%-s", c->title, c->forum ? ",\"is_forum\":true" : "");
    txt_put(t, "}");
}

static void media_json(struct text_buffer *t, const struct tg_message *m)
{
    const struct photo *photo = m->photo ? photo_of(m->photo) : NULL;
    bool media = m->photo || m->document;
    if (photo) {
        txt_put(t, ",\"photo\":[");
        put_size(t, photo, photo->small_id, SMALLEST);
        txt_put(t, ",");
        put_size(t, photo, photo->id, LARGEST);
        txt_put(t, "]");
    }
    if (m->document)
        js_put(t, ",'document':{'file_id':'document1','file_unique_id':'document1u'}");
    if (!media || *m->text)
        js_put(t, ",'%-s':%s", media ? "caption" : "text", m->text);
    if (m->entities && *m->entities && strcmp(m->entities, "[]") != 0)
        js_put(t, ",'%-s':%-s", media ? "caption_entities" : "entities", m->entities);
}

void message_json(struct text_buffer *t, const struct tg_chat *c, const struct tg_message *m,
                  bool edited)
{
    const struct tg_person *from = m->from ? world_person(m->from) : NULL;
    js_put(t, "{'message_id':%lld", (long long)(m->receiver ? 0 : m->id));
    if (m->receiver) {
        js_put(t, ",'ephemeral_message_id':%lld", (long long)m->id);
        const struct tg_person *to = world_person(m->receiver);
        if (to && !m->from) {
            txt_put(t, ",\"receiver_user\":");
            person_json(t, to);
        }
    }
    txt_put(t, ",\"from\":");
    if (from)
        person_json(t, from);
    else
        bot_json(t, false);
    txt_put(t, ",\"chat\":");
    chat_json(t, c);
    if (m->thread)
        js_put(t, ",'message_thread_id':%lld,'is_topic_message':true", (long long)m->thread);
    js_put(t, ",'date':%lld", (long long)time(NULL));
    if (edited)
        js_put(t, ",'edit_date':%lld", (long long)time(NULL));
    media_json(t, m);
    if (m->markup)
        js_put(t, ",'reply_markup':%p", (void *)m->markup);
    txt_put(t, "}");
}
