/* Settings: /settings of a chat, /language of a person. See settings.h. */
#include "settings.h"

#include "character.h"
#include "lobby.h"
#include "play.h"

const char *const setting_names[N_SETTINGS] = {
    [SETTING_RULES] = "rules",   [SETTING_ROUNDS] = "rounds",     [SETTING_CLOCK] = "clock",
    [SETTING_SEASON] = "season", [SETTING_LANGUAGE] = "language", [SETTING_OPPONENT] = "opponent",
    [SETTING_TIPS] = "tips",     [SETTING_BOARD] = "board",       [SETTING_PUZZLE] = "puzzle",
    [SETTING_DUEL] = "duel",     [SETTING_CHAMPION] = "champion", [SETTING_WATCH] = "watch",
    [SETTING_SEEK] = "seek",     [SETTING_ZONE] = "zone"};
static const char *const season_names[N_SEASON_LENGTHS] = {"quarter", "month", "year", "hand"};
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

static bool set_clock(struct step *st, struct chat_settings *chat, struct str value)
{
    if (str_is(value, USUAL)) {
        chat->time = clocks[0].time;
        return true;
    }
    return value_clock(st, value, &chat->time) || value_refuse_clock(st);
}

static bool set_season(struct step *st, struct chat_settings *chat, struct str value)
{
    bool by_hand = chat->season == SEASON_HAND, more = chat->season_no < SEASONS_BY_HAND;
    if (str_is(value, STR("next")) && by_hand && more) {
        chat->season_no++;
        return true;
    }
    for (int i = 0; i < N_SEASON_LENGTHS; i++)
        if (str_is(value, str_of(season_names[i]))) {
            /* the one that runs is closed, and its number with it */
            chat->season_no += by_hand && i != SEASON_HAND && more;
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
    enum keyword keyword = step_keyword(st, value);
    struct str list = {0};
    if (character == NO_CHARACTER && keyword != KEYWORD_OFF && keyword != KEYWORD_COMPUTER) {
        for (int c = 1; c < N_CHARACTERS; c++)
            list = value_list(st, list, str_of(characters[c].key));
        return value_refuse_for(st, STR("opponent"), arg_str(value_list(st, list, STR("none"))));
    }
    NAME_PUT(chat->opponent, str_of(characters[character].key));
    return true;
}

static bool set_tips(struct step *st, struct chat_settings *chat, struct str value)
{
    bool on;
    bool good = value_switch(st, STR("tips"), value, &on);
    chat->tips_off = !on;
    return good;
}

static bool set_board(struct step *st, struct chat_settings *chat, struct str value)
{
    chat->board_picture = str_is(value, STR("picture"));
    return chat->board_picture || str_is(value, STR("text")) ||
           value_refuse_for(st, STR("board"), arg_str(STR("picture, text")));
}

/* The sender's own, in a private chat: hands as words in place of polls. Their running matches
 * follow, with the hand of a move that is theirs. */
static bool set_hand(struct step *st, struct chat_settings *chat, struct str value)
{
    (void)chat;
    bool words = str_is(value, STR("words")) || str_is(value, STR("text"));
    if (!words && !str_is(value, STR("poll")))
        return value_refuse_for(st, STR("hand"), arg_str(STR("poll, words")));
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

static bool set_watch(struct step *st, struct chat_settings *chat, struct str value)
{
    return value_switch(st, STR("watch"), value, &chat->watch);
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
    } rows[] = {
        {"rules", set_rules},   {"rounds", set_rounds},     {"clock", set_clock},
        {"season", set_season}, {"language", set_language}, {"opponent", set_opponent},
        {"tips", set_tips},     {"board", set_board},       {"zone", set_zone},
        {"hand", set_hand},     {"watch", set_watch},
#define SETTING(name, fn) {name, fn},
#include "feature.def"
    };
    bool keeps_case = str_is(name, STR("zone"));
    bool own = str_is(name, STR("hand"));
    if (own && (!st->e->direct || !(st->w->can & CAN_POLL)))
        return value_refuse(st, T_BAD_FIELD, name);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (str_is(name, str_of(rows[i].name)))
            return rows[i].set(st, chat, keeps_case ? value : text_fold(st->fx->arena, value));
    return value_refuse(st, T_BAD_FIELD, name);
}

/* ---- as buttons ---- */

/* The rules that the chat plays. */
static struct rules rules_of(const struct world *w, const struct chat_settings *c)
{
    const struct rules *chosen = step_preset(w, str_of(c->rules));
    return chosen ? *chosen : *step_usual_rules(w);
}

static int put_words(struct str ret[static SETTING_WORDS], const char *words)
{
    int n = 0;
    for (struct str rest = str_of(words), word; n < SETTING_WORDS; ret[n++] = word)
        if ((word = str_word(&rest)).n == 0)
            break;
    return n;
}

/* Three rounds are a house table of any rules. */
static int put_rounds(const struct rules *r, struct arena *a, struct str ret[static SETTING_WORDS])
{
    int n = 0;
    ret[n++] = USUAL;
    if (!memchr(r->rounds_allowed, FEW_ROUNDS, r->n_rounds_allowed))
        ret[n++] = arena_print(a, "%d", FEW_ROUNDS);
    for (int i = 0; i < r->n_rounds_allowed; i++)
        ret[n++] = arena_print(a, "%d", r->rounds_allowed[i]);
    return n;
}

int setting_words(const struct world *w, const struct chat_settings *c, enum setting which,
                  struct arena *a, struct str ret[static SETTING_WORDS])
{
    const struct rules r = rules_of(w, c);
    int n = 0;
    switch (which) {
    case SETTING_RULES:
        for (; n < w->bot->n_presets && n < SETTING_WORDS; n++)
            ret[n] = str_of(w->bot->presets[n].name);
        return n;
    case SETTING_ROUNDS:
        return put_rounds(&r, a, ret);
    case SETTING_CLOCK:
        for (; n < N_CLOCKS; n++)
            ret[n] = clocks[n].word;
        return n;
    case SETTING_SEASON:
        return put_words(ret, c->season == SEASON_HAND ? "quarter month year hand next"
                                                       : "quarter month year hand");
    case SETTING_LANGUAGE:
        for (; n < w->bot->languages->n && n < SETTING_WORDS; n++)
            ret[n] = w->bot->languages->at[n]->language;
        return n;
    case SETTING_OPPONENT:
        ret[n++] = STR("none");
        for (; n < N_CHARACTERS; n++)
            ret[n] = str_of(characters[n].key);
        return n;
    case SETTING_BOARD:
        return put_words(ret, "text picture");
    case SETTING_PUZZLE:
    case SETTING_DUEL:
    case SETTING_CHAMPION:
        return put_words(ret, "off 8:00 12:00 18:00 20:00");
    case SETTING_ZONE:
        return put_words(ret, "UTC America/Los_Angeles America/New_York America/Sao_Paulo "
                              "Europe/London Europe/Paris Europe/Warsaw Europe/Moscow "
                              "Asia/Kolkata Asia/Shanghai Asia/Tokyo Australia/Sydney");
    case SETTING_TIPS:
    case SETTING_WATCH:
    case SETTING_SEEK:
    case N_SETTINGS:
        break;
    }
    return put_words(ret, "on off");
}

static struct str on_or_off(bool on)
{
    return on ? STR("on") : STR("off");
}

/* Of a setting that is an hour: a minute of the day plus 1. */
static struct str hour_of(int setting, struct arena *a)
{
    int minute = setting - 1;
    return setting ? arena_print(a, "%d:%02d", minute / 60, minute % 60) : STR("off");
}

struct str setting_word(const struct world *w, const struct chat_settings *c, enum setting which,
                        struct arena *a)
{
    int clock = 0;
    switch (which) {
    case SETTING_RULES:
        return str_of(c->rules[0] ? c->rules : step_usual_rules(w)->name);
    case SETTING_ROUNDS:
        return c->rounds ? arena_print(a, "%d", c->rounds) : USUAL;
    case SETTING_CLOCK:
        while (clock < N_CLOCKS && memcmp(&clocks[clock].time, &c->time, sizeof c->time) != 0)
            clock++;
        return clock < N_CLOCKS ? clocks[clock].word : STR("");
    case SETTING_SEASON:
        return str_of(season_names[c->season]);
    case SETTING_LANGUAGE:
        return c->language[0] ? str_of(c->language) : w->bot->default_language;
    case SETTING_OPPONENT:
        return str_of(c->opponent[0] ? c->opponent : "none");
    case SETTING_TIPS:
        return on_or_off(!c->tips_off);
    case SETTING_BOARD:
        return c->board_picture ? STR("picture") : STR("text");
    case SETTING_PUZZLE:
        return hour_of(c->puzzle, a);
    case SETTING_DUEL:
        return hour_of(c->duel, a);
    case SETTING_CHAMPION:
        return hour_of(c->champion, a);
    case SETTING_WATCH:
        return on_or_off(c->watch);
    case SETTING_SEEK:
        return on_or_off(c->seek);
    case SETTING_ZONE:
    case N_SETTINGS:
        break;
    }
    return c->zone[0] ? str_of(c->zone) : STR("UTC");
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
    struct str words[SETTING_WORDS];
    if (e->version <= 0 || e->version > N_SETTINGS || e->index <= 0)
        return STR("");
    enum setting which = (enum setting)(e->version - 1);
    int n = setting_words(w, &w->chat.settings, which, a, words);
    return e->index > n
               ? STR("")
               : arena_print(a, "%s=%.*s", setting_names[which], STR_ARG(words[e->index - 1]));
}

/* ---- the commands ---- */

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
    if (!t)
        return refuse(st, T_LANGUAGES, arg_str(list), arg_command(VERB_LANGUAGE));
    struct person_prefs *prefs = step_prefs(st);
    prefs->language_of_app = false;
    NAME_PUT(prefs->language, t->language);
    return answer(st, T_LANGUAGE_SET, arg_str(t->title));
}
