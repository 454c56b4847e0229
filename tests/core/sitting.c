/* See sitting.h. */
#include "core/sitting.h"

#include "ruleset_file.h"
#include "texts.h"

struct arena *sitting_arena;
struct languages sitting_languages;
struct made sitting_made;

struct rules sitting_presets[SITTING_PRESETS];
static const char *const names[SITTING_PRESETS] = {"sensei", "mongolopedia", "okoshki", "standard"};

int sitting_open(void **state)
{
    struct err err;
    (void)state;
    sitting_arena = arena_open((size_t)1 << 28);
    for (int i = 0; i < SITTING_PRESETS; i++)
        if (!ruleset_file_find(STR(""), str_of(names[i]), &sitting_presets[i], &err))
            return -1;
    return texts_load(STR(""), STR("en"), sitting_arena, &sitting_languages, &err) ? 0 : -1;
}

int sitting_close(void **state)
{
    (void)state;
    arena_close(sitting_arena);
    return 0;
}

const struct rules *sitting_rules(const char *preset)
{
    for (int i = 0; i < SITTING_PRESETS; i++)
        if (strcmp(names[i], preset) == 0)
            return &sitting_presets[i];
    fail_msg("no preset %s", preset);
    return NULL;
}

struct session sitting_down(const struct rules *r, int players)
{
    static const char *const people[MAX_PLAYERS][2] = {{"a", "Ann"}, {"b", "Bo"}, {"c", "Cleo"}};
    struct session s = {.no = 12,
                        .home = {.chat = 3, .account = 1},
                        .players = (uint8_t)players,
                        .version = 7,
                        .phase = SESSION_PLAYING,
                        .rules = *r,
                        .created = 1,
                        .moved = 2,
                        .due = 3,
                        .knock = KNOCK_WARN,
                        .left = -1,
                        .resign_asked = -1};
    NAME_PUT(s.home.chat_key, STR("tea"));
    NAME_PUT(s.id, STR("abc"));
    for (int i = 0; i < players; i++) {
        s.player[i] = (struct player){.person = i + 1,
                                      .account = 1,
                                      .joined = true,
                                      .channel = CHANNEL_DIRECT,
                                      .lot = CARD_NONE};
        NAME_PUT(s.player[i].id, str_of(people[i][0]));
        NAME_PUT(s.player[i].name, str_of(people[i][1]));
    }
    return s;
}

void sitting_deal(struct session *s, const uint8_t deck[static N_CARDS])
{
    struct ruleset g;
    ruleset_make(&s->rules, &g);
    match_start(&s->rules, s->players, 0, &s->match);
    match_deal(&g, &s->match, deck, NULL);
}

struct outgoing sitting_said(const struct session *s, const struct say *like, uint32_t can,
                             struct limits limits)
{
    static const uint8_t key[PRESS_KEY_BYTES];
    struct letter out[MAX_OUTGOING];
    struct effects fx = {.arena = sitting_arena};
    struct world w = {
        .languages = &sitting_languages, .made = &sitting_made, .default_language = STR("en")};
    struct event e = {.now = 1000, .account = 1, .from = {.id = STR("a")}, .chat = STR("tea")};
    struct place p = {1, can, limits, key};
    enum say_kind kind = (enum say_kind)like->kind;
    struct say *say = effect_say(&fx, kind, kind == SAY_HAND ? TO_SEAT : TO_TABLE);
    say->seat = like->seat;
    say->fresh = true;
    say->table = effect_table(&fx, &sitting_made, s, like->seat);
    say->notes = like->notes;
    say->n_notes = like->n_notes;
    if (s->player[0].channel == CHANNEL_POPUP) {
        e.pressed = true;
        e.press = STR("p");
    }
    const struct places places = {1, &p};
    int n = present(&w, &e, &fx, &places, out);
    assert_true(n == 1 || (e.pressed && n > 1)); /* a press is answered besides */
    return out[0].out;
}
