/* The lines under a picture of the table: with it and its buttons they are one screen of a phone.
 * What the picture shows is not said again; all of it in words is folded below. See part.h. */
#include "part_picture.h"

#include "text.h"

enum { NEWS_LINES = 2 };

/* A result with its poster; where nothing folds its words stay. */
static bool is_result_on_screen(const struct draft *d)
{
    const struct round_summary n = part_round_over(d);
    bool shown = d->page == NOTICE_MATCH || (d->page == NOTICE_ROUND && part_has_poster(&n));
    return shown && draft_can(d, CAN_PICTURE) && draft_can(d, CAN_FOLD) && !d->quoted &&
           !d->network->limits.picture_apart;
}

bool part_on_screen(const struct draft *d)
{
    if (d->page == NOTICE_ROUND || d->page == NOTICE_MATCH)
        return is_result_on_screen(d);
    bool hand = d->page == NOTICE_HAND, board = d->page == NOTICE_BOARD;
    bool words = draft_can(d, CAN_FOLD) || (hand && d->notice->n != HAND_WORDS);
    return draft_can(d, CAN_PICTURE) && draft_can(d, CAN_BUTTONS) && words && !d->poll &&
           !d->quoted && !d->network->limits.picture_apart && part_has_cards(d) &&
           (!board || d->at->board_picture);
}

static bool fits(const struct draft *d, struct str line)
{
    return text_columns(draft_unmarked(d, line)) <= PART_LINE;
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

/* "Bo took moon, sake cup, +2": the dearest cards by name, as many as fit; if none does, how
 * many they are. */
static struct str taken_line(const struct draft *d, int seat, cardset taken)
{
    int rest = set_count(taken);
    struct str count = TN(d, T_SCREEN_CARDS, rest, draft_int(d, rest)), list = {0},
               line = who_took(d, seat, rest > 0 ? count : STR(""));
    for (int kind = CARD_BRIGHT; kind <= CARD_PLAIN; kind++)
        for (cardset cards = taken; cards; cards = set_rest(cards)) {
            int card = set_first(cards);
            struct str more, longer = draft_join(d, list, TX(d, T_COMMA), draft_label(d, card));
            if ((int)card_kind(card) != kind)
                continue;
            more = rest > 1 ? draft_join(d, longer, TX(d, T_COMMA),
                                         TN(d, T_SCREEN_MORE, rest - 1, draft_int(d, rest - 1)))
                            : longer;
            if (!fits(d, who_took(d, seat, more)))
                return line;
            line = who_took(d, seat, more);
            list = longer;
            rest--;
        }
    return line;
}

static cardset taken_lately(const struct scene *s)
{
    cardset taken = 0;
    for (int i = 0; i < s->n_acts; i++)
        taken |= s->act[i].took ? s->act[i].took | CARD(s->act[i].card) : 0;
    return taken;
}

bool part_has_news(const struct draft *d)
{
    const struct scene *s = draft_scene(d);
    bool choosing = s->dealt && s->phase == PHASE_DRAW; /* of what the drawn card takes */
    return s->n_acts > 0 && (taken_lately(s) || !choosing);
}

bool part_news(struct draft *d, bool asks, int most)
{
    const struct scene *s = draft_scene(d);
    const int seat = s->act[0].seat;
    size_t before = d->text.n;
    bool called = false;
    for (int i = 0; i < s->n_acts; i++)
        called |= s->act[i].kind == SEEN_KOIKOI;
    if (called && most > 0) { /* with what a splash shows of the stakes, where the chat gets one */
        int base;
        struct str line = part_call(d, seat, draft_short_name(d, seat)),
                   times = part_stake(d, seat, &base);
        if (times.n > 0 && d->at->board_picture && draft_can(d, CAN_PICTURE))
            draft_add(d, &line, T_DOT, times);
        draft_line(d, line);
    } else if (s->n_acts > 0 && most > 0) {
        struct str name = seat == s->seat ? TX(d, T_YOU) : draft_short_name(d, seat);
        int room = PART_LINE - text_columns(draft_unmarked(d, TX(d, T_MADE, name, STR(""))));
        struct str yaku = part_worth_list(d, s->made, room);
        SAY_IF(d, yaku.n > 0, T_MADE, name, yaku);
    }
    bool loud = d->text.n > before;
    if (part_has_news(d) && most > 0 && (!loud || (!asks && most > 1)))
        draft_line(d, taken_line(d, seat, taken_lately(s)));
    part_name_news(d, before);
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

/* ---- whose move it is ---- */

/* A board that stands in for a ping mentions its player. */
struct str part_turn_name(const struct draft *d, struct str name)
{
    bool pings = d->notice->kind == NOTICE_PING && d->notice->notify;
    return pings ? draft_mark_name(d, name, draft_id(d, d->table->view.turn)) : name;
}

static void put_turn(struct draft *d)
{
    const struct scene *s = draft_scene(d);
    if (!s->mine)
        draft_line(d, part_turn_of(d, part_turn_name(d, draft_short_name(d, s->turn))));
    else if (s->deadline)
        SAY(d, T_YOUR_MOVE_UNTIL, draft_time(d, s->deadline));
    else if (s->phase == PHASE_HAND)
        SAY(d, T_YOUR_MOVE);
}

void part_screen(struct draft *d, void (*put)(struct draft *d))
{
    const struct scene *s = draft_scene(d);
    bool asks = s->mine && s->phase != PHASE_HAND;
    bool loud = part_news(d, asks, NEWS_LINES) && !(asks && s->phase == PHASE_DECIDE);
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

/* ---- the fold ---- */

void part_screen_fold(struct draft *d)
{
    if (draft_can(d, CAN_FOLD))
        draft_fold(d, T_ALL_IN_WORDS);
    d->spare = d->text.n;
}

void part_spare(struct draft *d)
{
    if (draft_can(d, CAN_FOLD))
        d->spare = d->text.n;
}

void part_screen_end(struct draft *d)
{
    d->spare_end = d->text.n;
    if (draft_can(d, CAN_FOLD)) {
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
