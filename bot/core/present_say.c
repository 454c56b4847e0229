/* What a say says: one line with its arguments and buttons, or a whole message by its kind. */
#include "page.h"

#include <assert.h>

/* A name; it notifies its owner if their id is one of the network it is said on. */
static struct str arg_name(const struct page *pg, const struct arg *arg)
{
    int64_t account = arg->account ? arg->account : pg->e->account;
    return page_mention(pg, arg->s, account == pg->place->account ? arg->id : (struct str){0});
}

static struct str arg_text(const struct page *pg, const struct arg *arg)
{
    switch ((enum arg_kind)arg->kind) {
    case ARG_TEXT:
        return arg->s;
    case ARG_INT:
        return page_int(pg, arg->n);
    case ARG_KEY:
        return TX0(pg, (enum text)arg->n);
    case ARG_TIME:
        return page_time(pg, arg->n);
    case ARG_CARD:
        return page_card(pg, (int)arg->n);
    case ARG_ALIAS:
        return page_command(pg, (enum verb)arg->n);
    case ARG_NAME:
        return arg->n          ? page_computer(pg, (int)arg->n - 1)
               : arg->s.n == 0 ? TX0(pg, T_ANYONE)
                               : arg_name(pg, arg);
    case ARG_NONE:
        break;
    }
    return (struct str){0};
}

static void line_buttons(struct page *pg, uint64_t verbs)
{
    static const struct {
        enum verb verb;
        enum text label;
        enum button_style style;
    } rows[] = {
        {VERB_HAND, T_BUTTON_HAND, BUTTON_PLAIN}, {VERB_CLAIM, T_BUTTON_CLAIM, BUTTON_DANGER},
        {VERB_WAIT, T_BUTTON_WAIT, BUTTON_PLAIN}, {VERB_RESIGN, T_BUTTON_RESIGN, BUTTON_DANGER},
        {VERB_START, T_BUTTON_OPEN, BUTTON_LINK},
    };
    if (page_can(pg, CAN_ONE_POST)) /* the board below has them */
        verbs &= ~((uint64_t)1 << VERB_HAND | (uint64_t)1 << VERB_START);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (verbs >> rows[i].verb & 1)
            page_button(pg, TX0(pg, rows[i].label), rows[i].verb, 0, rows[i].style);
}

static void line(struct page *pg)
{
    const struct say *say = pg->say;
    struct str args[MAX_ARGS], rest = str_of(text_args(say->key));
    int n = 0;
    if (pg->table && pg->table->many && say->audience == TO_TABLE)
        page_line(pg, page_names(pg));
    while (str_word(&rest).n > 0 && n < MAX_ARGS) {
        args[n] = arg_text(pg, &say->arg[n]);
        n++;
    }
    page_line(pg, page_text(pg, say->key, say->n, args, n));
    line_buttons(pg, say->verbs);
}

static void ping(struct page *pg)
{
    const struct table *t = pg->table;
    assert(t);
    struct str name = page_mention(pg, t->player[pg->say->seat].name, t->player[pg->say->seat].id);
    page_line(pg, t->many ? TX(pg, T_PING_MANY, name, page_int(pg, t->no)) : TX(pg, T_PING, name));
    page_button(pg, TX0(pg, T_BUTTON_HAND), VERB_HAND, 0, BUTTON_PLAIN);
}

static void text(struct page *pg)
{
    page_put(pg, pg->say->text);
}

void present_say(struct page *pg)
{
    static void (*const parts[N_SAYS])(struct page *) = {
        [SAY_LINE] = line,
        [SAY_OFFER] = present_offer,
        [SAY_START] = present_start,
        [SAY_BOARD] = present_board,
        [SAY_HAND] = present_hand,
        [SAY_HAND_SHORT] = present_hand_short,
        [SAY_TARGETS] = present_targets,
        [SAY_PING] = ping,
        [SAY_ROUND] = present_round,
        [SAY_VOID] = present_void,
        [SAY_MATCH] = present_match,
        [SAY_YAKU] = present_yaku,
        [SAY_RULES] = present_rules,
        [SAY_SCORE] = present_score,
        [SAY_GAMES] = present_games,
        [SAY_STANDINGS] = present_standings,
        [SAY_HELP] = present_help,
        [SAY_SETTINGS] = present_settings,
        [SAY_VERIFY] = present_verify,
        [SAY_EXPORT] = text,
        [SAY_OPPONENTS] = present_opponents,
        [SAY_REVIEW] = present_review,
        [SAY_DECLINE] = present_decline,
    };
    if (parts[pg->say->kind]) /* the others are no pages: SAY_QUIET, SAY_INVITES, SAY_MOVES */
        parts[pg->say->kind](pg);
}
