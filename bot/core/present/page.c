/* The table of pages, one row a kind of notice; and the pages of one line. See page.h. */
#include "page.h"

/* ---- a line ---- */

/* A name; a mention if the id belongs to the network that sends it. */
static struct str arg_name(const struct draft *d, const struct arg *arg)
{
    int64_t account = arg->account ? arg->account : d->e->account;
    if (arg->known && (!d->table || d->at->venue != arg->known - 1))
        account = 0; /* a stranger, of another chat: the name alone */
    return draft_mark_name(d, arg->s, account == d->network->account ? arg->id : STR(""));
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
    return STR("");
}

static void line_text(struct draft *d)
{
    const struct notice *notice = d->notice;
    struct str args[MAX_ARGS], rest = str_of(text_args(notice->key));
    int n = 0;
    if (notice->audience == TO_TABLE)
        part_many(d);
    for (; str_word(&rest).n > 0 && n < MAX_ARGS; n++)
        args[n] = arg_text(d, &notice->arg[n]);
    draft_line(d, draft_text(d, notice->key, notice->n, args, n));
    if (notice->seals)
        part_seals(d);
}

/* Buttons of a line; the board below it has some of them in inline mode. */
static void line_buttons(struct draft *d)
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
    uint64_t verbs = d->notice->verbs;
    if (draft_can(d, CAN_ONE_POST))
        verbs &= ~((uint64_t)1 << VERB_HAND | (uint64_t)1 << VERB_START);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (verbs >> rows[i].verb & 1)
            draft_press(d, rows[i].label, rows[i].verb, rows[i].index, rows[i].style);
}

static void line_ping(struct draft *d)
{
    struct str name = draft_mention(d, d->notice->seat);
    draft_line(d, d->table->many ? TX(d, T_PING_MANY, name, draft_int(d, d->table->no))
                                 : TX(d, T_PING, name));
    draft_press(d, T_BUTTON_HAND, VERB_HAND, 0, BUTTON_PLAIN);
}

/* All that is kept of a person, or a record, unless that is a file. */
static void line_whole(struct draft *d)
{
    struct str text = d->notice->text;
    if (d->page == NOTICE_EXPORT && draft_can(d, CAN_FILE) && text.n <= OUT_FILE_MOST)
        SAY(d, T_EXPORT_FILE, draft_names(d));
    else
        buf_put(&d->text, text);
}

/* ---- pages of several parts: the part, when it is written, and unless ---- */

static const struct page_part line[] = {{line_text, 0, 0}, {line_buttons, 0, 0}, {0}};

static const struct page_part board[] = {
    {part_picture_board, 0, 0},
    {part_head, 0, 0},
    {part_events, 0, 0},
    {part_field, 0, 0},
    {part_captures, 0, 0},
    {board_foot, 0, 0},
    {part_times, IF_RUNS, 0},
    {board_ping, IF_RUNS, 0},
    {board_buttons, IF_RUNS, 0},
    {board_moves, IF_RUNS, 0},
    {0},
};

static const struct page_part hand[] = {
    {hand_picture, 0, 0},
    {hand_head, 0, 0},
    {part_events, 0, IF_BESIDE},
    {part_field, 0, IF_BESIDE},
    /* between rounds */
    {part_captures, IF_DIRECT, IF_DEALT},
    {part_turn_line, 0, IF_DEALT},
    /* the drawn card can take one or the other: this is the numbered list */
    {hand_choices, IF_CHOOSES, 0},
    {hand_held, IF_CHOOSES, 0},
    {part_captures, IF_CHOOSES, 0},
    {hand_tips, IF_CHOOSES, 0},
    {hand_hint, IF_CHOOSES, 0},
    /* else the hand is */
    {hand_decide, IF_DECIDES, 0},
    {hand_kept, IF_LISTS, 0},
    {hand_cards, IF_LISTS, 0},
    {part_captures, IF_LISTS, IF_BESIDE},
    {hand_declare, IF_LISTS, 0},
    {hand_tips, IF_LISTS, 0},
    {hand_hint, IF_LISTS, 0},
    {part_turn_line, IF_WAITS, 0},
    {part_times, IF_WAITS, 0},
    {hand_choose_ahead, IF_WAITS, 0},
    {hand_how, IF_PLAYS, 0},
    {part_times, IF_LISTS | IF_MINE, IF_BESIDE},
    {0},
};

