/* Login: access tokens that expire and are refreshed, passwords, and the OAuth device grant (RFC
 * 8628). A refresh token may be used again until its successor has been used; later use ends the
 * session, as authentication servers do. */
#include "home_internal.h"

#include <assert.h>

enum { CODE_MS = 20 * 60 * 1000, INTERVAL_S = 5 };
static const char DEVICE_GRANT[] = "urn:ietf:params:oauth:grant-type:device_code";

static struct token *token_new(struct home *h, struct user *user, const char *device, bool refresh)
{
    assert(h->n_tokens < MOST_TOKENS);
    struct token *t = &h->token[h->n_tokens++];
    *t = (struct token){.access = home_secret(h, "syt_"),
                        .refresh = refresh ? home_secret(h, "syr_") : NULL,
                        .device = home_keep(h, device),
                        .user = user,
                        .next = -1};
    if (refresh && h->setup.token_ms > 0)
        t->expires = home_now(h) + h->setup.token_ms;
    return t;
}

/* Revokes all tokens of that device but one. */
static void end_device(struct home *h, const struct user *user, const char *device,
                       const struct token *but)
{
    for (int i = 0; i < h->n_tokens; i++) {
        struct token *t = &h->token[i];
        if (t != but && t->user == user && strcmp(t->device, device) == 0)
            t->dead = true, t->refresh = NULL;
    }
}

bool login_check(struct mx_call *c)
{
    char text[256] = "";
    if (!serve_header(c->asked, "Authorization", text, sizeof text) ||
        strncmp(text, "Bearer ", 7) != 0) {
        home_problem(c->h, "%s without a token", c->asked->path);
        call_refuse(c, 401, "M_MISSING_TOKEN", "Missing access token");
        return false;
    }
    for (int i = 0; i < c->h->n_tokens; i++) {
        struct token *t = &c->h->token[i];
        if (strcmp(t->access, text + 7) != 0)
            continue;
        bool old = t->expires > 0 && home_now(c->h) >= t->expires;
        c->token = t;
        if (!t->dead && !old) {
            t->used = true;
            return true;
        }
        call_refuse(c, 401, "M_UNKNOWN_TOKEN", "Access token has expired");
        cJSON_AddBoolToObject(c->answer, "soft_logout", old || t->soft);
        return false;
    }
    call_refuse(c, 401, "M_UNKNOWN_TOKEN", "Unrecognised access token");
    cJSON_AddBoolToObject(c->answer, "soft_logout", false);
    return false;
}

static void tell_tokens(struct mx_call *c, const struct token *t)
{
    c->answer = js_make("{'access_token':%s}", t->access);
    if (t->refresh)
        cJSON_AddStringToObject(c->answer, "refresh_token", t->refresh);
    if (t->expires > 0)
        cJSON_AddNumberToObject(c->answer, "expires_in_ms", (double)(t->expires - home_now(c->h)));
}

void do_versions(struct mx_call *c)
{
    c->answer = js_make("{'versions':['v1.11','v1.16']}");
}

void do_logout(struct mx_call *c)
{
    end_device(c->h, c->token->user, c->token->device, NULL);
}

void do_flows(struct mx_call *c)
{
    if (c->h->setup.oauth)
        call_refuse(c, 404, "M_UNRECOGNIZED", "Unrecognized request");
    else
        c->answer = js_make("{'flows':[{'type':'m.login.password'}]}");
}

void do_login(struct mx_call *c)
{
    const char *name = js_text(c->body, "identifier/user");
    const char *device = js_text(c->body, "device_id");
    struct user *user =
        home_find_user(c->h, name[0] == '@' ? name : home_print(c->h, "@%s:koi.test", name));
    c->h->count.logins++;
    if (!user || strcmp(user->password, js_text(c->body, "password")) != 0 ||
        strcmp(js_text(c->body, "type"), "m.login.password") != 0) {
        call_refuse(c, 403, "M_FORBIDDEN", "Invalid username or password");
        return;
    }
    struct token *t = token_new(c->h, user, *device ? device : home_secret(c->h, "D"),
                                js_true(c->body, "refresh_token") && c->h->setup.token_ms > 0);
    end_device(c->h, user, t->device, t);
    tell_tokens(c, t);
    cJSON_AddStringToObject(c->answer, "user_id", user->id);
    cJSON_AddStringToObject(c->answer, "device_id", t->device);
}

