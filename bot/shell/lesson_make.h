/* A match record looked at again by the teacher: bot/core/lesson.h is what comes of it.
 *
 *     lesson_make(record, &how, &lesson, &end, &rules, &names, &line, &err)
 *
 * The record is checked like any other (replay.h); then every decision is looked at, with the eyes
 * of who made it. The same record, visits and seed give the same lesson. One decision costs at most
 * twice `visits` playouts; a match of 12 rounds takes a second or two with REVIEW_VISITS, and long
 * matches get fewer visits a decision, so that none takes more than some ten. With less than about
 * 500 visits doubtful losses go uncounted, and everybody looks better than they are.
 */
#ifndef KOIKOI_LESSON_MAKE_H
#define KOIKOI_LESSON_MAKE_H

#include "err.h"
#include "lesson.h"
#include "str.h"
#include "work.h"

struct lesson_how {
    uint32_t visits;
    uint64_t seed;
    void (*progress)(void *arg, int done, int of);      /* NULL: nobody asks */
    bool (*spent)(void *arg);           /* true: give up; NULL: never */
    void *arg;
};

/* The lesson is malloc'd, the caller frees it. ret_end is the match as it ended, ret_names gets the
 * players' names, one a line, by seat. On failure *ret_line is the line of the record that is
 * wrong. */
bool lesson_make(struct str record, const struct lesson_how *how, struct lesson **ret,
                   struct match *ret_end, struct rules *ret_rules, struct buf *ret_names,
                   int *ret_line, struct err *err) MUST_CHECK;

/* Jobs for the worker pool (work.h). A hint: in `struct hint_ask`, out the hint as hint_write() has
 * it. A lesson: in the record itself, out LESSON_SIZE bytes, nothing if the record cannot be
 * read. */
struct hint_ask {
    struct view view;
    uint64_t seed;
};
void lesson_hint_job(struct str input, const struct job_pace *pace, struct buf *ret);
void lesson_job(struct str input, const struct job_pace *pace, struct buf *ret);

/* `koikoi review [--visits N] [--seed S] [--language L] FILE`; returns the exit status. */
int review_main(int argc, char **argv);

#endif
