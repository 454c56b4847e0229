/* Settings: /settings of a chat, /language of a person. See settings.h. */
#include "settings.h"

#include "character.h"
#include "lobby.h"
#include "play.h"

static const char *const season_names[N_SEASON_LENGTHS] = {"quarter", "month", "year", "manual"};
static const struct {
    struct str word;
    struct time_control time;
} clocks[] = {{{"usual", 5}, {.move_ms = -1}},
              {{"1h", 2}, {.move_ms = HOUR_MS}},
              {{"12h", 3}, {.move_ms = 12 * HOUR_MS}},
              {{"24h", 3}, {.move_ms = 24 * HOUR_MS}},
              {{"72h", 3}, {.move_ms = 72 * HOUR_MS}},
              {{"10m+20s", 7}, {.total_ms = 10 * MINUTE_MS, .gain_ms = 20 * 1000}},
              {{"none", 4}, {0}}};
enum { N_CLOCKS = sizeof clocks / sizeof *clocks };
#define USUAL STR("usual")
#define ZONES                                                                                      \
    "UTC America/Los_Angeles America/New_York America/Sao_Paulo Europe/London Europe/Paris "       \
    "Europe/Warsaw Europe/Moscow Asia/Kolkata Asia/Shanghai Asia/Tokyo Australia/Sydney"

/* ---- one setting each: its change; false, and a refusal, for a wrong value ---- */

#define SET(name)                                                                                  \
    static bool name(struct step *st, const struct setting_row *row, struct chat_settings *chat,   \
                     struct str value)

SET(set_rules)
{
    (void)row;
    if (!step_preset(st->w, value))
        return value_refuse(st, T_NO_PRESET_SETTING, value);
    NAME_PUT(chat->rules, value);
    chat->rounds = 0;
    return true;
}

/* The rules that the chat plays. */
static struct rules rules_of(const struct world *w, const struct chat_settings *c)
{
    const struct rules *chosen = step_preset(w, str_of(c->rules));
    return chosen ? *chosen : *step_usual_rules(w);
}

SET(set_rounds)
{
    struct rules r = rules_of(st->w, chat);
    int64_t n;
    (void)row;
    if (str_is(value, USUAL)) {
        chat->rounds = 0;
        return true;
    }
    r.rounds = value_number(value, 1, MAX_ROUNDS, &n) ? (uint8_t)n : 0;
    if (!value_rounds_ok(&r))
        return value_refuse_rounds(st, &r);
    chat->rounds = r.rounds;
    return true;
}

SET(set_clock)
{
    (void)row;
    if (str_is(value, USUAL)) {
        chat->time = clocks[0].time;
        return true;
    }
    return value_clock(st, value, &chat->time) || value_refuse_clock(st);
}

SET(set_season)
{
    bool by_hand = chat->season == SEASON_HAND, more = chat->season_no < SEASONS_BY_HAND;
    if (str_is(value, STR("next")) && by_hand && more) {
        chat->season_no++;
        return true;
    }
    value = str_is(value, STR("hand")) ? str_of(season_names[SEASON_HAND]) : value;
    for (int i = 0; i < N_SEASON_LENGTHS; i++)
        if (str_is(value, str_of(season_names[i]))) {
            /* the one that runs is closed, and its number with it */
            chat->season_no += by_hand && i != SEASON_HAND && more;
            chat->season = (uint8_t)i;
            return true;
        }
    return value_refuse_for(st, str_of(row->name), arg_str(STR("quarter, month, year, manual")));
}

SET(set_language)
{
    const struct texts *t = texts_find(st->w->bot->languages, value);
    (void)row;
    if (!t)
        return value_refuse(st, T_BAD_LANGUAGE, value);
    NAME_PUT(chat->language, t->language);
    return true;
}

SET(set_opponent)
{
    int character = character_find(st->w->bot->languages, st->fx->arena, value);
    enum keyword keyword = step_keyword(st, value);
    struct str list = {0};
    if (character == NO_CHARACTER && keyword != KEYWORD_OFF && keyword != KEYWORD_COMPUTER) {
        for (int c = 1; c < N_CHARACTERS; c++)
            list = value_list(st, list, str_of(characters[c].key));
        return value_refuse_for(st, str_of(row->name), arg_str(value_list(st, list, STR("none"))));
    }
    NAME_PUT(chat->opponent, str_of(characters[character].key));
    return true;
}

SET(set_board)
{
    chat->board_picture = str_is(value, STR("picture"));
    return chat->board_picture || str_is(value, STR("text")) ||
           value_refuse_for(st, str_of(row->name), arg_str(STR("picture, text")));
}

/* The sender's own, in a private chat: hands as words in place of polls. Their running matches
 * follow, with the hand of a move that is theirs. */
SET(set_hand)
{
    (void)chat;
    bool words = str_is(value, STR("words")) || str_is(value, STR("text"));
    if (!words && !str_is(value, STR("poll")))
        return value_refuse_for(st, str_of(row->name), arg_str(STR("poll, text")));
    step_prefs(st)->words = words;
    for (int i = 0; i < st->w->mine.n; i++) {
        struct session *s = step_save(st, st->w->mine.at[i]);
        int seat = step_seat(st, s);
        if (seat < 0)
            continue;
        s->player[seat].words = words;
        if (session_turn(s) == seat)
            play_hand_anew(st, s, seat);
    }
    return true;
}

