/* Tables of fields: a struct comes out of each form as it went in; other values are refused. */
#include "engine/test.h"
#include "fixture/scratch.h"

#include "field.h"

struct stored_part {
    struct str name;
    bool first, second;
};
struct stored_sample {
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    bool on;
    char text[8];
    uint8_t hex[3];
    struct str str, within;
    int word, n_list, n_array, n_rest, n_plain;
    struct stored_part one, list[2], *array, *rest;
    struct str plain[2];
};

static const struct field_row line_rows[] = {
    FIELD_INT(stored_sample, "i8", i8, INT8_MIN, INT8_MAX),
    FIELD_INT(stored_sample, "i16", i16, INT16_MIN, INT16_MAX),
    FIELD_INT(stored_sample, "i32", i32, INT32_MIN, INT32_MAX),
    FIELD_INT(stored_sample, "i64", i64, INT64_MIN + 1, INT64_MAX),
    FIELD_INT(stored_sample, "u8", u8, 0, UINT8_MAX),
    FIELD_INT(stored_sample, "u16", u16, 0, UINT16_MAX),
    FIELD_INT(stored_sample, "u32", u32, 0, UINT32_MAX),
    FIELD_BOOL(stored_sample, "on", on),
    FIELD_TEXT(stored_sample, "text", text),
    FIELD_HEX(stored_sample, "hex", hex),
};
static const struct field_table line_fields = FIELD_TABLE(stored_sample, line_rows);

static const struct field_row part_rows[] = {
    FIELD_STR(stored_part, "name", name),
    FIELD_BOOL(stored_part, "first", first),
    FIELD_BOOL(stored_part, "second", second),
};
static const struct field_table parts = FIELD_TABLE(stored_part, part_rows);
static const struct field_row plain_rows[] = {{.kind = FIELD_IS_STR, .size = sizeof(struct str)}};
static const struct field_table plain = {plain_rows, 1, sizeof(struct str)};
static const char *const words[] = {"", "red", "green", NULL};

static const struct field_row packed_rows[] = {
    FIELD_INT(stored_sample, "u32", u32, 0, 300),
    {.name = "u8", FIELD_OF(stored_sample, INT, u8), .most = 9, .since = 2},
    FIELD_STR(stored_sample, "str", str),
    {.name = "gone", .kind = FIELD_IS_GONE, .until = 1},
    {.name = "within",
     FIELD_OF(stored_sample, PART, within),
     .count = offsetof(struct stored_sample, str)},
    {.name = "one", FIELD_OF(stored_sample, STRUCT, one), .of = &parts},
    FIELD_MANY(stored_sample, LIST, "list", list, n_list, 2, &parts),
    FIELD_MANY(stored_sample, ARRAY, "array", array, n_array, 3, &parts),
    FIELD_MANY(stored_sample, REST, "rest", rest, n_rest, 3, &parts),
};
static const struct field_table packed_fields = FIELD_TABLE(stored_sample, packed_rows);

static const struct field_row json_rows[] = {
    FIELD_INT(stored_sample, "i64", i64, -5, 5),
    FIELD_BOOL(stored_sample, "on", on),
    FIELD_STR(stored_sample, "str", str),
    FIELD_WORD(stored_sample, "word", word, words),
    FIELD_MANY(stored_sample, LIST, "list", list, n_list, 2, &parts),
    FIELD_MANY(stored_sample, LIST, "plain", plain, n_plain, 2, &plain),
};
static const struct field_table json_fields = FIELD_TABLE(stored_sample, json_rows);

static bool read_line(struct str line, struct stored_sample *ret)
{
    *ret = (struct stored_sample){0};
    for (struct str word = str_word(&line); word.n > 0; word = str_word(&line)) {
        struct str value, name = str_cut(word, '=', &value);
        const struct field_row *f = field_find(&line_fields, name);
        if (!f || !field_read(f, ret, value))
            return false;
    }
    return true;
}

TEST(line_holds_numbers_of_any_size)
{
    static const char most[] =
        " i8=-128 i16=-32768 i32=-2147483648 i64=-9223372036854775807 u8=255 "
        "u16=65535 u32=4294967295 on=1 text=a%20%25%7F hex=00ff10";
    const struct stored_sample in = {.i8 = INT8_MIN,
                                     .i16 = INT16_MIN,
                                     .i32 = INT32_MIN,
                                     .i64 = INT64_MIN + 1,
                                     .u8 = UINT8_MAX,
                                     .u16 = UINT16_MAX,
                                     .u32 = UINT32_MAX,
                                     .on = true,
                                     .text = "a %\x7f",
                                     .hex = {0, 255, 16}},
                               zero = {0};
    struct stored_sample out;
    char room[512];
    struct buf b = BUF(room);
    field_put_line(&b, &line_fields, &in, "", false);
    assert_true(str_is(buf_str(&b), str_of(most)));
    assert_true(read_line(buf_str(&b), &out));
    assert_memory_equal(&out, &in, sizeof in);
    b.n = 0;
    field_put_line(&b, &line_fields, &zero, "p1.", false);
    assert_int_equal(b.n, 0);
    field_put_line(&b, &line_fields, &zero, "p1.", true);
    assert_true(str_is(buf_str(&b), STR(" p1.i8=0 p1.i16=0 p1.i32=0 p1.i64=0 p1.u8=0 p1.u16=0 "
                                        "p1.u32=0 p1.on=0 p1.text= p1.hex=000000")));
}

