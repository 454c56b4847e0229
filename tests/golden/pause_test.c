/* The computer's pause is chance alone: with the same chance it is the same whatever the deal, the level and
 * the number of its moves, and over many turns it takes the whole of its span. */
#include "engine/stride.h"
#include "engine/test.h"
#include "golden/chat_harness.h"

enum { SHORTEST_MS = 600, LONGEST_MS = 1600, BINS = 5, TURNS = 300 };

struct turn_seen {
    int64_t pause;
    int moves; /* legal ones */
};

static bool computer_to_move(struct chat_harness *s, struct turn_seen *ret)
{
    struct session now;
    struct ruleset g;
    struct move legal[MAX_MOVES];
    if (!chat_harness_session(s, &now) || now.phase != SESSION_PLAYING)
        return false;
    int turn = session_turn(&now);
    if (turn < 0 || !session_by_computer(&now, turn))
        return false;
    ruleset_make(&now.rules, &g);
    *ret = (struct turn_seen){now.due - now.moved, round_legal(&g, &now.match.round, turn, legal)};
    return true;
}

/* The first pause of a match whose deck is shuffled from this seed; Alice's one move before it is a tap. */
static struct turn_seen first_pause(int deal, const char *level)
{
    struct chat_harness *s = chat_harness_open(CAN_BUTTONS | CAN_DIRECT | CAN_EDIT | CAN_POPUP);
    struct turn_seen seen = {-1, 0};
    char words[80], seeds[40];
    snprintf(seeds, sizeof seeds, "u%d | v%d", deal, deal);
    snprintf(words, sizeof words, "/challenge computer %s standard first_dealer=challenger", level);
    chat_harness_draw(s, 1, 1, seeds);
    chat_harness_type(s, "alice", "tea", true, words);
    assert_true(chat_harness_press(s, "alice", "Start"));
    s->chance = 32;
    bool one = chat_harness_auto(s, false);
    if (!computer_to_move(s, &seen)) /* she was asked which card, or has made a yaku */
        one = false;
    chat_harness_close(s);
    return one ? seen : (struct turn_seen){-1, 0};
}

TEST(it_is_the_same_for_easy_and_hard_moves)
{
    static const char *const levels[] = {"beginner", "normal", "master"};
    int64_t pause = -1;
    int seen = 0, fewest = MAX_MOVES, most = 0, deals = stride(8, 24);
    for (int deal = 0; deal < deals; deal++)
        for (int l = 0; l < 3; l++) {
            struct turn_seen first = first_pause(deal, levels[l]);
            if (first.pause < 0)
                continue;
            if (pause >= 0 && first.pause != pause)
                fail_msg("%d moves, level %s: a pause of %lld ms, others have %lld", first.moves,
                         levels[l], (long long)first.pause, (long long)pause);
            pause = first.pause;
            fewest = first.moves < fewest ? first.moves : fewest;
            most = first.moves > most ? first.moves : most;
            seen++;
        }
    print_message("%d turns with %d to %d moves\n", seen, fewest, most);
    assert_true(seen > deals && most >= fewest + 2);
}

TEST(it_takes_the_whole_span)
{
    struct chat_harness *s = chat_harness_open(CAN_BUTTONS | CAN_DIRECT | CAN_EDIT | CAN_POPUP);
    struct turn_seen seen;
    struct session now;
    int bins[BINS] = {0}, n = 0;
    for (int tries = 0; n < TURNS && tries < 50 * TURNS; tries++) {
        chat_harness_forget(s);
        if (computer_to_move(s, &seen)) {
            assert_in_range(seen.pause, SHORTEST_MS, LONGEST_MS);
            bins[(seen.pause - SHORTEST_MS) * BINS / (LONGEST_MS + 1 - SHORTEST_MS)]++;
            n++;
            chat_harness_wait(s, LONGEST_MS + 1);
        } else if (!chat_harness_session(s, &now)) {
            chat_harness_type(s, "alice", "tea", true, "/challenge computer easy standard 12");
        } else if (!chat_harness_auto(s, true)) {
            chat_harness_type(s, "alice", "tea", true, "/ready");
            chat_harness_wait(s, (int64_t)60 * 1000);
        }
    }
    assert_int_equal(n, TURNS);
    for (int i = 0; i < BINS; i++)
        assert_in_range(bins[i], TURNS / BINS * 6 / 10, TURNS / BINS * 14 / 10);
    chat_harness_close(s);
}

/* Its time to think is the operator's, who may change it while matches run. */
TEST(its_time_to_think_is_read_again)
{
    struct chat_harness *s = chat_harness_open(CAN_BUTTONS | CAN_DIRECT | CAN_EDIT | CAN_POPUP);
    struct inbox_parts parts = {.default_rules = STR("sensei"), .default_language = STR("en")};
    struct turn_seen seen;
    struct err err;
    chat_harness_type(s, "alice", "tea", true, "/challenge computer easy standard 12");
    assert_true(chat_harness_press(s, "alice", "Start"));
    for (parts.think_ms = 300; parts.think_ms > 3; parts.think_ms /= 10) {
        chat_harness_must(inbox_reload(s->inbox, &parts, &err), &err);
        s->jobs[0].ms = 0;
        while (!computer_to_move(s, &seen))
            assert_true(chat_harness_auto(s, true));
        chat_harness_wait(s, LONGEST_MS + 1);
        assert_int_equal(s->jobs[0].ms, parts.think_ms);
    }
    chat_harness_close(s);
}
