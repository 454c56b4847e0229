/* Answers to questions: yaku, rules, matches, the scoreboard, help, settings. */
#include "page.h"

#include "knob.h"
#include "review.h"

/* ---- yaku ---- */

/* What a seat still lacks for a yaku, if what the others have not taken is enough. */
static struct str lacking(const struct page *pg, int y, int seat)
{
    const struct view *v = &pg->table->view;
    int need;
    cardset pool = yaku_cards(&v->rules, (enum yaku)y, &need), gone = 0;
    for (int i = 0; i < v->players; i++)
        if (i != seat)
            gone |= v->taken[i];
    int have = set_count(pool & v->taken[seat]), can = set_count(pool & ~gone);
    if (need == 0 || v->rules.yaku[y] == 0 || have >= need || can < need)
        return (struct str){0};
    struct str name = TX(pg, T_YAKU_WORTH, pg->words->yaku[y], page_int(pg, v->rules.yaku[y]));
    cardset missing = pool & ~gone & ~v->taken[seat];
    if (set_count(missing) <= 3)
        return TX(pg, T_YAKU_LACKS, name, page_int(pg, have), page_int(pg, need),
                  page_cards(pg, missing));
    return TX(pg, T_YAKU_COUNT, name, page_int(pg, have), page_int(pg, need));
}

void present_yaku(struct page *pg)
{
    const struct view *v = &pg->table->view;
    page_line(pg, TX(pg, T_YAKU_HEAD, page_names(pg)));
    for (int i = 0; i < v->players; i++) {
        struct score score;
        score_pile(page_ruleset(pg), v->taken[i], &score);
        struct str have = page_yaku(pg, &score);
        page_line(pg, have.n ? TX(pg, T_YAKU_HAVE, page_name(pg, i), have, page_int(pg, score.base))
                             : TX(pg, T_YAKU_HAVE_NONE, page_name(pg, i)));
    }
    if (pg->say->seat < 0 || v->stage != MATCH_PLAYING)
        return;
    page_line(pg, TX0(pg, T_YAKU_CAN));
    size_t before = pg->body.n;
    for (int y = 0; y < N_YAKU; y++)
        page_line(pg, lacking(pg, y, pg->say->seat));
    if (pg->body.n == before)
        page_line(pg, TX0(pg, T_YAKU_CAN_NONE));
}

/* ---- rules ---- */

struct str present_doublings(const struct page *pg, const struct rules *r)
{
    struct str list = {0};
    const bool on[N_MULTIPLIERS] = {r->has_seven_plus, r->own_koikoi != DOUBLING_NONE,
                                    r->opponent_koikoi != DOUBLING_NONE,
                                    r->any_koikoi != DOUBLING_NONE, r->table_brights};
    for (int m = 0; m < N_MULTIPLIERS; m++)
        if (on[m])
            list = page_join(pg, list, TX0(pg, T_DOT), TX0(pg, (enum text)(T_X_SEVEN_PLUS + m)));
    return list;
}

struct str present_changes(const struct page *pg, const struct rules *r, const struct rules *preset)
{
    struct str list = {0}, name, same;
    for (int i = 0;; i++) {
        char mine[64], theirs[64];
        struct buf a = BUF(mine), b = BUF(theirs);
        if (!knob_at(r, i, &name, &a) || !knob_at(preset, i, &same, &b))
            return list;
        if (a.n == 0 || str_is(buf_str(&a), buf_str(&b)) || str_is(name, STR("rounds")))
            continue;
        if (pg->table && pg->table->again && str_is(name, STR("first_dealer")))
            continue; /* nobody chose that; who deals first is said */
        struct str value = arena_str(pg->a, buf_str(&a));
        list = page_join(pg, list, TX0(pg, T_DOT), TX(pg, T_KNOB, name, value));
    }
}

