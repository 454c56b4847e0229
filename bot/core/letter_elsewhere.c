/* Where the bot is not: all that is said goes into the one message there, and what a person may say
 * there is offered to them in a list. present_elsewhere.c has the words. */
#include "letter.h"

/* Which venue of a table is one message, -1: none. */
static int one_post_of(const struct table *t)
{
    for (int i = 0; t && i < t->n_venues; i++)
        if (t->venue[i].one_post)
            return i;
    return -1;
}

static bool said_there(const struct say *say)
{
    int venue = one_post_of(say->table);
    return say->audience == TO_TABLE && venue >= 0 && say->kind != SAY_QUIET &&
           (say->only < 0 || say->only == venue);
}

/* All but the board, one after the other. */
static void news_there(struct presenting *pr, struct page *pg, const struct say *but, int venue)
{
    for (int i = 0; i < pr->fx->n_says; i++) {
        struct say say = *pr->fx->say[i];
        if (!said_there(&say) || say.kind == SAY_PING || pr->fx->say[i] == but)
            continue;
        say.table = letter_seen_at(pr, say.table, venue);
        letter_about(pg, &say);
        present_say(pg);
        page_row(pg);
        page_line(pg, STR(" "));
    }
}

/* The one message there says all that was said, and then how the match stands. */
void letter_one_post(struct presenting *pr)
{
    const struct say *last = NULL, *shown = NULL;
    bool ended = false;
    for (int i = 0; i < pr->fx->n_says; i++) {
        const struct say *say = pr->fx->say[i];
        if (!said_there(say))
            continue;
        last = say;
        ended |= say->kind == SAY_MATCH;
        if (say->kind == SAY_BOARD || say->kind == SAY_OFFER)
            shown = say;
    }
    int venue = last ? one_post_of(last->table) : -1;
    if (venue < 0 || !letter_by_account(pr, last->table->venue[venue].account))
        return;
    letter_in_one_post(pr);
    struct say stands = {.seat = SEAT_PUBLIC,
                         .only = -1,
                         .audience = TO_TABLE,
                         .table = letter_seen_at(pr, (shown ? shown : last)->table, venue)};
    const struct table *t = stands.table;
    bool begun = t->view.players > 0, offered = t->phase == SESSION_OFFERED;
    stands.kind = offered ? SAY_OFFER : SAY_BOARD;
    struct page *pg = letter_blank(pr, &stands);
    news_there(pr, pg, shown, venue);
    letter_about(pg, &stands);
    if (!ended && (begun || offered))
        present_say(pg);
    if (begun)
        present_seal(pg); /* the message that said it before is this one */
    struct outgoing *o = letter_new(pr, OUT_POST, TO_CHAT);
    o->chat = t->at.chat;
    o->slot = letter_slot(pr, "board", t->no, -1);
    letter_text(pr, o, pg, pr->p->limits.text_chars);
}

void letter_articles(struct presenting *pr, const struct say *say)
{
    struct article *at = arena_array(pr->fx->arena, struct article, MAX_ARTICLES);
    const struct view *v = &say->table->view;
    int n = 0;
    if (say->kind == SAY_INVITES) {
        present_invite(letter_blank(pr, say), say->rules, &at[n++]);
        for (int i = 0; i < pr->w->n_presets && n < MAX_ARTICLES; i++)
            if (&pr->w->presets[i] != say->rules && (pr->w->presets[i].players_allowed >> 2 & 1))
                present_invite(letter_blank(pr, say), &pr->w->presets[i], &at[n++]);
    } else {
        for (int i = 0; i < v->n_legal && n < MAX_ARTICLES; i++)
            n += present_move_article(letter_blank(pr, say), i, &at[n]);
    }
    if (n == 0)
        present_hand_article(letter_blank(pr, say), &at[n++]);
    struct outgoing *o = letter_new(pr, OUT_ANSWER, TO_CHAT);
    o->press = pr->e->press;
    o->articles = at;
    o->n_articles = n;
    letter_whom(pr, o);
}
