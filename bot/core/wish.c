/* The words behind /challenge and /settings: a preset, a number of rounds, who else plays, the
 * clock, and any knob of the rule set as name=value. What is not understood is named, and nothing
 * happens. */
#include "character.h"
#include "knob.h"
#include "search.h"
#include "stepping.h"

/* "24h", "30m", "2d", "none": ms, -1 if it is none of these. */
static int64_t span_of(struct step *st, struct str s)
{
    int64_t n, unit = 0;
    if (option_find(st->w->languages, st->fx->arena, s) == OPTION_OFF)
        return 0;
    if (s.n < 2 || !str_int((struct str){s.p, s.n - 1}, &n) || n < 1 || n > 1000)
        return -1;
    unit = s.p[s.n - 1] == 'm'   ? MINUTE_MS
           : s.p[s.n - 1] == 'h' ? HOUR_MS
           : s.p[s.n - 1] == 'd' ? DAY_MS
                                 : 0;
    n *= unit;
    return n >= MINUTE_MS && n <= 30 * DAY_MS ? n : -1;
}

static bool wrong(struct step *st, enum text key, struct str a, struct str b)
{
    struct arena *arena = st->fx->arena;
    refuse(st, key,
           ARGS(a_str(text_clean(arena, a, 60)),
                b.n > 0 ? a_str(text_clean(arena, b, 60)) : a_alias(VERB_HELP)));
    return false;
}

/* A word that could be somebody's name: it begins with a letter of any alphabet. */
static bool like_a_name(struct str word)
{
    unsigned char c = (unsigned char)word.p[0];
    return word.n > 1 && ((c >= 'a' && c <= 'z') || c >= 0x80);
}

static bool wrong_word(struct step *st, struct str word)
{
    struct str clean = text_clean(st->fx->arena, word, NAME_COLUMNS);
    if (!(st->w->can & CAN_HANDLES) || st->e->direct || !like_a_name(word))
        return wrong(st, T_BAD_WORD, word, (struct str){0});
    refuse(st, T_BAD_WORD_NAME, ARGS(a_str(clean), a_alias(VERB_HELP)));
    return false;
}

static bool number_between(struct str s, int64_t low, int64_t high, int64_t *ret)
{
    return str_int(s, ret) && *ret >= low && *ret <= high;
}

static bool set_pair(struct step *st, struct wish *wish, struct str name, struct str value)
{
    int64_t n;
    struct str allowed = {0};
    if (str_is(name, STR("clock"))) {
        n = span_of(st, value);
        if (n < 0)
            return wrong(st, T_BAD_VALUE, name, STR("30m, 24h, 3d, none"));
        wish->clock_ms = n;
        return true;
    }
    if (str_is(name, STR("players"))) {
        if (!number_between(value, MIN_PLAYERS, MAX_PLAYERS, &n))
            return wrong(st, T_BAD_VALUE, name, STR("2, 3"));
        wish->players = (int)n;
        return true;
    }
    if (str_is(name, STR("level"))) {
        wish->level = level_read(value.p, value.n);
        return wish->level >= 0 ||
               wrong(st, T_BAD_VALUE, name, STR("beginner, easy, normal, hard, master"));
    }
    if (str_is(name, STR("rules"))) {
        if (!step_preset(st->w, value))
            return wrong(st, T_NO_PRESET_SETTING, value, (struct str){0});
        wish->rules = *step_preset(st->w, value);
        return true;
    }
    switch (knob_set(&wish->rules, name, value, &allowed)) {
    case KNOB_OK:
        return true;
    case KNOB_VALUE:
        return wrong(st, T_BAD_VALUE, name, allowed);
    case KNOB_UNKNOWN:
        break;
    }
    return wrong(st, T_BAD_FIELD, name, (struct str){0});
}

/* A name that the network itself has marked. */
static bool is_mention(struct step *st, struct str word)
{
    for (int i = 0; i < st->e->n_mentions; i++)
        if (str_is(text_fold(st->fx->arena, st->e->mention[i].name), word))
            return true;
    return false;
}

