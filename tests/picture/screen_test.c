/* A hand, the end of a round and of a match are one screen of a phone, a board in words six lines: the real
 * messages of random matches, laid out as a phone does it that is 360 points wide. Two and three players,
 * every rule set, nine languages, the longest names. */
#include "engine/test.h"
#include "fixture/phone.h"
#include "fixture/session_fixture.h"

#include "adapter.h"
#include "layout.h"
#include "picture.h"
#include "stride.h"
#include "texts.h"

extern const struct adapter telegram_adapter, terminal_adapter;

enum { MOST_PICTURE = 380, BOARD_LINES = 6 };

static const char *const languages[] = {"en", "de", "es", "fr", "ja", "pl", "pt", "ru", "zh"};
enum { LANGUAGES = sizeof languages / sizeof *languages };

static int seen;                 /* hands */
static int results[2];           /* ends of rounds, of matches with a poster */
static int asked, pinged, turns; /* boards that ask in the open, call somebody, name the turn */

static void look(const struct session *s, int seat)
{
    struct layout l;
    struct err err;
    struct outgoing o =
        session_fixture_message(s, &(struct notice){.kind = NOTICE_HAND, .seat = (int8_t)seat},
                                telegram_adapter.can, telegram_adapter.limits);
    struct str caption = phone_caption(&o);
    if (o.picture.n == 0)
        fail_msg("no picture above %d units: %.*s", text_units(o.text, true),
                 STR_ARG(phone_text(o.text)));
    OK(layout_read(o.picture, &l, &err));
    int high = picture_height(&l) * PHONE_WIDTH / PICTURE_WIDTH, n,
        lines = phone_lines(phone_text(caption), &n);
    int screen = phone_height(&o);
    if (high > MOST_PICTURE || n > 3 || lines > 3 || screen > PHONE_SCREEN)
        fail_msg("%d points: picture %d, %d lines in %d, %d rows of buttons\n%.*s", screen, high, n,
                 lines, phone_rows(&o), STR_ARG(phone_text(caption)));
    seen++;
}

/* Above the fold; or where nothing folds, with lines of any length. */
static void look_at_board(const struct session *s, bool pings)
{
    const struct adapter *at[] = {&telegram_adapter, &terminal_adapter};
    const struct notice board = {.kind = pings ? NOTICE_PING : NOTICE_BOARD,
                                 .seat = (int8_t)(pings ? session_turn(s) : SEAT_PUBLIC),
                                 .notify = pings};
    for (int k = 0; k < 2; k++) {
        struct session t = *s;
        t.player[1].channel = CHANNEL_POPUP; /* the board asks them */
        struct outgoing o = session_fixture_message(&t, &board, at[k]->can, at[k]->limits);
        struct str text = phone_text(phone_caption(&o));
        int ends, lines = phone_lines(text, &ends);
        if ((k == 0 ? lines : ends) > BOARD_LINES)
            fail_msg("a board of %d lines in %d\n%.*s", lines, ends, STR_ARG(text));
        bool english = str_is(str_of(t.venue[0].language), STR("en"));
        if (english && s->match.round.phase == PHASE_HAND && ends > 1) {
            if (!memmem(text.p, text.n, " to move", 8))
                fail_msg("a board that does not say whose move it is\n%.*s", STR_ARG(text));
            turns++;
        }
        asked += s->match.round.phase != PHASE_HAND && o.n_buttons > 4;
        pinged += pings;
    }
}

/* The end of a round or of the match, for all: the poster and its words, in a group with its doors. */
static void look_at_result(const struct session *s, enum notice_kind kind, struct rounds rounds)
{
    struct session t = *s;
    for (int i = 1; i < s->players && rounds.at[0].points % 3 == 0; i++) /* their portraits speak */
        t.player[i] = (struct player){.computer = true, .character = (uint8_t)(1 + rounds.n % 5)};
    struct layout l;
    struct err err;
    struct outgoing o = session_fixture_message(
        &t, &(struct notice){.kind = (uint8_t)kind, .seat = SEAT_PUBLIC, .rounds = rounds},
        telegram_adapter.can, telegram_adapter.limits);
    int screen = phone_height(&o), high = 0, n, lines;
    struct str caption = phone_caption(&o);
    if (o.picture.n > 0) {
        OK(layout_read(o.picture, &l, &err));
        high = picture_height(&l) * PHONE_WIDTH / PICTURE_WIDTH;
    }
    lines = phone_lines(phone_text(caption), &n);
    if (screen > PHONE_SCREEN || high > MOST_PICTURE)
        fail_msg("%d points: picture %d, %d lines in %d, %d rows of buttons\n%.*s\n%.*s", screen,
                 high, n, lines, phone_rows(&o), STR_ARG(phone_text(caption)), STR_ARG(o.picture));
    results[kind == NOTICE_MATCH] += o.picture.n > 0;
}

