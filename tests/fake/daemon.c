/* See daemon.h. */
#include "daemon.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static _Noreturn void run(const char *command, const char *log)
{
    char *line = NULL;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0);
    int fd = open(log ? log : "/dev/null", O_WRONLY | O_CREAT | O_APPEND, 0666);
    dup2(fd, 1);
    dup2(fd, 2);
    if (asprintf(&line, "exec %s", command) > 0)
        execl("/bin/sh", "sh", "-c", line, (char *)NULL);
    _exit(127);
}

pid_t daemon_start(const char *command, const char *log)
{
    pid_t pid = fork();
    if (pid == 0)
        run(command, log);
    return pid;
}

void daemon_stop(pid_t pid, int signal, struct rusage *ret_used)
{
    kill(-pid, signal);
    kill(pid, signal);
    while (wait4(pid, NULL, 0, ret_used) < 0 && errno == EINTR) {}
}
