/* Layouts of pictures: their content by the rules, reading back what was written, and secrecy. */
#include "engine/test.h"
#include "fixture/session_fixture.h"
#include "engine/world.h"

#include "adapter.h"
#include "present.h"
#include "layout.h"

/* The hand message of a seat on a network with these abilities. */
static struct outgoing seat_message(const struct session *s, int8_t seat, uint32_t can,
                                    int caption_chars)
{
    return session_fixture_message(
        s, &(struct notice){.kind = NOTICE_HAND, .seat = seat},
        can | CAN_EDIT | CAN_DIRECT | CAN_STYLE | CAN_FOLD,
        (struct limits){.text_chars = 4096, .caption_chars = caption_chars, .counts_utf16 = true});
}

static struct outgoing hand_message(const struct session *s, uint32_t can, int caption_chars)
{
    return seat_message(s, 0, can, caption_chars);
}

static const char *layout_line(const struct session *s)
{
    return arena_str(session_fixture_arena,
                     hand_message(s, CAN_PICTURE | CAN_BUTTONS, 1024).picture)
        .p;
}

#define HAND  "1b 2r 3p1 5a 8p1 9a 10p1 12b"
#define FIELD "11p 3b 8b 5p1 3r 6a 7p1 9r"

/* By month; numbers are positions in the hand; a mark where the month lies on the field. */
TEST(hand_cards_are_numbered_and_marked)
{
    struct session s = session_fixture_dealt("sensei", 2, HAND, FIELD, "4a");
    assert_string_equal(layout_line(&s), "hanafuda\nhead\tRound 1 of 12 · #12\tYour move.\n"
                                         "pile\tBo 100\n"
                                         "field 3b#3,3r#3,5p1#4,6a,7p1,8b#5,9r#6,11p\n"
                                         "pile\t▸ You 100\n"
                                         "legend\tYour card of this number takes it.\n"
                                         "hand 1b#1,2r#2,3p1#3!,5a#4!,8p1#5!,9a#6!,10p1#7,12b#8");
}

/* Wild Lightning lies on the field: every card can capture it. */
TEST(wild_lightning_marks_the_whole_hand)
{
    struct session s =
        session_fixture_dealt("mongolopedia", 2, "1b 2r 4p1 4p2 10a 10p1 12b 12p1", FIELD, "9a");
    assert_string_equal(layout_line(&s),
                        "hanafuda\nhead\tRound 1 of 12 · #12\tYour move.\npile\tBo 0\n"
                        "field 3b,3r,5p1,6a,7p1,8b,9r,11p#1#2#3#4#5#6#7#8\npile\t▸ You 0\n"
                        "legend\tYour card of this number takes it.\n"
                        "hand 1b#1!,2r#2!,4p1#3!,4p2#4!,10a#5!,10p1#6!,12b#7!,12p1#8!");
}

TEST(drawn_card_numbers_its_choices)
{
    struct session s = session_fixture_dealt("sensei", 2, HAND, FIELD, "3p2");
    session_fixture_move(&s, "1b");
    assert_string_equal(layout_line(&s),
                        "hanafuda\nhead\tRound 1 of 12 · #12\tYour move.\n"
                        "pile\tBo 100\n"
                        "field 1b!,3b#1,3r#2,5p1,6a,7p1,8b,9r,11p\n"
                        "drawn 3p2\npile\t▸ You 100\nhand 2r,3p1,5a,8p1,9a,10p1,12b");
}