/* Whom the computer shall play as; a friend of the same name who is marked comes first. */
static int character_named(struct step *st, struct str word)
{
    return is_mention(st, word) ? NO_CHARACTER
                                : character_find(st->w->languages, st->fx->arena, word);
}

static bool set_word(struct step *st, struct wish *wish, struct str word)
{
    int64_t n;
    struct str value, name = str_cut(word, '=', &value);
    enum spare option = option_find(st->w->languages, st->fx->arena, word);
    if (word.p[0] == '@')
        return true;
    if (name.n < word.n && (name.n == 0 || value.n == 0))
        return wrong(st, T_BAD_SETTING, word, (struct str){0});
    if (name.n < word.n)
        return set_pair(st, wish, name, value);
    if (step_preset(st->w, word))
        return true; /* taken before all knobs: see wish_read */
    if (option == OPTION_COMPUTER) {
        wish->computers++;
        return true;
    }
    if (option == OPTION_OPEN || option == OPTION_CODE) {
        wish->open++;
        wish->by_code |= option == OPTION_CODE;
        return true;
    }
    if (character_named(st, word) != NO_CHARACTER)
        return true; /* taken before all: see wish_read */
    if (option == OPTION_FILLER ||
        option == OPTION_OTHER_RULES) /* "against", "3 rounds", "sensei rules" */
        return true;
    if (level_read(word.p, word.n) >= 0) {
        wish->level = level_read(word.p, word.n);
        return true;
    }
    if (number_between(word, 1, MAX_ROUNDS, &n)) {
        wish->rules.rounds = (uint8_t)n;
        return true;
    }
    if (span_of(st, word) > 0) {
        wish->clock_ms = span_of(st, word);
        return true;
    }
    return is_mention(st, word) || wrong_word(st, word);
}

/* The next word without the comma or full stop behind it. */
static struct str next_word(struct str *rest)
{
    struct str word = str_word(rest);
    while (word.n > 1 && strchr(",;.!?", word.p[word.n - 1]))
        word.n--;
    return word;
}

static bool rounds_allowed(const struct rules *r)
{
    for (int i = 0; i < r->n_rounds_allowed; i++)
        if (r->rounds_allowed[i] == r->rounds)
            return true;
    return r->n_rounds_allowed == 0;
}

static struct str rounds_list(struct step *st, const struct rules *r)
{
    char *p = arena_alloc(st->fx->arena, 64);
    struct buf b = {p, 0, 64, false};
    for (int i = 0; i < r->n_rounds_allowed; i++) {
        if (i > 0)
            buf_put(&b, STR(", "));
        buf_int(&b, r->rounds_allowed[i]);
    }
    return buf_str(&b);
}

/* More people than the chat's usual rules seat: those of the presets that does. */
static void make_room(struct step *st, struct wish *wish, int people, bool chosen)
{
    for (int i = 0;
         !chosen && people == 3 && !(wish->rules.players_allowed >> 3 & 1) && i < st->w->n_presets;
         i++)
        if (st->w->presets[i].players_allowed >> 3 & 1)
            wish->rules = st->w->presets[i];
}

/* How many of those named are no people: they stand for the computer. */
static int bots_named(const struct step *st)
{
    int n = 0;
    for (int i = 0; i < st->e->n_mentions; i++)
        n += st->e->mention[i].bot;
    return n;
}

