/* Answers to queries: yaku, matches, help, settings. */
#include "present_bodies.h"

#include "rules_option.h"

/* ---- yaku ---- */

void present_yaku(struct body *body)
{
    const struct view *v = &body->table->view;
    body_line(body, TX(body, T_YAKU_HEAD, body_names(body)));
    for (int i = 0; i < v->players; i++) {
        struct score score;
        score_pile(body_ruleset(body), v->taken[i], v->koikoi[i] > 0, &score);
        struct str have = body_yaku(body, &score);
        struct str name = body_name(body, i);
        body_line(body, have.n == 0 ? TX(body, T_YAKU_HAVE_NONE, name)
                        : body_is_sum(&score)
                            ? TX(body, T_YAKU_HAVE, name, have, body_int(body, score.base))
                            : TX(body, T_YAKU_HAVE_ONE, name, have));
        if (v->stage == MATCH_PLAYING)
            part_near(body, i);
        if (v->taken[i])
            body_line(body, TX(body, T_YAKU_TOOK, body_cards(body, v->taken[i])));
    }
}

/* ---- matches ---- */

static struct str game_state(const struct body *body)
{
    const struct table *t = body->table;
    if (t->phase == SESSION_OFFERED)
        return TX0(body, T_GAME_OFFERED);
    return part_turn(body);
}

void present_games(struct body *body)
{
    const struct notice *notice = body->notice;
    body_line(body,
              notice->key == T_WHICH_MATCH
                  ? TX(body, T_WHICH_MATCH, body_command(body, (enum verb)notice->n),
                       notice->text.n ? body_join(body, STR(" "), (struct str){0}, notice->text)
                                      : notice->text,
                       body_int(body, notice->games[0]->no))
              : notice->key == T_AWAY ? TX(body, T_AWAY, body_span(body, notice->n))
                                      : TX0(body, T_GAMES_HEAD));
    for (int i = 0; i < notice->n_games; i++) {
        body->table = notice->games[i];
        struct str where = body->table->at.chat_name.n && !body->table->at.direct
                               ? TX(body, T_GAME_IN, body->table->at.chat_name)
                               : (struct str){0};
        struct str line = body->table->phase == SESSION_OFFERED
                              ? TX(body, T_GAME_LINE, body_names(body), game_state(body), where)
                              : TX(body, T_GAME_LINE_SCORES, body_int(body, body->table->no),
                                   body_rounds(body), body_scores(body), game_state(body), where);
        body_line(body, line);
    }
    body->table = NULL;
}

/* ---- help, settings ---- */

static void put_command(struct body *body, enum verb v)
{
    body_line(body, TX(body, T_HELP_COMMAND, body_command(body, v), body->t->brief[v]));
}

/* One command: what it does, examples, other names. */
static void put_help_of(struct body *body, enum verb v)
{
    struct str aliases = {0}, command = body_command(body, v);
    put_command(body, v);
    body_line(body, body->t->about[v]);
    for (int i = 0; i < MAX_EXAMPLES && body->t->example[v][i].n > 0; i++)
        body_line(body, TX(body, T_HELP_EXAMPLE, command, body->t->example[v][i]));
    for (int i = 1; i < MAX_ALIASES && body->t->alias[v][i].n > 0; i++)
        aliases = body_join(body, aliases, STR(", "), body->t->alias[v][i]);
    if (aliases.n > 0)
        body_line(body, TX(body, T_HELP_ALIASES, aliases));
}

static void put_help_of_all(struct body *body)
{
    for (int g = GROUP_CHALLENGE; g < N_GROUPS; g++) {
        body_line(body, TX(body, T_HELP_GROUP,
                           TX0(body, (enum text)(T_HELP_GROUP_1 + g - GROUP_CHALLENGE))));
        for (int v = 1; v < N_COMMANDS; v++)
            if ((int)commands[v].group == g)
                put_command(body, (enum verb)v);
    }
    body_line(body, TX(body, T_HELP_MORE, body_command(body, VERB_HELP)));
}

