/* See exchange.h. */
#include "adapters/exchange.h"

#include <assert.h>
#include <stdlib.h>

#include "alloc.h"
#include "registry.h"
#include "stride.h"

static const int64_t NOON = INT64_C(1790856000000);

_Noreturn void exchange_wrong(const struct exchanges *f, const char *what, struct str about)
{
    fprintf(stderr, "%s:%d: %s: %.*s\n", f->path, f->at, what, STR_ARG(about));
    abort();
}

/* "x*3": xxx, "x*3..9": nine of them in `make thorough`; # in it is the number of the turn. "nl": a
 * line's end. */
static void put_times(const struct exchanges *f, struct arena *a, struct text_buffer *t,
                      struct str inside)
{
    inside = exchange_expand(f, a, inside);
    size_t at = inside.n;
    if (str_is(inside, STR("nl"))) {
        txt_put(t, "\n");
        return;
    }
    while (at > 0 && inside.p[at - 1] != '*')
        at--;
    int64_t times = 0, thorough = 0;
    struct str most, usual = str_cut(str_skip(inside, at), '.', &most);
    if (at == 0 || !str_int(usual, &times) || (most.n && !str_int(str_skip(most, 1), &thorough)))
        exchange_wrong(f, "expected $(TEXT*TIMES) or $(TEXT*TIMES..MOST)", inside);
    if (thorough)
        times = stride((int)times, (int)thorough);
    if (!memchr(inside.p, '#', at - 1)) { /* megabytes: in one piece */
        size_t n = (at - 1) * (size_t)times;
        char *all = alloc_array(n + 1, 1);
        if (n > 0)
            memcpy(all, inside.p, at - 1);
        for (size_t had = at - 1; had < n; had *= 2)
            memcpy(all + had, all, had < n - had ? had : n - had);
        txt_add(t, all, n);
        free(all);
        return;
    }
    for (int64_t i = 0; i < times; i++) {
        const char *p = inside.p, *end = inside.p + at - 1, *mark;
        for (; (mark = memchr(p, '#', (size_t)(end - p))) != NULL; p = mark + 1) {
            txt_add(t, p, (size_t)(mark - p));
            txt_int(t, i);
        }
        txt_add(t, p, (size_t)(end - p));
    }
}

struct str exchange_expand(const struct exchanges *f, struct arena *a, struct str s)
{
    struct text_buffer t = {0};
    txt_put(&t, "");
    for (size_t i = 0, n; i < s.n; i += n) {
        const struct let *best = NULL;
        const char *end = s.p[i] == '$' && i + 1 < s.n && s.p[i + 1] == '('
                              ? memchr(s.p + i, ')', s.n - i)
                              : NULL;
        for (int k = 0; k < f->n_lets && s.p[i] == '$'; k++)
            if (str_starts(str_skip(s, i + 1), f->let[k].name) &&
                (!best || f->let[k].name.n > best->name.n))
                best = &f->let[k];
        const char *next = memchr(s.p + i + 1, '$', s.n - i - 1);
        n = end    ? (size_t)(end - s.p) - i + 1
            : best ? best->name.n + 1
            : next ? (size_t)(next - s.p) - i
                   : s.n - i;
        if (end)
            put_times(f, a, &t, (struct str){s.p + i + 2, n - 3});
        else if (best)
            txt_add(&t, best->value.p, best->value.n);
        else
            txt_add(&t, s.p + i, n);
    }
    struct str made = arena_str(a, (struct str){t.p, t.n});
    txt_free(&t);
    return made;
}

void exchange_shorten(const struct exchanges *f, struct text_buffer *to, struct str s)
{
    struct text_buffer t = {0};
    for (size_t i = 0, n; i < s.n; i += n) {
        const struct let *best = NULL;
        for (int k = 0; k < f->n_lets; k++)
            if (str_starts(str_skip(s, i), f->let[k].value) &&
                (!best || f->let[k].value.n > best->value.n))
                best = &f->let[k];
        n = best ? best->value.n : 1;
        if (best)
            txt_print(&t, "$%.*s", STR_ARG(best->name));
        else
            txt_add(&t, s.p + i, 1);
    }
    while (t.n > 0 && t.p[t.n - 1] == ' ')
        t.n--;
    txt_add(to, t.p, t.n);
    txt_free(&t);
}

