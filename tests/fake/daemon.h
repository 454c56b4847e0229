/* The bot under test as a process that ends with its parent. */
#ifndef FAKE_DAEMON_H
#define FAKE_DAEMON_H

#include <sys/resource.h>
#include <sys/types.h>

/* Runs a command line in a process group of its own and appends its output to the file `log`, if
 * not NULL. */
pid_t daemon_start(const char *command, const char *log);
/* Sends a signal to it and what it started, and waits for its end. `ret_used` may be NULL. */
void daemon_stop(pid_t pid, int signal, struct rusage *ret_used);

#endif
