/* The ways to an access token, in this order: the configured token; a password, sent once, with a
 * fixed device id and a request for a refresh token; the OAuth device grant, where a person opens a
 * page once and refreshes follow for ever.
 *
 * A refreshed pair of tokens goes into the cursor first; a poll uses what the cursor says. Until
 * the new pair is stored, the old one can ask again, so no rotated token is lost. */
#include "polled.h"

enum {
    MINUTE_MS = 60 * 1000,
    HOUR_MS = 3600 * 1000,
    EARLY_MS = 60 * 1000,
    FIRST_PAUSE_MS = 15 * 1000,
    MAX_INTERVAL_S = 300
};

/* ---- requests ---- */

void auth_login_body(const struct matrix *m, struct arena *a, struct str device,
                     struct request *ret)
{
    struct buf b = wire_object(a, m->user.n + m->password.n + 2 * device.n);
    JSON_PUT(&b,
             "'identifier':{'type':'m.id.user','user':$},'type':'m.login.password','password':$,"
             "'device_id':$,'initial_device_display_name':$,'refresh_token':true",
             m->user, m->password, device, device);
    wire_request_json(ret, &b);
}

static void ask_login(struct matrix *m, struct arena *a, struct request *ret)
{
    static const struct str path = {"/_matrix/client/v3/login", 24};
    if (!m->may_log_in) {
        m->step = STEP_FLOWS;
        wire_request(m, a, "GET", path, "login flows", ret);
        return;
    }
    m->step = STEP_LOGIN;
    m->may_log_in = false;
    wire_request(m, a, "POST", path, "login", ret);
    int64_t renewed = m->session.renewed;
    struct str device =
        renewed ? arena_print(a, "%.*s-%lld", STR_ARG(m->device), (long long)renewed) : m->device;
    auth_login_body(m, a, device, ret);
}

static void form_request(struct arena *a, struct str url, const char *what, struct str body,
                         struct request *ret)
{
    wire_request_open(a, "POST", url, what, ret);
    wire_request_header(ret, STR("Content-Type"), STR("application/x-www-form-urlencoded"));
    ret->body = body;
}

static void ask_register(const struct matrix *m, struct arena *a, struct request *ret)
{
    const struct matrix_session *s = &m->session;
    wire_request_open(a, "POST", s->register_url, "register client", ret);
    struct buf b = wire_object(a, m->device.n + s->base.n);
    JSON_PUT(&b, /* without response_types it would mean "code" */
             "'client_name':$,'client_uri':$,'application_type':'native',"
             "'token_endpoint_auth_method':'none','grant_types':["
             "'urn:ietf:params:oauth:grant-type:device_code','refresh_token'],"
             "'response_types':[]",
             m->device, arena_print(a, "%.*s/", STR_ARG(s->base)));
    wire_request_json(ret, &b);
}

static void ask_grant(struct matrix *m, struct arena *a, struct request *ret)
{
    const struct matrix_session *s = &m->session;
    if (s->token_url.n == 0) {
        m->step = STEP_METADATA;
        wire_request(m, a, "GET", STR("/_matrix/client/v1/auth_metadata"), "auth_metadata", ret);
    } else if (s->client.n == 0) {
        m->step = STEP_REGISTER;
        ask_register(m, a, ret);
    } else if (s->code.n == 0) {
        m->step = STEP_CODE;
        struct str scope = arena_print(a, "urn:matrix:client:api:* urn:matrix:client:device:%.*s",
                                       STR_ARG(m->device));
        form_request(a, s->device_url, "device code",
                     arena_print(a, "client_id=%.*s&scope=%.*s", STR_ARG(wire_escape(a, s->client)),
                                 STR_ARG(wire_escape(a, scope))),
                     ret);
    } else {
        m->step = STEP_GRANT;
        form_request(a, s->token_url, "device grant",
                     arena_print(a,
                                 "grant_type=urn%%3Aietf%%3Aparams%%3Aoauth%%3Agrant-type%%3A"
                                 "device_code&client_id=%.*s&device_code=%.*s",
                                 STR_ARG(wire_escape(a, s->client)),
                                 STR_ARG(wire_escape(a, s->code))),
                     ret);
    }
}

