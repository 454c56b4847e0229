/* Options of the server and of the bot under test, from the command line. Stories and loads have
 * tables of their own. */
#ifndef FAKE_OPTIONS_H
#define FAKE_OPTIONS_H

#include "arguments.h"

#include <stdbool.h>
#include <stdint.h>

struct options {
    const char *label, *token, *exec, *log, *event_log, *die;
    int port, seed, kill_signal, through;
    int64_t kill_every, kills;
    double max_s, restart_ms, delay_ms;
    double p_429, retry_after, p_502, p_reset, p_cut, p_double, p_swap;
    bool limits, hidden_counts, trace;
};
extern struct options opt;
extern const struct argument options_table[];

#endif
