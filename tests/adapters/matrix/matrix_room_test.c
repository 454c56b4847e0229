/* Rooms and private chats as people create them: invited, encrypted, blocked, left. */
#include "adapters/matrix/matrix_fixture.h"

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

/* The number of messages of the bot that hold `part`, in that room (NULL: anywhere). */
static int said(const char *room, const char *part)
{
    int n = 0;
    for (int i = 0; i < home_events(matrix_home); i++) {
        struct home_event e = home_event(matrix_home, i);
        n += strcmp(e.sender, BOT) == 0 && (!room || strcmp(e.room, room) == 0) &&
             strcmp(e.type, "m.room.message") == 0 && strstr(body_of(&e), part) != NULL;
    }
    return n;
}

/* The private chat that the bot created with a person; NULL if not found. */
static const char *own_chat(const char *with)
{
    const char *room = NULL;
    for (int i = 0; i < home_events(matrix_home); i++) {
        struct home_event e = home_event(matrix_home, i);
        const cJSON *direct = cJSON_GetObjectItemCaseSensitive(e.content, "is_direct");
        if (e.key && strcmp(e.key, with) == 0 && strcmp(e.sender, BOT) == 0 && cJSON_IsTrue(direct))
            room = e.room;
    }
    return room;
}

/* No hand was shown there since that event. */
static void asks_nothing(const char *room, int since)
{
    for (int i = since; i < home_events(matrix_home); i++)
        if (strcmp(home_event(matrix_home, i).room, room) == 0)
            assert_string_not_equal(home_event(matrix_home, i).type,
                                    "org.matrix.msc3381.poll.start");
}

static void writes_sealed(const char *who, const char *room)
{
    home_sends_event(matrix_home, who, room, "m.room.encrypted", NULL,
                     cJSON_Parse("{\"algorithm\":\"m.megolm.v1.aes-sha2\",\"ciphertext\":\"x\"}"));
}

/* The bot explains itself once, across restarts, and opens a readable chat with its inviter. */
MATRIX_TEST(an_encrypted_room)
{
    const char *ann = home_user(matrix_home, "ann");
    const char *room = home_room(matrix_home, ann, "Closed", ENCRYPTED);
    home_invites(matrix_home, ann, room, BOT, false);
    struct daemon_run *l = matrix_fixture_daemon();
    daemon_run_for(l, MINUTE);
    for (int i = 0; i < 2; i++) {
        writes_sealed(ann, room);
        daemon_run_for(l, MINUTE);
        daemon_run_close(l);
        l = matrix_fixture_daemon();
    }
    assert_int_equal(said(room, "it is encrypted"), 1);
    const char *own = own_chat(ann);
    assert_non_null(own);
    assert_int_equal(said(own, "I can read this private chat"), 1);
    home_joins(matrix_home, ann, own);
    home_says(matrix_home, ann, own, "/ping one");
    daemon_run_for(l, MINUTE);
    assert_int_equal(said(own, "pong one"), 1);
    matrix_fixture_end(l);
}

/* An encrypted private chat, as most clients create it: the bot explains itself there and sends
 * hands into another. */
MATRIX_TEST(an_encrypted_private_chat)
{
    matrix_fixture_join(2, "standard 3", PLAYERS_VOTE);
    const char *ann = "@ann:koi.test", *room = home_room(matrix_home, ann, "", ENCRYPTED);
    home_invites(matrix_home, ann, room, BOT, true);
    struct daemon_run *l = matrix_fixture_daemon();
    matrix_fixture_play(l, 5);
    writes_sealed(ann, room);
    matrix_fixture_finish(l);
    assert_int_equal(said(room, "it is encrypted"), 1);
    asks_nothing(room, 0);
    assert_int_equal(home_counts(matrix_home).rooms_made, 2);
    matrix_fixture_end(l);
}

/* A chat of three, made by a client as a private one: no hand is shown there, neither of a match in
 * another room nor of one against the computer. */