static struct round_summary summary_of(const struct session *s)
{
    const struct match *m = &s->match;
    const struct round_result *r = &m->round.result;
    struct round_summary n = {.round = m->round_no - (m->stage == MATCH_READY),
                              .why = r->why,
                              .winner = r->winner,
                              .base = r->score.base,
                              .points = r->points,
                              .hand = r->hand,
                              .added = r->added};
    if (r->winner >= 0)
        n.pile = m->round.taken[r->winner];
    memcpy(n.scores, m->scores, sizeof n.scores);
    memcpy(n.worth, r->score.worth, sizeof n.worth);
    memcpy(n.x, r->x, sizeof n.x);
    return n;
}

static struct session match_number(int i, struct rng *c)
{
    static const char *const presets[] = {"standard", "sensei", "okoshki", "mongolopedia",
                                          "mongolopedia"};
    uint8_t deck[N_CARDS];
    int k = i % (int)(sizeof presets / sizeof *presets);
    struct session s = session_fixture_match(session_fixture_rules(presets[k]), k == 4 ? 3 : 2);
    if (i % 4 == 0)
        s.time = (struct time_control){.total_ms = (int64_t)30 * 3600 * 1000};
    else
        s.time.move_ms = (int64_t)24 * 3600 * 1000;
    for (int p = 0; p < s.players; p++) {
        char name[NAME_COLUMNS + 1] = {0};
        memset(name, "WMQ"[p], NAME_COLUMNS);
        NAME_PUT(s.player[p].name, str_of(name));
        NAME_PUT(s.player[p].language, str_of(languages[i % LANGUAGES]));
    }
    NAME_PUT(s.venue[0].language, str_of(languages[i % LANGUAGES]));
    shuffle(c, deck);
    session_fixture_deal(&s, deck);
    return s;
}

/* Both hands and the board, then a random move. */
static void go_on(struct session *s, const struct ruleset *g, struct rng *c)
{
    struct move legal[MAX_MOVES];
    if (s->match.round.n_seen % stride(2, 1) == 0) {
        for (int seat = 0; seat < s->players; seat++)
            look(s, seat);
        look_at_board(s, false);
        look_at_board(s, true);
    }
    int n = round_legal(g, &s->match.round, s->match.round.turn, legal);
    match_apply(g, &s->match, s->match.round.turn, legal[rng_next(c) % (uint64_t)n], NULL);
}

TEST(a_hand_and_a_result_are_one_screen_a_board_six_lines)
{
    const int matches = stride(45, 200); /* each rule set in each language is among 45 */
    struct rng c = {32};
    struct arena *catalogues = session_fixture_arena;
    session_fixture_arena = arena_open((size_t)1 << 24);
    for (int i = 0; i < matches; i++) {
        struct session s = match_number(i, &c);
        struct round_summary rounds[MAX_ROUNDS];
        struct ruleset g;
        int n = 0;
        ruleset_make(&s.rules, &g);
        while (s.match.stage != MATCH_OVER) {
            uint8_t deck[N_CARDS];
            if (s.match.stage == MATCH_READY) {
                shuffle(&c, deck);
                match_deal(&g, &s.match, deck, NULL);
            } else {
                go_on(&s, &g, &c);
            }
            arena_reset(session_fixture_arena);
            if (s.match.stage == MATCH_PLAYING || s.match.round.result.why == WHY_NONE)
                continue;
            rounds[n++] = summary_of(&s);
            look_at_result(&s, s.match.stage == MATCH_OVER ? NOTICE_MATCH : NOTICE_ROUND,
                           (struct rounds){n, rounds});
        }
    }
    arena_close(session_fixture_arena);
    session_fixture_arena = catalogues;
    print_message("%d hands, ends of %d rounds, %d matches\n", seen, results[0], results[1]);
    assert_true(seen > 50 / stride(2, 1) * matches && results[0] > matches &&
                results[1] == matches);
    assert_true(asked > matches && pinged > 50 / stride(2, 1) * matches && turns > matches);
}

TESTS_WITH(session_fixture_setup, session_fixture_teardown)
