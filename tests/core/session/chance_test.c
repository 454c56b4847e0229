/* The fair shuffle against the published scheme: test vectors, lots, and inputs that it refuses. */
#include "engine/test.h"
#include "chance.h"
#include "engine/table.h"

static struct seed counting(void)
{
    struct seed s;
    for (int i = 0; i < SEED_SIZE; i++)
        s.at[i] = (uint8_t)i;
    return s;
}

#define BEACON "e0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"

/* The vectors of the formats' page; tests/formats/check_record.py gives the same. */
TEST(published_vectors_hold)
{
    static const struct {
        const char *id;
        int round, attempt, players;
        const char *clients[3], *starts, *beacon;
    } vectors[] = {
        {"M", 1, 1, 2, {"a", "b"}, "6p1 1b 8p1 8p2 10p1 3r 7a 6p2 3p1 2a 1p1 9p2", ""},
        {"M", 1, 2, 2, {"a", "b"}, "1p1 5r 1p2 1r 4r 9p2 8p1 9r 6p1 5a 12p2 7p2", ""},
        {"M", 0, 1, 2, {"a", "b"}, "10r 3b 11a 8a 2p2 6a 10p2 6r 5a 7r 2p1 4p1", ""},
        {"M", 12, 1, 3, {"a", "b", "c"}, "11b 10p1 8b 6p1 11p 1r 8p1 10p2 1b 9p2 3b 6p2", ""},
        {"tea-room",
         3,
         1,
         2,
         {"cut the deck", "\xc3\xa9"},
         "3b 7p1 1b 6p2 3p2 11r 4p2 7a 10p2 1p1 8p1 9p1",
         ""},
        {"M", 1, 1, 2, {"a", "b"}, "6a 3b 10a 12p1 1p1 2a 8p1 4p1 11b 6p1 1b 5a", BEACON},
        {"M",
         3,
         2,
         3,
         {"seat 0", "seat 1", "seat 2"},
         "5a 12p3 7r 1p2 3p2 12p1 2p2 3p1 8a 7p1 2p1 2r",
         BEACON},
    };
    struct seed s = counting();
    struct str clients[MAX_PLAYERS];
    uint8_t deck[N_CARDS], wanted[N_CARDS];
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        for (int p = 0; p < vectors[i].players; p++)
            clients[p] = str_of(vectors[i].clients[p]);
        chance_shuffle(&s, str_of(vectors[i].id), vectors[i].round, vectors[i].attempt,
                       vectors[i].players, clients, str_of(vectors[i].beacon), deck);
        deck_starting(vectors[i].starts, wanted);
        assert_memory_equal(deck, wanted, 12);
    }
}

/* python3 -c 'import hashlib; print(hashlib.sha256(bytes(range(32))).hexdigest())' */
/* Made with Python's hmac, by the formula of the formats' page. */
TEST(seeds_of_a_duel_follow_from_its_day)
{
    struct seed day = counting(), deal;
    char hex[SEED_HEX_SIZE];
    chance_duel(&day, 1, 1, &deal);
    chance_hex(&deal, hex);
    assert_string_equal(hex, "90b3205083c9587934e66579fbaaa830932e320bae95fcd295e4627df9c27998");
    chance_duel(&day, 3, 2, &deal);
    chance_hex(&deal, hex);
    assert_string_equal(hex, "e1f7c99ba6f36f34feef8f6f6bbf3ce1a2167cae799d3d4c1716a63f294020ed");
}

TEST(a_commitment_is_sha256)
{
    struct seed s = counting(), back;
    char hex[SEED_HEX_SIZE];
    chance_commit(&s, hex);
    assert_string_equal(hex, "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd");
    chance_hex(&s, hex);
    assert_true(chance_read_seed(str_of(hex), &back));
    assert_memory_equal(&back, &s, sizeof s);
}

/* python3 -c 'import hashlib; print(hashlib.sha256(bytes(range(48))).hexdigest())' */
TEST(a_beacon_value_is_the_hash_of_its_signature)
{
    const struct str value =
        STR("4dbdc2b2b62cb00749785bc84202236dbc3777d74660611b8e58812f0cfde6c3");
    char signature[97] = "", upper[97];
    for (int i = 0; i < 48; i++)
        snprintf(signature + 2 * i, 3, "%02x", (unsigned)i);
    memcpy(upper, signature, sizeof upper);
    upper[21] = 'A';
    assert_true(chance_is_hash(value, str_of(signature)));
    assert_false(chance_is_hash(value, str_of(upper)));
    assert_false(chance_is_hash(value, (struct str){signature, 95}));
    assert_false(chance_is_hash(value, (struct str){signature, 94}));
    assert_false(chance_is_hash(value, STR("")));
    assert_false(chance_is_hash((struct str){value.p, 63}, str_of(signature)));
}

TEST(a_seed_is_64_digits_in_lower_case)
{
    char hex[80];
    struct seed s = counting(), before = s;
    memset(hex, 'a', sizeof hex);
    assert_false(chance_read_seed((struct str){hex, 63}, &s));
    assert_false(chance_read_seed((struct str){hex, 65}, &s));
    hex[10] = 'A';
    assert_false(chance_read_seed((struct str){hex, 64}, &s));
    hex[10] = 'g';
    assert_false(chance_read_seed((struct str){hex, 64}, &s));
    assert_memory_equal(&s, &before, sizeof s);
}

