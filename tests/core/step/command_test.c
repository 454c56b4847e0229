/* Reading commands, button data and join codes. */
#include "engine/test.h"
#include "fixture/scratch.h"

#include "command.h"
#include "texts.h"

static struct arena *arena;
static struct languages english;

FIXTURE(open_texts)
{
    struct err err;
    arena = arena_open((size_t)1 << 26);
    return texts_load(STR(""), STR("en"), true, arena, &english, &err) ? 0 : -1;
}

FIXTURE(close_texts)
{
    arena_close(arena);
    return 0;
}

static struct event typed(const char *text, bool direct)
{
    struct event e = {.direct = direct, .operates = true};
    const struct texts *texts[] = {english.at[0]};
    command_read(texts, 1, arena, str_of(text), &e);
    return e;
}

static void notices(struct str s, const char *wanted)
{
    if (!str_is(s, str_of(wanted)))
        fail_msg("wanted \"%s\", found \"%.*s\"", wanted, STR_ARG(s));
}

TEST(every_alias_is_read)
{
    for (int v = 1; v < N_COMMANDS; v++)
        for (int i = 0; i < MAX_ALIASES && english.at[0]->alias[v][i].n > 0; i++) {
            struct str text =
                arena_print(arena, "/%.*s one two", STR_ARG(english.at[0]->alias[v][i]));
            struct event e = typed(text.p, false);
            assert_int_equal(e.verb, v);
            notices(e.words, "one two");
        }
}

static bool is_command(struct str name)
{
    for (int v = 1; v < N_COMMANDS; v++)
        if (str_is(name, str_of(commands[v].name)))
            return true;
    return false;
}

/* What a row says is filled in with commands: its placeholders can be nothing else. */
TEST(placeholders_of_a_row_are_commands)
{
    enum { HAS_FUNCTION = -1 };
#define NO_SESSION(fn)                    HAS_FUNCTION
#define ONE(scope, fn)                    HAS_FUNCTION
#define MAYBE(scope, fn)                  HAS_FUNCTION
#define SAYS(key)                         (int)T_##key
#define COMMAND(verb, n, l, f, does, ...) does,
#define EVENT(verb, l, f, does)           does,
    static const int rows[] = {
#include "command.def"
    };
    int sentences = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct str names = str_of(rows[i] == HAS_FUNCTION ? "" : text_args((enum text)rows[i]));
        sentences += rows[i] != HAS_FUNCTION;
        while (names.n > 0)
            assert_true(is_command(str_word(&names)));
    }
    assert_true(sentences > 0);
}

TEST(spelling_of_a_command_does_not_matter)
{
    static const char *const same[] = {"/play 3",
                                       "!play 3",
                                       "/PLAY 3",
                                       "/Play@some_bot 3",
                                       "／ｐｌａｙ ３",
                                       "/play\t3",
                                       "  /play   3",
                                       "/ play 3",
                                       "/play\xE3\x80\x80"
                                       "3",
                                       "/p 3",
                                       "/\xE2\x80\x8Bplay 3"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        struct event e = typed(same[i], false);
        if (e.verb != VERB_PLAY)
            fail_msg("not understood: %s", same[i]);
        notices(text_fold(arena, e.words), "3");
    }
}

TEST(match_number_is_not_part_of_the_words)
{
    struct event e = typed("/play #12 sake ＃３ moon", false);
    assert_int_equal(e.no, 3);
    notices(e.words, "sake moon");
    e = typed("/ping #12", false);
    assert_int_equal(e.no, 0);
    notices(e.words, "#12");
    e = typed("/play #0 #x 4", false);
    assert_int_equal(e.no, 0);
    notices(e.words, "#0 #x 4");
}

TEST(talk_is_no_command)
{
    static const char *const chatter[] = {"",         " ",      "hello",       "play 3", "/",
                                          "!",        "/dance", "1000 thanks", "3rd",    "-1",
                                          "\xFF\xFE", "/\xFF",  "//play"};
    for (size_t i = 0; i < sizeof chatter / sizeof *chatter; i++)
        if (typed(chatter[i], false).verb != VERB_NONE)
            fail_msg("taken for a command: %s", chatter[i]);
    assert_int_equal(typed("play 3", true).verb, VERB_PLAY);
    assert_int_equal(typed("dance", true).verb, VERB_UNKNOWN);
    assert_int_equal(typed("3", false).verb, VERB_NUMBER);
    assert_int_equal(typed("３", true).verb, VERB_NUMBER);
}

