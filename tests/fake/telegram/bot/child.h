/* The bot under test as a child process: started, killed, measured. */
#ifndef FAKE_CHILD_H
#define FAKE_CHILD_H

#include <stdbool.h>
#include <stdint.h>

void child_start(void);      /* does nothing without --exec */
void child_kill(int signal); /* and waits for its end */
bool child_ended(void);      /* true if it ended by itself since the last call */
int64_t child_started(void); /* wire_now() of the last start */
double child_cpu(void);      /* CPU seconds of all its starts so far */
double child_rss(void);      /* highest resident size so far, MB */
double child_rss_now(void);  /* MB */

#endif