TEST(every_part_of_the_message_changes_the_deck)
{
    struct seed s = counting(), other = s;
    struct str ab[] = {STR("a"), STR("b")}, ba[] = {STR("b"), STR("a")},
               joined[] = {STR("ab"), STR("")};
    struct str three[] = {STR("a"), STR("b"), STR("c")};
    uint8_t decks[9][N_CARDS];
    other.at[31] ^= 1;
    chance_shuffle(&s, STR("M"), 1, 1, 2, ab, NO_BEACON, decks[0]);
    chance_shuffle(&s, STR("N"), 1, 1, 2, ab, NO_BEACON, decks[1]);
    chance_shuffle(&s, STR("M"), 2, 1, 2, ab, NO_BEACON, decks[2]);
    chance_shuffle(&s, STR("M"), 1, 2, 2, ab, NO_BEACON, decks[3]);
    chance_shuffle(&s, STR("M"), 1, 1, 2, ba, NO_BEACON, decks[4]);
    chance_shuffle(&s, STR("M"), 1, 1, 2, joined, NO_BEACON, decks[5]);
    chance_shuffle(&other, STR("M"), 1, 1, 2, ab, NO_BEACON, decks[6]);
    chance_shuffle(&s, STR("M"), 1, 1, 3, three, NO_BEACON, decks[7]);
    chance_shuffle(&s, STR("M"), 11, 1, 2, ab, NO_BEACON, decks[8]);
    for (int i = 0; i < 9; i++) {
        cardset all = 0;
        for (int c = 0; c < N_CARDS; c++)
            all |= CARD(decks[i][c]);
        assert_true(all == ALL_CARDS);
        for (int j = 0; j < i; j++)
            assert_memory_not_equal(decks[i], decks[j], N_CARDS);
    }
}

/* 48 * 400 shuffles: each card lies on top, and at the bottom, about 400 times; 100 are five
 * sigma. */
TEST(every_card_comes_up_equally_often)
{
    struct str clients[] = {STR("x"), STR("y")};
    int top[N_CARDS] = {0}, bottom[N_CARDS] = {0};
    uint8_t deck[N_CARDS];
    struct seed s = counting();
    for (int i = 0; i < N_CARDS * 400; i++) {
        s.at[0] = (uint8_t)i;
        s.at[1] = (uint8_t)(i >> 8);
        chance_shuffle(&s, STR("M"), 1, 1, 2, clients, NO_BEACON, deck);
        top[deck[0]]++;
        bottom[deck[N_CARDS - 1]]++;
    }
    for (int c = 0; c < N_CARDS; c++) {
        assert_in_range(top[c], 300, 500);
        assert_in_range(bottom[c], 300, 500);
    }
}

TEST(text_with_a_zero_byte_is_refused)
{
    assert_true(chance_text_ok(STR("")));
    assert_true(chance_text_ok(STR("cut \xe2\x9c\x82")));
    assert_false(chance_text_ok((struct str){"a\0b", 3}));
}

static void check_lots(const char *deck_codes, int players, const char *joined, const char *lots)
{
    uint8_t deck[N_CARDS];
    struct str rest = str_of(lots);
    struct seats s;
    deck_starting(deck_codes, deck);
    chance_seats(FIRST_LOTS, players, deck, &s);
    assert_true(s.has_lots);
    assert_int_equal(s.dealer, 0);
    for (int p = 0; p < players; p++) {
        struct str w = str_word(&rest);
        assert_int_equal(s.joined[p], joined[p] - '0');
        assert_int_equal(s.lots[p], card_read(w.p, w.n));
    }
}

TEST(earliest_month_deals_first)
{
    check_lots("7p1 3b", 2, "10", "3b 7p1");
    check_lots("3b 7p1", 2, "01", "3b 7p1");
    check_lots("8a 8b", 2, "10", "8b 8a"); /* same month: more points first */
    check_lots("5a 12b 1p1", 3, "201", "1p1 5a 12b");
}

TEST(tied_lots_are_drawn_again)
{
    check_lots("12p1 12p2 9r 2r", 2, "10", "2r 9r");
    check_lots("12p1 12p2 4p1 4p2 6a 5a", 2, "10", "5a 6a");
    /* Only those who tie draw again, in joining order, and are ranked with everybody. */
    check_lots("6p1 1b 6p2 12b 2a", 3, "120", "1b 2a 12b");
    check_lots("6p1 1r 6p2 7p1 7p2 3b 8b", 3, "102", "1r 3b 8b");
}

TEST(first_dealer_without_lots)
{
    uint8_t deck[N_CARDS];
    struct seats s;
    deck_starting("9a", deck);
    chance_seats(FIRST_CHALLENGER, 2, deck, &s);
    assert_false(s.has_lots);
    assert_int_equal(s.dealer, 0);
    chance_seats(FIRST_RANDOM, 2, deck, &s); /* month 9 */
    assert_false(s.has_lots);
    assert_int_equal(s.dealer, 1);
    chance_seats(FIRST_RANDOM, 3, deck, &s);
    assert_int_equal(s.dealer, 0);
    assert_int_equal(s.joined[2], 2);
}