/* In a group a misspelled command is answered. Other unknown commands may be meant for other bots:
 * they are answered only where they can be meant for this bot alone. */
TEST(misspelled_command_is_recognized)
{
    struct event e = {.for_us = true};
    const struct texts *texts[] = {english.at[0]};
    assert_int_equal(typed("/challange @bo", false).verb, VERB_UNKNOWN);
    assert_int_equal(typed("/challange @bo", false).near, VERB_CHALLENGE);
    assert_int_equal(typed("/hadn", false).near, VERB_HAND);
    assert_int_equal(typed("/haand", false).near, VERB_HAND);
    assert_int_equal(typed("/weather", false).verb, VERB_NONE);
    assert_int_equal(typed("/weather", true).near, VERB_NONE);
    assert_int_equal(typed("/abcdefghijklmnopqrstuvwxyzabcdefghijkl", true).near, VERB_NONE);
    command_read(texts, 1, arena, STR("/weather"), &e);
    assert_int_equal(e.verb, VERB_UNKNOWN);
    e = (struct event){.for_us = true};
    command_read(texts, 1, arena, STR("!wow"), &e);
    assert_int_equal(e.verb, VERB_NONE);
}

TEST(button_data_reads_back_unchanged)
{
    static const uint8_t key[PRESS_KEY_BYTES] = {1, 2, 3};
    struct press back;
    for (int v = 0; v < N_VERBS; v++) {
        if (!commands[v].letter)
            continue;
        struct press p = {(enum verb)v, INT64_C(9007199254740992), UINT32_MAX, 1 << 20};
        struct str data = press_write(key, p, arena);
        assert_true(data.n <= PRESS_DATA_MAX);
        assert_true(press_read(key, data, &back));
        assert_int_equal(back.verb, p.verb);
        assert_true(back.no == p.no && back.version == p.version && back.index == p.index);
    }
}

TEST(button_letters_are_unique)
{
    for (int v = 0; v < N_VERBS; v++)
        for (int u = 0; u < v; u++)
            if (commands[v].letter)
                assert_int_not_equal(commands[v].letter, commands[u].letter);
}

TEST(forged_buttons_are_refused)
{
    static const uint8_t key[PRESS_KEY_BYTES] = {1, 2, 3}, other[PRESS_KEY_BYTES] = {1, 2, 4};
    struct press back;
    struct str data = press_write(key, (struct press){VERB_MOVE, 12, 7, 3}, arena);
    assert_false(press_read(other, data, &back));
    for (size_t i = 0; i < data.n; i++) {
        struct str changed = arena_str(arena, data);
        ((char *)changed.p)[i] ^= 1;
        assert_false(press_read(key, changed, &back));
        assert_false(press_read(key, (struct str){data.p, i}, &back));
    }
    assert_false(press_read(key, STR(""), &back));
}

TEST(join_code_is_read_in_any_case)
{
    static const uint8_t key[PRESS_KEY_BYTES] = {1, 2, 3}, other[PRESS_KEY_BYTES] = {1, 2, 4};
    int64_t no = 0;
    struct str code = join_code_write(key, VERB_JOIN, 12, arena);
    assert_true(str_starts(code, STR("12-")));
    assert_int_equal(code.n, 11);
    assert_true(join_code_read(key, VERB_JOIN, code, arena, &no));
    assert_int_equal(no, 12);
    struct str loud = arena_print(arena, "  %.*s ", STR_ARG(code));
    for (size_t i = 0; i < loud.n; i++)
        if (loud.p[i] >= 'a' && loud.p[i] <= 'z')
            ((char *)loud.p)[i] -= 32;
    assert_true(join_code_read(key, VERB_JOIN, loud, arena, &no));
    no = 0;
    assert_false(join_code_read(other, VERB_JOIN, code, arena, &no));
    for (size_t i = 0; i < code.n; i++) {
        struct str changed = arena_str(arena, code);
        ((char *)changed.p)[i] = changed.p[i] == 'a' || changed.p[i] == '-' ? '3' : 'a';
        assert_false(join_code_read(key, VERB_JOIN, changed, arena, &no));
        assert_false(join_code_read(key, VERB_JOIN, (struct str){code.p, i}, arena, &no));
    }
    assert_false(join_code_read(key, VERB_JOIN, STR("12"), arena, &no));
    assert_false(join_code_read(key, VERB_JOIN, STR("-12-aaaaaaaa"), arena, &no));
    assert_int_equal(no, 0);
}

