/* Puzzles: the position and the question, what became of an answer, the solution. */
#include "page.h"
#include "part.h"

#include "puzzle.h"

/* True for a message that one person reads, false for a post to a group. */
static bool is_for_one(const struct draft *d)
{
    return d->notice->audience == TO_ASKER || d->e->direct;
}

/* ---- the position ---- */

/* The reader has a seat of their own, without a name. */
static void name_reader(struct draft *d)
{
    struct table *table = arena_new(d->a, struct table);
    *table = *d->table;
    table->player[table->view.seat].name = draft_unmarked(d, TX(d, T_YOU));
    d->table = table;
}

/* "★★☆☆": one star for each level that misses it, weakest first. */
static struct str stars(const struct draft *d)
{
    struct str list = {0};
    for (int l = LEVEL_BEGINNER; l < LEVEL_MASTER; l++)
        list = draft_join(d, list, (struct str){0},
                          l <= d->notice->puzzle->puzzle->level ? STR("★") : STR("☆"));
    return list;
}

static void put_situation(struct draft *d)
{
    const struct table *t = d->table;
    struct str line = draft_join(d, str_of(t->rules.name), TX(d, T_DOT), draft_rounds(d));
    draft_line(d, draft_join(d, line, TX(d, T_DOT), draft_scores(d)));
}

static void put_position(struct draft *d)
{
    const struct view *v = &d->table->view;
    if (is_for_one(d) || d->w->chat.settings.board_picture)
        part_picture_hand(d);
    put_situation(d);
    part_field(d);
    part_captures(d);
    if (v->phase != PHASE_HAND)
        SAY(d, T_PUZZLE_HAND, draft_cards(d, v->hand));
}

/* ---- the question ---- */

static void put_question(struct draft *d)
{
    struct score score;
    const struct view *v = &d->table->view;
    if (v->phase == PHASE_HAND)
        SAY(d, T_PUZZLE_ASK_PLAY);
    if (v->phase == PHASE_DRAW)
        SAY(d, T_YOU_DREW, draft_card(d, v->drawn));
    if (v->phase != PHASE_DECIDE)
        return;
    score_pile(draft_ruleset(d), v->taken[v->seat], v->koikoi[v->seat] > 0, &score);
    SAY(d, T_PUZZLE_ASK_CALL, draft_yaku(d, score.worth), d->words->word[WORD_STOP],
        d->words->word[WORD_KOIKOI]);
}

/* Buttons take answers in private, and in a group where the sender alone sees the reply. */
static bool takes_answers(const struct draft *d)
{
    return draft_can(d, CAN_BUTTONS) && (is_for_one(d) || draft_can(d, CAN_POPUP));
}

static void put_how(struct draft *d)
{
    if (!takes_answers(d))
        SAY(d, is_for_one(d) ? T_PUZZLE_HOW : T_PUZZLE_WHERE, draft_command(d, VERB_PUZZLE));
}

static void put_more(struct draft *d)
{
    if (!is_for_one(d))
        return;
    draft_press(d, T_BUTTON_PUZZLE_ANOTHER, VERB_PUZZLE, PUZZLE_ANOTHER, BUTTON_PLAIN);
    if (d->notice->puzzle->day > 0 && d->notice->kind != NOTICE_PUZZLE_SOLUTION)
        draft_press(d, T_BUTTON_PUZZLE_LAST, VERB_PUZZLE, PUZZLE_LAST, BUTTON_PLAIN);
}

void page_puzzle(struct draft *d)
{
    const struct puzzle_of_day *day = d->notice->puzzle;
    name_reader(d);
    draft_line(d, day->day > 0 ? TX(d, T_PUZZLE_HEAD, stars(d))
                               : TX(d, T_PUZZLE_PRACTICE, draft_int(d, day->puzzle->no), stars(d)));
    put_position(d);
    part_options(d, VERB_PUZZLE);
    if (!takes_answers(d))
        d->out.n_buttons = 0;
    put_question(d);
    put_how(d);
    put_more(d);
}

/* ---- an answer ---- */

void page_puzzle_kept(struct draft *d)
{
    const struct puzzle *p = d->notice->puzzle->puzzle;
    struct str move = part_move_words(d, p->view.legal[d->notice->n - 1]);
    SAY(d, d->notice->key, move);
    put_more(d);
}

/* ---- the solution ---- */

/* The best of the wrong moves; -1 if every move is right. */
static int next_best(const struct puzzle *p)
{
    int next = -1;
    for (int i = 0; i < p->view.n_legal; i++)
        if (!puzzle_solved_by(p, i) && (next < 0 || p->win[i] > p->win[next]))
            next = i;
    return next;
}

static void put_reason(struct draft *d, const struct puzzle *p)
{
    int next = next_best(p);
    if (p->hint.decision)
        SAY(d, T_PUZZLE_BEST, part_move_words(d, p->hint.best));
    part_hint(d, &p->hint);
    if (!p->hint.decision && next >= 0)
        SAY(d, T_PUZZLE_NEXT, part_move_words(d, p->view.legal[next]), draft_int(d, p->win[next]));
}

static void put_own_answer(struct draft *d, const struct puzzle *p)
{
    int answer = (int)d->notice->n - 1;
    if (answer < 0)
        return;
    draft_line(d, puzzle_solved_by(p, answer)
                      ? TX(d, T_PUZZLE_RIGHT)
                      : TX(d, T_PUZZLE_WRONG, part_move_words(d, p->view.legal[answer]),
                           draft_int(d, p->win[answer])));
}

static void put_people(struct draft *d, const struct puzzle_of_day *day)
{
    struct str names = {0};
    if (day->answered > 0)
        SAY_N(d, T_PUZZLE_COUNT, day->answered, draft_int(d, day->solved),
              draft_int(d, day->answered));
    for (int i = 0; i < day->n_solvers && !d->e->direct; i++) {
        const struct puzzle_solver *s = &day->solver[i];
        struct str name = draft_mark_name(d, s->name, (struct str){0});
        names =
            draft_join(d, names, STR(", "),
                       s->run > 1 ? TN(d, T_PUZZLE_RUN, s->run, name, draft_int(d, s->run)) : name);
    }
    if (names.n > 0)
        SAY(d, T_PUZZLE_SOLVERS, names);
}

void page_puzzle_solution(struct draft *d)
{
    const struct puzzle_of_day *day = d->notice->puzzle;
    const struct view *v = &d->table->view;
    name_reader(d);
    draft_line(d, day->day > 0 ? TX(d, T_PUZZLE_SOLUTION, stars(d))
                               : TX(d, T_PUZZLE_PRACTICE, draft_int(d, day->puzzle->no), stars(d)));
    put_situation(d);
    part_field(d);
    SAY(d, T_PUZZLE_HAND, draft_cards(d, v->hand));
    put_reason(d, day->puzzle);
    put_own_answer(d, day->puzzle);
    if (day->day > 0)
        put_people(d, day);
    put_more(d);
}
