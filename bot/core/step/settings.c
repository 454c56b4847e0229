/* Settings: /settings of a chat, /language of a person. */
#include "character.h"
#include "keyword.h"
#include "options.h"

/* ---- one setting each; false, and a refusal, for a wrong value ---- */

static bool set_rules(struct step *st, struct chat_settings *chat, struct str value)
{
    if (!step_preset(st->w, value))
        return value_refuse(st, T_NO_PRESET_SETTING, value);
    NAME_PUT(chat->rules, value);
    chat->rounds = 0;
    return true;
}

static bool set_rounds(struct step *st, struct chat_settings *chat, struct str value)
{
    const struct rules *chosen = step_preset(st->w, str_of(chat->rules));
    struct rules r = chosen ? *chosen : *step_usual_rules(st->w);
    int64_t n;
    r.rounds = value_number(value, 1, MAX_ROUNDS, &n) ? (uint8_t)n : 0;
    if (!value_rounds_ok(&r))
        return value_refuse_rounds(st, &r);
    chat->rounds = r.rounds;
    return true;
}

static bool set_clock(struct step *st, struct chat_settings *chat, struct str value)
{
    struct time_control clock;
    if (!value_clock(st, value, &clock))
        return value_refuse_for(st, STR("clock"), arg_key(T_CLOCK_EXAMPLES));
    chat->time.move_ms = clock.move_ms;
    chat->time.total_ms = clock.total_ms;
    chat->time.gain_ms = clock.gain_ms;
    return true;
}

static bool set_season(struct step *st, struct chat_settings *chat, struct str value)
{
    static const char *const lengths[N_SEASON_LENGTHS] = {"quarter", "month", "year", "hand"};
    if (str_is(value, STR("next")) && chat->season == SEASON_HAND &&
        chat->season_no < SEASONS_BY_HAND) {
        chat->season_no++;
        return true;
    }
    for (int i = 0; i < N_SEASON_LENGTHS; i++)
        if (str_is(value, str_of(lengths[i]))) {
            /* the one that runs is closed, and its number with it */
            chat->season_no += chat->season == SEASON_HAND && i != SEASON_HAND &&
                               chat->season_no < SEASONS_BY_HAND;
            chat->season = (uint8_t)i;
            return true;
        }
    return value_refuse_for(st, STR("season"), arg_str(STR("quarter, month, year, hand")));
}

static bool set_language(struct step *st, struct chat_settings *chat, struct str value)
{
    const struct texts *t = texts_find(st->w->bot->languages, value);
    if (!t)
        return value_refuse(st, T_BAD_LANGUAGE, value);
    NAME_PUT(chat->language, t->language);
    return true;
}

static bool set_opponent(struct step *st, struct chat_settings *chat, struct str value)
{
    int character = character_find(st->w->bot->languages, st->fx->arena, value);
    enum keyword keyword = keyword_find(st->w->bot->languages, st->fx->arena, value);
    if (character == NO_CHARACTER && keyword != KEYWORD_OFF && keyword != KEYWORD_COMPUTER)
        return value_refuse_for(st, STR("opponent"), arg_str(value_characters(st)));
    NAME_PUT(chat->opponent, str_of(characters[character].key));
    return true;
}

static bool set_tips(struct step *st, struct chat_settings *chat, struct str value)
{
    bool off = keyword_find(st->w->bot->languages, st->fx->arena, value) == KEYWORD_OFF;
    if (!off && !str_is(value, STR("on")))
        return value_refuse_for(st, STR("tips"), arg_str(STR("on, off")));
    chat->tips_off = off;
    return true;
}

static bool set_board(struct step *st, struct chat_settings *chat, struct str value)
{
    chat->board_picture = str_is(value, STR("picture"));
    return chat->board_picture || str_is(value, STR("text")) ||
           value_refuse_for(st, STR("board"), arg_str(STR("picture, text")));
}

static bool set_seek(struct step *st, struct chat_settings *chat, struct str value)
{
    bool off = keyword_find(st->w->bot->languages, st->fx->arena, value) == KEYWORD_OFF;
    if (!off && !str_is(value, STR("on")))
        return value_refuse_for(st, STR("seek"), arg_str(STR("on, off")));
    chat->seek = !off;
    return true;
}

/* "9:00" or "21:30" as minutes of the day; -1 for anything else. */
static int minute_of_day(struct str value)
{
    struct str minutes, hours = str_cut(value, ':', &minutes);
    int64_t h, m;
    return minutes.n == 2 && value_number(hours, 0, 23, &h) && value_number(minutes, 0, 59, &m)
               ? (int)(h * 60 + m)
               : -1;
}