static const struct page_part targets[] = {
    {part_picture_hand, IF_SEAT, 0},
    {hand_head, IF_SEAT, 0},
    {part_field, IF_SEAT, 0},
    {part_many, 0, IF_SEAT},
    {page_targets, 0, 0},
    {hand_held, IF_SEAT, 0},
    {part_captures, IF_SEAT, 0},
    {0},
};

static const struct page_part round_end[] = {
    {end_last_turn, 0, 0}, {end_round, 0, 0},          {end_pause, 0, 0},
    {part_seals, 0, 0},    {part_picture_round, 0, 0}, {0},
};

static const struct page_part void_deal[] = {
    {end_void, 0, 0}, {end_pause, 0, 0}, {part_seals, 0, 0}, {0}};

static const struct page_part match_end[] = {
    {end_break, 0, 0},      {end_last_turn, 0, IF_BROKEN}, {end_round, 0, IF_BROKEN},
    {end_winner, 0, 0},     {part_moment_line, 0, 0},      {end_rounds, 0, IF_ONE_POST},
    {end_characters, 0, 0}, {end_ranks, 0, IF_ONE_POST},   {end_more, 0, 0},
    {part_seals, 0, 0},     {part_picture_match, 0, 0},    {0},
};

/* ---- the table ---- */

#define WHOLE(fn)                                                                                  \
    (const struct page_part[])                                                                     \
    {                                                                                              \
        {fn, 0, 0},                                                                                \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }

/* NOTICE_QUIET, NOTICE_CLOSE, NOTICE_INVITES and NOTICE_MOVES have no page. */
const struct page page_of[N_NOTICES] = {
    [NOTICE_LINE] = {line, PAGE_PUBLIC, NULL},
    [NOTICE_OFFER] = {WHOLE(page_offer), 0, "offer"},
    [NOTICE_START] = {WHOLE(page_start), 0, NULL},
    [NOTICE_BOARD] = {board, 0, NULL},
    [NOTICE_HAND] = {hand, PAGE_MENU, NULL},
    [NOTICE_HAND_SHORT] = {WHOLE(page_hand_short), 0, NULL},
    [NOTICE_TARGETS] = {targets, PAGE_MENU, NULL},
    [NOTICE_PING] = {WHOLE(line_ping), 0, NULL},
    [NOTICE_ROUND] = {round_end, PAGE_RESULT, "round"},
    [NOTICE_VOID] = {void_deal, 0, NULL},
    [NOTICE_MATCH] = {match_end, PAGE_RESULT, "match"},
    [NOTICE_YAKU] = {WHOLE(page_yaku), 0, NULL},
    [NOTICE_RULES] = {WHOLE(page_rules), PAGE_PUBLIC, NULL},
    [NOTICE_SCORE] = {WHOLE(page_score), PAGE_PUBLIC, NULL},
    [NOTICE_GAMES] = {WHOLE(page_games), PAGE_PUBLIC, NULL},
    [NOTICE_STANDINGS] = {WHOLE(page_standings), PAGE_PUBLIC, NULL},
    [NOTICE_SEASON_OVER] = {WHOLE(page_season_over), 0, NULL},
    [NOTICE_STATS] = {WHOLE(page_stats), 0, NULL},
    [NOTICE_VERSUS] = {WHOLE(page_versus), 0, NULL},
    [NOTICE_HISTORY] = {WHOLE(page_history), 0, NULL},
    [NOTICE_RATING] = {WHOLE(page_rating), 0, NULL},
    [NOTICE_MYDATA] = {WHOLE(line_whole), 0, NULL},
    [NOTICE_HELP] = {WHOLE(page_help), PAGE_PUBLIC, NULL},
    [NOTICE_SETTINGS] = {WHOLE(page_settings), PAGE_PUBLIC, NULL},
    [NOTICE_VERIFY] = {WHOLE(page_verify), PAGE_PUBLIC, NULL},
    [NOTICE_EXPORT] = {WHOLE(line_whole), 0, NULL},
    [NOTICE_OPPONENTS] = {WHOLE(page_opponents), PAGE_PUBLIC, NULL},
    [NOTICE_REVIEW] = {WHOLE(page_review), PAGE_PUBLIC | PAGE_RESULT, NULL},
    [NOTICE_DECLINE] = {WHOLE(page_decline), 0, NULL},
    [NOTICE_SETS] = {WHOLE(page_sets), PAGE_PUBLIC, NULL},
    [NOTICE_START_MENU] = {WHOLE(page_start_menu), PAGE_MENU, NULL},
    [NOTICE_FRIEND] = {WHOLE(page_friend), PAGE_MENU, NULL},
    [NOTICE_LANGUAGES] = {WHOLE(page_languages), PAGE_MENU, NULL},
    [NOTICE_TOURNAMENT] = {WHOLE(page_tournament), PAGE_PUBLIC, NULL},
    [NOTICE_REPLAY] = {WHOLE(page_replay), 0, NULL},
    [NOTICE_LESSON] = {WHOLE(page_lesson), PAGE_MENU, NULL},
    [NOTICE_LESSON_REFUSAL] = {WHOLE(page_lesson_refusal), 0, NULL},
    [NOTICE_PUZZLE] = {WHOLE(page_puzzle), PAGE_MENU, NULL},
    [NOTICE_PUZZLE_KEPT] = {WHOLE(page_puzzle_kept), 0, NULL},
    [NOTICE_PUZZLE_SOLUTION] = {WHOLE(page_puzzle_solution), 0, NULL},
};

