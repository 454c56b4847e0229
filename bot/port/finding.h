/* What every network's `examine` says in the same way. */
#ifndef KOIKOI_FINDING_H
#define KOIKOI_FINDING_H

#include "adapter.h"
#include "arena.h"

/* One more; what is over MAX_FINDINGS is left out. */
static inline void finding_add(struct findings *f, enum found found, struct str text)
{
    if (f->n < MAX_FINDINGS)
        f->at[f->n++] = (struct finding){found, text};
}

/* This machine's clock beside the one that answered; nothing if that does not tell the time.
 * `whose`: "Telegram's". */
static inline void finding_clock(struct findings *f, struct arena *a, const struct reply *reply,
                                 const char *whose)
{
    enum { CLOCK_MS = 10000 };
    if (reply->date == 0)
        return;
    long long off = (long long)(reply->now - reply->date), seconds = (off < 0 ? -off : off) / 1000;
    if (off > -CLOCK_MS && off < CLOCK_MS)
        finding_add(f, FOUND_FINE,
                    arena_print(a, "the clock of this machine agrees with %s", whose));
    else
        finding_add(
            f, FOUND_WRONG,
            arena_print(a,
                        "the clock of this machine is %lld s %s: set it, deadlines are shown "
                        "by it",
                        seconds, off > 0 ? "fast" : "slow"));
}

#endif
