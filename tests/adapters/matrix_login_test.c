/* Getting and keeping a session: every way in, every way it can end, and never a loop of logins. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "matrix_hs.h"

static const char *const BY_PASSWORD[] = {"homeserver=https://hs.example.org",
                                          "user=@koi:example.org", "password=secret", NULL};
static const char *const BY_TOKEN[] = {"homeserver=https://hs.example.org", "token=tok", NULL};
static const char *const BY_NAME[] = {"user=@koi:example.org", "token=tok", NULL};
static const char *const BY_OAUTH[] = {"homeserver=https://hs.example.org", "oauth=yes", NULL};
static const char WHO[] = "{\"user_id\":\"@koi:example.org\",\"device_id\":\"KOIKOI-DAEMON\"}";
static const char FLOWS[] = "{\"flows\":[{\"type\":\"m.login.password\"}]}";
static const char GONE[] = "{\"errcode\":\"M_UNKNOWN_TOKEN\",\"error\":\"gone\"}";
static const char SOFT[] =
    "{\"errcode\":\"M_UNKNOWN_TOKEN\",\"error\":\"old\",\"soft_logout\":true}";

static bool holds(struct str s, const char *part)
{
    return memmem(s.p, s.n, part, strlen(part)) != NULL;
}

static struct hs *logged_in_by_password(void)
{
    struct hs *p = hs_open(BY_PASSWORD);
    hs_asks(p, "GET", "https://hs.example.org/_matrix/client/v3/login", 200, FLOWS);
    hs_asks(
        p, "POST", "/_matrix/client/v3/login", 200,
        "{\"user_id\":\"@koi:example.org\",\"device_id\":\"KOIKOI-DAEMON\",\"access_token\":\"a1\","
        "\"refresh_token\":\"r1\",\"expires_in_ms\":300000}");
    return p;
}

static void a_server_name_is_looked_up(void **state)
{
    (void)state;
    struct hs *p = hs_open(BY_NAME);
    hs_asks(p, "GET", "https://example.org/.well-known/matrix/client", 200,
            "{\"m.homeserver\":{\"base_url\":\"https://deep.example.org/\"}}");
    assert_true(p->request.follow);
    assert_int_equal(p->request.n_headers, 0);
    hs_asks(p, "GET", "https://deep.example.org/_matrix/client/v3/account/whoami", 200, WHO);
    assert_true(hs_header(&p->request, "Authorization", "Bearer tok"));
    assert_false(holds(p->request.url, "tok"));
    hs_close(p);
}

static void without_well_known_the_name_is_the_host(void **state)
{
    (void)state;
    struct hs *p = hs_open(BY_NAME);
    hs_asks(p, "GET", "/.well-known/matrix/client", 404, "");
    hs_asks(p, "GET", "https://example.org/_matrix/client/v3/account/whoami", 200, WHO);
    hs_close(p);
}

static void a_broken_well_known_ends_it(void **state)
{
    (void)state;
    struct hs *p = hs_open(BY_NAME);
    hs_asks(p, "GET", "/.well-known/matrix/client", 200, "{\"m.homeserver\":{\"base_url\":7}}");
    assert_false(p->good);
    assert_true(p->batch.fatal);
    hs_close(p);
}

static void a_password_is_used_once(void **state)
{
    (void)state;
    struct hs *p = hs_open(BY_PASSWORD);
    hs_asks(p, "GET", "/_matrix/client/v3/login", 200, FLOWS);
    hs_asks(p, "POST", "/_matrix/client/v3/login", 200,
            "{\"user_id\":\"@koi:example.org\",\"device_id\":\"KOIKOI-DAEMON\",\"access_token\":"
            "\"a1\"}");
    hs_body(
        p, "{\"type\":\"m.login.password\",\"identifier\":{\"type\":\"m.id.user\","
           "\"user\":\"@koi:example.org\"},\"password\":\"secret\",\"device_id\":\"KOIKOI-DAEMON\","
           "\"initial_device_display_name\":\"KOIKOI-DAEMON\",\"refresh_token\":true}");
    hs_restart(p, BY_PASSWORD);
    hs_asks(p, "GET", "/account/whoami", 200, WHO);
    assert_true(hs_header(&p->request, "Authorization", "Bearer a1"));
    assert_false(holds(p->cursor, "secret"));
    hs_close(p);
}

static void a_refused_password_is_not_tried_again_soon(void **state)
{
    (void)state;
    struct hs *p = hs_open(BY_PASSWORD);
    hs_asks(p, "GET", "/v3/login", 200, FLOWS);
    hs_asks(p, "POST", "/v3/login", 403,
            "{\"errcode\":\"M_FORBIDDEN\",\"error\":\"Invalid password\"}");
    assert_true(p->batch.fatal);
    assert_non_null(strstr(p->err.text, "M_FORBIDDEN"));
    hs_restart(p, BY_PASSWORD);
    hs_asks(p, "GET", "/v3/login", 200, FLOWS);
    assert_true(p->good);
    assert_int_equal(p->batch.wait_ms, 15 * 1000);
    hs_asks(p, "GET", "/v3/login", 200, FLOWS);
    p->now += 15 * 1000;
    hs_asks(p, "GET", "/v3/login", 200, FLOWS);
    assert_int_equal(p->batch.wait_ms, 0);
    hs_asks(p, "POST", "/v3/login", 403, "{\"errcode\":\"M_FORBIDDEN\"}");
    hs_restart(p, BY_PASSWORD);
    hs_asks(p, "GET", "/v3/login", 200, FLOWS);
    assert_int_equal(p->batch.wait_ms, 30 * 1000);
    hs_close(p);
}

static void a_server_without_passwords_says_so(void **state)
{
    (void)state;
    struct hs *p = hs_open(BY_PASSWORD);
    hs_asks(p, "GET", "/v3/login", 404, "{\"errcode\":\"M_UNRECOGNIZED\"}");
    assert_true(p->batch.fatal);
    assert_non_null(strstr(p->err.text, "oauth"));
    hs_close(p);
}

static void a_token_that_is_refused_ends_it(void **state)
{
    (void)state;
    struct hs *p = hs_open(BY_TOKEN);
    hs_asks(p, "GET", "/account/whoami", 401, GONE);
    assert_false(p->good);
    assert_true(p->batch.fatal);
    assert_null(strstr(p->err.text, "tok "));
    hs_close(p);
}

static void a_foreign_token_is_noticed(void **state)
{
    (void)state;
    struct hs *p = hs_open(BY_NAME);
    hs_asks(p, "GET", "/.well-known", 404, "");
    hs_asks(p, "GET", "/account/whoami", 200, "{\"user_id\":\"@eve:example.org\"}");
    assert_true(p->batch.fatal);
    hs_close(p);
}

/* The new pair is in the cursor before any request carries it; if storing it failed, the old one
 * asks again. */
