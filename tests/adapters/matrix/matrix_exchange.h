/* Drives the Matrix adapter by hand: a test checks each request and supplies the answer. It keeps
 * the cursor, the progress of a row and the clock, in place of the loop. */
#ifndef KOIKOI_TEST_MATRIX_EXCHANGE_H
#define KOIKOI_TEST_MATRIX_EXCHANGE_H

#include "adapter.h"

struct matrix_exchange {
    void *account;
    struct arena *process, *turn;
    struct str cursor;      /* as stored */
    struct request request; /* the last one */
    struct batch batch;
    struct err err;
    bool good; /* the result of read */
    int64_t now;
};

/* Options "key=value", ended by NULL; the rest are fallbacks. */
void *exchange_account(struct arena *a, const char *const *options); /* not yet opened */
struct matrix_exchange *exchange_open(const char *const *options);
void exchange_close(struct matrix_exchange *p);
/* A new process with the same stored cursor, as after kill -9. */
void exchange_restart(struct matrix_exchange *p, const char *const *options);
/* Logged in with a token and past the first sync; its since is "s1". */
struct matrix_exchange *exchange_ready(void);
/* cmocka: *state is an exchange that is ready. */
int exchange_setup(void **state);
int exchange_teardown(void **state);

/* Polls: the request must be `method` and its URL must hold `part`. Then reads the answer. */
void exchange_poll(struct matrix_exchange *p, const char *method, const char *part, int status,
                   const char *answer);
/* The answer to a sync; once more if names are asked for: the people in it have none. */
void exchange_answer(struct matrix_exchange *p, const char *answer);
/* A sync with `rooms` (JSON of "rooms") that ends at `next`. */
void exchange_sync(struct matrix_exchange *p, const char *next, const char *rooms);
/* A sync with events of one room that was joined before. */
void exchange_events(struct matrix_exchange *p, const char *next, const char *room,
                     const char *events);

/* One step of a send: the request must be `method` and hold `part`. Returns the receipt. */
struct receipt exchange_send(struct matrix_exchange *p, const struct outgoing *out,
                             const char *method, const char *part, int status, const char *answer);
bool exchange_header(const struct request *r, const char *name, const char *value);
/* The body of the last request is this JSON (order of members does not matter). */
void exchange_body(const struct matrix_exchange *p, const char *json);

#define assert_str(s, text) assert_string_equal(arena_print(p->turn, "%.*s", STR_ARG(s)).p, (text))

#endif
