/* One answer to a poll: what is read from it, and what becomes of a poll that fails. A server
 * decides how many events an answer has: beyond MAX_EVENTS, or MAX_BATCH updates, the rest is not
 * read, with a line in the log. */
#ifndef KOIKOI_MATRIX_POLLED_H
#define KOIKOI_MATRIX_POLLED_H

#include "room.h"

enum { MAX_EVENTS = 50 * 1000, MAX_BATCH = 4000 };

struct polled {
    struct matrix *m;
    struct arena *a;
    const struct reply *reply;
    struct json answer;          /* no value if the reply is not good */
    struct wire_error error;     /* of such a reply */
    struct matrix_session *next; /* stored before its tokens are used */
    struct batch *batch;
    struct err *err;
    int cap;             /* of the batch */
    int n_events;        /* read so far */
    struct update spare; /* additions to a full batch go here */
};

/* True if another attempt may succeed: no answer, a server's error, a rate limit. */
bool polled_may_retry(const struct polled *p);
/* The poll brought nothing and is tried again, in 1, 2, 4 ... 64 s, or later if the server asks for
 * it. Always returns false, with the error. */
bool polled_retry(struct polled *p, const char *what);
/* The account cannot work. Always returns false. */
bool polled_fatal(struct polled *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The server refuses the access token: plans a refresh or a new login in p->next. Returns false,
 * fatal, if the token is the configured one. */
bool polled_token_lost(struct polled *p) MUST_CHECK;

struct update *polled_add(struct polled *p); /* zeroed, at the end of the batch */
/* UPDATE_JOINED; `when` makes its id unique. */
void polled_add_joined(struct polled *p, const struct room *room, struct str when);
/* Counts one event. False if it must not be read. */
bool polled_count(struct polled *p);

/* ---- auth.c: getting and keeping an access token ---- */

/* The next request towards a working token; false if there is one already. */
bool auth_poll(struct matrix *m, struct arena *a, struct request *ret) MUST_CHECK;
/* Reads its answer into p->next. */
bool auth_read(struct polled *p) MUST_CHECK;

/* The body of a login by password, as this device; whether a server offers one. */
void auth_login_body(const struct matrix *m, struct arena *a, struct str device,
                     struct request *ret);
bool auth_offers_password(struct json answer);

#endif