bool wish_read(struct step *st, struct str words, struct wish *ret)
{
    const struct chat_settings *c = &st->w->settings;
    int bots = bots_named(st), named = st->e->n_mentions - bots;
    struct wish wish = {.clock_ms = c->clock_ms, .level = -1, .computers = bots};
    bool chosen = false;
    int people = 1 + named, computers = bots;
    bool three = false;
    wish.rules = *step_usual_rules(st->w);
    if (c->rounds)
        wish.rules.rounds = c->rounds;
    struct str folded = text_fold(st->fx->arena, words);
    for (struct str rest = folded, word = next_word(&rest); word.n > 0; word = next_word(&rest)) {
        enum spare option = option_find(st->w->languages, st->fx->arena, word);
        if (step_preset(st->w, word)) {
            wish.rules = *step_preset(st->w, word);
            chosen = true;
        }
        people += option == OPTION_OPEN || option == OPTION_CODE;
        computers += option == OPTION_COMPUTER;
        int character = character_named(st, word);
        if (character != NO_CHARACTER && wish.n_characters < MAX_PLAYERS)
            wish.character[wish.n_characters++] = character;
        three |= str_is(word, STR("players=3"));
    }
    people += computers > wish.n_characters ? computers : wish.n_characters;
    make_room(st, &wish, three ? 3 : people, chosen);
    for (struct str rest = folded, word = next_word(&rest); word.n > 0; word = next_word(&rest))
        if (!set_word(st, &wish, word))
            return false;
    if (wish.computers < wish.n_characters) /* "as mei" names the computer, "mei" alone is one */
        wish.computers = wish.n_characters;
    if (wish.level >= 0 && wish.computers == 0) { /* "hard" alone is the computer, at that level */
        if (named + wish.open > 0)
            return wrong(st, T_LEVEL_OF_NOBODY, str_of(level_key((enum level)wish.level)),
                         (struct str){0});
        wish.computers = 1;
    }
    if (!rounds_allowed(&wish.rules))
        return wrong(st, T_BAD_VALUE, STR("rounds"), rounds_list(st, &wish.rules));
    const char *field = rules_check(&wish.rules);
    if (field)
        return wrong(st, T_BAD_RULES, str_of(field), (struct str){0});
    *ret = wish;
    return true;
}

/* ---- settings ---- */

/* "mei, taro, none" */
static struct str character_keys(struct step *st)
{
    struct buf b = {arena_alloc(st->fx->arena, 128), 0, 128, false};
    for (int c = 1; c < N_CHARACTERS; c++) {
        buf_put(&b, str_of(characters[c].key));
        buf_put(&b, STR(", "));
    }
    buf_put(&b, STR("none"));
    return buf_str(&b);
}

/* ---- one setting each; false, and a refusal, if the value is none ---- */

static bool set_rules(struct step *st, struct chat_settings *c, struct str value)
{
    if (!step_preset(st->w, value))
        return wrong(st, T_NO_PRESET_SETTING, value, (struct str){0});
    NAME_PUT(c->rules, value);
    c->rounds = 0;
    return true;
}

static bool set_rounds(struct step *st, struct chat_settings *c, struct str value)
{
    const struct rules *chosen = step_preset(st->w, str_of(c->rules));
    struct rules r = chosen ? *chosen : *step_usual_rules(st->w);
    int64_t n;
    r.rounds = number_between(value, 1, MAX_ROUNDS, &n) ? (uint8_t)n : 0;
    if (!rounds_allowed(&r))
        return wrong(st, T_BAD_VALUE, STR("rounds"), rounds_list(st, &r));
    c->rounds = r.rounds;
    return true;
}

static bool set_clock(struct step *st, struct chat_settings *c, struct str value)
{
    int64_t ms = span_of(st, value);
    if (ms < 0)
        return wrong(st, T_BAD_VALUE, STR("clock"), STR("30m, 24h, 3d, none"));
    c->clock_ms = ms;
    return true;
}

static bool set_season(struct step *st, struct chat_settings *c, struct str value)
{
    static const char *const lengths[N_SEASON_LENGTHS] = {"quarter", "month", "year"};
    for (int i = 0; i < N_SEASON_LENGTHS; i++)
        if (str_is(value, str_of(lengths[i]))) {
            c->season = (uint8_t)i;
            return true;
        }
    return wrong(st, T_BAD_VALUE, STR("season"), STR("quarter, month, year"));
}