/* The opponent chooses for their drawn card: this seat's layout has neither card nor choices. */
TEST(opponents_choice_is_not_shown)
{
    struct layout theirs;
    struct err err;
    struct session s = session_fixture_dealt("sensei", 2, HAND, FIELD, "3p2");
    session_fixture_move(&s, "1b");
    assert_true(layout_read(seat_message(&s, 1, CAN_PICTURE, 0).picture, &theirs, &err));
    const struct layout_row *field = &theirs.row[2], *hand = &theirs.row[4];
    assert_int_equal(theirs.n_rows, 5);
    assert_int_equal(field->kind, LAYOUT_FIELD);
    assert_int_equal(hand->kind, LAYOUT_HAND);
    assert_int_equal(hand->n_cards, 8);
    for (int i = 0; i < 8; i++) {
        const struct layout_card *c = layout_card_of(&theirs, hand, i);
        assert_int_equal(c->n_numbers, 1);
        assert_int_equal(c->number[0], i + 1);
        assert_true(s.match.round.hand[1] & CARD(c->card));
    }
    for (int i = 0; i < field->n_cards; i++)
        assert_int_equal(layout_card_of(&theirs, field, i)->n_numbers, 0);
}

/* Of two equal plains one is offered, as in the message. */
TEST(equal_plains_are_one_choice)
{
    struct session s = session_fixture_dealt("mongolopedia", 2, "1b 2r 4p1 5a 10a 10p1 12b 12p1",
                                             "3p1 3p2 5p1 6a 7p1 8b 9r 11p", "3b");
    session_fixture_move(&s, "5a=5p1");
    assert_string_equal(
        layout_line(&s),
        "hanafuda\nhead\tRound 1 of 12 · #12\tYour move.\npile\tBo 0\n"
        "field 3p1#1,3p2,6a,7p1,8b,9r,11p#2\ndrawn 3b\n"
        "pile 5a!,5p1!\t▸ You 0\tanimals 1/5 · plains 1/10\nhand 1b,2r,4p1,10a,10p1,12b,12p1");
}

TEST(deck_comes_from_the_rule_set)
{
    struct session s = session_fixture_dealt("okoshki", 2, HAND, FIELD, "4a");
    assert_true(str_starts(str_of(layout_line(&s)), STR("okoshki\n")));
}

/* ---- when a message has a picture ---- */

TEST(no_picture_without_the_ability)
{
    struct session s = session_fixture_dealt("sensei", 2, HAND, FIELD, "4a");
    assert_int_equal(hand_message(&s, CAN_BUTTONS, 1024).picture.n, 0);
    assert_true(hand_message(&s, CAN_BUTTONS | CAN_PICTURE, 0).picture.n > 0);
}

/* For want of room the words do without what the picture shows; nothing else is cut for it. */
TEST(long_text_goes_without_picture)
{
    enum { CAN = CAN_BUTTONS | CAN_PICTURE };
    struct session s = session_fixture_dealt("sensei", 2, HAND, FIELD, "4a");
    struct outgoing all = hand_message(&s, CAN, 0);
    int units = text_units(all.text, true);
    struct outgoing fits = hand_message(&s, CAN, units), shorter = hand_message(&s, CAN, units - 1);
    int least = text_units(shorter.text, true);
    struct outgoing long_one = hand_message(&s, CAN, least - 1);
    assert_true(fits.picture.n > 0 && str_is(fits.text, all.text));
    assert_true(shorter.picture.n > 0 && least < units);
    assert_non_null(memmem(all.text.p, all.text.n, "Field", 5));
    assert_null(memmem(shorter.text.p, shorter.text.n, "Field", 5));
    assert_non_null(memmem(shorter.text.p, shorter.text.n, "8. paulownia phoenix", 20));
    assert_int_equal(long_one.picture.n, 0);
    assert_true(str_is(long_one.text, all.text));
}

static struct session won_by_moon_viewing(void)
{
    struct session s =
        session_fixture_dealt("sensei", 2, "1b 8b 12b 4p1 5p1 6p1 7p1 9a",
                              "1p1 3b 8p1 12p1 9p1 10r 10p1 10p2", "2a 2r 2p1 2p2 11b 11a");
    session_fixture_move(&s, "8b=8p1");
    session_fixture_move(&s, "3p1=3b");
    session_fixture_move(&s, "9a=9p1");
    session_fixture_move(&s, "stop");
    return s;
}