static void rules_play(struct page *pg, const struct rules *r)
{
    page_line(pg, TX0(pg, r->capture == CAPTURE_FORCED ? T_RULE_FORCED : T_RULE_OPTIONAL));
    if (r->wild_lightning)
        page_line(pg, TX(pg, T_RULE_WILD, page_card(pg, LIGHTNING)));
    if (r->table_four == TABLE_FOUR_REDEAL)
        page_line(pg, TX0(pg, T_RULE_TABLE_FOUR));
    if (r->hand_four == HAND_FOUR_MAY_REDEAL)
        page_line(pg, TX(pg, T_RULE_HAND_FOUR, page_command(pg, VERB_REDEAL)));
    page_line(pg, TX0(pg, r->exhausted == EXHAUSTED_OYA_KAN ? T_RULE_OYA_KAN : T_RULE_EXHAUSTED));
    if (r->tie_break == TIE_EXTRA_ROUND)
        page_line(pg, TX0(pg, T_RULE_EXTRA));
    page_line(pg, TX0(pg, pg->table->again ? T_RULE_FIRST_AGAIN
                                           : (enum text)(T_RULE_FIRST_LOTS + r->first_dealer)));
}

static void rules_yaku(struct page *pg, const struct rules *r)
{
    struct str list = {0}, hand = {0};
    for (int y = 0; y < N_YAKU; y++)
        if (r->yaku[y] > 0)
            list = page_join(pg, list, TX0(pg, T_DOT),
                             TX(pg, T_YAKU_WORTH, pg->words->yaku[y], page_int(pg, r->yaku[y])));
    page_line(pg, TX(pg, T_RULE_YAKU, list));
    for (int h = 1; r->has_hand_yaku && h < N_HAND_YAKU; h++)
        if (r->hand_yaku[h] > 0)
            hand = page_join(
                pg, hand, TX0(pg, T_DOT),
                TX(pg, T_YAKU_WORTH, pg->words->hand_yaku[h], page_int(pg, r->hand_yaku[h])));
    if (hand.n > 0)
        page_line(pg, r->claim == CLAIM_DECLARED
                          ? TX(pg, T_RULE_HAND_DECLARED, hand, page_command(pg, VERB_DECLARE))
                          : TX(pg, T_RULE_HAND_AUTOMATIC, hand));
    if (r->yaku[YAKU_TANE] > 0 && r->yaku[YAKU_TANZAKU] > 0 && r->yaku[YAKU_KASU] > 0)
        page_line(pg, TX(pg, T_RULE_COUNT, pg->words->yaku[YAKU_TANE],
                         pg->words->yaku[YAKU_TANZAKU], pg->words->yaku[YAKU_KASU]));
    page_line(pg, TX(pg, r->sake_is_plain ? T_RULE_SAKE : T_RULE_SAKE_NOT, page_card(pg, SAKE)));
    if (r->trio_extra != TRIO_NONE)
        page_line(pg, TX0(pg, r->trio_extra == TRIO_ADD ? T_RULE_TRIO_ADD : T_RULE_TRIO_ABSORB));
    if (r->rain_cancels != RAIN_NONE)
        page_line(pg,
                  TX0(pg, r->rain_cancels == RAIN_RAINMAN ? T_RULE_RAIN : T_RULE_RAIN_LIGHTNING));
    if (r->viewing_both > 0)
        page_line(pg, TX(pg, T_RULE_BOTH, page_int(pg, r->viewing_both)));
    if (!r->viewing_with_brights)
        page_line(pg, TX0(pg, T_RULE_NOT_WITH_BRIGHTS));
}