/* The next pair of a session, or the same pair again if it has not been used yet. Returns NULL if
 * the session is over. */
static struct token *exchange(struct home *h, const char *refresh)
{
    for (int i = 0; i < h->n_tokens; i++) {
        struct token *t = &h->token[i];
        if (!t->refresh || strcmp(t->refresh, refresh) != 0)
            continue;
        struct token *next = t->next >= 0 ? &h->token[t->next] : NULL;
        if (next && (next->used || next->next >= 0)) {
            home_problem(h, "a refresh token was used after its successor");
            end_device(h, t->user, t->device, NULL);
            return NULL;
        }
        next = token_new(h, t->user, t->device, true);
        next->oauth = t->oauth;
        t->next = (int)(next - h->token);
        h->count.refreshes++;
        return next;
    }
    return NULL;
}

void do_refresh(struct mx_call *c)
{
    struct token *t = exchange(c->h, js_text(c->body, "refresh_token"));
    if (!t || t->oauth) {
        call_refuse(c, 401, "M_UNKNOWN_TOKEN", "refresh token does not exist");
        cJSON_AddBoolToObject(c->answer, "soft_logout", false);
    } else {
        tell_tokens(c, t);
    }
}

void do_whoami(struct mx_call *c)
{
    c->answer = js_make("{'user_id':%s,'device_id':%s,'is_guest':false}", c->token->user->id,
                        c->token->device);
}

/* ---- OAuth ---- */

static void oauth_refuse(struct mx_call *c, const char *error)
{
    c->status = 400;
    c->answer = js_make("{'error':%s}", error);
}

static const char *form(struct mx_call *c, const char *name)
{
    const char *value = call_field(c, c->asked->body, name);
    return value ? value : "";
}

void do_metadata(struct mx_call *c)
{
    const char *root = c->h->root;
    if (!c->h->setup.oauth) {
        call_refuse(c, 404, "M_UNRECOGNIZED", "Unrecognized request");
        return;
    }
    c->answer = js_make("{'issuer':'%-s/','authorization_endpoint':'%-s/oauth2/authorize',"
                        "'token_endpoint':'%-s/oauth2/token',"
                        "'registration_endpoint':'%-s/oauth2/register',"
                        "'revocation_endpoint':'%-s/oauth2/revoke',"
                        "'device_authorization_endpoint':'%-s/oauth2/device',"
                        "'response_types_supported':['code'],"
                        "'response_modes_supported':['query','fragment'],"
                        "'grant_types_supported':['refresh_token',%s],"
                        "'code_challenge_methods_supported':['S256']}",
                        root, root, root, root, root, root, DEVICE_GRANT);
}

void do_register(struct mx_call *c)
{
    const cJSON *types = js_at(c->body, "response_types"), *one;
    int known = 0;
    cJSON_ArrayForEach(one, js_at(c->body, "grant_types")) known +=
        strcmp(js_text(one, ""), "refresh_token") == 0 ||
        strcmp(js_text(one, ""), DEVICE_GRANT) == 0;
    if (known != 2 || !cJSON_IsArray(types) || cJSON_GetArraySize(types) > 0 ||
        !*js_text(c->body, "client_uri") ||
        strcmp(js_text(c->body, "token_endpoint_auth_method"), "none") != 0) {
        home_problem(c->h, "a client that cannot be registered");
        oauth_refuse(c, "invalid_client_metadata");
        return;
    }
    c->status = 201;
    c->answer = cJSON_Duplicate(c->body, true);
    cJSON_AddStringToObject(c->answer, "client_id",
                            home_print(c->h, "client%d", ++c->h->n_clients));
}

