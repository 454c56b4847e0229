/* What networks can hold: 4096 UTF-16 units a message, 200 a popup. Three people with the widest
 * names at the end of a round with everything on the table, a hand of the longest names, a score
 * of 48 rounds: hands and boards are whole; the score leaves out its first rounds and says so. */
#include "engine/test.h"
#include "fixture/session_fixture.h"

#include "adapter.h"
#include "present.h"

enum { MESSAGE = 4096, POPUP = 200 };

/* Players with the widest names, `moves` into the round; koi-koi is called whenever possible. */
static struct session table(const char *preset, int players, const uint8_t deck[static N_CARDS],
                            int moves)
{
    static const char *const names[] = {"🎴🎴🎴🎴🎴🎴🎴🎴🎴🎴🎴🎴🎴🎴🎴🎴", "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW",
                                        "日本語日本語日本語日本語日本語日"};
    struct session s = session_fixture_match(session_fixture_rules(preset), players);
    struct ruleset g;
    struct move legal[MAX_MOVES];
    s.no = 9999999999;
    s.time.move_ms = 86400000;
    NAME_PUT(s.venue[0].chat_name, str_of(names[0]));
    for (int i = 0; i < players; i++) {
        NAME_PUT(s.player[i].name, str_of(names[i]));
        memset(s.player[i].seed, 'W', CUT_SIZE - 1);
    }
    session_fixture_deal(&s, deck);
    ruleset_make(&s.rules, &g);
    for (int i = 0; i < moves && s.match.stage == MATCH_PLAYING; i++) {
        int n = round_legal(&g, &s.match.round, s.match.round.turn, legal), pick = 0;
        for (int k = 0; k < n; k++)
            if (legal[k].kind == MOVE_KOIKOI)
                pick = k;
        match_apply(&g, &s.match, s.match.round.turn, legal[pick], NULL);
    }
    return s;
}

/* The message of this notice to the first player, or to the table. */
static struct outgoing said(const struct session *s, enum notice_kind kind, int seat,
                            const struct round_summary *rounds, int n_rounds)
{
    const struct notice notice = {
        .kind = (uint8_t)kind, .seat = (int8_t)seat, .rounds = {n_rounds, rounds}};
    struct outgoing o = session_fixture_message(
        s, &notice, CAN_BUTTONS | CAN_EDIT | CAN_DIRECT | CAN_STYLE | CAN_FOLD | CAN_POPUP,
        (struct limits){.text_chars = MESSAGE, .popup_chars = POPUP, .counts_utf16 = true});
    for (int i = 0; i < o.n_buttons; i++)
        assert_true(o.buttons[i].data.n <= BUTTON_DATA);
    return o;
}

static bool is_cut(struct str s)
{
    return s.n >= 3 && memcmp(s.p + s.n - 3, "…", 3) == 0;
}

TEST(hands_and_boards_fit_into_a_message)
{
    int longest = 0;
    for (int i = 0; i < 300; i++) {
        uint8_t deck[N_CARDS];
        deck_shuffled((uint64_t)i * 7919 + 1, deck);
        struct session s = table("mongolopedia", 3, deck, i % 45);
        if (s.match.stage != MATCH_PLAYING)
            continue;
        static const enum notice_kind kinds[] = {NOTICE_BOARD, NOTICE_HAND, NOTICE_YAKU};
        for (int k = 0; k < 3; k++) {
            int seat = kinds[k] == NOTICE_BOARD ? SEAT_PUBLIC : s.match.round.turn;
            struct outgoing o = said(&s, kinds[k], seat, NULL, 0);
            int units = text_units(o.text, true);
            longest = units > longest ? units : longest;
            assert_true(units <= MESSAGE);
            assert_false(is_cut(o.text));
        }
    }
    assert_true(longest > 1500); /* they were long ones */
}

/* Eight cards with the longest names do not fit into a popup; their codes do. */
TEST(popup_shows_every_card)
{
    for (int i = 0; i < 200; i++) {
        uint8_t deck[N_CARDS];
        deck_shuffled((uint64_t)i * 104729 + 3, deck);
        struct session s = table("okoshki", 2, deck, 0);
        if (s.match.stage != MATCH_PLAYING)
            continue;
        s.player[0].channel = CHANNEL_POPUP;
        struct outgoing o = said(&s, NOTICE_HAND, 0, NULL, 0);
        assert_int_equal(o.kind, OUT_ANSWER);
        assert_true(text_units(o.text, true) <= POPUP);
        int cards = 1;
        for (size_t k = 0; k < o.text.n; k++)
            cards += o.text.p[k] == ',';
        assert_int_equal(cards, 8);
        assert_false(is_cut(o.text));
    }
}

TEST(long_score_shows_the_last_rounds)
{
    static struct round_summary notes[48];
    uint8_t deck[N_CARDS];
    for (int i = 0; i < 48; i++) {
        notes[i] = (struct round_summary){
            .round = i + 1, .why = WHY_STOP, .winner = (int8_t)(i % 3), .base = 40, .points = 160};
        for (int y = YAKU_TSUKIMI; y < N_YAKU; y++)
            notes[i].worth[y] = 12;
        for (int m = 0; m < N_MULTIPLIERS; m++)
            notes[i].x[m] = 2;
    }
    deck_shuffled(1, deck);
    struct session s = table("mongolopedia", 3, deck, 3);
    struct outgoing few = said(&s, NOTICE_SCORE, SEAT_PUBLIC, notes, 2),
                    all = said(&s, NOTICE_SCORE, SEAT_PUBLIC, notes, 48);
    assert_null(memmem(few.text.p, few.text.n, "earlier", 7));
    assert_true(text_units(all.text, true) <= MESSAGE);
    assert_non_null(memmem(all.text.p, all.text.n, "earlier rounds", 14));
    assert_non_null(memmem(all.text.p, all.text.n, "wins round 48", 13));
    assert_null(memmem(all.text.p, all.text.n, "wins round 1:", 13));
}

TESTS_WITH(session_fixture_setup, session_fixture_teardown)