SET(set_zone)
{
    if (!st->w->zone_ok)
        return value_refuse_for(st, str_of(row->name), arg_key(T_ZONE_EXAMPLES));
    NAME_PUT(chat->zone, value);
    return true;
}

SET(set_switch)
{
    bool *member = (bool *)((char *)chat + row->member), on;
    bool good = value_switch(st, str_of(row->name), value, &on);
    *member = on == row->on;
    return good;
}

SET(set_hour)
{
    uint16_t *member = (uint16_t *)(void *)((char *)chat + row->member);
    return value_hour(st, str_of(row->name), value, row->on, member);
}

/* ---- what buttons offer ---- */

#define LIST(name)                                                                                 \
    static int name(const struct settings_seen *s, struct str ret[static SETTING_WORDS])

LIST(rules_list)
{
    int n = 0;
    for (; n < s->w->bot->n_presets && n < SETTING_WORDS; n++)
        ret[n] = str_of(s->w->bot->presets[n].name);
    return n;
}

/* Three rounds are a house table of any rules. */
LIST(rounds_list)
{
    const struct rules r = rules_of(s->w, s->chat);
    int n = 0;
    ret[n++] = USUAL;
    if (!memchr(r.rounds_allowed, FEW_ROUNDS, r.n_rounds_allowed))
        ret[n++] = arena_print(s->a, "%d", FEW_ROUNDS);
    for (int i = 0; i < r.n_rounds_allowed; i++)
        ret[n++] = arena_print(s->a, "%d", r.rounds_allowed[i]);
    return n;
}

LIST(clock_list)
{
    int n = 0;
    (void)s;
    for (; n < N_CLOCKS; n++)
        ret[n] = clocks[n].word;
    return n;
}

LIST(season_list)
{
    int n = 0;
    for (; n < N_SEASON_LENGTHS; n++)
        ret[n] = str_of(season_names[n]);
    if (s->chat->season == SEASON_HAND)
        ret[n++] = STR("next");
    return n;
}

LIST(language_list)
{
    int n = 0;
    for (; n < s->w->bot->languages->n && n < SETTING_WORDS; n++)
        ret[n] = s->w->bot->languages->at[n]->language;
    return n;
}

LIST(opponent_list)
{
    int n = 0;
    (void)s;
    ret[n++] = STR("none");
    for (; n < N_CHARACTERS; n++)
        ret[n] = str_of(characters[n].key);
    return n;
}

/* ---- what holds ---- */

#define NOW(name) static struct str name(const struct settings_seen *s)

NOW(rules_now)
{
    return str_of(s->chat->rules[0] ? s->chat->rules : step_usual_rules(s->w)->name);
}

NOW(rounds_now)
{
    return s->chat->rounds ? arena_print(s->a, "%d", s->chat->rounds) : USUAL;
}

NOW(clock_now)
{
    int i = 0;
    while (i < N_CLOCKS && memcmp(&clocks[i].time, &s->chat->time, sizeof s->chat->time) != 0)
        i++;
    return i < N_CLOCKS ? clocks[i].word : STR("");
}

NOW(season_now)
{
    return str_of(season_names[s->chat->season]);
}

NOW(language_now)
{
    return s->chat->language[0] ? str_of(s->chat->language) : s->w->bot->default_language;
}

NOW(opponent_now)
{
    return str_of(s->chat->opponent[0] ? s->chat->opponent : "none");
}

NOW(board_now)
{
    return s->chat->board_picture ? STR("picture") : STR("text");
}

NOW(zone_now)
{
    return s->chat->zone[0] ? str_of(s->chat->zone) : STR("UTC");
}

NOW(hand_now)
{
    return s->me->words ? STR("text") : STR("poll");
}

NOW(switch_now)
{
    return *((const bool *)s->chat + s->row->member) == s->row->on ? STR("on") : STR("off");
}

/* A minute of the day plus 1. */
NOW(hour_now)
{
    int minute = *(const uint16_t *)(const void *)((const char *)s->chat + s->row->member) - 1;
    return minute >= 0 ? arena_print(s->a, "%d:%02d", minute / 60, minute % 60) : STR("off");
}

/* ---- the table ---- */

