/* Values of options, and the options of /challenge: a preset, a number of rounds, the other
 * players, the time for a move, and any rule option as name=value. An unknown word is an error that
 * names it; the challenge is not created.
 *
 * Words are read twice, because their order is free: first those that choose the rules and the
 * number of players, then the others, which change these rules. */
#include "lobby.h"

#include "character.h"
#include "rules_field.h"
#include "rules_option.h"
#include "search.h"

/* ---- values ---- */

enum { SECOND_MS = 1000, WORD_COLUMNS = 60, COUNT_MAX = 1000, SPAN_MAX_DAYS = 30 };

/* "20s", "30m", "24h", "2d" as ms. Returns -1 for anything else. */
static int64_t length_of(struct str s)
{
    int64_t count;
    if (s.n < 2 || !value_number((struct str){s.p, s.n - 1}, 0, COUNT_MAX, &count))
        return -1;
    switch (s.p[s.n - 1]) {
    case 's':
        return count * SECOND_MS;
    case 'm':
        return count * MINUTE_MS;
    case 'h':
        return count * HOUR_MS;
    case 'd':
        return count * DAY_MS;
    default:
        return -1;
    }
}

int64_t value_span(struct step *st, struct str s)
{
    if (step_keyword(st, s) == KEYWORD_OFF)
        return 0;
    int64_t ms = length_of(s);
    bool whole = ms % MINUTE_MS == 0;
    return whole && ms >= MINUTE_MS && ms <= SPAN_MAX_DAYS * DAY_MS ? ms : -1;
}

bool value_clock(struct step *st, struct str s, struct time_control *ret)
{
    struct str gain, total = str_cut(s, '+', &gain);
    int64_t span = value_span(st, total), gain_ms = length_of(gain);
    if (total.n == s.n && span >= 0)
        *ret = (struct time_control){.move_ms = span};
    if (total.n == s.n)
        return span >= 0;
    if (span <= 0 || gain_ms < 0 || gain_ms > DAY_MS)
        return false;
    *ret = (struct time_control){.total_ms = span, .gain_ms = gain_ms};
    return true;
}

bool value_number(struct str s, int64_t low, int64_t high, int64_t *ret)
{
    return str_int(s, ret) && *ret >= low && *ret <= high;
}

bool value_rounds_ok(struct rules *r)
{
    int n = r->n_rounds_allowed;
    for (int i = 0; i < n; i++)
        if (r->rounds_allowed[i] == r->rounds)
            return true;
    if (n == 0 || r->rounds != FEW_ROUNDS || n == MAX_ROUND_CHOICES)
        return n == 0;
    r->rounds_allowed[r->n_rounds_allowed++] = FEW_ROUNDS;
    if (r->has_purse && r->n_purse > 0 && r->n_purse < MAX_ROUND_CHOICES) {
        r->purse_rounds[r->n_purse] = FEW_ROUNDS;
        r->purse[r->n_purse] = (int16_t)(r->purse[0] * FEW_ROUNDS / r->purse_rounds[0]);
        r->n_purse++;
    }
    return true;
}

struct str value_list(struct step *st, struct str list, struct str item)
{
    return arena_print(st->fx->arena, "%.*s%s%.*s", STR_ARG(list), list.n > 0 ? ", " : "",
                       STR_ARG(item));
}

/* ---- names and values in other languages ---- */

/* Options whose values are names: "ja" is a language, and yes in German. */
static bool has_own_words(struct str option)
{
    return str_is(option, STR("language")) || str_is(option, STR("zone")) ||
           str_is(option, STR("rules")) || str_is(option, STR("opponent"));
}

struct str step_options(const struct step *st, struct str words)
{
    const struct languages *all = st->w->bot->languages;
    struct str list = {0};
    for (struct str word = str_word(&words); word.n > 0; word = str_word(&words)) {
        struct arena *a = st->fx->arena;
        struct str value, name = str_cut(word, '=', &value);
        if (name.n < word.n && name.n > 0 && value.n > 0) {
            name = keyword_option(all, a, name);
            if (!has_own_words(name))
                value = keyword_option(all, a, value);
            word = arena_print(a, "%.*s=%.*s", STR_ARG(name), STR_ARG(value));
        }
        list = list.n > 0 ? arena_print(a, "%.*s %.*s", STR_ARG(list), STR_ARG(word)) : word;
    }
    return list;
}

