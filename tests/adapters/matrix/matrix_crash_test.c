/* Exactly-once delivery. A match is played undisturbed and recorded, then played again and again
 * with the daemon killed (SIGKILL) one request later each time: before the server acts on it, or
 * after it acted and before the answer arrives. Every message must be in its room once, and the
 * record must be the same line by line: no vote lost, none counted twice.
 */
#include "adapters/matrix/matrix_fixture.h"
#include "stride.h"

#include <signal.h>

enum { MOST_SAID = 600, KEEP_BYTES = 512 << 20 };

struct crash_story {
    int n, moves, requests;
    const char *said[MOST_SAID]; /* new messages of the bot, sorted */
    struct str record;
};

static struct arena *keep;
static struct crash_story told;
static const char *const UNHURRIED[] = {"pace=0", NULL};

/* ---- messages ---- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* A crash takes time, so times in a message are equal. */
static void without_time(char *text)
{
    for (; *text && text[1] && text[2] && text[3] && text[4]; text++)
        if (text[2] == ':' && strspn(text, "0123456789") == 2 &&
            strspn(text + 3, "0123456789") >= 2)
            memset(text, 'x', 5);
}

/* A message as readers see it: room and content, without its relations. Edits do not count. */
static const char *message(const struct home_event *e, const char *tea)
{
    cJSON *content = cJSON_Duplicate(e->content, true);
    const char *text = NULL;
    if (!cJSON_GetObjectItemCaseSensitive(content, "m.new_content")) {
        cJSON_DeleteItemFromObjectCaseSensitive(content, "m.relates_to");
        char *json = cJSON_PrintUnformatted(content);
        without_time(json);
        text = arena_print(keep, "%s %s %s", strcmp(e->room, tea) == 0 ? "tea" : "private", e->type,
                           json)
                   .p;
        cJSON_free(json);
    }
    cJSON_Delete(content);
    return text;
}

static void write_down(struct daemon_run *l, struct crash_story *ret)
{
    ret->n = 0;
    for (int i = 0; i < home_events(matrix_home); i++) {
        struct home_event e = home_event(matrix_home, i);
        const char *text = e.txn && strcmp(e.type, "m.room.redaction") != 0
                               ? message(&e, players_room(matrix_players))
                               : NULL;
        assert_in_range(ret->n, 0, MOST_SAID - 1);
        if (text)
            ret->said[ret->n++] = text;
    }
    qsort(ret->said, (size_t)ret->n, sizeof ret->said[0], by_text);
    ret->record = matrix_fixture_record(l, keep);
    ret->moves = players_progress(matrix_players).moves;
    ret->requests = home_counts(matrix_home).requests;
}

static int times(const struct crash_story *s, const char *text)
{
    int n = 0;
    for (int i = 0; i < s->n; i++)
        n += strcmp(s->said[i], text) == 0;
    return n;
}

/* ---- the story ---- */

static bool encrypts; /* the server makes private chats encrypted */

static void begin(void)
{
    static const char short_match[] =
        "{\"extends\":\"standard\",\"rounds\":1,\"rounds_allowed\":[1]}";
    scratch_write("short.json", short_match);
    matrix_fixture_open(UNHURRIED);
    home_setup(matrix_home)->encrypts = encrypts;
    matrix_fixture_rules(arena_str(keep, scratch_file(".")));
    matrix_fixture_join(2, "short", PLAYERS_VOTE);
}

struct crash_point {
    const char *part;
    int request;
    bool done;
};

static void arm(void *arg, int pid)
{
    const struct crash_point *k = arg;
    home_kills(matrix_home, k->part, k->request, pid, k->done);
}

