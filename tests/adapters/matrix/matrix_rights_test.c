/* Rooms that the bot is invited to and cannot play in, private chats that are none any more, and
 * rooms that move on although only the invited may join. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "adapters/matrix/matrix_exchange.h"

#define DONE "{\"event_id\":\"$new\"}"
#define BY   "\"sender\":\"@bo:example.org\",\"event_id\":\"$e1\",\"state_key\":"

/* Bo invites the bot to !new, and it joins; `create` is the content of m.room.create. */
static void is_invited(struct matrix_exchange *p, const char *direct, const char *create)
{
    exchange_sync(p, "s2",
                  arena_print(p->turn,
                              "{\"invite\":{\"!new\":{\"invite_state\":{\"events\":[{\"type\":"
                              "\"m.room.member\",\"state_key\":\"@koi:example.org\",\"sender\":"
                              "\"@bo:example.org\",\"content\":{\"membership\":\"invite\","
                              "\"is_direct\":%s}}]}}}}",
                              direct)
                      .p);
    exchange_poll(p, "POST", "/join/%21new", 200, "{\"room_id\":\"!new\"}");
    exchange_poll(p, "GET", "/rooms/%21new/state/m.room.create/", 200, create);
}

/* The next sync shows the room, with these events of its state. */
static void arrives(struct matrix_exchange *p, const char *state)
{
    exchange_sync(p, "s3",
                  arena_print(p->turn,
                              "{\"join\":{\"!new\":{\"state\":{\"events\":[%s]},\"timeline\":{"
                              "\"events\":[{\"type\":\"m.room.member\",\"event_id\":\"$j\","
                              "\"sender\":\"@koi:example.org\",\"state_key\":\"@koi:example.org\","
                              "\"content\":{\"membership\":\"join\"}}]}}}}",
                              state)
                      .p);
}

static void is_right(struct matrix_exchange *p, const char *what)
{
    assert_int_equal(p->batch.n, 1);
    assert_int_equal(p->batch.at[0].kind, UPDATE_RIGHTS);
    assert_str(p->batch.at[0].text, what);
    assert_str(p->batch.at[0].chat, "!new");
    assert_str(p->batch.at[0].from.id, "@bo:example.org");
    assert_false(p->batch.at[0].direct);
}

static void a_space_is_left(void **state)
{
    struct matrix_exchange *p = *state;
    is_invited(p, "false", "{\"room_version\":\"11\",\"type\":\"m.space\"}");
    is_right(p, "space");
    exchange_poll(p, "POST", "/rooms/%21new/leave", 200, "{}");
    exchange_poll(p, "POST", "/rooms/%21new/forget", 200, "{}");
    exchange_sync(p, "s3", "{}");
    assert_int_equal(p->batch.n, 0);
}

#define LEVELS(messages)                                                                           \
    "{\"type\":\"m.room.power_levels\"," BY "\"\",\"content\":{\"users\":{\"@bo:example.org\":"    \
    "100},\"events_default\":" messages "}}"

static void where_it_may_not_write_its_inviter_hears(void **state)
{
    struct matrix_exchange *p = *state;
    is_invited(p, "false", "{\"room_version\":\"11\"}");
    arrives(p, LEVELS("50"));
    is_right(p, "mute");
    exchange_events(p, "s4", "!new", LEVELS("10"));
    assert_int_equal(p->batch.n, 0);
    exchange_events(p, "s5", "!new", LEVELS("0"));
    assert_int_equal(p->batch.n, 1);
    assert_int_equal(p->batch.at[0].kind, UPDATE_JOINED);
    assert_str(p->batch.at[0].chat, "!new");
}

/* The level of messages may be given by itself. */
static void the_level_of_messages_counts(void **state)
{
    struct matrix_exchange *p = *state;
    is_invited(p, "false", "{\"room_version\":\"11\"}");
    arrives(p, "{\"type\":\"m.room.power_levels\"," BY
               "\"\",\"content\":{\"events_default\":0,\"events\":{\"m.room.message\":1}}}");
    is_right(p, "mute");
}

static void an_encrypted_room_is_no_greeting(void **state)
{
    struct matrix_exchange *p = *state;
    is_invited(p, "false", "{\"room_version\":\"11\"}");
    arrives(p, "{\"type\":\"m.room.encryption\"," BY
               "\"\",\"content\":{\"algorithm\":\"m.megolm.v1.aes-sha2\"}}");
    is_right(p, "encrypted");
}

/* ---- a private chat with a third person ---- */

#define MEMBER(who, membership)                                                                    \
    "{\"type\":\"m.room.member\"," BY "\"@" who                                                    \
    ":example.org\",\"content\":{\"membership\":\"" membership "\"}}"

static void a_third_person_ends_a_private_chat(void **state)
{
    struct matrix_exchange *p = *state;
    struct outgoing hand = {.kind = OUT_POST,
                            .where = TO_DIRECT,
                            .to = STR("@ann:example.org"),
                            .direct_chat = STR("!dm"),
                            .row = 5,
                            .text = STR("Your hand")};
    exchange_send(p, &hand, "PUT", "/rooms/%21dm/send/", 200, DONE);
    exchange_events(p, "s2", "!dm", MEMBER("ann", "join"));
    assert_int_equal(p->batch.n, 0);
    exchange_events(p, "s3", "!dm", MEMBER("eve", "leave"));
    assert_int_equal(p->batch.n, 0);
    exchange_events(p, "s4", "!dm", MEMBER("eve", "invite")); /* they see it once they join */
    assert_int_equal(p->batch.n, 1);
    assert_int_equal(p->batch.at[0].kind, UPDATE_RIGHTS);
    assert_str(p->batch.at[0].text, "crowded");
    exchange_poll(p, "PUT", "/account_data/m.direct", 200, "{}");
    exchange_body(p, "{}");
    hand.row = 6;
    exchange_send(p, &hand, "POST", "/createRoom", 200, "{\"room_id\":\"!own\"}");
    exchange_events(p, "s5", "!dm",
                    "{\"type\":\"m.room.message\"," BY "null,\"content\":{\"msgtype\":\"m.text\","
                    "\"body\":\"hand\"}}");
    assert_int_equal(p->batch.n, 0); /* a room like any other: it takes the prefix */
}