/* ---- refusals ---- */

bool value_refuse(struct step *st, enum text key, struct str word)
{
    return deny(st, key, arg_str(text_clean(st->fx->arena, word, WORD_COLUMNS)),
                arg_command(VERB_HELP));
}

bool value_refuse_for(struct step *st, struct str name, struct arg allowed)
{
    struct arena *a = st->fx->arena;
    if (allowed.kind == ARG_TEXT)
        allowed = arg_option(text_clean(a, allowed.s, WORD_COLUMNS));
    return deny(st, T_BAD_VALUE, arg_option(text_clean(a, name, WORD_COLUMNS)), allowed);
}

bool value_switch(struct step *st, struct str name, struct str value, bool *ret_on)
{
    *ret_on = step_keyword(st, value) != KEYWORD_OFF;
    return !*ret_on || step_keyword(st, value) == KEYWORD_ON ||
           value_refuse_for(st, name, arg_str(STR("on, off")));
}

bool value_hour(struct step *st, struct str name, struct str value, int usual, uint16_t *ret)
{
    enum keyword word = step_keyword(st, value);
    struct str minutes, hours = str_cut(value, ':', &minutes);
    int64_t h, m;
    bool clock =
        minutes.n == 2 && value_number(hours, 0, 23, &h) && value_number(minutes, 0, 59, &m);
    if (!clock && word != KEYWORD_OFF && word != KEYWORD_ON)
        return value_refuse_for(st, name, arg_str(STR("on, off, 9:00, 21:30")));
    *ret = (uint16_t)(clock ? h * 60 + m + 1 : word == KEYWORD_ON ? usual + 1 : 0);
    return true;
}

bool value_refuse_clock(struct step *st)
{
    return value_refuse_for(st, STR("clock"), arg_key(T_CLOCK_EXAMPLES));
}

bool value_refuse_rounds(struct step *st, const struct rules *r)
{
    struct str list = {0};
    if (!memchr(r->rounds_allowed, FEW_ROUNDS, r->n_rounds_allowed))
        list = arena_print(st->fx->arena, "%d", FEW_ROUNDS);
    for (int i = 0; i < r->n_rounds_allowed; i++)
        list = value_list(st, list, arena_print(st->fx->arena, "%d", r->rounds_allowed[i]));
    return value_refuse_for(st, STR("rounds"), list.n > 0 ? arg_str(list) : arg_command(VERB_HELP));
}

/* ---- options of a challenge: name=value; false, and a refusal, for a wrong value ---- */

/* A level by its word in any language. Negative if the word is no level. */
static int level_named(struct step *st, struct str word)
{
    enum keyword keyword = step_keyword(st, word);
    _Static_assert(KEYWORD_MASTER - KEYWORD_BEGINNER == LEVEL_MASTER, "a keyword for each level");
    return keyword >= KEYWORD_BEGINNER && keyword <= KEYWORD_MASTER
               ? (int)keyword - KEYWORD_BEGINNER
               : level_read(word.p, word.n);
}

/* A deck, or words for it: those of the rule sets, for others have no pictures or names. */
static bool is_of_preset(struct step *st, struct str name, struct str value)
{
    const struct rules_field *f = rules_field_find(arena_str(st->fx->arena, name).p);
    const struct bot *bot = st->w->bot;
    struct str list = {0};
    if (!f || f->kind != RULES_WORD || f->file_only)
        return true;
    for (int i = 0; i < bot->n_presets; i++) {
        const struct str had = str_of((const char *)&bot->presets[i] + f->at);
        bool listed = false;
        if (str_is(value, had))
            return true;
        for (int k = 0; k < i; k++)
            listed |= str_is(had, str_of((const char *)&bot->presets[k] + f->at));
        if (!listed)
            list = value_list(st, list, had);
    }
    return value_refuse_for(st, name, arg_str(list));
}

