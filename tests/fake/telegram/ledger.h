/* What people did, what the bot said and where it died, in order, one JSON object a line, for
 * checks that look back over a whole match: --ledger=FILE.
 *
 *     {"t":"say","ms":12,"by":"ann","chat":-5,"text":"/hand"}
 *     {"t":"press","ms":15,"by":"ann","chat":-5,"tap":3,"label":"crane","data":"p1.2.0.…"}
 *     {"t":"answer","ms":16,"tap":3,"text":"…"}
 *     {"t":"bot","ms":17,"chat":-5,"id":9,"to":0,"text":"…","data":["h1.3.0.…"]}    to: the one who sees it
 *     {"t":"death","ms":18,"way":"done","what":"sendMessage"}
 */
#ifndef FAKE_LEDGER_H
#define FAKE_LEDGER_H

#include "world.h"

void ledger_begin(void);
void ledger_say(const char *by, const struct chat *c, const char *text);
void ledger_press(const char *by, const struct chat *c, const struct tap *tap, const char *label,
                  const char *data);
void ledger_answer(const struct tap *tap);
void ledger_bot(const struct chat *c, const struct message *m);
void ledger_death(const char *way, const char *what);

#endif
