/* See json.h. A scanner by the grammar of RFC 8259 first looks at the bytes: it finds what cJSON
 * lets pass, and places, which cJSON does not give. */
#include "json.h"

#include "alloc.h"
#include "pool.h"
#include "utf8.h"

#include <cjson/cJSON.h>
#include <math.h>

struct json_text {
    cJSON *root;
    struct pool pool; /* holds the tree */
    struct str bytes; /* JSON_NUMBERED: of the caller */
    enum json_as as;
    bool failed;
    struct err fault;
};

/* ---- scanner ---- */

struct scanner {
    const char *start, *p, *end; /* p: the next byte; stops at a fault */
    const char *zero;            /* the first \u0000 in a string, or NULL */
    const char *why;             /* the fault */
    int depth;
};

static bool scan_value(struct scanner *s);

static struct scanner scanner_open(struct str bytes)
{
    return (struct scanner){.start = bytes.p, .p = bytes.p, .end = bytes.p + bytes.n};
}

static bool scan_fault(struct scanner *s, const char *why)
{
    s->why = why;
    return false;
}

static bool next_is(const struct scanner *s, char c)
{
    return s->p < s->end && *s->p == c;
}

static void skip_space(struct scanner *s)
{
    while (next_is(s, ' ') || next_is(s, '\t') || next_is(s, '\n') || next_is(s, '\r'))
        s->p++;
}

static bool scan_escape(struct scanner *s)
{
    const char *p = s->p + 1;
    if (p < s->end && *p != '\0' && strchr("\"\\/bfnrt", *p)) {
        s->p += 2;
        return true;
    }
    if (s->end - s->p < 6 || *p != 'u')
        return scan_fault(s, "an unknown escape");
    for (int i = 2; i < 6; i++)
        if (s->p[i] == '\0' || !strchr("0123456789abcdefABCDEF", s->p[i]))
            return scan_fault(s, "an unknown escape");
    if (!s->zero && memcmp(s->p, "\\u0000", 6) == 0)
        s->zero = s->p;
    s->p += 6;
    return true;
}

/* UTF-8 that nothing else in a string is wrong with. */
static bool scan_plain(struct scanner *s, struct str run)
{
    s->p += run.n;
    for (bool ascii = utf8_is_ascii(run); !ascii && run.n > 0;) {
        const char *from = run.p;
        if (utf8_next(&run) == UTF8_BAD && run.p == from + 1) {
            s->p = from;
            return scan_fault(s, "not UTF-8");
        }
    }
    return true;
}

static bool scan_string(struct scanner *s)
{
    s->p++;
    for (;;) {
        size_t plain = str_run((struct str){s->p, (size_t)(s->end - s->p)}, 0x20, "\"\\");
        if (!scan_plain(s, (struct str){s->p, plain}))
            return false;
        if (s->p == s->end)
            return scan_fault(s, "a string has no end");
        if (*s->p == '"') {
            s->p++;
            return true;
        }
        if (*s->p != '\\')
            return scan_fault(s, "a control byte in a string");
        if (!scan_escape(s))
            return false;
    }
}

static bool scan_digits(struct scanner *s)
{
    const char *from = s->p;
    while (s->p < s->end && *s->p >= '0' && *s->p <= '9')
        s->p++;
    return s->p > from || scan_fault(s, "a digit is missing");
}

static bool scan_number(struct scanner *s)
{
    if (next_is(s, '-'))
        s->p++;
    if (next_is(s, '0'))
        s->p++;
    else if (!scan_digits(s))
        return false;
    if (next_is(s, '.')) {
        s->p++;
        if (!scan_digits(s))
            return false;
    }
    if (next_is(s, 'e') || next_is(s, 'E')) {
        s->p++;
        if (next_is(s, '+') || next_is(s, '-'))
            s->p++;
        return scan_digits(s);
    }
    return true;
}

