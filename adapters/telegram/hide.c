/* Whether what is for one person alone stays so. A server that does not know how to hide a message
 * (one of one's own, older than 10.3) passes over what it does not know, and would show a hand to
 * everybody. So the first message of a run that has to be hidden goes ahead with a card's back
 * alone. If the answer says that it is hidden, the words follow by an edit, and all later ones are
 * said at once; if everybody sees it, it is taken back, and nothing is whispered on this account
 * any more: hands go the next way down. */
#include "say.h"

struct way tg_way(struct str progress)
{
    struct way w = {0};
    for (struct str word, rest = progress; rest.n > 0;) {
        word = str_cut(rest, ' ', &rest);
        struct str number = str_skip(word, 1);
        w.no_file |= str_is(word, STR("bytes"));
        w.no_picture |= str_is(word, STR("text"));
        w.plain |= str_is(word, STR("plain"));
        w.erased |= str_is(word, STR("erased"));
        if (str_starts(word, STR("#")) && !str_int(number, &w.filling))
            w.filling = 0;
        if (str_starts(word, STR("!")) && !str_int(number, &w.exposed))
            w.exposed = 0;
    }
    return w;
}

void tg_hide(const struct telegram *t, const struct outgoing *out, struct way w, struct step *s)
{
    if (w.exposed) {
        s->saying = SAYING_TAKE_BACK;
        s->post = (struct post){.id = w.exposed};
    } else if (w.filling) {
        s->saying = SAYING_EDIT;
        s->post = (struct post){.id = w.filling, .hidden = true};
    } else if (t->hiding == HIDING_MISSING) {
        s->saying = SAYING_UNHIDDEN;
    } else if (t->hiding == HIDING_UNTRIED) {
        bool other = t->trying && t->tried_row != out->row;
        s->saying = other ? SAYING_LATER : SAYING_TRY;
    }
}

void tg_try(struct telegram *t, const struct outgoing *out)
{
    t->trying = true;
    t->tried_row = out->row;
}

void tg_tried(struct telegram *t, struct arena *a, const struct outgoing *out, int64_t hidden,
              struct receipt *ret)
{
    if (!hidden) { /* the answer broke off: nobody knows what became of it */
        ret->kind = LATER;
        ret->note = STR("an answer of Telegram broke off");
        return;
    }
    t->hiding = HIDING_PROVEN;
    tg_more(a, out, arena_print(a, "#%lld", (long long)hidden), STR(""), ret);
}

void tg_seen_by_all(struct telegram *t, struct arena *a, const struct outgoing *out, int64_t seen,
                    struct receipt *ret)
{
    t->hiding = t->hiding == HIDING_PROVEN ? HIDING_UNTRIED : HIDING_MISSING; /* another server? */
    tg_more(a, out, arena_print(a, "!%lld", (long long)seen),
            STR("this server does not know hidden messages"), ret);
}
