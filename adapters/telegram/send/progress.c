/* The progress of a send as words with blanks between them: see send.h. */
#include "send.h"

struct send_progress tg_progress_read(struct str progress)
{
    struct send_progress w = {0};
    for (struct str word, rest = progress; rest.n > 0;) {
        word = str_cut(rest, ' ', &rest);
        struct str number = str_skip(word, 1);
        w.no_file |= str_is(word, STR("bytes"));
        w.no_picture |= str_is(word, STR("text"));
        w.plain |= str_is(word, STR("plain"));
        w.erased |= str_is(word, STR("erased"));
        if (str_starts(word, STR("~")) && str_int(number, &w.stale_post))
            w.hidden_post = 0;
        if (str_is(word, STR("anew")))
            w.stale_post = 0;
        if (str_starts(word, STR("#")) && !str_int(number, &w.hidden_post))
            w.hidden_post = 0;
        if (str_starts(word, STR("!")) && !str_int(number, &w.exposed_post))
            w.exposed_post = 0;
    }
    return w;
}

void tg_progress_more(struct arena *a, const struct outgoing *out, struct str word, struct str note,
                      struct receipt *ret)
{
    struct str so_far = out->progress;
    ret->kind = MORE;
    ret->progress =
        so_far.n == 0 ? word : arena_print(a, "%.*s %.*s", STR_ARG(so_far), STR_ARG(word));
    ret->note = note;
}
