/* Login by password. */
#ifndef KOIKOI_MATRIX_LOGIN_H
#define KOIKOI_MATRIX_LOGIN_H

#include "wire.h"

/* The next of STEP_FLOWS and STEP_LOGIN; there is no access token. */
void login_poll(struct matrix *m, struct arena *a, struct request *ret);
bool login_read(struct matrix *m, struct arena *a, const struct reply *reply,
                struct matrix_session *next, struct batch *ret, struct err *err) MUST_CHECK;
/* The body of a login as this device. */
void login_body(const struct matrix *m, struct arena *a, struct str device, struct request *ret);

#endif
