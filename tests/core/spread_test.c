/* The line of cards that is drawn beside a hand: what stands in it by the rules, that it is read as
 * it was written and nothing else is, and that it tells of nothing but what its reader may see. */
#include "core/sitting.h"
#include "engine/world.h"

#include "adapter.h"
#include "present.h"
#include "spread.h"

/* The message that shows its hand to seat 0, on a network that can do this. */
static struct outgoing hand_of(const struct session *s, uint32_t can, int caption_chars)
{
    return sitting_said(s, &(struct say){.kind = SAY_HAND, .seat = 0},
                        can | CAN_EDIT | CAN_DIRECT | CAN_STYLE,
                        (struct limits){.text_chars = 4096,
                                        .caption_chars = caption_chars,
                                        .data_bytes = 64,
                                        .counts_utf16 = true});
}

static const char *line_of(const struct session *s)
{
    return arena_str(sitting_arena, hand_of(s, CAN_PICTURE | CAN_BUTTONS, 1024).picture).p;
}

static struct session dealt(const char *preset, const char *hand, const char *field,
                            const char *stock)
{
    uint8_t deck[N_CARDS];
    const char *hands[] = {hand, NULL};
    struct session s = sitting_down(sitting_rules(preset), 2);
    deck_of(&s.rules, 2, 0, hands, field, stock, deck);
    sitting_deal(&s, deck);
    return s;
}

static void play(struct session *s, const char *move)
{
    struct ruleset g;
    ruleset_make(&s->rules, &g);
    int seat = s->match.round.turn;
    assert_int_equal(match_apply(&g, &s->match, seat, move_of(move), NULL), LEGAL);
}

#define HAND  "1b 2r 3p1 5a 8p1 9a 10p1 12b"
#define FIELD "11p 3b 8b 5p1 3r 6a 7p1 9r"

/* By month; numbers are places in the hand; a mark, where its month lies on the field. */
static void a_hand_has_its_numbers_and_marks(void **state)
{
    (void)state;
    struct session s = dealt("sensei", HAND, FIELD, "4a");
    assert_string_equal(line_of(&s), "hand hanafuda 3b,3r,5p1,6a,7p1,8b,9r,11p||"
                                     "1b#1,2r#2,3p1#3!,5a#4!,8p1#5!,9a#6!,10p1#7,12b#8");
}

/* Lightning takes whatever lies there where it is wild, and is taken by all. */
static void wild_lightning_marks_all(void **state)
{
    (void)state;
    struct session s = dealt("mongolopedia", "1b 2r 4p1 4p2 10a 10p1 12b 12p1", FIELD, "9a");
    assert_string_equal(line_of(&s), "hand hanafuda 3b,3r,5p1,6a,7p1,8b,9r,11p||"
                                     "1b#1!,2r#2!,4p1#3!,4p2#4!,10a#5!,10p1#6!,12b#7!,12p1#8!");
}

static void a_drawn_card_is_shown_with_its_choices(void **state)
{
    (void)state;
    struct session s = dealt("sensei", HAND, FIELD, "3p2");
    play(&s, "1b");
    assert_string_equal(line_of(&s), "hand hanafuda 1b,3b#1!,3r#2!,5p1,6a,7p1,8b,9r,11p|3p2|"
                                     "2r,3p1,5a,8p1,9a,10p1,12b");
}

/* What another draws is theirs to choose with: their message has it, this one has not. */
static void the_choice_of_another_is_not_shown(void **state)
{
    struct ruleset g;
    struct view v;
    struct spread theirs;
    (void)state;
    struct session s = dealt("sensei", HAND, FIELD, "3p2");
    play(&s, "1b");
    ruleset_make(&s.rules, &g);
    view_of(&g, &s.match, 1, &v);
    spread_of(&v, &theirs);
    assert_int_equal(theirs.n[SPREAD_DRAWN], 0);
    assert_int_equal(theirs.n[SPREAD_HAND], 8);
    for (int i = 0; i < 8; i++) {
        assert_int_equal(theirs.at[SPREAD_HAND][i].number, i + 1);
        assert_true(s.match.round.hand[1] & CARD(theirs.at[SPREAD_HAND][i].card));
    }
    for (int i = 0; i < theirs.n[SPREAD_FIELD]; i++)
        assert_int_equal(theirs.at[SPREAD_FIELD][i].number, 0);
}

