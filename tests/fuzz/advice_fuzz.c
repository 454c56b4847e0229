/* Any bytes as a view in a request for advice: refused, or one on which the search of each level
 * finds a move. One visit: the input is the view, not the search. */
#include <stdint.h>

#include "json.h"
#include "protocol.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int64_t advice_time(void)
{
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const levels[] = {"beginner", "easy", "normal", "hard", "master"};
    static struct protocol *p;
    static char line[PROTOCOL_LINE_MAX], room[PROTOCOL_ANSWER_MAX];
    struct buf b = BUF(line), answer = BUF(room);
    struct err err = {""};
    if (!p)
        p = protocol_open((struct str){0}, advice_time);
    if (size < 1 || size > PROTOCOL_LINE_MAX / 2 || memchr(data, '\n', size))
        return 0;
    buf_print(&b,
              "{\"do\":\"advise\",\"level\":\"%s\",\"visits\":1,\"view\":", levels[data[0] % 5]);
    buf_put(&b, (struct str){(const char *)data + 1, size - 1});
    buf_char(&b, '}');
    protocol_line(p, buf_str(&b), &answer);
    assert(!answer.cut && answer.n > 1 && answer.p[answer.n - 1] == '\n');
    struct json v = json_open((struct str){answer.p, answer.n - 1}, JSON_LINE);
    bool answered = json_at(v, "error").at || json_at(v, "move").at;
    /* An id among the bytes is echoed as it came: a field twice inside it is the sender's. */
    assert(json_close(v, &err) ? answered : memmem(answer.p, answer.n, "bad_json", 8) != NULL);
    return 0;
}