static void a_restart_keeps_a_crowded_chat_out(void **state)
{
    struct matrix_exchange *p = *state;
    static const char *const options[] = {"homeserver=https://hs.example.org", "token=tok", NULL};
    struct outgoing hand = {.kind = OUT_POST,
                            .where = TO_DIRECT,
                            .to = STR("@ann:example.org"),
                            .direct_chat = STR("!dm"),
                            .row = 5,
                            .text = STR("Your hand")};
    exchange_events(p, "s2", "!dm", MEMBER("eve", "join"));
    exchange_restart(p, options); /* before m.direct is written */
    exchange_poll(p, "GET", "/whoami", 200, "{\"user_id\":\"@koi:example.org\"}");
    exchange_poll(p, "GET", "/m.direct", 200, "{\"@ann:example.org\":[\"!dm\"]}");
    exchange_poll(p, "PUT", "/account_data/m.direct", 200, "{}");
    exchange_body(p, "{}");
    exchange_sync(p, "s3", "{\"join\":{\"!dm\":{}}}");
    exchange_send(p, &hand, "POST", "/createRoom", 200, "{\"room_id\":\"!own\"}");
}

/* ---- rooms that are upgraded ---- */

#define SUCCESSOR "{\"room_version\":\"12\",\"predecessor\":{\"room_id\":\"!tea\"}}"

/* The tombstone came first, and the bot was not yet invited. */
static void an_invite_only_room_is_followed_once_invited(void **state)
{
    struct matrix_exchange *p = *state;
    exchange_events(p, "s2", "!tea",
                    "{\"type\":\"m.room.tombstone\",\"sender\":\"@ann:example.org\",\"event_id\":"
                    "\"$t\",\"state_key\":\"\",\"content\":{\"replacement_room\":\"!new\"}}");
    exchange_poll(p, "POST", "/join/%21new", 403, "{\"errcode\":\"M_FORBIDDEN\"}");
    is_invited(p, "false", SUCCESSOR);
    exchange_poll(p, "GET", "/rooms/%21tea/state/m.room.tombstone/", 200,
                  "{\"replacement_room\":\"!new\"}");
    assert_int_equal(p->batch.n, 1);
    assert_int_equal(p->batch.at[0].kind, UPDATE_MOVED);
    assert_str(p->batch.at[0].chat, "!tea");
    assert_str(p->batch.at[0].text, "!new");
    exchange_poll(p, "POST", "/rooms/%21tea/leave", 200, "{}");
    exchange_poll(p, "POST", "/rooms/%21tea/forget", 200, "{}");
    arrives(p, "");
    assert_int_equal(p->batch.n, 0); /* no greeting */
}

/* The invite came first, and the tombstone later. */
static void an_upgrade_is_followed_in_the_other_order(void **state)
{
    struct matrix_exchange *p = *state;
    is_invited(p, "false", SUCCESSOR);
    exchange_poll(p, "GET", "/rooms/%21tea/state/m.room.tombstone/", 404,
                  "{\"errcode\":\"M_NOT_FOUND\"}");
    arrives(p, "");
    assert_int_equal(p->batch.n, 1);
    assert_int_equal(p->batch.at[0].kind, UPDATE_JOINED);
    exchange_events(p, "s4", "!tea",
                    "{\"type\":\"m.room.tombstone\",\"sender\":\"@ann:example.org\",\"event_id\":"
                    "\"$t\",\"state_key\":\"\",\"content\":{\"replacement_room\":\"!new\"}}");
    exchange_poll(p, "POST", "/join/%21new", 200, "{\"room_id\":\"!new\"}");
    exchange_poll(p, "GET", "/rooms/%21new/state/m.room.create/", 200, SUCCESSOR);
    assert_int_equal(p->batch.n, 1);
    assert_int_equal(p->batch.at[0].kind, UPDATE_MOVED);
    assert_str(p->batch.at[0].text, "!new");
}

/* Anybody can make a room that names another as its predecessor. */
static void a_room_that_only_claims_to_replace_ours_takes_nothing(void **state)
{
    struct matrix_exchange *p = *state;
    is_invited(p, "false", SUCCESSOR);
    exchange_poll(p, "GET", "/rooms/%21tea/state/m.room.tombstone/", 200,
                  "{\"replacement_room\":\"!other\"}");
    assert_int_equal(p->batch.n, 0);
    arrives(p, "");
    assert_int_equal(p->batch.n, 1);
    assert_int_equal(p->batch.at[0].kind, UPDATE_JOINED);
}

#define T(name) cmocka_unit_test_setup_teardown(name, exchange_setup, exchange_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(a_space_is_left),
        T(where_it_may_not_write_its_inviter_hears),
        T(the_level_of_messages_counts),
        T(an_encrypted_room_is_no_greeting),
        T(a_third_person_ends_a_private_chat),
        T(a_restart_keeps_a_crowded_chat_out),
        T(an_invite_only_room_is_followed_once_invited),
        T(an_upgrade_is_followed_in_the_other_order),
        T(a_room_that_only_claims_to_replace_ours_takes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
