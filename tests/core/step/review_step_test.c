/* Hints: computed from the owner's view, shown to the owner alone, dropped when out of date,
 * refused in matches of the season. And the names of characters. */
#include "engine/test.h"
#include "fixture/session_fixture.h"

#include "character.h"
#include "hint.h"
#include "present.h"

/* Ann deals and is to move, against Bo or the computer. */
static struct session table(bool computer, const char *bo, const char *stock)
{
    const char *hands[2] = {"3p1 9p1 8b 4p1 5p1 6p1 7p1 12p1", bo};
    uint8_t deck[N_CARDS];
    struct session s = session_fixture_match(session_fixture_rules("standard"), 2);
    s.timer = TIMER_ABANDON;
    if (computer) {
        s.player[1].person = 0;
        s.player[1].computer = true;
        NAME_PUT(s.player[1].id, STR(""));
    }
    deck_of(&s.rules, 2, 0, hands, "3r 9a 1p1 2r 4p2 5p2 6p2 10p2", stock, deck);
    session_fixture_deal(&s, deck);
    return s;
}

static uint8_t chance; /* each byte of it, in the next event */

static struct effects *step(const struct session *s, enum verb verb, struct str words,
                            int64_t version, uint32_t can, enum verdict *ret)
{
    struct effects *fx = arena_new(session_fixture_arena, struct effects);
    struct world w = {.bot = &session_fixture_bot,
                      .me = {.person = 1},
                      .chat = {.id = 3},
                      .here = {1, {s}},
                      .named = s,
                      .zone_ok = true,
                      .can = can};
    struct event e = {.verb = verb,
                      .account = 1,
                      .chat = STR("tea"),
                      .words = words,
                      .from = {.id = STR("a"), .name = STR("Ann")},
                      .now = 1000,
                      .no = verb == VERB_HINTED ? s->no : 0,
                      .index = -1,
                      .version = version};
    chat_settings_default(&w.chat.settings);
    memset(e.chance, chance, sizeof e.chance);
    fx->arena = session_fixture_arena;
    *ret = bot_step(&w, &e, fx);
    return fx;
}

static const char answer[] = "3p1=3r 61 1 0 7 9 34 12 0 0 0 0 0 0 0 0";

TEST(hint_is_asked_for_a_view_without_hidden_cards)
{
    enum verdict verdict;
    struct session s = table(true, "1b 1r 2p1 2p2 7p2 8p1 9p2 10p1", "12b 3b");
    struct session t = table(true, "12b 3b 2p1 2p2 7p2 8p1 9p2 10p1", "1b 1r");
    struct effects *one = step(&s, VERB_HINT, STR(""), -1, CAN_EDIT, &verdict);
    assert_int_equal(verdict, TAKEN);
    assert_true(one->job);
    assert_int_equal(one->job->kind, JOB_HINT);
    assert_true(one->n_saves == 1 && one->save[0]->move.hinted);
    struct effects *two = step(&t, VERB_HINT, STR(""), -1, CAN_EDIT, &verdict);
    assert_memory_equal(one->job->view, two->job->view, sizeof(struct view));
    assert_true(one->job->seed == two->job->seed);
}

TEST(matches_of_the_season_have_no_hints)
{
    enum verdict verdict;
    struct session s = table(false, NULL, NULL);
    struct effects *fx = step(&s, VERB_HINT, STR(""), -1, CAN_EDIT, &verdict);
    assert_int_equal(verdict, REFUSED);
    assert_null(fx->job);
    assert_int_equal(fx->n_saves, 0);
    assert_int_equal(fx->notice[0]->key, T_HINT_CASUAL);
}

TEST(hint_is_shown_to_its_owner_alone)
{
    enum verdict verdict;
    struct session s = table(true, NULL, NULL);
    struct effects *fx;
    s.move.hinted = true;
    fx = step(&s, VERB_HINTED, str_of(answer), s.version, CAN_EDIT, &verdict);
    assert_int_equal(verdict, TAKEN);
    assert_int_equal(fx->n_notices, 1);
    assert_true(fx->notice[0]->audience == TO_SEAT && fx->notice[0]->seat == 0);
    struct session *after = fx->save[0];
    assert_string_equal(after->move.hint, answer);
    assert_true(effect_table(fx, &session_fixture_rulesets, after, 0)->hint.n > 0);
    assert_int_equal(effect_table(fx, &session_fixture_rulesets, after, 1)->hint.n, 0);
    assert_int_equal(effect_table(fx, &session_fixture_rulesets, after, SEAT_PUBLIC)->hint.n, 0);
    after->move.hinted = false; /* not shown yet, not even to its owner */
    assert_int_equal(effect_table(fx, &session_fixture_rulesets, after, 0)->hint.n, 0);
}

/* An unasked hint is shown by an edit of the standing hand, or waits for a request. Only a shown
 * hint is marked. */
