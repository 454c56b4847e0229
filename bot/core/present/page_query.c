/* Answers to questions: yaku, matches, help, opponents, settings. */
#include "page.h"

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
    if (!all)
        part_doors(d);
    if (!all)
        draft_press(d, T_BUTTON_HELP_ALL, VERB_HELP, HELP_ALL, BUTTON_PLAIN);
}

/* ---- opponents and settings ---- */

void page_opponents(struct draft *d)
{
    SAY(d, T_CHARACTERS_HEAD);
    for (int c = 1; c < N_CHARACTERS; c++)
        SAY(d, T_CHARACTER_LINE, draft_computer(d, c), part_level(d, characters[c].level),
            TX(d, character_text(c, MANNER_MANNER)));
    SAY(d, T_CHARACTERS_HOW, draft_command(d, VERB_CHALLENGE), str_of(characters[1].key),
        draft_command(d, VERB_SETTINGS));
}

void page_settings(struct draft *d)
{
    const struct chat_settings *c = d->notice->settings;
    struct str usual = TX(d, T_SETTING_USUAL);
    int minute = c->puzzle - 1,
        opponent = character_find(d->w->bot->languages, d->a, str_of(c->opponent));
    SAY(d, d->notice->n ? T_SETTINGS_SAVED : T_SETTINGS_HEAD);
    SAY(d, T_SETTING, STR("rules"), c->rules[0] ? str_of(c->rules) : d->w->bot->default_rules);
    SAY(d, T_SETTING, STR("rounds"), c->rounds ? draft_int(d, c->rounds) : usual);
    SAY(d, T_SETTING, STR("clock"),
        c->time.move_ms < 0 ? TX(d, T_SETTING_USUAL_CLOCK, draft_span(d, CLOCK_MS))
        : c->time.total_ms > 0 || c->time.move_ms == 0
            ? part_clock(d, c->time.move_ms, c->time.total_ms, c->time.gain_ms)
            : draft_span(d, c->time.move_ms));
    SAY(d, T_SETTING, STR("season"), TX(d, (enum text)(T_SEASON_QUARTER + c->season)));
    SAY(d, T_SETTING, STR("zone"), c->zone[0] ? str_of(c->zone) : STR("UTC"));
    SAY(d, T_SETTING, STR("language"),
        c->language[0] ? str_of(c->language) : d->w->bot->default_language);
    SAY(d, T_SETTING, STR("opponent"), draft_computer(d, opponent));
    SAY(d, T_SETTING, STR("tips"), c->tips_off ? STR("off") : STR("on"));
    SAY(d, T_SETTING, STR("seek"), c->seek ? STR("on") : STR("off"));
    SAY(d, T_SETTING, STR("puzzle"),
        c->puzzle ? arena_print(d->a, "%d:%02d", minute / 60, minute % 60) : STR("off"));
    SAY_IF(d, draft_can(d, CAN_PICTURE), T_SETTING, STR("board"),
           c->board_picture ? STR("picture") : STR("text"));
    SAY_IF(d, d->e->direct && (d->w->can & CAN_POLL), T_SETTING, STR("hand"),
           (d->fx->prefs ? d->fx->prefs : &d->w->me.prefs)->words ? STR("words") : STR("poll"));
    SAY(d, T_SETTINGS_HOW, draft_command(d, VERB_SETTINGS));
}
