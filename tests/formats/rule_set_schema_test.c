/* The JSON schema of rule sets against the table of fields: every field, its range, its words, and
 * which fields may be left out. */
#include "engine/test.h"
#include "file.h"
#include "rules_field.h"

#include <cjson/cJSON.h>

enum { EXPECTED_SIZE = 16 * 1024, SCHEMA_MAX = 64 * 1024 };

static cJSON *schema;

FIXTURE(read_schema)
{
    struct str bytes;
    struct err err;
    if (!file_read("config/formats/rule-set.schema.json", SCHEMA_MAX, &bytes, &err))
        return -1;
    schema = cJSON_ParseWithLength(bytes.p, bytes.n);
    file_free(bytes);
    return schema ? 0 : -1;
}

FIXTURE(free_schema)
{
    cJSON_Delete(schema);
    return 0;
}

static cJSON *part(const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(schema, "$defs"),
                                            name);
}

/* Replaces references by their targets, at every depth. */
static void resolve(cJSON *v)
{
    static const char head[] = "#/$defs/";
    for (cJSON *m = v->child, *next; m; m = next) {
        next = m->next;
        const cJSON *to = cJSON_GetObjectItemCaseSensitive(m, "$ref");
        if (to) {
            assert_memory_equal(to->valuestring, head, sizeof head - 1);
            cJSON *copy = cJSON_Duplicate(part(to->valuestring + sizeof head - 1), true);
            assert_non_null(copy);
            resolve(copy);
            cJSON_ReplaceItemInObjectCaseSensitive(v, m->string, copy);
        } else {
            resolve(m);
        }
    }
}

static void same(struct str expected, const cJSON *found)
{
    cJSON *wanted = cJSON_ParseWithLength(expected.p, expected.n);
    assert_non_null(wanted);
    if (!cJSON_Compare(wanted, found, true))
        fail_msg("rule-set.schema.json: %s\nthe table says: %.*s", cJSON_PrintUnformatted(found),
                 STR_ARG(expected));
    cJSON_Delete(wanted);
}

/* ---- fields, ranges, words ---- */

static void put_members(struct buf *b, const struct rules_field *object);

static void put_words(struct buf *b, const struct rules_field *f)
{
    const char *mark = "[";
    buf_put(b, STR("{\"enum\":"));
    for (int i = 0; f->words[i]; i++)
        if (f->words[i][0]) {
            buf_print(b, "%s\"%s\"", mark, f->words[i]);
            mark = ",";
        }
    buf_put(b, STR("]}"));
}

static void put_expected(struct buf *b, const struct rules_field *f)
{
    switch (f->kind) {
    case RULES_WORD:
        buf_print(b, "{\"type\":\"string\",\"pattern\":\"^[a-z0-9_-]{1,%d}$\"}", f->most - 1);
        break;
    case RULES_NUMBER:
        buf_print(b, "{\"type\":\"integer\",\"minimum\":%d,\"maximum\":%d}", f->least, f->most);
        break;
    case RULES_CHOICE:
        put_words(b, f);
        break;
    case RULES_SWITCH:
        buf_put(b, STR("{\"type\":\"boolean\"}"));
        break;
    case RULES_PLAYERS:
        buf_print(b, "{\"type\":\"array\",\"items\":{\"enum\":[%d,%d]},", MIN_PLAYERS, MAX_PLAYERS);
        buf_put(b, STR("\"minItems\":1,\"uniqueItems\":true}"));
        break;
    case RULES_ROUND_LIST:
        buf_put(b, STR("{\"type\":\"array\",\"items\":{\"type\":\"integer\","));
        buf_print(b, "\"minimum\":%d,\"maximum\":%d},\"minItems\":1,\"maxItems\":%d,", f->least,
                  f->most, MAX_ROUND_CHOICES);
        buf_put(b, STR("\"uniqueItems\":true}"));
        break;
    case RULES_PURSE: /* with points it may be 0 */
        buf_put(b, STR("{\"type\":[\"object\",\"null\"],\"minProperties\":1,"));
        buf_print(b, "\"maxProperties\":%d,", MAX_ROUND_CHOICES);
        buf_put(b, STR("\"propertyNames\":{\"pattern\":\"^([1-9]|[1-3][0-9]|4[0-8])$\"},"));
        buf_print(b,
                  "\"additionalProperties\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":%d}}",
                  f->most);
        break;
    case RULES_OBJECT:
        buf_print(b, "{\"type\":%s,\"additionalProperties\":false,\"properties\":",
                  f->at ? "[\"object\",\"null\"]" : "\"object\"");
        put_members(b, f);
        buf_char(b, '}');
    }
}

static void put_members(struct buf *b, const struct rules_field *object)
{
    buf_char(b, '{');
    if (!object) /* the one field that is not part of the rule set itself */
        buf_put(b, STR("\"extends\":{\"type\":\"string\",\"pattern\":\"^[a-z0-9_-]{1,31}$\"}"));
    for (const struct rules_field *f = rules_fields; f->path; f++)
        if (rules_field_object(f) == object) {
            buf_print(b, "%s\"%s\":", b->p[b->n - 1] == '{' ? "" : ",", rules_field_name(f));
            put_expected(b, f);
        }
    buf_char(b, '}');
}

TEST(every_field_has_its_range_and_its_words)
{
    static char room[EXPECTED_SIZE];
    struct buf b = BUF(room);
    cJSON *fields = cJSON_Duplicate(part("fields"), true);
    resolve(fields);
    buf_put(&b, STR("{\"type\":\"object\",\"additionalProperties\":false,\"properties\":"));
    put_members(&b, NULL);
    buf_char(&b, '}');
    assert_false(b.cut);
    same(buf_str(&b), fields);
    cJSON_Delete(fields);
}

/* ---- which fields may be left out ---- */

static bool may_be_left_out(const struct rules_field *f)
{
    return f->kind == RULES_PURSE || f->fallback || (f->kind == RULES_OBJECT && f->at);
}

/* Names in this object's `required`, in the order of the table. */
static void required_are(const cJSON *v, const struct rules_field *object, bool resolved)
{
    char room[1024];
    struct buf b = BUF(room);
    const cJSON *found = cJSON_GetObjectItemCaseSensitive(v, "required");
    for (const struct rules_field *f = rules_fields; f->path; f++)
        if (rules_field_object(f) == object && !f->later && !f->players &&
            may_be_left_out(f) == resolved)
            buf_print(&b, "%c\"%s\"", b.n == 0 ? '[' : ',', rules_field_name(f));
    if (b.n == 0) {
        assert_null(found);
        return;
    }
    buf_char(&b, ']');
    if (!found)
        fail_msg("%s: required is missing", object ? object->path : "");
    same(buf_str(&b), found);
}

/* The part of the schema that describes the object. */
static const cJSON *schema_of(const cJSON *v, const struct rules_field *object)
{
    if (!object)
        return v;
    const cJSON *outer = schema_of(v, rules_field_object(object));
    return cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(outer, "properties"),
                                            rules_field_name(object));
}

TEST(required_fields_are_those_of_the_table)
{
    for (int resolved = 0; resolved < 2; resolved++) {
        const cJSON *v = part(resolved ? "resolved" : "whole");
        required_are(v, NULL, resolved);
        for (const struct rules_field *f = rules_fields; f->path; f++)
            if (f->kind == RULES_OBJECT)
                required_are(schema_of(v, f), f, resolved);
    }
}

TESTS_WITH(read_schema, free_schema)
