/* See progress.h. Words with blanks between them; "on" is always the first. */
#include "progress.h"

static const struct {
    const char *word;
    size_t offset;
} flags[] = {
    {"made", offsetof(struct progress, made)},
    {"open", offsetof(struct progress, open)},
    {"noted", offsetof(struct progress, noted)},
    {"in", offsetof(struct progress, in)},
    {"abandon", offsetof(struct progress, abandon)},
    {"other", offsetof(struct progress, other_way)},
    {"image", offsetof(struct progress, image)},
    {"renew", offsetof(struct progress, renew)},
};
enum { N_FLAGS = sizeof flags / sizeof *flags };

struct progress progress_read(struct str text)
{
    struct progress p = {0};
    for (struct str word; (word = str_word(&text)).n > 0;) {
        if (str_starts(word, STR("room=")))
            p.room = str_skip(word, 5);
        else if (str_starts(word, STR("picture=")))
            p.picture = str_skip(word, 8);
        for (int i = 0; i < N_FLAGS; i++)
            if (str_is(word, str_of(flags[i].word)))
                *(bool *)((char *)&p + flags[i].offset) = true;
    }
    return p;
}

struct str progress_write(struct arena *a, const struct progress *p)
{
    struct str s = STR("on");
    if (p->room.n > 0)
        s = arena_print(a, "%.*s room=%.*s", STR_ARG(s), STR_ARG(p->room));
    if (p->picture.n > 0)
        s = arena_print(a, "%.*s picture=%.*s", STR_ARG(s), STR_ARG(p->picture));
    for (int i = 0; i < N_FLAGS; i++)
        if (*(const bool *)((const char *)p + flags[i].offset))
            s = arena_print(a, "%.*s %s", STR_ARG(s), flags[i].word);
    return s;
}
