/* Answers to questions: yaku, matches, help, opponents, settings. */
#include "page.h"

#include "settings.h"

void page_yaku(struct draft *d)
{
    const struct scene *s = draft_scene(d);
    SAY(d, T_YAKU_HEAD, draft_names(d));
    for (int i = 0; i < s->players; i++) {
        const struct score *score = &s->at[i].score;
        struct str have = draft_yaku(d, score->worth), name = draft_name(d, i);
        draft_line(d, have.n == 0 ? TX(d, T_YAKU_HAVE_NONE, name)
                      : draft_is_sum(score->worth)
                          ? TX(d, T_YAKU_HAVE, name, have, draft_int(d, score->base))
                          : TX(d, T_YAKU_HAVE_ONE, name, have));
        if (s->dealt)
            part_near(d, i);
        SAY_IF(d, s->at[i].pile, T_YAKU_TOOK, draft_cards(d, s->at[i].pile));
    }
}

void page_games(struct draft *d)
{
    const struct notice *notice = d->notice;
    struct str typed = notice->text.n ? draft_join(d, STR(" "), STR(""), notice->text) : STR("");
    draft_line(d, notice->key == T_WHICH_MATCH
                      ? TX(d, T_WHICH_MATCH, draft_command(d, (enum verb)notice->n), typed,
                           draft_int(d, notice->games.at[0]->no))
                  : notice->key == T_AWAY ? TX(d, T_AWAY, draft_span(d, notice->n))
                                          : TX(d, T_GAMES_HEAD));
    for (int i = 0; i < notice->games.n; i++) {
        const struct table *t = d->table = notice->games.at[i];
        struct str where =
            t->at.chat_name.n && !t->at.direct ? TX(d, T_GAME_IN, t->at.chat_name) : STR("");
        if (t->phase == SESSION_OFFERED)
            SAY(d, T_GAME_LINE, draft_names(d), TX(d, T_GAME_OFFERED), where);
        else
            SAY(d, T_GAME_LINE_SCORES, draft_int(d, t->no), draft_rounds(d), draft_scores(d),
                part_turn(d), where);
    }
    d->table = NULL;
}

/* ---- help ---- */

static void put_command(struct draft *d, enum verb v)
{
    SAY(d, T_HELP_COMMAND, draft_command(d, v), d->t->brief[v]);
}

/* One command: what it does, examples, other names. */
static void put_help_of(struct draft *d, enum verb v)
{
    struct str aliases = {0}, command = draft_command(d, v);
    put_command(d, v);
    draft_line(d, d->t->about[v]);
    for (int i = 0; i < MAX_EXAMPLES && d->t->example[v][i].n > 0; i++)
        SAY(d, T_HELP_EXAMPLE, command, d->t->example[v][i]);
    for (int i = 1; i < MAX_ALIASES && d->t->alias[v][i].n > 0; i++)
        aliases = draft_join(d, aliases, TX(d, T_COMMA), d->t->alias[v][i]);
    SAY_IF(d, aliases.n > 0, T_HELP_ALIASES, aliases);
}

void page_help(struct draft *d)
{
    int64_t n = d->notice->n;
    bool all = n == HELP_ALL;
    if (!all && n != VERB_NONE) {
        put_help_of(d, (enum verb)n);
        return;
    }
    SAY_IF(d, !all, T_HELP_HEAD);
    for (int v = 1; !all && v < N_COMMANDS; v++)
        if (commands[v].listed == LISTED_FIRST)
            put_command(d, (enum verb)v);
    for (int g = GROUP_CHALLENGE; all && g < N_GROUPS; g++) {
        SAY(d, T_HELP_GROUP, TX(d, (enum text)(T_HELP_GROUP_1 + g - GROUP_CHALLENGE)));
        for (int v = 1; v < N_COMMANDS; v++)
            if ((int)commands[v].group == g)
                put_command(d, (enum verb)v);
    }
    SAY(d, all ? T_HELP_MORE : T_HELP_REST, draft_command(d, VERB_HELP));
    if (all)
        return;
    part_doors(d);
    draft_press(d, T_BUTTON_CARDS, VERB_CARDS, 0, BUTTON_PLAIN);
    draft_press(d, T_BUTTON_HELP_ALL, VERB_HELP, HELP_ALL, BUTTON_PLAIN);
}

/* ---- opponents ---- */

void page_opponents(struct draft *d)
{
    struct layout l;
    part_poster(d, &l);
    SAY(d, T_CHARACTERS_HEAD);
    for (int c = 1; c < N_CHARACTERS; c++) {
        struct str name = draft_computer(d, c), level = part_level(d, characters[c].level);
        struct str manner = TX(d, character_text(c, MANNER_MANNER));
        SAY(d, T_CHARACTER_LINE, name, level, manner);
        draft_add(d, &name, T_DOT, level);
        LAYOUT_ADD(&l, LAYOUT_FACE, str_of(characters[c].key), name, manner);
    }
    SAY(d, T_CHARACTERS_HOW, draft_command(d, VERB_CHALLENGE), draft_computer(d, 1),
        draft_command(d, VERB_SETTINGS));
    part_poster_end(d, &l);
}