/* An edited message stays a picture between rounds; with polls the message is new and has none. */
TEST(between_rounds_shows_the_last_table)
{
    struct session s = won_by_moon_viewing();
    assert_int_equal(s.match.stage, MATCH_READY);
    assert_string_equal(layout_line(&s),
                        "hanafuda\nhead\tRound 1 of 12 · #12\tBetween rounds\n"
                        "pile 2a,2r,3b,3p1\tBo 95\tthree brights 1/3 · animals 1/5\n"
                        "field 1p1,2p1!,10r,10p1,10p2,12p1\n"
                        "pile 8b,8p1,9a!,9p1!\tYou 105\t✓ moon viewing 5 · three brights 1/3\n"
                        "hand 1b,4p1,5p1,6p1,7p1,12b");
    assert_int_equal(hand_message(&s, CAN_PICTURE | CAN_POLL, 0).picture.n, 0);
}

/* What calls have added counts before anything is multiplied. */
TEST(round_picture_pays_what_calls_added)
{
    struct session s = won_by_moon_viewing();
    s.match.last.added = 2;
    s.match.last.x[0] = 3;
    s.match.last.points = 21;
    const struct notice over = {.kind = NOTICE_ROUND, .seat = SEAT_PUBLIC};
    struct str line =
        session_fixture_message(&s, &over, CAN_PICTURE | CAN_STYLE | CAN_FOLD, (struct limits){0})
            .picture;
    assert_non_null(memmem(line.p, line.n, "seals\t+2\twinner’s koi-koi\t×3\t", 32));
    assert_non_null(memmem(line.p, line.n, "result\twin\tAnn\tRound 1 of 12\t21 coins\n", 37));
}

/* The lines of the rounds give way to the picture that shows them, and to nothing else. */
TEST(match_of_many_rounds_has_its_picture)
{
    enum { ROUNDS = 12 };
    static struct round_summary rounds[ROUNDS];
    struct session s = session_fixture_dealt("standard", 2, HAND, FIELD, "4a");
    uint32_t can = CAN_PICTURE | CAN_BUTTONS | CAN_EDIT;
    for (int i = 0; i < ROUNDS; i++)
        rounds[i] = (struct round_summary){.round = i + 1, .why = WHY_STOP, .winner = 0};
    struct notice notice = {.kind = NOTICE_MATCH, .seat = SEAT_PUBLIC, .rounds = {ROUNDS, rounds}};
    struct outgoing all = session_fixture_message(&s, &notice, can, (struct limits){0});
    int units = text_units(all.text, false);
    struct outgoing same =
        session_fixture_message(&s, &notice, can, (struct limits){.caption_chars = units});
    struct outgoing shorter =
        session_fixture_message(&s, &notice, can, (struct limits){.caption_chars = units - 1});
    struct outgoing none =
        session_fixture_message(&s, &notice, can, (struct limits){.caption_chars = 5});
    assert_true(all.picture.n > 0 && str_is(same.text, all.text));
    assert_true(str_is(same.picture, all.picture) && str_is(shorter.picture, all.picture));
    assert_non_null(memmem(all.text.p, all.text.n, "\n12. ", 5));
    assert_null(memmem(shorter.text.p, shorter.text.n, "\n12. ", 5));
    assert_int_equal(none.picture.n, 0);
    assert_true(str_is(none.text, all.text));
}

/* ---- secrets ---- */

static cardset cards_of(const struct layout *l)
{
    cardset all = 0;
    for (int i = 0; i < l->n_cards; i++)
        all |= CARD(l->card[i].card);
    return all;
}

/* Random matches of all rule sets for two: `turn` is shown each before a move, `over` its end. */
static void watch_matches(uint64_t seed, void (*turn)(const struct session *s, struct rng *c),
                          void (*over)(const struct session *s))
{
    struct rng c = {seed};
    for (int i = 0; i < 60; i++) {
        struct session s = session_fixture_shuffled(i, false, &c);
        s.venue[0].board_picture = over != NULL;
        while (s.match.stage == MATCH_PLAYING) {
            turn(&s, &c);
            session_fixture_any_move(&s, &c);
        }
        if (over)
            over(&s);
    }
}

