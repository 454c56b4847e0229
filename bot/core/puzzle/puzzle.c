/* See puzzle.h. Shows a puzzle, takes the one answer of a person to the puzzle of a day, and
 * posts the next one with the solution of the last. */
#include "puzzle.h"

#include "choice.h"
#include "keyword.h"
#include "turn.h"

/* Practice is with puzzles of so many days past, so that none of the days to come is known. */
enum { DAYS_PAST = 300 };

bool puzzle_solved_by(const struct puzzle *p, int answer)
{
    return answer >= 0 && answer < p->view.n_legal &&
           review_alike(p->view.legal[answer], p->hint.best);
}

int puzzle_place_of_day(int64_t day, int total)
{
    return (int)(day % total);
}

/* ---- what is asked for ---- */

static int practice_place(const struct event *e, int64_t current, int total)
{
    uint32_t any;
    memcpy(&any, e->chance + CHANCE_SEARCH, sizeof any);
    return puzzle_place_of_day(current - 2 - any % DAYS_PAST, total);
}

void puzzle_asked(const struct world *w, const struct event *e, struct arena *a, int64_t current,
                  int total, struct puzzle_asked *ret)
{
    enum keyword word = e->pressed ? KEYWORD_NONE : keyword_find(w->bot->languages, a, e->words);
    bool another = e->pressed ? e->index == PUZZLE_ANOTHER : word == KEYWORD_ANOTHER;
    bool last = e->pressed ? e->index == PUZZLE_LAST : word == KEYWORD_LAST;
    *ret = (struct puzzle_asked){.day = current - last};
    if (e->pressed && e->version > 0 && e->version < PUZZLE_PRACTICE && e->index > 0 && !last)
        ret->day = e->version;
    ret->place = puzzle_place_of_day(ret->day, total);
    if (another)
        *ret = (struct puzzle_asked){.place = practice_place(e, current, total)};
    else if (e->pressed && e->version >= PUZZLE_PRACTICE && e->index > 0 && !last)
        *ret = (struct puzzle_asked){.place = (int)((e->version - PUZZLE_PRACTICE) % total)};
}

int puzzle_options(const struct puzzle *p, uint8_t ret[static MAX_PUZZLE_ANSWERS])
{
    int n = 0;
    for (int i = 0; i < p->view.n_legal; i++)
        if (!choice_repeats(p->view.legal, i))
            ret[n++] = (uint8_t)i;
    return n;
}

/* ---- notices ---- */

/* The position as a table: the computer's characters sit at the other seats. */
static const struct table *table_of_puzzle(struct step *st, const struct puzzle_of_day *d)
{
    const struct view *v = &d->puzzle->view;
    struct session *s = arena_new(st->fx->arena, struct session);
    s->phase = SESSION_PLAYING;
    s->players = v->players;
    s->rules = v->rules;
    s->version = (uint32_t)(d->day > 0 ? d->day : PUZZLE_PRACTICE + d->puzzle->no - 1);
    for (int i = 0, character = 0; i < v->players; i++) {
        s->player[i].joined = true;
        s->player[i].computer = i != v->seat;
        s->player[i].character = (uint8_t)(i == v->seat ? 0 : ++character);
    }
    struct table *t = effect_table(st->fx, st->w->bot->rulesets, s, SEAT_PUBLIC);
    t->view = *v;
    t->at.direct = st->e->direct;
    return t;
}

static struct notice *show(struct step *st, enum notice_kind kind, enum audience to,
                           const struct puzzle_of_day *d)
{
    struct notice *notice = effect_notice(st->fx, kind, to);
    notice->puzzle = d;
    notice->table = table_of_puzzle(st, d);
    return notice;
}

/* ---- the command ---- */

static enum verdict answered_before(struct step *st, const struct puzzle_of_day *d)
{
    struct notice *notice = show(st, NOTICE_PUZZLE_KEPT, TO_ASKER, d);
    notice->key = T_PUZZLE_ANSWERED;
    notice->n = d->answer;
    return REFUSED;
}

/* number: of the answers that are shown, from 1. Without a day, or after it, the solution follows
 * at once and the answer does not count. */
static enum verdict answer_puzzle(struct step *st, int64_t number)
{
    const struct puzzle_of_day *d = &st->w->puzzle->asked;
    uint8_t option[MAX_PUZZLE_ANSWERS];
    int n = puzzle_options(d->puzzle, option);
    if (number < 1 || number > n)
        return notice_refuse(st, T_LESSON_NUMBERS, ARGS(arg_int(n)));
    int chosen = option[number - 1] + 1;
    if (d->day < st->w->puzzle->current) {
        show(st, NOTICE_PUZZLE_SOLUTION, TO_ASKER, d)->n = chosen;
        return TAKEN;
    }
    if (d->answer > 0)
        return answered_before(st, d);
    st->fx->puzzle = STEP_NEW(st, struct puzzle_effects, d->day, chosen,
                              puzzle_solved_by(d->puzzle, chosen - 1));
    struct notice *notice = show(st, NOTICE_PUZZLE_KEPT, TO_ASKER, d);
    notice->key = T_PUZZLE_KEPT;
    notice->n = chosen;
    return TAKEN;
}

/* In a group the puzzle goes to the private chat. */
static enum verdict show_in_private(struct step *st, const struct puzzle_of_day *d)
{
    bool whispers = (st->w->chat.can & (CAN_WHISPER | CAN_ONE_POST)) == CAN_WHISPER;
    if (!st->w->me.reachable && !whispers) {
        notice_line(st, TO_HERE, T_PUZZLE_PRIVATE, ARGS(arg_command(VERB_PUZZLE)))->verbs =
            BUTTON_OF(VERB_START);
        return TAKEN;
    }
    show(st, NOTICE_PUZZLE, TO_ASKER, d);
    return TAKEN;
}

enum verdict puzzle_command(struct step *st)
{
    const struct puzzle_of_day *d = &st->w->puzzle->asked;
    bool last = d->day > 0 && d->day < st->w->puzzle->current;
    int64_t number = 0;
    if (st->w->me.person == 0)
        return notice_refuse(st, T_ANONYMOUS, NO_ARGS);
    if (st->e->pressed)
        number = st->e->index < PUZZLE_ANOTHER ? st->e->index : 0;
    else if (str_int(str_trim(st->e->words), &number) && number < 1)
        number = MAX_PUZZLE_ANSWERS + 1;
    if (number > 0)
        return answer_puzzle(st, number);
    if (last) {
        show(st, NOTICE_PUZZLE_SOLUTION, TO_ASKER, d)->n = d->answer;
        return TAKEN;
    }
    if (!st->e->direct)
        return show_in_private(st, d);
    if (d->answer > 0)
        return answered_before(st, d);
    show(st, NOTICE_PUZZLE, TO_ASKER, d);
    return TAKEN;
}

/* ---- the post of a day ---- */

enum verdict puzzle_due(struct step *st)
{
    const struct puzzle_facts *f = st->w->puzzle;
    if (f->before.puzzle)
        show(st, NOTICE_PUZZLE_SOLUTION, TO_HERE, &f->before);
    show(st, NOTICE_PUZZLE, TO_HERE, &f->asked)->notify = true;
    return TAKEN;
}
