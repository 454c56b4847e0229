/* A hand is one screen of a phone: the real messages of random matches, laid out as a phone does it
 * that is 360 points wide. Two and three players, every rule set, nine languages, the longest
 * names. */
#include "engine/test.h"
#include "fixture/session_fixture.h"

#include "adapter.h"
#include "layout.h"
#include "picture.h"
#include "texts.h"

extern const struct adapter telegram_adapter;

/* Points. A fold shows its first lines. */
enum {
    PHONE = 360,
    MOST_PICTURE = 380,
    MOST_SCREEN = 620,
    COLUMNS = 42,
    LINE = 20,
    FOLDED_LINES = 3,
    BUTTONS = 40
};

static const char *const languages[] = {"en", "de", "es", "fr", "ja", "pl", "pt", "ru", "zh"};
enum { LANGUAGES = sizeof languages / sizeof *languages, MATCHES = 200 };

static int seen; /* hands */

/* Lines of a text that is that many columns wide, broken between words. */
static int lines_of(struct str line)
{
    int lines = 1, at = 0;
    for (struct str rest = line, word = str_word(&rest); word.n > 0; word = str_word(&rest)) {
        int columns = text_columns(word);
        if (at > 0 && at + 1 + columns > COLUMNS) {
            lines++;
            at = 0;
        }
        lines += columns / (COLUMNS + 1); /* a script without blanks */
        at += columns + (at > 0);
    }
    return lines;
}

/* Without marks, as a reader sees it; a time as it is on the longest day. */
static struct str shown(struct str s)
{
    static char text[4096];
    struct buf b = BUF(text);
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] == MARK_TIME) {
            while (i < s.n && s.p[i] != MARK_END)
                i++;
            buf_put(&b, STR("30.12. 23:59"));
        } else if (s.p[i] < MARK_BOLD || s.p[i] > MARK_LAST) {
            buf_char(&b, s.p[i]);
        }
    return buf_str(&b);
}

static struct str caption_of(const struct outgoing *o)
{
    size_t n = 0;
    while (n < o->text.n && o->text.p[n] != MARK_FOLD)
        n++;
    return str_trim((struct str){o->text.p, n});
}

static int rows_of(const struct outgoing *o)
{
    int rows = 0;
    for (int i = 0; i < o->n_buttons; i++)
        rows += o->buttons[i].row_end || i + 1 == o->n_buttons;
    return rows;
}

static void look(const struct session *s, int seat)
{
    struct layout l;
    struct err err;
    struct outgoing o =
        session_fixture_message(s, &(struct notice){.kind = NOTICE_HAND, .seat = (int8_t)seat},
                                telegram_adapter.can, telegram_adapter.limits);
    struct str caption = caption_of(&o), rest = shown(caption);
    if (o.picture.n == 0)
        fail_msg("no picture above %d units: %.*s", text_units(o.text, true),
                 STR_ARG(shown(o.text)));
    OK(layout_read(o.picture, &l, &err));
    int high = picture_height(&l) * PHONE / PICTURE_WIDTH, n = 0, lines = 0;
    while (rest.n > 0) {
        n++;
        lines += lines_of(str_cut(rest, '\n', &rest));
    }
    int screen = high + LINE * (lines + FOLDED_LINES) + BUTTONS * rows_of(&o);
    if (high > MOST_PICTURE || n > 3 || lines > 3 || screen > MOST_SCREEN)
        fail_msg("%d points: picture %d, %d lines in %d, %d rows of buttons\n%.*s", screen, high, n,
                 lines, rows_of(&o), STR_ARG(shown(caption)));
    seen++;
}

static struct session match_number(int i, struct rng *c)
{
    static const char *const presets[] = {"standard", "sensei", "okoshki", "mongolopedia",
                                          "mongolopedia"};
    uint8_t deck[N_CARDS];
    int k = i % (int)(sizeof presets / sizeof *presets);
    struct session s = session_fixture_match(session_fixture_rules(presets[k]), k == 4 ? 3 : 2);
    s.time.move_ms = (int64_t)24 * 3600 * 1000;
    for (int p = 0; p < s.players; p++) {
        char name[NAME_COLUMNS + 1] = {0};
        memset(name, "WMQ"[p], NAME_COLUMNS);
        NAME_PUT(s.player[p].name, str_of(name));
        NAME_PUT(s.player[p].language, str_of(languages[i % LANGUAGES]));
    }
    shuffle(c, deck);
    session_fixture_deal(&s, deck);
    return s;
}

TEST(a_hand_is_one_screen)
{
    struct rng c = {32};
    struct arena *catalogues = session_fixture_arena;
    session_fixture_arena = arena_open((size_t)1 << 24);
    for (int i = 0; i < MATCHES; i++) {
        struct session s = match_number(i, &c);
        struct ruleset g;
        ruleset_make(&s.rules, &g);
        while (s.match.stage != MATCH_OVER) {
            struct move legal[MAX_MOVES];
            uint8_t deck[N_CARDS];
            if (s.match.stage == MATCH_READY) {
                shuffle(&c, deck);
                match_deal(&g, &s.match, deck, NULL);
                continue;
            }
            for (int seat = 0; seat < s.players; seat++)
                look(&s, seat);
            arena_reset(session_fixture_arena);
            int n = round_legal(&g, &s.match.round, s.match.round.turn, legal);
            match_apply(&g, &s.match, s.match.round.turn, legal[rng_next(&c) % (uint64_t)n], NULL);
        }
    }
    arena_close(session_fixture_arena);
    session_fixture_arena = catalogues;
    assert_true(seen > 50 * MATCHES);
}

TESTS_WITH(session_fixture_setup, session_fixture_teardown)
