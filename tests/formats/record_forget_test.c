/* A name taken out of a record: out of both places, out of no other, and nothing else changes. */
#include "engine/test.h"
#include <string.h>

#include "record_rounds.h"

static void is_made_of(const char *lines, int seat, int joined, const char *expected)
{
    struct arena *arena = arena_open(1 << 20);
    struct str found = record_forget(arena, str_of(lines), seat, joined, STR("somebody"));
    assert_string_equal(arena_str(arena, found).p, expected);
    arena_close(arena);
}

TEST(the_name_goes_from_both_lists)
{
    is_made_of("{\"t\":\"match\",\"v\":1,\"players\":[\"Ann\",\"Bo\"],\"dealer\":0,"
               "\"lots_draw\":{\"commit\":\"00\",\"joined\":[\"Bo\",\"Ann\"]}}\n"
               "{\"t\":\"deal\",\"round\":1,\"client_seeds\":[\"Ann\",\"seat 1\"]}\n",
               0, 1,
               "{\"t\":\"match\",\"v\":1,\"players\":[\"somebody\",\"Bo\"],\"dealer\":0,"
               "\"lots_draw\":{\"commit\":\"00\",\"joined\":[\"Bo\",\"somebody\"]}}\n"
               "{\"t\":\"deal\",\"round\":1,\"client_seeds\":[\"Ann\",\"seat 1\"]}\n");
}

TEST(a_record_without_lots_has_one_list)
{
    is_made_of("{\"t\":\"match\",\"players\":[\"Ann\",\"Bo\",\"Cy\"],\"lots\":null}\n", 2, 0,
               "{\"t\":\"match\",\"players\":[\"Ann\",\"Bo\",\"somebody\"],\"lots\":null}\n");
}

TEST(other_lines_stay)
{
    static const char *const lines[] = {"", "Ann\n", "{\"t\":\"deal\",\"players\":[\"Ann\"]}\n",
                                        "{\"t\":\"match\",\"players\":[\"Ann\""};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        is_made_of(lines[i], 0, 0, lines[i]);
    is_made_of("{\"t\":\"match\",\"players\":[\"Ann\"]}\n", 3, 3,
               "{\"t\":\"match\",\"players\":[\"Ann\"]}\n");
}
