/* Getting and keeping a session: each kind of login, each end of a session, and no loop of
 * logins. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "adapters/matrix/matrix_exchange.h"

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

static struct matrix_exchange *logged_in_by_password(void)
{
    struct matrix_exchange *p = exchange_open(BY_PASSWORD);
    exchange_poll(p, "GET", "https://hs.example.org/_matrix/client/v3/login", 200, FLOWS);
    exchange_poll(
        p, "POST", "/_matrix/client/v3/login", 200,
        "{\"user_id\":\"@koi:example.org\",\"device_id\":\"KOIKOI-DAEMON\",\"access_token\":\"a1\","
        "\"refresh_token\":\"r1\",\"expires_in_ms\":300000}");
    return p;
}

static void server_name_found_by_well_known(void **state)
{
    (void)state;
    struct matrix_exchange *p = exchange_open(BY_NAME);
    exchange_poll(p, "GET", "https://example.org/.well-known/matrix/client", 200,
                  "{\"m.homeserver\":{\"base_url\":\"https://deep.example.org/\"}}");
    assert_true(p->request.follow);
    assert_int_equal(p->request.n_headers, 0);
    exchange_poll(p, "GET", "https://deep.example.org/_matrix/client/v3/account/whoami", 200, WHO);
    assert_true(exchange_header(&p->request, "Authorization", "Bearer tok"));
    assert_false(holds(p->request.url, "tok"));
    exchange_close(p);
}

static void without_well_known_the_name_is_the_host(void **state)
{
    (void)state;
    struct matrix_exchange *p = exchange_open(BY_NAME);
    exchange_poll(p, "GET", "/.well-known/matrix/client", 404, "");
    exchange_poll(p, "GET", "https://example.org/_matrix/client/v3/account/whoami", 200, WHO);
    exchange_close(p);
}

static void broken_well_known_is_fatal(void **state)
{
    (void)state;
    struct matrix_exchange *p = exchange_open(BY_NAME);
    exchange_poll(p, "GET", "/.well-known/matrix/client", 200,
                  "{\"m.homeserver\":{\"base_url\":7}}");
    assert_false(p->good);
    assert_true(p->batch.fatal);
    exchange_close(p);
}

static void password_is_used_once(void **state)
{
    (void)state;
    struct matrix_exchange *p = exchange_open(BY_PASSWORD);
    exchange_poll(p, "GET", "/_matrix/client/v3/login", 200, FLOWS);
    exchange_poll(
        p, "POST", "/_matrix/client/v3/login", 200,
        "{\"user_id\":\"@koi:example.org\",\"device_id\":\"KOIKOI-DAEMON\",\"access_token\":"
        "\"a1\"}");
    exchange_body(
        p, "{\"type\":\"m.login.password\",\"identifier\":{\"type\":\"m.id.user\","
           "\"user\":\"@koi:example.org\"},\"password\":\"secret\",\"device_id\":\"KOIKOI-DAEMON\","
           "\"initial_device_display_name\":\"KOIKOI-DAEMON\",\"refresh_token\":true}");
    exchange_restart(p, BY_PASSWORD);
    exchange_poll(p, "GET", "/account/whoami", 200, WHO);
    assert_true(exchange_header(&p->request, "Authorization", "Bearer a1"));
    assert_false(holds(p->cursor, "secret"));
    exchange_close(p);
}

static void refused_password_waits_before_the_next_try(void **state)
{
    (void)state;
    struct matrix_exchange *p = exchange_open(BY_PASSWORD);
    exchange_poll(p, "GET", "/v3/login", 200, FLOWS);
    exchange_poll(p, "POST", "/v3/login", 403,
                  "{\"errcode\":\"M_FORBIDDEN\",\"error\":\"Invalid password\"}");
    assert_true(p->batch.fatal);
    assert_non_null(strstr(p->err.text, "M_FORBIDDEN"));
    exchange_restart(p, BY_PASSWORD);
    exchange_poll(p, "GET", "/v3/login", 200, FLOWS);
    assert_true(p->good);
    assert_int_equal(p->batch.wait_ms, 15 * 1000);
    exchange_poll(p, "GET", "/v3/login", 200, FLOWS);
    p->now += 15 * 1000;
    exchange_poll(p, "GET", "/v3/login", 200, FLOWS);
    assert_int_equal(p->batch.wait_ms, 0);
    exchange_poll(p, "POST", "/v3/login", 403, "{\"errcode\":\"M_FORBIDDEN\"}");
    exchange_restart(p, BY_PASSWORD);
    exchange_poll(p, "GET", "/v3/login", 200, FLOWS);
    assert_int_equal(p->batch.wait_ms, 30 * 1000);
    exchange_close(p);
}

static void server_without_passwords_is_fatal(void **state)
{
    (void)state;
    struct matrix_exchange *p = exchange_open(BY_PASSWORD);
    exchange_poll(p, "GET", "/v3/login", 404, "{\"errcode\":\"M_UNRECOGNIZED\"}");
    assert_true(p->batch.fatal);
    assert_non_null(strstr(p->err.text, "oauth"));
    exchange_close(p);
}

static void refused_token_is_fatal(void **state)
{
    (void)state;
    struct matrix_exchange *p = exchange_open(BY_TOKEN);
    exchange_poll(p, "GET", "/account/whoami", 401, GONE);
    assert_false(p->good);
    assert_true(p->batch.fatal);
    assert_null(strstr(p->err.text, "tok "));
    exchange_close(p);
}

static void token_of_another_user_is_fatal(void **state)
{
    (void)state;
    struct matrix_exchange *p = exchange_open(BY_NAME);
    exchange_poll(p, "GET", "/.well-known", 404, "");
    exchange_poll(p, "GET", "/account/whoami", 200, "{\"user_id\":\"@eve:example.org\"}");
    assert_true(p->batch.fatal);
    exchange_close(p);
}

/* The new pair is in the cursor before any request carries it; if the commit failed, the old pair
 * refreshes again. */
