/* Exactly once. A match is played undisturbed and written down; then it is told again and again,
 * and each time the daemon is killed (SIGKILL) at one request more: when it has been asked and
 * nothing was done, or when it was done and the answer never came. However it went, every message
 * stands in its room once, and the record is the same line by line: no vote lost, none counted
 * twice.
 *
 * CRASH_STRIDE=1 tries every request; what is usual is every 5th.
 */
#include "adapters/matrix_table.h"
#include "shell/stride.h"

#include <signal.h>

#include "log.h"

enum { STRIDE = 5, MOST_SAID = 600, KEEP_BYTES = 512 << 20 };

struct story {
    int n, moves, requests;
    const char *said[MOST_SAID]; /* what the bot said anew, sorted */
    struct str record;
};

static struct arena *keep;
static struct story told;
static const char *const UNHURRIED[] = {"pace=0", NULL};

/* ---- what was said ---- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Trouble takes time: any time of the day is the same. */
static void without_time(char *text)
{
    for (; *text && text[1] && text[2] && text[3] && text[4]; text++)
        if (text[2] == ':' && strspn(text, "0123456789") == 2 &&
            strspn(text + 3, "0123456789") >= 2)
            memset(text, 'x', 5);
}

/* A message as its readers see it: where, what, and without what it refers to. Edits are no
 * messages. */
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

static void write_down(struct life *l, struct story *ret)
{
    ret->n = 0;
    for (int i = 0; i < home_events(table_home); i++) {
        struct home_event e = home_event(table_home, i);
        const char *text = e.txn && strcmp(e.type, "m.room.redaction") != 0
                               ? message(&e, people_room(table_people))
                               : NULL;
        assert_in_range(ret->n, 0, MOST_SAID - 1);
        if (text)
            ret->said[ret->n++] = text;
    }
    qsort(ret->said, (size_t)ret->n, sizeof ret->said[0], by_text);
    ret->record = table_record(l, keep);
    ret->moves = people_said(table_people).moves;
    ret->requests = home_counts(table_home).requests;
}

static int times(const struct story *s, const char *text)
{
    int n = 0;
    for (int i = 0; i < s->n; i++)
        n += strcmp(s->said[i], text) == 0;
    return n;
}

/* ---- the story ---- */

static void begin(void)
{
    static const char short_match[] =
        "{\"extends\":\"standard\",\"rounds\":1,\"rounds_allowed\":[1]}";
    scratch_write("short.json", short_match);
    table_lay(UNHURRIED);
    table_rules(arena_str(keep, scratch_file(".")));
    table_sit(2, "short", PEOPLE_VOTE);
}

struct killing {
    const char *part;
    int request;
    bool done;
};

static void arm(void *arg, int pid)
{
    const struct killing *k = arg;
    home_kills(table_home, k->part, k->request, pid, k->done);
}

static void compare(const struct killing *k, const struct story *now)
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

/* True if there was such a request, and the daemon died of it. */
static bool told_again(struct killing k)
{
    static struct story now;
    begin();
    bool killed = life_ends_by(arena_str(keep, scratch_file(".")), arm, &k);
    home_kills(table_home, "", 0, 0, false);
    struct life *l = table_daemon();
    table_goes_on(l);
    write_down(l, &now);
    if (strcmp(home_problems(table_home), "") != 0)
        fail_msg("killed at %d: %s", k.request, home_problems(table_home));
    compare(&k, &now);
    assert_int_equal(home_counts(table_home).rooms_made, 2);
    life_close(l);
    table_clear();
    stride_points++;
    return killed;
}

static int setup(void **state)
{
    (void)state;
    if (!stride_open(STRIDE) || !life_setup())
        return 1;
    keep = arena_open(KEEP_BYTES);
    begin();
    struct life *l = table_daemon();
    table_goes_on(l);
    write_down(l, &told);
    life_close(l);
    table_clear();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    life_teardown();
    arena_close(keep);
    return 0;
}

/* ---- the tests ---- */

static void the_story_has_all_that_it_should(void **state)
{
    (void)state;
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
    int n = 1, from = stride_points;
    while (told_again((struct killing){part, n, done}))
        n += stride;
    assert_true(stride_points - from > 2);
}

static void killed_when_a_message_is_asked_for(void **state)
{
    (void)state;
    killed_at("/send/", false);
}

/* The message stands in its room, and the daemon does not know. */
static void killed_when_a_message_is_said(void **state)
{
    (void)state;
    killed_at("/send/", true);
}

static void killed_when_anything_is_done(void **state)
{
    (void)state;
    killed_at("/", true);
}

/* Each step towards a private chat, done and not done. */
static void killed_on_the_way_to_a_private_chat(void **state)
{
    (void)state;
    static const char *const parts[] = {"/createRoom", "/state/m.room.encryption", "/m.direct",
                                        "/join/"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (int done = 0; done < 2; done++)
            for (int n = 1; n <= 2; n++)
                assert_true(told_again((struct killing){parts[i], n, done}) || n > 1);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    log_open(LOG_NOTHING);
    const struct CMUnitTest tests[] = {
        T(the_story_has_all_that_it_should),    T(killed_when_a_message_is_asked_for),
        T(killed_when_a_message_is_said),       T(killed_when_anything_is_done),
        T(killed_on_the_way_to_a_private_chat),
    };
    return cmocka_run_group_tests(tests, NULL, stride_tell);
}
