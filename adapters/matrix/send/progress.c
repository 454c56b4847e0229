/* See progress.h. Words with blanks between them; "on" is always the first. */
#include "progress.h"

static const struct {
    const char *word;
    size_t offset;
} FLAGS[] = {
    {"made", offsetof(struct progress, made)},
    {"open", offsetof(struct progress, open)},
    {"noted", offsetof(struct progress, noted)},
    {"in", offsetof(struct progress, in)},
    {"abandon", offsetof(struct progress, abandon)},
    {"other", offsetof(struct progress, public_preset)},
    {"renew", offsetof(struct progress, renew)},
};
enum { N_FLAGS = sizeof FLAGS / sizeof *FLAGS };

struct progress progress_read(struct str text)
{
    struct progress p = {0};
    for (struct str word; (word = str_word(&text)).n > 0;) {
        if (str_starts(word, STR("room=")))
            p.room = str_skip(word, 5);
        else if (str_starts(word, STR("picture=")))
            p.picture = str_skip(word, 8);
        else if (str_starts(word, STR("image=")))
            p.image = str_skip(word, 6);
        else if (str_starts(word, STR("for=")))
            p.sealed_for = str_skip(word, 4);
        else if (str_starts(word, STR("sealed="))) {
            p.sealed = (struct str){word.p + 7, word.n - 7 + text.n};
            break;
        }
        for (int i = 0; i < N_FLAGS; i++)
            if (str_is(word, str_of(FLAGS[i].word)))
                *(bool *)((char *)&p + FLAGS[i].offset) = true;
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
    if (p->image.n > 0)
        s = arena_print(a, "%.*s image=%.*s", STR_ARG(s), STR_ARG(p->image));
    for (int i = 0; i < N_FLAGS; i++)
        if (*(const bool *)((const char *)p + FLAGS[i].offset))
            s = arena_print(a, "%.*s %s", STR_ARG(s), FLAGS[i].word);
    if (p->sealed.n > 0)
        s = arena_print(a, "%.*s for=%.*s sealed=%.*s", STR_ARG(s), STR_ARG(p->sealed_for),
                        STR_ARG(p->sealed));
    return s;
}
