/* The words of a note: fixed text, numbers, lists of them, cards. See note_reader.h. */
#include "note_reader.h"

#include <string.h>

bool reader_fault(struct reader *in, int at)
{
    if (in->bad < 0)
        in->bad = at;
    return false;
}

bool reader_expect(struct reader *in, const char *text)
{
    int n = (int)strlen(text);

    if (in->n - in->at < n || memcmp(in->s + in->at, text, (size_t)n) != 0)
        return reader_fault(in, in->at);
    in->at += n;
    return true;
}

bool reader_accept(struct reader *in, const char *text)
{
    int n = (int)strlen(text);

    if (in->n - in->at < n || memcmp(in->s + in->at, text, (size_t)n) != 0)
        return false;
    in->at += n;
    return true;
}

bool reader_number(struct reader *in, long least, long most, long *ret)
{
    int start = in->at;
    bool minus = reader_accept(in, "-");
    long n = 0;
    int digits = in->at;

    while (in->at < in->n && in->s[in->at] >= '0' && in->s[in->at] <= '9' && in->at - digits < 10)
        n = n * 10 + (in->s[in->at++] - '0');
    bool padded = in->at - digits > 1 && in->s[digits] == '0';
    if (in->at == digits || padded || (minus && n == 0))
        return reader_fault(in, start);
    n = minus ? -n : n;
    if (n < least || n > most)
        return reader_fault(in, start);
    *ret = n;
    return true;
}

bool reader_key(struct reader *in, const char *key)
{
    return reader_expect(in, ";") && reader_expect(in, key) && reader_expect(in, "=");
}

bool reader_list(struct reader *in, const char *key, int count, long least, long most, long *ret)
{
    if (!reader_key(in, key))
        return false;
    for (int i = 0; i < count; i++)
        if ((i > 0 && !reader_expect(in, ",")) || !reader_number(in, least, most, &ret[i]))
            return false;
    return true;
}

bool reader_end(struct reader *in)
{
    return in->at == in->n || reader_fault(in, in->at);
}

struct reader reader_of(const char *s, size_t n)
{
    return (struct reader){
        .s = s, .n = n < NOTE_MAX ? (int)n : NOTE_MAX, .bad = n < NOTE_MAX ? -1 : NOTE_MAX};
}

bool reader_card(struct reader *in, int *ret)
{
    for (int n = CARD_CODE_SIZE - 1; n >= 2; n--) {
        if (n > in->n - in->at)
            continue;
        *ret = card_read(in->s + in->at, (size_t)n);
        if (*ret != CARD_NONE) {
            in->at += n;
            return true;
        }
    }
    return reader_fault(in, in->at);
}