/* A name and its colon, behind '{' or a comma. *ret_name is the text between the quotes. */
static bool scan_name(struct scanner *s, struct str *ret_name)
{
    skip_space(s);
    if (!next_is(s, '"'))
        return scan_fault(s, "a field name in quotes is missing");
    const char *from = s->p + 1;
    if (!scan_string(s))
        return false;
    *ret_name = (struct str){from, (size_t)(s->p - 1 - from)};
    skip_space(s);
    if (!next_is(s, ':'))
        return scan_fault(s, "a colon is missing");
    s->p++;
    return true;
}

/* The members of a list or an object, from its bracket to `close`. */
static bool scan_members(struct scanner *s, char close)
{
    struct str name;
    s->p++;
    skip_space(s);
    if (next_is(s, close)) {
        s->p++;
        return true;
    }
    for (;;) {
        if ((close == '}' && !scan_name(s, &name)) || !scan_value(s))
            return false;
        skip_space(s);
        if (next_is(s, close)) {
            s->p++;
            return true;
        }
        if (!next_is(s, ','))
            return scan_fault(s,
                              close == '}' ? "a comma or } is missing" : "a comma or ] is missing");
        s->p++;
    }
}

static bool scan_word(struct scanner *s, struct str word)
{
    if (!str_starts((struct str){s->p, (size_t)(s->end - s->p)}, word))
        return scan_fault(s, "a value is missing");
    s->p += word.n;
    return true;
}

static bool scan_value(struct scanner *s)
{
    bool good;
    skip_space(s);
    if (s->p == s->end)
        return scan_fault(s, "a value is missing");
    switch (*s->p) {
    case '{':
    case '[':
        if (++s->depth > JSON_DEPTH)
            return scan_fault(s, "too deeply nested");
        good = scan_members(s, *s->p == '{' ? '}' : ']');
        s->depth--;
        return good;
    case '"':
        return scan_string(s);
    case 't':
        return scan_word(s, STR("true"));
    case 'f':
        return scan_word(s, STR("false"));
    case 'n':
        return scan_word(s, STR("null"));
    default:
        return *s->p == '-' || (*s->p >= '0' && *s->p <= '9') ? scan_number(s)
                                                              : scan_fault(s, "a value is missing");
    }
}

/* Steps into the object at s->p, up to the value of `name`; false if it has none. */
static bool scan_into(struct scanner *s, struct str name)
{
    struct str found;
    skip_space(s);
    if (!next_is(s, '{'))
        return false;
    do {
        s->p++;
        if (!scan_name(s, &found))
            return false;
        skip_space(s);
        if (str_is(found, name))
            return true;
        if (!scan_value(s))
            return false;
        skip_space(s);
    } while (next_is(s, ','));
    return false;
}

void json_members(struct str bytes, bool (*take)(void *arg, struct str name, struct str raw),
                  void *arg)
{
    struct scanner s = scanner_open(bytes);
    struct str name;
    skip_space(&s);
    if (!next_is(&s, '{'))
        return;
    do {
        s.p++;
        if (!scan_name(&s, &name))
            return;
        skip_space(&s);
        const char *from = s.p;
        if (!scan_value(&s) || !take(arg, name, (struct str){from, (size_t)(s.p - from)}))
            return;
        skip_space(&s);
    } while (next_is(&s, ','));
}

struct raws_wanted {
    const char *const *keys;
    struct str *ret;
    int n, found;
    uint32_t seen;
};

static bool take_sought(void *arg, struct str name, struct str raw)
{
    struct raws_wanted *w = arg;
    for (int i = 0; i < w->n; i++) {
        const char *key = w->keys[i];
        if (w->seen >> i & 1 || !str_is(name, (struct str){key, strlen(key)}))
            continue;
        w->ret[i] = raw;
        w->seen |= UINT32_C(1) << i;
        w->found++;
    }
    return w->found < w->n;
}

int json_raws(struct str bytes, int n, const char *const keys[], struct str ret[])
{
    struct raws_wanted w = {keys, ret, n, 0, 0};
    json_members(bytes, take_sought, &w);
    return w.found;
}

bool json_raw(struct str bytes, const char *key, struct str *ret)
{
    return json_raws(bytes, 1, &key, ret) == 1;
}

