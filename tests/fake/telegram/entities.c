/* Formatted text as the Bot API reads it. Offsets and lengths are UTF-16 code units, as the network
 * counts them. */
#include "api.h"

#include <ctype.h>
#include <strings.h>

enum { MAX_DEPTH = 32, TAG_BYTES = 512 };

static const struct {
    const char *tag, *type;
} tags[] = {
    {"b", "bold"},
    {"strong", "bold"},
    {"i", "italic"},
    {"em", "italic"},
    {"u", "underline"},
    {"ins", "underline"},
    {"s", "strikethrough"},
    {"strike", "strikethrough"},
    {"del", "strikethrough"},
    {"code", "code"},
    {"pre", "pre"},
    {"tg-spoiler", "spoiler"},
    {"span", "spoiler"},
    {"blockquote", "blockquote"},
    {"a", "text_link"},
    {"tg-emoji", "custom_emoji"},
    {"tg-time", "date_time"},
};

struct open_tag {
    char name[16], detail[TAG_BYTES];
    const char *type;
    size_t from;
};

size_t utf16_length(const char *s, size_t n)
{
    size_t units = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)s[i];
        units += (c & 0xc0) != 0x80 ? (c >= 0xf0 ? 2 : 1) : 0;
    }
    return units;
}

size_t utf8_characters(const char *s)
{
    size_t n = 0;
    for (; *s; s++)
        n += ((unsigned char)*s & 0xc0) != 0x80;
    return n;
}

static size_t here(const struct text_buffer *plain)
{
    return plain->n > 0 ? utf16_length(plain->p, plain->n) : 0;
}

/* The value of name="..." among a tag's attributes, cut at TAG_BYTES; "" if absent. */
static void attribute(const char *attributes, const char *name, char *ret)
{
    struct text_buffer wanted = {0};
    txt_print(&wanted, "%s=\"", name);
    const char *v = strstr(attributes, wanted.p);
    size_t n = v ? strcspn(v + wanted.n, "\"") : 0;
    n = n < TAG_BYTES ? n : TAG_BYTES - 1;
    if (v)
        memcpy(ret, v + wanted.n, n);
    ret[n] = 0;
    txt_free(&wanted);
}

/* Decodes "&lt;" and the like. Returns its number of bytes; 0 if it is not one. */
static size_t character_reference(const char *s, char *ret)
{
    static const char *const refs[] = {"<&lt;", ">&gt;", "&&amp;", "\"&quot;"};
    for (size_t i = 0; i < sizeof refs / sizeof *refs; i++) {
        size_t n = strlen(refs[i] + 1);
        if (strncmp(s, refs[i] + 1, n) == 0) {
            *ret = refs[i][0];
            return n;
        }
    }
    return 0;
}

static void note_entity(const struct open_tag *t, struct text_buffer *plain,
                        struct text_buffer *entities)
{
    size_t length = here(plain) - t->from;
    if (length == 0 || (strcmp(t->type, "text_link") == 0 && !*t->detail))
        return;
    const char *person = "tg://user?id=";
    bool mention = strncmp(t->detail, person, strlen(person)) == 0;
    js_put(entities, "%-s{'offset':%zu,'length':%zu,'type':%s", entities->n > 1 ? "," : "", t->from,
           length, mention ? "text_mention" : t->type);
    if (mention)
        js_put(entities, ",'user':{'id':%lld,'is_bot':false,'first_name':'?'}",
               strtoll(t->detail + strlen(person), NULL, 10));
    else if (strcmp(t->type, "text_link") == 0)
        js_put(entities, ",'url':%s", t->detail);
    else if (strcmp(t->type, "date_time") == 0)
        js_put(entities, ",'unix_time':%lld", strtoll(t->detail, NULL, 10));
    txt_put(entities, "}");
}

static const char *open_one(struct open_tag *t, const char *tag, const struct text_buffer *plain)
{
    char name[TAG_BYTES];
    size_t n = strcspn(tag, " ");
    snprintf(name, sizeof name, "%.*s", (int)n, tag);
    *t = (struct open_tag){.from = here(plain)};
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (strcasecmp(tags[i].tag, name) == 0)
            t->type = tags[i].type;
    if (!t->type)
        return "can't parse entities: Unsupported start tag";
    if (strcasecmp(name, "span") == 0 && !strstr(tag, "class=\"tg-spoiler\""))
        return "can't parse entities: Tag \"span\" must have class \"tg-spoiler\"";
    if (strcasecmp(name, "tg-time") == 0) {
        attribute(tag, "unix", t->detail);
        if (!isdigit((unsigned char)t->detail[0]))
            return "can't parse entities: Invalid Unix time specified";
    } else if (strcasecmp(name, "a") == 0) {
        attribute(tag, "href", t->detail);
    }
    snprintf(t->name, sizeof t->name, "%.15s", name);
    return NULL;
}

const char *html_read(const char *html, struct text_buffer *plain, struct text_buffer *entities)
{
    struct open_tag open[MAX_DEPTH];
    int depth = 0;
    txt_put(plain, "");
    txt_put(entities, "[");
    for (const char *s = html; *s;) {
        char c, tag[TAG_BYTES];
        size_t n;
        if (*s == '&' && (n = character_reference(s, &c)) > 0) {
            txt_add(plain, &c, 1);
            s += n;
            continue;
        }
        if (*s != '<') {
            n = 1 + strcspn(s + 1, "<&");
            txt_add(plain, s, n);
            s += n;
            continue;
        }
        const char *end = strchr(s, '>');
        if (!end)
            return "can't parse entities: Unclosed start tag";
        snprintf(tag, sizeof tag, "%.*s", (int)(end - s - 1), s + 1);
        s = end + 1;
        if (tag[0] == '/') {
            if (depth == 0)
                return "can't parse entities: Unexpected end tag";
            if (strcasecmp(open[depth - 1].name, tag + 1) != 0)
                return "can't parse entities: Unmatched end tag";
            note_entity(&open[--depth], plain, entities);
            continue;
        }
        if (depth == MAX_DEPTH)
            return "can't parse entities: tags are nested too deeply";
        const char *fault = open_one(&open[depth++], tag, plain);
        if (fault)
            return fault;
    }
    txt_put(entities, "]");
    return depth > 0 ? "can't parse entities: Can't find end tag" : NULL;
}

/* True if an offset in UTF-16 units falls between two characters of the text. */
static bool at_character(const char *s, int64_t offset)
{
    int64_t units = 0;
    for (; *s && units < offset; s++)
        units += (int64_t)utf16_length(s, 1);
    return units == offset;
}

const char *entities_check(const char *plain, const cJSON *entities)
{
    const cJSON *e;
    cJSON_ArrayForEach(e, entities)
    {
        int64_t from = js_number(e, "offset"), n = js_number(e, "length");
        if (!cJSON_IsNumber(js_at(e, "offset")) || !cJSON_IsNumber(js_at(e, "length")) ||
            !*js_text(e, "type"))
            return "can't parse MessageEntity";
        if (from < 0 || n <= 0 || !at_character(plain, from) || !at_character(plain, from + n))
            return "ENTITY_BOUNDS_INVALID";
    }
    return NULL;
}