/* Of two plains of a month one is offered: the numbers are those of the list. */
static void equal_plains_are_one_choice(void **state)
{
    (void)state;
    struct session s = dealt("mongolopedia", "1b 2r 4p1 5a 10a 10p1 12b 12p1",
                             "3p1 3p2 5p1 6a 7p1 8b 9r 11p", "3b");
    play(&s, "5a=5p1");
    assert_string_equal(line_of(&s), "hand hanafuda 3p1#1!,3p2,6a,7p1,8b,9r,11p#2!|3b|"
                                     "1b,2r,4p1,10a,10p1,12b,12p1");
}

static void the_deck_is_the_rule_sets(void **state)
{
    (void)state;
    struct session s = dealt("okoshki", HAND, FIELD, "4a");
    assert_true(str_starts(str_of(line_of(&s)), STR("hand okoshki ")));
}

/* ---- when there is one ---- */

static void only_where_pictures_can_be_shown(void **state)
{
    (void)state;
    struct session s = dealt("sensei", HAND, FIELD, "4a");
    assert_int_equal(hand_of(&s, CAN_BUTTONS, 1024).picture.n, 0);
    assert_true(hand_of(&s, CAN_BUTTONS | CAN_PICTURE, 0).picture.n > 0);
}

/* The words are not cut for a picture's sake. */
static void words_too_long_for_a_caption_go_alone(void **state)
{
    (void)state;
    struct session s = dealt("sensei", HAND, FIELD, "4a");
    struct outgoing all = hand_of(&s, CAN_BUTTONS, 0);
    int units = text_units(all.text, true);
    struct outgoing fits = hand_of(&s, CAN_BUTTONS | CAN_PICTURE, units),
                    long_one = hand_of(&s, CAN_BUTTONS | CAN_PICTURE, units - 1);
    assert_true(fits.picture.n > 0);
    assert_int_equal(long_one.picture.n, 0);
    assert_true(str_is(fits.text, all.text) && str_is(long_one.text, all.text));
}

/* The message of a round that is over goes on as a picture where it is changed in its place; with
 * polls it is a new one, and needs none. */
static void between_rounds_the_table_lies_as_it_was_left(void **state)
{
    (void)state;
    struct session s = dealt("sensei", "1b 8b 12b 4p1 5p1 6p1 7p1 9a",
                             "1p1 3b 8p1 12p1 9p1 10r 10p1 10p2", "2a 2r 2p1 2p2 11b 11a");
    play(&s, "8b=8p1");
    play(&s, "3p1=3b");
    play(&s, "9a=9p1");
    play(&s, "stop"); /* tsukimi */
    assert_int_equal(s.match.stage, MATCH_READY);
    assert_string_equal(line_of(&s),
                        "hand hanafuda 1p1,2p1,10r,10p1,10p2,12p1||1b,4p1,5p1,6p1,7p1,12b");
    assert_int_equal(hand_of(&s, CAN_PICTURE | CAN_POLL, 0).picture.n, 0);
}

/* ---- secrets ---- */

static cardset cards_of(const struct spread *s)
{
    cardset all = 0;
    for (int row = 0; row < SPREAD_ROWS; row++)
        for (int i = 0; i < s->n[row]; i++)
            all |= CARD(s->at[row][i].card);
    return all;
}

/* Random matches of all rule sets for two: the line is the same whatever is hidden, and names no
 * hidden card. */
static void a_line_tells_nothing_that_is_hidden(void **state)
{
    struct luck c = {7};
    int lines = 0, differed = 0;
    (void)state;
    for (int i = 0; i < 60; i++) {
        uint8_t deck[N_CARDS];
        struct session s = sitting_down(&sitting_presets[i % SITTING_PRESETS], 2);
        struct move legal[MAX_MOVES];
        struct ruleset g;
        struct err err;
        shuffle(&c, deck);
        sitting_deal(&s, deck);
        ruleset_make(&s.rules, &g);
        while (s.match.stage == MATCH_PLAYING) {
            struct session other = s;
            struct spread seen;
            other.match = other_world(&s.match, 0, &c);
            differed += other.match.round.hand[1] != s.match.round.hand[1];
            struct str line = hand_of(&s, CAN_PICTURE | CAN_BUTTONS, 0).picture;
            assert_true(line.n > 0);
            assert_true(str_is(line, hand_of(&other, CAN_PICTURE | CAN_BUTTONS, 0).picture));
            assert_true(spread_read(line, &seen, &err));
            cardset hidden = s.match.round.hand[1];
            for (int k = s.match.round.next; k < N_CARDS; k++)
                hidden |= CARD(s.match.round.deck[k]);
            assert_true((cards_of(&seen) & hidden) == 0);
            lines++;
            int n = round_legal(&g, &s.match.round, s.match.round.turn, legal);
            match_apply(&g, &s.match, s.match.round.turn, legal[luck_next(&c) % (uint64_t)n], NULL);
        }
    }
    assert_true(lines > 500 && differed > 250);
}