static struct {
    int lines, differed, boards, rounds, matches;
} seen;

static void look_at_hand(const struct session *s, struct rng *c)
{
    struct session other = *s;
    struct layout shown;
    struct err err;
    other.match = other_world(&s->match, 0, c);
    seen.differed += other.match.round.hand[1] != s->match.round.hand[1];
    struct str line = hand_message(s, CAN_PICTURE | CAN_BUTTONS, 0).picture;
    assert_true(line.n > 0);
    assert_true(str_is(line, hand_message(&other, CAN_PICTURE | CAN_BUTTONS, 0).picture));
    assert_true(layout_read(line, &shown, &err));
    cardset hidden = s->match.round.hand[1];
    for (int k = s->match.round.next; k < N_CARDS; k++)
        hidden |= CARD(s->match.round.deck[k]);
    assert_true((cards_of(&shown) & hidden) == 0);
    seen.lines++;
}

/* The line neither depends on hidden cards nor names one. */
TEST(line_reveals_no_hidden_card)
{
    watch_matches(7, look_at_hand, NULL);
    assert_true(seen.lines > 500 && seen.differed > 250);
}

/* The same match with the cards exchanged that are in no place for all to see. */
static struct session with_other_hands(const struct session *s)
{
    struct session other = *s;
    other.match.round.hand[0] = s->match.round.hand[1];
    other.match.round.hand[1] = s->match.round.hand[0];
    for (int i = other.match.round.next, k = N_CARDS - 1; i < k; i++, k--) {
        uint8_t card = other.match.round.deck[i];
        other.match.round.deck[i] = other.match.round.deck[k];
        other.match.round.deck[k] = card;
    }
    return other;
}

static struct outgoing table_message(const struct session *s, enum notice_kind kind,
                                     const struct round_summary *rounds, int n)
{
    return session_fixture_message(
        s, &(struct notice){.kind = (uint8_t)kind, .seat = SEAT_PUBLIC, .rounds = {n, rounds}},
        CAN_PICTURE | CAN_BUTTONS | CAN_EDIT | CAN_STYLE | CAN_FOLD, (struct limits){0});
}

/* The picture is there, and does not change with what nobody may see. */
static void same_picture(const struct session *s, enum notice_kind kind, int *ret_n)
{
    struct round_summary round = {.round = 1,
                                  .why = s->match.round.result.why,
                                  .winner = s->match.round.result.winner,
                                  .points = s->match.round.result.points,
                                  .base = s->match.round.result.score.base};
    memcpy(round.worth, s->match.round.result.score.worth, sizeof round.worth);
    struct session other = with_other_hands(s);
    struct str line = table_message(s, kind, &round, 1).picture,
               again = table_message(&other, kind, &round, 1).picture;
    assert_true(str_is(line, again));
    *ret_n += line.n > 0;
}

static void look_at_board(const struct session *s, struct rng *c)
{
    (void)c;
    same_picture(s, NOTICE_BOARD, &seen.boards);
}

static void look_at_end(const struct session *s)
{
    same_picture(s, NOTICE_ROUND, &seen.rounds);
    same_picture(s, NOTICE_MATCH, &seen.matches);
}

/* Boards, ends of rounds and of matches. */
TEST(pictures_for_all_reveal_no_hand)
{
    watch_matches(9, look_at_board, look_at_end);
    assert_true(seen.boards > 500 && seen.rounds > 10 && seen.matches == 60);
}

/* ---- the line ---- */

