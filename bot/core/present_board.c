/* What all see of a running match: the last turn, the field, who took what, and who is to move. */
#include "page.h"

void present_seal(struct page *pg)
{
    const struct table *t = pg->table;
    if (t->view.stage == MATCH_PLAYING && t->phase == SESSION_PLAYING && t->deal_commit[0])
        page_line(pg,
                  TX(pg, T_DEAL_SEALED, page_int(pg, t->view.round_no), str_of(t->deal_commit)));
}

/* ---- what just happened ---- */

static struct str event_text(const struct page *pg, const struct seen *e)
{
    int seat = e->seat_kind >> 4, kind = e->seat_kind & 15;
    if (kind == SEEN_KOIKOI)
        return TX(pg, T_DID_KOIKOI, page_name(pg, seat), pg->words->word[WORD_KOIKOI]);
    cardset took = seen_take(*e);
    struct str card = page_card(pg, e->card);
    if (kind == SEEN_PLAY)
        return took ? TX(pg, T_DID_TAKE, page_name(pg, seat), card, page_cards(pg, took))
                    : TX(pg, T_DID_LAY, page_name(pg, seat), card);
    return took ? TX(pg, T_DID_DRAW_TAKE, page_name(pg, seat), card, page_cards(pg, took))
                : TX(pg, T_DID_DRAW_LAY, page_name(pg, seat), card);
}

/* The last turn that anybody began. */
void present_events(struct page *pg)
{
    const struct view *v = &pg->table->view;
    int first = v->n_seen;
    while (first > 0 &&
           v->seen[first - 1].seat_kind >> 4 == v->seen[v->n_seen - 1].seat_kind >> 4) {
        first--;
        if ((v->seen[first].seat_kind & 15) == SEEN_PLAY)
            break;
    }
    for (int i = first; i < v->n_seen; i++) {
        page_line(pg, event_text(pg, &v->seen[i]));
        if ((v->seen[i].seat_kind & 15) == SEEN_KOIKOI)
            page_says(pg, v->seen[i].seat_kind >> 4, MANNER_KOIKOI);
    }
}

/* ---- the board ---- */

struct str present_turn(const struct page *pg)
{
    const struct table *t = pg->table;
    int turn = t->view.turn;
    if (t->view.stage != MATCH_PLAYING || t->phase != SESSION_PLAYING)
        return TX0(pg, t->phase == SESSION_OVER ? T_IS_OVER : T_IS_BETWEEN);
    if (t->overdue)
        return TX(pg, T_TO_MOVE_LATE, page_name(pg, turn));
    return t->deadline ? TX(pg, T_TO_MOVE_UNTIL, page_name(pg, turn), page_time(pg, t->deadline))
                       : TX(pg, T_TO_MOVE, page_name(pg, turn));
}

void present_captures(struct page *pg)
{
    const struct table *t = pg->table;
    for (int i = 0; i < t->players; i++) {
        struct score score;
        score_pile(page_ruleset(pg), t->view.taken[i], &score);
        struct str yaku = page_yaku(pg, &score);
        struct str calls =
            t->view.koikoi[i] ? TX(pg, T_CALLS, page_int(pg, t->view.koikoi[i])) : (struct str){0};
        struct str line = TX(pg, T_CAPTURES, page_name(pg, i), page_int(pg, t->view.hand_size[i]),
                             page_cards(pg, t->view.taken[i]));
        line = yaku.n > 0 ? page_join(pg, line, TX0(pg, T_ARROW), yaku) : line;
        page_line(pg, page_join(pg, line, (struct str){0}, calls));
    }
}

void present_head(struct page *pg)
{
    page_line(pg,
              TX(pg, T_BOARD_HEAD, page_rounds(pg), page_scores(pg), page_int(pg, pg->table->no)));
}

void present_field(struct page *pg)
{
    const struct view *v = &pg->table->view;
    if (v->stage != MATCH_PLAYING)
        return;
    page_line(pg, TX(pg, T_FIELD, page_cards(pg, v->field)));
}

void present_board(struct page *pg)
{
    const struct view *v = &pg->table->view;
    present_head(pg);
    present_events(pg);
    present_field(pg);
    present_captures(pg);
    if (v->stage == MATCH_PLAYING && pg->table->phase == SESSION_PLAYING)
        page_line(pg, TX(pg, T_BOARD_FOOT, present_turn(pg), page_int(pg, v->stock_size)));
    else
        page_line(pg, present_turn(pg));
    if (pg->table->phase != SESSION_PLAYING)
        return;
    page_button(pg, TX0(pg, T_BUTTON_HAND), VERB_HAND, 0, BUTTON_PLAIN);
    page_button(pg, TX0(pg, T_BUTTON_YAKU), VERB_YAKU, 0, BUTTON_PLAIN);
    page_button(pg, TX0(pg, T_BUTTON_SCORE), VERB_SCORE, 0, BUTTON_PLAIN);
    if (page_can(pg, CAN_QUERY))
        page_button(pg, TX0(pg, T_BUTTON_QUERY), VERB_NONE, 0, BUTTON_QUERY);
    if (present_in_open(pg))
        present_open_moves(pg);
}
