/* Fifty positions, chosen by hand, in which a person at the table would say at once what to do and
 * why: a yaku to complete, a card that the opponent waits for, one to keep, a call to make or to
 * leave. In each the teacher must find the move, see what the other one costs, and name the same
 * seat, yaku and card. */
#include "test.h"
#include "positions.h"
#include "presets.h"
#include "review.h"
#include "table.h"

#include <stdio.h>

enum { VISITS = 2000 };

/* One position, the last round at 10 to 10 unless the scores say otherwise; the opponent holds as
 * many cards as `hand` has and plays after this seat. */
struct reason_lesson {
    const char *what;
    const char *hand, *field, *own, *other;
    const char *best, *made;  /* moves in the engine's notation */
    uint8_t kind, seat, yaku; /* of the reason; kind 0: not asked about */
    const char *card;
    const char *rules; /* of a preset; NULL: standard */
    int16_t scores[2];
    uint8_t round_no;
};

static int preset_of(const struct reason_lesson *p)
{
    return p->rules ? preset_named(p->rules) : PRESET_STANDARD;
}

static void set(const struct reason_lesson *p, struct match *ret_match, struct view *ret)
{
    int rules = preset_of(p);
    struct setup s = {.hand = p->hand,
                      .field = p->field,
                      .own = p->own,
                      .other = p->other,
                      .dealer = 1,
                      .others_cards = set_count(set_of(p->hand)),
                      .round_no = p->round_no ? p->round_no : presets[rules].rounds,
                      .scores = {10, 10},
                      .phase = move_of(p->best).kind == MOVE_PLAY ? PHASE_HAND : PHASE_DECIDE};
    if (p->scores[0] + p->scores[1] > 0) {
        s.scores[0] = p->scores[0];
        s.scores[1] = p->scores[1];
    }
    setup_set(preset(rules), &s, ret_match);
    view_of(preset(rules), ret_match, 0, ret);
}

static bool is(struct move a, const char *note)
{
    struct move b = move_of(note);
    b.card = b.kind == MOVE_PLAY ? b.card : CARD_NONE;
    return review_alike(a, b);
}

/* In shares of all rounds: least difference that the yaku named makes by itself. */
static const float least_share_of_rounds = 0.03f;

/* True if the seat wins hardly more rounds with that yaku after the one move than after the
 * other. */
static bool is_idle_reason(const struct reason_lesson *p, const struct match *m,
                           const struct view *v, const struct review *r)
{
    const struct ruleset *g = preset(preset_of(p));
    float more = wins_with(g, m, v->legal[r->best], p->seat, (enum yaku)p->yaku) -
                 wins_with(g, m, v->legal[r->made], p->seat, (enum yaku)p->yaku);
    more = p->seat == 0 ? more : -more;
    if (more < least_share_of_rounds)
        print_error("%s: %.3f of the rounds\n", p->what, (double)more);
    return more < least_share_of_rounds;
}

static bool fails(const struct reason_lesson *p)
{
    struct review r;
    struct match m;
    struct view v;
    set(p, &m, &v);
    review_move(&v, move_of(p->made), VISITS, 1, &r);
    if (p->card && is_idle_reason(p, &m, &v, &r))
        return true;
    const struct reason *why = &r.reason;
    bool found = p->kind == REASON_GIVES ? v.legal[r.best].card != move_of(p->made).card
                                         : is(v.legal[r.best], p->best);
    bool wrong = !found || r.loss < 0.01f || why->kind != p->kind;
    if (p->card)
        wrong = wrong || why->seat != p->seat || why->yaku != p->yaku ||
                why->card != set_first(set_of(p->card));
    if (wrong) {
        char code[CARD_CODE_SIZE] = "-";
        if (v.legal[r.best].card != CARD_NONE)
            card_code(v.legal[r.best].card, code);
        print_error("%s: best is kind %d, %s taking %llx, loss %.3f, reason %d, seat %d, yaku %s, "
                    "card %d\n",
                    p->what, v.legal[r.best].kind, code, (unsigned long long)v.legal[r.best].take,
                    (double)r.loss, why->kind, why->seat,
                    why->yaku < N_YAKU ? yaku_key((enum yaku)why->yaku) : "none", why->card);
    }
    return wrong;
}

static void check(const struct reason_lesson *list, size_t n)
{
    int wrong = 0;
    for (size_t i = 0; i < n; i++)
        wrong += fails(&list[i]);
    assert_int_equal(wrong, 0);
}
#define COUNT(list) (sizeof(list) / sizeof *(list))
#define REASONS(name, list)                                                                        \
    TEST(name)                                                                                     \
    {                                                                                              \
        check(list, COUNT(list));                                                                  \
    }

/* ---- The last card of an own yaku lies on the table ------------------------------------------ */