static void ask_refresh(struct matrix *m, struct arena *a, struct request *ret)
{
    const struct matrix_session *s = &m->session;
    m->step = STEP_REFRESH;
    if (s->token_url.n > 0) {
        form_request(a, s->token_url, "refresh",
                     arena_print(a, "grant_type=refresh_token&client_id=%.*s&refresh_token=%.*s",
                                 STR_ARG(wire_escape(a, s->client)),
                                 STR_ARG(wire_escape(a, s->refresh))),
                     ret);
        return;
    }
    wire_request_open(a, "POST", arena_print(a, "%.*s/_matrix/client/v3/refresh", STR_ARG(s->base)),
                      "refresh", ret);
    struct buf b = wire_object(a, s->refresh.n);
    json_put_str(&b, "refresh_token", s->refresh);
    wire_request_json(ret, &b);
}

bool auth_poll(struct matrix *m, struct arena *a, struct request *ret)
{
    struct matrix_session *s = &m->session;
    if (s->base.n == 0 && wire_is_url(m->homeserver))
        s->base = wire_without_slash(m->homeserver);
    if (s->base.n == 0) {
        m->step = STEP_FIND;
        wire_request_find(m, a, ret);
        return true;
    }
    if (s->access.n == 0 && m->token.n > 0)
        s->access = m->token;
    if (s->access.n == 0 && m->oauth)
        return ask_grant(m, a, ret), true;
    if (s->access.n == 0)
        return ask_login(m, a, ret), true;
    int64_t margin = s->life > 0 && s->life / 4 < MINUTE_MS ? s->life / 4 : MINUTE_MS;
    bool expires_soon = s->expires > 0 && m->now > 0 && m->now > s->expires - margin;
    if (s->refresh.n > 0 && (m->refused || expires_soon))
        return ask_refresh(m, a, ret), true;
    if (m->checked)
        return false;
    m->step = STEP_WHOAMI;
    wire_request(m, a, "GET", STR("/_matrix/client/v3/account/whoami"), "whoami", ret);
    return true;
}

/* ---- answers ---- */

/* The base URL is what .well-known names; without such a file (404) it is the server itself. */
static bool read_find(struct polled *p)
{
    struct str name = wire_server(p->m);
    if (p->reply->status == 404) {
        p->next->base = arena_print(p->a, "https://%.*s", STR_ARG(name));
        return true;
    }
    if (!wire_is_good(p->reply))
        return polled_retry(p, ".well-known/matrix/client");
    struct str base = wire_str(p->a, json_at(p->answer, "m.homeserver"), "base_url");
    if (!wire_is_url(base) && p->next->user.n > 0) /* it was right before */
        return polled_retry(p, ".well-known/matrix/client without a base_url");
    if (!wire_is_url(base))
        return polled_fatal(p,
                            "https://%.*s/.well-known/matrix/client names no base_url of a "
                            "homeserver; give the URL itself in [matrix] homeserver",
                            STR_ARG(name));
    p->next->base = wire_without_slash(base);
    return true;
}

/* A pair of tokens, from whichever endpoint. False if the answer holds none. Lifetimes:
 * expires_in_ms, or OAuth's expires_in in seconds. */
static bool read_tokens(struct polled *p)
{
    struct matrix_session *next = p->next;
    struct json o = p->answer;
    struct str access = wire_str(p->a, o, "access_token"),
               refresh = wire_str(p->a, o, "refresh_token"), user = wire_str(p->a, o, "user_id"),
               device = wire_str(p->a, o, "device_id");
    int64_t life = json_number(o, "expires_in_ms");
    if (life == 0)
        life = 1000 * json_number(o, "expires_in");
    if (!wire_is_plain(access))
        return false;
    next->access = access;
    if (wire_is_plain(refresh))
        next->refresh = refresh;
    next->life = life > 0 ? life : 0;
    next->expires = life > 0 ? p->reply->now + life : 0;
    if (wire_is_user_id(user))
        next->user = user;
    if (wire_is_plain(device))
        next->device = device;
    return true;
}