static void tokens_rotate_only_when_stored(void **state)
{
    (void)state;
    struct matrix_exchange *p = logged_in_by_password();
    exchange_poll(p, "GET", "/account/whoami", 200, WHO);
    p->now += 280 * 1000;
    exchange_poll(p, "GET", "/account_data/m.direct", 404, "{}");
    struct str old = p->cursor;
    exchange_poll(p, "POST", "/_matrix/client/v3/refresh", 200,
                  "{\"access_token\":\"a2\",\"refresh_token\":\"r2\",\"expires_in_ms\":300000}");
    exchange_body(p, "{\"refresh_token\":\"r1\"}");
    assert_false(exchange_header(&p->request, "Authorization", "Bearer a1"));
    assert_true(holds(p->cursor, "a2") && holds(p->cursor, "r2"));
    struct str stored = p->cursor;
    p->cursor = old; /* the commit failed */
    exchange_poll(p, "POST", "/_matrix/client/v3/refresh", 503, "");
    exchange_body(p, "{\"refresh_token\":\"r1\"}");
    p->cursor = stored; /* it did not */
    exchange_poll(p, "GET", "/v3/sync", 200, "{\"next_batch\":\"s1\"}");
    assert_true(exchange_header(&p->request, "Authorization", "Bearer a2"));
    exchange_close(p);
}

static void soft_logout_refreshes(void **state)
{
    (void)state;
    struct matrix_exchange *p = logged_in_by_password();
    exchange_poll(p, "GET", "/account/whoami", 200, WHO);
    exchange_poll(p, "GET", "/account_data/m.direct", 401, SOFT);
    assert_true(p->good);
    exchange_poll(p, "POST", "/v3/refresh", 500, "<html>");
    assert_false(p->good);
    assert_true(p->batch.wait_ms > 0);
    exchange_poll(p, "POST", "/v3/refresh", 200, "{\"access_token\":\"a2\"}");
    exchange_poll(p, "GET", "/account/whoami", 200, WHO);
    assert_true(exchange_header(&p->request, "Authorization", "Bearer a2"));
    exchange_close(p);
}

