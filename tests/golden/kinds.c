/* See kinds.h. */
#include "golden/kinds.h"

#include "engine/test.h"

#include <string.h>

const struct kind network_kinds[] = {
    {"group", "telegram", CAN_WHISPER, NULL, false}, /* where the bot has no rights */
    {"rights", "telegram", 0, NULL, false},          /* and with them: it can hide what it says */
    {"private", "telegram", 0, NULL, true},          {"matrix", "matrix", 0, "!koi ", false},
    {"terminal", "terminal", 0, NULL, false},        {NULL, NULL, 0, NULL, false},
};

static const struct kind *find_kind(struct str name)
{
    const struct kind *k = network_kinds;
    while (k->name && !str_is(name, str_of(k->name)))
        k++;
    return k->name ? k : NULL;
}

static const struct str HEAD = {"kinds: ", 7}, SECTION = {"for ", 4};

const struct kind *kind_of_chat(struct str chat, int i)
{
    while (chat.n > 0) {
        struct str line = str_cut(chat, '\n', &chat), rest = str_skip(line, HEAD.n), word;
        if (!str_starts(line, HEAD))
            continue;
        do
            word = str_word(&rest);
        while (word.n > 0 && i-- > 0);
        if (word.n > 0 && !find_kind(word))
            fail_msg("kinds: expected one of tests/golden/kinds.c, got %.*s", STR_ARG(word));
        return word.n > 0 ? find_kind(word) : NULL;
    }
    return NULL;
}

/* True if the line is "for KIND KIND:"; sets *ret_own if the kind is among them. */
static bool opens_section(struct str line, const struct kind *kind, const char *file, bool *ret_own)
{
    struct str rest = str_skip(line, SECTION.n), word;
    if (!str_starts(line, SECTION) || line.p[line.n - 1] != ':')
        return false;
    *ret_own = false;
    rest.n--;
    while ((word = str_word(&rest)).n > 0) {
        const struct kind *named = find_kind(word);
        if (!named)
            fail_msg("%s: for: expected a kind of tests/golden/kinds.c, got %.*s", file,
                     STR_ARG(word));
        *ret_own |= named == kind;
    }
    return true;
}

void kind_take(const struct kind *kind, char *chat, const char *file)
{
    bool own = true;
    for (char *line = chat, *end; *line; line = *end ? end + 1 : end) {
        end = line + strcspn(line, "\n");
        struct str all = {line, (size_t)(end - line)};
        bool opens = all.n > 0 && opens_section(all, kind, file, &own);
        if (all.n == 0)
            own = true;
        else if (opens || !own || str_starts(all, HEAD))
            memset(line, '#', all.n);
    }
}

void kind_open(const struct kind *kind, struct account *of)
{
    const struct adapter *adapter = registry_find(str_of(kind->adapter));
    of->can = adapter->can & ~kind->without;
    of->limits = adapter->limits;
    if (kind->prefix)
        of->limits.prefix = str_of(kind->prefix);
}
