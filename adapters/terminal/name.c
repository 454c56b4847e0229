/* Typed names, and the people behind them. The id of a person is the name in lower case. */
#include "terminal.h"
#include "utf8.h"

static bool name_part(char c)
{
    return (unsigned char)c > ' ' && c != 0x7f && !strchr("@#>!,;:/\"'()[]", c);
}

bool terminal_name(struct str word, bool raise, char ret[static TERMINAL_NAME])
{
    while (word.n > 0 && (word.p[0] == '@' || word.p[0] == '#'))
        word = str_skip(word, 1);
    if (word.n == 0 || word.n >= TERMINAL_NAME || !utf8_ok(word))
        return false;
    for (struct str rest = word; rest.n > 0;)
        if (utf8_is_control(utf8_next(&rest)))
            return false;
    for (size_t i = 0; i < word.n; i++)
        if (!name_part(word.p[i]))
            return false;
    memcpy(ret, word.p, word.n);
    ret[word.n] = 0;
    if (raise && ret[0] >= 'a' && ret[0] <= 'z')
        ret[0] = (char)(ret[0] - 'a' + 'A');
    return true;
}

struct str terminal_name_lower(struct arena *a, struct str word)
{
    struct buf low = {arena_alloc(a, word.n + 1), 0, word.n, false};
    for (size_t i = 0; i < word.n; i++) {
        char c = word.p[i];
        buf_char(&low, c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c);
    }
    return buf_str(&low);
}

struct sender terminal_name_sender(struct arena *a, const char *name)
{
    struct str id = terminal_name_lower(a, str_of(name));
    return (struct sender){.id = id, .name = arena_str(a, str_of(name)), .handle = id};
}

void terminal_name_mentions(struct arena *turn, struct update *u)
{
    struct str text = u->text;
    while (text.n > 0 && u->n_mentions < MAX_MENTIONS) {
        char name[TERMINAL_NAME];
        struct str word = str_word(&text);
        while (word.n > 1 && !name_part(word.p[word.n - 1]))
            word.n--; /* "@bo," */
        if (str_starts(word, STR("@")) && terminal_name(word, true, name))
            u->mention[u->n_mentions++] = terminal_name_sender(turn, name);
    }
}
