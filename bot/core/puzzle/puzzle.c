/* See puzzle.h. Shows a puzzle, takes the one answer of a person to the puzzle of a day, and
 * posts the next one with the solution of the last. */
#include "puzzle.h"

#include "choice.h"
#include "lobby.h"
#include "week.h"

bool puzzle_solved_by(const struct puzzle *p, int answer)
{
    return answer >= 0 && answer < p->view.n_legal &&
           review_alike(p->view.legal[answer], p->hint.best);
}

int puzzle_place_of_day(int64_t day, int total)
{
    return (int)(day % total);
}

int puzzle_for_practice(int64_t current, uint32_t any, int total)
{
    enum { DAYS_PAST = 300 };
    return puzzle_place_of_day(current - 2 - any % DAYS_PAST, total);
}

static uint32_t version_of(const struct puzzle_of_day *d)
{
    return (uint32_t)(d->day > 0 ? d->day : PUZZLE_PRACTICE + d->puzzle->no - 1);
}

void puzzle_of_version(int64_t version, int total, struct puzzle_asked *ret)
{
    bool practice = version >= PUZZLE_PRACTICE;
    ret->day = practice ? 0 : version;
    ret->place = puzzle_place_of_day(practice ? version - PUZZLE_PRACTICE : version, total);
}

/* ---- what is asked for ---- */

void puzzle_asked(const struct world *w, const struct event *e, struct arena *a, int64_t current,
                  int total, struct puzzle_asked *ret)
{
    enum keyword word = e->pressed ? KEYWORD_NONE : keyword_find(w->bot->languages, a, e->words);
    bool another = e->pressed ? e->index == PUZZLE_ANOTHER : word == KEYWORD_ANOTHER;
    bool last = e->pressed ? e->index == PUZZLE_LAST : word == KEYWORD_LAST;
    bool shown = e->pressed && e->index > 0 && !last; /* the one whose button it is */
    *ret = (struct puzzle_asked){.day = current - last};
    if (another) {
        uint32_t any;
        memcpy(&any, e->chance + CHANCE_SEARCH, sizeof any);
        ret->day = 0;
        ret->place = puzzle_for_practice(current, any, total);
        return;
    }
    puzzle_of_version(shown && e->version > 0 ? e->version : ret->day, total, ret);
}

/* ---- notices ---- */

struct table *puzzle_table(struct effects *fx, struct ruleset_cache *rulesets,
                           const struct puzzle_of_day *d)
{
    const struct view *v = &d->puzzle->view;
    struct session *s = arena_new(fx->arena, struct session);
    s->phase = SESSION_PLAYING;
    s->players = v->players;
    s->rules = v->rules;
    s->version = version_of(d);
    for (int i = 0, character = 0; i < v->players; i++) {
        s->player[i].joined = true;
        s->player[i].computer = i != v->seat;
        s->player[i].character = (uint8_t)(i == v->seat ? 0 : ++character);
    }
    struct table *t = effect_table(fx, rulesets, s, SEAT_PUBLIC);
    t->view = *v;
    return t;
}

static struct notice *show(struct step *st, enum notice_kind kind, enum audience to,
                           const struct puzzle_of_day *d)
{
    struct table *t = puzzle_table(st->fx, st->w->bot->rulesets, d);
    t->at.direct = st->e->direct;
    struct notice *notice = effect_notice(st->fx, kind, to);
    notice->puzzle = d;
    notice->table = t;
    return notice;
}

/* ---- the command ---- */

/* The answer is kept, or was before; their number is shown. */
static enum verdict show_kept(struct step *st, enum text key, int number)
{
    struct notice *notice = show(st, NOTICE_PUZZLE_KEPT, TO_ASKER, &st->w->puzzle->asked);
    notice->key = key;
    notice->n = number;
    return key == T_PUZZLE_KEPT ? TAKEN : REFUSED;
}

/* In a group it stands for others, too. */
static void close_answered(struct step *st, const struct puzzle_of_day *d)
{
    if (st->e->direct)
        step_close_own(st, NOTICE_PUZZLE, version_of(d));
}

/* number: of the answers that are shown, from 1. Without a day, or after it, the solution follows
 * at once and the answer does not count. */
static enum verdict answer_puzzle(struct step *st, int64_t number)
{
    const struct puzzle_of_day *d = &st->w->puzzle->asked;
    uint8_t option[MAX_MOVES];
    int n = choice_options(d->puzzle->view.legal, d->puzzle->view.n_legal, option);
    if (number < 1 || number > n)
        return refuse(st, T_LESSON_NUMBERS, arg_int(n));
    int chosen = option[number - 1] + 1;
    if (d->day < st->w->puzzle->current) {
        show(st, NOTICE_PUZZLE_SOLUTION, TO_ASKER, d)->n = chosen;
        close_answered(st, d);
        return TAKEN;
    }
    if (d->answer > 0)
        return show_kept(st, T_PUZZLE_ANSWERED, d->answer);
    st->fx->puzzle = STEP_NEW(st, struct puzzle_effects, d->day, chosen,
                              puzzle_solved_by(d->puzzle, chosen - 1));
    close_answered(st, d);
    return show_kept(st, T_PUZZLE_KEPT, chosen);
}

/* In a group the puzzle goes to the private chat. */
enum verdict puzzle_command(struct step *st)
{
    const struct puzzle_of_day *d = &st->w->puzzle->asked;
    int64_t number = 0;
    if (st->e->pressed)
        number = st->e->index < PUZZLE_ANOTHER ? st->e->index : 0;
    else if (str_int(str_trim(st->e->words), &number) && number < 1)
        number = MAX_PUZZLE_ANSWERS + 1;
    if (number > 0)
        return answer_puzzle(st, number);
    if (d->day > 0 && d->day < st->w->puzzle->current)
        show(st, NOTICE_PUZZLE_SOLUTION, TO_ASKER, d)->n = d->answer;
    else if (!step_reaches_alone(st))
        notice_line(st, TO_HERE, T_PUZZLE_PRIVATE, arg_command(VERB_PUZZLE))->verbs =
            BUTTON_OF(VERB_START);
    else if (st->e->direct && d->answer > 0)
        return show_kept(st, T_PUZZLE_ANSWERED, d->answer);
    else
        show(st, NOTICE_PUZZLE, TO_ASKER, d);
    return TAKEN;
}

/* "/puzzle all": the week's table of solvers, at any time. */
enum verdict puzzle_solvers(struct step *st)
{
    if (st->w->week->n_solvers > 0)
        effect_notice(st->fx, NOTICE_WEEK, TO_HERE);
    else
        notice_line(st, TO_HERE, T_PUZZLE_NO_SOLVERS, arg_command(VERB_PUZZLE),
                    arg_command(VERB_DUEL));
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