#define OWN(id, typed, ...)                                                                        \
    [SETTING_##id] = {.name = typed, .label = T_SET_##id, .own = true, __VA_ARGS__},
#define SETTING(id, typed, ...)                                                                    \
    [SETTING_##id] = {.name = typed, .label = T_SET_##id, .about = T_SET_##id##_ABOUT, __VA_ARGS__},
#define OF_MEMBER(id, typed, m, value, ...)                                                        \
    SETTING(id, typed, .member = offsetof(struct chat_settings, m), .on = (value), __VA_ARGS__)
#define SWITCH(id, typed, m, ...)                                                                  \
    OF_MEMBER(id, typed, m, __VA_ARGS__, .set = set_switch, .words = "on off", .now = switch_now)
#define HOUR(id, typed, m, usual)                                                                  \
    OF_MEMBER(id, typed, m, usual, .set = set_hour, .words = "off 8:00 9:00 12:00 18:00 20:00",    \
              .now = hour_now)
const struct setting_row settings[N_SETTINGS] = {
#include "setting.def"
};

struct settings_seen settings_seen(const struct world *w, const struct effects *fx,
                                   const struct chat_settings *chat)
{
    return (struct settings_seen){w, chat, fx->prefs ? fx->prefs : &w->me.prefs, fx->arena, NULL};
}

bool setting_is_here(const struct world *w, const struct event *e, enum setting which)
{
    const struct setting_row *row = &settings[which];
    return (row->needs & ~w->can) == 0 && (!row->pages || w->bot->pages.n > 0) &&
           (!row->own || e->direct);
}

int setting_words(const struct settings_seen *s, enum setting which,
                  struct str ret[static SETTING_WORDS])
{
    struct str rest = str_of(settings[which].words), word;
    int n = 0;
    if (settings[which].list)
        return settings[which].list(s, ret);
    while (n < SETTING_WORDS && (word = str_word(&rest)).n > 0)
        ret[n++] = word;
    return n;
}

struct str setting_now(struct settings_seen *s, enum setting which)
{
    s->row = &settings[which];
    return s->row->now(s);
}

const struct time_control *setting_clock(struct str word)
{
    for (int i = 0; i < N_CLOCKS; i++)
        if (str_is(word, clocks[i].word))
            return &clocks[i].time;
    return NULL;
}

struct str settings_pressed(const struct world *w, const struct event *e, struct arena *a)
{
    const struct settings_seen seen = {w, &w->chat.settings, &w->me.prefs, a, NULL};
    struct str words[SETTING_WORDS];
    if (e->version <= 0 || e->version > N_SETTINGS || e->index <= 0)
        return STR("");
    enum setting which = (enum setting)(e->version - 1);
    return e->index > setting_words(&seen, which, words)
               ? STR("")
               : arena_print(a, "%s=%.*s", settings[which].name, STR_ARG(words[e->index - 1]));
}

/* ---- the commands ---- */

/* A setting of another network is accepted; a person's own means nothing elsewhere. */
static bool set_one(struct step *st, struct chat_settings *chat, struct str name, struct str value)
{
    for (int i = 0; i < N_SETTINGS; i++) {
        const struct setting_row *row = &settings[i];
        bool keeps_case = i == SETTING_ZONE;
        if (str_is(name, str_of(row->name)) &&
            (!row->own || setting_is_here(st->w, st->e, (enum setting)i)))
            return row->set(st, row, chat, keeps_case ? value : text_fold(st->fx->arena, value));
    }
    return value_refuse(st, T_BAD_FIELD, name);
}

/* Rules are set first: they decide which other values are allowed. */
enum verdict settings_command(struct step *st)
{
    struct chat_settings *next = arena_new(st->fx->arena, struct chat_settings);
    bool changes = st->e->words.n > 0;
    if (changes && !st->e->admin && !st->e->direct)
        return refuse(st, T_ADMIN_ONLY);
    *next = st->w->chat.settings;
    for (int others = 0; others < 2; others++) {
        struct str rest = step_options(st, st->e->words), word, value;
        while ((word = str_word(&rest)).n > 0) {
            struct str name = text_fold(st->fx->arena, str_cut(word, '=', &value));
            if (name.n == 0 || value.n == 0) {
                value_refuse(st, T_BAD_SETTING, word);
                return REFUSED;
            }
            if (str_is(name, STR("rules")) != others && !set_one(st, next, name, value))
                return REFUSED;
        }
    }
    st->fx->chat = changes ? next : NULL;
    struct notice *notice = effect_notice(st->fx, NOTICE_SETTINGS, TO_HERE);
    notice->n = changes;
    notice->settings = next;
    notice->card = st->e->pressed && st->e->version <= N_SETTINGS ? (uint8_t)st->e->version : 0;
    notice->post = st->e->pressed ? st->e->no : step_post(st);
    return TAKEN;
}

enum verdict settings_language(struct step *st)
{
    const struct languages *all = st->w->bot->languages;
    struct str list = {0}, wanted = text_fold(st->fx->arena, st->e->words);
    for (int i = 0; i < all->n; i++)
        list = value_list(st, list, all->at[i]->language);
    if (st->e->pressed && st->e->index > 0 && st->e->index <= all->n)
        wanted = all->at[st->e->index - 1]->language;
    if (wanted.n == 0) {
        effect_notice(st->fx, NOTICE_LANGUAGES, TO_ASKER)->text = list;
        return TAKEN;
    }
    const struct texts *t = texts_find(all, wanted);
    if (!t) {
        effect_notice(st->fx, NOTICE_LANGUAGES, TO_ASKER)->text = list;
        return REFUSED;
    }
    struct person_prefs *prefs = step_prefs(st);
    prefs->language_of_app = false;
    NAME_PUT(prefs->language, t->language);
    return answer(st, T_LANGUAGE_SET, arg_str(t->title));
}
