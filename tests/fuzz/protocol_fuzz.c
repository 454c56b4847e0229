/* Any bytes as requests of the engine's protocol: one line of JSON answers each. Views in
 * requests for advice have a target of their own, advice_fuzz.c. */
#include <stdint.h>

#include "json.h"
#include "protocol.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int64_t no_time(void)
{
    return 0;
}

static bool holds(struct str line, const char *word)
{
    return memmem(line.p, line.n, word, strlen(word)) != NULL;
}

static void check_answer(struct buf *b)
{
    struct err err;
    assert(!b->cut && b->n > 1 && b->p[b->n - 1] == '\n' && !memchr(b->p, '\n', b->n - 1));
    struct json v = json_open((struct str){b->p, b->n - 1}, JSON_LINE);
    /* The id is echoed as it came: a field twice inside it, or a zero character, is the
     * sender's. */
    assert(json_close(v, &err) || memmem(b->p, b->n, "bad_json", 8));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char room[PROTOCOL_ANSWER_MAX];
    struct str rest = {(const char *)data, size}, none = {NULL, 0};
    struct protocol *p = protocol_open(none, no_time);
    while (rest.n > 0) {
        struct str line = str_cut(rest, '\n', &rest);
        struct buf b = BUF(room);
        if (holds(line, "advise") && !holds(line, "\"visits\":1,"))
            continue; /* a search may be asked to take its time */
        protocol_line(p, line, &b);
        check_answer(&b);
    }
    protocol_close(p);
    return 0;
}
