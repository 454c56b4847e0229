/* Any bytes as one-line notation of a move, a rule set, a match: refused at an offset inside, or
 * read, and what is written again reads as the same. */
#include <stdint.h>

#include "notation.h"

#include <assert.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void match_note(const struct ruleset *g, const char *text, size_t size)
{
    char first[NOTATION_MAX], second[NOTATION_MAX];
    struct match m;
    int at = notation_read_match(g, text, size, &m);
    assert(at >= -1 && at <= (int)size);
    if (at >= 0)
        return;
    int n = notation_match(&m, first);
    assert(notation_read_match(g, first, (size_t)n, &m) == -1);
    assert(notation_match(&m, second) == n && memcmp(first, second, (size_t)n) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    char first[NOTATION_MAX], second[NOTATION_MAX];
    struct ruleset g;
    struct rules r;
    struct move m;
    if (size > NOTATION_MAX)
        return 0;
    const char *cut = size > 0 ? memchr(text, '\n', size) : NULL;
    size_t head = cut ? (size_t)(cut - text) : size;
    int at = notation_read_rules(text, head, &r);
    assert(at >= -1 && at <= (int)head);
    if (at == -1) {
        int n = notation_rules(&r, first);
        assert(notation_read_rules(first, (size_t)n, &r) == -1);
        assert(notation_rules(&r, second) == n && memcmp(first, second, (size_t)n) == 0);
        if (cut) {
            ruleset_make(&r, &g);
            match_note(&g, cut + 1, size - head - 1);
        }
    }
    at = notation_read_move(text, size, &m);
    assert(at >= -1 && at <= (int)size);
    if (at == -1) {
        char a[64], b[64];
        int n = notation_move(m, a);
        assert(notation_read_move(a, (size_t)n, &m) == -1);
        assert(notation_move(m, b) == n && memcmp(a, b, (size_t)n) == 0);
    }
    return 0;
}
