/* The bot under test, run as a child: started, killed, measured. */
#ifndef FAKE_CHILD_H
#define FAKE_CHILD_H

#include <stdbool.h>
#include <stdint.h>

void child_start(void);      /* does nothing without --exec */
void child_kill(int signal); /* and waits for its end */
bool child_ended(void);      /* by itself, since it was last asked */
int64_t child_started(void); /* wire_now() of the last start */
double child_cpu(void);      /* seconds, of all its starts so far */
double child_rss(void);      /* highest resident size so far, MB */
double child_rss_now(void);  /* MB */

#endif
