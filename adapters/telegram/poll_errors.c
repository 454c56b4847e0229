/* Errors of getUpdates and their handling.
 *
 *     409 (polling)   another instance is polling; retry, give up after 5 min
 *     409 (webhook)   a webhook is set: delete it
 *     401             the token is wrong: fatal, if the answer is the Bot API's own
 *     404             fatal at the first poll (token or api_root); later transient
 *     429             wait as long as Telegram asks for
 *
 * Anything else is transient: retry with back-off, 1 min at most. */
#include "telegram.h"

enum {
    CONFLICT_MS = 300000,
    CONFLICT_WAIT_MS = 3000,
    FIRST_WAIT_MS = 500,
    LONGEST_WAIT_MS = 60000
};

/* 0.5, 1, 2 ... 60 s. */
int64_t tg_poll_errors_wait(struct telegram *t)
{
    int64_t wait = FIRST_WAIT_MS;
    for (int i = 0; i < t->failures && wait < LONGEST_WAIT_MS; i++)
        wait *= 2;
    t->failures++;
    return wait < LONGEST_WAIT_MS ? wait : LONGEST_WAIT_MS;
}

static bool conflict(struct telegram *t, const struct reply *reply, const struct refusal *no,
                     struct batch *ret, struct err *err)
{
    if (no->why.n > 0 && memmem(no->why.p, no->why.n, "webhook", 7)) {
        t->asking = ASK_WEBHOOK_DELETE;
        return err_set(err, "a webhook is set for this token; deleting it");
    }
    if (!t->conflict_since)
        t->conflict_since = reply->now;
    ret->wait_ms = CONFLICT_WAIT_MS;
    ret->fatal = reply->now - t->conflict_since >= CONFLICT_MS;
    return err_set(err, "getUpdates: another program polls for this bot; stop one of the two");
}

bool tg_poll_errors_read(struct telegram *t, const struct reply *reply, const struct refusal *no,
                         struct batch *ret, struct err *err)
{
    bool first_poll = t->asking == ASK_ME;
    switch (no->code) {
    case 401:
        ret->fatal = no->api;
        ret->wait_ms = tg_poll_errors_wait(t);
        return err_set(err, "Telegram refuses the token (401): is it complete, was it revoked?");
    case 404:
        ret->fatal = first_poll;
        ret->wait_ms = tg_poll_errors_wait(t);
        return err_set(err, "not found (404): are token and api_root right?");
    case 409:
        return conflict(t, reply, no, ret, err);
    case 429:
        ret->wait_ms = no->retry_ms > 0 ? no->retry_ms : 1000;
        return err_set(err, "Telegram asks for a pause of %lld s", (long long)ret->wait_ms / 1000);
    case 0:
        ret->wait_ms = tg_poll_errors_wait(t);
        return err_set(err, "Telegram does not answer");
    default:
        ret->wait_ms = tg_poll_errors_wait(t);
        return err_set(err, "Telegram answered %d %.*s", no->code, STR_ARG(no->why));
    }
}
