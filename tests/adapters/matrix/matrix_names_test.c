/* People whom a command names as they are called. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "adapters/matrix/matrix_exchange.h"

#define MEMBERS                                                                                    \
    "{\"joined\":{\"@ann:example.org\":{\"display_name\":\"Ann\"},"                                \
    "\"@bo:example.org\":{\"display_name\":\"Bo Peep\"},"                                          \
    "\"@bo:far.example\":{\"display_name\":\"Bodo\"},"                                             \
    "\"@mei1:example.org\":{\"display_name\":\"Mei\"},"                                            \
    "\"@mei2:example.org\":{\"display_name\":\"Mei Tanaka\"},"                                     \
    "\"@kei:example.org\":{},"                                                                     \
    "\"@koi:example.org\":{\"display_name\":\"Koi-Koi\"},\"garbage\":{\"display_name\":\"Eve\"}}}"

static void says(struct matrix_exchange *p, const char *next, const char *text)
{
    exchange_events(
        p, next, "!tea",
        arena_print(p->turn,
                    "{\"type\":\"m.room.message\",\"sender\":\"@ann:example.org\","
                    "\"event_id\":\"$%s\",\"origin_server_ts\":1790856000123,\"unsigned\":"
                    "{\"age\":3},\"content\":{\"msgtype\":\"m.text\",\"body\":\"%s\"}}",
                    next, text)
            .p);
}

/* The command that becomes of it. */
static const struct update *heard(struct matrix_exchange *p, const char *next, const char *text)
{
    says(p, next, text);
    assert_int_equal(p->batch.n, 0);
    exchange_poll(p, "GET", "/rooms/%21tea/joined_members", 200, MEMBERS);
    assert_int_equal(p->batch.n, 1);
    return &p->batch.at[0];
}