void present_help(struct body *body)
{
    int64_t n = body->notice->n;
    if (n == HELP_ALL) {
        put_help_of_all(body);
        return;
    }
    if (n != VERB_NONE) {
        put_help_of(body, (enum verb)n);
        return;
    }
    body_line(body, TX0(body, T_HELP_HEAD));
    for (int v = 1; v < N_COMMANDS; v++)
        if (commands[v].listed == LISTED_FIRST)
            put_command(body, (enum verb)v);
    body_line(body, TX(body, T_HELP_REST, body_command(body, VERB_HELP)));
    body_button(body, TX0(body, T_BUTTON_HELP_ALL), VERB_HELP, HELP_ALL, BUTTON_PLAIN);
}

void present_opponents(struct body *body)
{
    body_line(body, TX0(body, T_CHARACTERS_HEAD));
    for (int c = 1; c < N_CHARACTERS; c++)
        body_line(body, TX(body, T_CHARACTER_LINE, body_computer(body, c),
                           part_level(body, characters[c].level),
                           TX0(body, character_text(c, MANNER_MANNER))));
    body_line(body, TX(body, T_CHARACTERS_HOW, body_command(body, VERB_CHALLENGE),
                       str_of(characters[1].key), body_command(body, VERB_SETTINGS)));
}

/* "9:00"; minute: 1 + that of the day, 0: off. */
static struct str puzzle_time(const struct body *body, int minute)
{
    return minute ? arena_print(body->a, "%d:%02d", (minute - 1) / 60, (minute - 1) % 60)
                  : STR("off");
}

void present_settings(struct body *body)
{
    const struct chat_settings *c = body->notice->settings;
    struct str usual = TX0(body, T_SETTING_USUAL);
    body_line(body, TX0(body, body->notice->n ? T_SETTINGS_SAVED : T_SETTINGS_HEAD));
    body_line(body, TX(body, T_SETTING, STR("rules"),
                       c->rules[0] ? str_of(c->rules) : body->w->default_rules));
    body_line(body,
              TX(body, T_SETTING, STR("rounds"), c->rounds ? body_int(body, c->rounds) : usual));
    body_line(body, TX(body, T_SETTING, STR("clock"),
                       c->clock_ms < 0 ? TX(body, T_SETTING_USUAL_CLOCK, body_span(body, CLOCK_MS))
                       : c->total_ms > 0 || c->clock_ms == 0
                           ? part_clock(body, c->clock_ms, c->total_ms, c->gain_ms)
                           : body_span(body, c->clock_ms)));
    body_line(body, TX(body, T_SETTING, STR("season"),
                       TX0(body, (enum text)(T_SEASON_QUARTER + c->season))));
    body_line(body, TX(body, T_SETTING, STR("zone"), c->zone[0] ? str_of(c->zone) : STR("UTC")));
    body_line(body, TX(body, T_SETTING, STR("language"),
                       c->language[0] ? str_of(c->language) : body->w->default_language));
    int opponent = character_find(body->w->languages, body->a, str_of(c->opponent));
    body_line(body, TX(body, T_SETTING, STR("opponent"), body_computer(body, opponent)));
    body_line(body, TX(body, T_SETTING, STR("tips"), c->tips_off ? STR("off") : STR("on")));
    body_line(body, TX(body, T_SETTING, STR("seek"), c->seek ? STR("on") : STR("off")));
    body_line(body, TX(body, T_SETTING, STR("puzzle"), puzzle_time(body, c->puzzle)));
    if (body_can(body, CAN_PICTURE))
        body_line(body, TX(body, T_SETTING, STR("board"),
                           c->board_picture ? STR("picture") : STR("text")));
    body_line(body, TX(body, T_SETTINGS_HOW, body_command(body, VERB_SETTINGS)));
}

void present_decline(struct body *body)
{
    if (part_popup_only(body)) { /* a popup has no buttons */
        body_line(body, TX(body, T_DECLINE_BY_WORDS, body_name(body, 0),
                           body_command(body, VERB_DECLINE)));
        return;
    }
    body_line(body, TX(body, T_WHY_DECLINE, body_name(body, 0)));
    bool computer = false;
    for (int i = 0; i < body->table->players; i++)
        computer |= body->table->player[i].computer;
    for (int i = 0; i < 7; i++)
        if (computer || T_REASON_NONE + i != T_REASON_NO_COMPUTER)
            body_button(body, TX0(body, (enum text)(T_REASON_NONE + i)), VERB_DECLINE, i + 1,
                        BUTTON_PLAIN);
}
