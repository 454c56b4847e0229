/* The bot under test: a child process that is started, killed and measured, and a log of what
 * happens to it. */
#ifndef FAKE_BOT_H
#define FAKE_BOT_H

#include "world.h"

void child_start(void);      /* does nothing without --exec */
void child_kill(int signal); /* and waits for its end */
/* Kills it, if it runs, and starts it again after --restart-ms; calls `before`, if not NULL, then. */
void child_restart(int signal, void (*before)(void));
bool child_ended(void);      /* true if it ended by itself since the last call */
int64_t child_started(void); /* serve_now() of the last start */
double child_cpu(void);      /* CPU seconds of all its starts so far */
double child_rss(void);      /* highest resident size so far, MB */
double child_rss_now(void);  /* MB */

/* Crashes of the bot at its requests: --die=WAYS, a list of
 *
 *     asked   when the request has come, before it is carried out
 *     done    when it is carried out, before the answer
 *     told    after the answer
 *     soon    some milliseconds after the answer
 *
 * A request that differs from all before kills the bot in the first way; when it comes again, in
 * the second, and so on; then it passes. A delivery of updates counts as an answered request. */
void crash_begin(void); /* reads the option, or ends the program */
/* Called before the request is carried out. Returns true if it killed the bot and the request must
 * be dropped. */
bool crash_before(const struct serve_request *r);
/* Called after the request was carried out and, unless the answer is held, answered. */
void crash_after(void);
/* Called when updates up to this id were delivered. */
void crash_handed(int64_t update);

/* Log of all events for checks of a whole match, one JSON object a line: actions of people,
 * messages of the bot, its crashes. --events=FILE. `format` as of js_put(), from the comma on.
 *
 *     {"t":"say","ms":12,"by":"ann","chat":-5,"text":"/hand"}
 *     {"t":"press","ms":15,"by":"ann","chat":-5,"tap":3,"label":"crane","data":"p1.2.0.…"}
 *     {"t":"answer","ms":16,"tap":3,"text":"…"}
 *     {"t":"bot","ms":17,"chat":-5,"id":9,"to":0,"calls":0,"text":"…","data":["h1.3.0.…"]}
 *                     to: the only one who sees it; calls: 1 if it mentions somebody; "file": what came with it
 *     {"t":"death","ms":18,"way":"done","what":"sendMessage"}
 */
void event_log_begin(void);
void event_log(const char *kind, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