static int line_at(const struct scanner *s, const char *at, int *ret_column)
{
    int line = 1;
    *ret_column = 1;
    for (const char *p = s->start; p < at; p++) {
        bool end = *p == '\n';
        line += end;
        *ret_column = end ? 1 : *ret_column + 1;
    }
    return line;
}

/* The line of the field with this path, or of the innermost part of the path that exists. */
static int line_of(struct str bytes, struct str path)
{
    struct scanner s = scanner_open(bytes), inner = s;
    int column;
    while (path.n > 0) {
        if (!scan_into(&s, str_cut(path, '.', &path)))
            break;
        inner = s;
    }
    return line_at(&inner, inner.p, &column);
}

/* ---- the first fault ---- */

static const cJSON *node(struct json v)
{
    return v.at;
}

/* Writes the path from one value down to another; false if that is not within. Elements of a list
 * have the path of the list. */
static bool put_path(struct buf *b, const cJSON *from, const cJSON *to)
{
    size_t n = b->n;
    if (from == to)
        return true;
    for (const cJSON *m = from->child; m; m = m->next, b->n = n) {
        if (m->string)
            buf_print(b, "%s%.40s", n > 0 ? "." : "", m->string);
        if (put_path(b, m, to))
            return true;
    }
    return false;
}

bool json_fail(struct json v, const char *key, const char *format, ...)
{
    char room[160];
    struct buf path = BUF(room);
    va_list args;
    if (!v.text || v.text->failed || v.text->as == JSON_LOOSE)
        return false;
    struct err *fault = &v.text->fault;
    v.text->failed = true;
    va_start(args, format);
    vsnprintf(fault->text, sizeof fault->text, format, args);
    va_end(args);
    if (v.at)
        put_path(&path, v.text->root, v.at);
    if (key)
        buf_print(&path, "%s%.60s", path.n > 0 ? "." : "", key);
    if (path.n > 0)
        err_wrap(fault, "%.*s", STR_ARG(buf_str(&path)));
    return v.text->as == JSON_NUMBERED &&
           err_wrap(fault, "line %d", line_of(v.text->bytes, buf_str(&path)));
}

bool json_unexpected(struct json v, const char *key, const char *expected)
{
    struct json found = json_at(v, key);
    if (!found.at)
        return json_fail(v, key, "missing");
    char *text = cJSON_PrintUnformatted(node(found));
    size_t n = text ? strlen(text) : 0;
    (void)json_fail(v, key, n < 44 ? "expected %s, got %.44s" : "expected %s, got %.40s...",
                    expected, text ? text : "nothing");
    cJSON_free(text);
    return false;
}

/* ---- open and close ---- */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void names_once(struct json_text *t, const cJSON *object)
{
    const struct json v = {t, object};
    const char *small[16], **names = small;
    int n = 0;
    for (const cJSON *m = object->child; m; m = m->next)
        if (++n > JSON_FIELDS) {
            (void)json_fail(v, m->string, "too many fields in one object");
            return;
        }
    if (n > (int)(sizeof small / sizeof *small))
        names = alloc_array((size_t)n, sizeof *names);
    n = 0;
    for (const cJSON *m = object->child; m; m = m->next)
        names[n++] = m->string;
    qsort(names, (size_t)n, sizeof *names, by_name);
    for (int i = 1; i < n; i++)
        if (strcmp(names[i - 1], names[i]) == 0)
            (void)json_fail(v, names[i], "given twice");
    if (names != small)
        free(names);
}

/* No object anywhere holds a field twice, or more than JSON_FIELDS. */
static void fields_once(struct json_text *t, const cJSON *v)
{
    if (cJSON_IsObject(v))
        names_once(t, v);
    for (const cJSON *m = v->child; m && !t->failed; m = m->next)
        fields_once(t, m);
}

static void refuse_text(struct json_text *t, const struct scanner *s, const char *at,
                        const char *why)
{
    int column, line = line_at(s, at, &column);
    t->failed = true;
    if (t->as == JSON_LINE)
        (void)err_set(&t->fault, "column %d: %s", column, why);
    else
        (void)err_set(&t->fault, "line %d, column %d: %s", line, column, why);
}