/* A hard logout: one more login by password soon, then at most one an hour; the log says when. */
static void one_early_login_then_one_an_hour(void **state)
{
    (void)state;
    struct matrix_exchange *p = logged_in_by_password();
    exchange_poll(p, "GET", "/account/whoami", 401, GONE);
    exchange_poll(p, "POST", "/v3/refresh", 401, GONE);
    assert_true(p->good);
    exchange_poll(p, "GET", "/v3/login", 200, FLOWS);
    assert_int_equal(p->batch.wait_ms, 60 * 1000);
    assert_true(holds(p->batch.note, "in 1 min"));
    p->now += 60 * 1000;
    exchange_poll(p, "GET", "/v3/login", 200, FLOWS);
    assert_int_equal(p->batch.wait_ms, 0);
    exchange_poll(p, "POST", "/v3/login", 200,
                  "{\"user_id\":\"@koi:example.org\",\"access_token\":\"b1\",\"device_id\":\"D\"}");
    exchange_poll(p, "GET", "/account/whoami", 401, GONE);
    exchange_poll(p, "GET", "/v3/login", 200, FLOWS);
    assert_int_equal(p->batch.wait_ms, 3600 * 1000);
    assert_true(holds(p->batch.note, "UTC, in 60 min"));
    p->now += 3600 * 1000;
    exchange_poll(p, "GET", "/v3/login", 200, FLOWS);
    assert_int_equal(p->batch.wait_ms, 0);
    exchange_poll(p, "POST", "/v3/login", 429,
                  "{\"errcode\":\"M_LIMIT_EXCEEDED\",\"retry_after_ms\":90000}");
    assert_false(p->batch.fatal);
    assert_true(p->batch.wait_ms >= 90000);
    exchange_close(p);
}

static struct matrix_exchange *has_a_code(void)
{
    struct matrix_exchange *p = exchange_open(BY_OAUTH);
    exchange_poll(p, "GET", "/_matrix/client/v1/auth_metadata", 200,
                  "{\"issuer\":\"https://auth.example.org/\",\"token_endpoint\":\"https://"
                  "auth.example.org/token\","
                  "\"registration_endpoint\":\"https://auth.example.org/register\","
                  "\"device_authorization_endpoint\":\"https://auth.example.org/device\"}");
    exchange_poll(p, "POST", "https://auth.example.org/register", 201, "{\"client_id\":\"C 1\"}");
    assert_false(p->good); /* a client id with a blank is invalid */
    exchange_poll(p, "POST", "https://auth.example.org/register", 201, "{\"client_id\":\"C1\"}");
    exchange_body(
        p,
        "{\"client_name\":\"KOIKOI-DAEMON\",\"client_uri\":\"https://hs.example.org/\","
        "\"application_type\":\"native\",\"token_endpoint_auth_method\":\"none\",\"grant_types\":"
        "[\"urn:ietf:params:oauth:grant-type:device_code\",\"refresh_token\"],\"response_types\":[]"
        "}");
    exchange_poll(p, "POST", "https://auth.example.org/device", 200,
                  "{\"device_code\":\"DC\",\"user_code\":\"AB-CD\",\"verification_uri\":"
                  "\"https://auth.example.org/link\",\"expires_in\":1200,\"interval\":5}");
    return p;
}

static void busy_homeserver_is_asked_again_for_its_oauth(void **state)
{
    (void)state;
    struct matrix_exchange *p = exchange_open(BY_OAUTH);
    exchange_poll(p, "GET", "/_matrix/client/v1/auth_metadata", 429,
                  "{\"errcode\":\"M_LIMIT_EXCEEDED\",\"retry_after_ms\":90000}");
    assert_false(p->batch.fatal);
    assert_true(p->batch.wait_ms >= 90000);
    p->now += 90000;
    exchange_poll(p, "GET", "/_matrix/client/v1/auth_metadata", 502, "<html>");
    assert_false(p->batch.fatal);
    assert_true(p->batch.wait_ms > 0);
    p->now += p->batch.wait_ms;
    exchange_poll(p, "GET", "/_matrix/client/v1/auth_metadata", 404,
                  "{\"errcode\":\"M_UNRECOGNIZED\"}");
    assert_true(p->batch.fatal);
    exchange_close(p);
}

