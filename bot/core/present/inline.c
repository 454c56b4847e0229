/* Inline mode: chats that the bot is no member of. All notices of a table go into the one message
 * that stands there; inline queries are answered with articles, challenges and moves that a person
 * may post. See way.h. */
#include "way.h"

#include "rules_option.h"

/* ---- the message that stands there ---- */

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

/* All notices but `stands`, one after the other; of a board that a later one replaced (a move that
 * was kept ahead follows at once) only what happened. */
static void put_news(struct draft *d, const struct notice *stands)
{
    for (int i = 0; i < d->fx->n_notices; i++) {
        const struct notice *notice = d->fx->notice[i];
        if (!goes_to_inline_venue(notice) || notice->kind == NOTICE_PING || notice == stands)
            continue;
        draft_about(d, notice);
        if (notice->kind == NOTICE_BOARD)
            part_events(d);
        else
            page_write(d);
        draft_row(d);
        draft_line(d, STR(" "));
    }
}

void inline_post(struct draft *d)
{
    const struct notice *last = NULL, *shown = NULL;
    bool ended = false;
    for (int i = 0; i < d->fx->n_notices; i++) {
        const struct notice *notice = d->fx->notice[i];
        if (!goes_to_inline_venue(notice))
            continue;
        last = notice;
        ended |= notice->kind == NOTICE_MATCH;
        if (notice->kind == NOTICE_BOARD || notice->kind == NOTICE_OFFER)
            shown = notice;
    }
    if (!last)
        return;
    const struct table *t = shown ? shown->table : last->table;
    bool begun = t->view.players > 0, offered = t->phase == SESSION_OFFERED;
    struct notice *stands = arena_new(d->a, struct notice);
    *stands = (struct notice){.kind = offered ? NOTICE_OFFER : NOTICE_BOARD,
                              .seat = SEAT_PUBLIC,
                              .only = -1,
                              .audience = TO_TABLE,
                              .table = t};
    const struct seen_from *at = &t->venue[inline_venue(t)];
    d->notice = stands;
    if (!draft_from(d, at->account, at))
        return;
    draft_one_post(d);
    draft_open(d,
               (struct outgoing){.chat = d->at->chat, .slot = draft_slot(d, "board", t->no, -1)});
    put_news(d, shown);
    draft_about(d, stands);
    if (!ended && (begun || offered))
        page_write(d);
    if (begun)
        part_seal(d); /* this edit replaces the text that published it */
    draft_send(d);
}

/* ---- articles ---- */

/* An article with the text of the draft. */
static struct article article_of(const struct draft *d, struct press p, struct str title,
                                 struct str about)
{
    return (struct article){.id = press_write(d->network->key, p, d->a),
                            .title = title,
                            .about = about,
                            .text = buf_str(&d->text)};
}

/* A challenge by these rules. */
static struct article challenge(struct draft *d, const struct rules *r)
{
    draft_open(d, (struct outgoing){0});
    struct table *table = arena_new(d->a, struct table);
    *table = *d->table;
    table->rules = *r;
    d->table = table;
    d->words = words_for(d->t, str_of(r->words));
    SAY(d, T_INVITE, draft_name(d, 0));
    SAY(d, T_OFFER_PITCH);
    part_terms(d, r);
    SAY(d, T_INVITE_HOW);
    const struct rules *preset = part_preset(d, r);
    struct str changes = {0};
    int64_t packed = r->rounds;
    if (preset) {
        (void)rules_option_pack(r, preset, &packed);
        changes = part_changes(d, r, preset);
    }
    struct press p = {VERB_INVITE, table->player[0].person,
                      (int64_t)(str_hash(str_of(r->name)) & UINT32_MAX), packed};
    struct article it = article_of(
        d, p,
        TX(d, T_INVITE_TITLE, str_of(r->name), TN(d, T_ROUNDS, r->rounds, draft_int(d, r->rounds))),
        changes.n ? changes : part_doublings(d, r));
    it.label = TX(d, T_BUTTON_ACCEPT);
    return it;
}

static struct article move_article(struct draft *d, const struct scene_move *m)
{
    draft_open(d, (struct outgoing){0});
    const struct table *t = d->table;
    uint8_t kind = m->move.kind;
    bool cards = kind == MOVE_PLAY || kind == MOVE_CHOOSE;
    struct str title = cards                  ? draft_card(d, m->move.card)
                       : kind == MOVE_DECLARE ? part_declare(d)
                       : kind == MOVE_REDEAL  ? TX(d, T_BUTTON_REDEAL)
                                              : part_move_words(d, m->move);
    SAY(d, T_MOVES_HERE, draft_name(d, t->view.seat), draft_int(d, t->no));
    struct article it = article_of(d, (struct press){VERB_MOVE, t->no, t->version, m->legal}, title,
                                   cards ? part_move(d, m) : part_turn(d));
    it.label = TX(d, T_BUTTON_CONFIRM);
    return it;
}

void inline_articles(struct draft *d)
{
    struct article *at = arena_array(d->a, struct article, MAX_ARTICLES);
    const struct notice *notice = d->notice;
    const struct world *w = d->w;
    bool invites = notice->kind == NOTICE_INVITES;
    int n = 0;
    draft_open(d, (struct outgoing){0});
    if (invites)
        at[n++] = challenge(d, notice->rules);
    for (int i = 0; invites && i < w->bot->n_presets && n < MAX_ARTICLES; i++)
        if (strcmp(w->bot->presets[i].name, notice->rules->name) != 0 &&
            (w->bot->presets[i].players_allowed >> 2 & 1))
            at[n++] = challenge(d, &w->bot->presets[i]);
    const struct scene *s = invites ? NULL : draft_scene(d);
    for (int i = 0; s && i < s->n_moves && n < MAX_ARTICLES; i++)
        at[n++] = move_article(d, &s->move[i]);
    if (n == 0) { /* the hand of a player who has nothing to do now */
        draft_open(d, (struct outgoing){0});
        const struct table *t = d->table;
        SAY(d, T_LOOKS_HERE, draft_name(d, t->view.seat), draft_int(d, t->no));
        at[n++] = article_of(d, (struct press){VERB_HAND, t->no, t->version, 0}, part_turn(d),
                             draft_cards(d, t->view.hand));
    }
    draft_open(d, (struct outgoing){.kind = OUT_ANSWER,
                                    .chat = d->e->chat,
                                    .press = d->e->press,
                                    .to = d->e->from.id,
                                    .articles = at,
                                    .n_articles = n});
    draft_send(d);
}
