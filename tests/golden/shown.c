/* See shown.h. text_make is replaced by the linker, so that it is known what it made. */
#include "golden/shown.h"

#include "golden/stage.h"
#include "text.h"

#include <ctype.h>
#include <stdio.h>

enum { MAX_MADE = 4096, MATCHED = 64 * 1024, SENTENCE = 64 * 1024 };

/* What text_make made since the last input, and the lines that the chat expected and found. */
static struct {
    enum text key;
    struct str text;
} made[MAX_MADE];
static int n_made;
static char matched[MATCHED];
static size_t n_matched;
static bool is_shown[N_TEXTS];

struct str __wrap_text_make(const struct texts *t, struct arena *a, enum text key, int64_t n,
                            const struct str *args, int n_args);
struct str __real_text_make(const struct texts *t, struct arena *a, enum text key, int64_t n,
                            const struct str *args, int n_args);

struct str __wrap_text_make(const struct texts *t, struct arena *a, enum text key, int64_t n,
                            const struct str *args, int n_args)
{
    struct str text = __real_text_make(t, a, key, n, args, n_args);
    if (!is_shown[key] && n_made < MAX_MADE && text.n > 0) {
        made[n_made].key = key;
        made[n_made++].text = arena_str(stage->arena, text);
    }
    return text;
}

static size_t digits_at(struct str s)
{
    size_t n = 0;
    while (n < s.n && isdigit((unsigned char)s.p[n]))
        n++;
    return n;
}

void shown_plain(struct buf *b, struct str s)
{
    struct str rest;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        size_t hex = 0;
        while (i + hex < s.n && isxdigit((unsigned char)s.p[i + hex]) && hex < 65)
            hex++;
        size_t digits = i > 0 && isdigit((unsigned char)s.p[i - 1]) ? 0 : digits_at(str_skip(s, i));
        if (digits > 0 && str_starts(str_skip(s, i + digits), STR(" %"))) {
            buf_put(b, STR("<n>"));
            i += digits - 1;
            continue;
        }
        if (hex == 64) {
            buf_put(b, STR("<hash>"));
            i += 63;
        } else if (c == '\n') {
            buf_put(b, STR("\n    "));
        } else if (c == MARK_CODE && stage_is_code(str_cut(str_skip(s, i + 1), MARK_END, &rest))) {
            buf_put(b, STR("<code>"));
            i = (size_t)(rest.p - s.p) - 1;
        } else if (c == MARK_NAME) {
            buf_char(b, '@');
            while (++i < s.n && s.p[i] != MARK_NAME)
                continue;
        } else if (c == MARK_TIME) {
            buf_put(b, STR("@"));
        } else if (c < MARK_BOLD || c > MARK_END) {
            buf_char(b, c);
        }
    }
}

void shown_line(struct str line)
{
    struct buf b = {matched, n_matched, sizeof matched, false};
    buf_put(&b, line);
    buf_char(&b, '\n');
    n_matched = b.n;
}

/* A sentence is shown if it stands, whole, in what was expected. */
void shown_count(void)
{
    static char bytes[SENTENCE];
    for (int i = 0; i < n_made; i++) {
        struct buf b = BUF(bytes);
        shown_plain(&b, made[i].text);
        if (!is_shown[made[i].key] && b.n > 0)
            is_shown[made[i].key] = memmem(matched, n_matched, b.p, b.n) != NULL;
    }
    n_made = 0;
    n_matched = 0;
}

int shown_missing(void)
{
    int missing = 0;
    for (int k = 0; k < N_TEXTS; k++) {
        if (is_shown[k] || k == T_GLYPH_PLAIN) /* plain cards have no sign in English */
            continue;
        fprintf(stderr, "no chat shows \"%s\"\n", text_name((enum text)k));
        missing++;
    }
    return missing;
}
