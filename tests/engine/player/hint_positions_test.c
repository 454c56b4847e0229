/* Fifty positions, chosen by hand, in which a teacher would tell a beginner where the best move
 * leads and what the others are after: from the open piles and the own hand alone. Openings, plans,
 * yaku that can no longer be made, threats, defence, last cards, calls; two and three players. What
 * is expected follows from the rules. */
#include "test.h"
#include "positions.h"
#include "presets.h"
#include "review.h"
#include "table.h"

#include <stdio.h>
#include <string.h>

/* Least share of the rounds that a plan or threat wins. */
static const float least_share = 0.03f;

/* One position, the last round at 10 to 10 unless the scores say otherwise; the others hold as many
 * cards as `hand` has and play after this seat. Fields that are NULL are not asked about. Yaku are
 * lists by their keys; "-" is none. */
struct hint_lesson {
    const char *what;
    const char *hand, *field, *own, *other, *third;
    const char *best;         /* in the engine's notation */
    const char *keeps;        /* cards of the hand that the best move does not play */
    const char *plan, *needs; /* one of these yaku; the cards still to come for it */
    const char *threat, *waits;
    const char *never;  /* yaku that neither plan nor threat may name */
    const char *reason; /* its kind */
    const char *rules;  /* of a preset; NULL: standard */
    int16_t scores[2];
    uint8_t round_no, threat_seat; /* 0: the only other one */
};

static const struct hint_lesson openings[] = {
    {"the moon lies there", "8p1 2p1 4p1 5p1 6p1 7p1 10p1 12p1", "8b 1p1 3p1 9p1 11r 6p2 7p2 2p2",
     "", "", .best = "8p1=8b", .plan = "tsukimi sanko", .threat = "-", .round_no = 1},
    {"the cup lies there", "9p1 2p1 4p1 5p1 6p1 7p1 10p1 12p1", "9a 1p1 3p1 8p1 11r 6p2 7p2 2p2",
     "", "", .best = "9p1=9a", .plan = "tsukimi hanami kasu", .threat = "-", .round_no = 1},
    {"the curtain takes", "3b 2p1 4p1 5p1 6p1 7p1 10p1 12p1", "3r 1p1 9p1 8p1 11r 1p2 9p2 2p2", "",
     "", .best = "3b=3r", .plan = "hanami sanko", .threat = "-", .round_no = 1},
    {"the moon and the cup both lie there", "8p1 9p1 4p1 5p1 6p1 7p1 10p1 12p1",
     "8b 9a 1p1 3p1 11r 6p2 2p1 2p2", "", "", .plan = "tsukimi", .threat = "-", .rules = "sensei",
     .scores = {50, 50}, .round_no = 1},
    {"the cup lies before three", "9p1 2p1 4p1 5p1 6p1 7p1 10p1", "9a 1p1 3p1 8p1 11r 6p2", "", "",
     "", .best = "9p1=9a", .plan = "tsukimi hanami", .threat = "-", .rules = "mongolopedia",
     .round_no = 1},
    {"the boar lies there", "7p1 2p1 4p1 5p1 1p1 3p1 10p1 12p1", "7a 8p1 9p1 11r 6p1 12p2 2p2 4p2",
     "", "", .threat = "-", .never = "goko shiko ame_shiko", .rules = "okoshki", .round_no = 1},
};

