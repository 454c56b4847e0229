/* The wall clock is set, or the machine suspended, in the middle of three games. In each case the
 * bot answers the next message at once, every player keeps the time they had left, no match is
 * forfeited, and the match ends as usual. */
#include "fixture/daemon_run.h"

#include "store_season.h"

#include "notation.h"
#include "replay.h"
#include "store_duel.h"
#include "store_puzzle.h"

enum { SECOND = 1000, MINUTE = 60 * SECOND, GAMES = 3 };
static const int64_t HOUR = 60 * MINUTE, DAY = 24 * (int64_t)3600 * SECOND;
static const int64_t NOVEMBER_21 = INT64_C(1795262400000); /* 2026, 12:00 UTC */

/* 1: ann and bo in tea, four hours a move. 2: ann and the computer in den. 3: a challenge in
 * lair. */
static const char *const chats[GAMES] = {"tea", "den", "lair"};

/* Moments at which the clocks are disturbed. */
enum when { IN_A_SLEEP, BETWEEN_TWO_TURNS, WHILE_STOPPED, SUSPENDED };

static struct err err;
static struct daemon_run *life;

static void open_daemon(void)
{
    life = daemon_run_open(STR(""), DB_FAILS, 0, 0);
    assert_non_null(life);
}

static void types(const char *chat, const char *from, const char *text)
{
    peer_types(daemon_run_peer, chat, from, text);
    daemon_run_for(life, SECOND);
}

static struct session session(int64_t no)
{
    struct session s;
    daemon_run_session(daemon_run_store(life), no, &s);
    return s;
}

/* The player to move plays a card that takes in one way only, or chooses what the draw takes. */
static void plays(int64_t no)
{
    struct ruleset g;
    struct move legal[MAX_MOVES];
    char code[CARD_CODE_SIZE], text[32] = "/play 1";
    struct session s = session(no);
    int seat = session_turn(&s);
    ruleset_make(&s.rules, &g);
    int n = round_legal(&g, &s.match.round, seat, legal);
    for (int i = 0; i < n && legal[0].kind == MOVE_PLAY; i++) {
        int same = 0;
        for (int k = 0; k < n; k++)
            same += legal[k].card == legal[i].card;
        card_code(legal[i].card, code);
        if (same == 1)
            snprintf(text, sizeof text, "/play %s", code);
    }
    types(chats[no - 1], s.player[seat].id, text);
    assert_true(session(no).version > s.version);
}

static void begin(void)
{
    fake_clock_wrong = NOVEMBER_21;
    open_daemon();
    types("tea", "ann", "/challenge @bo standard 3 clock=4h table_four=keep");
    types("tea", "bo", "/accept");
    types("den", "ann", "/challenge computer standard 3 table_four=keep");
    types("den", "ann", "/accept");
    types("lair", "ann", "/challenge @bo standard 3");
    daemon_run_for(life, MINUTE);
    plays(1);
}

static int said(const char *part)
{
    return peer_asked(daemon_run_peer, "sendMessage", part);
}

/* Time until the move is late, or the challenge expires. */
static int64_t left(int64_t no)
{
    struct session s = session(no);
    return (s.phase == SESSION_PLAYING ? session_deadline(&s) : s.due) - daemon_run_wall();
}

static void disturb(enum when when, int64_t ms)
{
    switch (when) {
    case IN_A_SLEEP:
        daemon_run_disturb(ms, 0);
        break;
    case BETWEEN_TWO_TURNS:
        fake_clock_wrong += ms;
        break;
    case WHILE_STOPPED:
        daemon_run_close(life);
        fake_clock_wrong += ms;
        open_daemon();
        break;
    case SUSPENDED:
        daemon_run_disturb(0, ms);
        break;
    }
}

/* The bot answers the next message in each chat at once. */
static void check_answers(void)
{
    for (int i = 0; i < GAMES; i++) {
        char text[32], pong[32];
        snprintf(text, sizeof text, "/ping %s", chats[i]);
        snprintf(pong, sizeof pong, "pong %s", chats[i]);
        int before = said(pong);
        types(chats[i], "ann", text);
        assert_int_equal(said(pong), before + 1);
    }
}

static void check_match_goes_on_to_its_end(void)
{
    int line = 0;
    plays(1);
    plays(1);
    types("tea", "ann", "/resign");
    types("tea", "ann", "/resign");
    assert_int_equal(session(1).phase, SESSION_OVER);
    struct store *store = daemon_run_store(life);
    struct str lines = store_record(store, daemon_run_arena, 1);
    OK(replay_record(lines, NULL, &line, &err));
    struct standings rows = store_standings(store, daemon_run_arena, 1, STR("2026-Q4"), 10);
    assert_int_equal(rows.n, 2);
    for (int i = 0; i < 2; i++) {
        struct tally t = rows.at[i].tally;
        assert_int_equal(t.won + t.lost, 1);
        assert_int_equal(t.won, i == 0);
    }
}