static bool read_refresh(struct polled *p)
{
    if (read_tokens(p)) {
        p->m->refused = false; /* also if it is the token of before */
        return true;
    }
    if (wire_is_good(p->reply) || polled_may_retry(p))
        return polled_retry(p, "refresh");
    p->next->refresh = STR(""); /* the session is over */
    p->next->code = STR("");
    return polled_token_lost(p);
}

static bool read_whoami(struct polled *p)
{
    struct matrix *m = p->m;
    if (p->error.token)
        return polled_token_lost(p);
    if (str_is(p->error.code, STR("M_USER_DEACTIVATED")))
        return polled_fatal(p, "the account %.*s is deactivated", STR_ARG(m->user));
    struct str user = wire_str(p->a, p->answer, "user_id"),
               device = wire_str(p->a, p->answer, "device_id");
    if (!wire_is_user_id(user))
        return polled_retry(p, "whoami");
    if (wire_is_user_id(m->user) && !str_is(m->user, user))
        return polled_fatal(p, "the access token belongs to %.*s, not to %.*s", STR_ARG(user),
                            STR_ARG(m->user));
    p->next->user = user;
    p->next->device = device;
    m->checked = true;
    return true;
}

/* ---- login by password ----
 *
 * To keep the server from locking the account: every attempt is stored before it is made, and the
 * next one waits twice as long, across restarts too. A session that is ended within an hour of its
 * login is renewed once, after EARLY_MS; the login after that waits for an hour. A refused password
 * is fatal, with one sentence. */

/* "at 14:05 UTC, in 12 minutes". */
static struct str time_of(struct arena *a, int64_t at, int64_t now)
{
    enum { DAY_MINUTES = 24 * 60 };
    int64_t minute = (at + MINUTE_MS - 1) / MINUTE_MS % DAY_MINUTES,
            left = (at - now + MINUTE_MS - 1) / MINUTE_MS;
    return arena_print(a, "at %02lld:%02lld UTC, in %lld min", (long long)(minute / 60),
                       (long long)(minute % 60), (long long)left);
}

bool auth_offers_password(struct json answer)
{
    bool password = false;
    for (struct json flow = json_first(json_at(answer, "flows")); flow.at; flow = json_next(flow))
        password |= json_is(flow, "type", "m.login.password");
    return password;
}

/* Decides whether to try the password now. */
static bool read_flows(struct polled *p)
{
    struct matrix_session *next = p->next;
    int64_t now = p->reply->now;
    if (polled_may_retry(p))
        return polled_retry(p, "login flows");
    if (!auth_offers_password(p->answer))
        return polled_fatal(
            p, "%.*s offers no login by password; set [matrix] oauth = yes, or give a token",
            STR_ARG(next->base));
    int64_t tries = next->tries < 8 ? next->tries : 8;
    int64_t due = tries > 0 ? next->tried + ((int64_t)FIRST_PAUSE_MS << (tries - 1)) : 0;
    int64_t rest = next->early ? HOUR_MS : EARLY_MS;
    if (next->logged_in > 0 && next->logged_in + rest > due)
        due = next->logged_in + rest;
    if (now < due && due - now < 2 * (int64_t)HOUR_MS) {
        p->batch->wait_ms = due - now;
        p->batch->note = arena_print(p->a,
                                     "waiting before the next login, so that the server does not "
                                     "lock us out: it comes %.*s",
                                     STR_ARG(time_of(p->a, due, now)));
        return true;
    }
    next->tried = now;
    next->tries++;
    p->m->may_log_in = true;
    return true;
}

static bool read_login(struct polled *p)
{
    struct matrix_session *next = p->next;
    if (read_tokens(p)) {
        next->early = next->logged_in > 0 && p->reply->now - next->logged_in < HOUR_MS;
        next->logged_in = p->reply->now;
        next->tries = 0;
        next->tried = 0;
        return true;
    }
    if (wire_is_good(p->reply) || polled_may_retry(p))
        return polled_retry(p, "login");
    return polled_fatal(p, "the homeserver refuses the login of %.*s: %.*s %.*s",
                        STR_ARG(p->m->user), STR_ARG(p->error.code), STR_ARG(p->error.text));
}