void do_device(struct mx_call *c)
{
    static const char prefix[] = "urn:matrix:client:device:";
    struct home *h = c->h;
    const char *scope = form(c, "scope"), *device = strstr(scope, prefix);
    assert(h->n_grants < MOST_GRANTS);
    if (!device || !strstr(scope, "urn:matrix:client:api:*") || !*form(c, "client_id")) {
        home_problem(h, "a device grant for the scope \"%s\"", scope);
        oauth_refuse(c, "invalid_scope");
        return;
    }
    struct grant *g = &h->grant[h->n_grants++];
    device += sizeof prefix - 1;
    h->count.codes++;
    *g = (struct grant){.code = home_secret(h, "dc_"),
                        .user_code = home_print(h, "KOI%d", h->n_grants),
                        .client = form(c, "client_id"),
                        .device = call_decode(h, device, strcspn(device, " ")),
                        .expires = home_now(h) + CODE_MS};
    c->answer =
        js_make("{'device_code':%s,'user_code':%s,'verification_uri':'%-s/link',"
                "'verification_uri_complete':'%-s/link?code=%-s','expires_in':%d,"
                "'interval':%d}",
                g->code, g->user_code, h->root, h->root, g->user_code, CODE_MS / 1000, INTERVAL_S);
}

static void tell_oauth(struct mx_call *c, struct token *t)
{
    t->oauth = true;
    tell_tokens(c, t);
    cJSON_DeleteItemFromObjectCaseSensitive(c->answer, "expires_in_ms");
    cJSON_AddStringToObject(c->answer, "token_type", "Bearer");
    if (t->expires > 0)
        cJSON_AddNumberToObject(c->answer, "expires_in",
                                (double)((t->expires - home_now(c->h)) / 1000));
}

static void device_grant(struct mx_call *c)
{
    struct home *h = c->h;
    struct grant *g = NULL;
    for (int i = 0; i < h->n_grants; i++)
        if (strcmp(h->grant[i].code, form(c, "device_code")) == 0)
            g = &h->grant[i];
    int64_t now = home_now(h), since = g ? now - g->asked : 0; /* the first poll may come at once */
    if (g)
        g->asked = now;
    if (!g || g->taken || strcmp(g->client, form(c, "client_id")) != 0)
        oauth_refuse(c, "invalid_grant");
    else if (now >= g->expires)
        oauth_refuse(c, "expired_token");
    else if (g->denied)
        oauth_refuse(c, "access_denied");
    else if (since < 1000 * INTERVAL_S)
        h->count.hurried++, oauth_refuse(c, "slow_down");
    else if (!g->user)
        oauth_refuse(c, "authorization_pending");
    if (c->answer)
        return;
    g->taken = true;
    h->count.logins++;
    tell_oauth(c, token_new(h, g->user, g->device, true));
}

void do_token(struct mx_call *c)
{
    const char *type = form(c, "grant_type");
    struct token *t = NULL;
    if (strcmp(type, "refresh_token") == 0)
        t = exchange(c->h, form(c, "refresh_token"));
    if (t)
        tell_oauth(c, t);
    else if (strcmp(type, DEVICE_GRANT) == 0)
        device_grant(c);
    else
        oauth_refuse(c, *type ? "invalid_grant" : "unsupported_grant_type");
}

/* ---- for the test ---- */

const char *home_user(struct home *h, const char *name)
{
    HOLD(&h->lock);
    assert(h->n_users < MOST_USERS);
    struct user *u = &h->user[h->n_users++];
    *u = (struct user){.id = home_print(h, "@%s:koi.test", name),
                       .password = home_print(h, "pw-%s", name),
                       .name = home_keep(h, name),
                       .picture = ""};
    return u->id;
}

const char *home_token(struct home *h, const char *user)
{
    HOLD(&h->lock);
    return token_new(h, home_find_user(h, user), "D", false)->access;
}

void home_blocks_invites(struct home *h, const char *user)
{
    HOLD(&h->lock);
    home_find_user(h, user)->blocks = true;
}

bool home_confirms(struct home *h, const char *user, const char *user_code, bool allow)
{
    bool found = false;
    HOLD(&h->lock);
    for (int i = 0; i < h->n_grants; i++) {
        struct grant *g = &h->grant[i];
        if (strcmp(g->user_code, user_code) != 0 || g->taken || home_now(h) >= g->expires)
            continue;
        g->user = allow ? home_find_user(h, user) : NULL;
        g->denied = !allow;
        found = true;
    }
    return found;
}

void home_logs_out(struct home *h, const char *user, bool soft)
{
    HOLD(&h->lock);
    for (int i = 0; i < h->n_tokens; i++) {
        struct token *t = &h->token[i];
        if (strcmp(t->user->id, user) != 0)
            continue;
        t->dead = true;
        t->soft = soft;
        if (!soft)
            t->refresh = NULL;
    }
    serve_wake(h->serve);
}
