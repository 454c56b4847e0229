/* Answers of a homeserver that are hostile by number: each is within the size of an answer, and
 * must cost neither more memory than a turn has nor more than some seconds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "adapters/matrix/matrix_exchange.h"
#include "stride.h"

#include <stdlib.h>
#include <time.h>

/* The sizes of the daemon: the memory of a turn, and of the answer to a sync. */
enum { MEGA = 1024 * 1024, TURN_BYTES = 512 * MEGA, SYNC_BYTES = 32 * MEGA };

extern const struct adapter matrix_adapter;

static char *text;
static size_t n_text;

static void put(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void put(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    n_text += (size_t)vsnprintf(text + n_text, SYNC_BYTES + 4096 - n_text, format, args);
    va_end(args);
}

static void begin_sync(void)
{
    n_text = 0;
    put("{\"next_batch\":\"s2\",\"rooms\":");
}

static bool more(void)
{
    return n_text < SYNC_BYTES - 128 * 1024;
}

/* Reads what was put as a sync, in the memory of one turn. Returns the updates. */
static int read_sync(struct matrix_exchange *p)
{
    struct arena *turn = arena_open(TURN_BYTES), *usual = p->turn;
    p->turn = turn;
    clock_t begun = clock();
    exchange_answer(p, text);
    assert_true((clock() - begun) / CLOCKS_PER_SEC < 20);
    assert_true(p->good);
    int n = p->batch.n;
    p->turn = usual;
    p->batch = (struct batch){0};
    arena_close(turn);
    return n;
}

/* The bot works as before. */
static void assert_hears(struct matrix_exchange *p)
{
    exchange_events(p, "s9", "!tea",
                    "{\"type\":\"m.room.message\",\"sender\":\"@ann:example.org\",\"event_id\":"
                    "\"$fine\",\"content\":{\"msgtype\":\"m.text\",\"body\":\"!koi hand\"}}");
    assert_int_equal(p->batch.n, 1);
    assert_str(p->batch.at[0].text, "/hand");
}

static void tiny_events_by_the_hundred_thousand(void **state)
{
    struct matrix_exchange *p = *state;
    begin_sync();
    put("{\"join\":{\"!tea\":{\"timeline\":{\"events\":[");
    for (int i = 0; n_text < (size_t)stride(6, 24) * MEGA; i++)
        put("%s{\"type\":\"m.room.message\",\"sender\":\"@a:b\",\"event_id\":\"$%x\","
            "\"content\":{\"msgtype\":\"m.text\",\"body\":\"!koi\"}}",
            i > 0 ? "," : "", (unsigned)i);
    put("]}}}}}");
    int n = read_sync(p);
    assert_in_range(n, 1, 10000);
    assert_hears(p);
}

static void events_that_are_no_updates(void **state)
{
    struct matrix_exchange *p = *state;
    begin_sync();
    put("{\"join\":{\"!tea\":{\"timeline\":{\"events\":[");
    for (int i = 0; n_text < (size_t)stride(5, 18) * MEGA; i++)
        put("%s{\"sender\":\"@a:b\",\"event_id\":\"$%x\",\"content\":{}}", i > 0 ? "," : "",
            (unsigned)i);
    put("]}}}}}");
    assert_int_equal(read_sync(p), 0);
    assert_hears(p);
}

static void members_by_messages(void **state)
{
    struct matrix_exchange *p = *state;
    begin_sync();
    put("{\"join\":{\"!tea\":{\"state\":{\"events\":[");
    for (int i = 0; i < stride(12000, 30000); i++)
        put("%s{\"type\":\"m.room.member\",\"sender\":\"@u%d:b\",\"state_key\":\"@u%d:b\","
            "\"event_id\":\"$m%d\",\"content\":{\"membership\":\"join\",\"displayname\":\"U\"}}",
            i > 0 ? "," : "", i, i, i);
    put("]},\"timeline\":{\"events\":[");
    for (int i = 0; i < stride(12000, 30000); i++)
        put("%s{\"type\":\"m.room.message\",\"sender\":\"@u%d:b\",\"event_id\":\"$%d\","
            "\"content\":{\"msgtype\":\"m.text\",\"body\":\"!koi @u1:b @u2:b @u3:b\"}}",
            i > 0 ? "," : "", i, i);
    put("]}}}}}");
    assert_in_range(read_sync(p), 1, 10000);
    assert_hears(p);
}

/* A long name is copied into each update. */
static void long_names_of_room_and_sender(void **state)
{
    struct matrix_exchange *p = *state;
    static char name[60 * 1024];
    memset(name, 'n', sizeof name - 1);
    begin_sync();
    put("{\"join\":{\"!tea\":{\"state\":{\"events\":[{\"type\":\"m.room.name\",\"state_key\":\"\","
        "\"sender\":\"@a:b\",\"content\":{\"name\":\"%s\"}},{\"type\":\"m.room.member\","
        "\"sender\":\"@a:b\",\"state_key\":\"@a:b\",\"content\":{\"membership\":\"join\","
        "\"displayname\":\"%s\"}}]},\"timeline\":{\"events\":[",
        name, name);
    for (int i = 0; i < 5000; i++)
        put("%s{\"type\":\"m.room.message\",\"sender\":\"@a:b\",\"event_id\":\"$%d\","
            "\"content\":{\"msgtype\":\"m.text\",\"body\":\"!koi @a:b\"}}",
            i > 0 ? "," : "", i);
    put("]}}}}}");
    assert_in_range(read_sync(p), 1, 10000);
    assert_hears(p);
}

/* More bytes of rooms than their table holds, over several syncs. */
static void rooms_with_long_names(void **state)
{
    struct matrix_exchange *p = *state;
    static char name[60 * 1024], user[240];
    memset(name, 'n', sizeof name - 1);
    memset(user, 'u', sizeof user - 1);
    for (int k = 0, i = 0; k < stride(5, 9); k++) {
        begin_sync();
        put("{\"join\":{\"!tea\":{}");
        for (; more(); i++) {
            put(",\"!r%d\":{\"state\":{\"events\":[{\"type\":\"m.room.name\",\"state_key\":\"\","
                "\"sender\":\"@a:b\",\"content\":{\"name\":\"%s\"}},{\"type\":"
                "\"m.room.power_levels\",\"state_key\":\"\",\"content\":{\"users\":{",
                i, k % 2 == 0 ? name : "r");
            for (int u = 0; u < 200; u++)
                put("%s\"@%d%s:b\":1", u > 0 ? "," : "", u, user);
            put("}}}]}}");
        }
        put("}}}");
        (void)read_sync(p);
    }
    assert_hears(p);
    assert_true(p->batch.at[0].admin); /* what was known of the room before still is */
}

static void invites_by_the_hundred_thousand(void **state)
{
    struct matrix_exchange *p = *state;
    begin_sync();
    put("{\"invite\":{\"!i\":{}");
    for (int i = 0; n_text < (size_t)stride(7, 28) * MEGA; i++)
        put(",\"!%x\":{\"invite_state\":{\"events\":[{\"type\":\"m.room.member\",\"sender\":"
            "\"@a:b\",\"state_key\":\"@koi:example.org\",\"content\":{\"membership\":\"invite\"}}"
            "]}}",
            (unsigned)i);
    put("}}}");
    assert_int_equal(read_sync(p), 0);
    assert_true(p->cursor.n < 64 * 1024);
}

/* A tree of so many values would take gigabytes: it is refused, and less is asked for. */
static void values_by_the_million(void **state)
{
    struct matrix_exchange *p = *state;
    begin_sync();
    put("{\"join\":{\"!tea\":[0");
    while (more())
        text[n_text++] = ',', text[n_text++] = '0';
    text[n_text] = '\0';
    put("]}}}");
    exchange_poll(p, "GET", "limit%22%3A50", 200, text);
    assert_false(p->good);
    assert_true(p->batch.wait_ms > 0);
    exchange_poll(p, "GET", "limit%22%3A1%2C", 200, "{\"next_batch\":\"s3\"}");
    assert_true(p->good);
    exchange_poll(p, "GET", "limit%22%3A50", 200, "{\"next_batch\":\"s4\"}");
    assert_true(p->good);
    assert_hears(p);
}

/* Commas in texts are no values. */
static void commas_in_a_text(void **state)
{
    struct matrix_exchange *p = *state;
    begin_sync();
    put("{\"join\":{\"!tea\":{\"timeline\":{\"events\":[{\"type\":\"m.room.message\",\"sender\":"
        "\"@a:b\",\"event_id\":\"$1\",\"content\":{\"msgtype\":\"m.text\",\"body\":\"!koi\","
        "\"more\":\"\\\"");
    memset(text + n_text, ',', 5 * 1000 * 1000);
    n_text += 5 * 1000 * 1000;
    text[n_text] = '\0';
    put("\"}}]}}}}}");
    assert_int_equal(read_sync(p), 1);
}

static void too_large_a_sync_is_asked_for_in_small(void **state)
{
    struct matrix_exchange *p = *state;
    struct reply none = {.too_large = true, .retry_after_ms = -1, .now = p->now};
    matrix_adapter.poll(p->account, p->turn, p->cursor, &p->request);
    assert_false(matrix_adapter.read(p->account, p->turn, &none, &p->batch, &p->err));
    assert_true(p->batch.wait_ms > 0);
    exchange_poll(p, "GET", "limit%22%3A1%2C", 200, "{\"next_batch\":\"s3\"}");
    assert_true(p->good);
    assert_hears(p);
}

static int setup(void **state)
{
    text = malloc(SYNC_BYTES + 4096);
    return text ? exchange_setup(state) : 1;
}

static int teardown(void **state)
{
    free(text);
    return exchange_teardown(state);
}

#define FLOOD(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FLOOD(tiny_events_by_the_hundred_thousand),
        FLOOD(events_that_are_no_updates),
        FLOOD(members_by_messages),
        FLOOD(long_names_of_room_and_sender),
        FLOOD(rooms_with_long_names),
        FLOOD(invites_by_the_hundred_thousand),
        FLOOD(values_by_the_million),
        FLOOD(commas_in_a_text),
        FLOOD(too_large_a_sync_is_asked_for_in_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
