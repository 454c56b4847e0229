/* See sentences.h. **bold** and `code` of a catalogue become marks here, once; a name that is
 * filled in later cannot bring marks along. */
#include "sentences.h"

#include "adapter.h"
#include "utf8.h"

#include <stdarg.h>
#include <stdio.h>

enum { BUTTON_CHARS = 24 }; /* of a button, without what its placeholders bring */

bool texts_fault(const struct texts_reading *r, const char *format, ...)
{
    char line[sizeof r->err->text];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (!r->faults)
        return err_set(r->err, "%s%s", r->where, line);
    buf_print(&r->faults->lines, "%s%s\n", r->where, line);
    r->faults->n++;
    return true;
}

/* ---- marks and placeholders ---- */

static struct str marks(struct arena *a, struct str s)
{
    struct buf b = {arena_alloc(a, s.n + 1), 0, s.n, false};
    bool bold = false, code = false;
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '*' && i + 1 < s.n && s.p[i + 1] == '*') {
            buf_char(&b, bold ? MARK_END : MARK_BOLD);
            bold = !bold;
            i++;
        } else if (s.p[i] == '`') {
            buf_char(&b, code ? MARK_END : MARK_CODE);
            code = !code;
        } else {
            buf_char(&b, s.p[i]);
        }
    }
    return buf_str(&b);
}

static bool balanced(struct str s)
{
    int bold = 0, code = 0;
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '*' && i + 1 < s.n && s.p[i + 1] == '*') {
            bold ^= 1;
            i++;
        }
        code ^= s.p[i] == '`';
    }
    return !bold && !code;
}

static bool in_list(const char *names, struct str name)
{
    struct str rest = str_of(names);
    for (struct str word = str_word(&rest); word.n > 0; word = str_word(&rest))
        if (str_is(word, name))
            return true;
    return false;
}

bool sentences_have_placeholder(struct str pattern, struct str name)
{
    struct str rest = pattern;
    while (rest.n > 0) {
        struct str inner;
        (void)str_cut(rest, '{', &rest);
        inner = str_cut(rest, '}', &rest);
        if (str_is(inner, name))
            return true;
    }
    return false;
}

/* Every {word} is a placeholder of the key. */
static bool known_only(const struct texts_reading *r, struct str pattern, const char *names,
                       const char *key)
{
    struct str rest = pattern;
    for (;;) {
        struct str before = str_cut(rest, '{', &rest);
        if (before.p + before.n == pattern.p + pattern.n)
            return true;
        struct str inner = str_cut(rest, '}', &rest);
        if (inner.p + inner.n == pattern.p + pattern.n)
            return texts_fault(r, "%s: expected a } behind {", key);
        if (!in_list(names, inner))
            return texts_fault(r, "%s: expected a placeholder of (%s), got {%.*s}", key, names,
                               STR_ARG(inner));
    }
}

/* ---- sentences ---- */

/* Characters of a pattern, without its placeholders. */
static size_t own_length(struct str pattern)
{
    size_t n = 0;
    for (struct str rest = pattern; rest.n > 0;) {
        n += utf8_count(str_cut(rest, '{', &rest), false);
        (void)str_cut(rest, '}', &rest);
    }
    return n;
}

static bool pattern_read(const struct texts_reading *r, const cJSON *v, enum text key,
                         struct str *ret)
{
    const char *name = text_name(key);
    struct err why = {""};
    struct str s;
    if (!json_text(v, name, &s, &why))
        return texts_fault(r, "%s", why.text);
    if (!known_only(r, s, text_args(key), name) ||
        (!balanced(s) && !texts_fault(r, "%s: expected ** and ` in pairs", name)) ||
        (str_starts(str_of(name), STR("button_")) && own_length(s) > BUTTON_CHARS &&
         !texts_fault(r, "%s: expected at most %d characters on a button, got %zu", name,
                      BUTTON_CHARS, own_length(s))))
        return false;
    *ret = marks(r->a, s);
    return true;
}

static bool plural_read(const struct texts_reading *r, const cJSON *v, enum text key)
{
    const char *name = text_name(key);
    unsigned set = plural_set(r->t->language);
    const cJSON *form = NULL;
    if (!cJSON_IsObject(v))
        return texts_fault(r, "%s: expected an object of plural forms", name);
    for (int p = 0; p < N_PLURALS; p++) {
        form = json_member(v, plural_names[p]);
        bool needed = set >> p & 1;
        if (!form && needed &&
            !texts_fault(r, "%s: the form \"%s\" is missing", name, plural_names[p]))
            return false;
        if (form && !needed &&
            !texts_fault(r, "%s: the language has no form \"%s\"", name, plural_names[p]))
            return false;
        if (form && !pattern_read(r, form, key, &r->t->text[key][p]))
            return false;
    }
    cJSON_ArrayForEach(form, v)
    {
        bool known = false;
        for (int p = 0; p < N_PLURALS; p++)
            known |= strcmp(form->string, plural_names[p]) == 0;
        if (!known && !texts_fault(r, "%s: expected plural forms, got \"%s\"", name, form->string))
            return false;
    }
    return true;
}

static bool whole(const struct texts_reading *r, enum text key)
{
    struct str rest = str_of(text_args(key));
    for (struct str name = str_word(&rest); name.n > 0; name = str_word(&rest)) {
        bool used = false;
        for (int p = 0; p < N_PLURALS; p++)
            used |= sentences_have_placeholder(r->t->text[key][p], name);
        if (!used &&
            !texts_fault(r, "%s: expected the placeholder {%.*s}", text_name(key), STR_ARG(name)))
            return false;
    }
    return true;
}

/* Mostly the next one is the next in the catalogue, too. */
static bool known_sentences(const struct texts_reading *r, const cJSON *texts)
{
    const cJSON *v = NULL;
    int next = 0;
    cJSON_ArrayForEach(v, texts)
    {
        bool known = false;
        for (int i = 0; i < N_TEXTS && !known; i++) {
            known = strcmp(v->string, text_name((enum text)next)) == 0;
            next = (next + 1) % N_TEXTS;
        }
        if (!known && !texts_fault(r, "%s: unknown sentence", v->string))
            return false;
    }
    return true;
}

static const cJSON *sentence_after(const cJSON *texts, const cJSON *last, enum text key)
{
    const cJSON *next = last && last->next ? last->next : texts->child;
    return next && strcmp(next->string, text_name(key)) == 0 ? next
                                                             : json_member(texts, text_name(key));
}

bool sentences_read(const struct texts_reading *of, const cJSON *texts)
{
    struct texts_reading r = *of;
    r.where = "texts.";
    if (!cJSON_IsObject(texts))
        return texts_fault(of, "texts: missing");
    if (!known_sentences(&r, texts))
        return false;
    const cJSON *v = NULL;
    for (int k = 0; k < N_TEXTS; k++) {
        enum text key = (enum text)k;
        v = sentence_after(texts, v, key);
        int faults = r.faults ? r.faults->n : 0;
        if (!v) {
            if (!texts_fault(&r, "%s: missing", text_name(key)))
                return false;
            continue;
        }
        if (text_is_plural(key) ? !plural_read(&r, v, key)
                                : !pattern_read(&r, v, key, &r.t->text[k][PLURAL_OTHER]))
            return false;
        bool more = r.faults && r.faults->n > faults; /* a placeholder may lack for that reason */
        if (!more && !whole(&r, key))
            return false;
    }
    return true;
}