__attribute__((constructor)) static void set_hooks(void) /* before there are threads */
{
    cJSON_InitHooks(&(cJSON_Hooks){pool_take, pool_give});
}

static cJSON *parse(struct json_text *t, struct str bytes)
{
    enum { GROWTH = 8, LEAST = 512 }; /* bytes of a tree beside those of its text */
    pool_expect(&t->pool, LEAST + GROWTH * bytes.n);
    pool_fill(&t->pool);
    cJSON *root = cJSON_ParseWithLength(bytes.p, bytes.n);
    pool_fill(NULL);
    return root;
}

static void open_strictly(struct json_text *t, struct str bytes)
{
    struct scanner s = scanner_open(bytes);
    if (!scan_value(&s)) {
        refuse_text(t, &s, s.p, s.why);
        return;
    }
    skip_space(&s);
    if (s.p != s.end)
        refuse_text(t, &s, s.p, "text behind the end");
    else if (s.zero)
        refuse_text(t, &s, s.zero, "a zero character in a string");
    if (t->failed)
        return;
    t->root = parse(t, bytes);
    if (!t->root) /* half a surrogate pair is all that is left */
        refuse_text(t, &s, cJSON_GetErrorPtr(), "not a character");
    else
        fields_once(t, t->root);
}

/* Counts the commas and brackets outside of strings. */
static bool has_too_many_values(struct str s)
{
    size_t n = 0;
    bool quoted = false;
    for (size_t i = 0; i < s.n; i++) {
        if (quoted)
            i += str_run((struct str){s.p + i, s.n - i}, 0, "\"\\");
        char c = i < s.n ? s.p[i] : ' ';
        if (c == '"')
            quoted = !quoted;
        else if (quoted)
            i += c == '\\';
        else
            n += c == ',' || c == '[' || c == '{';
    }
    return n > JSON_VALUES;
}

struct json json_open(struct str bytes, enum json_as as)
{
    struct json_text *t = alloc_zeroed(sizeof *t);
    struct json v = {t, NULL};
    t->as = as;
    t->bytes = bytes;
    if (as != JSON_LOOSE)
        open_strictly(t, bytes);
    else if (bytes.n > 0 && !(bytes.n > JSON_VALUES && has_too_many_values(bytes)))
        t->root = parse(t, bytes);
    v.at = t->failed ? NULL : t->root;
    if (v.at && !cJSON_IsObject(t->root)) {
        (void)json_unexpected(v, NULL, "an object");
        v.at = NULL;
    }
    return v;
}

bool json_good(struct json v)
{
    return !v.text->failed;
}

void json_free(struct json v)
{
    if (v.text)
        pool_free(&v.text->pool);
    free(v.text);
}

bool json_close(struct json v, struct err *err)
{
    bool good = json_good(v);
    if (!good)
        *err = v.text->fault;
    json_free(v);
    return good;
}

/* ---- values, without a fault ---- */

enum json_kind json_kind(struct json v)
{
    const cJSON *o = v.at;
    return cJSON_IsNull(o)     ? JSON_NULL
           : cJSON_IsBool(o)   ? JSON_BOOL
           : cJSON_IsNumber(o) ? JSON_NUMBER
           : cJSON_IsString(o) ? JSON_STRING
           : cJSON_IsArray(o)  ? JSON_LIST
           : cJSON_IsObject(o) ? JSON_OBJECT
                               : JSON_NONE;
}

struct json json_at(struct json v, const char *key)
{
    if (key)
        v.at = cJSON_IsObject(node(v)) ? cJSON_GetObjectItemCaseSensitive(node(v), key) : NULL;
    return v;
}

struct json json_in(struct json v, ...)
{
    va_list keys;
    va_start(keys, v);
    for (const char *key; (key = va_arg(keys, const char *));)
        v = json_at(v, key);
    va_end(keys);
    return v;
}

struct json json_first(struct json v)
{
    v.at = v.at ? node(v)->child : NULL;
    return v;
}

struct json json_next(struct json v)
{
    v.at = node(v)->next;
    return v;
}

