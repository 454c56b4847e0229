/* Inline mode: chats that the bot is no member of. All notices of a table go into the one message
 * that stands there; inline queries are answered with articles (present_inline.c writes them). */
#include "message.h"
#include "part.h"

/* The inline venue of a table, or -1. */
static int inline_venue(const struct table *t)
{
    for (int i = 0; t && i < t->n_venues; i++)
        if (t->venue[i].one_post)
            return i;
    return -1;
}

static bool goes_to_inline_venue(const struct notice *notice)
{
    int venue = inline_venue(notice->table);
    return notice->audience == TO_TABLE && venue >= 0 && notice->kind != NOTICE_QUIET &&
           notice->kind != NOTICE_CLOSE && (notice->only < 0 || notice->only == venue);
}

/* Writes all notices for this venue except `but`, one after the other; of a board that a later one
 * replaced (a move that was kept ahead follows at once) only what happened. */
static void put_news(struct render *render, struct body *body, const struct notice *but, int venue)
{
    for (int i = 0; i < render->fx->n_notices; i++) {
        struct notice notice = *render->fx->notice[i];
        if (!goes_to_inline_venue(&notice) || notice.kind == NOTICE_PING ||
            render->fx->notice[i] == but)
            continue;
        notice.table = message_table_at(render, notice.table, venue);
        message_about(body, &notice);
        if (notice.kind == NOTICE_BOARD)
            part_events(body);
        else
            present_notice(body);
        body_row(body);
        body_line(body, STR(" "));
    }
}

void message_inline_post(struct render *render)
{
    const struct notice *last = NULL, *shown = NULL;
    bool ended = false;
    for (int i = 0; i < render->fx->n_notices; i++) {
        const struct notice *notice = render->fx->notice[i];
        if (!goes_to_inline_venue(notice))
            continue;
        last = notice;
        ended |= notice->kind == NOTICE_MATCH;
        if (notice->kind == NOTICE_BOARD || notice->kind == NOTICE_OFFER)
            shown = notice;
    }
    int venue = last ? inline_venue(last->table) : -1;
    if (venue < 0 || !message_from_account(render, last->table->venue[venue].account))
        return;
    message_one_post(render);
    struct notice stands = {.seat = SEAT_PUBLIC,
                            .only = -1,
                            .audience = TO_TABLE,
                            .table =
                                message_table_at(render, (shown ? shown : last)->table, venue)};
    const struct table *t = stands.table;
    bool begun = t->view.players > 0, offered = t->phase == SESSION_OFFERED;
    stands.kind = offered ? NOTICE_OFFER : NOTICE_BOARD;
    struct body *body = message_blank_body(render, &stands);
    put_news(render, body, shown, venue);
    message_about(body, &stands);
    if (!ended && (begun || offered))
        present_notice(body);
    if (begun)
        part_seal(body); /* this edit replaces the text that published it */
    struct outgoing *o = message_new(render, OUT_POST, TO_CHAT);
    o->chat = t->at.chat;
    o->slot = message_slot(render, "board", t->no, -1);
    message_text(render, o, body, render->network->limits.text_chars);
}

void message_inline_articles(struct render *render, const struct notice *notice)
{
    struct article *at = arena_array(render->fx->arena, struct article, MAX_ARTICLES);
    const struct view *v = &notice->table->view;
    int n = 0;
    if (notice->kind == NOTICE_INVITES) {
        present_challenge_article(message_blank_body(render, notice), notice->rules, &at[n++]);
        for (int i = 0; i < render->w->n_presets && n < MAX_ARTICLES; i++)
            if (!str_is(str_of(render->w->presets[i].name), str_of(notice->rules->name)) &&
                (render->w->presets[i].players_allowed >> 2 & 1))
                present_challenge_article(message_blank_body(render, notice),
                                          &render->w->presets[i], &at[n++]);
    } else {
        for (int i = 0; i < v->n_legal && n < MAX_ARTICLES; i++)
            n += present_move_article(message_blank_body(render, notice), i, &at[n]);
    }
    if (n == 0)
        present_hand_article(message_blank_body(render, notice), &at[n++]);
    struct outgoing *o = message_new(render, OUT_ANSWER, TO_CHAT);
    o->press = render->e->press;
    o->articles = at;
    o->n_articles = n;
    message_to_sender(render, o);
}