static void compare(const struct crash_point *k, const struct crash_story *now)
{
    for (int i = 0; i < now->n; i++)
        if (times(now, now->said[i]) > times(&told, now->said[i]))
            fail_msg("killed at %d (%s): said too often: %s", k->request,
                     k->done ? "done" : "not done", now->said[i]);
    for (int i = 0; i < told.n; i++)
        if (strstr(told.said[i], "poll.start") && times(now, told.said[i]) == 0)
            fail_msg("killed at %d (%s): never said: %s", k->request, k->done ? "done" : "not done",
                     told.said[i]);
    if (!str_is(now->record, told.record))
        fail_msg("killed at %d: the record is\n%.*s", k->request, STR_ARG(now->record));
    assert_int_equal(now->moves, told.moves);
}

/* True if the request was reached and the daemon killed at it. */
static bool told_again(struct crash_point k)
{
    static struct crash_story now;
    begin();
    bool killed = daemon_run_killed_by(arena_str(keep, scratch_file(".")), arm, &k);
    home_kills(matrix_home, "", 0, 0, false);
    struct daemon_run *l = matrix_fixture_daemon();
    matrix_fixture_finish(l);
    write_down(l, &now);
    if (strcmp(home_problems(matrix_home), "") != 0)
        fail_msg("killed at %d: %s", k.request, home_problems(matrix_home));
    compare(&k, &now);
    /* one more for each process that learns it */
    assert_in_range(home_counts(matrix_home).rooms_made, 2, encrypts ? 4 : 2);
    daemon_run_close(l);
    matrix_fixture_close();
    return killed;
}

FIXTURE(setup)
{
    if (!daemon_run_setup())
        return 1;
    keep = arena_open(KEEP_BYTES);
    begin();
    struct daemon_run *l = matrix_fixture_daemon();
    matrix_fixture_finish(l);
    write_down(l, &told);
    daemon_run_close(l);
    matrix_fixture_close();
    return 0;
}

FIXTURE(teardown)
{
    daemon_run_teardown();
    arena_close(keep);
    return 0;
}

/* ---- the tests ---- */

TEST_WITH(crash_story_covers_all_requests, setup, teardown)
{
    int polls = 0, pings = 0, boards = 0;
    for (int i = 0; i < told.n; i++) {
        polls += strstr(told.said[i], "private org.matrix.msc3381.poll.start") != NULL;
        pings += strstr(told.said[i], "tea m.room.message {\"msgtype\":\"m.text\"") != NULL;
        boards += strstr(told.said[i], "tea m.room.message {\"msgtype\":\"m.notice\"") != NULL;
    }
    assert_true(polls >= 10 && pings > 0 && boards > 2);
    assert_int_equal(polls, told.moves);
}

static void killed_at(const char *part, bool done)
{
    int points = 0;
    for (int n = 1; told_again((struct crash_point){part, n, done}); n += stride(17, 1))
        points++;
    assert_true(points > 1);
}

TEST_WITH(killed_before_each_send, setup, teardown)
{
    killed_at("/send/", false);
}

/* The message is in its room, and the daemon does not know. */
TEST_WITH(killed_after_each_send, setup, teardown)
{
    killed_at("/send/", true);
}

TEST_WITH(killed_at_each_request, setup, teardown)
{
    killed_at("/", true);
}

/* Each step towards a private chat, done and not done. */
TEST_WITH(killed_while_creating_a_private_chat, setup, teardown)
{
    static const char *const parts[] = {"/createRoom", "/state/m.room.encryption", "/m.direct",
                                        "/join/"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (int done = 0; done < 2; done++)
            for (int n = 1 + (int)(i + (size_t)done) % stride(2, 1); n <= 2; n += stride(2, 1))
                assert_true(told_again((struct crash_point){parts[i], n, done}) || n > 1);
}

/* The first chat is given up: its guest is put out, the bot leaves. */
TEST_WITH(killed_while_leaving_an_encrypted_chat, setup, teardown)
{
    encrypts = true;
    for (int done = 0; done < 2; done++) {
        assert_true(told_again((struct crash_point){"/kick", 1, done}));
        assert_true(told_again((struct crash_point){"/leave", 1, done}));
    }
    encrypts = false;
}
