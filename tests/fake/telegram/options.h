/* What the command line says; main.c holds the table with a sentence for each. */
#ifndef FAKE_OPTIONS_H
#define FAKE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct options {
    const char *label, *token, *exec, *log, *text, *match, *play, *ledger, *die;
    int port, chats, seed, copies, kill_signal, open, through;
    int64_t n, warmup, kill_every, kills;
    double rate, patience, max_s, lost_s, settle_s, warmup_s, restart_ms, delay_ms;
    double p_429, retry_after, p_502, p_reset, p_cut, p_double, p_swap;
    bool group, limits, trace;
};
extern struct options opt;

#endif