static const struct hint_lesson plans[] = {
    {"the second dry bright", "8p1 4p1 5p1 6p1 7p1", "8b 2p1 10p1 12p1 11p", "1b 1p2", "7r 7p2",
     .best = "8p1=8b", .plan = "sanko tsukimi", .never = "ame_shiko"},
    {"the second poetry ribbon", "2p1 4p1 6p1 7p1 12p1", "2r 5p1 10p1 8p1 11p", "1r 1p1",
     "7r 7p2 12p2 12p3", .best = "2p1=2r", .plan = "akatan", .needs = "3r"},
    {"the second blue ribbon", "10p1 4p1 5p1 7p1 12p1", "10r 2p1 8p1 11p 3p1", "6r 6p1", "7r 7p2",
     .best = "10p1=10r", .plan = "aotan", .needs = "9r"},
    {"the second of three", "6p1 4p1 5p1 8p1 12p1", "6a 2p1 3p1 11p 9p1", "10a 10p1", "1r 1p1",
     .best = "6p1=6a", .plan = "inoshikacho", .needs = "7a", .rules = "okoshki"},
    {"the fourth animal", "5p1 1p1 6p1 7p1 12p1", "5a 3p1 10p1 11p 9p1", "2a 2p1 4a 4p1 8a 8p1",
     "11r 11b", .best = "5p1=5a", .plan = "tane"},
    {"the fourth ribbon", "5p1 1p1 6p1 8p1 12p1", "5r 3p1 10p1 2p1 9p1", "4r 4p1 7r 7p1 11r 11p",
     "8a 8p2", .best = "5p1=5r", .plan = "tanzaku"},
    {"nine plains", "7p1 1p1 3p1 12p1", "7p2 10p1 8p1 9p1 11p", "2p1 2p2 4p1 4p2 5p1 5p2 6p1 6a",
     "12p2 12p3", .best = "7p1=7p2", .plan = "kasu"},
    {"the rainman's four", "8p1 4p1 5p1 6p1", "8b 2p1 10p1 7p1 3p1", "11b 11p 1b 1p1", "7r 7p2",
     .best = "8p1=8b", .plan = "ame_shiko sanko", .needs = "3b 12b", .never = "shiko"},
    {"three brights without the cup", "12p1 4p1 5p1 6p1", "12b 2p1 10p1 7p1", "8b 8p1", "9a 9p1",
     .best = "12p1=12b", .plan = "sanko", .needs = "1b 3b", .threat = "hanami", .waits = "3b",
     .never = "tsukimi"},
};

/* Yaku that another pile has broken. */
static const struct hint_lesson broken[] = {
    {"poetry without the third", "2p1 4p1 6p1 7p1", "2r 5p1 10p1 8p1", "1r 1p1", "3r 3p1",
     .never = "akatan"},
    {"no three owls without the boar", "10p1 4p1 5p1 12p1", "10a 2p1 8p1 3p1", "6a 6p1", "7a 7p1",
     .never = "inoshikacho"},
    {"two brights each", "12p1 4p1 5p1", "12b 2p1 10p1 6p1", "8b 8p1", "1b 1p1 3b 3p1",
     .best = "12p1=12b", .never = "sanko shiko ame_shiko goko tsukimi"},
    {"the third player has the boar", "2p1 4p1 5p1 12p1", "4p2 8p1 3p1 9p1", "11r 11p",
     "6a 6p1 10a 10p1", "7a 7p1", .never = "inoshikacho", .rules = "mongolopedia"},
    {"the third player has the cherry's ribbon", "2p1 4p1 6p1 7p1", "2r 5p1 10p1 8p1", "1r 1p1",
     "11a 11p", "3r 3p1", .never = "akatan", .rules = "mongolopedia"},
};

/* What the others wait for is in the own hand. */
static const struct hint_lesson kept[] = {
    {"the boar", "7a 4p1 5p1 12p1", "2p1 8p1 3p1 9p1", "11r 11p", "6a 6p1 10a 10p1", .keeps = "7a",
     .never = "inoshikacho"},
    {"the moon and the curtain", "8b 3b 4p1 5p1", "2p1 10p1 6p1 7p1", "11r 11p", "9a 9p1",
     .keeps = "8b 3b", .never = "tsukimi hanami"},
    {"the third poetry ribbon", "3r 4p1 5p1 12p1", "6p1 8p1 10p1 11p", "7r 7p1", "1r 1p1 2r 2p1",
     .keeps = "3r", .never = "akatan"},
    {"the third blue ribbon", "10r 4p1 5p1 12p1", "2p1 8p1 3p1 11p", "7r 7p1", "6r 6p1 9r 9p1",
     .keeps = "10r", .never = "aotan"},
};

