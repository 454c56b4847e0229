/* What may overtake the messages of a chat, and is dropped if it is late: the answer to a mere
 * question. What was saved, and what comes by the calendar, arrives however late. */
#include "engine/test.h"
#include "fixture/session_fixture.h"
#include "operator.h"
#include "puzzle.h"
#include "seek.h"
#include "tournament_run.h"

static struct message out[MAX_OUTGOING];

/* The line that a step with these effects says in the chat. */
static const struct outgoing *said_with(struct effects fx, const char *sender)
{
    static const uint8_t key[PRESS_KEY_BYTES];
    struct world w = {.bot = &session_fixture_bot};
    struct event e = {
        .now = 1000, .account = 1, .from = {.id = str_of(sender)}, .chat = STR("group")};
    e.said = STR("77 thread");
    struct network p = {1, 0, (struct limits){.text_chars = 4096}, .key = key};
    const struct networks places = {1, &p};
    fx.arena = session_fixture_arena;
    effect_notice(&fx, NOTICE_LINE, TO_HERE)->key = T_PONG_ONLY;
    assert_int_equal(present(&w, &e, &fx, &places, out), 1);
    return &out[0].out;
}

TEST(an_answer_overtakes_for_a_minute)
{
    const struct outgoing *answer = said_with((struct effects){0}, "ann");
    assert_true(answer->aside);
    assert_int_equal(answer->expires, 1000 + 60 * 1000);
    assert_true(answer->slot.n > 0);
}

TEST(an_answer_stands_below_its_question)
{
    static struct chat_settings chat;
    assert_true(str_is(said_with((struct effects){0}, "ann")->reply_to, STR("77 thread")));
    assert_int_equal(said_with((struct effects){.chat = &chat}, "ann")->reply_to.n, 0);
}

/* The slot of the answer to what `words`, `no` and `index` ask. */
static struct str slot_of(const char *words, int64_t no, int64_t index, const char *mention)
{
    static const uint8_t key[PRESS_KEY_BYTES];
    struct world w = {.bot = &session_fixture_bot};
    struct event e = {.verb = VERB_PING,
                      .now = 1000,
                      .account = 1,
                      .from = {.id = STR("ann")},
                      .chat = STR("group"),
                      .no = no,
                      .index = index,
                      .words = str_of(words),
                      .n_mentions = mention != NULL,
                      .mention = {{.id = str_of(mention)}}};
    struct network p = {1, 0, (struct limits){.text_chars = 4096}, .key = key};
    const struct networks places = {1, &p};
    struct effects fx = {.arena = session_fixture_arena};
    effect_notice(&fx, NOTICE_LINE, TO_HERE)->key = T_PONG_ONLY;
    assert_int_equal(present(&w, &e, &fx, &places, out), 1);
    return out[0].out.slot;
}

/* Two questions that wait for their answers get both. */
TEST(a_newer_answer_replaces_an_older_where_it_asks_the_same)
{
    struct str first = slot_of("a", 0, -1, NULL);
    assert_true(str_is(first, slot_of("a", 0, -1, NULL)));
    assert_false(str_is(first, slot_of("b", 0, -1, NULL)));
    assert_false(str_is(first, slot_of("a", 7, -1, NULL)));
    assert_false(str_is(first, slot_of("a", 0, 2, NULL)));
    assert_false(str_is(first, slot_of("a", 0, -1, "bo")));
    assert_false(str_is(slot_of("", 0, -1, "bo"), slot_of("", 0, -1, "cy")));
}

TEST(what_comes_by_the_calendar_waits_its_turn)
{
    const struct outgoing *post = said_with((struct effects){0}, "");
    assert_false(post->aside);
    assert_int_equal(post->expires, 0);
}

TEST(what_was_saved_waits_its_turn)
{
    static struct chat_settings chat;
    static struct person_prefs prefs;
    static struct session session;
    static struct tournament_run tournament;
    const struct {
        const char *what;
        struct effects fx;
    } rows[] = {
        {"a match", {.n_saves = 1, .save = {&session}}},
        {"settings of a chat", {.chat = &chat}},
        {"settings of a person", {.prefs = &prefs}},
        {"a person forgotten", {.forget = true}},
        {"a code to link with", {.link = &(const struct link_effects){0}}},
        {"an order of the operator", {.operates = &(const struct operator_effects){0}}},
        {"an answer to a puzzle", {.puzzle = &(const struct puzzle_effects){0}}},
        {"a search for opponents", {.seek = &(const struct seek_effects){0}}},
        {"a tournament", {.tournament = &tournament}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct outgoing *said = said_with(rows[i].fx, "ann");
        if (said->aside || said->expires != 0)
            fail_msg("expected %s to wait its turn, got an answer that expires", rows[i].what);
    }
}

TESTS_WITH(session_fixture_setup, session_fixture_teardown)
