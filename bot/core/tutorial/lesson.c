/* See lesson.h. */
#include "lesson.h"

#include <assert.h>

enum { LEARNER, OTHER, LESSON_HAND = 4, LESSON_FIELD = 6 };

static const struct lesson lessons[LESSONS] = {
    {T_LESSON_MONTHS, T_LESSON_MONTHS_IDEA, "", LEARNER, "1b 5r 7p1 9p1", "4p1 6p2 8p2 11r",
     "1r 3p1 6p1 10p1 12p1 2p1", "4p2", false, 0},
    {T_LESSON_TWO, T_LESSON_TWO_IDEA, "", LEARNER, "4p1 5r 7p1 8a", "6p1 9p1 11r 3p1",
     "8b 8p1 2p1 12p1 1p1 10p1", "9p2", false, 0},
    {T_LESSON_THREE, T_LESSON_THREE_IDEA, "", LEARNER, "3r 5r 7r 9p1", "4p1 6p1 8p1 11r",
     "3b 3p1 3p2 5a 12p1 10p1", "2p1", false, 0},
    {T_LESSON_DRAW, T_LESSON_DRAW_IDEA, "", LEARNER, "2r 4r 7p1 9p1", "3p1 5p1 8p1 11r",
     "2p1 6a 6p1 12p1 1p1 10p1", "6r", false, 0},
    {T_LESSON_SETS, T_LESSON_SETS_IDEA, "8b 9a tsukimi", LEARNER, "8p1 9a 5r 3p2",
     "4p1 6p1 10p1 11r", "8b 9p1 5a 7p1 12p1 1p1", "2p1 3p1 10p2", true, YAKU_TSUKIMI},
    {T_LESSON_DECIDE, T_LESSON_DECIDE_IDEA, "s k", LEARNER, "8p1 9a 3r 12p2", "4p1 5p1 10p1 11r",
     "8b 9p1 3b 6p1 7p1 1p1", "2p1 10p2 5p2 12p1 8p2", false, 0},
    {T_LESSON_DOUBLE, T_LESSON_DOUBLE_IDEA, "", OTHER, "8p1 9a 5p1 7r", "1p1 3p1 4p1 11r",
     "1r 2r 3r 8b 9p1 12p1", "2p1 6p1 10p1 4r", false, 0},
    {T_LESSON_OTHER, T_LESSON_OTHER_IDEA, "7a 10a 6a", OTHER, "6p1 12p1 5p1 2p1",
     "7p1 10p1 4p1 11r", "7a 6a 12b 10a 8p1 3p1", "10p2 9p1", true, YAKU_INOSHIKACHO},
};

static const struct lesson_question questions[LESSON_PLACES] = {
    {0, "", "1b>1r", T_LESSON_MONTHS_ASK, T_LESSON_NO_SET, T_LESSON_MONTHS_DONE, "1b 1r", "1b",
     "1b 1r"},
    {1, "", "8a>8b", T_LESSON_TWO_ASK, T_LESSON_TWO_NO, T_LESSON_TWO_DONE, "8a 8b", "8a 8b", "8b"},
    {2, "", "3r>3b+3p1+3p2", T_LESSON_THREE_ASK, T_LESSON_THREE_NO, T_LESSON_THREE_DONE, "3r", "3r",
     "3b"},
    {3, "", "2r>2p1", T_LESSON_DRAW_ASK, T_LESSON_NO_SET, T_LESSON_DRAW_DONE, "2r", "2r", "2p1 6r"},
    {3, "", "6r>6a", T_LESSON_CHOOSE_ASK, T_LESSON_CHOOSE_NO, T_LESSON_CHOOSE_DONE, "6a", "6a", ""},
    {4, "8p1>8b 4p1", "9a>9p1", T_LESSON_SETS_ASK, T_LESSON_NO_SET, T_LESSON_SETS_DONE, "8b 9a",
     "9a", "y"},
    {5, "8p1>8b 4p1 9a>9p1", "koikoi", T_LESSON_CALL_ASK, T_LESSON_CALL_NO, T_LESSON_CALL_DONE,
     "y s $ 3b k", "3b k", "k"},
    {5, "11r", "3r>3b", T_LESSON_MORE_ASK, T_LESSON_NO_SET, T_LESSON_MORE_DONE, "3b 3r", "3r", "y"},
    {5, "", "stop", T_LESSON_STOP_ASK, T_LESSON_STOP_NO, T_LESSON_WON, "s $", "s", "b x $"},
    {6, "1p1>1r 8p1>8b 3p1>3r koikoi", "9a>9p1", T_LESSON_DOUBLE_ASK, T_LESSON_NO_SET,
     T_LESSON_MORE_DONE, "akatan k 9a", "9a", "y"},
    {6, "", "stop", T_LESSON_PAID_ASK, T_LESSON_PAID_NO, T_LESSON_WON, "s $ b", "s", "b x $"},
    {7, "7p1>7a", "6p1>6a", T_LESSON_OTHER_ASK, T_LESSON_OTHER_NO, T_LESSON_OTHER_DONE,
     "6a 12b 6p1", "12b 6a 6p1", "6a"},
};