static bool set_puzzle(struct step *st, struct chat_settings *chat, struct str value)
{
    enum { USUAL = 9 * 60 };
    enum keyword word = keyword_find(st->w->bot->languages, st->fx->arena, value);
    int minute = word == KEYWORD_ON ? USUAL : minute_of_day(value);
    if (minute < 0 && word != KEYWORD_OFF)
        return value_refuse_for(st, STR("puzzle"), arg_str(STR("on, off, 9:00, 21:30")));
    chat->puzzle = (uint16_t)(minute + 1);
    return true;
}

static bool set_zone(struct step *st, struct chat_settings *chat, struct str value)
{
    if (!st->w->zone_ok)
        return value_refuse_for(st, STR("zone"), arg_key(T_ZONE_EXAMPLES));
    NAME_PUT(chat->zone, value);
    return true;
}

static bool set_one(struct step *st, struct chat_settings *chat, struct str name, struct str value)
{
    static const struct {
        const char *name;
        bool (*set)(struct step *st, struct chat_settings *chat, struct str value);
        bool keeps_case;
    } rows[] = {
        {"rules", set_rules, false},       {"rounds", set_rounds, false},
        {"clock", set_clock, false},       {"season", set_season, false},
        {"language", set_language, false}, {"opponent", set_opponent, false},
        {"tips", set_tips, false},         {"board", set_board, false},
        {"seek", set_seek, false},         {"puzzle", set_puzzle, false},
        {"zone", set_zone, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (str_is(name, str_of(rows[i].name)))
            return rows[i].set(st, chat,
                               rows[i].keeps_case ? value : text_fold(st->fx->arena, value));
    return value_refuse(st, T_BAD_FIELD, name);
}

/* ---- the commands ---- */

/* Sets the rules, or everything but the rules: rules come first, they decide which other values are
 * allowed. */
static bool set_all(struct step *st, struct chat_settings *chat, bool rules)
{
    struct str rest = st->e->words, word;
    while ((word = str_word(&rest)).n > 0) {
        struct str value, name = text_fold(st->fx->arena, str_cut(word, '=', &value));
        if (name.n == 0 || value.n == 0)
            return value_refuse(st, T_BAD_SETTING, word);
        if (str_is(name, STR("rules")) == rules && !set_one(st, chat, name, value))
            return false;
    }
    return true;
}

enum verdict settings_command(struct step *st)
{
    struct chat_settings *next = arena_new(st->fx->arena, struct chat_settings);
    bool changes = st->e->words.n > 0;
    if (changes && !st->e->admin && !st->e->direct)
        return notice_refuse(st, T_ADMIN_ONLY, NO_ARGS);
    *next = st->w->chat.settings;
    if (!set_all(st, next, true) || !set_all(st, next, false))
        return REFUSED;
    st->fx->chat = changes ? next : NULL;
    struct notice *notice = effect_notice(st->fx, NOTICE_SETTINGS, changes ? TO_HERE : TO_ASKER);
    notice->n = changes;
    notice->settings = next;
    return TAKEN;
}

static struct str language_list(struct step *st)
{
    enum { LIST_SIZE = MAX_LANGUAGES * (LANGUAGE_SIZE + 2) };
    struct buf b = {arena_alloc(st->fx->arena, LIST_SIZE), 0, LIST_SIZE, false};
    for (int i = 0; i < st->w->bot->languages->n; i++) {
        if (i > 0)
            buf_put(&b, STR(", "));
        buf_put(&b, st->w->bot->languages->at[i]->language);
    }
    return buf_str(&b);
}

enum verdict settings_language(struct step *st)
{
    struct str wanted = text_fold(st->fx->arena, st->e->words);
    if (st->e->pressed && st->e->index > 0 && st->e->index <= st->w->bot->languages->n)
        wanted = st->w->bot->languages->at[st->e->index - 1]->language;
    if (wanted.n == 0) {
        struct notice *notice = effect_notice(st->fx, NOTICE_LANGUAGES, TO_ASKER);
        notice->text = language_list(st);
        return TAKEN;
    }
    const struct texts *t = texts_find(st->w->bot->languages, wanted);
    if (!t)
        return notice_refuse(st, T_LANGUAGES,
                             ARGS(arg_str(language_list(st)), arg_command(VERB_LANGUAGE)));
    struct person_prefs *prefs = step_prefs(st);
    prefs->language_of_app = false;
    NAME_PUT(prefs->language, t->language);
    return notice_answer(st, T_LANGUAGE_SET, ARGS(arg_str(t->title)));
}