bool page_may_be_public(const struct notice *notice)
{
    for (int i = 0; notice->kind == NOTICE_LINE && i < MAX_ARGS; i++)
        if (notice->arg[i].kind == ARG_CARD)
            return false;
    return page_of[notice->kind].flags & PAGE_PUBLIC;
}

/* ---- writing ---- */

/* What holds of the notice and its table, as bits of enum page_when. */
static unsigned conditions(const struct draft *d)
{
    const struct notice *notice = d->notice;
    const struct view *v = &d->table->view;
    bool dealt = v->stage == MATCH_PLAYING, mine = dealt && v->turn == v->seat,
         plays = mine && v->phase == PHASE_HAND, chooses = mine && v->phase == PHASE_DRAW;
    bool beside = plays && notice->n == HAND_UNASKED && !draft_can(d, CAN_EDIT) && !d->at->direct &&
                  d->table->player[v->seat].channel == CHANNEL_WHISPER;
    return (notice->audience == TO_SEAT ? IF_SEAT : 0) |
           (d->table->phase == SESSION_PLAYING ? IF_RUNS : 0) | (dealt ? IF_DEALT : 0) |
           (mine ? IF_MINE : 0) | (plays ? IF_PLAYS : 0) | (chooses ? IF_CHOOSES : 0) |
           (mine && v->phase == PHASE_DECIDE ? IF_DECIDES : 0) | (dealt && !mine ? IF_WAITS : 0) |
           (dealt && !chooses ? IF_LISTS : 0) |
           (v->why == MATCH_LEAVE || v->why == MATCH_AGREED ? IF_BROKEN : 0) |
           (d->at->direct ? IF_DIRECT : 0) | (beside ? IF_BESIDE : 0) |
           (draft_can(d, CAN_ONE_POST) ? IF_ONE_POST : 0);
}

void page_write_as(struct draft *d, enum notice_kind kind)
{
    const struct notice *notice = d->notice;
    const struct page_part *parts = page_of[kind].parts;
    bool menu = page_of[kind].flags & PAGE_MENU;
    if (kind == NOTICE_PUZZLE) /* all would see the answers of a group's poll */
        menu = notice->audience == TO_ASKER || notice->table->at.direct;
    d->poll = menu && draft_can(d, CAN_POLL);
    d->page = kind;
    unsigned holds = parts && parts[1].write && d->table ? conditions(d) : 0;
    for (; parts && parts->write; parts++)
        if ((parts->when & ~holds) == 0 && (parts->unless & holds) == 0)
            parts->write(d);
}

void page_write(struct draft *d)
{
    page_write_as(d, (enum notice_kind)d->notice->kind);
}
