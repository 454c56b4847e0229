/* Getting and keeping an access token. */
#ifndef KOIKOI_MATRIX_LOGIN_H
#define KOIKOI_MATRIX_LOGIN_H

#include "cursor.h"

/* The next request towards a working token; false if there is one. */
bool login_poll(struct matrix *m, struct arena *a, struct request *ret) MUST_CHECK;
/* Its answer. What is learned goes into *next, which is stored before it is used. */
bool login_read(struct matrix *m, struct arena *a, const struct reply *reply, struct session *next,
                struct batch *ret, struct err *err) MUST_CHECK;
/* Some answer said that the token is not taken: true if there is a way on. */
bool login_lost(struct matrix *m, const struct trouble *t, struct session *next, struct batch *ret,
                struct err *err) MUST_CHECK;
/* An answer that is no use: fills ret->wait_ms and err, returns false. */
bool login_failed(struct matrix *m, const char *what, const struct reply *reply,
                  const struct trouble *t, struct batch *ret, struct err *err);
/* The account cannot work: false, and ret->fatal. */
bool login_fatal(struct batch *ret);
/* A request without a token. */
void login_request(struct arena *a, const char *method, struct str url, const char *what,
                   struct request *ret);
/* What a login by password is asked with, as this device. */
void login_password(const struct matrix *m, struct arena *a, struct str device,
                    struct request *ret);
/* A fresh pair of tokens, from whichever endpoint, into *next; false: there is none in the
 * answer. */
bool login_take(struct arena *a, const struct reply *reply, struct session *next);

#endif