static bool set_pair(struct step *st, struct challenge_options *options, struct str name,
                     struct str value)
{
    if (str_is(name, STR("clock")))
        return value_clock(st, value, &options->time) || value_refuse_clock(st);
    if (str_is(name, STR("players"))) {
        int64_t players;
        _Static_assert(MIN_PLAYERS == 2 && MAX_PLAYERS == 3, "the refusal lists 2 and 3");
        if (!value_number(value, MIN_PLAYERS, MAX_PLAYERS, &players))
            return value_refuse_for(st, name, arg_str(STR("2, 3")));
        options->players = (int)players;
        return true;
    }
    if (str_is(name, STR("level"))) {
        struct str levels = {0};
        options->level = level_named(st, value);
        for (int level = 0; level < N_LEVELS; level++)
            levels = value_list(st, levels, str_of(level_key((enum level)level)));
        return options->level >= 0 || value_refuse_for(st, name, arg_str(levels));
    }
    if (str_is(name, STR("rules"))) {
        return step_preset(st->w, value) || /* was read by choose_rules() */
               value_refuse(st, T_NO_PRESET_SETTING, value);
    }
    if (!is_of_preset(st, name, value))
        return false;
    char list[RULES_ALLOWED_SIZE];
    struct buf allowed = BUF(list);
    switch (rules_option_set(&options->rules, name, value, &allowed)) {
    case RULES_OPTION_OK:
        return true;
    case RULES_OPTION_VALUE:
        return value_refuse_for(st, name,
                                allowed.n > 0 ? arg_str(arena_str(st->fx->arena, buf_str(&allowed)))
                                              : arg_command(VERB_HELP));
    case RULES_OPTION_UNKNOWN:
        break;
    }
    return value_refuse(st, T_BAD_FIELD, name);
}

/* ---- single words ---- */

static bool is_stop(struct str s)
{
    return s.n == 1 && strchr(",;.!?&+", *s.p);
}

/* The next word without the comma or full stop behind it. What stood between two mentions may be
 * nothing else. */
static struct str word_without_stop(struct str *rest)
{
    struct str word = str_word(rest);
    while (word.n > 1 && is_stop(str_skip(word, word.n - 1)))
        word.n--;
    return word;
}

/* A name that the network itself has marked. */
static bool is_mention(struct step *st, struct str word)
{
    for (int i = 0; i < st->e->n_mentions; i++)
        if (str_is(text_fold(st->fx->arena, st->e->mention[i].name), word))
            return true;
    return false;
}

/* The character of this name; a person of the same name who is mentioned comes first. */
static int character_named(struct step *st, struct str word)
{
    return is_mention(st, word) ? NO_CHARACTER
                                : character_find(st->w->bot->languages, st->fx->arena, word);
}

static bool set_word(struct step *st, struct challenge_options *options, struct str word)
{
    int64_t rounds;
    struct str value, name = str_cut(word, '=', &value);
    enum keyword keyword = step_keyword(st, word);
    int level = level_named(st, word);
    if (word.p[0] == '@' || is_stop(word))
        return true;
    if (name.n < word.n && (name.n == 0 || value.n == 0))
        return value_refuse(st, T_BAD_SETTING, word);
    if (name.n < word.n)
        return set_pair(st, options, name, value);
    if (step_preset(st->w, word)) /* was read by choose_rules() */
        return true;
    if (keyword == KEYWORD_COMPUTER) {
        options->computers++;
    } else if (keyword == KEYWORD_OPEN || keyword == KEYWORD_CODE) {
        options->open++;
        options->by_code |= keyword == KEYWORD_CODE;
    } else if (keyword == KEYWORD_CASUAL) {
        options->casual = true;
    } else if (character_named(st, word) != NO_CHARACTER || keyword == KEYWORD_FILLER ||
               keyword == KEYWORD_OTHER_RULES) {
        return true; /* was read, too; "against", "3 rounds", "sensei rules" */
    } else if (level >= 0) {
        options->level = level;
    } else if (value_number(word, 1, MAX_ROUNDS, &rounds)) {
        options->rules.rounds = (uint8_t)rounds;
    } else if ((value_span(st, word) == 0 || !value_clock(st, word, &options->time)) &&
               !is_mention(st, word)) {
        unsigned char c = (unsigned char)word.p[0]; /* a letter of any alphabet begins a name */
        bool is_name = word.n > 1 && ((c >= 'a' && c <= 'z') || c >= 0x80);
        if (!(st->w->can & CAN_HANDLES) || st->e->direct || !is_name)
            return value_refuse(st, T_BAD_WORD, word);
        return deny(st, T_BAD_WORD_NAME, arg_typed(st, word), arg_command(VERB_HELP));
    }
    return true;
}