const struct lesson_question *lesson_question(int place)
{
    assert(place >= 1 && place <= LESSON_PLACES);
    return &questions[place - 1];
}

const struct lesson *lesson_at(int place)
{
    return &lessons[lesson_question(place)->lesson];
}

bool lesson_begins(int place)
{
    return place == 1 || lesson_question(place)->lesson != lesson_question(place - 1)->lesson;
}

void lesson_rules(const struct rules *base, struct rules *ret)
{
    *ret = *base;
    ret->hand[2] = LESSON_HAND;
    ret->table[2] = LESSON_FIELD;
    ret->capture = CAPTURE_FORCED;
    ret->wild_lightning = false;
}

/* ---- deals ---- */

/* "3r>3b+3p1", "4p1", "koikoi", "stop". */
static struct move move_read(struct str word, enum phase phase)
{
    struct move m = {.kind = phase == PHASE_DRAW ? MOVE_CHOOSE : MOVE_PLAY, .card = CARD_NONE};
    struct str takes, card = str_cut(word, '>', &takes);
    if (phase == PHASE_DECIDE) {
        m.kind = str_is(word, STR("koikoi")) ? MOVE_KOIKOI : MOVE_STOP;
        return m;
    }
    m.card = (uint8_t)card_read(card.p, card.n);
    while (takes.n > 0) {
        struct str take = str_cut(takes, '+', &takes);
        m.take |= CARD(card_read(take.p, take.n));
    }
    return m;
}

static bool play(const struct ruleset *g, struct match *m, const char *moves)
{
    struct round_log log = {0};
    for (struct str rest = str_of(moves), word = str_word(&rest); word.n > 0;
         word = str_word(&rest))
        if (m->stage != MATCH_PLAYING ||
            match_apply(g, m, m->round.turn, move_read(word, (enum phase)m->round.phase), &log) !=
                LEGAL)
            return false;
    return true;
}

bool lesson_position(const struct ruleset *g, int place, bool answered, struct match *ret)
{
    const struct lesson *l = lesson_at(place);
    const char *const dealt[] = {l->dealer == LEARNER ? l->learner : l->other,
                                 l->dealer == LEARNER ? l->other : l->learner, l->field, l->stock};
    struct str rest[SLOT_STOCK + 1] = {{0}};
    struct round_log log = {0};
    uint8_t deck[N_CARDS], slots[N_CARDS];
    cardset unused = ALL_CARDS;
    int first = place;
    while (!lesson_begins(first))
        first--;
    for (int i = 0; i < 2; i++)
        rest[i] = str_of(dealt[i]);
    rest[SLOT_TABLE] = str_of(dealt[2]);
    rest[SLOT_STOCK] = str_of(dealt[3]);
    deal_slots(&g->rules, 2, slots);
    for (int i = 0; i < N_CARDS; i++) {
        struct str word = str_word(&rest[slots[i]]);
        deck[i] = word.n > 0 ? (uint8_t)card_read(word.p, word.n) : CARD_NONE;
        unused &= deck[i] < N_CARDS ? ~CARD(deck[i]) : ALL_CARDS;
    }
    for (int i = 0; i < N_CARDS; i++) /* the others follow in canonical order */
        if (deck[i] == CARD_NONE) {
            deck[i] = (uint8_t)set_first(unused);
            unused = set_rest(unused);
        }
    match_start(&g->rules, 2, l->dealer, ret);
    match_deal(g, ret, deck, &log);
    for (int i = first; i <= place; i++)
        if (!play(g, ret, lesson_question(i)->before) ||
            ((i < place || answered) && !play(g, ret, lesson_question(i)->answer)))
            return false;
    return answered || (ret->stage == MATCH_PLAYING && ret->round.turn == LEARNER);
}

/* ---- answers ---- */

bool lesson_is_answer(int place, const struct move *m)
{
    enum phase phase = m->kind == MOVE_PLAY     ? PHASE_HAND
                       : m->kind == MOVE_CHOOSE ? PHASE_DRAW
                                                : PHASE_DECIDE;
    struct move answer = move_read(str_of(lesson_question(place)->answer), phase);
    return m->kind == answer.kind && m->card == answer.card && m->take == answer.take;
}
