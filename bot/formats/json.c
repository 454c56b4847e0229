/* See json.h. */
#include "json.h"

#include "alloc.h"
#include "json_lex.h"

#include <math.h>

/* alone: the text is one line of many, so the line's number is left out. */
static cJSON *refuse(const struct json_lex *l, const char *at, bool alone, const char *why,
                     struct err *err)
{
    int line, column;
    json_lex_place(l, at, &line, &column);
    if (alone)
        (void)err_set(err, "column %d: %s", column, why);
    else
        (void)err_set(err, "line %d, column %d: %s", line, column, why);
    return NULL;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool names_once(const cJSON *object, struct err *err)
{
    const char *small[16], **names = small;
    int n = 0;
    for (const cJSON *m = object->child; m; m = m->next)
        if (++n > JSON_FIELDS)
            return err_set(err, "%.40s: too many fields in one object", m->string);
    if (n > (int)(sizeof small / sizeof *small))
        names = alloc_array((size_t)n, sizeof *names);
    n = 0;
    for (const cJSON *m = object->child; m; m = m->next)
        names[n++] = m->string;
    qsort(names, (size_t)n, sizeof *names, by_name);
    bool once = true;
    for (int i = 1; i < n && once; i++)
        once = strcmp(names[i - 1], names[i]) != 0 || err_set(err, "%.40s: given twice", names[i]);
    if (names != small)
        free(names);
    return once;
}

/* False if an object anywhere holds a field twice, or more than JSON_FIELDS. */
static bool fields_once(const cJSON *v, struct err *err)
{
    if (cJSON_IsObject(v) && !names_once(v, err))
        return false;
    for (const cJSON *m = v->child; m; m = m->next)
        if (!fields_once(m, err))
            return false;
    return true;
}

static cJSON *parse(struct str bytes, bool alone, struct err *err)
{
    struct json_lex l = json_lex_open(bytes);
    if (!json_lex_value(&l))
        return refuse(&l, l.p, alone, l.why, err);
    json_lex_space(&l);
    if (l.p != l.end)
        return refuse(&l, l.p, alone, "text behind the end", err);
    if (l.zero)
        return refuse(&l, l.zero, alone, "a zero character in a string", err);
    cJSON *v = cJSON_ParseWithLength(bytes.p, bytes.n);
    if (!v) /* half a surrogate pair is all that is left */
        return refuse(&l, cJSON_GetErrorPtr(), alone, "not a character", err);
    if (!fields_once(v, err)) {
        cJSON_Delete(v);
        return NULL;
    }
    return v;
}

cJSON *json_parse(struct str bytes, struct err *err)
{
    return parse(bytes, false, err);
}

cJSON *json_parse_line(struct str line, struct err *err)
{
    return parse(line, true, err);
}

/* Steps into the object at l->p, up to the value of `key`; false if it has none. */
static bool step_into(struct json_lex *l, struct str key)
{
    struct str found;
    json_lex_space(l);
    if (l->p == l->end || *l->p != '{')
        return false;
    do {
        l->p++;
        if (!json_lex_key(l, &found))
            return false;
        json_lex_space(l);
        if (str_is(found, key))
            return true;
        if (!json_lex_value(l))
            return false;
        json_lex_space(l);
    } while (l->p < l->end && *l->p == ',');
    return false;
}

bool json_raw(struct str bytes, const char *key, struct str *ret)
{
    struct json_lex l = json_lex_open(bytes);
    if (!step_into(&l, str_of(key)))
        return false;
    const char *from = l.p;
    if (!json_lex_value(&l))
        return false;
    *ret = (struct str){from, (size_t)(l.p - from)};
    return true;
}

int json_line(struct str bytes, const char *path)
{
    struct json_lex l = json_lex_open(bytes), inner = l;
    struct str rest = str_of(path);
    int line, column;
    while (rest.n > 0) {
        struct str behind, index, key = str_cut(rest, '.', &behind);
        rest = behind;
        if (!step_into(&l, str_cut(key, '[', &index)))
            break;
        inner = l;
    }
    json_lex_place(&inner, inner.p, &line, &column);
    return line;
}

cJSON *json_member(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

bool json_only(const cJSON *object, const char *const keys[], struct err *err)
{
    if (!json_object(object, "", false, err))
        return false;
    for (const cJSON *m = object->child; m; m = m->next) {
        int i = 0;
        while (keys[i] && strcmp(keys[i], m->string) != 0)
            i++;
        if (!keys[i])
            return err_set(err, "%.40s: unknown field", m->string);
    }
    return true;
}

/* Writes `v` as in its file, cut to the length of an error. */
enum { VALUE_TEXT_SIZE = 44 };
static const char *put_value_text(const cJSON *v, char room[static VALUE_TEXT_SIZE])
{
    char *text = v ? cJSON_PrintUnformatted(v) : NULL;
    size_t n = text ? strlen(text) : 0;
    snprintf(room, VALUE_TEXT_SIZE, n < VALUE_TEXT_SIZE ? "%s" : "%.40s...",
             text ? text : "nothing");
    cJSON_free(text);
    return room;
}

static bool unexpected(const cJSON *v, const char *name, const char *expected, struct err *err)
{
    char room[VALUE_TEXT_SIZE];
    if (!v)
        return err_set(err, "%s: missing", name);
    return err_set(err, "%s%sexpected %s, got %s", name, *name ? ": " : "", expected,
                   put_value_text(v, room));
}

bool json_object(const cJSON *v, const char *name, bool nullable, struct err *err)
{
    return cJSON_IsObject(v) || (nullable && cJSON_IsNull(v)) ||
           unexpected(v, name, nullable ? "null or an object" : "an object", err);
}

bool json_whole(const cJSON *v, const char *name, int64_t low, int64_t high, int64_t *ret,
                struct err *err)
{
    char expected[80];
    if (!cJSON_IsNumber(v) || !isfinite(v->valuedouble) ||
        v->valuedouble != floor(v->valuedouble) || v->valuedouble < (double)low ||
        v->valuedouble > (double)high) {
        snprintf(expected, sizeof expected, "a whole number from %lld to %lld", (long long)low,
                 (long long)high);
        return unexpected(v, name, expected, err);
    }
    *ret = (int64_t)v->valuedouble;
    return true;
}

bool json_text(const cJSON *v, const char *name, struct str *ret, struct err *err)
{
    if (!cJSON_IsString(v))
        return unexpected(v, name, "a string", err);
    *ret = str_of(v->valuestring);
    return true;
}

bool json_bool(const cJSON *v, const char *name, bool *ret, struct err *err)
{
    if (!cJSON_IsBool(v))
        return unexpected(v, name, "true or false", err);
    *ret = cJSON_IsTrue(v);
    return true;
}

bool json_choice(const cJSON *v, const char *name, const char *const choices[], int *ret,
                 struct err *err)
{
    char all[256];
    struct buf b = BUF(all);
    struct str s = {NULL, 0};
    if (!json_text(v, name, &s, err))
        return false;
    for (int i = 0; choices[i]; i++) {
        if (s.n > 0 && str_is(s, str_of(choices[i]))) {
            *ret = i;
            return true;
        }
        if (choices[i][0])
            buf_print(&b, "%s%s", b.n > 0 ? ", " : "", choices[i]);
    }
    return err_set(err, "%s: expected one of %.*s, got \"%.40s\"", name, STR_ARG(buf_str(&b)), s.p);
}

bool json_list(const cJSON *v, const char *name, int least, int most, struct err *err)
{
    char expected[40];
    int n = cJSON_IsArray(v) ? cJSON_GetArraySize(v) : -1;
    if (n >= least && n <= most)
        return true;
    snprintf(expected, sizeof expected, least == most ? "a list of %d" : "a list of %d to %d",
             least, most);
    return n < 0 ? unexpected(v, name, expected, err)
                 : err_set(err, "%s: expected %s, got a list of %d", name, expected, n);
}

bool json_card(const cJSON *v, const char *name, uint8_t *ret, struct err *err)
{
    struct str s = {NULL, 0};
    if (!json_text(v, name, &s, err))
        return false;
    int card = card_read(s.p, s.n);
    if (card == CARD_NONE)
        return err_set(err, "%s: expected a card, got \"%.8s\"", name, s.p);
    *ret = (uint8_t)card;
    return true;
}

bool json_cards(const cJSON *v, const char *name, int least, int most, uint8_t ret[static N_CARDS],
                int *ret_n, struct err *err)
{
    uint8_t at[N_CARDS];
    cardset seen = 0;
    int n = 0;
    if (!json_list(v, name, least, most, err))
        return false;
    for (const cJSON *m = v->child; m; m = m->next, n++) {
        if (!json_card(m, name, &at[n], err))
            return false;
        if (seen & CARD(at[n]))
            return err_set(err, "%s: expected different cards, got %s twice", name, m->valuestring);
        seen |= CARD(at[n]);
    }
    memcpy(ret, at, (size_t)n);
    *ret_n = n;
    return true;
}

bool json_cardset(const cJSON *v, const char *name, cardset *ret, struct err *err)
{
    uint8_t at[N_CARDS];
    cardset s = 0;
    int n;
    if (!json_cards(v, name, 0, N_CARDS, at, &n, err))
        return false;
    for (int i = 0; i < n; i++)
        s |= CARD(at[i]);
    *ret = s;
    return true;
}

static bool differs(const cJSON *wanted, const cJSON *found, const char *path, struct err *err)
{
    char *want = wanted ? cJSON_PrintUnformatted(wanted) : NULL;
    char *have = found ? cJSON_PrintUnformatted(found) : NULL;
    (void)err_set(err, "%s: expected %.150s, got %.150s", path, want ? want : "no such field",
                  have ? have : "nothing");
    cJSON_free(want);
    cJSON_free(have);
    return false;
}

static bool same_at(const cJSON *wanted, const cJSON *found, const char *path, struct err *err)
{
    char inner[128];
    int i = 0;
    if (!wanted || !found || (wanted->type & 0xff) != (found->type & 0xff))
        return differs(wanted, found, path, err);
    if (cJSON_IsArray(wanted)) {
        const cJSON *w = wanted->child, *f = found->child;
        if (cJSON_GetArraySize(wanted) != cJSON_GetArraySize(found))
            return differs(wanted, found, path, err);
        for (; w; w = w->next, f = f->next, i++) {
            snprintf(inner, sizeof inner, "%s[%d]", path, i);
            if (!same_at(w, f, inner, err))
                return false;
        }
        return true;
    }
    if (!cJSON_IsObject(wanted))
        return cJSON_Compare(wanted, found, true) || differs(wanted, found, path, err);
    for (const cJSON *w = wanted->child; w; w = w->next) {
        snprintf(inner, sizeof inner, "%s%s%.40s", path, *path ? "." : "", w->string);
        if (!same_at(w, json_member(found, w->string), inner, err))
            return false;
    }
    for (const cJSON *f = found->child; f; f = f->next) {
        snprintf(inner, sizeof inner, "%s%s%.40s", path, *path ? "." : "", f->string);
        if (!json_member(wanted, f->string))
            return differs(NULL, f, inner, err);
    }
    return true;
}

bool json_same(const cJSON *wanted, const cJSON *found, struct err *err)
{
    return same_at(wanted, found, "", err);
}

void json_put_text(struct buf *b, struct str s)
{
    buf_char(b, '"');
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (c == '"' || c == '\\')
            buf_char(b, '\\');
        if (c < 0x20 || c == 0x7f)
            buf_print(b, "\\u%04x", c);
        else
            buf_char(b, (char)c);
    }
    buf_char(b, '"');
}

void json_put_card(struct buf *b, int card)
{
    char code[CARD_CODE_SIZE];
    int n = card_code(card, code);
    json_put_text(b, (struct str){code, (size_t)n});
}

void json_put_cards(struct buf *b, const uint8_t *cards, int n)
{
    buf_char(b, '[');
    for (int i = 0; i < n; i++) {
        if (i > 0)
            buf_char(b, ',');
        json_put_card(b, cards[i]);
    }
    buf_char(b, ']');
}

void json_put_cardset(struct buf *b, cardset s)
{
    uint8_t at[N_CARDS];
    int n = 0;
    for (; s; s = set_rest(s))
        at[n++] = (uint8_t)set_first(s);
    json_put_cards(b, at, n);
}

void json_put_ints(struct buf *b, const int32_t *at, int n)
{
    buf_char(b, '[');
    for (int i = 0; i < n; i++) {
        if (i > 0)
            buf_char(b, ',');
        buf_int(b, at[i]);
    }
    buf_char(b, ']');
}
