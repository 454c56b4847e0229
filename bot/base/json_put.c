/* Writer of JSON, see json.h. Commas put themselves: what stands before tells whether one is due. */
#include "json.h"

#include <assert.h>

static void put_quoted(struct buf *b, struct str s)
{
    buf_char(b, '"');
    for (size_t n; (n = str_run(s, 0x20, "\"\\")) < s.n; s = str_skip(s, n + 1)) {
        unsigned char c = (unsigned char)s.p[n];
        buf_put(b, (struct str){s.p, n});
        if (c == '\n')
            buf_put(b, STR("\\n"));
        else if (c < 0x20)
            buf_print(b, "\\u%04x", c);
        else
            buf_put(b, (struct str){(char[]){'\\', (char)c}, 2});
    }
    buf_put(b, s);
    buf_char(b, '"');
}

void json_put_name(struct buf *b, const char *name)
{
    char last = b->n > 0 ? b->p[b->n - 1] : '\0';
    bool behind = last == '"' || last == '}' || last == ']' || (last >= '0' && last <= '9') ||
                  (last >= 'a' && last <= 'z');
    if (behind)
        buf_char(b, ',');
    if (name) { /* of our own: it needs no escapes */
        buf_char(b, '"');
        buf_put(b, str_of(name));
        buf_put(b, STR("\":"));
    }
}

void json_put_open(struct buf *b, const char *name, char bracket)
{
    json_put_name(b, name);
    buf_char(b, bracket);
}

void json_put_str(struct buf *b, const char *name, struct str s)
{
    json_put_name(b, name);
    put_quoted(b, s);
}

void json_put_int(struct buf *b, const char *name, int64_t n)
{
    json_put_name(b, name);
    buf_int(b, n);
}

void json_put_bool(struct buf *b, const char *name, bool on)
{
    json_put_name(b, name);
    buf_put(b, on ? STR("true") : STR("false"));
}

void json_put_null(struct buf *b, const char *name)
{
    json_put_name(b, name);
    buf_put(b, STR("null"));
}

void json_put(struct buf *b, const char *form, const struct str *args, int n)
{
    int used = 0;
    if (*form != '}' && *form != ']')
        json_put_name(b, NULL);
    for (; *form; form++)
        if (*form == '$' || *form == '@') {
            assert(used < n);
            struct str arg = args[used++];
            *form == '$' ? put_quoted(b, arg) : buf_put(b, arg);
        } else {
            buf_char(b, *form == '\'' ? '"' : *form);
        }
    assert(used == n);
}
