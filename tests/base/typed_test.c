/* Numbers as people type them: whatever a list shows, in any script. */
#include "engine/test.h"

#include "typed.h"
#include "utf8.h"

#include <utf8proc.h>

static struct arena *arena;

FIXTURE(open_arena)
{
    arena = arena_open((size_t)1 << 24);
    return 0;
}

FIXTURE(close_arena)
{
    arena_close(arena);
    return 0;
}

static void assert_text(struct str s, const char *wanted)
{
    if (!str_is(s, str_of(wanted)))
        fail_msg("wanted \"%s\", found \"%.*s\"", wanted, STR_ARG(s));
}

#define READS(typed, plain) assert_text(typed_plain(arena, STR(typed)), plain)

TEST(reads_what_a_list_shows)
{
    READS("/play 3.", "/play 3");
    READS("3)", "3");
    READS("(12)", "12");
    READS("[4]", "4");
    READS("#12.", "#12");
    READS("2, 3", "2 3");
    READS("3️⃣", "3");
    READS("3⃣ 🔟", "3 10");
    READS("①⒈", "11");
    READS("⑫", "12");
    READS("6. peony", "6 peony");
    READS("6.peony", "6 peony");
    READS("3、松", "3 松");
}

TEST(reads_digits_of_any_script)
{
    READS("٣", "3");
    READS("۱۲", "12");
    READS("３　１２", "3 12");
    READS("／play ＃３", "/play #3");
    READS("！koi", "!koi");
    READS("२४h", "24h");
    READS("\xE2\x80\x8F٣\xE2\x80\x8E", "3");
    READS("3番", "3");
    READS("3번", "3");
    READS("三", "3");
    READS("十番", "10");
    READS("二十三", "23");
}

TEST(leaves_other_words_alone)
{
    READS("", "");
    READS("/challenge @bo_3 24h rounds=6", "/challenge @bo_3 24h rounds=6");
    READS("22-8", "22-8");
    READS("22:30", "22:30");
    READS("1.5", "1.5");
    READS("二三", "二三");
    READS("一月", "一月");
    READS(" a  b\n", " a  b\n");
    READS("#", "#");
    READS("( )", "( )");
    READS("\xFF", "\xFF");
}

/* The table of zeros is whole: the library's own knowledge of Unicode finds no other digit. */
TEST(knows_every_decimal_digit)
{
    for (uint32_t c = '0'; c <= 0x10FFFF; c++) {
        if (utf8proc_category((utf8proc_int32_t)c) != UTF8PROC_CATEGORY_ND)
            continue;
        char bytes[UTF8_LONGEST];
        struct str plain = typed_plain(arena, (struct str){bytes, utf8_put(c, bytes)});
        if (plain.n != 1 || plain.p[0] < '0' || plain.p[0] > '9')
            fail_msg("U+%04X", (unsigned)c);
    }
}

TEST(words_end_at_blanks_of_any_alphabet)
{
    struct str rest = STR("　！koi　ping\xC2\xA0 x ");
    assert_text(typed_word(&rest), "！koi");
    assert_text(typed_word(&rest), "ping");
    assert_text(typed_word(&rest), "x");
    assert_text(typed_word(&rest), "");
    assert_int_equal(rest.n, 0);
}

TESTS_WITH(open_arena, close_arena)
