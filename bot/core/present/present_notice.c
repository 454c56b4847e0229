/* The table of kinds: which function writes a notice's body. Also the kinds that are one line. */
#include "present_bodies.h"

#include <assert.h>

/* A name; a mention if the id belongs to the network that sends it. */
static struct str arg_name(const struct body *body, const struct arg *arg)
{
    int64_t account = arg->account ? arg->account : body->e->account;
    if (arg->known && (!body->table || body->table->at.venue != arg->known - 1))
        account = 0; /* a stranger, of another chat: the name alone */
    return body_mention(body, arg->s,
                        account == body->network->account ? arg->id : (struct str){0});
}

static struct str arg_text(const struct body *body, const struct arg *arg)
{
    switch ((enum arg_kind)arg->kind) {
    case ARG_TEXT:
        return arg->s;
    case ARG_INT:
        return body_int(body, arg->n);
    case ARG_KEY:
        return TX0(body, (enum text)arg->n);
    case ARG_TIME:
        return body_time(body, arg->n);
    case ARG_CARD:
        return body_card(body, (int)arg->n);
    case ARG_ALIAS:
        return body_command(body, (enum verb)arg->n);
    case ARG_PRIVATE:
        return body_command_in_private(body, (enum verb)arg->n);
    case ARG_GROUP:
        return body_command_in_group(body, (enum verb)arg->n);
    case ARG_NAME:
        return arg->n          ? body_computer(body, (int)arg->n - 1)
               : arg->s.n == 0 ? TX0(body, T_ANYONE)
                               : arg_name(body, arg);
    case ARG_NONE:
        break;
    }
    return (struct str){0};
}

static void put_line_buttons(struct body *body, uint64_t verbs)
{
    static const struct {
        enum verb verb;
        enum text label;
        enum button_style style;
        int index;
    } rows[] = {
        {VERB_HAND, T_BUTTON_HAND, BUTTON_PLAIN, 0},
        {VERB_CLAIM, T_BUTTON_CLAIM, BUTTON_DANGER, 0},
        {VERB_WAIT, T_BUTTON_WAIT, BUTTON_PLAIN, 0},
        {VERB_RESIGN, T_BUTTON_RESIGN, BUTTON_DANGER, 0},
        {VERB_START, T_BUTTON_OPEN, BUTTON_LINK, 0},
        {VERB_CONTINUE, T_BUTTON_PLAY_ON, BUTTON_TAKE, 0},
        {VERB_CONTINUE, T_BUTTON_END_IT, BUTTON_PLAIN, 1},
        {VERB_DRAW, T_BUTTON_ACCEPT, BUTTON_TAKE, 0},
        {VERB_DRAW, T_BUTTON_DECLINE_INLINE, BUTTON_PLAIN, 1},
        {VERB_SEEK, T_BUTTON_ACCEPT, BUTTON_TAKE, 0},
        {VERB_TAKEBACK, T_BUTTON_ACCEPT, BUTTON_TAKE, 0},
        {VERB_TAKEBACK, T_BUTTON_DECLINE_INLINE, BUTTON_PLAIN, 1},
    };
    if (body_can(body, CAN_ONE_POST)) /* the board below has these buttons */
        verbs &= ~((uint64_t)1 << VERB_HAND | (uint64_t)1 << VERB_START);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (verbs >> rows[i].verb & 1)
            body_button(body, TX0(body, rows[i].label), rows[i].verb, rows[i].index, rows[i].style);
}

static void put_notice_line(struct body *body)
{
    const struct notice *notice = body->notice;
    struct str args[MAX_ARGS], rest = str_of(text_args(notice->key));
    int n = 0;
    if (body->table && body->table->many && notice->audience == TO_TABLE)
        body_line(body, body_names(body));
    while (str_word(&rest).n > 0 && n < MAX_ARGS) {
        args[n] = arg_text(body, &notice->arg[n]);
        n++;
    }
    body_line(body, body_text(body, notice->key, notice->n, args, n));
    if (notice->seals)
        part_seals(body);
    put_line_buttons(body, notice->verbs);
}

static void put_ping(struct body *body)
{
    const struct table *t = body->table;
    assert(t);
    struct str name =
        body_mention(body, t->player[body->notice->seat].name, t->player[body->notice->seat].id);
    body_line(body, t->many ? TX(body, T_PING_MANY, name, body_int(body, t->no))
                            : TX(body, T_PING, name));
    body_button(body, TX0(body, T_BUTTON_HAND), VERB_HAND, 0, BUTTON_PLAIN);
}

static void put_export(struct body *body)
{
    if (body_can(body, CAN_FILE) && body->notice->text.n <= OUT_FILE_MOST)
        body_line(body, TX(body, T_EXPORT_FILE, body_names(body)));
    else
        body_put(body, body->notice->text);
}

static void put_data(struct body *body)
{
    body_put(body, body->notice->text);
}

void present_notice(struct body *body)
{
    static void (*const parts[N_NOTICES])(struct body *) = {
        [NOTICE_LINE] = put_notice_line,
        [NOTICE_OFFER] = present_offer,
        [NOTICE_START] = present_start,
        [NOTICE_BOARD] = present_board,
        [NOTICE_HAND] = present_hand,
        [NOTICE_HAND_SHORT] = present_hand_short,
        [NOTICE_TARGETS] = present_targets,
        [NOTICE_PING] = put_ping,
        [NOTICE_ROUND] = present_round,
        [NOTICE_VOID] = present_void,
        [NOTICE_MATCH] = present_match,
        [NOTICE_YAKU] = present_yaku,
        [NOTICE_RULES] = present_rules,
        [NOTICE_SCORE] = present_score,
        [NOTICE_GAMES] = present_games,
        [NOTICE_STANDINGS] = present_standings,
        [NOTICE_SEASON_OVER] = present_season_over,
        [NOTICE_TOURNAMENT] = present_tournament,
        [NOTICE_MYDATA] = put_data,
        [NOTICE_STATS] = present_stats,
        [NOTICE_VERSUS] = present_versus,
        [NOTICE_HISTORY] = present_history,
        [NOTICE_RATING] = present_rating,
        [NOTICE_HELP] = present_help,
        [NOTICE_SETTINGS] = present_settings,
        [NOTICE_VERIFY] = present_verify,
        [NOTICE_EXPORT] = put_export,
        [NOTICE_OPPONENTS] = present_opponents,
        [NOTICE_REVIEW] = present_review,
        [NOTICE_SETS] = present_sets,
        [NOTICE_DECLINE] = present_decline,
        [NOTICE_DOOR] = present_door,
        [NOTICE_FRIEND] = present_friend,
        [NOTICE_LANGUAGES] = present_languages,
        [NOTICE_REPLAY] = present_replay,
        [NOTICE_LESSON] = present_lesson,
        [NOTICE_LESSON_REFUSAL] = present_lesson_refusal,
        [NOTICE_PUZZLE] = present_puzzle,
        [NOTICE_PUZZLE_KEPT] = present_puzzle_kept,
        [NOTICE_PUZZLE_SOLUTION] = present_puzzle_solution,
    };
    /* NOTICE_QUIET, NOTICE_CLOSE, NOTICE_INVITES and NOTICE_MOVES have no body. */
    if (parts[body->notice->kind])
        parts[body->notice->kind](body);
}