/* ---- the line ---- */

static void what_is_written_is_read_the_same(void **state)
{
    struct luck c = {11};
    (void)state;
    for (int i = 0; i < 500; i++) {
        struct spread s = {.deck = "okoshki"}, again;
        struct err err;
        char line[SPREAD_LINE], twice[SPREAD_LINE];
        struct buf b = BUF(line), b2 = BUF(twice);
        for (int card = 0; card < N_CARDS; card++) {
            int row = (int)(luck_next(&c) % 5);
            if (row >= SPREAD_ROWS || (row == SPREAD_DRAWN && s.n[row] == 1))
                continue;
            s.at[row][s.n[row]++] = (struct spread_card){
                (uint8_t)card, (uint8_t)(luck_next(&c) % 49), luck_next(&c) % 2 == 1};
        }
        spread_write(&s, &b);
        assert_false(b.cut);
        if (!spread_read(buf_str(&b), &again, &err))
            fail_msg("%s", err.text);
        assert_memory_equal(&again, &s, sizeof s);
        spread_write(&again, &b2);
        assert_true(str_is(buf_str(&b), buf_str(&b2)));
    }
}

/* As many cards as there are, each with a number and a mark. */
static void the_longest_line_has_room(void **state)
{
    struct spread s = {.deck = "abcdefghijklmnopqrstuvw"};
    char line[SPREAD_LINE];
    struct buf b = BUF(line);
    (void)state;
    for (int card = 0; card < N_CARDS; card++)
        s.at[SPREAD_HAND][s.n[SPREAD_HAND]++] = (struct spread_card){(uint8_t)card, 48, true};
    spread_write(&s, &b);
    assert_false(b.cut);
}

static void nothing_else_is_read(void **state)
{
    static const char *const bad[] = {"",
                                      "hand",
                                      "hand hanafuda",
                                      "board hanafuda 1b||",
                                      "hand hanafuda 1b|2a",
                                      "hand hanafuda 1b||2a|3b",
                                      "hand  1b||",
                                      "hand ../x 1b||",
                                      "hand a/b 1b||",
                                      "hand Hanafuda 1b||",
                                      "hand abcdefghijklmnopqrstuvwx 1b||",
                                      "hand hanafuda 1c||",
                                      "hand hanafuda 13b||",
                                      "hand hanafuda 1b||1b",
                                      "hand hanafuda 1b,||",
                                      "hand hanafuda ,1b||",
                                      "hand hanafuda 1b,,2a||",
                                      "hand hanafuda |1b,2a|",
                                      "hand hanafuda 1b#||",
                                      "hand hanafuda 1b#0||",
                                      "hand hanafuda 1b#01||",
                                      "hand hanafuda 1b#49||",
                                      "hand hanafuda 1b#-1||",
                                      "hand hanafuda 1b!#1||",
                                      "hand hanafuda 1b!!||",
                                      "hand hanafuda 1b ||",
                                      "hand hanafuda 1b||\n"};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct spread s = {.deck = "before"};
        struct err err = {""};
        if (spread_read(str_of(bad[i]), &s, &err))
            fail_msg("\"%s\" was read", bad[i]);
        assert_true(str_starts(str_of(err.text), STR("picture: ")));
        assert_string_equal(s.deck, "before");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hand_has_its_numbers_and_marks),
        cmocka_unit_test(wild_lightning_marks_all),
        cmocka_unit_test(a_drawn_card_is_shown_with_its_choices),
        cmocka_unit_test(the_choice_of_another_is_not_shown),
        cmocka_unit_test(equal_plains_are_one_choice),
        cmocka_unit_test(the_deck_is_the_rule_sets),
        cmocka_unit_test(only_where_pictures_can_be_shown),
        cmocka_unit_test(words_too_long_for_a_caption_go_alone),
        cmocka_unit_test(between_rounds_the_table_lies_as_it_was_left),
        cmocka_unit_test(a_line_tells_nothing_that_is_hidden),
        cmocka_unit_test(what_is_written_is_read_the_same),
        cmocka_unit_test(the_longest_line_has_room),
        cmocka_unit_test(nothing_else_is_read),
    };
    return cmocka_run_group_tests(tests, sitting_open, sitting_close);
}