/* The other players see the board after a move: what was typed, and the answer, are the player's
 * own. */
TEST(moves_and_hands_may_be_typed_unseen)
{
    static const enum verb unseen[] = {VERB_PLAY,   VERB_KOIKOI, VERB_STOP, VERB_DECLARE,
                                       VERB_REDEAL, VERB_HAND,   VERB_YAKU};
    int wanted[N_VERBS] = {0};
    for (size_t i = 0; i < sizeof unseen / sizeof *unseen; i++)
        wanted[unseen[i]] = SEEN_BY_ASKER;
    for (int v = 0; v < N_VERBS; v++)
        assert_int_equal(commands[v].seen_by, wanted[v]);
}

static bool is_for_operators(int verb)
{
    static const enum verb theirs[] = {VERB_STATUS, VERB_DRAIN, VERB_ANNOUNCE,
                                       VERB_BAN,    VERB_UNBAN, VERB_END};
    for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++)
        if (verb == (int)theirs[i])
            return true;
    return false;
}

TEST(settings_alone_need_an_admin)
{
    static const bool people[N_VERBS] = {
        [VERB_NOTIFY] = true, [VERB_PUZZLE] = true, [VERB_VACATION] = true, [VERB_QUIET] = true,
        [VERB_MYDATA] = true, [VERB_FORGET] = true, [VERB_LINK] = true,     [VERB_DUEL] = true,
    };
    for (int v = 0; v < N_VERBS; v++)
        assert_int_equal(commands[v].permitted, v == VERB_SETTINGS    ? FOR_ADMINS
                                                : is_for_operators(v) ? FOR_OPERATORS
                                                : people[v]           ? FOR_PEOPLE
                                                                      : FOR_ALL);
}

TEST(every_command_is_in_the_help_but_start_and_the_operators)
{
    for (int v = 1; v < N_VERBS; v++)
        assert_int_equal(commands[v].group != GROUP_NONE,
                         v < N_COMMANDS && v != VERB_START && !is_for_operators(v));
}

/* Also one that was nearly typed. */
TEST(an_operators_command_is_a_word_to_others)
{
    const struct texts *texts[] = {english.at[0]};
    for (int operates = 0; operates < 2; operates++) {
        struct event e = {.direct = true, .operates = operates == 1};
        command_read(texts, 1, arena, STR("/announce at nine"), &e);
        assert_int_equal(e.verb, operates ? VERB_ANNOUNCE : VERB_UNKNOWN);
        e.near = VERB_NONE;
        command_read(texts, 1, arena, STR("/anounce at nine"), &e);
        assert_int_equal(e.verb, VERB_UNKNOWN);
        assert_int_equal(e.near, operates ? VERB_ANNOUNCE : VERB_NONE);
    }
}

/* A network's list has room for about a dozen commands in a group and twenty in private, and cuts
 * longer phrases. */
TEST(lists_of_commands_are_short)
{
    int all = 0, in_private = 0, first = 0;
    for (int v = 1; v < N_COMMANDS; v++) {
        first += commands[v].listed == LISTED_FIRST;
        all += commands[v].listed >= LISTED;
        in_private += commands[v].listed >= LISTED_PRIVATE;
        struct str brief = english.at[0]->brief[v];
        assert_in_range(brief.n, 1, 59);
        assert_true(brief.p[0] >= 'A' && brief.p[0] <= 'Z');
        assert_true(brief.p[brief.n - 1] != '.');
    }
    assert_int_equal(first, 5);
    assert_in_range(all, 10, 14);
    assert_in_range(in_private, 16, 22);
    assert_int_equal(commands[VERB_SEEK].listed, LISTED_PRIVATE);
    assert_int_equal(commands[VERB_PUZZLE].listed, LISTED_PRIVATE);
}

TESTS_WITH(open_texts, close_texts)
