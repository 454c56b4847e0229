/* Ways in, in this order: the token that stands in the configuration; a password, once, with a
 * fixed device id, asking for a refresh token; the OAuth device grant, where a person opens a page
 * once and refreshing goes on for ever.
 *
 * What keeps a server from locking us out: every password attempt is stored before it is made and
 * the next one waits twice as long, over restarts too; a successful login is followed by another at
 * most once an hour; a refused password or token ends the account with one sentence.
 *
 * What keeps a rotated token from being lost: the new pair goes into the cursor; poll() uses what
 * the cursor says. Until then the old pair is good for asking again.
 */
#include "login.h"

#include "oauth.h"

enum { MINUTE = 60 * 1000, HOUR = 60 * MINUTE, FIRST_PAUSE = 15 * 1000 };

static struct str without_slash(struct str url)
{
    while (url.n > 0 && url.p[url.n - 1] == '/')
        url.n--;
    return url;
}

/* The server's name if only a user id was given. */
static struct str server_name(const struct matrix *m)
{
    return m->homeserver.n > 0 ? m->homeserver : server_of(m->user);
}

/* True when it is time for a new access token, before the old one dies. */
static bool expires_soon(const struct matrix *m)
{
    const struct session *s = &m->session;
    int64_t margin = s->life > 0 && s->life / 4 < MINUTE ? s->life / 4 : MINUTE;
    return s->expires > 0 && m->now > 0 && m->now > s->expires - margin;
}

void login_request(struct arena *a, const char *method, struct str url, const char *what,
                   struct request *ret)
{
    *ret = (struct request){
        .kind = REQUEST_HTTP, .method = method, .url = arena_str(a, url), .what = str_of(what)};
}

void login_password(const struct matrix *m, struct arena *a, struct str device, struct request *ret)
{
    cJSON *body = cJSON_CreateObject(), *who = cJSON_AddObjectToObject(body, "identifier");
    cJSON_AddStringToObject(body, "type", "m.login.password");
    cJSON_AddStringToObject(who, "type", "m.id.user");
    wire_put(who, "user", m->user);
    wire_put(body, "password", m->password);
    wire_put(body, "device_id", device);
    wire_put(body, "initial_device_display_name", device);
    cJSON_AddTrueToObject(body, "refresh_token");
    request_json(a, ret, body);
}

static void ask_password(struct matrix *m, struct arena *a, struct request *ret)
{
    if (!m->may_log_in) {
        m->step = STEP_FLOWS;
        request_to(m, a, "GET", STR("/_matrix/client/v3/login"), "login flows", ret);
        return;
    }
    m->step = STEP_LOGIN;
    m->may_log_in = false;
    request_to(m, a, "POST", STR("/_matrix/client/v3/login"), "login", ret);
    login_password(m, a, m->device, ret);
}

static void ask_refresh(struct matrix *m, struct arena *a, struct request *ret)
{
    const struct session *s = &m->session;
    m->step = STEP_REFRESH;
    if (s->token_url.n > 0) {
        oauth_ask_refresh(m, a, ret);
        return;
    }
    login_request(a, "POST", arena_print(a, "%.*s/_matrix/client/v3/refresh", STR_ARG(s->base)),
                  "refresh", ret);
    cJSON *body = cJSON_CreateObject();
    wire_put(body, "refresh_token", s->refresh);
    request_json(a, ret, body);
}

bool login_poll(struct matrix *m, struct arena *a, struct request *ret)
{
    struct session *s = &m->session;
    if (s->base.n == 0 && is_url(m->homeserver))
        s->base = without_slash(m->homeserver);
    if (s->base.n == 0) {
        m->step = STEP_FIND;
        login_request(
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
        return ask_password(m, a, ret), true;
    if (s->refresh.n > 0 && (m->refused || expires_soon(m)))
        return ask_refresh(m, a, ret), true;
    if (m->checked)
        return false;
    m->step = STEP_WHOAMI;
    request_to(m, a, "GET", STR("/_matrix/client/v3/account/whoami"), "whoami", ret);
    return true;
}

bool login_failed(struct matrix *m, const char *what, const struct reply *reply,
                  const struct trouble *t, struct batch *ret, struct err *err)
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

bool login_fatal(struct batch *ret)
{
    ret->fatal = true;
    return false;
}

bool login_lost(struct matrix *m, const struct trouble *t, struct session *next, struct batch *ret,
                struct err *err)
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
        return login_fatal(ret);
    }
    next->access = STR("");
    m->refused = false;
    return true;
}

/* The base URL is what .well-known names; without such a file it is the server itself. */
static bool read_find(struct matrix *m, struct arena *a, const struct reply *reply,
                      struct session *next, struct batch *ret, struct err *err)
{
    struct str name = server_name(m);
    struct trouble t = trouble_of(a, reply);
    if (reply->status == 404) {
        next->base = arena_print(a, "https://%.*s", STR_ARG(name));
        return true;
    }
    if (!is_good(reply))
        return login_failed(m, ".well-known/matrix/client", reply, &t, ret, err);
    cJSON *o = wire_parse(reply->body);
    struct str base = wire_str(a, wire_at(o, "m.homeserver"), "base_url");
    cJSON_Delete(o);
    if (!is_url(base)) {
        err_set(err,
                "https://%.*s/.well-known/matrix/client names no base_url of a homeserver; "
                "give the URL itself in [matrix] homeserver",
                STR_ARG(name));
        return login_fatal(ret);
    }
    next->base = without_slash(base);
    return true;
}