static void rules_pay(struct page *pg, const struct rules *r)
{
    struct str seven = page_int(pg, r->seven_points), x = page_int(pg, r->seven_x);
    if (r->has_seven_plus)
        page_line(pg, r->seven_min_yaku > 1 ? TN(pg, T_RULE_SEVEN_FROM, r->seven_min_yaku,
                                                 page_int(pg, r->seven_min_yaku), seven, x)
                                            : TX(pg, T_RULE_SEVEN, seven, x));
    if (r->own_koikoi != DOUBLING_NONE)
        page_line(pg, TX0(pg, r->own_koikoi == DOUBLING_ONCE ? T_RULE_OWN_ONCE : T_RULE_OWN_EACH));
    if (r->opponent_koikoi != DOUBLING_NONE)
        page_line(pg, TX0(pg, r->opponent_koikoi == DOUBLING_ONCE ? T_RULE_OPPONENT_ONCE
                                                                  : T_RULE_OPPONENT_EACH));
    if (r->any_koikoi != DOUBLING_NONE)
        page_line(pg, TX0(pg, r->any_koikoi == DOUBLING_ONCE ? T_RULE_ANY_ONCE : T_RULE_ANY_PLUS));
    if (r->table_brights)
        page_line(pg, TX0(pg, T_RULE_TABLE_BRIGHTS));
}

void present_rules(struct page *pg)
{
    const struct say *say = pg->say;
    const struct rules *r = say->rules;
    struct str rounds = TN(pg, T_ROUNDS, r->rounds, page_int(pg, r->rounds));
    struct table *table = arena_new(pg->a, struct table);
    if (pg->table)
        *table = *pg->table;
    table->rules = *r;
    pg->table = table;
    page_line(pg, TX(pg, T_RULE_HEAD, str_of(r->name), rounds));
    if (r->scoring == SCORING_COINS)
        page_line(pg, TX(pg, T_RULE_COINS, page_coins(pg, rules_start_score(r))));
    else
        page_line(pg, TX0(pg, T_RULE_POINTS));
    rules_play(pg, r);
    rules_yaku(pg, r);
    rules_pay(pg, r);
    struct str changes = say->versus ? present_changes(pg, r, say->versus) : (struct str){0};
    if (changes.n > 0)
        page_line(pg, TX(pg, T_RULE_CHANGED, str_of(r->name), changes));
    page_line(pg, TX(pg, T_RULE_OTHERS, say->text, page_command(pg, VERB_RULES)));
    pg->table = say->table;
}

/* ---- matches ---- */

static struct str state_of(const struct page *pg)
{
    const struct table *t = pg->table;
    if (t->phase == SESSION_OFFERED)
        return TX0(pg, T_GAME_OFFERED);
    if (t->view.stage != MATCH_PLAYING)
        return TX0(pg, T_IS_BETWEEN);
    return t->deadline
               ? TX(pg, T_TO_MOVE_UNTIL, page_name(pg, t->view.turn), page_time(pg, t->deadline))
               : TX(pg, T_TO_MOVE, page_name(pg, t->view.turn));
}

void present_games(struct page *pg)
{
    const struct say *say = pg->say;
    page_line(
        pg, say->key == T_WHICH_MATCH
                ? TX(pg, T_WHICH_MATCH, page_command(pg, (enum verb)say->n),
                     say->text.n ? page_join(pg, STR(" "), (struct str){0}, say->text) : say->text,
                     page_int(pg, say->games[0]->no))
            : say->key == T_AWAY ? TX(pg, T_AWAY, page_span(pg, say->n))
                                 : TX0(pg, T_GAMES_HEAD));
    for (int i = 0; i < say->n_games; i++) {
        pg->table = say->games[i];
        struct str where = pg->table->at.chat_name.n && !pg->table->at.direct
                               ? TX(pg, T_GAME_IN, pg->table->at.chat_name)
                               : (struct str){0};
        struct str line = pg->table->phase == SESSION_OFFERED
                              ? TX(pg, T_GAME_LINE, page_names(pg), state_of(pg), where)
                              : TX(pg, T_GAME_LINE_SCORES, page_int(pg, pg->table->no),
                                   page_rounds(pg), page_scores(pg), state_of(pg), where);
        page_line(pg, line);
    }
    pg->table = NULL;
}

/* ---- the scoreboard ---- */

static struct str padded(const struct page *pg, struct str s, int columns, bool right)
{
    struct buf b = {arena_alloc(pg->a, s.n + (size_t)columns + 1), 0, s.n + (size_t)columns, false};
    int wide = text_columns(s);
    if (!right)
        buf_put(&b, s);
    for (; wide < columns; wide++)
        buf_char(&b, ' ');
    if (right)
        buf_put(&b, s);
    return buf_str(&b);
}

