/* Answers to queries: yaku, matches, help, settings. */
#include "page.h"
#include "part.h"

#include "rules_option.h"

/* ---- yaku ---- */

void page_yaku(struct draft *d)
{
    const struct view *v = &d->table->view;
    SAY(d, T_YAKU_HEAD, draft_names(d));
    for (int i = 0; i < v->players; i++) {
        struct score score;
        score_pile(draft_ruleset(d), v->taken[i], v->koikoi[i] > 0, &score);
        struct str have = draft_yaku(d, score.worth);
        struct str name = draft_name(d, i);
        draft_line(d, have.n == 0 ? TX(d, T_YAKU_HAVE_NONE, name)
                      : draft_is_sum(score.worth)
                          ? TX(d, T_YAKU_HAVE, name, have, draft_int(d, score.base))
                          : TX(d, T_YAKU_HAVE_ONE, name, have));
        if (v->stage == MATCH_PLAYING)
            part_near(d, i);
        if (v->taken[i])
            SAY(d, T_YAKU_TOOK, draft_cards(d, v->taken[i]));
    }
}

/* ---- matches ---- */

static struct str game_state(const struct draft *d)
{
    const struct table *t = d->table;
    if (t->phase == SESSION_OFFERED)
        return TX(d, T_GAME_OFFERED);
    return part_turn(d);
}

void page_games(struct draft *d)
{
    const struct notice *notice = d->notice;
    draft_line(d, notice->key == T_WHICH_MATCH
                      ? TX(d, T_WHICH_MATCH, draft_command(d, (enum verb)notice->n),
                           notice->text.n ? draft_join(d, STR(" "), (struct str){0}, notice->text)
                                          : notice->text,
                           draft_int(d, notice->games.at[0]->no))
                  : notice->key == T_AWAY ? TX(d, T_AWAY, draft_span(d, notice->n))
                                          : TX(d, T_GAMES_HEAD));
    for (int i = 0; i < notice->games.n; i++) {
        d->table = notice->games.at[i];
        const struct seen_from *at = &d->table->at;
        struct str where =
            at->chat_name.n && !at->direct ? TX(d, T_GAME_IN, at->chat_name) : (struct str){0};
        struct str line = d->table->phase == SESSION_OFFERED
                              ? TX(d, T_GAME_LINE, draft_names(d), game_state(d), where)
                              : TX(d, T_GAME_LINE_SCORES, draft_int(d, d->table->no),
                                   draft_rounds(d), draft_scores(d), game_state(d), where);
        draft_line(d, line);
    }
    d->table = NULL;
}

/* ---- help, settings ---- */

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
        aliases = draft_join(d, aliases, STR(", "), d->t->alias[v][i]);
    if (aliases.n > 0)
        SAY(d, T_HELP_ALIASES, aliases);
}

static void put_help_of_all(struct draft *d)
{
    for (int g = GROUP_CHALLENGE; g < N_GROUPS; g++) {
        SAY(d, T_HELP_GROUP, TX(d, (enum text)(T_HELP_GROUP_1 + g - GROUP_CHALLENGE)));
        for (int v = 1; v < N_COMMANDS; v++)
            if ((int)commands[v].group == g)
                put_command(d, (enum verb)v);
    }
    SAY(d, T_HELP_MORE, draft_command(d, VERB_HELP));
}

void page_help(struct draft *d)
{
    int64_t n = d->notice->n;
    if (n == HELP_ALL) {
        put_help_of_all(d);
        return;
    }
    if (n != VERB_NONE) {
        put_help_of(d, (enum verb)n);
        return;
    }
    SAY(d, T_HELP_HEAD);
    for (int v = 1; v < N_COMMANDS; v++)
        if (commands[v].listed == LISTED_FIRST)
            put_command(d, (enum verb)v);
    SAY(d, T_HELP_REST, draft_command(d, VERB_HELP));
    draft_press(d, T_BUTTON_HELP_ALL, VERB_HELP, HELP_ALL, BUTTON_PLAIN);
}

void page_opponents(struct draft *d)
{
    SAY(d, T_CHARACTERS_HEAD);
    for (int c = 1; c < N_CHARACTERS; c++)
        SAY(d, T_CHARACTER_LINE, draft_computer(d, c), part_level(d, characters[c].level),
            TX(d, character_text(c, MANNER_MANNER)));
    SAY(d, T_CHARACTERS_HOW, draft_command(d, VERB_CHALLENGE), str_of(characters[1].key),
        draft_command(d, VERB_SETTINGS));
}

/* "9:00"; minute: 1 + that of the day, 0: off. */
static struct str puzzle_time(const struct draft *d, int minute)
{
    return minute ? arena_print(d->a, "%d:%02d", (minute - 1) / 60, (minute - 1) % 60) : STR("off");
}

void page_settings(struct draft *d)
{
    const struct chat_settings *c = d->notice->settings;
    struct str usual = TX(d, T_SETTING_USUAL);
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
    int opponent = character_find(d->w->bot->languages, d->a, str_of(c->opponent));
    SAY(d, T_SETTING, STR("opponent"), draft_computer(d, opponent));
    SAY(d, T_SETTING, STR("tips"), c->tips_off ? STR("off") : STR("on"));
    SAY(d, T_SETTING, STR("seek"), c->seek ? STR("on") : STR("off"));
    SAY(d, T_SETTING, STR("puzzle"), puzzle_time(d, c->puzzle));
    if (draft_can(d, CAN_PICTURE))
        SAY(d, T_SETTING, STR("board"), c->board_picture ? STR("picture") : STR("text"));
    SAY(d, T_SETTINGS_HOW, draft_command(d, VERB_SETTINGS));
}

void page_decline(struct draft *d)
{
    if (part_popup_only(d)) { /* a popup has no buttons */
        SAY(d, T_DECLINE_BY_WORDS, draft_name(d, 0), draft_command(d, VERB_DECLINE));
        return;
    }
    SAY(d, T_WHY_DECLINE, draft_name(d, 0));
    bool computer = false;
    for (int i = 0; i < d->table->players; i++)
        computer |= d->table->player[i].computer;
    for (int i = 0; i < 7; i++)
        if (computer || T_REASON_NONE + i != T_REASON_NO_COMPUTER)
            draft_press(d, (enum text)(T_REASON_NONE + i), VERB_DECLINE, i + 1, BUTTON_PLAIN);
}