static void tokens_rotate_only_when_stored(void **state)
{
    (void)state;
    struct hs *p = logged_in_by_password();
    hs_asks(p, "GET", "/account/whoami", 200, WHO);
    p->now += 280 * 1000;
    hs_asks(p, "GET", "/account_data/m.direct", 404, "{}");
    struct str old = p->cursor;
    hs_asks(p, "POST", "/_matrix/client/v3/refresh", 200,
            "{\"access_token\":\"a2\",\"refresh_token\":\"r2\",\"expires_in_ms\":300000}");
    hs_body(p, "{\"refresh_token\":\"r1\"}");
    assert_false(hs_header(&p->request, "Authorization", "Bearer a1"));
    assert_true(holds(p->cursor, "a2") && holds(p->cursor, "r2"));
    struct str stored = p->cursor;
    p->cursor = old; /* the commit failed */
    hs_asks(p, "POST", "/_matrix/client/v3/refresh", 503, "");
    hs_body(p, "{\"refresh_token\":\"r1\"}");
    p->cursor = stored; /* it did not */
    hs_asks(p, "GET", "/v3/sync", 200, "{\"next_batch\":\"s1\"}");
    assert_true(hs_header(&p->request, "Authorization", "Bearer a2"));
    hs_close(p);
}

static void a_soft_logout_is_refreshed(void **state)
{
    (void)state;
    struct hs *p = logged_in_by_password();
    hs_asks(p, "GET", "/account/whoami", 200, WHO);
    hs_asks(p, "GET", "/account_data/m.direct", 401, SOFT);
    assert_true(p->good);
    hs_asks(p, "POST", "/v3/refresh", 500, "<html>");
    assert_false(p->good);
    assert_true(p->batch.wait_ms > 0);
    hs_asks(p, "POST", "/v3/refresh", 200, "{\"access_token\":\"a2\"}");
    hs_asks(p, "GET", "/account/whoami", 200, WHO);
    assert_true(hs_header(&p->request, "Authorization", "Bearer a2"));
    hs_close(p);
}

/* Logged out for good: one more login with the password, but at most one an hour. */
static void a_logout_leads_to_one_login_an_hour(void **state)
{
    (void)state;
    struct hs *p = logged_in_by_password();
    hs_asks(p, "GET", "/account/whoami", 401, GONE);
    hs_asks(p, "POST", "/v3/refresh", 401, GONE);
    assert_true(p->good);
    hs_asks(p, "GET", "/v3/login", 200, FLOWS);
    assert_int_equal(p->batch.wait_ms, 3600 * 1000);
    p->now += 3600 * 1000;
    hs_asks(p, "GET", "/v3/login", 200, FLOWS);
    assert_int_equal(p->batch.wait_ms, 0);
    hs_asks(p, "POST", "/v3/login", 429,
            "{\"errcode\":\"M_LIMIT_EXCEEDED\",\"retry_after_ms\":90000}");
    assert_false(p->batch.fatal);
    assert_true(p->batch.wait_ms >= 90000);
    hs_close(p);
}