static void stand_line(struct page *pg, const struct stand *s, bool own)
{
    enum { NAME_WIDE = 16 };
    struct buf b = {arena_alloc(pg->a, 256), 0, 256, false};
    struct str name = text_clean(pg->a, s->name, NAME_WIDE);
    buf_put(&b, padded(pg, page_int(pg, s->place), 3, true));
    buf_put(&b, STR("  "));
    buf_put(&b, padded(pg, name, NAME_WIDE, false));
    buf_char(&b, ' ');
    buf_put(&b, padded(pg, page_int(pg, s->won), 3, true));
    buf_char(&b, '-');
    buf_put(&b, padded(pg, page_int(pg, s->drawn), 2, true));
    buf_char(&b, '-');
    buf_put(&b, padded(pg, page_int(pg, s->lost), 3, true));
    buf_char(&b, ' ');
    buf_put(&b, padded(pg, page_signed(pg, s->points), 6, true));
    if (own) /* all read it: the row keeps its name */
        buf_put(&b, TX0(pg, T_BOARD_OWN));
    page_line(pg, buf_str(&b));
}

static struct str season_name(const struct page *pg, const struct season_key *key)
{
    int year, part;
    enum season_length length = season_parts(key, &year, &part);
    if (length == SEASON_YEAR)
        return page_int(pg, year);
    return TX(pg, (enum text)((length == SEASON_MONTH ? T_SEASON_M1 : T_SEASON_Q1) + part - 1),
              page_int(pg, year));
}

void present_standings(struct page *pg)
{
    const struct board_facts *f = pg->say->board;
    struct str chat =
        pg->e->chat_name.n && !pg->e->direct ? pg->e->chat_name : TX0(pg, T_THIS_CHAT);
    struct str season = season_name(pg, &f->season);
    page_line(pg, f->ends
                      ? TX(pg, T_BOARD_SEASON, chat, season,
                           page_span(pg, (f->ends - pg->e->now + 86399999) / 86400000 * 86400000))
                      : TX(pg, T_BOARD_SEASON_OVER, chat, season));
    if (f->n == 0) {
        page_line(pg, f->ends ? TX(pg, T_BOARD_EMPTY, page_command(pg, VERB_CHALLENGE))
                              : TX0(pg, T_BOARD_NONE));
        return;
    }
    buf_char(&pg->body, '\n');
    buf_char(&pg->body, MARK_TABLE);
    buf_put(&pg->body, TX0(pg, T_BOARD_COLUMNS));
    for (int i = 0; i < f->n; i++)
        stand_line(pg, &f->at[i], f->at[i].person == f->asker && f->asker != 0);
    if (f->own) {
        page_line(pg, STR(" …"));
        stand_line(pg, f->own, true);
    }
    buf_char(&pg->body, MARK_END);
}

/* ---- help, settings ---- */