static const struct hint_lesson threats[] = {
    {"the boar is out", "1p1 4p1 5p1 12p1", "4p2 2p1 8p1 3p1", "11r 11p", "6a 6p1 10a 10p1",
     .threat = "inoshikacho", .waits = "7a"},
    {"the moon is out", "1p1 4p1 5p1 12p1", "4p2 2p1 10p1 7p1", "3b 3p1", "9a 9p1",
     .threat = "tsukimi", .waits = "8b", .never = "hanami"},
    {"the third ribbon lies there", "1p2 4p1 5p1 12p1", "3r 4p2 8p1 10p1", "7r 7p1",
     "1r 1p1 2r 2p1", .threat = "akatan", .waits = "3r"},
    {"two brights and two out", "4p1 5p1 6p1 7p1", "4p2 2p1 10p1 9p1", "11r 11p", "1b 1p1 3b 3p1",
     .threat = "sanko", .waits = "8b 12b"},
    {"four animals", "1p1 3p1 9p1 12p1", "1p2 6p1 10p1 11p", "7r 7p1",
     "2a 2p1 4a 4p1 5a 5p1 8a 8p1", .threat = "tane"},
    {"four ribbons", "1p1 3p1 8p1 12p1", "8p2 6p1 10p1 2p1", "12p2 12p3",
     "4r 4p1 5r 5p1 7r 7p1 11r 11p", .threat = "tanzaku"},
    {"nine plains", "1p1 3p1 8p1 12p1", "8p2 10p1 9p1 11r", "12p2 12p3",
     "2p1 2p2 4p1 4p2 5p1 5p2 6p1 6p2 7r 7p1", .threat = "kasu"},
    {"the next of three", "2p1 4p1 5p1 12p1", "4p2 8p1 3p1 9p1", "11r 11p", "6a 6p1 10a 10p1",
     "1r 1p1", .threat = "inoshikacho", .waits = "7a", .threat_seat = 1, .rules = "mongolopedia"},
    {"the last of three", "2p1 4p1 5p1 12p1", "4p2 10p1 3p1 6p1", "1b 1p1 11r 11p", "7r 7p1",
     "8b 8p1 9p1 9r", .threat = "tsukimi", .waits = "9a", .threat_seat = 2,
     .rules = "mongolopedia"},
};

static const struct hint_lesson defence[] = {
    {"the moon from the cup", "8p1 4p1 5p1", "8b 4p2 6p1 12p2", "7r 7p1", "9a 9p1",
     .best = "8p1=8b", .reason = "denies", .threat = "hanami", .waits = "3b", .never = "tsukimi"},
    {"the deer", "10p1 4p1 5p1", "10a 4p2 8p1 12p1", "1r 1p1", "6a 6p1 7a 7p1", .best = "10p1=10a",
     .reason = "denies", .never = "inoshikacho", .rules = "okoshki"},
    {"the third poetry ribbon", "3p1 4p1 5p1", "3r 4p2 8p1 12p1", "7r 7p1", "1r 1p1 2r 2p1",
     .best = "3p1=3r", .reason = "denies", .never = "akatan", .rules = "sensei",
     .scores = {100, 100}},
    {"one bright of two", "8p1 4p1 5p1", "8b 4p2 6p1 12p2", "7r 7p1", "1b 1p1 12b 12p1",
     .best = "8p1=8b", .reason = "denies", .threat = "sanko", .waits = "3b", .rules = "console"},
    {"the third blue ribbon", "10p1 4p1 5p1", "10r 4p2 8p1 12p1", "7r 7p1", "6r 6p1 9r 9p1",
     .best = "10p1=10r", .reason = "denies", .never = "aotan", .rules = "steam",
     .scores = {32, 28}},
};

static const struct hint_lesson ends[] = {
    {"the last card makes three brights", "8p1", "8b 8p2 5p1 6p1", "1b 1p1 12b 12p1", "11r 11a",
     .best = "8p1=8b", .reason = "completes", .threat = "-", .never = "sanko"},
    {"the last card makes the blue ribbons", "10p1", "10r 10p2 5p1 12p1", "6r 6p1 9r 9p1",
     "11r 11p", .best = "10p1=10r", .reason = "completes", .threat = "-", .never = "aotan",
     .rules = "mongolopedia"},
    {"the own deer comes home", "10a 4p1 12p1", "10p1 2p1 8p1", "6a 6p1 7a 7p1", "11r 11p",
     .best = "10a=10p1", .reason = "completes", .never = "inoshikacho"},
    {"the fourth bright, with rain", "3p1 4p1 5p1 6p1", "3b 3p2 10p1 7p1 9p1",
     "11b 11p 1b 1p1 8b 8p1", "7r 7p2", .best = "3p1=3b", .reason = "completes",
     .never = "shiko sanko ame_shiko"},
    {"nothing is left to make", "5p1 6p1", "8p1 10p1 12p1 2p1", "11r 11p", "7r 7p1", .plan = "-",
     .threat = "-", .reason = "none"},
};

