/* See sentences.h. In a catalogue **bold** and `code` become marks here, once, so that nobody
 * parses them again; a name that is filled in later cannot bring marks along. */
#include "sentences.h"

#include "adapter.h"

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

bool sentence_says(struct str pattern, struct str name)
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
static bool known_only(const struct reading *r, struct str pattern, const char *names,
                       const char *key)
{
    struct str rest = pattern;
    for (;;) {
        struct str before = str_cut(rest, '{', &rest);
        if (before.p + before.n == pattern.p + pattern.n)
            return true;
        struct str inner = str_cut(rest, '}', &rest);
        if (inner.p + inner.n == pattern.p + pattern.n)
            return err_set(r->err, "texts.%s: a { without its }", key);
        if (!in_list(names, inner))
            return err_set(r->err, "texts.%s: {%.*s} is not one of its placeholders (%s)", key,
                           STR_ARG(inner), names);
    }
}

/* ---- sentences ---- */

static bool pattern_read(const struct reading *r, const cJSON *v, enum text key, struct str *ret)
{
    struct str s;
    if (!json_text(v, text_name(key), &s, r->err))
        return false;
    if (!known_only(r, s, text_args(key), text_name(key)))
        return false;
    if (!balanced(s))
        return err_set(r->err, "texts.%s: a ** or ` is not closed", text_name(key));
    *ret = marks(r->a, s);
    return true;
}

static bool plural_read(const struct reading *r, const cJSON *v, enum text key)
{
    unsigned set = plural_set(r->t->language);
    if (!cJSON_IsObject(v))
        return err_set(r->err, "texts.%s: must have a form for each number", text_name(key));
    for (int p = 0; p < N_PLURALS; p++) {
        const cJSON *form = json_member(v, plural_names[p]);
        if (!form != !(set >> p & 1))
            return err_set(r->err, "texts.%s: the form \"%s\" %s in this language", text_name(key),
                           plural_names[p], form ? "does not exist" : "is missing, which there is");
        if (form && !pattern_read(r, form, key, &r->t->text[key][p]))
            return false;
    }
    const cJSON *form = NULL;
    cJSON_ArrayForEach(form, v)
    {
        bool known = false;
        for (int p = 0; p < N_PLURALS; p++)
            known |= strcmp(form->string, plural_names[p]) == 0;
        if (!known)
            return err_set(r->err, "texts.%s: \"%s\" is no plural form", text_name(key),
                           form->string);
    }
    return true;
}

static bool whole(const struct reading *r, enum text key)
{
    struct str rest = str_of(text_args(key));
    for (struct str name = str_word(&rest); name.n > 0; name = str_word(&rest)) {
        bool used = false;
        for (int p = 0; p < N_PLURALS; p++)
            used |= sentence_says(r->t->text[key][p], name);
        if (!used)
            return err_set(r->err, "texts.%s: the placeholder {%.*s} is not used", text_name(key),
                           STR_ARG(name));
    }
    return true;
}

bool sentences_read(const struct reading *r, const cJSON *texts)
{
    const cJSON *v = NULL;
    if (!cJSON_IsObject(texts))
        return err_set(r->err, "texts: is missing");
    cJSON_ArrayForEach(v, texts)
    {
        bool known = false;
        for (int k = 0; k < N_TEXTS && !known; k++)
            known = strcmp(v->string, text_name((enum text)k)) == 0;
        if (!known)
            return err_set(r->err, "texts.%s: there is no such sentence", v->string);
    }
    for (int k = 0; k < N_TEXTS; k++) {
        enum text key = (enum text)k;
        v = json_member(texts, text_name(key));
        if (!v)
            return err_set(r->err, "texts.%s: is missing", text_name(key));
        if (text_is_plural(key) ? !plural_read(r, v, key)
                                : !pattern_read(r, v, key, &r->t->text[k][PLURAL_OTHER]))
            return false;
        if (!whole(r, key))
            return false;
    }
    return true;
}