static void set_fields(const struct exchanges *f, struct arena *a, const struct member *field,
                       void *of, struct str rest)
{
    for (struct str word; (word = next_word(a, &rest)).n > 0;)
        if (!set_field(field, of, word))
            exchange_wrong(f, "no field", word);
}

static void read_head(struct arena *a, struct exchanges *f, struct str line)
{
    struct str rest = line, word = str_word(&rest), value;
    rest = str_trim(rest);
    if (str_is(word, STR("network"))) {
        f->row = registry_find(rest);
    } else if (str_is(word, STR("option"))) {
        f->option[f->n_options++] = arena_str(a, rest).p;
    } else if (str_is(word, STR("hide"))) {
        f->hides_cursor = true;
    } else if (str_is(word, STR("now"))) {
        if (!str_int(rest, &f->now))
            exchange_wrong(f, "expected milliseconds", rest);
    } else if (str_is(word, STR("let"))) {
        struct str name = str_word(&rest);
        value = exchange_expand(f, a, str_trim(rest));
        assert(f->n_lets < MOST_LETS);
        f->let[f->n_lets++] = (struct let){arena_str(a, name), value};
    } else if (str_is(word, STR("update"))) {
        set_fields(f, a, update_fields, &f->usual, exchange_expand(f, a, rest));
    } else if (str_is(word, STR("message"))) {
        set_fields(f, a, outgoing_fields, &f->usual_out, exchange_expand(f, a, rest));
    } else if (str_is(word, STR("request"))) {
        set_fields(f, a, request_fields, &f->usual_request, exchange_expand(f, a, rest));
    } else if (str_is(word, STR("header"))) {
        struct str name = str_cut(exchange_expand(f, a, rest), ':', &value);
        f->usual_request.headers[f->usual_request.n_headers++] =
            (struct header){name, str_trim(value)};
    } else {
        exchange_wrong(f, "no such line in the head of a file", line);
    }
}

int exchange_read(struct arena *a, struct exchanges *f, const char *path, struct test *tests, int n)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t cap = 0;
    ssize_t length;
    assert(file);
    *f = (struct exchanges){.path = path, .now = NOON};
    bool head = true;
    while ((length = getline(&text, &cap, file)) >= 0) {
        while (length > 0 && text[length - 1] == '\n')
            text[--length] = '\0';
        struct str line = arena_str(a, (struct str){text, (size_t)length});
        assert(f->n < MOST_LINES);
        f->line[f->n++] = line.p;
        f->at = f->n;
        if (n > 0 && tests[n - 1].of == f)
            tests[n - 1].last = f->n;
        if (str_starts(line, STR("== "))) {
            struct str setup = STR("open"), title = str_skip(line, 3);
            const char *paren = memrchr(title.p, '(', title.n);
            if (paren)
                setup = (struct str){paren + 1, title.n - (size_t)(paren - title.p) - 2};
            head = false;
            if (n > 0 && tests[n - 1].of == f)
                tests[n - 1].last = f->n - 1;
            assert(n < MOST_TESTS);
            tests[n++] = (struct test){f, f->n, f->n, arena_str(a, setup)};
        } else if (str_starts(line, STR("macro "))) {
            f->macro[f->n_macros++] = (struct macro){arena_str(a, str_skip(line, 6)), f->n, f->n};
        } else if (head && line.n > 0 && line.p[0] == ' ' && f->n_macros > 0) {
            f->macro[f->n_macros - 1].last = f->n;
        } else if (head && line.n > 0 && line.p[0] != '#') {
            read_head(a, f, line);
        }
    }
    free(text);
    fclose(file);
    return n;
}

void exchange_write(const struct exchanges *f, const struct test *tests, int n)
{
    FILE *file = fopen(f->path, "w");
    int first = 0;
    assert(file);
    while (first < n && tests[first].of != f)
        first++;
    for (int i = 0; i < f->n && (first == n || i < tests[first].first - 1); i++)
        fprintf(file, "%s\n", f->line[i]);
    fputs(f->made.n ? f->made.p : "", file);
    fclose(file);
}