static bool set_language(struct step *st, struct chat_settings *c, struct str value)
{
    if (!str_is(texts_for(st->w->languages, value)->language, value))
        return wrong(st, T_BAD_LANGUAGE, value, (struct str){0});
    NAME_PUT(c->language, value);
    return true;
}

static bool set_opponent(struct step *st, struct chat_settings *c, struct str value)
{
    int character = character_find(st->w->languages, st->fx->arena, value);
    enum spare option = option_find(st->w->languages, st->fx->arena, value);
    if (character == NO_CHARACTER && option != OPTION_OFF && option != OPTION_COMPUTER)
        return wrong(st, T_BAD_VALUE, STR("opponent"), character_keys(st));
    NAME_PUT(c->opponent, str_of(characters[character].key));
    return true;
}

static bool set_zone(struct step *st, struct chat_settings *c, struct str value)
{
    if (!st->w->zone_ok)
        return wrong(st, T_BAD_VALUE, STR("zone"), STR("UTC, +03:00, Europe/Warsaw"));
    NAME_PUT(c->zone, value);
    return true;
}

static bool set_setting(struct step *st, struct chat_settings *c, struct str name, struct str value)
{
    static const struct {
        const char *name;
        bool (*set)(struct step *st, struct chat_settings *c, struct str value);
        bool keeps_case;
    } rows[] = {
        {"rules", set_rules, false},       {"rounds", set_rounds, false},
        {"clock", set_clock, false},       {"season", set_season, false},
        {"language", set_language, false}, {"opponent", set_opponent, false},
        {"zone", set_zone, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (str_is(name, str_of(rows[i].name)))
            return rows[i].set(st, c, rows[i].keeps_case ? value : text_fold(st->fx->arena, value));
    return wrong(st, T_BAD_FIELD, name, (struct str){0});
}

/* ---- the command ---- */

/* The rules, or all but the rules, which decide what the others may be. */
static bool set_settings(struct step *st, struct chat_settings *c, bool rules)
{
    struct str rest = st->e->words, word;
    while ((word = str_word(&rest)).n > 0) {
        struct str value, name = text_fold(st->fx->arena, str_cut(word, '=', &value));
        if (name.n == 0 || value.n == 0)
            return wrong(st, T_BAD_SETTING, word, (struct str){0});
        if (str_is(name, STR("rules")) == rules && !set_setting(st, c, name, value))
            return false;
    }
    return true;
}

enum verdict settings(struct step *st)
{
    struct chat_settings next = st->w->settings;
    if (st->e->words.n > 0 && !st->e->admin && !st->e->direct)
        return refuse(st, T_ADMIN_ONLY, NO_ARGS);
    if (!set_settings(st, &next, true) || !set_settings(st, &next, false))
        return REFUSED;
    st->fx->set_chat = st->e->words.n > 0;
    st->fx->chat = next;
    struct say *say = effect_say(st->fx, SAY_SETTINGS, st->fx->set_chat ? TO_HERE : TO_ASKER);
    say->n = st->fx->set_chat;
    say->settings = &st->fx->chat;
    return TAKEN;
}

enum verdict language(struct step *st)
{
    struct str wanted = text_fold(st->fx->arena, st->e->words);
    const struct texts *t = texts_for(st->w->languages, wanted);
    if (wanted.n == 0 || !str_is(t->language, wanted)) {
        char *p = arena_alloc(st->fx->arena, 256);
        struct buf b = {p, 0, 256, false};
        for (int i = 0; i < st->w->languages->n; i++) {
            if (i > 0)
                buf_put(&b, STR(", "));
            buf_put(&b, st->w->languages->at[i]->language);
        }
        return refuse(st, T_LANGUAGES, ARGS(a_str(buf_str(&b)), a_alias(VERB_LANGUAGE)));
    }
    st->fx->set_prefs = true;
    st->fx->prefs = st->w->prefs;
    NAME_PUT(st->fx->prefs.language, wanted);
    return answer(st, T_LANGUAGE_SET, ARGS(a_str(t->title)));
}
