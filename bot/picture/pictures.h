/* Pictures for those who pass them on without looking at cards: a line of the outbox becomes a job
 * that draws a PNG.
 *
 *     decks = decks_open(folder)                             at start
 *     picture_order(decks, line, arena, &input, name, &err)  on the loop's thread
 *     work_push(... .run = picture_run, .input = input)      draws on any thread
 *     picture_of_job(output, &png, &err)                     the PNG, or the reason of a failure
 */
#ifndef KOIKOI_PICTURES_H
#define KOIKOI_PICTURES_H

#include "work.h"

enum { PICTURE_NAME_SIZE = 33 };

struct decks;

/* `folder`: files that win over the built-in decks; may be empty. Reads no file yet. */
struct decks *decks_open(struct str folder);
void decks_close(struct decks *d); /* after the last job has ended */

/* Parses the line and finds its deck. `ret_input`, in `a`, is the input of picture_run() and valid
 * until decks_close(); `ret_name` names the picture: equal names mean equal bytes. */
bool picture_order(struct decks *d, struct str line, struct arena *a, struct str *ret_input,
                   char ret_name[static PICTURE_NAME_SIZE], struct err *err) MUST_CHECK;
void picture_run(struct str input, const struct job_pace *pace, struct buf *ret);
/* Lets idle time load the library and render the cards of the usual deck, which the first hand after
 * a start would wait 0.4 s for. The jobs' results say nothing. */
void pictures_warm(struct decks *d, struct work *drawing, struct arena *a);
/* The bytes are those of `output`. Fails with the job's own words if it could not draw. */
bool picture_of_job(struct str output, struct str *ret, struct err *err) MUST_CHECK;

#endif