static const struct hint_lesson calls[] = {
    {"ahead in the last round", "4a 5a 6a 12b", "8b 9p1 10p1", "1r 1p1 2r 2p1 3r 3p1", "11a 11r",
     .best = "stop", .plan = "-", .threat = "-", .reason = "stop", .scores = {14, 13}},
    {"their deer lies there", "4a 5a 12b", "10a 9p1 8p1", "1r 1p1 2r 2p1 3r 3p1", "6a 6p1 7a 7p1",
     .best = "stop", .plan = "-", .threat = "inoshikacho", .waits = "10a", .round_no = 11},
    {"eight behind with five", "4a 5a 6a 12b", "8b 9p1 10p1", "1r 1p1 2r 2p1 3r 3p1", "11a 11r",
     .best = "koikoi", .threat = "-", .never = "akatan", .reason = "koikoi", .scores = {10, 18}},
    {"far behind, with the moon in reach", "8p1 5a 6a", "8b 10p1 12p1 4p1",
     "9a 9p1 1r 1p1 2r 2p1 3r 3p1", "11a 11r", .best = "koikoi", .plan = "tsukimi", .needs = "8b",
     .never = "akatan", .scores = {10, 24}},
    {"their purse is empty after it", "4a 5a 6a 12b", "8b 9p1 10p1", "1r 1p1 2r 2p1 3r 3p1",
     "11a 11r", .best = "stop", .plan = "-", .threat = "-", .rules = "sensei", .scores = {195, 5},
     .round_no = 3},
    {"far behind at a console", "4a 5a 6a 12b", "8b 9p1 10p1", "1r 1p1 2r 2p1 3r 3p1", "11a 11r",
     .best = "koikoi", .never = "akatan", .rules = "console", .scores = {10, 18}},
    {"the deer lies before three", "4a 5a 12b", "10a 9p1 8p1 2p2", "1r 1p1 2r 2p1 3r 3p1",
     "6a 6p1 7a 7p1", "11r 11p", .best = "stop", .plan = "-", .threat = "inoshikacho",
     .waits = "10a", .threat_seat = 1, .rules = "mongolopedia", .round_no = 11},
};

/* ---- What the teacher says ------------------------------------------------------------------- */

static const struct ruleset *rules_of(const struct hint_lesson *p)
{
    return preset(p->rules ? preset_named(p->rules) : PRESET_STANDARD);
}

static void show(const struct hint_lesson *p, struct match *ret_match, struct view *ret)
{
    const struct ruleset *g = rules_of(p);
    bool call = p->best && move_of(p->best).kind != MOVE_PLAY;
    struct setup s = {.hand = p->hand,
                      .field = p->field,
                      .own = p->own,
                      .other = p->other,
                      .third = p->third,
                      .dealer = 1,
                      .others_cards = set_count(set_of(p->hand)),
                      .round_no = p->round_no ? p->round_no : g->rules.rounds,
                      .scores = {10, 10},
                      .phase = call ? PHASE_DECIDE : PHASE_HAND};
    if (p->scores[0] + p->scores[1] > 0)
        memcpy(s.scores, (int[]){p->scores[0], p->scores[1]}, sizeof s.scores);
    setup_set(g, &s, ret_match);
    view_of(g, ret_match, 0, ret);
}

static bool lists(const char *yaku, int y)
{
    size_t n = strlen(y < N_YAKU ? yaku_key((enum yaku)y) : "-");
    for (const char *p = yaku; *p; p += strcspn(p, " "), p += strspn(p, " "))
        if (strcspn(p, " ") == n && memcmp(p, y < N_YAKU ? yaku_key((enum yaku)y) : "-", n) == 0)
            return true;
    return false;
}

