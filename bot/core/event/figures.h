/* Figures of people, for their pages: what /stats, /versus and /history show. Loaded by the inbox
 * before a step. */
#ifndef KOIKOI_FIGURES_H
#define KOIKOI_FIGURES_H

#include "badge.h"
#include "notice.h"
#include "puzzle.h"

/* A match as one of its players remembers it. */
struct past_match {
    int64_t no, at;
    int outcome;          /* 1 won, 0 drawn, -1 lost */
    bool gave_up, casual; /* gave_up: the one whose page it is */
    int64_t points;
    struct str opponents, rules;
};

struct rules_figures {
    struct str name;
    int64_t won, drawn, lost;
};

struct figures {
    struct str name;
    bool everywhere;   /* of all chats, else of the chat of the event */
    struct stand sums; /* of all seasons; sums.place is that in the running one, 0: none */
    int64_t gave_up, rounds, rounds_won, calls_paid;
    int64_t yaku[N_YAKU]; /* rounds won with it */
    int n_rules;
    const struct rules_figures *rules;
    int64_t reviewed, accuracy; /* matches; mean, in thousandths */
    bool takes_part;            /* in the rating over all chats */
    bool rated_everywhere;
    struct rating world;
    struct puzzle_record puzzles;
    int n_badges;
    const uint8_t *badge; /* enum badge, in the order they were earned */
};

/* /versus: `sums` are the name's against the other's. */
struct versus {
    struct str name, other;
    struct stand sums;
};
/* A page of matches, newest first. */
struct history {
    struct str name;
    int64_t person;
    int n;
    const struct past_match *at;
    bool more; /* there are older ones */
};
struct people_facts {
    struct str unknown; /* a name that was typed and is not known here; else empty */
    const struct figures *figures;
    const struct versus *versus;
    const struct history *history;
};

/* A position of a finished match, by its number from 0; `round_begins`: where the round began, or
 * the one before if it is that; `next_round`: where the next one does, 0 in the last. */
struct position {
    struct match match;
    int step, last, round_begins, next_round;
};

#endif