TEST(line_refuses_what_it_would_not_write)
{
    static const char *const bad[] = {
        "i8=128",   "i8=-129",       "u8=256",   "u8=-1",      "on=2",        "on=true",
        "i64=",     "text=",         "text=%00", "text=%4",    "text=a%",     "text=\x7f",
        "text=%C3", "text=12345678", "hex=00ff", "hex=00FF10", "hex=00ff100", "none=1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct stored_sample out;
        if (read_line(str_of(bad[i]), &out))
            fail_msg("%s was read", bad[i]);
        assert_int_equal(out.text[0], 0); /* as it was */
    }
}

static void is_part(const struct stored_part *p, const char *name, bool first, bool second)
{
    assert_true(str_is(p->name, str_of(name)));
    assert_true(p->first == first && p->second == second);
}

TEST(packed_holds_lists)
{
    struct stored_part array[] = {
        {STR("b"), true, true}, {STR(""), false, false}, {STR("c"), 0, 1}};
    struct stored_sample in = {.u32 = 300,
                               .u8 = 9,
                               .str = STR("text"),
                               .one = {STR("a"), true, false},
                               .n_list = 1,
                               .list = {{STR("l"), false, true}},
                               .n_array = 3,
                               .array = array,
                               .n_rest = 2,
                               .rest = array},
                         out = {0};
    struct arena *a = arena_open(1 << 16);
    char room[512];
    struct buf b = BUF(room);
    in.within = (struct str){in.str.p + 1, 2};
    field_pack(&b, &packed_fields, &in);
    assert_true(b.n <= field_packed_most(&packed_fields, &in));
    struct unpacking u = {.rest = buf_str(&b), .arena = a, .format = 2};
    field_unpack(&u, &packed_fields, &out);
    assert_true(!u.bad && u.rest.n == 0);
    assert_true(out.u32 == 300 && out.u8 == 9 && str_is(out.str, STR("text")));
    assert_true(str_is(out.within, STR("ex")) && out.within.p == out.str.p + 1);
    is_part(&out.one, "a", true, false);
    assert_true(out.n_list == 1 && out.n_array == 3 && out.n_rest == 2);
    is_part(&out.list[0], "l", false, true);
    is_part(&out.array[2], "c", false, true);
    is_part(&out.rest[0], "b", true, true);
    for (size_t n = 0; n < b.n; n++) { /* cut anywhere but between the last parts */
        struct stored_sample cut = {0};
        u = (struct unpacking){.rest = {room, n}, .arena = a, .format = 2};
        field_unpack(&u, &packed_fields, &cut);
        assert_true(u.bad || cut.n_rest < 2);
    }
    arena_close(a);
}

TEST(packed_reads_former_formats_and_refuses_too_much)
{
    static const char old[] = "\x07\x01s\x04gone\x00\x00\x00\x00\x00", more[] = "\xAD\x02";
    struct arena *a = arena_open(1 << 16);
    struct stored_sample out = {0};
    struct unpacking u = {.rest = {old, sizeof old - 1}, .arena = a, .format = 1};
    field_unpack(&u, &packed_fields, &out);
    assert_true(!u.bad && u.rest.n == 0 && out.u32 == 7 && out.u8 == 0);
    assert_true(str_is(out.str, STR("s")) && !out.within.p);
    u = (struct unpacking){.rest = {more, sizeof more - 1}, .arena = a, .format = 2}; /* 301 */
    field_unpack(&u, &packed_fields, &out);
    assert_true(u.bad);
    arena_close(a);
}

TEST(json_leaves_zeros_out)
{
    static const char text[] =
        "{\"i64\":-5,\"on\":true,\"str\":\"s\",\"word\":\"green\",\"list\":[{"
        "\"name\":\"l\",\"second\":true},{}],\"plain\":[\"x\",\"y\"]}";
    struct stored_sample in = {.i64 = -5,
                               .on = true,
                               .str = STR("s"),
                               .word = 2,
                               .n_list = 2,
                               .list = {{STR("l"), false, true}},
                               .n_plain = 2,
                               .plain = {STR("x"), STR("y")}},
                         out = {0}, zero = {0};
    struct arena *a = arena_open(1 << 16);
    char room[512];
    struct buf b = BUF(room);
    struct err err;
    buf_char(&b, '{');
    field_put_json(&b, &json_fields, &in);
    buf_char(&b, '}');
    assert_true(str_is(buf_str(&b), str_of(text)));
    struct json v = json_open(str_of(text), JSON_LINE);
    field_read_json(v, &json_fields, &out, a);
    assert_true(json_close(v, &err));
    assert_true(out.i64 == -5 && out.on && str_is(out.str, STR("s")) && out.word == 2);
    assert_true(out.n_list == 2 && out.n_plain == 2 && str_is(out.plain[1], STR("y")));
    is_part(&out.list[0], "l", false, true);
    is_part(&out.list[1], "", false, false);
    b.n = 0;
    field_put_json(&b, &json_fields, &zero);
    assert_int_equal(b.n, 0);
    v = json_open(STR("{\"list\":[{},{},{}],\"i64\":6}"), JSON_LINE);
    field_read_json(v, &json_fields, &out, a);
    assert_int_equal(out.n_list, 2);
    assert_false(json_close(v, &err));
    assert_string_equal(err.text, "i64: expected a whole number from -5 to 5, got 6");
    arena_close(a);
}