#define OWN(y, c) .kind = REASON_COMPLETES, .seat = 0, .yaku = y, .card = c

static const struct reason_lesson completes[] = {
    {"three brights", "8p1", "8b 8p2 5p1 6p1", "1b 1p1 12b 12p1", "11r 11a", "8p1=8b", "8p1=8p2",
     OWN(YAKU_SANKO, "8b")},
    {"three brights by the crane", "1p1", "1b 1p2 5p1 6p1", "3b 3p1 12b 12p1", "11r 11a", "1p1=1b",
     "1p1=1p2", OWN(YAKU_SANKO, "1b")},
    {"rainy four", "8p1", "8b 8p2 5p1 6p1", "1b 1p1 12b 12p1 11b 11a", "7r 7p1", "8p1=8b",
     "8p1=8p2", OWN(YAKU_AME_SHIKO, "8b")},
    {"moon viewing by the moon", "8p1", "8b 8p2 5p1 6p1", "9a 9p1", "11r 11a", "8p1=8b", "8p1=8p2",
     OWN(YAKU_TSUKIMI, "8b")},
    {"moon viewing by the cup", "9p1", "9a 9p2 5p1 6p1", "8b 8p1", "11r 11a", "9p1=9a", "9p1=9p2",
     OWN(YAKU_TSUKIMI, "9a")},
    {"flower viewing by the curtain", "3p1", "3b 3p2 5p1 6p1", "9a 9p1", "11r 11a", "3p1=3b",
     "3p1=3p2", OWN(YAKU_HANAMI, "3b")},
    {"boar, deer, butterflies by the deer", "10p1", "10a 10p2 5p1 12p1", "6a 6p1 7a 7p1", "11r 11a",
     "10p1=10a", "10p1=10p2", OWN(YAKU_INOSHIKACHO, "10a")},
    {"boar, deer, butterflies by the boar", "7p1", "7a 7p2 5p1 12p1", "6a 6p1 10a 10p1", "11r 11a",
     "7p1=7a", "7p1=7p2", OWN(YAKU_INOSHIKACHO, "7a")},
    {"poetry ribbons", "2p1", "2r 2p2 5p1 12p1", "1r 1p1 3r 3p1", "11r 11a", "2p1=2r", "2p1=2p2",
     OWN(YAKU_AKATAN, "2r")},
    {"blue ribbons", "10p1", "10r 10p2 5p1 12p1", "6r 6p1 9r 9p1", "11r 11a", "10p1=10r",
     "10p1=10p2", OWN(YAKU_AOTAN, "10r")},
    {"five animals", "10p1", "10a 10p2 5p1 12p1", "2a 2p1 4a 4p1 8a 8p1 11a 11p", "7r 7p1",
     "10p1=10a", "10p1=10p2", OWN(YAKU_TANE, "10a")},
    {"five ribbons", "2p1", "2r 2p2 5p1 12p1", "4r 4p1 5r 5p2 7r 7p1 1r 1p1", "11r 11a", "2p1=2r",
     "2p1=2p2", OWN(YAKU_TANZAKU, "2r")},
    {"ten plains, and not the ribbon", "10p1", "10r 10p2 8a 12p1",
     "2p1 2p2 4p1 4p2 5p1 5p2 6p1 6p2 7r 7a", "11r 11a", "10p1=10p2", "10p1=10r",
     OWN(YAKU_KASU, "10p2")},
    {"a whole month", "5p2 2p1", "5r 2p2 12p1 8p1", "5a 5p1", "4a 6a 7a 10a 4p1 6p1 7p1 10p1",
     "5p2=5r", "2p1=2p2", OWN(YAKU_HIKI, "5r"), .rules = "mongolopedia"},
    {"three owls", "7p1", "7a 7p2 5p1 12p1", "6a 6p1 10a 10p1", "11r 11a", "7p1=7a", "7p1=7p2",
     OWN(YAKU_INOSHIKACHO, "7a"), .rules = "okoshki"},
    {"both ribbon trios", "10p1", "10r 10p2 5p1 12p1", "1r 1p1 2r 2p1 3r 3p1 6r 6p1 9r 9p1",
     "11r 11a", "10p1=10r", "10p1=10p2", OWN(YAKU_AOTAN, "10r"), .rules = "steam",
     .scores = {22, 38}},
};

REASONS(the_last_card_of_an_own_yaku, completes)

/* ---- The card that the opponent waits for lies on the table ---------------------------------- */

#define OTHERS(y, c) .kind = REASON_DENIES, .seat = 1, .yaku = y, .card = c

