/* See present.h. This file goes through what is to be said, one say after the other: letter*.c
 * decide where it goes and in what form; page.c and present_*.c write it. */
#include "letter.h"

#include <assert.h>

/* A press wants an answer even if nothing is said to the presser alone. */
static void settle_press(struct presenting *pr)
{
    if (!pr->e->pressed || pr->e->press.n == 0)
        return;
    for (int i = 0; i < pr->n; i++)
        if (pr->out[i].out.kind == OUT_ANSWER)
            return;
    struct outgoing *o = letter_new(pr, OUT_ANSWER, TO_CHAT);
    o->press = pr->e->press;
    o->to = pr->e->from.id;
}

/* Nothing was changed and one thing is said, which will not be edited: it answers a question, and
 * needs no place in the order of what goes on. */
static void set_aside(struct presenting *pr)
{
    struct outgoing *only = NULL;
    int n = 0;
    for (int i = 0; i < pr->n; i++)
        if (pr->out[i].out.kind != OUT_ANSWER) {
            only = &pr->out[i].out;
            n++;
        }
    if (n == 1 && only->kind == OUT_POST && only->slot.n == 0)
        only->aside = pr->fx->n_saves == 0 && !pr->fx->set_chat && !pr->fx->set_prefs;
}

int present(const struct world *w, const struct event *e, const struct effects *fx,
            const struct places *places, struct letter ret[static MAX_OUTGOING])
{
    struct presenting pr = {.w = w, .e = e, .fx = fx, .places = places, .out = ret};
    for (int i = 0; i < fx->n_says; i++) {
        const struct say *say = fx->say[i];
        bool here = letter_by_account(&pr, e->account);
        assert(here);
        (void)here;
        if (w->can_here & CAN_ONE_POST)
            letter_in_one_post(&pr);
        if (say->kind == SAY_INVITES || say->kind == SAY_MOVES) {
            letter_articles(&pr, say);
        } else if (say->kind == SAY_EXPORT) {
            letter_to_asker_long(&pr, say);
        } else if (say->audience == TO_SEAT) {
            letter_to_seat(&pr, say);
        } else if (say->audience == TO_TABLE) {
            letter_to_table(&pr, say);
        } else if (say->audience == TO_HANDLE) {
            letter_to_handle(&pr, say);
        } else if (say->audience == TO_ASKER) {
            letter_to_asker(&pr, say, letter_page(&pr, say));
        } else {
            struct page *pg = letter_page(&pr, say);
            letter_text(&pr, letter_new(&pr, OUT_POST, TO_CHAT), pg, pr.p->limits.text_chars);
        }
    }
    letter_one_post(&pr);
    if (letter_by_account(&pr, e->account))
        settle_press(&pr);
    set_aside(&pr);
    return pr.n;
}
