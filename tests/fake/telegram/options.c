/* See options.h. */
#include "options.h"

#include <signal.h>
#include <stddef.h>

struct options opt = {
    .label = "",
    .token = "123456:TEST",
    .seed = 1,
    .max_s = 60,
    .restart_ms = 200,
    .retry_after = 1,
    .kill_signal = SIGKILL,
    .kills = 1,
};

const struct argument options_table[] = {
    {"label", IS_TEXT, &opt.label, "goes into the result line"},
    {"port", IS_INT, &opt.port, "0: any free one"},
    {"token", IS_TEXT, &opt.token, "the only token that is known"},
    {"exec", IS_TEXT, &opt.exec, "command line of the bot"},
    {"through", IS_INT, &opt.through,
     "the bot finds us behind a proxy on this port; prints our address"},
    {"log", IS_TEXT, &opt.log, "file for what the bot prints"},
    {"max-s", IS_REAL, &opt.max_s, "give up after so many seconds"},
    {"delay-ms", IS_REAL, &opt.delay_ms, "hold back each answer but getUpdates'"},
    {"limits", IS_FLAG, &opt.limits,
     "30 messages/s in all, 1/s a person, 20 sends and edits in any minute a group"},
    {"hidden-counts", IS_FLAG, &opt.hidden_counts, "hidden messages count in a group's 20"},
    {"p-429", IS_REAL, &opt.p_429, "share of messages refused with 429"},
    {"retry-after", IS_REAL, &opt.retry_after, "seconds in these refusals"},
    {"p-502", IS_REAL, &opt.p_502, "share of requests answered 502, not done"},
    {"p-reset", IS_REAL, &opt.p_reset,
     "share of answers broken by a reset; the request has been done"},
    {"p-cut", IS_REAL, &opt.p_cut, "share of answers cut in half; the request has been done"},
    {"p-double", IS_REAL, &opt.p_double, "share of getUpdates answers with an update twice"},
    {"p-swap", IS_REAL, &opt.p_swap, "share of getUpdates answers in reverse order"},
    {"seed", IS_INT, &opt.seed, "for these shares"},
    {"kill-every", IS_LONG, &opt.kill_every,
     "kill the bot after each so many answers; in a story, presses"},
    {"kills", IS_LONG, &opt.kills, "at most so many times"},
    {"kill-signal", IS_INT, &opt.kill_signal, "with this signal"},
    {"restart-ms", IS_REAL, &opt.restart_ms, "start it again after so long"},
    {"die", IS_TEXT, &opt.die,
     "each request kills the bot in these ways, in turn: asked,done,told,soon"},
    {"events", IS_TEXT, &opt.event_log, "file for all that was said and pressed, as JSON lines"},
    {"trace", IS_FLAG, &opt.trace, "print the conversation on stderr"},
    {NULL, IS_FLAG, NULL, NULL},
};
