/* JSON: texts that are refused, the first fault of a reader with its path, and what the writer
 * writes. */
#include "engine/test.h"
#include "fixture/scratch.h"

#include "json.h"

/* The fault of a text, as a file and as one line of many. */
TEST(strict_reader_refuses_what_cjson_lets_pass)
{
    static const struct {
        const char *text, *file, *line;
    } rows[] = {
        {"", "line 1, column 1: a value is missing", "column 1: a value is missing"},
        {"{\"a\":1,\n}", "line 2, column 1: a field name in quotes is missing",
         "column 1: a field name in quotes is missing"},
        {"{\"a\" 1}", "line 1, column 6: a colon is missing", "column 6: a colon is missing"},
        {"{\"a\":[1 2]}", "line 1, column 9: a comma or ] is missing",
         "column 9: a comma or ] is missing"},
        {"{\"a\":01}", "line 1, column 7: a comma or } is missing",
         "column 7: a comma or } is missing"},
        {"{\"a\":1.}", "line 1, column 8: a digit is missing", "column 8: a digit is missing"},
        {"{\"a\":\"\t\"}", "line 1, column 7: a control byte in a string",
         "column 7: a control byte in a string"},
        {"{\"a\":\"\\x\"}", "line 1, column 7: an unknown escape", "column 7: an unknown escape"},
        {"{\"a\":\"\xc0\x80\"}", "line 1, column 7: not UTF-8", "column 7: not UTF-8"},
        {"{\"a\":\"\\u0000\"}", "line 1, column 7: a zero character in a string",
         "column 7: a zero character in a string"},
        {"{\"a\":\"", "line 1, column 7: a string has no end", "column 7: a string has no end"},
        {"{}x", "line 1, column 3: text behind the end", "column 3: text behind the end"},
        {"[]", "expected an object, got []", "expected an object, got []"},
        {"{\"a\":{\"b\":1,\"b\":2}}", "a.b: given twice", "a.b: given twice"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct err err;
        assert_false(json_close(json_open(str_of(rows[i].text), JSON_FILE), &err));
        assert_string_equal(err.text, rows[i].file);
        assert_false(json_close(json_open(str_of(rows[i].text), JSON_LINE), &err));
        assert_string_equal(err.text, rows[i].line);
    }
    struct json v =
        json_open(STR("{\"a\":\"\xEF\xBF\xBD\"}"), JSON_LINE); /* U+FFFD is a character */
    assert_true(json_good(v) && json_is(v, "a", "\xEF\xBF\xBD"));
    json_free(v);
}

static const char text[] =
    "{\"n\":7,\"s\":\"x\",\"on\":true,\"none\":null,\n\"list\":[1,{\"a\":2.5}],"
    "\"inner\":{\"word\":\"red\"}}";

static struct json read_well(enum json_as as)
{
    static const char *const colours[] = {"", "green", "red", NULL};
    struct json v = json_open(str_of(text), as);
    assert_int_equal(json_int(v, "n", 0, 7), 7);
    assert_true(str_is(json_str(v, "s"), STR("x")) && json_bool(v, "on"));
    assert_int_equal(json_word(json_object(v, "inner"), "word", colours), 2);
    assert_int_equal(json_count(json_list(v, "list", 2, 2)), 2);
    assert_int_equal(json_kind(json_at(v, "none")), JSON_NULL);
    assert_int_equal(json_kind(json_at(v, "nothing")), JSON_NONE);
    assert_true(json_is(v, "inner", "red") == false && json_in(v, "inner", "word", NULL).at);
    assert_true(json_good(v));
    return v;
}

/* Each kind of read with its fault. */
TEST(first_fault_is_kept_with_its_path)
{
    static const char *const keys[] = {"n", "s", "on", "none", "list", NULL}, *const colours[] = {
                                                                                  "green", "blue",
                                                                                  NULL};
    enum { N = 12 };
    static const char *const says[N] = {
        "n: expected a whole number from 0 to 6, got 7",
        "missing: missing",
        "s: expected a whole number from 1 to 2, got \"x\"",
        "n: expected a string, got 7",
        "s: expected true or false, got \"x\"",
        "inner.word: expected one of green, blue, got \"red\"",
        "n: expected an object, got 7",
        "list: expected a list of 3, got a list of 2",
        "s: expected a list of 1 to 3, got \"x\"",
        "list.a: expected a whole number from 0 to 9, got 2.5",
        "inner: unknown field",
        "inner.other: expected 5, got 6",
    };
    for (int i = 0; i < N; i++) {
        struct json v = read_well(i % 2 ? JSON_FILE : JSON_LINE), inner = json_at(v, "inner");
        struct err err;
        assert_int_equal(i == 0 ? json_int(v, "n", 0, 6) : 0, 0);
        assert_true(i != 1 || json_str(v, "missing").n == 0);
        assert_true(i != 2 || json_int(v, "s", 1, 2) == 0);
        assert_true(i != 3 || json_str(v, "n").n == 0);
        assert_true(i != 4 || !json_bool(v, "s"));
        assert_true(i != 5 || json_word(inner, "word", colours) == 0);
        assert_true(i != 6 || !json_object(v, "n").at);
        assert_true(i != 7 || !json_list(v, "list", 3, 3).at);
        assert_true(i != 8 || !json_list(v, "s", 1, 3).at);
        assert_true(i != 9 || json_int(json_next(json_first(json_at(v, "list"))), "a", 0, 9) == 0);
        if (i == 10)
            json_allow(v, keys);
        assert_true(i != 11 || !json_fail(inner, "other", "expected %d, got %d", 5, 6));
        assert_false(json_good(v));
        json_int(v, "later", 0, 1); /* a later one changes nothing */
        assert_false(json_close(v, &err));
        assert_string_equal(err.text, says[i]);
    }
}

TEST(numbered_text_adds_the_line_of_the_field)
{
    struct err err;
    struct json v = read_well(JSON_NUMBERED);
    json_int(json_at(v, "inner"), "word", 0, 1);
    assert_false(json_close(v, &err));
    assert_string_equal(err.text,
                        "line 2: inner.word: expected a whole number from 0 to 1, got \"red\"");
}

TEST(loose_text_has_no_fault)
{
    struct err err;
    struct json v = json_open(STR("{\"n\":1.9,\"n\":2,\"s\":\"a\x01\"} tail"), JSON_LOOSE);
    assert_int_equal(json_number(v, "n"), 1);
    assert_int_equal(json_number(v, "s"), 0);
    assert_int_equal(json_int(v, "s", 0, 9), 0);
    assert_true(json_good(v));
    assert_true(json_close(v, &err));
    v = json_open(STR("[1]"), JSON_LOOSE);
    assert_null(v.at);
    json_free(v);
}

TEST(same_values_may_stand_in_any_order)
{
    static const struct {
        const char *wanted, *found, *says;
    } rows[] = {
        {"{\"a\":1,\"b\":[1,{\"c\":2}]}", "{\"b\":[1,{\"c\":2}],\"a\":1}", ""},
        {"{\"a\":1,\"b\":2}", "{\"a\":1}", "b: expected 2, got nothing"},
        {"{\"a\":1}", "{\"a\":1,\"b\":2}", "b: expected no such field, got 2"},
        {"{\"a\":[1,{\"c\":2}]}", "{\"a\":[1,{\"c\":3}]}", "a[1].c: expected 2, got 3"},
        {"{\"a\":[1]}", "{\"a\":[1,2]}", "a: expected [1], got [1,2]"},
        {"{\"a\":1}", "{\"a\":\"1\"}", "a: expected 1, got \"1\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct err err = {""};
        struct json wanted = json_open(str_of(rows[i].wanted), JSON_LINE),
                    found = json_open(str_of(rows[i].found), JSON_LINE);
        assert_int_equal(json_same(found, wanted), !rows[i].says[0]);
        json_free(wanted);
        assert_int_equal(json_close(found, &err), !rows[i].says[0]);
        assert_string_equal(err.text, rows[i].says);
    }
}

static void is_printed(struct json v, const char *wanted)
{
    struct arena *a = arena_open(1 << 16);
    assert_string_equal(json_print(a, v).p, wanted);
    arena_close(a);
}

TEST(tree_can_be_filled_and_changed)
{
    struct json into = json_open(STR("{\"a\":{\"x\":1},\"b\":null}"), JSON_LINE),
                from =
                    json_open(STR("{\"a\":{\"x\":2,\"y\":3},\"b\":{\"z\":1},\"c\":4}"), JSON_LINE);
    json_fill(into, from);
    is_printed(into, "{\"a\":{\"x\":1,\"y\":3},\"b\":null,\"c\":4}");
    json_remove(into, "a");
    json_set_str(into, "c", STR("\"4\""));
    json_set_str(into, "d", STR("e"));
    json_set_str(json_at(into, "d"), NULL, STR("longer"));
    is_printed(into, "{\"b\":null,\"c\":\"\\\"4\\\"\",\"d\":\"longer\"}");
    json_free(into);
    json_free(from);
}

TEST(writer_sets_commas_and_escapes)
{
    char room[256];
    struct buf b = BUF(room);
    buf_put(&b, STR("text\n"));
    json_put_open(&b, NULL, '{');
    json_put_int(&b, "n", -7);
    json_put_str(&b, "s", STR("a\"b\\c\nd\x01\xC3\xA9"));
    json_put_open(&b, "list", '[');
    for (int i = 0; i < 2; i++)
        json_put_bool(&b, NULL, i);
    json_put_null(&b, NULL);
    json_put_open(&b, NULL, '{');
    buf_put(&b, STR("}]"));
    json_put_name(&b, "raw");
    buf_put(&b, STR("1.5"));
    JSON_PUT(&b, "'of':{$:[$,@]}", STR("a\"b"), STR("$'@"), STR("2"));
    JSON_PUT(&b, "'to':'x'}");
    assert_true(
        str_is(buf_str(&b),
               STR("text\n{\"n\":-7,\"s\":\"a\\\"b\\\\c\\nd\\u0001\xC3\xA9\",\"list\":[false,"
                   "true,null,{}],\"raw\":1.5,\"of\":{\"a\\\"b\":[\"$'@\",2]},\"to\":\"x\"}")));
}

TEST(bytes_of_a_member_are_found_in_broken_text)
{
    struct str raw;
    assert_true(json_raw(STR("{\"a\":[1, 2],\"id\" : {\"x\":1e3} ,,,"), "id", &raw));
    assert_true(str_is(raw, STR("{\"x\":1e3}")));
    assert_false(json_raw(STR("{\"a\":1"), "id", &raw));
    assert_false(json_raw(STR("[\"id\"]"), "id", &raw));
    static const char *const keys[] = {"id", "none", "a"};
    struct str some[] = {STR("-"), STR("-"), STR("-")};
    assert_int_equal(
        json_raws(STR("{\"a\":[1, 2], \"a\":3,\"id\" : {\"x\":1e3} ,,,"), 3, keys, some), 2);
    assert_true(str_is(some[0], STR("{\"x\":1e3}")) && str_is(some[1], STR("-")) &&
                str_is(some[2], STR("[1, 2]")));
    assert_int_equal(json_raws(STR("{\"id\":1, broken"), 1, keys, some), 1);
}