static void story(enum when when, int64_t ms)
{
    static const int64_t whole[GAMES] = {4 * 3600 * SECOND, 0, 24 * 3600 * SECOND};
    int64_t before[GAMES];
    int64_t size = ms < 0 ? -ms : ms;
    /* Between two runs a minute back looks like a stop that was a minute shorter. */
    int64_t unseen = when == WHILE_STOPPED && ms == -MINUTE ? MINUTE : 0;
    begin();
    plays(2); /* the clock is set while the computer thinks */
    for (int i = 0; i < GAMES; i++)
        before[i] = left(i + 1);
    uint32_t version = session(2).version;
    disturb(when, ms);
    types("tea", "bo", "/claim");
    types("tea", "ann", "/claim");
    check_answers();
    daemon_run_for(life, MINUTE / 2 + unseen);
    assert_true(session(2).version > version); /* the computer has moved */
    for (int i = 0; i < GAMES; i++) {
        if (whole[i] == 0)
            continue;
        assert_in_range(left(i + 1), 1, whole[i] + unseen);
        assert_in_range(left(i + 1), before[i] - 3 * MINUTE, before[i] + 2 * MINUTE);
    }
    bool stop = size > MINUTE && (when == SUSPENDED || (when == WHILE_STOPPED && ms > 0));
    assert_int_equal(said("I was away"), stop ? 2 : 0);
    assert_int_equal(said("runs out") + said("time is up") + said("expired"), 0);
    assert_int_equal(session(1).phase, SESSION_PLAYING);
    assert_int_equal(session(3).phase, SESSION_OFFERED);
    check_match_goes_on_to_its_end();
    daemon_run_close(life);
    daemon_run_end();
    daemon_run_begin();
}

static void stories(enum when when, bool back)
{
    const int64_t sizes[] = {MINUTE, 25 * HOUR, 10 * DAY};
    for (int i = 0; i < 3; i++) {
        story(when, sizes[i]);
        if (back)
            story(when, -sizes[i]);
    }
}

DAEMON_TEST(a_clock_set_in_mid_match_changes_nothing)
{
    stories(IN_A_SLEEP, true);
}

DAEMON_TEST(a_clock_set_between_two_turns_changes_nothing)
{
    stories(BETWEEN_TWO_TURNS, true);
}

DAEMON_TEST(a_clock_set_while_stopped_takes_no_time_from_players)
{
    stories(WHILE_STOPPED, true);
}

DAEMON_TEST(a_machine_that_resumes_is_a_daemon_that_was_away)
{
    stories(SUSPENDED, false);
}

/* More chats than one transaction handles, and a move that arrives with the jump: the opponent of
 * its player has exactly the whole time. */
DAEMON_TEST(a_move_that_comes_with_the_jump_is_timed_once)
{
    const int64_t jumps[] = {-10 * DAY, 10 * DAY};
    char chat[16], person[16];
    for (int k = 0; k < 2; k++) {
        fake_clock_wrong = NOVEMBER_21;
        open_daemon();
        for (int i = 0; i < 60; i++) {
            snprintf(chat, sizeof chat, "room%d", i);
            snprintf(person, sizeof person, "p%d", i);
            types(chat, person, "/challenge open standard 3");
        }
        types("tea", "ann", "/challenge @bo standard 3 clock=4h table_four=keep");
        types("tea", "bo", "/accept");
        struct session is = session(61);
        fake_clock_wrong += jumps[k];
        types("tea", is.player[session_turn(&is)].id, "/play 1");
        assert_true(session(61).version > is.version);
        assert_in_range(left(61), 3 * HOUR, 4 * HOUR);
        for (int i = 1; i <= 60; i++)
            assert_in_range(left(i), 23 * HOUR, DAY);
        daemon_run_close(life);
        daemon_run_end();
        daemon_run_begin();
    }
}

/* A machine that began with a clock years ahead: what comes daily goes on by the right one. */
static void daily_days(int64_t *ret_puzzle, int64_t *ret_duel)
{
    struct store *store = daemon_run_store(life);
    *ret_puzzle = store_daily_post(store, &puzzle_posts, 1).day;
    *ret_duel = store_duel(store, daemon_run_arena, 1).day;
}

DAEMON_TEST(what_comes_daily_does_not_wait_for_the_time_of_a_wrong_clock)
{
    const int64_t years = 4000 * DAY, morning = 80 * MINUTE; /* from 8:50 to 10:10 */
    int64_t puzzle, duel;
    for (int stopped = 0; stopped < 2; stopped++) {
        enum when when = stopped ? WHILE_STOPPED : BETWEEN_TWO_TURNS;
        fake_clock_wrong = NOVEMBER_21 - 3 * HOUR - 10 * MINUTE;
        open_daemon();
        types("@ann", "ann", "/settings puzzle=9:00 duel=10:00");
        daemon_run_for(life, morning);
        disturb(when, years);
        daemon_run_for(life, morning);
        daily_days(&puzzle, &duel);
        assert_int_equal(puzzle, daemon_run_wall() / DAY);
        assert_int_equal(duel, puzzle);
        disturb(when, DAY - years - 2 * morning);
        daemon_run_for(life, morning);
        daily_days(&puzzle, &duel);
        assert_int_equal(puzzle, daemon_run_wall() / DAY);
        assert_int_equal(duel, puzzle);
        daemon_run_close(life);
        daemon_run_end();
        daemon_run_begin();
    }
}
