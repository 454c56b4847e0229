/* See run.h. */
#include "run.h"

#include "api.h"
#include "fake/telegram/bot/child.h"
#include "fake/telegram/bot/crash.h"
#include "fake/telegram/bot/event_log.h"
#include "options.h"
#include "updates.h"
#include "fake/telegram/http/wire.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static void interrupted(int signal)
{
    (void)signal;
    child_kill(SIGKILL);
    _exit(130);
}

void run_open(const char *program, const struct argument *const *tables, int argc, char **argv)
{
    arguments_read(program, tables, argc, argv);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGINT, interrupted);
    signal(SIGTERM, interrupted);
    crash_begin();
    event_log_begin();
    wire_listen(opt.port);
    if (opt.through) {
        printf("http://127.0.0.1:%d\n", wire_port());
        fflush(stdout);
    }
}

void run_serve(void)
{
    child_start();
    wire_run(api_request, updates_hand_out);
}

void run_close(void)
{
    child_kill(SIGKILL);
}