static void device_grant_confirmed_by_a_person(void **state)
{
    (void)state;
    struct matrix_exchange *p = has_a_code();
    assert_true(holds(p->batch.note, "https://auth.example.org/link") &&
                holds(p->batch.note, "AB-CD"));
    assert_int_equal(p->batch.wait_ms, 5000);
    exchange_poll(p, "POST", "https://auth.example.org/token", 400,
                  "{\"error\":\"authorization_pending\"}");
    assert_int_equal(p->batch.wait_ms, 5000);
    exchange_poll(p, "POST", "https://auth.example.org/token", 400, "{\"error\":\"slow_down\"}");
    assert_int_equal(p->batch.wait_ms, 10000);
    exchange_poll(p, "POST", "https://auth.example.org/token", 200,
                  "{\"access_token\":\"a1\",\"refresh_token\":\"r1\",\"expires_in\":300}");
    assert_str(p->request.body, "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code"
                                "&client_id=C1&device_code=DC");
    assert_true(exchange_header(&p->request, "Content-Type", "application/x-www-form-urlencoded"));
    exchange_restart(p, BY_OAUTH);
    exchange_poll(p, "GET", "/account/whoami", 200, WHO);
    p->now += 290 * 1000;
    exchange_poll(p, "GET", "/m.direct", 404, "{}");
    exchange_poll(p, "POST", "https://auth.example.org/token", 200,
                  "{\"access_token\":\"a2\",\"refresh_token\":\"r2\",\"expires_in\":300}");
    assert_str(p->request.body, "grant_type=refresh_token&client_id=C1&refresh_token=r1");
    exchange_poll(p, "GET", "/v3/sync", 200, "{\"next_batch\":\"s1\"}");
    assert_true(exchange_header(&p->request, "Authorization", "Bearer a2"));
    exchange_close(p);
}

static void expired_device_code_is_replaced(void **state)
{
    (void)state;
    struct matrix_exchange *p = has_a_code();
    exchange_poll(p, "POST", "https://auth.example.org/token", 400,
                  "{\"error\":\"expired_token\"}");
    assert_true(p->good && p->batch.wait_ms > 0);
    exchange_poll(p, "POST", "https://auth.example.org/device", 503, "");
    assert_false(p->batch.fatal);
    exchange_close(p);
}

static void other_options_start_a_new_session(void **state)
{
    (void)state;
    struct matrix_exchange *p = logged_in_by_password();
    exchange_restart(p, BY_TOKEN);
    exchange_poll(p, "GET", "/account/whoami", 200, WHO);
    assert_true(exchange_header(&p->request, "Authorization", "Bearer tok"));
    exchange_close(p);
}

static void tokens_with_line_feeds_are_refused(void **state)
{
    (void)state;
    struct matrix_exchange *p = exchange_open(BY_PASSWORD);
    exchange_poll(p, "GET", "/v3/login", 200, FLOWS);
    exchange_poll(p, "POST", "/v3/login", 200,
                  "{\"access_token\":\"a\\nX-Evil: 1\",\"user_id\":\"@koi:example.org\"}");
    assert_false(p->good);
    exchange_close(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(server_name_found_by_well_known),
        cmocka_unit_test(without_well_known_the_name_is_the_host),
        cmocka_unit_test(broken_well_known_is_fatal),
        cmocka_unit_test(password_is_used_once),
        cmocka_unit_test(refused_password_waits_before_the_next_try),
        cmocka_unit_test(server_without_passwords_is_fatal),
        cmocka_unit_test(refused_token_is_fatal),
        cmocka_unit_test(token_of_another_user_is_fatal),
        cmocka_unit_test(tokens_rotate_only_when_stored),
        cmocka_unit_test(soft_logout_refreshes),
        cmocka_unit_test(one_early_login_then_one_an_hour),
        cmocka_unit_test(busy_homeserver_is_asked_again_for_its_oauth),
        cmocka_unit_test(device_grant_confirmed_by_a_person),
        cmocka_unit_test(expired_device_code_is_replaced),
        cmocka_unit_test(other_options_start_a_new_session),
        cmocka_unit_test(tokens_with_line_feeds_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