static const struct reason_lesson denies[] = {
    {"their three brights", "8p1 4p1 5p1", "8b 4p2 6p1 12p2", "7r 7p1", "1b 1p1 12b 12p1", "8p1=8b",
     "4p1=4p2", OTHERS(YAKU_SANKO, "8b")},
    {"their moon viewing by the moon", "8p1 4p1 5p1", "8b 4p2 6p1 12p2", "7r 7p1", "9a 9p1",
     "8p1=8b", "4p1=4p2", OTHERS(YAKU_TSUKIMI, "8b")},
    {"their moon viewing by the cup", "9p1 4p1 5p1", "9a 4p2 6p1 12p1", "7r 7p1", "8b 8p1",
     "9p1=9a", "4p1=4p2", OTHERS(YAKU_TSUKIMI, "9a")},
    {"their flower viewing", "3p1 4p1 5p1", "3b 4p2 6p1 12p1", "7r 7p1", "9a 9p1", "3p1=3b",
     "4p1=4p2", OTHERS(YAKU_HANAMI, "3b")},
    {"their deer", "10p1 4p1 5p1", "10a 4p2 8p1 12p1", "1r 1p1", "6a 6p1 7a 7p1", "10p1=10a",
     "4p1=4p2", OTHERS(YAKU_INOSHIKACHO, "10a")},
    {"their butterflies", "6p1 4p1 5p1", "6a 4p2 8p1 12p1", "1r 1p1", "10a 10p1 7a 7p1", "6p1=6a",
     "4p1=4p2", OTHERS(YAKU_INOSHIKACHO, "6a")},
    {"their poetry ribbons", "3p1 4p1 5p1", "3r 4p2 8p1 12p1", "7r 7p1", "1r 1p1 2r 2p1", "3p1=3r",
     "4p1=4p2", OTHERS(YAKU_AKATAN, "3r")},
    {"their blue ribbons", "6p1 4p1 5p1", "6r 4p2 8p1 12p1", "7r 7p1", "9r 9p1 10r 10p1", "6p1=6r",
     "4p1=4p2", OTHERS(YAKU_AOTAN, "6r")},
    {"their five animals", "11p 4p1 5p1", "11a 4p2 12p1 10p1", "7r 7p1",
     "2a 2p1 5a 5p2 8a 8p1 6a 6p1", "11p=11a", "4p1=4p2", OTHERS(YAKU_TANE, "11a")},
    {"their five ribbons", "7p1 4p1 5p1", "7r 4p2 12p1 8p1", "11a 11p",
     "1r 1p1 2r 2p1 9r 9p1 10r 10p1", "7p1=7r", "4p1=4p2", OTHERS(YAKU_TANZAKU, "7r")},
    {"their three owls", "10p1 4p1 5p1", "10a 4p2 8p1 12p1", "1r 1p1", "6a 6p1 7a 7p1", "10p1=10a",
     "4p1=4p2", OTHERS(YAKU_INOSHIKACHO, "10a"), .rules = "okoshki"},
    {"their deer, for coins", "10p1 4p1 5p1", "10a 4p2 8p1 12p1", "1r 1p1", "6a 6p1 7a 7p1",
     "10p1=10a", "4p1=4p2", OTHERS(YAKU_INOSHIKACHO, "10a"), .rules = "sensei",
     .scores = {100, 100}},
};

REASONS(the_card_the_opponent_waits_for, denies)

/* ---- A card of the hand that the opponent waits for ---- */

#define GIVES(y, c) .kind = REASON_GIVES, .seat = 1, .yaku = y, .card = c

static const struct reason_lesson gives[] = {
    {"the moon before the cup's owner", "8b 4p1 5p1", "6p1 12p1 10p1", "12p2 12p3", "9a 9p1", "4p1",
     "8b", GIVES(YAKU_TSUKIMI, "8b")},
    {"the curtain before the cup's owner", "3b 4p1 5p1", "6p1 12p1 10p1", "12p2 12p3", "9a 9p1",
     "4p1", "3b", GIVES(YAKU_HANAMI, "3b")},
    {"the cup before the moon's owner", "9a 4p1 5p1", "6p1 12p1 10p1", "12p2 12p3", "8b 8p1", "4p1",
     "9a", GIVES(YAKU_TSUKIMI, "9a")},
    {"the deer", "10a 4p1 5p1", "8p1 12p1 2p1", "12p2 12p3", "6a 6p1 7a 7p1", "4p1", "10a",
     GIVES(YAKU_INOSHIKACHO, "10a")},
    {"the third poetry ribbon", "3r 4p1 5p1", "6p1 12p1 10p1", "12p2 12p3", "1r 1p1 2r 2p1", "4p1",
     "3r", GIVES(YAKU_AKATAN, "3r")},
    {"the third blue ribbon", "10r 4p1 5p1", "8p1 12p1 2p1", "12p2 12p3", "6r 6p1 9r 9p1", "4p1",
     "10r", GIVES(YAKU_AOTAN, "10r")},
    {"the third bright", "3b 4p1 5p1", "6p1 12p1 10p1", "12p2 12p3", "1b 1p1 8b 8p1", "4p1", "3b",
     GIVES(YAKU_SANKO, "3b")},
    {"the fifth animal", "4a 8p1 5p1", "6p1 12p1 10p1", "12p2 12p3",
     "2a 2p1 7a 7p1 11a 11p 10a 10p2", "8p1", "4a", GIVES(YAKU_TANE, "4a")},
    {"the fifth ribbon", "4r 8p1 5p1", "6p1 12p1 10p1", "12p2 12p3", "1r 1p1 2r 2p1 7r 7p1 9r 9p1",
     "8p1", "4r", GIVES(YAKU_TANZAKU, "4r")},
};

