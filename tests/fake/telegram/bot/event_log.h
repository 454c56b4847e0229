/* Log of all events for checks of a whole match, one JSON object a line: actions of people,
 * messages of the bot, its crashes. --events=FILE.
 *
 *     {"t":"say","ms":12,"by":"ann","chat":-5,"text":"/hand"}
 *     {"t":"press","ms":15,"by":"ann","chat":-5,"tap":3,"label":"crane","data":"p1.2.0.…"}
 *     {"t":"answer","ms":16,"tap":3,"text":"…"}
 *     {"t":"bot","ms":17,"chat":-5,"id":9,"to":0,"text":"…","data":["h1.3.0.…"]}    to: the one who sees it; "file": what
 *     came with it
 *     {"t":"death","ms":18,"way":"done","what":"sendMessage"}
 */
#ifndef FAKE_EVENT_LOG_H
#define FAKE_EVENT_LOG_H

#include "fake/telegram/world.h"

void event_log_begin(void);
void event_log_say(const char *by, const struct tg_chat *c, const char *text);
void event_log_press(const char *by, const struct tg_chat *c, const struct tap *tap,
                     const char *label, const char *data);
void event_log_answer(const struct tap *tap);
void event_log_bot(const struct tg_chat *c, const struct tg_message *m);
void event_log_death(const char *way, const char *what);

#endif