MATRIX_TEST(a_chat_of_three_made_as_a_private_one)
{
    matrix_fixture_join(2, "standard 3", PLAYERS_VOTE);
    const char *ann = "@ann:koi.test", *room = home_room(matrix_home, ann, "", NULL);
    home_invites(matrix_home, ann, room, "@bo:koi.test", true);
    home_invites(matrix_home, ann, room, BOT, true);
    home_joins(matrix_home, "@bo:koi.test", room);
    struct daemon_run *l = matrix_fixture_daemon();
    daemon_run_for(l, MINUTE);
    home_says(matrix_home, ann, room, "hand");
    home_says(matrix_home, ann, room, "!koi challenge computer");
    matrix_fixture_finish(l);
    asks_nothing(room, 0);
    assert_true(said(room, "") > 0);
    assert_int_equal(said(room, "Your hand"), 0);
    matrix_fixture_end(l);
}

/* A third person who comes into the private chat of a match against the computer sees none of it. */
MATRIX_TEST(a_third_person_in_the_private_chat_of_a_match)
{
    const char *ann = home_user(matrix_home, "ann"), *eve = home_user(matrix_home, "eve"),
               *room = home_room(matrix_home, ann, "", NULL);
    home_invites(matrix_home, ann, room, BOT, true);
    struct daemon_run *l = matrix_fixture_daemon();
    daemon_run_for(l, MINUTE);
    home_says(matrix_home, ann, room, "challenge computer");
    daemon_run_for(l, MINUTE);
    home_says(matrix_home, ann, room, "ready");
    daemon_run_for(l, MINUTE);
    home_invites(matrix_home, ann, room, eve, false);
    home_joins(matrix_home, eve, room);
    int before = home_events(matrix_home);
    home_says(matrix_home, ann, room, "hand");
    daemon_run_for(l, MINUTE);
    asks_nothing(room, before);
    assert_non_null(own_chat(ann));
    matrix_fixture_end(l);
}

/* A readable private chat is used as it is. */
MATRIX_TEST(private_chat_created_by_a_person)
{
    matrix_fixture_join(2, "standard 3", PLAYERS_VOTE);
    const char *ann = "@ann:koi.test", *room = home_room(matrix_home, ann, "", NULL);
    home_invites(matrix_home, ann, room, BOT, true);
    struct daemon_run *l = matrix_fixture_daemon();
    daemon_run_for(l, MINUTE);
    home_says(matrix_home, ann, room, "/ping one");
    matrix_fixture_finish(l);
    assert_int_equal(said(room, "pong one"), 1);
    assert_int_equal(home_counts(matrix_home).rooms_made, 1); /* with Bo */
    matrix_fixture_end(l);
}

/* The newest message of the bot in that room that holds `part`; NULL if not found. */
static const char *message_with(const char *room, const char *part)
{
    const char *id = NULL;
    for (int i = 0; i < home_events(matrix_home); i++) {
        struct home_event e = home_event(matrix_home, i);
        if (strcmp(e.sender, BOT) == 0 && strcmp(e.room, room) == 0 && strstr(body_of(&e), part))
            id = e.id;
    }
    return id;
}