/* ---- the OAuth device grant (RFC 8628), for servers without login by password ----
 *
 * One step at a poll: the server's endpoints; the registration of a client; a device code, which
 * the log shows to a person; then the question whether somebody has confirmed it, at the interval
 * the server names. An expired code is replaced; after a denial the next one waits an hour. */

static bool read_metadata(struct polled *p)
{
    if (polled_may_retry(p))
        return polled_retry(p, "auth_metadata");
    struct str token = wire_str(p->a, p->answer, "token_endpoint"),
               device = wire_str(p->a, p->answer, "device_authorization_endpoint"),
               reg = wire_str(p->a, p->answer, "registration_endpoint");
    if (!wire_is_url(token) || !wire_is_url(device) || !wire_is_url(reg))
        return polled_fatal(p,
                            "%.*s does not offer the OAuth device grant; use a password or a token",
                            STR_ARG(p->next->base));
    p->next->token_url = token;
    p->next->device_url = device;
    p->next->register_url = reg;
    return true;
}

static bool read_register(struct polled *p)
{
    struct str client = wire_str(p->a, p->answer, "client_id");
    if (wire_is_plain(client)) {
        p->next->client = client;
        return true;
    }
    if (polled_may_retry(p))
        return polled_retry(p, "register client");
    return polled_fatal(p, "the authentication server does not register us as a client (%d)",
                        p->reply->status);
}

static bool read_code(struct polled *p)
{
    struct matrix_session *next = p->next;
    struct json o = p->answer;
    struct str code = wire_str(p->a, o, "device_code"), user_code = wire_str(p->a, o, "user_code");
    struct str page = wire_str(p->a, o, "verification_uri_complete");
    if (page.n == 0)
        page = wire_str(p->a, o, "verification_uri");
    int64_t interval = json_number(o, "interval"), life = json_number(o, "expires_in");
    if (!wire_is_plain(code)) {
        if (polled_may_retry(p))
            return polled_retry(p, "device code");
        next->client = STR(""); /* the server may have forgotten the client: register again */
        if (p->m->failures > 2)
            return polled_fatal(p, "the authentication server gives no device code (%d)",
                                p->reply->status);
        return polled_retry(p, "device code");
    }
    next->code = code;
    next->interval = interval > 0 && interval < MAX_INTERVAL_S ? interval : 5;
    next->code_expires = p->reply->now + 1000 * (life > 0 ? life : 600);
    p->batch->wait_ms = 1000 * next->interval;
    p->batch->note = arena_print(p->a, "to let the daemon in, open %.*s and confirm the code %.*s",
                                 STR_ARG(page), STR_ARG(user_code));
    return true;
}

static bool read_grant(struct polled *p)
{
    struct matrix_session *next = p->next;
    if (read_tokens(p)) {
        next->code = STR("");
        next->logged_in = p->reply->now;
        return true;
    }
    if (wire_is_good(p->reply) || polled_may_retry(p))
        return polled_retry(p, "device grant");
    struct str why = p->error.text; /* OAuth's code is in `error` */
    bool slower = str_is(why, STR("slow_down"));
    if ((slower || str_is(why, STR("authorization_pending"))) &&
        p->reply->now < next->code_expires) {
        if (slower && next->interval < MAX_INTERVAL_S)
            next->interval += 5;
        p->batch->wait_ms = 1000 * next->interval;
        return true;
    }
    next->code = STR(""); /* expired or denied */
    p->batch->wait_ms = str_is(why, STR("access_denied")) ? HOUR_MS : 1000 * next->interval;
    p->batch->note = STR("the code expired or was denied; a new one follows");
    return true;
}

bool auth_read(struct polled *p)
{
    static bool (*const read[])(struct polled * p) = {
        [STEP_FIND] = read_find,         [STEP_FLOWS] = read_flows,
        [STEP_LOGIN] = read_login,       [STEP_REFRESH] = read_refresh,
        [STEP_METADATA] = read_metadata, [STEP_REGISTER] = read_register,
        [STEP_CODE] = read_code,         [STEP_GRANT] = read_grant,
        [STEP_WHOAMI] = read_whoami};
    return read[p->m->step](p);
}