REASONS(a_card_not_to_lay_down, gives)

/* ---- Stop or koi-koi ---- */

static const struct reason_lesson decisions[] = {
    {"ahead in the last round", "4a 5a 6a 12b", "8b 9p1 10p1", "1r 1p1 2r 2p1 3r 3p1", "11a 11r",
     "stop", "koikoi", .kind = REASON_STOP, .scores = {14, 10}},
    {"level in the last round", "4a 5a", "8b 9p1 10p1", "1r 1p1 2r 2p1 3r 3p1", "11a 11r", "stop",
     "koikoi", .kind = REASON_STOP},
    {"eight behind with five", "4a 5a 6a 12b", "8b 9p1 10p1", "1r 1p1 2r 2p1 3r 3p1", "11a 11r",
     "koikoi", "stop", .kind = REASON_KOIKOI, .scores = {10, 18}},
    {"ten behind with one", "4a 5a 6a 12b", "8b 9p1 10p1", "4r 4p1 5r 5p1 7r 7p1 1r 1p1 2r 2p1",
     "11a 11r", "koikoi", "stop", .kind = REASON_KOIKOI, .scores = {10, 20}},
    {"five behind with five", "4a 5a 6a 12b", "8b 9p1 10p1", "1r 1p1 2r 2p1 3r 3p1", "11a 11r",
     "koikoi", "stop", .kind = REASON_KOIKOI, .scores = {10, 16}},
    {"one ahead with one", "4a 5a", "8b 9p1 10p1", "4r 4p1 5r 5p1 7r 7p1 1r 1p1 2r 2p1",
     "6a 6p1 7a 7p2", "stop", "koikoi", .kind = REASON_STOP, .scores = {11, 10}},
    {"their deer is next, level", "4a 5a 12b", "10a 9p1 8p1", "1r 1p1 2r 2p1 3r 3p1",
     "6a 6p1 7a 7p1", "stop", "koikoi", .kind = REASON_STOP, .round_no = 11},
    {"their purse is empty after it", "4a 5a 6a 12b", "8b 9p1 10p1", "1r 1p1 2r 2p1 3r 3p1",
     "11a 11r", "stop", "koikoi", .kind = REASON_STOP, .rules = "sensei", .scores = {195, 5},
     .round_no = 3},
    {"their last points", "4a 5a 6a 12b", "8b 9p1 10p1", "1r 1p1 2r 2p1 3r 3p1", "11a 11r", "stop",
     "koikoi", .kind = REASON_STOP, .rules = "steam", .scores = {56, 4}, .round_no = 3},
    {"ahead in the last round at a console", "4a 5a 6a 12b", "8b 9p1 10p1", "1r 1p1 2r 2p1 3r 3p1",
     "11a 11r", "stop", "koikoi", .kind = REASON_STOP, .rules = "console", .scores = {14, 10}},
    {"far behind at a console", "4a 5a 6a 12b", "8b 9p1 10p1", "1r 1p1 2r 2p1 3r 3p1", "11a 11r",
     "koikoi", "stop", .kind = REASON_KOIKOI, .rules = "console", .scores = {10, 18}},
    {"ahead in the last round of windows", "4a 5a 6a 12b", "8b 9p1 10p1", "1r 1p1 2r 2p1 3r 3p1",
     "11a 11r", "stop", "koikoi", .kind = REASON_STOP, .rules = "okoshki", .scores = {14, 10}},
    {"far behind under the encyclopaedia", "4a 5a 6a 12b", "8b 9p1 10p1", "1r 1p1 2r 2p1 3r 3p1",
     "11a 11r", "koikoi", "stop", .kind = REASON_KOIKOI, .rules = "mongolopedia",
     .scores = {10, 40}},
};

REASONS(a_call_to_make_or_to_leave, decisions)

TEST(there_are_fifty)
{
    assert_int_equal(COUNT(completes) + COUNT(denies) + COUNT(gives) + COUNT(decisions), 50);
}
