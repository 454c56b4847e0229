/* koikoi doctor on Matrix: what it finds out on homeservers of several kinds, and what it leaves
 * behind (nothing). */
#include "adapters/matrix_table.h"

#include "adapters/matrix_hs.h"
#include "http.h"
#include "log.h"

enum { MOST_FOUND = 32, ARENA = 64 << 20, QUESTIONS = 64 };

extern const struct adapter matrix_adapter;

static struct err err;
static struct arena *arena;
static struct finding found[MOST_FOUND];
static int n_found;
static int64_t clock_off; /* of this machine, ms */

static int setup(void **state)
{
    (void)state;
    static const char *const none[] = {NULL};
    arena = arena_open(ARENA);
    clock_off = 0;
    table_lay(none);
    return life_setup() ? 0 : 1;
}

static int teardown(void **state)
{
    arena_close(arena);
    return table_teardown(state);
}

static struct reply asked(struct http *http, const struct request *question)
{
    struct http_done done;
    http_start(http, question, http);
    while (!http_take(http, &done))
        http_wait(http, NULL, 0, 1000);
    done.reply.now = *life_clock() + clock_off;
    done.reply.date = *life_clock();
    done.reply.body = arena_str(arena, done.reply.body);
    return done.reply;
}

/* As koikoi doctor does it. */
static void examine(const char *const *options)
{
    struct http *http;
    struct reply reply;
    uint32_t can = matrix_adapter.can;
    struct limits limits = matrix_adapter.limits;
    const char *all[8] = {arena_print(arena, "homeserver=%s/", home_root(table_home)).p};
    for (int i = 0; options[i]; i++)
        all[i + 1] = options[i];
    void *account = hs_account(arena, all);
    OK(matrix_adapter.open(account, arena, &can, &limits, &err));
    OK(http_open(&http, &err));
    n_found = 0;
    for (int i = 0; i < QUESTIONS; i++) {
        struct request next = {.kind = REQUEST_NONE};
        struct findings now = {0};
        matrix_adapter.examine(account, arena, i > 0 ? &reply : NULL, &next, &now);
        for (int k = 0; k < now.n; k++)
            found[n_found++] = now.at[k];
        if (next.kind != REQUEST_HTTP)
            break;
        life_waits(now.wait_ms);
        reply = asked(http, &next);
    }
    http_close(http);
    matrix_adapter.close(account);
}

static bool says(enum found kind, const char *part)
{
    for (int i = 0; i < n_found; i++)
        if (found[i].found == kind && strstr(arena_str(arena, found[i].text).p, part))
            return true;
    return false;
}

static void must_say(enum found kind, const char *part)
{
    if (says(kind, part))
        return;
    for (int i = 0; i < n_found; i++)
        print_message("%d %.*s\n", (int)found[i].found, STR_ARG(found[i].text));
    fail_msg("does not say: %s", part);
}

static int count(enum found kind)
{
    int n = 0;
    for (int i = 0; i < n_found; i++)
        n += found[i].found == kind;
    return n;
}

static void nothing_is_left(void)
{
    const char *room;
    assert_string_equal(home_problems(table_home), "");
    for (int i = 0; (room = home_room_of(table_home, i)); i++)
        assert_string_equal(home_membership(table_home, room, "@bot:koi.test"), "leave");
}

static const char *const BY_PASSWORD[] = {"user=@bot:koi.test", "password=pw-bot", NULL};

static void all_is_well(void **state)
{
    (void)state;
    home_setup(table_home)->per_second = 0.2;
    home_setup(table_home)->burst = 10;
    examine(BY_PASSWORD);
    must_say(FOUND_FINE, "speaks Matrix up to v1.16");
    must_say(FOUND_FINE, "clock of this machine agrees");
    must_say(FOUND_FINE, "we are @bot:koi.test, on the device KOIKOI-DOCTOR");
    must_say(FOUND_FINE, "tokens do not expire");
    must_say(FOUND_FINE, "private chats that the bot makes are not encrypted");
    must_say(FOUND_FINE, "10 events at once and then 12 a minute");
    assert_int_equal(count(FOUND_WRONG) + count(FOUND_ADVICE), 0);
    assert_int_equal(home_counts(table_home).logins, 1);
    nothing_is_left();
}

