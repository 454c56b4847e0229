/* Documents of scenes. Each golden one is the file beside this test that has its name (with
 * SCENES=write the test writes them); random matches hold what the format promises: size, cards,
 * presses that mean the moves they stand by. */
#include "engine/test.h"
#include "engine/world.h"
#include "fixture/session_fixture.h"

#include "json_cards.h"
#include "scene_write.h"

#include <stdio.h>
#include <stdlib.h>

static const uint8_t key[PRESS_KEY_BYTES];

static struct str scene_text(const struct session *s, int seat, const char *language)
{
    struct effects *fx = arena_new(session_fixture_arena, struct effects);
    fx->arena = session_fixture_arena;
    struct table *t = effect_table(fx, &session_fixture_rulesets, s, seat);
    const struct scene_reader reader = {.bot = &session_fixture_bot,
                                        .table = t,
                                        .version = 41,
                                        .language = str_of(language),
                                        .key = key,
                                        .now = 1790000000000,
                                        .arena = session_fixture_arena};
    return scene_write(&reader);
}

/* ---- golden scenes ---- */

static void is_golden(const char *name, const struct session *s, int seat)
{
    char path[128], want[2 * SCENE_BYTES];
    struct str text = scene_text(s, seat, "en");
    snprintf(path, sizeof path, "tests/core/scene/%s.json", name);
    FILE *f = fopen(path, getenv("SCENES") ? "w" : "r");
    if (!f)
        fail_msg("%s cannot be opened", path);
    if (getenv("SCENES"))
        fprintf(f, "%.*s\n", STR_ARG(text));
    size_t n = getenv("SCENES") ? 0 : fread(want, 1, sizeof want, f);
    fclose(f);
    struct str file = str_trim((struct str){want, n});
    if (!getenv("SCENES") && !str_is(file, text))
        fail_msg("%s: expected\n%.*s\ngot\n%.*s", name, STR_ARG(file), STR_ARG(text));
}

static void play(struct session *s, const char *note)
{
    session_fixture_move(s, note);
    s->version++;
}

static void keep_first_card(struct session *s, int seat)
{
    cardset hand = s->match.round.hand[seat];
    notation_move((struct move){MOVE_PLAY, (uint8_t)set_first(hand), 0}, s->player[seat].ahead);
}

TEST(golden_scenes)
{
    struct session s = session_fixture_dealt("standard", 2, "1b 2r 3p1 5a 8b 9a 10p1 12b",
                                             "11p 3b 8p1 5p1 3r 6a 7p1 9r", "9p1 4a");
    is_golden("hand", &s, 0);
    is_golden("waiting", &s, 1);
    is_golden("watcher", &s, SEAT_PUBLIC);
    keep_first_card(&s, 1);
    is_golden("kept", &s, 1);
    play(&s, "8b=8p1");
    is_golden("after_a_move", &s, 1);
    s = session_fixture_dealt("standard", 2, "1b 2r 4p1 5a 8b 9a 10p1 12b",
                              "11p 3b 8p1 5p1 3r 6a 7p1 9r", "3p1 4a");
    play(&s, "8b=8p1");
    is_golden("draw", &s, 0);
    s = session_fixture_dealt("standard", 2, "9a 1b 2r 4p1 5a 6a 7p1 12b",
                              "9p1 8p1 3b 3r 5p1 10p1 11p 11b", "8b 4a");
    play(&s, "9a=9p1");
    is_golden("decide", &s, 0);
    struct session over = s;
    play(&s, "stop");
    is_golden("ready", &s, 0);
    over.phase = SESSION_OVER;
    over.end = END_PLAYED;
    over.match.stage = MATCH_OVER;
    over.match.winner = 0;
    over.match.why = MATCH_ROUNDS;
    is_golden("over", &over, 0);
    s = session_fixture_dealt("mongolopedia", 3, "1b 2r 3p1 5a 8b 9a", "11p 3b 8p1 5p1 3r 6a",
                              "9p1");
    is_golden("three", &s, 0);
    s = session_fixture_match(session_fixture_rules("standard"), 2);
    s.phase = SESSION_OFFERED;
    s.player[1] = (struct player){.lot = CARD_NONE};
    is_golden("offer", &s, 0);
}

/* ---- every scene ---- */

static cardset cards_in(struct json v)
{
    cardset all = 0;
    for (struct json m = json_first(v); m.at; m = json_next(m)) {
        struct str s = json_kind(m) == JSON_STRING ? json_str(m, NULL) : STR("");
        int card = s.n > 0 ? card_read(s.p, s.n) : -1;
        if (card >= 0 && card < N_CARDS)
            all |= CARD(card);
        card = json_name(m).n > 0 ? card_read(json_name(m).p, json_name(m).n) : -1;
        if (card >= 0 && card < N_CARDS)
            all |= CARD(card);
        all |= cards_in(m);
    }
    return all;
}

static cardset hidden_from(const struct session *s, int seat)
{
    cardset hidden = 0;
    for (int k = s->match.round.next; k < N_CARDS; k++)
        hidden |= CARD(s->match.round.deck[k]);
    for (int k = 0; k < s->players; k++)
        hidden |= k == seat ? 0 : s->match.round.hand[k];
    return hidden;
}

/* Each press of the scene is one that the key has signed, about this match as it is now. */
static int presses_hold(const struct session *s, struct json v)
{
    int n = 0;
    for (struct json m = json_first(v); m.at; m = json_next(m)) {
        bool data = str_is(json_name(m), STR("press")) || str_is(json_name(m), STR("back"));
        if (data && json_str(m, NULL).n > 0) {
            struct press p;
            assert_true(press_read(key, json_str(m, NULL), &p));
            assert_int_equal(p.no, s->no);
            assert_int_equal(p.version, s->version);
            n++;
        }
        n += presses_hold(s, m);
    }
    return n;
}

static void check_scene(const struct session *s, const struct session *other, int seat,
                        const char *language)
{
    struct err err;
    struct str text = scene_text(s, seat, language);
    assert_true(text.n <= SCENE_BYTES);
    if (other)
        assert_true(str_is(text, scene_text(other, seat, language)));
    struct json v = json_open(text, JSON_LINE);
    assert_true(json_good(v));
    bool runs = s->match.stage == MATCH_PLAYING;
    assert_int_equal(cards_in(v) & (runs ? hidden_from(s, seat) : 0), 0);
    int presses = presses_hold(s, v);
    assert_true(presses > 0 || seat == SEAT_PUBLIC);
    assert_true(json_close(v, &err));
}

TEST(scenes_are_small_whole_and_hold_no_hidden_card)
{
    struct rng c = {7};
    int scenes = 0;
    for (int i = 0; i < 24; i++) {
        struct session s = session_fixture_shuffled(i, i & 1, &c);
        for (; s.match.stage == MATCH_PLAYING; s.version++, scenes++) {
            int seat = (int)(rng_next(&c) % (uint64_t)(s.players + 1)) - 1;
            struct session other = s;
            other.match = other_world(&s.match, seat, &c);
            const struct texts *t =
                session_fixture_languages.at[scenes % session_fixture_languages.n];
            check_scene(&s, &other, seat, t->language.p);
            session_fixture_any_move(&s, &c);
        }
        check_scene(&s, NULL, 0, "en");
    }
    assert_true(scenes > 300);
}

TESTS_WITH(session_fixture_setup, session_fixture_teardown)
