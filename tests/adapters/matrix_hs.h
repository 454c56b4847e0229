/* Drives the Matrix adapter by hand: what it asks is looked at, what it is answered is written down
 * in the test. A stand-in for the shell: it keeps the cursor, a row's progress and the clock. */
#ifndef KOIKOI_TEST_MATRIX_HS_H
#define KOIKOI_TEST_MATRIX_HS_H

#include "adapter.h"

struct hs {
    void *account;
    struct arena *process, *turn;
    struct str cursor;          /* what the shell has stored */
    struct request request;     /* the last one */
    struct batch batch;
    struct err err;
    bool good;                  /* what read answered */
    int64_t now;
};

/* Options "key=value", ended by NULL; the rest are fallbacks. */
void *hs_account(struct arena *a, const char *const *options);     /* not yet opened */
struct hs *hs_open(const char *const *options);
void hs_close(struct hs *p);
/* As after kill -9: another process, the same stored cursor. */
void hs_restart(struct hs *p, const char *const *options);
/* Logged in with a token and past the first sync; its since is "s1". */
struct hs *hs_ready(void);
/* Before and after a test that begins like that: *state is it. */
int hs_setup(void **state);
int hs_teardown(void **state);

/* The next request for news must be `method` and its URL must hold `part`; it is answered. */
void hs_asks(struct hs *p, const char *method, const char *part, int status, const char *answer);
/* A sync that brings `rooms` (JSON of "rooms") and ends at `next`. */
void hs_sync(struct hs *p, const char *next, const char *rooms);
/* The events of one room that was joined before, as a sync brings them. */
void hs_hears(struct hs *p, const char *next, const char *room, const char *events);

/* One step of saying it: the request must be `method` and hold `part`. */
struct receipt hs_says(struct hs *p, const struct outgoing *out, const char *method,
                       const char *part, int status, const char *answer);
bool hs_header(const struct request *r, const char *name, const char *value);
/* The body of the last request is this JSON (order of members does not matter). */
void hs_body(const struct hs *p, const char *json);

#define assert_str(s, text)                                                                        \
    assert_string_equal(arena_print(p->turn, "%.*s", STR_ARG(s)).p, (text))

#endif
