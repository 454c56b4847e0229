/* Coverage of sentences. The linker replaces text_make (--wrap) by the one here, which keeps what
 * it makes. See coverage.h. */
#include "golden/coverage.h"

#include "golden/transcript.h"
#include "text.h"

#include <stdio.h>

enum { MAX_MADE = 4096, MATCHED = 64 * 1024, SENTENCE = 64 * 1024, LAST = 8 };

/* Sentences made since the last input, and the expected lines that were found. */
static struct {
    enum text key;
    struct str text;
    bool english; /* in a language that lacks it */
} made[MAX_MADE];
static int n_made;
static char matched[MATCHED];
static size_t n_matched;
static bool covered[N_TEXTS];
/* Of the chat that runs: sentences made, and the language of the last one. */
static bool seen[N_TEXTS];
static const struct texts *newest;

struct str __wrap_text_make(const struct texts *t, struct arena *a, enum text key, int64_t n,
                            const struct str *args, int n_args);
struct str __real_text_make(const struct texts *t, struct arena *a, enum text key, int64_t n,
                            const struct str *args, int n_args);

/* True if the language takes the sentence, or the phrase about a command in it, from English. */
static bool lacks(const struct texts *t, enum text key, const struct str *args, int n_args)
{
    bool has = !t->english;
    for (int p = 0; p < N_PLURALS; p++)
        has |= text_form(t, key, (enum plural)p).p != NULL;
    for (int v = 1; has && t->english && v < MAX_COMMANDS; v++)
        for (int i = 0; i < n_args && t->brief[v].p; i++)
            has &= args[i].p != t->brief[v].p || args[i].p != t->english->brief[v].p;
    return !has;
}

struct str __wrap_text_make(const struct texts *t, struct arena *a, enum text key, int64_t n,
                            const struct str *args, int n_args)
{
    struct str text = __real_text_make(t, a, key, n, args, n_args);
    seen[key] = true;
    newest = t;
    bool english = harness->texts_dir.n == 0 && lacks(t, key, args, n_args);
    if ((!covered[key] || english) && n_made < MAX_MADE && text.n > 0) {
        made[n_made].key = key;
        made[n_made].english = english;
        made[n_made++].text = arena_str(harness->arena, text);
    }
    return text;
}

bool coverage_is_untranslated(struct str line)
{
    static char bytes[SENTENCE];
    bool found = false;
    for (int i = 0; i < n_made && !found; i++) {
        struct buf b = BUF(bytes);
        if (made[i].english)
            transcript_text(&b, made[i].text);
        found = made[i].english && str_is(str_trim(line), buf_str(&b));
    }
    return found;
}

void coverage_line(struct str line)
{
    struct buf b = {matched, n_matched, sizeof matched, false};
    buf_put(&b, line);
    buf_char(&b, '\n');
    n_matched = b.n;
}

/* The words of a page are not messages: they stand in scenes and in the page's own document. */
static bool is_of_page(enum text key)
{
    return strncmp(text_name(key), "page_", 5) == 0 || strncmp(text_name(key), "set_watch", 9) == 0;
}

/* True if a message that may still be refused would show it then. */
static bool is_fallback(struct str text)
{
    for (int i = harness->n_sent; i-- > 0 && i >= harness->n_sent - LAST;) {
        struct str aloud = harness->sent[i].out.aloud;
        if (aloud.n >= text.n && memmem(aloud.p, aloud.n, text.p, text.n))
            return true;
    }
    return false;
}

void coverage_begin(void)
{
    n_made = 0;
    n_matched = 0;
    memset(seen, 0, sizeof seen);
    newest = NULL;
}

void coverage_count(void)
{
    static char bytes[SENTENCE];
    int kept = 0;
    for (int i = 0; i < n_made; i++) {
        struct buf b = BUF(bytes);
        transcript_text(&b, made[i].text);
        if (!covered[made[i].key] && b.n > 0)
            covered[made[i].key] = memmem(matched, n_matched, b.p, b.n) != NULL;
        if (!covered[made[i].key] && is_fallback(made[i].text))
            made[kept++] = made[i];
    }
    n_made = kept;
    n_matched = 0;
}

int coverage_missing(void)
{
    int missing = 0;
    for (int k = 0; k < N_TEXTS; k++) {
        if (covered[k] || k == T_GLYPH_PLAIN /* empty in English */ || is_of_page((enum text)k))
            continue;
        fprintf(stderr, "no chat shows \"%s\"\n", text_name((enum text)k));
        missing++;
    }
    return missing;
}

static void print_sentence(const char *name, struct str s)
{
    static char bytes[SENTENCE];
    struct buf b = BUF(bytes);
    transcript_text(&b, s);
    if (s.n > 0)
        printf("    %s: %.*s\n", name, (int)b.n, bytes);
}

void coverage_print_rest(void)
{
    for (int k = 0; newest && k < N_TEXTS; k++)
        for (int p = 0; !seen[k] && p < N_PLURALS; p++)
            print_sentence(text_name((enum text)k),
                           text_form(newest, (enum text)k, (enum plural)p));
    for (int v = 1; newest && v < MAX_COMMANDS; v++) {
        const char *name = arena_print(harness->arena, "/%.*s", STR_ARG(newest->alias[v][0])).p;
        print_sentence(name, newest->about[v]);
    }
}