static bool same_rows(const struct layout *a, const struct layout *b)
{
    bool same = a->n_rows == b->n_rows && a->n_cards == b->n_cards &&
                memcmp(a->card, b->card, sizeof a->card) == 0;
    for (int i = 0; same && i < a->n_rows; i++) {
        const struct layout_row *r = &a->row[i], *q = &b->row[i];
        same = r->kind == q->kind && r->n_cards == q->n_cards && r->first == q->first &&
               r->n_texts == q->n_texts;
        for (int k = 0; same && k < r->n_texts; k++)
            same = str_is(r->text[k], q->text[k]);
    }
    return same;
}

static void add_random_card(struct layout *l, int card, struct rng *c)
{
    struct layout_card *added = layout_card(l, card);
    added->marked = rng_next(c) % 2 == 1;
    added->n_numbers = (uint8_t)(rng_next(c) % (LAYOUT_NUMBERS + 1));
    for (int i = 0; i < added->n_numbers; i++)
        added->number[i] = (uint8_t)(rng_next(c) % 48 + 1);
}

TEST(line_reads_back_equal)
{
    static const char *const words[] = {"", "Bo", "moon viewing 5", "\xd0\x91\xd0\xbe <&>"};
    struct rng c = {11};
    for (int i = 0; i < 500; i++) {
        struct layout l, again;
        struct err err;
        char line[LAYOUT_BYTES], twice[LAYOUT_BYTES];
        struct buf b = BUF(line), b2 = BUF(twice);
        int card = 0;
        layout_open(&l, "okoshki");
        for (int kind = 0; kind < LAYOUT_KINDS; kind++) {
            layout_row(&l, (enum layout_kind)kind);
            int n = kind == LAYOUT_DRAWN ? 1 : (int)(rng_next(&c) % 5);
            n = card + n > N_CARDS ? 0 : n;
            for (int k = 0; k < n; k++)
                add_random_card(&l, card++, &c);
            for (int k = (int)(rng_next(&c) % 4); k > 0; k--)
                layout_text(&l, str_of(words[rng_next(&c) % 4]));
        }
        layout_write(&l, &b);
        assert_false(b.cut);
        if (!layout_read(buf_str(&b), &again, &err))
            fail_msg("%s", err.text);
        assert_string_equal(again.deck, "okoshki");
        assert_true(same_rows(&l, &again));
        layout_write(&again, &b2);
        assert_true(str_is(buf_str(&b), buf_str(&b2)));
    }
}

/* All 48 cards, each with a number and a mark. */
TEST(longest_line_fits)
{
    struct layout l;
    char line[LAYOUT_BYTES];
    struct buf b = BUF(line);
    layout_open(&l, "abcdefghijklmnopqrstuvw");
    assert_string_equal(l.deck, "abcdefghijklmnopqrstuvw");
    layout_row(&l, LAYOUT_HAND);
    for (int card = 0; card < N_CARDS; card++) {
        struct layout_card *c = layout_card(&l, card);
        c->n_numbers = LAYOUT_NUMBERS;
        memset(c->number, 48, LAYOUT_NUMBERS);
        c->marked = true;
    }
    layout_write(&l, &b);
    assert_false(b.cut);
}

/* A name with a tab or a line feed adds neither words nor rows. */
TEST(words_cannot_break_a_row)
{
    struct layout l, again;
    char line[LAYOUT_BYTES];
    struct buf b = BUF(line);
    struct err err;
    layout_open(&l, "okoshki");
    layout_row(&l, LAYOUT_LINE);
    layout_text(&l, STR("Bo\nhand 1b\tCleo"));
    layout_write(&l, &b);
    assert_true(layout_read(buf_str(&b), &again, &err));
    assert_int_equal(again.n_rows, 1);
    assert_int_equal(again.row[0].n_texts, 1);
    assert_true(str_is(again.row[0].text[0], STR("Bo hand 1b Cleo")));
}

