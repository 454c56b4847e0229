/* See oauth.h. One step at a poll: the server's endpoints; the registration of a client; a device
 * code, which the log shows to a person; then the question whether somebody has confirmed it, at
 * the interval the server names. An expired code is replaced; after a denial the next one waits an
 * hour.
 */
#include "oauth.h"

#include "poll_errors.h"
#include "token.h"

enum { HOUR_MS = 3600 * 1000, MAX_INTERVAL_S = 300 };

static void form_request(struct arena *a, struct str url, const char *what, struct str body,
                         struct request *ret)
{
    token_request(a, "POST", url, what, ret);
    wire_request_header(ret, STR("Content-Type"), STR("application/x-www-form-urlencoded"));
    ret->body = body;
}

void oauth_poll(struct matrix *m, struct arena *a, struct request *ret)
{
    const struct matrix_session *s = &m->session;
    if (s->token_url.n == 0) {
        m->step = STEP_METADATA;
        wire_request(m, a, "GET", STR("/_matrix/client/v1/auth_metadata"), "auth_metadata", ret);
    } else if (s->client.n == 0) {
        m->step = STEP_REGISTER;
        token_request(a, "POST", s->register_url, "register client", ret);
        cJSON *body = cJSON_CreateObject();
        wire_put(body, "client_name", m->device);
        wire_put(body, "client_uri", arena_print(a, "%.*s/", STR_ARG(s->base)));
        cJSON_AddStringToObject(body, "application_type", "native");
        cJSON_AddStringToObject(body, "token_endpoint_auth_method", "none");
        cJSON *grants = cJSON_AddArrayToObject(body, "grant_types");
        cJSON_AddItemToArray(grants,
                             cJSON_CreateString("urn:ietf:params:oauth:grant-type:device_code"));
        cJSON_AddItemToArray(grants, cJSON_CreateString("refresh_token"));
        cJSON_AddArrayToObject(body, "response_types"); /* absent, it would mean "code" */
        wire_request_json(a, ret, body);
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

void oauth_refresh(struct matrix *m, struct arena *a, struct request *ret)
{
    const struct matrix_session *s = &m->session;
    form_request(a, s->token_url, "refresh",
                 arena_print(a, "grant_type=refresh_token&client_id=%.*s&refresh_token=%.*s",
                             STR_ARG(wire_escape(a, s->client)),
                             STR_ARG(wire_escape(a, s->refresh))),
                 ret);
}

static bool read_metadata(struct matrix *m, struct arena *a, const struct reply *reply,
                          struct matrix_session *next, struct batch *ret, struct err *err)
{
    struct wire_error t = wire_error_of(a, reply);
    if (t.transient || t.limit)
        return poll_errors_retry(m, "auth_metadata", reply, &t, ret, err);
    cJSON *o = wire_parse(reply->body);
    struct str token = wire_str(a, o, "token_endpoint");
    struct str device = wire_str(a, o, "device_authorization_endpoint");
    struct str reg = wire_str(a, o, "registration_endpoint");
    cJSON_Delete(o);
    if (!wire_is_good(reply) || !wire_is_url(token) || !wire_is_url(device) || !wire_is_url(reg)) {
        err_set(err, "%.*s does not offer the OAuth device grant; use a password or a token",
                STR_ARG(next->base));
        return poll_errors_fatal(ret);
    }
    next->token_url = token;
    next->device_url = device;
    next->register_url = reg;
    return true;
}

static bool read_register(struct matrix *m, struct arena *a, const struct reply *reply,
                          struct matrix_session *next, struct batch *ret, struct err *err)
{
    struct wire_error t = wire_error_of(a, reply);
    cJSON *o = wire_parse(reply->body);
    struct str client = wire_str(a, o, "client_id");
    cJSON_Delete(o);
    if (wire_is_good(reply) && wire_is_plain(client)) {
        next->client = client;
        return true;
    }
    if (t.transient || t.limit)
        return poll_errors_retry(m, "register client", reply, &t, ret, err);
    err_set(err, "the authentication server does not register us as a client (%d)", reply->status);
    return poll_errors_fatal(ret);
}

static bool read_code(struct matrix *m, struct arena *a, const struct reply *reply,
                      struct matrix_session *next, struct batch *ret, struct err *err)
{
    struct wire_error t = wire_error_of(a, reply);
    cJSON *o = wire_parse(reply->body);
    struct str code = wire_str(a, o, "device_code"), user_code = wire_str(a, o, "user_code");
    struct str page = wire_str(a, o, "verification_uri_complete");
    if (page.n == 0)
        page = wire_str(a, o, "verification_uri");
    int64_t interval = wire_int(o, "interval"), life = wire_int(o, "expires_in");
    cJSON_Delete(o);
    if (!wire_is_good(reply) || !wire_is_plain(code)) {
        if (t.transient || t.limit)
            return poll_errors_retry(m, "device code", reply, &t, ret, err);
        next->client = STR(""); /* the server may have forgotten the client: register again */
        if (m->failures > 2)
            return err_set(err, "the authentication server gives no device code (%d)",
                           reply->status),
                   poll_errors_fatal(ret);
        return poll_errors_retry(m, "device code", reply, &t, ret, err);
    }
    next->code = code;
    next->interval = interval > 0 && interval < MAX_INTERVAL_S ? interval : 5;
    next->code_expires = reply->now + 1000 * (life > 0 ? life : 600);
    ret->wait_ms = 1000 * next->interval;
    ret->note = arena_print(a, "to let the daemon in, open %.*s and confirm the code %.*s",
                            STR_ARG(page), STR_ARG(user_code));
    return true;
}

static bool read_grant(struct matrix *m, struct arena *a, const struct reply *reply,
                       struct matrix_session *next, struct batch *ret, struct err *err)
{
    struct wire_error t = wire_error_of(a, reply);
    if (wire_is_good(reply) && token_read(a, reply, next)) {
        next->code = STR("");
        next->logged_in = reply->now;
        return true;
    }
    if (wire_is_good(reply) || t.transient || t.limit)
        return poll_errors_retry(m, "device grant", reply, &t, ret, err);
    cJSON *o = wire_parse(reply->body);
    struct str why = wire_str(a, o, "error");
    cJSON_Delete(o);
    bool slower = str_is(why, STR("slow_down"));
    if ((slower || str_is(why, STR("authorization_pending"))) && reply->now < next->code_expires) {
        if (slower && next->interval < MAX_INTERVAL_S)
            next->interval += 5;
        ret->wait_ms = 1000 * next->interval;
        return true;
    }
    next->code = STR(""); /* expired or denied */
    ret->wait_ms = str_is(why, STR("access_denied")) ? HOUR_MS : 1000 * next->interval;
    ret->note = STR("the code expired or was denied; a new one follows");
    return true;
}

bool oauth_read(struct matrix *m, struct arena *a, const struct reply *reply,
                struct matrix_session *next, struct batch *ret, struct err *err)
{
    switch (m->step) {
    case STEP_METADATA:
        return read_metadata(m, a, reply, next, ret, err);
    case STEP_REGISTER:
        return read_register(m, a, reply, next, ret, err);
    case STEP_CODE:
        return read_code(m, a, reply, next, ret, err);
    default: /* STEP_GRANT */
        return read_grant(m, a, reply, next, ret, err);
    }
}
