/* The bot under test as a process: it dies with whoever started it. */
#ifndef FAKE_DAEMON_H
#define FAKE_DAEMON_H

#include <sys/resource.h>
#include <sys/types.h>

/* Runs a command line in a group of its own; what it prints is added to the file `log`, NULL: to
 * none. */
pid_t daemon_start(const char *command, const char *log);
/* Sends a signal to it and what it started, and waits for its end. `ret_used` may be NULL. */
void daemon_stop(pid_t pid, int signal, struct rusage *ret_used);

#endif
