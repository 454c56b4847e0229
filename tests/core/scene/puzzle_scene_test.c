/* Documents of puzzles: each one of the collection is asked, and solved, in sentences. */
#include "engine/test.h"
#include "fixture/session_fixture.h"

#include "embedded.h"
#include "json.h"
#include "puzzle.h"
#include "puzzle_file.h"
#include "scene_write.h"

static const uint8_t key[PRESS_KEY_BYTES];

static struct str puzzle_text(const struct puzzle_of_day *d, int answer, const char *language,
                              struct arena *a)
{
    struct effects *fx = arena_new(a, struct effects);
    fx->arena = a;
    struct scene_reader reader = {.bot = &session_fixture_bot,
                                  .table = puzzle_table(fx, &session_fixture_rulesets, d),
                                  .version = answer ? 2 : 1,
                                  .language = str_of(language),
                                  .key = key,
                                  .now = 1790000000000,
                                  .arena = a};
    return puzzle_scene(&reader, d, answer, answer > 0, 365);
}

static void says_something(struct str text, int puzzle, const char *language)
{
    struct err err;
    struct json v = json_open(text, JSON_LINE);
    struct str line = {0};
    for (struct json m = json_first(v); m.at; m = json_next(m))
        if (str_is(json_name(m), STR("say")) && json_first(m).at)
            line = json_str(json_first(m), NULL);
    assert_true(json_close(v, &err));
    if (text.n > SCENE_BYTES || line.n == 0)
        fail_msg("puzzle %d in %s: %zu bytes, says \"%.*s\"", puzzle, language, text.n,
                 STR_ARG(line));
}

TEST(each_puzzle_is_asked_and_solved_in_sentences)
{
    struct arena *a = arena_open(16 << 20);
    for (int i = 0; i < puzzle_file_count(embedded_find(STR("puzzles.jsonl"))); i++) {
        struct puzzle p;
        struct err err;
        assert_true(
            puzzle_file_read(puzzle_file_line(embedded_find(STR("puzzles.jsonl")), i), &p, &err));
        const struct puzzle_of_day d = {.puzzle = &p, .answered = 1234, .solved = 567};
        const char *language =
            session_fixture_languages.at[i % session_fixture_languages.n]->language.p;
        for (int answer = 0; answer <= p.view.n_legal; answer++)
            says_something(puzzle_text(&d, answer, language, a), p.no, language);
        arena_reset(a);
    }
    arena_close(a);
}

TESTS_WITH(session_fixture_setup, session_fixture_teardown)
