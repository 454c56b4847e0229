/* Rooms and private chats of all kinds, as people make them on a homeserver: invited, encrypted,
 * blocked, left. */
#include "adapters/matrix_table.h"

#include "log.h"

enum { SECOND = 1000, MINUTE = 60 * SECOND };

static const char BOT[] = "@bot:koi.test";
static const char ENCRYPTED[] =
    "[{\"type\":\"m.room.encryption\",\"state_key\":\"\",\"content\":{\"algorithm\":"
    "\"m.megolm.v1.aes-sha2\"}}]";

static const char *body_of(const struct home_event *e)
{
    const cJSON *body = cJSON_GetObjectItemCaseSensitive(e->content, "body");
    return cJSON_IsString(body) ? body->valuestring : "";
}

/* How often the bot has said something with that in it, in that room (NULL: anywhere). */
static int said(const char *room, const char *part)
{
    int n = 0;
    for (int i = 0; i < home_events(table_home); i++) {
        struct home_event e = home_event(table_home, i);
        n += strcmp(e.sender, BOT) == 0 && (!room || strcmp(e.room, room) == 0) &&
             strcmp(e.type, "m.room.message") == 0 && strstr(body_of(&e), part) != NULL;
    }
    return n;
}

/* The private chat that the bot has made with them; NULL: none. */
static const char *own_chat(const char *with)
{
    const char *room = NULL;
    for (int i = 0; i < home_events(table_home); i++) {
        struct home_event e = home_event(table_home, i);
        const cJSON *direct = cJSON_GetObjectItemCaseSensitive(e.content, "is_direct");
        if (e.key && strcmp(e.key, with) == 0 && strcmp(e.sender, BOT) == 0 && cJSON_IsTrue(direct))
            room = e.room;
    }
    return room;
}

static void writes_sealed(const char *who, const char *room)
{
    home_puts(table_home, who, room, "m.room.encrypted", NULL,
              cJSON_Parse("{\"algorithm\":\"m.megolm.v1.aes-sha2\",\"ciphertext\":\"x\"}"));
}

/* Told once, over restarts, and whoever invited the bot gets a chat that can be read. */
static void an_encrypted_room(void **state)
{
    (void)state;
    const char *ann = home_user(table_home, "ann");
    const char *room = home_room(table_home, ann, "Closed", ENCRYPTED);
    home_invites(table_home, ann, room, BOT, false);
    struct life *l = table_daemon();
    life_turns(l, MINUTE);
    for (int i = 0; i < 2; i++) {
        writes_sealed(ann, room);
        life_turns(l, MINUTE);
        life_close(l);
        l = table_daemon();
    }
    assert_int_equal(said(room, "this chat is encrypted"), 1);
    const char *own = own_chat(ann);
    assert_non_null(own);
    assert_int_equal(said(own, "This private chat is mine"), 1);
    home_joins(table_home, ann, own);
    home_says(table_home, ann, own, "/ping one");
    life_turns(l, MINUTE);
    assert_int_equal(said(own, "pong one"), 1);
    assert_string_equal(home_problems(table_home), "");
    life_close(l);
}

/* As most clients make a private chat: it is explained there, and hands come in another. */
static void an_encrypted_private_chat(void **state)
{
    (void)state;
    table_sit(2, "standard 3", PEOPLE_VOTE);
    const char *ann = "@ann:koi.test", *room = home_room(table_home, ann, "", ENCRYPTED);
    home_invites(table_home, ann, room, BOT, true);
    struct life *l = table_daemon();
    table_goes_on_to(l, 5);
    writes_sealed(ann, room);
    table_goes_on(l);
    assert_int_equal(said(room, "this chat is encrypted"), 1);
    for (int i = 0; i < home_events(table_home); i++)
        if (strcmp(home_event(table_home, i).room, room) == 0)
            assert_string_not_equal(home_event(table_home, i).type,
                                    "org.matrix.msc3381.poll.start");
    assert_int_equal(home_counts(table_home).rooms_made, 2);
    assert_string_equal(home_problems(table_home), "");
    life_close(l);
}

/* One that can be read is used as it is. */
static void a_private_chat_somebody_made(void **state)
{
    (void)state;
    table_sit(2, "standard 3", PEOPLE_VOTE);
    const char *ann = "@ann:koi.test", *room = home_room(table_home, ann, "", NULL);
    home_invites(table_home, ann, room, BOT, true);
    struct life *l = table_daemon();
    life_turns(l, MINUTE);
    home_says(table_home, ann, room, "/ping one");
    table_goes_on(l);
    assert_int_equal(said(room, "pong one"), 1);
    assert_int_equal(home_counts(table_home).rooms_made, 1); /* with Bo */
    assert_string_equal(home_problems(table_home), "");
    life_close(l);
}

static void who_blocks_invites_is_told_in_the_room(void **state)
{
    (void)state;
    table_sit(2, "standard 3", PEOPLE_VOTE);
    home_blocks_invites(table_home, "@bo:koi.test");
    struct life *l = table_daemon();
    life_turns(l, 5 * MINUTE);
    const char *tea = people_room(table_people);
    assert_true(said(tea, "Bo, ") > 0);
    assert_int_equal(home_counts(table_home).rooms_made, 1);
    assert_string_equal(home_problems(table_home), "");
    life_close(l);
}

static void a_room_that_all_have_left(void **state)
{
    (void)state;
    const char *ann = home_user(table_home, "ann");
    const char *room = home_room(table_home, ann, "Tea room", NULL);
    home_invites(table_home, ann, room, BOT, false);
    struct life *l = table_daemon();
    life_turns(l, MINUTE);
    assert_string_equal(home_membership(table_home, room, BOT), "join");
    home_leaves(table_home, ann, room);
    life_turns(l, MINUTE);
    assert_string_equal(home_membership(table_home, room, BOT), "leave");
    assert_string_equal(home_problems(table_home), "");
    life_close(l);
}

/* That no more rooms may be made for now is no reason to be silent in all others. */
static void a_limit_on_making_rooms(void **state)
{
    (void)state;
    table_sit(2, "standard 3", PEOPLE_VOTE);
    home_fails(table_home, HOME_LIMITS_BODY, "/createRoom", 1, 1000);
    struct life *l = table_daemon();
    life_turns(l, MINUTE);
    assert_true(home_counts(table_home).limited > 2);
    home_says(table_home, "@ann:koi.test", people_room(table_people), "!koi ping one");
    life_turns(l, SECOND);
    assert_int_equal(said(people_room(table_people), "pong one"), 1);
    life_close(l);
}

#define T(name) cmocka_unit_test_setup_teardown(name, table_setup, table_teardown)

int main(void)
{
    log_open(LOG_NOTHING);
    const struct CMUnitTest tests[] = {
        T(an_encrypted_room),
        T(an_encrypted_private_chat),
        T(a_private_chat_somebody_made),
        T(who_blocks_invites_is_told_in_the_room),
        T(a_room_that_all_have_left),
        T(a_limit_on_making_rooms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