TEST(hint_that_is_not_shown_is_not_marked)
{
    enum verdict verdict;
    struct session s = table(true, NULL, NULL);
    struct effects *fx = step(&s, VERB_HINTED, str_of(answer), s.version, CAN_EDIT, &verdict);
    assert_true(fx->save[0]->move.hinted && fx->n_notices == 1 && !fx->notice[0]->fresh);
    fx = step(&s, VERB_HINTED, str_of(answer), s.version, 0, &verdict);
    assert_true(!fx->save[0]->move.hinted && fx->n_notices == 0);
    fx = step(fx->save[0], VERB_HINT, STR(""), -1, 0, &verdict);
    assert_true(fx->save[0]->move.hinted && fx->n_notices == 1 && !fx->job);
    assert_true(fx->notice[0]->table->hint.n > 0);
}

TEST(wrong_or_late_hints_are_dropped)
{
    enum verdict verdict;
    struct session s = table(true, NULL, NULL);
    char long_one[HINT_SIZE + 8];
    memset(long_one, '1', sizeof long_one - 1);
    long_one[sizeof long_one - 1] = '\0';
    const struct {
        const char *words;
        int64_t version;
    } rows[] = {
        {answer, s.version - 1}, /* for an older state */
        {"", s.version},
        {"nonsense", s.version},
        {long_one, s.version},
        {"1b=1p1 61 0 -1 13 255 0 0 0 0 0 0 0 0 0 0", s.version}, /* not a card of hers */
        {"stop 61 0 -1 13 255 0 0 0 0 0 0 0 0 0 0", s.version},   /* no decision to make */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct effects *fx =
            step(&s, VERB_HINTED, str_of(rows[i].words), rows[i].version, CAN_EDIT, &verdict);
        assert_int_equal(verdict, IGNORED);
        assert_int_equal(fx->n_saves, 0);
    }
}

/* The hint in a session survives a restart. */
TEST(hint_is_saved_with_its_session)
{
    struct session s = table(true, NULL, NULL), back;
    struct buf b = {arena_alloc(session_fixture_arena, 16384), 0, 16384, false};
    s.move.hinted = true;
    NAME_PUT(s.move.hint, str_of(answer));
    s.player[1].character = 3;
    assert_null(session_read(session_write(&s, &b), &session_fixture_rulesets, &back));
    assert_true(back.move.hinted && back.player[1].character == 3);
    assert_string_equal(back.move.hint, answer);
}

TEST(characters_are_found_by_name)
{
    assert_string_equal(
        characters[character_find(&session_fixture_languages, session_fixture_arena, STR("mei"))]
            .key,
        "mei");
    assert_string_equal(characters[character_find(&session_fixture_languages, session_fixture_arena,
                                                  STR("master kuro"))]
                            .key,
                        "kuro");
    assert_string_equal(
        characters[character_find(&session_fixture_languages, session_fixture_arena, STR("kuro"))]
            .key,
        "kuro");
    assert_int_equal(
        character_find(&session_fixture_languages, session_fixture_arena, STR("master")),
        NO_CHARACTER);
    assert_int_equal(character_find(&session_fixture_languages, session_fixture_arena, STR("me")),
                     NO_CHARACTER);
    assert_int_equal(character_find(&session_fixture_languages, session_fixture_arena, STR("")),
                     NO_CHARACTER);
    for (int c = 2; c < N_CHARACTERS; c++) /* each plays better than the one before */
        assert_true(characters[c].level > characters[c - 1].level);
}

TESTS_WITH(session_fixture_setup, session_fixture_teardown)

/* ---- the computer's pause ---- */

/* When the computer moves, ms after Ann's move. */
static int64_t pause_of(const struct session *s)
{
    enum verdict verdict;
    struct effects *fx = step(s, VERB_PLAY, STR("2"), -1, CAN_EDIT, &verdict);
    assert_int_equal(verdict, TAKEN);
    assert_int_equal(fx->save[0]->timer, TIMER_COMPUTER);
    return fx->save[0]->due - 1000;
}

TEST(the_computer_waits_by_chance_alone)
{
    struct session easy = table(true, "1b 1r 2p1 2p2 7p2 8p1 9p2 10p1", "12b 3b"),
                   hard = table(true, "12b 3b 2p1 2p2 7p2 8p1 9p2 10p1", "1b 1r");
    int64_t least = INT64_MAX, most = 0;
    for (int byte = 0; byte < 256; byte++) {
        chance = (uint8_t)byte;
        int64_t pause = pause_of(&easy);
        assert_int_equal(pause, pause_of(&hard));
        assert_in_range(pause, 600, 1600);
        least = pause < least ? pause : least;
        most = pause > most ? pause : most;
    }
    assert_true(least < 650 && most > 1550);
    chance = 0;
}
