/* Reader of the lines of a match record. It checks kind and range of each field; replay.c checks
 * the numbers against the rules, verify.c the shuffles. A fault is kept by the line (json.h).
 *
 *     while (record_next(&lines, &v, &t)) {
 *         if (str_is(t, STR("deal")))
 *             record_read_deal(v, &opening, &cards);
 *         if (!json_close(v, &err)) ...                    the fault of line number lines.n
 *     }
 */
#ifndef KOIKOI_RECORD_READ_H
#define KOIKOI_RECORD_READ_H

#include "record.h"

enum { RECORD_LINE_LIMIT = 64 * 1024, RECORD_FILE_LIMIT = 16 * 1024 * 1024 };

/* Walks a record line by line. */
struct record_lines {
    struct str rest;
    int n; /* number of the last line opened */
};

/* Opens the next line, *ret_t its `t`; returns false behind the last one. */
bool record_next(struct record_lines *lines, struct json *ret, struct str *ret_t);

/* Strings in these live as long as the line that they were read from is open. */
struct record_opening {
    struct record_head head; /* head.rules points at rules below */
    struct rules rules;
    bool has_draw;
    struct str commit; /* of round 0, with has_draw */
    struct str joined[MAX_PLAYERS];
};
struct record_cards {
    struct record_deal deal; /* deal.deck points at deck below; deal.seed is unset */
    struct str commit;
    uint8_t deck[N_CARDS];
};

void record_read_match(struct json v, struct record_opening *ret);
void record_read_deal(struct json v, const struct record_opening *o, struct record_cards *ret);
struct seed record_read_seed(struct json v);

/* Prints a line without a fault as text for people; head: of its record (record_text.c). */
void record_text(FILE *out, const struct record_head *head, struct str t, struct json v);

#endif
