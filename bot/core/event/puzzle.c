/* See puzzle.h. */
#include "puzzle.h"

bool puzzle_solved_by(const struct puzzle *p, int answer)
{
    return answer >= 0 && answer < p->view.n_legal &&
           review_alike(p->view.legal[answer], p->hint.best);
}

int puzzle_place_of_day(int64_t day, int total)
{
    return (int)(day % total);
}
