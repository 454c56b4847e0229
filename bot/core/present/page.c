/* The table of kinds: which function writes a notice's d. Also the kinds that are one line. */
#include "page.h"
#include "part.h"

#include <assert.h>

/* A name; a mention if the id belongs to the network that sends it. */
static struct str arg_name(const struct draft *d, const struct arg *arg)
{
    int64_t account = arg->account ? arg->account : d->e->account;
    if (arg->known && (!d->table || d->at->venue != arg->known - 1))
        account = 0; /* a stranger, of another chat: the name alone */
    return draft_mark_name(d, arg->s, account == d->network->account ? arg->id : (struct str){0});
}

static struct str arg_text(const struct draft *d, const struct arg *arg)
{
    switch ((enum arg_kind)arg->kind) {
    case ARG_TEXT:
        return arg->s;
    case ARG_INT:
        return draft_int(d, arg->n);
    case ARG_KEY:
        return TX(d, (enum text)arg->n);
    case ARG_TIME:
        return draft_time(d, arg->n);
    case ARG_CARD:
        return draft_card(d, (int)arg->n);
    case ARG_ALIAS:
        return draft_command(d, (enum verb)arg->n);
    case ARG_PRIVATE:
        return draft_command_at(d, (enum verb)arg->n, true);
    case ARG_GROUP:
        return draft_command_at(d, (enum verb)arg->n, false);
    case ARG_NAME:
        return arg->n          ? draft_computer(d, (int)arg->n - 1)
               : arg->s.n == 0 ? TX(d, T_ANYONE)
                               : arg_name(d, arg);
    case ARG_NONE:
        break;
    }
    return (struct str){0};
}

static void put_line_buttons(struct draft *d, uint64_t verbs)
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
    if (draft_can(d, CAN_ONE_POST)) /* the board below has these buttons */
        verbs &= ~((uint64_t)1 << VERB_HAND | (uint64_t)1 << VERB_START);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (verbs >> rows[i].verb & 1)
            draft_press(d, rows[i].label, rows[i].verb, rows[i].index, rows[i].style);
}

static void put_notice_line(struct draft *d)
{
    const struct notice *notice = d->notice;
    struct str args[MAX_ARGS], rest = str_of(text_args(notice->key));
    int n = 0;
    if (d->table && d->table->many && notice->audience == TO_TABLE)
        draft_line(d, draft_names(d));
    while (str_word(&rest).n > 0 && n < MAX_ARGS) {
        args[n] = arg_text(d, &notice->arg[n]);
        n++;
    }
    draft_line(d, draft_text(d, notice->key, notice->n, args, n));
    if (notice->seals)
        part_seals(d);
    put_line_buttons(d, notice->verbs);
}

static void put_ping(struct draft *d)
{
    const struct table *t = d->table;
    assert(t);
    struct str name = draft_mention(d, d->notice->seat);
    draft_line(d, t->many ? TX(d, T_PING_MANY, name, draft_int(d, t->no)) : TX(d, T_PING, name));
    draft_press(d, T_BUTTON_HAND, VERB_HAND, 0, BUTTON_PLAIN);
}

static void put_export(struct draft *d)
{
    if (draft_can(d, CAN_FILE) && d->notice->text.n <= OUT_FILE_MOST)
        SAY(d, T_EXPORT_FILE, draft_names(d));
    else
        draft_put(d, d->notice->text);
}

static void put_data(struct draft *d)
{
    draft_put(d, d->notice->text);
}