struct str json_name(struct json v)
{
    return str_of(v.at ? node(v)->string : NULL);
}

int json_count(struct json v)
{
    return cJSON_GetArraySize(v.at);
}

bool json_is(struct json v, const char *key, const char *text)
{
    return json_is_str(v, key, str_of(text));
}

bool json_is_str(struct json v, const char *key, struct str text)
{
    const char *found = cJSON_GetStringValue(json_at(v, key).at);
    return found && str_is(str_of(found), text);
}

int64_t json_number(struct json v, const char *key)
{
    const cJSON *n = json_at(v, key).at;
    if (!n || !cJSON_IsNumber(n) || !(n->valuedouble > -9e15 && n->valuedouble < 9e15))
        return 0;
    return (int64_t)n->valuedouble;
}

int64_t json_clamp(struct json v, const char *key, int64_t least, int64_t most)
{
    const cJSON *n = json_at(v, key).at;
    if (!n || !cJSON_IsNumber(n))
        return 0;
    return n->valuedouble < (double)least  ? least
           : n->valuedouble > (double)most ? most
                                           : (int64_t)n->valuedouble;
}

struct str json_clean(struct arena *a, struct json v, const char *key, size_t most)
{
    struct str s = str_of(cJSON_GetStringValue(json_at(v, key).at));
    return s.n > 0 && s.n <= most ? utf8_clean(a, s) : STR("");
}

/* ---- values as asked for ---- */

int64_t json_int(struct json v, const char *key, int64_t least, int64_t most)
{
    const cJSON *n = json_at(v, key).at;
    if (n && cJSON_IsNumber(n) && isfinite(n->valuedouble) &&
        n->valuedouble == floor(n->valuedouble) && n->valuedouble >= (double)least &&
        n->valuedouble <= (double)most)
        return (int64_t)n->valuedouble;
    char expected[80];
    snprintf(expected, sizeof expected, "a whole number from %lld to %lld", (long long)least,
             (long long)most);
    json_unexpected(v, key, expected);
    return 0;
}

bool json_bool(struct json v, const char *key)
{
    const cJSON *on = json_at(v, key).at;
    return cJSON_IsBool(on) ? cJSON_IsTrue(on) : json_unexpected(v, key, "true or false");
}

struct str json_str(struct json v, const char *key)
{
    const cJSON *s = json_at(v, key).at;
    if (s && cJSON_IsString(s))
        return str_of(s->valuestring);
    json_unexpected(v, key, "a string");
    return STR("");
}

int json_word(struct json v, const char *key, const char *const words[])
{
    char room[256] = "";
    struct buf all = {room, 0, sizeof room - 1, false};
    if (json_kind(json_at(v, key)) != JSON_STRING) {
        json_unexpected(v, key, "a string");
        return 0;
    }
    buf_put(&all, STR("one of"));
    for (int i = 0; words[i]; i++) {
        if (words[i][0] && json_is(v, key, words[i]))
            return i;
        if (words[i][0])
            buf_print(&all, "%s %s", all.n > 6 ? "," : "", words[i]);
    }
    json_unexpected(v, key, room);
    return 0;
}

struct json json_object(struct json v, const char *key)
{
    struct json object = json_at(v, key);
    if (json_kind(object) == JSON_OBJECT)
        return object;
    json_unexpected(v, key, "an object");
    return (struct json){v.text, NULL};
}

struct json json_list(struct json v, const char *key, int least, int most)
{
    char expected[40];
    struct json list = json_at(v, key);
    int n = json_kind(list) == JSON_LIST ? json_count(list) : -1;
    if (n >= least && n <= most)
        return list;
    snprintf(expected, sizeof expected, least == most ? "a list of %d" : "a list of %d to %d",
             least, most);
    if (n < 0)
        json_unexpected(v, key, expected);
    else
        json_fail(v, key, "expected %s, got a list of %d", expected, n);
    return (struct json){v.text, NULL};
}

void json_allow(struct json v, const char *const keys[])
{
    for (struct json m = json_first(v); m.at; m = json_next(m)) {
        int i = 0;
        while (keys[i] && !str_is(json_name(m), str_of(keys[i])))
            i++;
        if (!keys[i])
            json_fail(m, NULL, "unknown field");
    }
}