/* What the daemon is logged in with goes on working. */
static void beside_a_daemon(void **state)
{
    (void)state;
    home_setup(table_home)->token_ms = 3600 * 1000;
    table_sit(2, "standard 3", PEOPLE_VOTE);
    struct life *l = table_daemon();
    table_goes_on_to(l, 9);
    examine(BY_PASSWORD);
    must_say(FOUND_FINE, "live for 3600 s and are renewed by themselves");
    table_goes_on(l);
    assert_int_equal(home_counts(table_home).logins, 2);
    assert_int_equal(home_counts(table_home).refreshes, 0);
    assert_string_equal(home_problems(table_home), "");
    life_close(l);
}

static void a_server_without_limits(void **state)
{
    (void)state;
    examine(BY_PASSWORD);
    must_say(FOUND_ADVICE, "12 events at once met no limit: with pace = 0 nobody waits for ours");
    static const char *const unhurried[] = {"user=@bot:koi.test", "password=pw-bot", "pace=0",
                                            NULL};
    examine(unhurried);
    must_say(FOUND_FINE, "12 events at once met no limit");
    nothing_is_left();
}

static void a_server_that_is_stricter_than_we_think(void **state)
{
    (void)state;
    home_setup(table_home)->per_second = 0.1;
    home_setup(table_home)->burst = 5;
    examine(BY_PASSWORD);
    must_say(FOUND_ADVICE, "set pace = 6 and burst = 5");
    nothing_is_left();
}

static void a_server_that_encrypts(void **state)
{
    (void)state;
    home_setup(table_home)->encrypts = true;
    examine(BY_PASSWORD);
    must_say(FOUND_ADVICE, "encryption_enabled_by_default_for_room_type");
    nothing_is_left();
}

static void what_is_refused_is_said(void **state)
{
    (void)state;
    static const char *const bad_password[] = {"user=@bot:koi.test", "password=pw-ann", NULL};
    static const char *const bad_token[] = {"token=stolen", NULL};
    examine(bad_password);
    must_say(FOUND_WRONG, "the login of @bot:koi.test is refused");
    examine(bad_token);
    must_say(FOUND_WRONG, "the access token is not taken");
    home_user(table_home, "eve");
    const char *foreign[] = {
        arena_print(arena, "token=%s", home_token(table_home, "@eve:koi.test")).p,
        "user=@bot:koi.test", NULL};
    examine(foreign);
    must_say(FOUND_WRONG, "is that of @eve:koi.test, not of @bot:koi.test");
    for (int i = 0; i < n_found; i++)
        assert_null(strstr(arena_str(arena, found[i].text).p, "pw-"));
}

static void a_server_with_oauth_alone(void **state)
{
    (void)state;
    static const char *const oauth[] = {"oauth=yes", NULL};
    home_setup(table_home)->oauth = true;
    examine(oauth);
    must_say(FOUND_FINE, "the device grant is offered");
    examine(BY_PASSWORD);
    must_say(FOUND_WRONG, "set oauth = yes");
    home_setup(table_home)->oauth = false;
    examine(oauth);
    must_say(FOUND_WRONG, "does not offer the OAuth device grant");
}

static void nobody_is_there(void **state)
{
    (void)state;
    home_rests(table_home, *life_clock() + 1000);
    examine(BY_PASSWORD);
    must_say(FOUND_WRONG, "no Matrix homeserver answers");
}

static void a_clock_that_is_off(void **state)
{
    (void)state;
    clock_off = 90 * 1000;
    examine(BY_PASSWORD);
    must_say(FOUND_WRONG, "is 90 s fast");
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    log_open(LOG_NOTHING);
    const struct CMUnitTest tests[] = {
        T(all_is_well),
        T(beside_a_daemon),
        T(a_server_without_limits),
        T(a_server_that_is_stricter_than_we_think),
        T(a_server_that_encrypts),
        T(what_is_refused_is_said),
        T(a_server_with_oauth_alone),
        T(nobody_is_there),
        T(a_clock_that_is_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
