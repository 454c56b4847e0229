/* Login by password. To keep the server from locking the account: every attempt is stored before it
 * is made, and the next one waits twice as long, across restarts too. A session that is ended
 * within an hour of its login is renewed once, after EARLY_MS; the login after that waits for an
 * hour. A refused password is fatal, with one sentence.
 */
#include "login.h"

#include "poll_errors.h"
#include "token.h"

enum { HOUR_MS = 3600 * 1000, EARLY_MS = 60 * 1000, FIRST_PAUSE_MS = 15 * 1000 };

void login_body(const struct matrix *m, struct arena *a, struct str device, struct request *ret)
{
    cJSON *body = cJSON_CreateObject(), *who = cJSON_AddObjectToObject(body, "identifier");
    cJSON_AddStringToObject(body, "type", "m.login.password");
    cJSON_AddStringToObject(who, "type", "m.id.user");
    wire_put(who, "user", m->user);
    wire_put(body, "password", m->password);
    wire_put(body, "device_id", device);
    wire_put(body, "initial_device_display_name", device);
    cJSON_AddTrueToObject(body, "refresh_token");
    wire_request_json(a, ret, body);
}

void login_poll(struct matrix *m, struct arena *a, struct request *ret)
{
    if (!m->may_log_in) {
        m->step = STEP_FLOWS;
        wire_request(m, a, "GET", STR("/_matrix/client/v3/login"), "login flows", ret);
        return;
    }
    m->step = STEP_LOGIN;
    m->may_log_in = false;
    wire_request(m, a, "POST", STR("/_matrix/client/v3/login"), "login", ret);
    login_body(m, a, m->device, ret);
}

/* "at 14:05 UTC, in 12 minutes". */
static struct str time_of(struct arena *a, int64_t at, int64_t now)
{
    enum { MINUTE_MS = 60 * 1000, DAY_MINUTES = 24 * 60 };
    int64_t minute = (at + MINUTE_MS - 1) / MINUTE_MS % DAY_MINUTES,
            left = (at - now + MINUTE_MS - 1) / MINUTE_MS;
    return arena_print(a, "at %02lld:%02lld UTC, in %lld min", (long long)(minute / 60),
                       (long long)(minute % 60), (long long)left);
}

/* Decides whether to try the password now. */
static bool read_flows(struct matrix *m, struct arena *a, const struct reply *reply,
                       struct matrix_session *next, struct batch *ret, struct err *err)
{
    struct wire_error t = wire_error_of(a, reply);
    if (t.transient || t.limit)
        return poll_errors_retry(m, "login flows", reply, &t, ret, err);
    cJSON *o = wire_parse(reply->body);
    bool password = false;
    const cJSON *flow;
    cJSON_ArrayForEach(flow, wire_at(o, "flows")) password |=
        wire_is(flow, "type", "m.login.password");
    cJSON_Delete(o);
    if (!password) {
        err_set(err, "%.*s offers no login by password; set [matrix] oauth = yes, or give a token",
                STR_ARG(next->base));
        return poll_errors_fatal(ret);
    }
    int64_t tries = next->tries < 8 ? next->tries : 8;
    int64_t due = tries > 0 ? next->tried + ((int64_t)FIRST_PAUSE_MS << (tries - 1)) : 0;
    int64_t rest = next->early ? HOUR_MS : EARLY_MS;
    if (next->logged_in > 0 && next->logged_in + rest > due)
        due = next->logged_in + rest;
    if (reply->now < due && due - reply->now < 2 * (int64_t)HOUR_MS) {
        ret->wait_ms = due - reply->now;
        ret->note = arena_print(a,
                                "waiting before the next login, so that the server does not lock "
                                "us out: it comes %.*s",
                                STR_ARG(time_of(a, due, reply->now)));
        return true;
    }
    next->tried = reply->now;
    next->tries++;
    m->may_log_in = true;
    return true;
}

static bool read_login(struct matrix *m, struct arena *a, const struct reply *reply,
                       struct matrix_session *next, struct batch *ret, struct err *err)
{
    struct wire_error t = wire_error_of(a, reply);
    if (wire_is_good(reply) && token_read(a, reply, next)) {
        next->early = next->logged_in > 0 && reply->now - next->logged_in < HOUR_MS;
        next->logged_in = reply->now;
        next->tries = 0;
        next->tried = 0;
        return true;
    }
    if (wire_is_good(reply) || t.transient || t.limit)
        return poll_errors_retry(m, "login", reply, &t, ret, err);
    err_set(err, "the homeserver refuses the login of %.*s: %.*s %.*s", STR_ARG(m->user),
            STR_ARG(t.code), STR_ARG(t.text));
    return poll_errors_fatal(ret);
}

bool login_read(struct matrix *m, struct arena *a, const struct reply *reply,
                struct matrix_session *next, struct batch *ret, struct err *err)
{
    return m->step == STEP_FLOWS ? read_flows(m, a, reply, next, ret, err)
                                 : read_login(m, a, reply, next, ret, err);
}
