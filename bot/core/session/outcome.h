/* Outcome: what a finished match was for a seat. Who leaves loses: of three alone, if the match
 * ends with it. If it went on with the computer in that seat, the others win, draw or lose as
 * usual. */
#ifndef KOIKOI_OUTCOME_H
#define KOIKOI_OUTCOME_H

#include "session.h"

struct match_outcome {
    bool won, drawn, lost; /* one of them */
    bool forfeit;          /* won or lost because somebody left */
};

struct match_outcome outcome_of(const struct session *s, int seat);

#endif
