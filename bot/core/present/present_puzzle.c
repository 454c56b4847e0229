/* Puzzles: the position and the question, what became of an answer, the solution. */
#include "present_bodies.h"

#include "puzzle_step.h"

/* True for a message that one person reads, false for a post to a group. */
static bool is_for_one(const struct body *body)
{
    return body->notice->audience == TO_ASKER || body->e->direct;
}

/* ---- the position ---- */

/* The reader has a seat of their own, without a name. */
static void name_reader(struct body *body)
{
    struct table *table = arena_new(body->a, struct table);
    *table = *body->table;
    table->player[table->view.seat].name = body_unmarked(body, TX0(body, T_YOU));
    body->table = table;
}

/* "★★☆☆": one star for each level that misses it, weakest first. */
static struct str stars(const struct body *body)
{
    struct str list = {0};
    for (int l = LEVEL_BEGINNER; l < LEVEL_MASTER; l++)
        list = body_join(body, list, (struct str){0},
                         l <= body->notice->puzzle->puzzle->level ? STR("★") : STR("☆"));
    return list;
}

static void put_situation(struct body *body)
{
    const struct table *t = body->table;
    struct str line = body_join(body, str_of(t->rules.name), TX0(body, T_DOT), body_rounds(body));
    body_line(body, body_join(body, line, TX0(body, T_DOT), body_scores(body)));
}

static void put_position(struct body *body)
{
    const struct view *v = &body->table->view;
    if (is_for_one(body) || body->w->settings.board_picture)
        part_picture_hand(body);
    put_situation(body);
    part_field(body);
    part_captures(body);
    if (v->phase != PHASE_HAND)
        body_line(body, TX(body, T_PUZZLE_HAND, body_cards(body, v->hand)));
}

/* ---- the question ---- */

static void put_question(struct body *body)
{
    struct score score;
    const struct view *v = &body->table->view;
    if (v->phase == PHASE_HAND)
        body_line(body, TX0(body, T_PUZZLE_ASK_PLAY));
    if (v->phase == PHASE_DRAW)
        body_line(body, TX(body, T_YOU_DREW, body_card(body, v->drawn)));
    if (v->phase != PHASE_DECIDE)
        return;
    score_pile(body_ruleset(body), v->taken[v->seat], v->koikoi[v->seat] > 0, &score);
    body_line(body, TX(body, T_PUZZLE_ASK_CALL, body_yaku(body, &score),
                       body->words->word[WORD_STOP], body->words->word[WORD_KOIKOI]));
}

/* Buttons take answers in private, and in a group where the sender alone sees the reply. */
static bool takes_answers(const struct body *body)
{
    return body_can(body, CAN_BUTTONS) && (is_for_one(body) || body_can(body, CAN_POPUP));
}

static void put_how(struct body *body)
{
    if (!takes_answers(body))
        body_line(body, TX(body, is_for_one(body) ? T_PUZZLE_HOW : T_PUZZLE_WHERE,
                           body_command(body, VERB_PUZZLE)));
}

static void put_more(struct body *body)
{
    if (!is_for_one(body))
        return;
    body_button(body, TX0(body, T_BUTTON_PUZZLE_ANOTHER), VERB_PUZZLE, PUZZLE_ANOTHER,
                BUTTON_PLAIN);
    if (body->notice->puzzle->day > 0 && body->notice->kind != NOTICE_PUZZLE_SOLUTION)
        body_button(body, TX0(body, T_BUTTON_PUZZLE_LAST), VERB_PUZZLE, PUZZLE_LAST, BUTTON_PLAIN);
}

void present_puzzle(struct body *body)
{
    const struct puzzle_of_day *d = body->notice->puzzle;
    name_reader(body);
    body_line(body, d->day > 0
                        ? TX(body, T_PUZZLE_HEAD, stars(body))
                        : TX(body, T_PUZZLE_PRACTICE, body_int(body, d->puzzle->no), stars(body)));
    put_position(body);
    part_options(body, VERB_PUZZLE);
    if (!takes_answers(body))
        body->n_buttons = 0;
    put_question(body);
    put_how(body);
    put_more(body);
}

/* ---- an answer ---- */

void present_puzzle_kept(struct body *body)
{
    const struct puzzle *p = body->notice->puzzle->puzzle;
    struct str move = part_move_words(body, p->view.legal[body->notice->n - 1]);
    body_line(body, TX(body, body->notice->key, move));
    put_more(body);
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

static void put_reason(struct body *body, const struct puzzle *p)
{
    int next = next_best(p);
    if (p->hint.decision)
        body_line(body, TX(body, T_PUZZLE_BEST, part_move_words(body, p->hint.best)));
    part_hint(body, &p->hint);
    if (!p->hint.decision && next >= 0)
        body_line(body, TX(body, T_PUZZLE_NEXT, part_move_words(body, p->view.legal[next]),
                           body_int(body, p->win[next])));
}

static void put_own_answer(struct body *body, const struct puzzle *p)
{
    int answer = (int)body->notice->n - 1;
    if (answer < 0)
        return;
    body_line(body, puzzle_solved_by(p, answer)
                        ? TX0(body, T_PUZZLE_RIGHT)
                        : TX(body, T_PUZZLE_WRONG, part_move_words(body, p->view.legal[answer]),
                             body_int(body, p->win[answer])));
}

static void put_people(struct body *body, const struct puzzle_of_day *d)
{
    struct str names = {0};
    if (d->answered > 0)
        body_line(body, TN(body, T_PUZZLE_COUNT, d->answered, body_int(body, d->solved),
                           body_int(body, d->answered)));
    for (int i = 0; i < d->n_solvers && !body->e->direct; i++) {
        const struct puzzle_solver *s = &d->solver[i];
        struct str name = body_mention(body, s->name, (struct str){0});
        names = body_join(body, names, STR(", "),
                          s->run > 1 ? TN(body, T_PUZZLE_RUN, s->run, name, body_int(body, s->run))
                                     : name);
    }
    if (names.n > 0)
        body_line(body, TX(body, T_PUZZLE_SOLVERS, names));
}

void present_puzzle_solution(struct body *body)
{
    const struct puzzle_of_day *d = body->notice->puzzle;
    const struct view *v = &body->table->view;
    name_reader(body);
    body_line(body, d->day > 0
                        ? TX(body, T_PUZZLE_SOLUTION, stars(body))
                        : TX(body, T_PUZZLE_PRACTICE, body_int(body, d->puzzle->no), stars(body)));
    put_situation(body);
    part_field(body);
    body_line(body, TX(body, T_PUZZLE_HAND, body_cards(body, v->hand)));
    put_reason(body, d->puzzle);
    put_own_answer(body, d->puzzle);
    if (d->day > 0)
        put_people(body, d);
    put_more(body);
}