static bool differs(struct json_text *t, const cJSON *found, const cJSON *wanted, const char *path)
{
    char *want = wanted ? cJSON_PrintUnformatted(wanted) : NULL;
    char *have = found ? cJSON_PrintUnformatted(found) : NULL;
    struct json whole = {t, NULL};
    (void)json_fail(whole, path, "expected %.150s, got %.150s", want ? want : "no such field",
                    have ? have : "nothing");
    cJSON_free(want);
    cJSON_free(have);
    return false;
}

/* `path` of the values, as an error names them. */
static bool same_at(struct json_text *t, const cJSON *found, const cJSON *wanted, const char *path)
{
    char inner[128];
    int i = 0;
    if (!wanted || !found || (wanted->type & 0xff) != (found->type & 0xff))
        return differs(t, found, wanted, path);
    bool list = cJSON_IsArray(wanted);
    if (list && cJSON_GetArraySize(wanted) != cJSON_GetArraySize(found))
        return differs(t, found, wanted, path);
    if (!list && !cJSON_IsObject(wanted))
        return cJSON_Compare(wanted, found, true) || differs(t, found, wanted, path);
    const cJSON *element = found->child;
    for (const cJSON *w = wanted->child; w; w = w->next) {
        if (list)
            snprintf(inner, sizeof inner, "%s[%d]", path, i++);
        else
            snprintf(inner, sizeof inner, "%s%s%.40s", path, *path ? "." : "", w->string);
        if (!same_at(t, list ? element : cJSON_GetObjectItemCaseSensitive(found, w->string), w,
                     inner))
            return false;
        element = list ? element->next : NULL;
    }
    for (const cJSON *f = list ? NULL : found->child; f; f = f->next) {
        snprintf(inner, sizeof inner, "%s%s%.40s", path, *path ? "." : "", f->string);
        if (!cJSON_GetObjectItemCaseSensitive(wanted, f->string))
            return differs(t, f, NULL, inner);
    }
    return true;
}

bool json_same(struct json found, struct json wanted)
{
    return same_at(found.text, found.at, wanted.at, "");
}

/* ---- changes ---- */

/* A value of the tree, to be changed. */
static cJSON *own(struct json v)
{
    union {
        const void *read;
        cJSON *write;
    } at = {v.at};
    return at.write;
}

void json_fill(struct json into, struct json from)
{
    for (struct json m = json_first(from); m.at; m = json_next(m)) {
        struct json have = json_at(into, node(m)->string);
        if (!have.at) {
            pool_fill(&into.text->pool);
            cJSON_AddItemToObject(own(into), node(m)->string, cJSON_Duplicate(m.at, true));
            pool_fill(NULL);
        } else if (json_kind(have) == JSON_OBJECT && json_kind(m) == JSON_OBJECT) {
            json_fill(have, m);
        }
    }
}

void json_remove(struct json v, const char *key)
{
    pool_fill(&v.text->pool);
    cJSON_DeleteItemFromObjectCaseSensitive(own(v), key);
    pool_fill(NULL);
}

void json_set_str(struct json v, const char *key, struct str s)
{
    char *z = alloc_text(s);
    bool have = key && json_at(v, key).at;
    pool_fill(&v.text->pool);
    if (!key)
        cJSON_SetValuestring(own(v), z);
    else if (have)
        cJSON_ReplaceItemInObjectCaseSensitive(own(v), key, cJSON_CreateString(z));
    else
        cJSON_AddStringToObject(own(v), key, z);
    pool_fill(NULL);
    free(z);
}

struct str json_print(struct arena *a, struct json v)
{
    char *text = cJSON_PrintUnformatted(v.at);
    struct str s = arena_str(a, str_of(text));
    cJSON_free(text);
    return s;
}

void json_put_value(struct buf *b, const char *name, struct json v)
{
    char *text = cJSON_PrintUnformatted(v.at);
    json_put_name(b, name);
    buf_put(b, str_of(text));
    cJSON_free(text);
}
