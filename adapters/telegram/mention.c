/* Mentions: the people whom a text names. The apps write "@bo" for people with a handle
 * (`mention`), and the first name, whatever it is, for those without one (`text_mention`). Both are
 * handed over as mentions, and blanked in the text, so that no name is read as a word of a command.
 * A name at the very start stays: it says whom the text is for. */
#include "telegram.h"

#include "utf8.h"

#include <strings.h>

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

bool tg_mention_is_own(const struct telegram *t, struct str handle)
{
    return handle.n == strlen(t->handle) && strncasecmp(handle.p, t->handle, handle.n) == 0;
}

static void add_mention(struct update *u, struct sender s)
{
    for (int i = 0; i < u->n_mentions; i++)
        if (s.id.n > 0 && str_is(u->mention[i].id, s.id))
            return;
    if (u->n_mentions < MAX_MENTIONS)
        u->mention[u->n_mentions++] = s;
}

/* A mention of our own name: at the start it addresses the bot, later it means the computer. */
static void add_ourselves(struct telegram *t, struct arena *a, const cJSON *entity, struct str name,
                          struct update *u)
{
    struct str id = arena_print(a, "%lld", (long long)t->id);
    if (tg_json_int(entity, "offset") > 0)
        add_mention(u, (struct sender){.id = id, .name = name, .bot = true});
}

/* Hands over the person of an entity. Returns false if the entity is no mention. */
static bool read_mention(struct telegram *t, struct arena *a, const cJSON *entity, struct str named,
                         struct update *u)
{
    struct str type = tg_json_raw(entity, "type");
    const cJSON *user = tg_json_get(entity, "user");
    bool by_handle = str_is(type, STR("mention")) && named.n > 1;
    struct str handle = by_handle ? utf8_clean(a, str_skip(named, 1)) : (struct str){0};
    if (!by_handle && !str_is(type, STR("text_mention")))
        return false;
    if (by_handle ? tg_mention_is_own(t, handle) : tg_json_int(user, "id") == t->id)
        add_ourselves(t, a, entity, by_handle ? handle : tg_sender_name(a, user), u);
    else if (by_handle) /* which comes without a name */
        add_mention(u, (struct sender){.handle = handle});
    else
        add_mention(u, tg_sender(a, user));
    return true;
}

struct str tg_mention_read(struct telegram *t, struct arena *a, const cJSON *message,
                           struct str text, struct update *u)
{
    struct str rest = arena_str(a, text), named;
    const cJSON *e;
    cJSON_ArrayForEach(e, tg_json_get(message, "entities")) if (entity_text(text, e, &named) &&
                                                                read_mention(t, a, e, named, u) &&
                                                                named.p > text.p)
        memset((char *)rest.p + (named.p - text.p), ' ', named.n);
    const cJSON *replied = tg_json_get(tg_json_get(message, "reply_to_message"), "from");
    if (u->n_mentions == 0 && replied && !tg_json_true(replied, "is_bot"))
        add_mention(u, tg_sender(a, replied));
    return str_trim(rest);
}
