/* See poll_errors.h. */
#include "poll_errors.h"

bool poll_errors_retry(struct matrix *m, const char *what, const struct reply *reply,
                       const struct wire_error *t, struct batch *ret, struct err *err)
{
    int shift = m->failures < 6 ? m->failures : 6;
    m->failures++;
    ret->wait_ms = (int64_t)1000 << shift;
    if (t->wait_ms > ret->wait_ms)
        ret->wait_ms = t->wait_ms;
    if (reply->status == 0)
        return err_set(err, "%s: no answer from the homeserver", what);
    return err_set(err, "%s: %d %.*s %.*s", what, reply->status, STR_ARG(t->code),
                   (int)(t->text.n < 200 ? t->text.n : 200), t->text.p);
}

bool poll_errors_fatal(struct batch *ret)
{
    ret->fatal = true;
    return false;
}

bool poll_errors_token_lost(struct matrix *m, const struct wire_error *t,
                            struct matrix_session *next, struct batch *ret, struct err *err)
{
    m->checked = false;
    if (next->refresh.n > 0) {
        m->refused = true;
        return true;
    }
    if (m->token.n > 0) {
        err_set(err,
                "the homeserver does not take the access token (%.*s); give a new one in "
                "[matrix] token",
                STR_ARG(t->code));
        return poll_errors_fatal(ret);
    }
    next->access = STR("");
    m->refused = false;
    return true;
}
