/* See notation_reader.h. Tokens: fixed text, numbers, lists of numbers, cards. */
#include "notation_reader.h"

#include <string.h>

bool notation_reader_fault(struct notation_reader *in, int at)
{
    if (in->bad < 0)
        in->bad = at;
    return false;
}

bool notation_reader_expect(struct notation_reader *in, const char *text)
{
    int n = (int)strlen(text);
    if (in->n - in->at < n || memcmp(in->s + in->at, text, (size_t)n) != 0)
        return notation_reader_fault(in, in->at);
    in->at += n;
    return true;
}

bool notation_reader_accept(struct notation_reader *in, const char *text)
{
    int n = (int)strlen(text);
    if (in->n - in->at < n || memcmp(in->s + in->at, text, (size_t)n) != 0)
        return false;
    in->at += n;
    return true;
}

bool notation_reader_number(struct notation_reader *in, long least, long most, long *ret)
{
    int start = in->at;
    bool minus = notation_reader_accept(in, "-");
    long n = 0;
    int digits = in->at;
    while (in->at < in->n && in->s[in->at] >= '0' && in->s[in->at] <= '9' && in->at - digits < 10)
        n = n * 10 + (in->s[in->at++] - '0');
    bool padded = in->at - digits > 1 && in->s[digits] == '0';
    if (in->at == digits || padded || (minus && n == 0))
        return notation_reader_fault(in, start);
    n = minus ? -n : n;
    if (n < least || n > most)
        return notation_reader_fault(in, start);
    *ret = n;
    return true;
}

bool notation_reader_key(struct notation_reader *in, const char *key)
{
    return notation_reader_expect(in, ";") && notation_reader_expect(in, key) &&
           notation_reader_expect(in, "=");
}

bool notation_reader_list(struct notation_reader *in, const char *key, int count, long least,
                          long most, long *ret)
{
    if (!notation_reader_key(in, key))
        return false;
    for (int i = 0; i < count; i++)
        if ((i > 0 && !notation_reader_expect(in, ",")) ||
            !notation_reader_number(in, least, most, &ret[i]))
            return false;
    return true;
}

bool notation_reader_end(struct notation_reader *in)
{
    return in->at == in->n || notation_reader_fault(in, in->at);
}

struct notation_reader notation_reader_of(const char *s, size_t n)
{
    return (struct notation_reader){.s = s,
                                    .n = n < NOTATION_MAX ? (int)n : NOTATION_MAX,
                                    .bad = n < NOTATION_MAX ? -1 : NOTATION_MAX};
}

bool notation_reader_card(struct notation_reader *in, int *ret)
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
    return notation_reader_fault(in, in->at);
}
