/* Puzzles: the position and the question, what became of an answer, the solution. */
#include "page.h"

#include "puzzle.h"

/* True for a message that one person reads, false for a post to a group. */
static bool is_for_one(const struct draft *d)
{
    return d->notice->audience == TO_ASKER || d->e->direct;
}

/* "★★☆☆": one star for each level that misses it, weakest first. */
static struct str stars(const struct draft *d)
{
    struct buf b = {arena_room(d->a, 16), 0, 16, false};
    for (int l = LEVEL_BEGINNER; l < LEVEL_MASTER; l++)
        buf_put(&b, l <= d->notice->puzzle->puzzle->level ? STR("★") : STR("☆"));
    return buf_str(&b);
}

struct str part_puzzle_title(const struct draft *d, enum text head)
{
    const struct puzzle_of_day *day = d->notice->puzzle;
    return day->day > 0 ? TX(d, head, stars(d))
                        : TX(d, T_PUZZLE_PRACTICE, draft_int(d, day->puzzle->no), stars(d));
}

/* The head and the position, with a picture where one is wanted. The reader has a seat of their
 * own, without a name. */
static void put_position(struct draft *d, enum text head, bool with_captures)
{
    struct table *table = arena_new(d->a, struct table);
    *table = *d->table;
    table->player[table->view.seat].name = draft_unmarked(d, TX(d, T_YOU));
    d->table = table;
    struct str situation = str_of(table->rules.name);
    draft_add(d, &situation, T_DOT, draft_rounds(d));
    draft_add(d, &situation, T_DOT, draft_scores(d));
    draft_line(d, part_puzzle_title(d, head));
    draft_line(d, situation);
    if (with_captures && (is_for_one(d) || d->w->chat.settings.board_picture))
        part_picture_hand(d); /* ahead of the words, which then name its cards */
    part_field(d);
    if (with_captures)
        part_captures(d);
    SAY_IF(d, !with_captures || table->view.phase != PHASE_HAND, T_PUZZLE_HAND,
           draft_cards(d, table->view.hand));
}

static void put_more(struct draft *d)
{
    if (!is_for_one(d))
        return;
    draft_press(d, T_BUTTON_PUZZLE_ANOTHER, VERB_PUZZLE, PUZZLE_ANOTHER, BUTTON_PLAIN);
    if (d->notice->puzzle->day > 0 && d->page != NOTICE_PUZZLE_SOLUTION)
        draft_press(d, T_BUTTON_PUZZLE_LAST, VERB_PUZZLE, PUZZLE_LAST, BUTTON_PLAIN);
}

void part_puzzle_question(struct draft *d)
{
    const struct scene *s = draft_scene(d);
    SAY_IF(d, s->phase == PHASE_HAND, T_PUZZLE_ASK_PLAY);
    SAY_IF(d, s->phase == PHASE_DRAW, T_YOU_DREW, draft_card_taken(d, s->drawn.card));
    SAY_IF(d, s->phase == PHASE_DECIDE, T_PUZZLE_ASK_CALL,
           draft_yaku(d, s->at[s->seat].score.worth), d->words->word[WORD_STOP],
           d->words->word[WORD_KOIKOI]);
}

struct str part_puzzle_path(const uint8_t *key, int64_t version, struct arena *a)
{
    struct str secret, path = share_write(key, "puzzle", version, 0, a);
    return str_cut(path, '#', &secret);
}

/* Where anybody can answer it by tapping, if there are pages: the link has no secret. */
static void put_link(struct draft *d)
{
    struct str pages = d->w->bot->pages,
               path = part_puzzle_path(d->network->key, d->table->version, d->a);
    SAY_IF(d, pages.n > 0, T_PAGE_PUZZLE_LINK,
           arena_print(d->a, "%.*s/%.*s", STR_ARG(pages), STR_ARG(path)));
}

/* Buttons take answers in private, and in a group where the sender alone sees the reply. */
void page_puzzle(struct draft *d)
{
    bool for_one = is_for_one(d),
         takes_answers = draft_can(d, CAN_BUTTONS) && (for_one || draft_can(d, CAN_POPUP));
    put_position(d, T_PUZZLE_HEAD, true);
    part_options(d, VERB_PUZZLE);
    if (!takes_answers)
        d->out.n_buttons = 0;
    part_puzzle_question(d);
    SAY_IF(d, !takes_answers, for_one ? T_PUZZLE_HOW : T_PUZZLE_WHERE,
           draft_command(d, VERB_PUZZLE));
    put_link(d);
    put_more(d);
    if (d->e->direct && takes_answers)
        draft_name_own(d, d->table->version);
}

void page_puzzle_kept(struct draft *d)
{
    const struct puzzle *p = d->notice->puzzle->puzzle;
    SAY(d, d->notice->key, part_move_words(d, p->view.legal[d->notice->n - 1]));
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

static void put_people(struct draft *d, const struct puzzle_of_day *day)
{
    struct str names = {0};
    if (day->answered > 0)
        SAY_N(d, T_PUZZLE_COUNT, day->answered, draft_int(d, day->solved),
              draft_int(d, day->answered));
    for (int i = 0; i < day->n_solvers && !d->e->direct; i++) {
        const struct puzzle_solver *s = &day->solver[i];
        struct str name = draft_mark_name(d, s->name, STR(""));
        if (s->run > 1)
            name = TN(d, T_PUZZLE_RUN, s->run, name, draft_int(d, s->run));
        names = draft_join(d, names, TX(d, T_COMMA), name);
    }
    SAY_IF(d, names.n > 0, T_PUZZLE_SOLVERS, names);
}

void part_puzzle_solution(struct draft *d)
{
    const struct puzzle_of_day *day = d->notice->puzzle;
    const struct puzzle *p = day->puzzle;
    const struct move *legal = p->view.legal;
    bool call = p->hint.decision;
    int next = next_best(p), answer = (int)d->notice->n - 1;
    SAY_IF(d, call, T_PUZZLE_BEST, part_move_words(d, p->hint.best));
    part_hint(d, &p->hint);
    SAY_IF(d, !call && next >= 0, T_PUZZLE_NEXT, part_move_words(d, legal[next]),
           draft_int(d, p->win[next]));
    if (answer >= 0)
        draft_line(d, puzzle_solved_by(p, answer)
                          ? TX(d, T_PUZZLE_RIGHT)
                          : TX(d, T_PUZZLE_WRONG, part_move_words(d, legal[answer]),
                               draft_int(d, p->win[answer])));
    if (day->day > 0)
        put_people(d, day);
}

void page_puzzle_solution(struct draft *d)
{
    put_position(d, T_PUZZLE_SOLUTION, false);
    part_puzzle_solution(d);
    put_more(d);
}

/* ---- the figures of a person ---- */

void puzzle_figures(struct draft *d)
{
    const struct puzzle_record *p = &d->w->puzzle->record;
    SAY_IF(d, p->answered > 0, T_STATS_PUZZLES, draft_int(d, p->solved), draft_int(d, p->answered),
           draft_int(d, p->run), draft_int(d, p->longest));
}