/* Decides whether a password may be tried now. */
static bool read_flows(struct matrix *m, struct arena *a, const struct reply *reply,
                       struct session *next, struct batch *ret, struct err *err)
{
    struct trouble t = trouble_of(a, reply);
    if (t.weather || t.limit)
        return login_failed(m, "login flows", reply, &t, ret, err);
    cJSON *o = wire_parse(reply->body);
    bool password = false;
    const cJSON *flow;
    cJSON_ArrayForEach(flow, wire_at(o, "flows")) password |=
        wire_is(flow, "type", "m.login.password");
    cJSON_Delete(o);
    if (!password) {
        err_set(err, "%.*s offers no login by password; set [matrix] oauth = yes, or give a token",
                STR_ARG(next->base));
        return login_fatal(ret);
    }
    int64_t tries = next->tries < 8 ? next->tries : 8;
    int64_t due = tries > 0 ? next->tried + ((int64_t)FIRST_PAUSE << (tries - 1)) : 0;
    if (next->logged_in > 0 && next->logged_in + HOUR > due)
        due = next->logged_in + HOUR;
    if (reply->now < due && due - reply->now < 2 * (int64_t)HOUR) {
        ret->wait_ms = due - reply->now;
        ret->note = STR("waiting before the next login, so that the server does not lock us out");
        return true;
    }
    next->tried = reply->now;
    next->tries++;
    m->may_log_in = true;
    return true;
}

/* A fresh pair of tokens, from whichever endpoint. Times: expires_in_ms, or OAuth's seconds. */
bool login_take(struct arena *a, const struct reply *reply, struct session *next)
{
    cJSON *o = wire_parse(reply->body);
    struct str access = wire_str(a, o, "access_token"), refresh = wire_str(a, o, "refresh_token");
    int64_t life = wire_int(o, "expires_in_ms");
    if (life == 0)
        life = 1000 * wire_int(o, "expires_in");
    struct str user = wire_str(a, o, "user_id"), device = wire_str(a, o, "device_id");
    cJSON_Delete(o);
    if (!is_plain(access))
        return false;
    next->access = access;
    if (is_plain(refresh))
        next->refresh = refresh;
    next->life = life > 0 ? life : 0;
    next->expires = life > 0 ? reply->now + life : 0;
    if (is_user_id(user))
        next->user = user;
    if (is_plain(device))
        next->device = device;
    return true;
}

static bool read_login(struct matrix *m, struct arena *a, const struct reply *reply,
                       struct session *next, struct batch *ret, struct err *err)
{
    struct trouble t = trouble_of(a, reply);
    if (is_good(reply) && login_take(a, reply, next)) {
        next->logged_in = reply->now;
        next->tries = 0;
        next->tried = 0;
        return true;
    }
    if (is_good(reply) || t.weather || t.limit)
        return login_failed(m, "login", reply, &t, ret, err);
    err_set(err, "the homeserver refuses the login of %.*s: %.*s %.*s", STR_ARG(m->user),
            STR_ARG(t.code), STR_ARG(t.text));
    return login_fatal(ret);
}

static bool read_refresh(struct matrix *m, struct arena *a, const struct reply *reply,
                         struct session *next, struct batch *ret, struct err *err)
{
    struct trouble t = trouble_of(a, reply);
    if (is_good(reply) && login_take(a, reply, next))
        return true;
    if (is_good(reply) || t.weather || t.limit)
        return login_failed(m, "refresh", reply, &t, ret, err);
    next->refresh = STR(""); /* the session is over */
    next->code = STR("");
    return login_lost(m, &t, next, ret, err);
}

static bool read_whoami(struct matrix *m, struct arena *a, const struct reply *reply,
                        struct session *next, struct batch *ret, struct err *err)
{
    struct trouble t = trouble_of(a, reply);
    if (t.token)
        return login_lost(m, &t, next, ret, err);
    cJSON *o = wire_parse(reply->body);
    struct str user = wire_str(a, o, "user_id"), device = wire_str(a, o, "device_id");
    cJSON_Delete(o);
    if (str_is(t.code, STR("M_USER_DEACTIVATED"))) {
        err_set(err, "the account %.*s is deactivated", STR_ARG(m->user));
        return login_fatal(ret);
    }
    if (!is_good(reply) || !is_user_id(user))
        return login_failed(m, "whoami", reply, &t, ret, err);
    if (is_user_id(m->user) && !str_is(m->user, user)) {
        err_set(err, "the access token belongs to %.*s, not to %.*s", STR_ARG(user),
                STR_ARG(m->user));
        return login_fatal(ret);
    }
    next->user = user;
    next->device = device;
    m->checked = true;
    return true;
}

bool login_read(struct matrix *m, struct arena *a, const struct reply *reply, struct session *next,
                struct batch *ret, struct err *err)
{
    switch (m->step) {
    case STEP_FIND:
        return read_find(m, a, reply, next, ret, err);
    case STEP_FLOWS:
        return read_flows(m, a, reply, next, ret, err);
    case STEP_LOGIN:
        return read_login(m, a, reply, next, ret, err);
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