/* ---- settings ---- */

static struct str clock_shown(const struct draft *d, const struct time_control *t)
{
    return t->move_ms < 0 ? TX(d, T_SETTING_USUAL_CLOCK, draft_span(d, CLOCK_MS))
           : t->total_ms > 0 || t->move_ms == 0 ? part_clock(d, t->move_ms, t->total_ms, t->gain_ms)
                                                : draft_span(d, t->move_ms);
}

/* A word of a setting as people read it. */
static struct str shown(const struct draft *d, enum setting which, struct str word)
{
    static const struct {
        struct str word;
        enum text key;
    } keys[] = {{{"usual", 5}, T_SETTING_USUAL},     {{"on", 2}, T_SETTING_ON},
                {{"off", 3}, T_SETTING_OFF},         {{"text", 4}, T_SETTING_TEXT},
                {{"picture", 7}, T_SETTING_PICTURE}, {{"words", 5}, T_SETTING_TEXT},
                {{"poll", 4}, T_SETTING_POLL},       {{"quarter", 7}, T_SEASON_QUARTER},
                {{"month", 5}, T_SEASON_MONTH},      {{"year", 4}, T_SEASON_YEAR},
                {{"manual", 6}, T_SEASON_HAND},      {{"next", 4}, T_SETTING_NEXT}};
    if (which == SETTING_CLOCK)
        return clock_shown(d,
                           setting_clock(word) ? setting_clock(word) : &d->notice->settings->time);
    if (which == SETTING_LANGUAGE)
        return texts_for(d->w->bot->languages, word)->title;
    if (which == SETTING_OPPONENT)
        return draft_computer(d, character_find(d->w->bot->languages, d->a, word));
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (str_is(word, keys[i].word))
            return TX(d, keys[i].key);
    return word;
}

/* What it does, and a button for each value. */
static void put_setting(struct draft *d, struct settings_seen *seen, enum setting which)
{
    struct str words[SETTING_WORDS], now = setting_now(seen, which);
    int n = setting_words(seen, which, words);
    SAY(d, T_SETTING_SHOWN, TX(d, settings[which].label), shown(d, which, now));
    if (which == SETTING_ZONE)
        SAY(d, T_SET_ZONE_ABOUT, draft_command(d, VERB_SETTINGS));
    else
        draft_line(d, TX(d, settings[which].about));
    d->press_version = which + 1;
    for (int i = 0; i < n; i++) {
        struct str label = shown(d, which, words[i]);
        draft_button(d, str_is(words[i], now) ? TX(d, T_SEAT_IN, label) : label, VERB_SETTINGS,
                     i + 1, BUTTON_PLAIN);
    }
    draft_row(d);
    d->press_version = 0;
    draft_press(d, T_BUTTON_SETTINGS, VERB_SETTINGS, 0, BUTTON_PLAIN);
}

void page_settings(struct draft *d)
{
    const bool taps = draft_can(d, CAN_BUTTONS);
    struct settings_seen seen = settings_seen(d->w, d->fx, d->notice->settings);
    d->press_no = d->notice->post;
    if (d->notice->card) {
        put_setting(d, &seen, (enum setting)(d->notice->card - 1));
        return;
    }
    SAY(d, d->notice->n ? T_SETTINGS_SAVED : T_SETTINGS_HEAD);
    for (int i = 0; i < N_SETTINGS; i++) {
        enum setting which = (enum setting)i;
        if (!setting_is_here(d->w, d->e, which))
            continue;
        SAY(d, T_SETTING, TX(d, settings[i].label), shown(d, which, setting_now(&seen, which)));
        d->press_version = i + 1;
        if (!settings[i].own)
            draft_press(d, settings[i].label, VERB_SETTINGS, 0, BUTTON_PLAIN);
    }
    SAY_IF(d, taps, T_SETTINGS_TAP);
    SAY_IF(d, !taps, T_SETTINGS_HOW, draft_command(d, VERB_SETTINGS));
}

/* ---- watching by a link ---- */

void page_watch(struct draft *d)
{
    const struct table *t = d->table;
    struct str table = draft_command(d, VERB_TABLE);
    part_many(d);
    if (t->watched)
        SAY(d, T_PAGE_WATCH_LINK, part_link(d, "watch", t->no, t->links), table);
    else
        SAY(d, T_PAGE_WATCH_WAIT, table);
}