static void one_member_is_named(void **state)
{
    struct matrix_exchange *p = *state;
    static const struct {
        const char *typed, *text, *id;
    } rows[] = {
        {"!koi challenge @kei", "/challenge @kei:example.org", "@kei:example.org"},
        {"!koi challenge @KEI, 3", "/challenge @kei:example.org, 3", "@kei:example.org"},
        {"!koi challenge @Bo Peep sensei", "/challenge @bo:example.org sensei", "@bo:example.org"},
        {"!koi challenge @bodo", "/challenge @bo:far.example", "@bo:far.example"},
        {"!koi challenge @mei tanaka 6", "/challenge @mei2:example.org 6", "@mei2:example.org"},
        {"!koi challenge @Mei", "/challenge @mei1:example.org", "@mei1:example.org"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct update *u = heard(p, arena_print(p->process, "n%zu", i).p, rows[i].typed);
        assert_int_equal(u->kind, UPDATE_TEXT);
        assert_str(u->text, rows[i].text);
        assert_int_equal(u->unnamed.n, 0);
        assert_int_equal(u->n_mentions, 1);
        assert_str(u->mention[0].id, rows[i].id);
        assert_false(u->mention[0].bot);
        assert_str(u->from.id, "@ann:example.org");
        assert_str(u->from.name, "Ann");
    }
}

static void two_people_are_named(void **state)
{
    struct matrix_exchange *p = *state;
    const struct update *u = heard(p, "s2", "!koi challenge @kei @bo:far.example @bodo");
    assert_str(u->text, "/challenge @kei:example.org @bo:far.example @bo:far.example");
    assert_int_equal(u->n_mentions, 2);
}

static void the_bot_is_the_computer(void **state)
{
    struct matrix_exchange *p = *state;
    const struct update *u = heard(p, "s2", "!koi challenge @koi-koi");
    assert_int_equal(u->n_mentions, 1);
    assert_true(u->mention[0].bot);
}

static void several_are_asked_about(void **state)
{
    struct matrix_exchange *p = *state;
    const struct update *u = heard(p, "s2", "!koi challenge @bo");
    assert_str(u->unnamed, "bo");
    assert_int_equal(u->n_choices, 2);
    assert_str(u->choice[0].handle, "bo:example.org");
    assert_str(u->choice[1].handle, "bo:far.example");
    assert_int_equal(u->n_mentions, 0);
}

static void nobody_of_that_name(void **state)
{
    struct matrix_exchange *p = *state;
    const struct update *u = heard(p, "s2", "!koi challenge @eve");
    assert_str(u->unnamed, "eve");
    assert_int_equal(u->n_choices, 0);
    says(p, "s3", "!koi challenge @kei");
    exchange_poll(p, "GET", "/joined_members", 403, "{\"errcode\":\"M_FORBIDDEN\"}");
    assert_int_equal(p->batch.n, 1);
    assert_str(p->batch.at[0].unnamed, "kei");
}

/* A restart in between asks again. */
static void the_command_is_not_lost(void **state)
{
    struct matrix_exchange *p = *state;
    static const char *const options[] = {"homeserver=https://hs.example.org", "token=tok", NULL};
    says(p, "s2", "!koi challenge @kei");
    exchange_restart(p, options);
    exchange_poll(p, "GET", "/whoami", 200, "{\"user_id\":\"@koi:example.org\"}");
    exchange_poll(p, "GET", "/m.direct", 404, "{}");
    exchange_poll(p, "GET", "/rooms/%21tea/joined_members", 200, MEMBERS);
    assert_int_equal(p->batch.n, 1);
    assert_str(p->batch.at[0].id, "$s2");
    assert_str(p->batch.at[0].mention[0].id, "@kei:example.org");
}

/* Talk, whole addresses and private chats need no look-up. */
static void most_messages_ask_nothing(void **state)
{
    struct matrix_exchange *p = *state;
    says(p, "s2", "@kei look at this");
    assert_int_equal(p->batch.n, 0);
    says(p, "s3", "!koi challenge @bo:example.org");
    assert_int_equal(p->batch.n, 1);
    exchange_events(
        p, "s4", "!dm",
        "{\"type\":\"m.room.message\",\"sender\":\"@ann:example.org\",\"event_id\":\"$d\","
        "\"content\":{\"msgtype\":\"m.text\",\"body\":\"stats @bo\"}}");
    assert_int_equal(p->batch.n, 1);
}

#define MEMBER(name)                                                                               \
    "\"state\":{\"events\":[{\"type\":\"m.room.member\",\"state_key\":\"@mei1:example.org\","      \
    "\"sender\":\"@mei1:example.org\",\"content\":{\"membership\":\"join\",\"displayname\":"       \
    "\"" name "\"}}]},"

/* An answer in which Mei says something, with or without her name. */
#define MEI(next, member)                                                                          \
    "{\"next_batch\":\"" next "\",\"rooms\":{\"join\":{\"!tea\":{" member                          \
    "\"timeline\":{\"events\":[{\"type\":\"m.room.message\",\"sender\":\"@mei1:example.org\","     \
    "\"event_id\":\"$" next                                                                        \
    "\",\"content\":{\"msgtype\":\"m.text\",\"body\":\"!koi rules\"}}]}}}}}"

static const char *const ONCE = "include_redundant_members%22%3Afalse",
                         *const AGAIN = "include_redundant_members%22%3Atrue";

static void a_name_is_sent_once(void **state)
{
    struct matrix_exchange *p = *state;
    exchange_poll(p, "GET", ONCE, 200, MEI("s2", MEMBER("Mei")));
    assert_str(p->batch.at[0].from.name, "Mei");
    exchange_poll(p, "GET", ONCE, 200, MEI("s3", ""));
    assert_int_equal(p->batch.n, 1);
    assert_str(p->batch.at[0].from.name, "Mei");
    exchange_poll(p, "GET", ONCE, 200, MEI("s4", MEMBER("Mei Tanaka")));
    exchange_poll(p, "GET", ONCE, 200, MEI("s5", ""));
    assert_str(p->batch.at[0].from.name, "Mei Tanaka");
}

/* The server has sent it to an earlier process: the same sync is asked for with all names. */
static void a_name_that_is_missing_is_asked_for(void **state)
{
    struct matrix_exchange *p = *state;
    exchange_poll(p, "GET", ONCE, 200, MEI("s2", ""));
    assert_int_equal(p->batch.n, 0);
    exchange_poll(p, "GET", AGAIN, 200, MEI("s2", MEMBER("Mei")));
    assert_non_null(strstr(p->request.url.p, "since=s1"));
    assert_int_equal(p->batch.n, 1);
    assert_str(p->batch.at[0].from.name, "Mei");
    exchange_poll(p, "GET", ONCE, 200, MEI("s3", ""));
    assert_str(p->batch.at[0].from.name, "Mei");
}

static void who_has_no_name_is_asked_for_once(void **state)
{
    struct matrix_exchange *p = *state;
    exchange_poll(p, "GET", ONCE, 200, MEI("s2", ""));
    exchange_poll(p, "GET", AGAIN, 200, MEI("s2", ""));
    assert_str(p->batch.at[0].from.name, "mei1");
    exchange_poll(p, "GET", ONCE, 200, MEI("s3", ""));
    assert_int_equal(p->batch.n, 1);
    assert_str(p->batch.at[0].from.name, "mei1");
}

#define T(name) cmocka_unit_test_setup_teardown(name, exchange_setup, exchange_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(one_member_is_named),
        T(two_people_are_named),
        T(the_bot_is_the_computer),
        T(several_are_asked_about),
        T(nobody_of_that_name),
        T(the_command_is_not_lost),
        T(most_messages_ask_nothing),
        T(a_name_is_sent_once),
        T(a_name_that_is_missing_is_asked_for),
        T(who_has_no_name_is_asked_for_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