const struct page page_of[N_NOTICES] = {
    [NOTICE_LINE] = {put_notice_line, PAGE_PUBLIC, NULL},
    [NOTICE_OFFER] = {page_offer, 0, "offer"},
    [NOTICE_START] = {page_start, 0, NULL},
    [NOTICE_BOARD] = {page_board, 0, NULL},
    [NOTICE_HAND] = {page_hand, PAGE_MENU, NULL},
    [NOTICE_HAND_SHORT] = {page_hand_short, 0, NULL},
    [NOTICE_TARGETS] = {page_targets, PAGE_MENU, NULL},
    [NOTICE_PING] = {put_ping, 0, NULL},
    [NOTICE_ROUND] = {page_round, PAGE_RESULT, "round"},
    [NOTICE_VOID] = {page_void, 0, NULL},
    [NOTICE_MATCH] = {page_match, PAGE_RESULT, "match"},
    [NOTICE_YAKU] = {page_yaku, 0, NULL},
    [NOTICE_RULES] = {page_rules, PAGE_PUBLIC, NULL},
    [NOTICE_SCORE] = {page_score, PAGE_PUBLIC, NULL},
    [NOTICE_GAMES] = {page_games, PAGE_PUBLIC, NULL},
    [NOTICE_STANDINGS] = {page_standings, PAGE_PUBLIC, NULL},
    [NOTICE_SEASON_OVER] = {page_season_over, 0, NULL},
    [NOTICE_TOURNAMENT] = {page_tournament, PAGE_PUBLIC, NULL},
    [NOTICE_MYDATA] = {put_data, 0, NULL},
    [NOTICE_STATS] = {page_stats, 0, NULL},
    [NOTICE_VERSUS] = {page_versus, 0, NULL},
    [NOTICE_HISTORY] = {page_history, 0, NULL},
    [NOTICE_RATING] = {page_rating, 0, NULL},
    [NOTICE_HELP] = {page_help, PAGE_PUBLIC, NULL},
    [NOTICE_SETTINGS] = {page_settings, PAGE_PUBLIC, NULL},
    [NOTICE_VERIFY] = {page_verify, PAGE_PUBLIC, NULL},
    [NOTICE_EXPORT] = {put_export, 0, NULL},
    [NOTICE_OPPONENTS] = {page_opponents, PAGE_PUBLIC, NULL},
    [NOTICE_REVIEW] = {page_review, PAGE_PUBLIC | PAGE_RESULT, NULL},
    [NOTICE_SETS] = {page_sets, PAGE_PUBLIC, NULL},
    [NOTICE_DECLINE] = {page_decline, 0, NULL},
    [NOTICE_START_MENU] = {page_start_menu, PAGE_MENU, NULL},
    [NOTICE_FRIEND] = {page_friend, PAGE_MENU, NULL},
    [NOTICE_LANGUAGES] = {page_languages, PAGE_MENU, NULL},
    [NOTICE_REPLAY] = {page_replay, 0, NULL},
    [NOTICE_LESSON] = {page_lesson, PAGE_MENU, NULL},
    [NOTICE_LESSON_REFUSAL] = {page_lesson_refusal, 0, NULL},
    [NOTICE_PUZZLE] = {page_puzzle, PAGE_MENU, NULL},
    [NOTICE_PUZZLE_KEPT] = {page_puzzle_kept, 0, NULL},
    [NOTICE_PUZZLE_SOLUTION] = {page_puzzle_solution, 0, NULL},
};

bool page_may_be_public(const struct notice *notice)
{
    for (int i = 0; notice->kind == NOTICE_LINE && i < MAX_ARGS; i++)
        if (notice->arg[i].kind == ARG_CARD)
            return false;
    return page_of[notice->kind].flags & PAGE_PUBLIC;
}

void page_write_as(struct draft *d, enum notice_kind kind)
{
    const struct notice *notice = d->notice;
    bool menu = page_of[kind].flags & PAGE_MENU;
    if (kind == NOTICE_PUZZLE) /* all would see the answers of a group's poll */
        menu = notice->audience == TO_ASKER || notice->table->at.direct;
    d->poll = menu && draft_can(d, CAN_POLL);
    d->page = kind;
    if (page_of[kind].write)
        page_of[kind].write(d);
}

void page_write(struct draft *d)
{
    page_write_as(d, (enum notice_kind)d->notice->kind);
}
