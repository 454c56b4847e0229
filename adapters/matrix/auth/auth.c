/* The ways to an access token, in this order: the configured token; a password, sent once, with a
 * fixed device id and a request for a refresh token; the OAuth device grant, where a person opens a
 * page once and refreshes follow for ever.
 *
 * A refreshed pair of tokens goes into the cursor first; a poll uses what the cursor says. Until
 * the new pair is stored, the old one can ask again, so no rotated token is lost.
 */
#include "auth.h"

#include "login.h"
#include "oauth.h"
#include "poll_errors.h"
#include "token.h"

enum { MINUTE_MS = 60 * 1000 };

static struct str without_slash(struct str url)
{
    while (url.n > 0 && url.p[url.n - 1] == '/')
        url.n--;
    return url;
}

/* The configured homeserver, or the server part of the user id. */
static struct str server_name(const struct matrix *m)
{
    return m->homeserver.n > 0 ? m->homeserver : wire_server_of(m->user);
}

/* True from a little before the access token expires. */
static bool expires_soon(const struct matrix *m)
{
    const struct matrix_session *s = &m->session;
    int64_t margin = s->life > 0 && s->life / 4 < MINUTE_MS ? s->life / 4 : MINUTE_MS;
    return s->expires > 0 && m->now > 0 && m->now > s->expires - margin;
}

static void ask_refresh(struct matrix *m, struct arena *a, struct request *ret)
{
    const struct matrix_session *s = &m->session;
    m->step = STEP_REFRESH;
    if (s->token_url.n > 0) {
        oauth_refresh(m, a, ret);
        return;
    }
    token_request(a, "POST", arena_print(a, "%.*s/_matrix/client/v3/refresh", STR_ARG(s->base)),
                  "refresh", ret);
    cJSON *body = cJSON_CreateObject();
    wire_put(body, "refresh_token", s->refresh);
    wire_request_json(a, ret, body);
}

bool auth_poll(struct matrix *m, struct arena *a, struct request *ret)
{
    struct matrix_session *s = &m->session;
    if (s->base.n == 0 && wire_is_url(m->homeserver))
        s->base = without_slash(m->homeserver);
    if (s->base.n == 0) {
        m->step = STEP_FIND;
        token_request(
            a, "GET",
            arena_print(a, "https://%.*s/.well-known/matrix/client", STR_ARG(server_name(m))),
            "well-known", ret);
        ret->follow = true;
        return true;
    }
    if (s->access.n == 0 && m->token.n > 0)
        s->access = m->token;
    if (s->access.n == 0 && m->oauth)
        return oauth_poll(m, a, ret), true;
    if (s->access.n == 0)
        return login_poll(m, a, ret), true;
    if (s->refresh.n > 0 && (m->refused || expires_soon(m)))
        return ask_refresh(m, a, ret), true;
    if (m->checked)
        return false;
    m->step = STEP_WHOAMI;
    wire_request(m, a, "GET", STR("/_matrix/client/v3/account/whoami"), "whoami", ret);
    return true;
}

/* The base URL is what .well-known names; without such a file (404) it is the server itself. */
static bool read_find(struct matrix *m, struct arena *a, const struct reply *reply,
                      struct matrix_session *next, struct batch *ret, struct err *err)
{
    struct str name = server_name(m);
    struct wire_error t = wire_error_of(a, reply);
    if (reply->status == 404) {
        next->base = arena_print(a, "https://%.*s", STR_ARG(name));
        return true;
    }
    if (!wire_is_good(reply))
        return poll_errors_retry(m, ".well-known/matrix/client", reply, &t, ret, err);
    cJSON *o = wire_parse(reply->body);
    struct str base = wire_str(a, wire_at(o, "m.homeserver"), "base_url");
    cJSON_Delete(o);
    if (!wire_is_url(base)) {
        err_set(err,
                "https://%.*s/.well-known/matrix/client names no base_url of a homeserver; "
                "give the URL itself in [matrix] homeserver",
                STR_ARG(name));
        return poll_errors_fatal(ret);
    }
    next->base = without_slash(base);
    return true;
}

static bool read_refresh(struct matrix *m, struct arena *a, const struct reply *reply,
                         struct matrix_session *next, struct batch *ret, struct err *err)
{
    struct wire_error t = wire_error_of(a, reply);
    if (wire_is_good(reply) && token_read(a, reply, next))
        return true;
    if (wire_is_good(reply) || t.transient || t.limit)
        return poll_errors_retry(m, "refresh", reply, &t, ret, err);
    next->refresh = STR(""); /* the session is over */
    next->code = STR("");
    return poll_errors_token_lost(m, &t, next, ret, err);
}

static bool read_whoami(struct matrix *m, struct arena *a, const struct reply *reply,
                        struct matrix_session *next, struct batch *ret, struct err *err)
{
    struct wire_error t = wire_error_of(a, reply);
    if (t.token)
        return poll_errors_token_lost(m, &t, next, ret, err);
    cJSON *o = wire_parse(reply->body);
    struct str user = wire_str(a, o, "user_id"), device = wire_str(a, o, "device_id");
    cJSON_Delete(o);
    if (str_is(t.code, STR("M_USER_DEACTIVATED"))) {
        err_set(err, "the account %.*s is deactivated", STR_ARG(m->user));
        return poll_errors_fatal(ret);
    }
    if (!wire_is_good(reply) || !wire_is_user_id(user))
        return poll_errors_retry(m, "whoami", reply, &t, ret, err);
    if (wire_is_user_id(m->user) && !str_is(m->user, user)) {
        err_set(err, "the access token belongs to %.*s, not to %.*s", STR_ARG(user),
                STR_ARG(m->user));
        return poll_errors_fatal(ret);
    }
    next->user = user;
    next->device = device;
    m->checked = true;
    return true;
}

bool auth_read(struct matrix *m, struct arena *a, const struct reply *reply,
               struct matrix_session *next, struct batch *ret, struct err *err)
{
    switch (m->step) {
    case STEP_FIND:
        return read_find(m, a, reply, next, ret, err);
    case STEP_FLOWS:
    case STEP_LOGIN:
        return login_read(m, a, reply, next, ret, err);
    case STEP_REFRESH:
        return read_refresh(m, a, reply, next, ret, err);
    case STEP_METADATA:
    case STEP_REGISTER:
    case STEP_CODE:
    case STEP_GRANT:
        return oauth_read(m, a, reply, next, ret, err);
    default:
        return read_whoami(m, a, reply, next, ret, err);
    }
}
