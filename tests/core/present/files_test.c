/* What is kept of a person is one file, or several where one would be too large for a network. */
#include "engine/test.h"
#include "fixture/session_fixture.h"

enum { LINES = 9000, TEXT_BYTES = 1 << 20 };

static char text[TEXT_BYTES];
static struct message out[MAX_OUTGOING];

static int files_of(struct str listing)
{
    static const uint8_t key[PRESS_KEY_BYTES];
    struct effects fx = {.arena = session_fixture_arena};
    struct world w = {.bot = &session_fixture_bot};
    struct event e = {
        .now = 1000, .account = 1, .from = {.id = STR("a")}, .chat = STR("dm"), .direct = true};
    struct network p = {1, CAN_FILE | CAN_DIRECT, (struct limits){.text_chars = 4096}, .key = key};
    const struct networks places = {1, &p};
    effect_notice(&fx, NOTICE_MYDATA, TO_ASKER)->text = listing;
    return present(&w, &e, &fx, &places, out);
}

static struct str lines(int n)
{
    struct buf b = BUF(text);
    for (int i = 0; i < n; i++)
        buf_print(&b, "{\"t\":\"match\",\"no\":%d,\"rules\":\"standard\",\"points\":12}\n", i);
    assert_false(b.cut);
    return buf_str(&b);
}

TEST(a_short_listing_is_one_file)
{
    struct str all = lines(3);
    assert_int_equal(files_of(all), 1);
    assert_true(str_is(out[0].out.file, all));
    assert_true(str_is(out[0].out.file_name, STR("mydata.jsonl")));
}

TEST(a_long_listing_is_whole_in_several_files)
{
    struct str all = lines(LINES), rest = all;
    int n = files_of(all);
    assert_int_equal(n, (int)(all.n / OUT_FILE_MOST) + 1);
    for (int i = 0; i < n; i++) {
        struct str file = out[i].out.file;
        char name[32];
        snprintf(name, sizeof name, "mydata-%d.jsonl", i + 1);
        assert_true(str_is(out[i].out.file_name, str_of(name)));
        assert_in_range(file.n, 1, OUT_FILE_MOST);
        assert_true(str_starts(rest, file) && file.p[file.n - 1] == '\n');
        rest = str_skip(rest, file.n);
    }
    assert_int_equal(rest.n, 0);
}

TESTS_WITH(session_fixture_setup, session_fixture_teardown)