static bool is_told(const struct view *v, struct move m, const struct prospect *told,
                    const char *yaku, const char *cards)
{
    struct reach r;
    if (yaku && !lists(yaku, told->yaku))
        return false;
    return !cards ||
           (told->yaku < N_YAKU && review_lacks(v, m, told->seat, (enum yaku)told->yaku, &r) &&
            r.missing == set_of(cards));
}

static bool is_sound(struct move m, const struct hint_lesson *p)
{
    if (p->keeps && m.card < N_CARDS && (set_of(p->keeps) & CARD(m.card)))
        return false;
    if (!p->best)
        return true;
    struct move best = move_of(p->best);
    best.card = best.kind == MOVE_PLAY ? best.card : CARD_NONE;
    return review_alike(m, best);
}

static const char *named(const struct prospect *p)
{
    return p->yaku < N_YAKU ? yaku_key((enum yaku)p->yaku) : "-";
}

/* True if the seat hardly ever wins the round with what was told. */
static bool is_idle(const struct hint_lesson *p, const struct match *m, struct move first,
                    const struct prospect *told)
{
    if (told->yaku == N_YAKU)
        return false;
    float share = wins_with(rules_of(p), m, first, told->seat, (enum yaku)told->yaku);
    if (share < least_share)
        print_error("%s: %s of %d wins %.3f\n", p->what, named(told), told->seat, (double)share);
    return share < least_share;
}

static bool misleads(const struct hint_lesson *p)
{
    struct match hidden;
    struct review r;
    struct view v;
    show(p, &hidden, &v);
    review_hint(&v, REVIEW_VISITS, 1, &r);
    struct move m = v.legal[r.best], after = m;
    after.kind = r.decision ? MOVE_KOIKOI : m.kind;
    int seat = p->threat_seat ? p->threat_seat : 1;
    bool wrong = !is_sound(m, p) || !is_told(&v, after, &r.plan, p->plan, p->needs) ||
                 !is_told(&v, after, &r.threat, p->threat, p->waits);
    wrong = wrong || (p->waits && r.threat.seat != seat);
    wrong = wrong || (p->reason && strcmp(p->reason, reason_key(r.reason.kind)) != 0);
    if (p->never && ((r.plan.yaku < N_YAKU && lists(p->never, r.plan.yaku)) ||
                     (r.threat.yaku < N_YAKU && lists(p->never, r.threat.yaku))))
        wrong = true;
    wrong = wrong || is_idle(p, &hidden, after, &r.plan) || is_idle(p, &hidden, after, &r.threat);
    if (wrong)
        print_error(
            "%s: card %d taking %llx, kind %d, plan %s (%.2f), threat %s of %d (%.2f), %s\n",
            p->what, m.card, (unsigned long long)m.take, m.kind, named(&r.plan),
            (double)r.plan.chance, named(&r.threat), r.threat.seat, (double)r.threat.chance,
            reason_key(r.reason.kind));
    return wrong;
}

static int misled(const struct hint_lesson *list, size_t n)
{
    int wrong = 0;
    for (size_t i = 0; i < n; i++)
        wrong += misleads(&list[i]);
    return wrong;
}
#define COUNT(list) (sizeof(list) / sizeof *(list))
#define HINTS(name, list)                                                                          \
    TEST(name)                                                                                     \
    {                                                                                              \
        assert_int_equal(misled(list, COUNT(list)), 0);                                            \
    }
HINTS(the_first_moves_of_a_round, openings)
HINTS(where_a_capture_leads, plans)
HINTS(what_another_has_broken_is_not_named, broken)
HINTS(what_is_kept_in_hand_is_no_threat, kept)
HINTS(what_the_others_wait_for, threats)
HINTS(what_is_left_after_a_defence, defence)
HINTS(the_last_cards, ends)
HINTS(before_and_after_a_call, calls)

TEST(there_are_fifty_hints)
{
    assert_int_equal(COUNT(openings) + COUNT(plans) + COUNT(broken) + COUNT(kept) + COUNT(threats) +
                         COUNT(defence) + COUNT(ends) + COUNT(calls),
                     50);
}
