/* Getting and keeping an access token. */
#ifndef KOIKOI_MATRIX_AUTH_H
#define KOIKOI_MATRIX_AUTH_H

#include "polled.h"

/* The next request towards a working token; false if there is one already. */
bool auth_poll(struct matrix *m, struct arena *a, struct request *ret) MUST_CHECK;
/* Reads its answer into p->next. */
bool auth_read(struct polled *p) MUST_CHECK;

/* The body of a login by password, as this device; whether a server offers one. */
void auth_login_body(const struct matrix *m, struct arena *a, struct str device,
                     struct request *ret);
bool auth_offers_password(struct json answer);

#endif
