/* `koikoi doctor` and an account: what it asks for, and what `examine` finds. Findings that every
 * network words in the same way stand here. */
#ifndef KOIKOI_EXAM_H
#define KOIKOI_EXAM_H

#include "arena.h"
#include "request.h"

struct exam {
    bool set_profile;         /* set these as the account's own */
    struct str name, picture; /* the picture: PNG */
    bool has_keys;            /* the store keeps something in a vault */
    struct str cursor;        /* of the account, in the store; empty: none yet */
};

enum found { FOUND_FINE, FOUND_ADVICE, FOUND_WRONG };
struct finding {
    enum found found;
    struct str text; /* the finding and the remedy; never a secret */
};
enum { MAX_FINDINGS = 8 };
struct findings {
    int n;
    struct finding at[MAX_FINDINGS];
    int64_t wait_ms; /* before the next question */
};

/* Adds a finding; those over MAX_FINDINGS are dropped. */
static inline void __attribute__((format(printf, 4, 5)))
finding_add(struct findings *f, struct arena *a, enum found found, const char *format, ...)
{
    va_list args;
    if (f->n == MAX_FINDINGS)
        return;
    va_start(args, format);
    f->at[f->n++] = (struct finding){found, arena_print_args(a, format, args)};
    va_end(args);
}

/* Compares this machine's clock with the Date of the answer; adds nothing without one. `whose`:
 * "Telegram's". */
static inline void finding_clock(struct findings *f, struct arena *a, const struct reply *reply,
                                 const char *whose)
{
    enum { CLOCK_OFF_MS = 10000 };
    if (reply->date == 0)
        return;
    long long off = (long long)(reply->now - reply->date), seconds = (off < 0 ? -off : off) / 1000;
    if (off > -CLOCK_OFF_MS && off < CLOCK_OFF_MS)
        finding_add(f, a, FOUND_FINE, "the clock of this machine agrees with %s", whose);
    else
        finding_add(f, a, FOUND_WRONG,
                    "the clock of this machine is %lld s %s: set it, deadlines are shown by it",
                    seconds, off > 0 ? "fast" : "slow");
}

#endif