/* What does not fit is left out; the rest stands. */
TEST(ceilings_hold)
{
    static struct layout l;
    layout_open(&l, "okoshki");
    for (int i = 0; i < LAYOUT_MOST_ROWS + 9; i++)
        layout_row(&l, LAYOUT_LINE);
    assert_int_equal(l.n_rows, LAYOUT_MOST_ROWS);
    for (int i = 0; i < LAYOUT_MOST_TEXTS + 9; i++)
        layout_text(&l, STR("x"));
    assert_int_equal(l.row[LAYOUT_MOST_ROWS - 1].n_texts, LAYOUT_MOST_TEXTS);
    for (int i = 0; i < LAYOUT_MOST_CARDS; i++)
        assert_non_null(layout_card(&l, i % N_CARDS));
    assert_null(layout_card(&l, 0));
    assert_int_equal(l.n_cards, LAYOUT_MOST_CARDS);
}

/* What pays is shown again beside the table; a row has each card once. */
TEST(every_card_may_stand_in_each_row)
{
    static const char *const rows[] = {"field", "hand", "pile", "yaku", "moment", "drawn"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int card = 0; card < N_CARDS; card++) {
            char code[CARD_CODE_SIZE], text[128];
            struct layout l = {0};
            struct err err = {""};
            bool again = strcmp(rows[i], "yaku") == 0 || strcmp(rows[i], "moment") == 0;
            card_code(card, code);
            snprintf(text, sizeof text, "hanafuda\n%s %s", rows[i], code);
            if (!layout_read(str_of(text), &l, &err) || l.n_cards != 1)
                fail_msg("\"%s\": %s", text, err.text);
            snprintf(text, sizeof text, "hanafuda\nfield %s\n%s %s", code, rows[i], code);
            if (layout_read(str_of(text), &l, &err) != again)
                fail_msg("\"%s\" was %sread", text, again ? "not " : "");
        }
}

TEST(read_refuses_other_lines)
{
    static const char *const bad[] = {
        "",
        "hanafuda\n",
        "hanafuda\n1b",
        "hanafuda\nboard 1b",
        "hanafuda\nfield  1b",
        "hanafuda\nfield 1b 2a",
        "hanafuda field 1b",
        "\nfield 1b",
        "../x\nfield 1b",
        "a/b\nfield 1b",
        "Hanafuda\nfield 1b",
        "hanafuda\nyaku 1b,1b",
        "hanafuda\nfield 1b#1#1#1#1#1#1#1#1#1",
        "hanafuda\nline\ta\tb\tc\td\te\tf\tg\th\ti\tj\tk\tl\tm\tn\to\tp\tq",
        "hanafuda\nline\ta\x01",
        "hanafuda\ndrawn",
        "abcdefghijklmnopqrstuvwx\nfield 1b",
        "hanafuda\nfield 1c",
        "hanafuda\nfield 13b",
        "hanafuda\nfield 1b\nhand 1b",
        "hanafuda\nfield 1b,",
        "hanafuda\nfield ,1b",
        "hanafuda\nfield 1b,,2a",
        "hanafuda\ndrawn 1b,2a",
        "hanafuda\nfield 1b#",
        "hanafuda\nfield 1b#0",
        "hanafuda\nfield 1b#01",
        "hanafuda\nfield 1b#49",
        "hanafuda\nfield 1b#-1",
        "hanafuda\nfield 1b!#1",
        "hanafuda\nfield 1b!!",
        "hanafuda\nfield 1b ",
        "hanafuda\nfield 1b\nhand \n",
        "hanafuda\nfield 1b\nhand ",
        "hanafuda\nfield ",
        "hanafuda\nfield \nhand 1b",
        "hanafuda\nfield 1b\n"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct layout l = {.deck = "before"};
        struct err err = {""};
        if (layout_read(str_of(bad[i]), &l, &err))
            fail_msg("\"%s\" was read", bad[i]);
        assert_true(str_starts(str_of(err.text), STR("picture: ")));
        assert_string_equal(l.deck, "before");
    }
}

TESTS_WITH(session_fixture_setup, session_fixture_teardown)
