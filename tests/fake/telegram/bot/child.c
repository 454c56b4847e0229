/* See child.h. */
#include "child.h"

#include "fake/telegram/options.h"
#include "fake/telegram/http/wire.h"

#include "daemon.h"

#include <sys/wait.h>

static pid_t pid;
static int64_t started;
static double cpu_before, rss;

void child_start(void)
{
    char root[64];
    started = wire_now();
    if (!opt.exec)
        return;
    snprintf(root, sizeof root, "http://127.0.0.1:%d", opt.through ? opt.through : wire_port());
    setenv("BOT_API_ROOT", root, 1);
    setenv("BOT_TOKEN", opt.token, 1);
    setenv("KOIKOI_TELEGRAM_API_ROOT", root, 1);
    setenv("KOIKOI_TELEGRAM_TOKEN", opt.token, 1);
    setenv("KOIKOI_TELEGRAM_PICTURES", "no", 0); /* unless its command line sets it */
    pid = daemon_start(opt.exec, opt.log);
}

int64_t child_started(void)
{
    return started;
}

/* A field of /proc/PID/status, such as "VmRSS:", in MB; 0 if the bot does not run. */
static double status_mb(const char *field)
{
    char name[64], line[256];
    long kb = 0;
    snprintf(name, sizeof name, "/proc/%d/status", (int)pid);
    FILE *f = pid > 0 ? fopen(name, "r") : NULL;
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, field, strlen(field)) == 0)
            kb = strtol(line + strlen(field), NULL, 10);
    if (f)
        fclose(f);
    return (double)kb / 1024;
}

double child_rss(void)
{
    double now = status_mb("VmHWM:");
    rss = now > rss ? now : rss;
    return rss;
}

double child_rss_now(void)
{
    return status_mb("VmRSS:");
}

double child_cpu(void)
{
    clockid_t clock;
    struct timespec t;
    if (pid <= 0 || clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &t) != 0)
        return cpu_before;
    return cpu_before + (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static void buried(const struct rusage *used)
{
    cpu_before += seconds(used->ru_utime) + seconds(used->ru_stime);
    pid = 0;
}

void child_kill(int signal)
{
    struct rusage used;
    if (pid <= 0)
        return;
    child_rss();
    daemon_stop(pid, signal, &used);
    buried(&used);
}

bool child_ended(void)
{
    struct rusage used;
    if (pid <= 0 || wait4(pid, NULL, WNOHANG, &used) != pid)
        return false;
    buried(&used);
    return true;
}