/* ---- the whole ---- */

/* First reading: preset, characters, and with them the number of players. For three players,
 * without a preset, where the chat's usual rules seat two: the first preset that seats three. It has
 * the usual rounds, if it can have them. */
static void choose_rules(struct step *st, struct str folded, bool few,
                         struct challenge_options *options)
{
    const struct bot *bot = st->w->bot;
    int people = 1 + st->e->n_mentions - options->computers, computers = options->computers;
    bool chosen = false, three = false;
    for (struct str rest = folded, word = word_without_stop(&rest); word.n > 0;
         word = word_without_stop(&rest)) {
        enum keyword keyword = step_keyword(st, word);
        struct str value, name = str_cut(word, '=', &value);
        const struct rules *preset = step_preset(st->w, str_is(name, STR("rules")) ? value : word);
        int character = character_named(st, word);
        if (preset) {
            options->rules = *preset;
            chosen = true;
        }
        people += keyword == KEYWORD_OPEN || keyword == KEYWORD_CODE;
        computers += keyword == KEYWORD_COMPUTER;
        if (character != NO_CHARACTER && options->n_characters < MAX_PLAYERS)
            options->character[options->n_characters++] = character;
        three |= str_is(word, STR("players=3"));
    }
    people += computers > options->n_characters ? computers : options->n_characters;
    for (int i = 0; !chosen && (three || people == 3) &&
                    !(options->rules.players_allowed >> 3 & 1) && i < bot->n_presets;
         i++)
        if (bot->presets[i].players_allowed >> 3 & 1)
            options->rules = bot->presets[i];
    struct rules next = options->rules;
    next.rounds = (uint8_t)step_usual_rounds(st->w, &options->rules, chosen, few);
    if (value_rounds_ok(&next))
        options->rules.rounds = next.rounds;
}

bool challenge_options_read(struct step *st, struct str words, bool few,
                            struct challenge_options *ret)
{
    const struct chat_settings *chat = &st->w->chat.settings;
    struct challenge_options options = {
        .rules = *step_usual_rules(st->w), .time = chat->time, .level = -1};
    struct str folded = text_fold(st->fx->arena, step_options(st, words));
    for (int i = 0; i < st->e->n_mentions; i++) { /* the bot's own name stands for the computer */
        if (st->e->mention[i].bot && !st->e->mention[i].self)
            return deny(st, T_CHALLENGE_BOT, arg_command(VERB_CHALLENGE));
        options.computers += st->e->mention[i].self;
    }
    int people_named = st->e->n_mentions - options.computers;
    choose_rules(st, folded, few, &options);
    for (struct str rest = folded, word = word_without_stop(&rest); word.n > 0;
         word = word_without_stop(&rest))
        if (!set_word(st, &options, word))
            return false;
    /* A character without "computer" is the computer ("mei", not only "computer as mei"); so is a
     * level alone ("hard"), unless another opponent is named. */
    if (options.computers < options.n_characters)
        options.computers = options.n_characters;
    if (options.level >= 0 && options.computers == 0) {
        if (people_named + options.open > 0)
            return value_refuse(st, T_LEVEL_ALONE, str_of(level_key((enum level)options.level)));
        options.computers = 1;
    }
    if (!value_rounds_ok(&options.rules))
        return value_refuse_rounds(st, &options.rules);
    const char *field = rules_check(&options.rules);
    if (field)
        return value_refuse(st, T_BAD_RULES, str_of(field));
    *ret = options;
    return true;
}