void present_help(struct page *pg)
{
    const struct say *say = pg->say;
    static const enum verb groups[][9] = {
        {VERB_CHALLENGE, VERB_ACCEPT, VERB_DECLINE, VERB_CANCEL, VERB_REMATCH, VERB_OPPONENTS},
        {VERB_PLAY, VERB_KOIKOI, VERB_STOP, VERB_DECLARE, VERB_REDEAL, VERB_READY, VERB_CUT,
         VERB_HINT},
        {VERB_HAND, VERB_TABLE, VERB_YAKU, VERB_RULES, VERB_SCORE, VERB_GAMES, VERB_BOARD,
         VERB_REVIEW},
        {VERB_NUDGE, VERB_CLAIM, VERB_WAIT, VERB_RESIGN},
        {VERB_VERIFY, VERB_EXPORT, VERB_SETTINGS, VERB_LANGUAGE, VERB_PRIVACY, VERB_HELP,
         VERB_PING},
        {VERB_JOIN, VERB_LINK, VERB_UNLINK},
    };
    if (say->n != VERB_NONE) {
        struct str aliases = {0};
        for (int i = 1; i < MAX_ALIASES && pg->t->alias[say->n][i].n > 0; i++)
            aliases = page_join(pg, aliases, STR(", "), pg->t->alias[say->n][i]);
        page_line(pg,
                  TX(pg, T_HELP_ONE, page_command(pg, (enum verb)say->n), pg->t->about[say->n]));
        if (aliases.n > 0)
            page_line(pg, TX(pg, T_HELP_ALIASES, aliases));
        return;
    }
    page_line(pg, TX0(pg, T_HELP_HEAD));
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
        struct str list = {0};
        for (int i = 0; i < 9 && groups[g][i] != VERB_NONE; i++)
            list = page_join(pg, list, STR(" "), page_command(pg, groups[g][i]));
        page_line(pg, TX(pg, T_HELP_GROUP, TX0(pg, (enum text)(T_HELP_GROUP_1 + g)), list));
    }
    page_line(pg, TX(pg, T_HELP_MORE, page_command(pg, VERB_HELP)));
}

void present_opponents(struct page *pg)
{
    page_line(pg, TX0(pg, T_CHARACTERS_HEAD));
    for (int c = 1; c < N_CHARACTERS; c++)
        page_line(pg, TX(pg, T_CHARACTER_LINE, page_computer(pg, c),
                         str_of(level_key((enum level)characters[c].level)),
                         TX0(pg, character_text(c, MANNER_MANNER))));
    page_line(pg, TX(pg, T_CHARACTERS_HOW, page_command(pg, VERB_CHALLENGE),
                     str_of(characters[1].key), page_command(pg, VERB_SETTINGS)));
}

void present_settings(struct page *pg)
{
    const struct chat_settings *c = pg->say->settings;
    struct str usual = TX0(pg, T_SETTING_USUAL);
    page_line(pg, TX0(pg, pg->say->n ? T_SETTINGS_SAVED : T_SETTINGS_HEAD));
    page_line(
        pg, TX(pg, T_SETTING, STR("rules"), c->rules[0] ? str_of(c->rules) : pg->w->default_rules));
    page_line(pg, TX(pg, T_SETTING, STR("rounds"), c->rounds ? page_int(pg, c->rounds) : usual));
    page_line(pg, TX(pg, T_SETTING, STR("clock"),
                     c->clock_ms < 0    ? TX(pg, T_SETTING_USUAL_CLOCK, page_span(pg, CLOCK_MS))
                     : c->clock_ms == 0 ? TX0(pg, T_NO_CLOCK)
                                        : page_span(pg, c->clock_ms)));
    page_line(pg,
              TX(pg, T_SETTING, STR("season"), TX0(pg, (enum text)(T_SEASON_QUARTER + c->season))));
    page_line(pg, TX(pg, T_SETTING, STR("zone"), c->zone[0] ? str_of(c->zone) : STR("UTC")));
    page_line(pg, TX(pg, T_SETTING, STR("language"),
                     c->language[0] ? str_of(c->language) : pg->w->default_language));
    int opponent = character_find(pg->w->languages, pg->a, str_of(c->opponent));
    page_line(pg, TX(pg, T_SETTING, STR("opponent"), page_computer(pg, opponent)));
    page_line(pg, TX(pg, T_SETTINGS_HOW, page_command(pg, VERB_SETTINGS)));
}

void present_decline(struct page *pg)
{
    if (present_popup_alone(pg)) { /* which has no buttons */
        page_line(pg, TX(pg, T_DECLINE_BY_WORDS, page_name(pg, 0), page_command(pg, VERB_DECLINE)));
        return;
    }
    page_line(pg, TX(pg, T_WHY_DECLINE, page_name(pg, 0)));
    for (int i = 0; i < 7; i++)
        page_button(pg, TX0(pg, (enum text)(T_REASON_NONE + i)), VERB_DECLINE, i + 1, BUTTON_PLAIN);
}
