/* What an answer that is none means for asking: another copy of the bot polls too (409: wait, say
 * so, give up after five minutes); a webhook was left behind (409: it is deleted); the token is
 * wrong (401 in Telegram's words, or 404 at the first question: the end); a pause is asked for
 * (429: it is kept); all else is weather and is waited for, longer each time, a minute at most. */
#include "telegram.h"

enum {
    CONFLICT_MS = 300000,
    CONFLICT_WAIT_MS = 3000,
    FIRST_WAIT_MS = 500,
    LONGEST_WAIT_MS = 60000
};

/* Waits 0.5, 1, 2 ... 60 s. */
int64_t tg_back_off(struct telegram *t)
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
        t->asking = ASK_UNHOOK;
        return err_set(err, "a webhook is set for this token; deleting it");
    }
    if (!t->conflict_since)
        t->conflict_since = reply->now;
    ret->wait_ms = CONFLICT_WAIT_MS;
    ret->fatal = reply->now - t->conflict_since >= CONFLICT_MS;
    return err_set(err, "another program asks Telegram for this bot's news; only one may");
}

bool tg_failed(struct telegram *t, const struct reply *reply, const struct refusal *no,
               struct batch *ret, struct err *err)
{
    bool at_door = t->asking == ASK_ME;
    switch (no->code) {
    case 401:
        ret->fatal = no->api;
        ret->wait_ms = tg_back_off(t);
        return err_set(err, "Telegram refuses the token (401): is it complete, was it revoked?");
    case 404:
        ret->fatal = at_door;
        ret->wait_ms = tg_back_off(t);
        return err_set(err, "not found (404): are token and api_root right?");
    case 409:
        return conflict(t, reply, no, ret, err);
    case 429:
        ret->wait_ms = no->retry_ms > 0 ? no->retry_ms : 1000;
        return err_set(err, "Telegram asks for a pause of %lld s", (long long)ret->wait_ms / 1000);
    case 0:
        ret->wait_ms = tg_back_off(t);
        return err_set(err, "Telegram does not answer");
    default:
        ret->wait_ms = tg_back_off(t);
        return err_set(err, "Telegram answered %d %.*s", no->code, STR_ARG(no->why));
    }
}