static struct hs *has_a_code(void)
{
    struct hs *p = hs_open(BY_OAUTH);
    hs_asks(p, "GET", "/_matrix/client/v1/auth_metadata", 200,
            "{\"issuer\":\"https://auth.example.org/\",\"token_endpoint\":\"https://"
            "auth.example.org/token\","
            "\"registration_endpoint\":\"https://auth.example.org/register\","
            "\"device_authorization_endpoint\":\"https://auth.example.org/device\"}");
    hs_asks(p, "POST", "https://auth.example.org/register", 201, "{\"client_id\":\"C 1\"}");
    assert_false(p->good); /* a client id with a blank is none */
    hs_asks(p, "POST", "https://auth.example.org/register", 201, "{\"client_id\":\"C1\"}");
    hs_body(
        p,
        "{\"client_name\":\"KOIKOI-DAEMON\",\"client_uri\":\"https://hs.example.org/\","
        "\"application_type\":\"native\",\"token_endpoint_auth_method\":\"none\",\"grant_types\":"
        "[\"urn:ietf:params:oauth:grant-type:device_code\",\"refresh_token\"],\"response_types\":[]"
        "}");
    hs_asks(p, "POST", "https://auth.example.org/device", 200,
            "{\"device_code\":\"DC\",\"user_code\":\"AB-CD\",\"verification_uri\":"
            "\"https://auth.example.org/link\",\"expires_in\":1200,\"interval\":5}");
    return p;
}

static void a_person_lets_the_daemon_in(void **state)
{
    (void)state;
    struct hs *p = has_a_code();
    assert_true(holds(p->batch.note, "https://auth.example.org/link") &&
                holds(p->batch.note, "AB-CD"));
    assert_int_equal(p->batch.wait_ms, 5000);
    hs_asks(p, "POST", "https://auth.example.org/token", 400,
            "{\"error\":\"authorization_pending\"}");
    assert_int_equal(p->batch.wait_ms, 5000);
    hs_asks(p, "POST", "https://auth.example.org/token", 400, "{\"error\":\"slow_down\"}");
    assert_int_equal(p->batch.wait_ms, 10000);
    hs_asks(p, "POST", "https://auth.example.org/token", 200,
            "{\"access_token\":\"a1\",\"refresh_token\":\"r1\",\"expires_in\":300}");
    assert_str(p->request.body, "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code"
                                "&client_id=C1&device_code=DC");
    hs_restart(p, BY_OAUTH);
    hs_asks(p, "GET", "/account/whoami", 200, WHO);
    p->now += 290 * 1000;
    hs_asks(p, "GET", "/m.direct", 404, "{}");
    hs_asks(p, "POST", "https://auth.example.org/token", 200,
            "{\"access_token\":\"a2\",\"refresh_token\":\"r2\",\"expires_in\":300}");
    assert_str(p->request.body, "grant_type=refresh_token&client_id=C1&refresh_token=r1");
    hs_asks(p, "GET", "/v3/sync", 200, "{\"next_batch\":\"s1\"}");
    assert_true(hs_header(&p->request, "Authorization", "Bearer a2"));
    hs_close(p);
}

static void a_code_nobody_confirms_is_replaced(void **state)
{
    (void)state;
    struct hs *p = has_a_code();
    hs_asks(p, "POST", "https://auth.example.org/token", 400, "{\"error\":\"expired_token\"}");
    assert_true(p->good && p->batch.wait_ms > 0);
    hs_asks(p, "POST", "https://auth.example.org/device", 503, "");
    assert_false(p->batch.fatal);
    hs_close(p);
}

static void other_options_begin_anew(void **state)
{
    (void)state;
    struct hs *p = logged_in_by_password();
    hs_restart(p, BY_TOKEN);
    hs_asks(p, "GET", "/account/whoami", 200, WHO);
    assert_true(hs_header(&p->request, "Authorization", "Bearer tok"));
    hs_close(p);
}

static void tokens_that_break_headers_are_not_taken(void **state)
{
    (void)state;
    struct hs *p = hs_open(BY_PASSWORD);
    hs_asks(p, "GET", "/v3/login", 200, FLOWS);
    hs_asks(p, "POST", "/v3/login", 200,
            "{\"access_token\":\"a\\nX-Evil: 1\",\"user_id\":\"@koi:example.org\"}");
    assert_false(p->good);
    hs_close(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_server_name_is_looked_up),
        cmocka_unit_test(without_well_known_the_name_is_the_host),
        cmocka_unit_test(a_broken_well_known_ends_it),
        cmocka_unit_test(a_password_is_used_once),
        cmocka_unit_test(a_refused_password_is_not_tried_again_soon),
        cmocka_unit_test(a_server_without_passwords_says_so),
        cmocka_unit_test(a_token_that_is_refused_ends_it),
        cmocka_unit_test(a_foreign_token_is_noticed),
        cmocka_unit_test(tokens_rotate_only_when_stored),
        cmocka_unit_test(a_soft_logout_is_refreshed),
        cmocka_unit_test(a_logout_leads_to_one_login_an_hour),
        cmocka_unit_test(a_person_lets_the_daemon_in),
        cmocka_unit_test(a_code_nobody_confirms_is_replaced),
        cmocka_unit_test(other_options_begin_anew),
        cmocka_unit_test(tokens_that_break_headers_are_not_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
