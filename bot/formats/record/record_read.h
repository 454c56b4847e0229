/* Reader of the lines of a match record. It checks kind and range of each field; replay.c checks
 * the numbers against the rules, verify.c the shuffles. */
#ifndef KOIKOI_RECORD_READ_H
#define KOIKOI_RECORD_READ_H

#include "record.h"

enum { RECORD_LINE_LIMIT = 64 * 1024, RECORD_FILE_LIMIT = 16 * 1024 * 1024 };

/* Walks a record line by line. */
struct record_lines {
    struct str rest;
    int n; /* number of the last line returned */
};

/* Returns the next line as an object, *ret_t its `t`. Returns NULL with *ret_end true behind the
 * last line, and NULL with an error otherwise. */
cJSON *record_next(struct record_lines *lines, struct str *ret_t, bool *ret_end,
                   struct err *err) MUST_CHECK;

/* Strings in these live as long as the tree they were read from. */
struct record_opening {
    struct record_head head; /* head.rules points at rules below */
    struct rules rules;
    bool has_draw;
    struct str commit; /* of round 0, with has_draw */
    struct str joined[MAX_PLAYERS];
};
struct record_cards {
    struct record_deal deal; /* deal.deck points at deck below; deal.seed is
                                unset */
    struct str commit;
    uint8_t deck[N_CARDS];
};

bool record_read_match(const cJSON *v, struct record_opening *ret, struct err *err) MUST_CHECK;
bool record_read_deal(const cJSON *v, const struct record_opening *o, struct record_cards *ret,
                      struct err *err) MUST_CHECK;
bool record_read_seed(const cJSON *v, struct seed *ret, struct err *err) MUST_CHECK;

#endif