/* The mention is switched off in the composer, or the answer opens a thread. */
MATRIX_TEST(accepted_by_an_answer_without_a_mention)
{
    const char *ann = home_user(matrix_home, "ann"), *bo = home_user(matrix_home, "bo");
    struct daemon_run *l = matrix_fixture_daemon();
    for (int i = 0; i < 2; i++) {
        const char *room = home_room(matrix_home, ann, "Tea room", NULL);
        home_joins(matrix_home, bo, room);
        home_invites(matrix_home, ann, room, BOT, false);
        daemon_run_for(l, MINUTE);
        home_says(matrix_home, ann, room, "!koi challenge @bo:koi.test");
        daemon_run_for(l, MINUTE);
        const char *offer = message_with(room, "challenges");
        assert_non_null(offer);
        cJSON *relation = js_make("{'m.in_reply_to':{'event_id':%s}}", offer);
        if (i == 1) {
            cJSON_AddStringToObject(relation, "rel_type", "m.thread");
            cJSON_AddStringToObject(relation, "event_id", offer);
            cJSON_AddTrueToObject(relation, "is_falling_back");
        }
        home_sends_event(matrix_home, bo, room, "m.room.message", NULL,
                         js_make("{'msgtype':'m.text','body':'accept','m.mentions':{},"
                                 "'m.relates_to':%p}",
                                 (void *)relation));
        cJSON_Delete(relation);
        daemon_run_for(l, MINUTE);
        assert_true(said(room, "Round 1") > 0);
    }
    matrix_fixture_end(l);
}

MATRIX_TEST(blocked_invite_is_reported_in_the_room)
{
    matrix_fixture_join(2, "standard 3", PLAYERS_VOTE);
    home_blocks_invites(matrix_home, "@bo:koi.test");
    struct daemon_run *l = matrix_fixture_daemon();
    daemon_run_for(l, 5 * MINUTE);
    const char *tea = players_room(matrix_players);
    assert_true(said(tea, "Bo, ") > 0);                       /* he deals and moves first */
    assert_int_equal(home_counts(matrix_home).rooms_made, 0); /* Ann's turn has not come */
    matrix_fixture_end(l);
}

MATRIX_TEST(empty_room_is_left)
{
    const char *ann = home_user(matrix_home, "ann");
    const char *room = home_room(matrix_home, ann, "Tea room", NULL);
    home_invites(matrix_home, ann, room, BOT, false);
    struct daemon_run *l = matrix_fixture_daemon();
    daemon_run_for(l, MINUTE);
    assert_string_equal(home_membership(matrix_home, room, BOT), "join");
    home_leaves(matrix_home, ann, room);
    daemon_run_for(l, MINUTE);
    assert_string_equal(home_membership(matrix_home, room, BOT), "leave");
    matrix_fixture_end(l);
}

/* An invitation that leads nowhere delays no message of other rooms. */
MATRIX_TEST(an_invitation_to_a_room_out_of_reach)
{
    const char *ann = home_user(matrix_home, "ann"), *eve = home_user(matrix_home, "eve"),
               *room = home_room(matrix_home, ann, "Tea room", NULL);
    home_invites(matrix_home, ann, room, BOT, false);
    struct daemon_run *l = matrix_fixture_daemon();
    daemon_run_for(l, MINUTE);
    home_fails(matrix_home, HOME_FALLS, "/join/", 1, 4);
    const char *far = home_room(matrix_home, eve, "Far", NULL);
    home_invites(matrix_home, eve, far, BOT, false);
    for (int i = 0; i < 5; i++) {
        daemon_run_for(l, SECOND);
        home_says(matrix_home, ann, room, "!koi ping");
        daemon_run_for(l, SECOND);
        assert_int_equal(said(room, "pong"), i + 1);
    }
    daemon_run_for(l, 120 * MINUTE);
    assert_string_equal(home_membership(matrix_home, far, BOT), "join");
    daemon_run_close(l);
}

/* A limit on creating rooms delays no message to other rooms. */
MATRIX_TEST(limit_on_creating_rooms)
{
    matrix_fixture_join(2, "standard 3", PLAYERS_VOTE);
    home_fails(matrix_home, HOME_LIMITS_BODY, "/createRoom", 1, 1000);
    struct daemon_run *l = matrix_fixture_daemon();
    daemon_run_for(l, MINUTE);
    assert_true(home_counts(matrix_home).limited > 2);
    home_says(matrix_home, "@ann:koi.test", players_room(matrix_players), "!koi ping one");
    daemon_run_for(l, SECOND);
    assert_int_equal(said(players_room(matrix_players), "pong one"), 1);
    daemon_run_close(l);
}
