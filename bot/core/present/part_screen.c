/* The lines under a picture of the table: with it and its buttons they are one screen of a phone.
 * What the picture shows is not said again; all of it in words is folded below. See part.h. */
#include "part_picture.h"

#include "text.h"

enum { LINE = 42 }; /* columns of a line under a picture */

bool part_on_screen(const struct draft *d)
{
    bool hand = d->page == NOTICE_HAND, board = d->page == NOTICE_BOARD;
    bool words = draft_can(d, CAN_STYLE) || (hand && d->notice->n != HAND_WORDS);
    return draft_can(d, CAN_PICTURE) && draft_can(d, CAN_BUTTONS) && words && !d->poll &&
           !d->quoted && !d->network->limits.picture_apart && part_has_cards(d) &&
           (!board || d->at->board_picture);
}

static bool fits(const struct draft *d, struct str line)
{
    return text_columns(draft_unmarked(d, line)) <= LINE;
}

/* ---- what just happened ---- */

static struct str who_took(const struct draft *d, int seat, struct str cards)
{
    struct str name = draft_short_name(d, seat);
    bool mine = seat == draft_scene(d)->seat;
    if (cards.n == 0)
        return mine ? TX(d, T_SCREEN_YOU_NOTHING) : TX(d, T_SCREEN_NOTHING, name);
    return mine ? TX(d, T_SCREEN_YOU_TOOK, cards) : TX(d, T_SCREEN_TOOK, name, cards);
}

/* "Bo took moon, sake cup, +2": the dearest cards by name, as many as fit. */
static struct str taken_line(const struct draft *d, int seat, cardset taken)
{
    struct str list = {0}, line = who_took(d, seat, STR(""));
    int rest = set_count(taken);
    for (int kind = CARD_BRIGHT; kind <= CARD_PLAIN; kind++)
        for (cardset cards = taken; cards; cards = set_rest(cards)) {
            int card = set_first(cards);
            struct str more, longer = draft_join(d, list, TX(d, T_COMMA), draft_label(d, card));
            if ((int)card_kind(card) != kind)
                continue;
            more = rest > 1 ? draft_join(d, longer, TX(d, T_COMMA),
                                         TX(d, T_PICTURE_PLUS, draft_int(d, rest - 1)))
                            : longer;
            if (!fits(d, who_took(d, seat, more)))
                return line;
            line = who_took(d, seat, more);
            list = longer;
            rest--;
        }
    return line;
}

static void put_made(struct draft *d, int seat)
{
    const struct scene *s = draft_scene(d);
    struct str name = seat == s->seat ? TX(d, T_YOU) : draft_short_name(d, seat);
    int room = LINE - text_columns(draft_unmarked(d, TX(d, T_MADE, name, STR(""))));
    struct str yaku = part_worth_list(d, s->made, room);
    SAY_IF(d, yaku.n > 0, T_MADE, name, yaku);
}

/* A yaku that was made and a call stand on a line of their own. Returns true if there is one. `asks`:
 * its maker is asked, and needs no more. */
static bool put_news(struct draft *d, bool asks)
{
    const struct scene *s = draft_scene(d);
    size_t before = d->text.n;
    cardset taken = 0;
    bool called = false;
    if (s->n_acts == 0)
        return false;
    for (int i = 0; i < s->n_acts; i++) {
        called |= s->act[i].kind == SEEN_KOIKOI;
        taken |= s->act[i].took ? s->act[i].took | CARD(s->act[i].card) : 0;
    }
    if (called)
        draft_line(d, part_call(d, s->act[0].seat, draft_short_name(d, s->act[0].seat)));
    else
        put_made(d, s->act[0].seat);
    bool loud = d->text.n > before;
    if (!loud || !asks)
        draft_line(d, taken_line(d, s->act[0].seat, taken));
    return loud;
}

/* ---- what is near ---- */

/* The nearest yaku of a seat, so many of them. */
static struct str nearest(const struct draft *d, int seat, int most)
{
    const struct scene_seat *at = &draft_scene(d)->at[seat];
    struct str list = {0};
    for (int i = 0; i < at->n_near && i < most; i++)
        draft_add(d, &list, T_DOT, part_progress(d, &at->near[i]));
    return list;
}

/* What is nearest to the reader, then to the others: as much as a line holds. */
static void put_near(struct draft *d)
{
    static const struct {
        int own, others;
    } tries[] = {{2, 1}, {1, 1}, {2, 0}, {1, 0}};
    const struct scene *s = draft_scene(d);
    for (size_t k = 0; k < sizeof tries / sizeof *tries; k++) {
        struct str line = {0};
        for (int i = 0, first = s->seat >= 0 ? s->seat : 0; i < s->players; i++) {
            int seat = (first + i) % s->players;
            struct str near = nearest(d, seat, i == 0 ? tries[k].own : tries[k].others);
            struct str name = seat == s->seat ? TX(d, T_YOU) : draft_short_name(d, seat);
            if (near.n > 0)
                draft_add(d, &line, T_DOT, TX(d, T_SCREEN_NEAR, name, near));
        }
        if (line.n > 0 && fits(d, line)) {
            draft_line(d, line);
            return;
        }
    }
}

/* ---- the screen ---- */

static void put_turn(struct draft *d)
{
    const struct scene *s = draft_scene(d);
    if (!s->mine)
        draft_line(d, part_turn_short(d));
    else if (s->deadline)
        SAY(d, T_YOUR_MOVE_UNTIL, draft_time(d, s->deadline));
    else if (s->phase == PHASE_HAND)
        SAY(d, T_YOUR_MOVE);
}

void part_screen(struct draft *d, void (*put)(struct draft *d))
{
    const struct scene *s = draft_scene(d);
    bool asks = s->mine && s->phase != PHASE_HAND;
    bool loud = put_news(d, asks) && !(asks && s->phase == PHASE_DECIDE);
    size_t before = d->text.n;
    if (s->mine && s->phase == PHASE_DRAW)
        SAY(d, T_WHICH_TARGET, draft_label(d, s->drawn.card));
    if (put)
        put(d);
    if (d->text.n == before && !loud && s->dealt)
        put_near(d);
    put_turn(d);
    part_screen_fold(d);
}

void part_screen_fold(struct draft *d)
{
    if (draft_can(d, CAN_STYLE))
        draft_fold(d, T_ALL_IN_WORDS);
    d->spare = d->text.n;
}

void part_spare(struct draft *d)
{
    if (draft_can(d, CAN_STYLE))
        d->spare = d->text.n;
}

void part_screen_end(struct draft *d)
{
    d->spare_end = d->text.n;
    if (draft_can(d, CAN_STYLE)) {
        draft_unfold(d);
        return;
    }
    d->text.n = d->spare;
    d->spare = d->spare_end = 0;
    if (!draft_scene(d)->dealt)
        return;
    draft_row(d);
    draft_press(d, T_BUTTON_WORDS, VERB_HAND, INDEX_WORDS, BUTTON_PLAIN);
}
