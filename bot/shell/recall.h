/* Sessions that were read or written lately, so that a press costs no reading of the whole line.
 *
 * What is remembered is what a line means, not what is stored: whoever asks brings the line that
 * the store has now, and it must be the same to the last byte. A change that was rolled back, or
 * made by somebody else, is another line; nothing here can be out of date, and nothing has to be
 * dropped.
 *
 *     recall_open()
 *     recall_find(recall, no, line, &session)      false: read it, and
 *     recall_keep(recall, no, line, &session)      after reading, and after writing
 */
#ifndef KOIKOI_RECALL_H
#define KOIKOI_RECALL_H

#include "session.h"

struct recall;

struct recall *recall_open(void);
void recall_close(struct recall *r);
/* *ret is the session as session_read() would make it of that line; untouched if it is not
 * known. */
bool recall_find(const struct recall *r, int64_t no, struct str line, struct session *ret);
/* Of sessions that share a row of places the last ones stay; all of them together take at most some
 * 8 MB. */
void recall_keep(struct recall *r, int64_t no, struct str line, const struct session *s);

#endif
