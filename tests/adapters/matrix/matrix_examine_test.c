/* koikoi doctor on Matrix: its findings on several kinds of homeservers. It must leave nothing
 * behind. */
#include "adapters/matrix/matrix_fixture.h"

#include "adapters/account.h"
#include "embedded.h"
#include "http.h"

enum { MOST_FOUND = 32, ARENA = 64 << 20, QUESTIONS = 64 };

extern const struct adapter matrix_adapter;

static struct err err;
static struct arena *arena;
static struct finding found[MOST_FOUND];
static int n_found;
static int64_t clock_off; /* of this machine, ms */
static struct exam exam;

FIXTURE(setup)
{
    static const char *const none[] = {NULL};
    arena = arena_open(ARENA);
    clock_off = 0;
    exam =
        (struct exam){.name = STR("Koi-Koi"), .picture = embedded_find(STR("decks/profile.png"))};
    matrix_fixture_open(none);
    return daemon_run_setup() ? 0 : 1;
}

static int teardown(void **state)
{
    arena_close(arena);
    return matrix_fixture_teardown(state);
}

static struct reply asked(struct http *http, const struct request *question)
{
    struct http_done done;
    http_start(http, question, http);
    while (!http_take(http, &done))
        http_wait(http, NULL, 0, 1000);
    done.reply.now = *daemon_run_clock() + clock_off;
    done.reply.date = *daemon_run_clock();
    done.reply.body = arena_str(arena, done.reply.body);
    return done.reply;
}

/* As koikoi doctor does it. */
static void examine(const char *const *options)
{
    struct http *http;
    struct reply reply;
    const char *all[8] = {arena_print(arena, "homeserver=%s/", home_root(matrix_home)).p};
    for (int i = 0; options[i]; i++)
        all[i + 1] = options[i];
    void *account = test_account_open(arena, &matrix_adapter, all);
    OK(http_open(&http, &err));
    matrix_adapter.exam(account, &exam);
    n_found = 0;
    for (int i = 0; i < QUESTIONS; i++) {
        struct request next = {.kind = REQUEST_NONE};
        struct findings now = {0};
        matrix_adapter.examine(account, arena, i > 0 ? &reply : NULL, &next, &now);
        for (int k = 0; k < now.n; k++)
            found[n_found++] = now.at[k];
        if (next.kind != REQUEST_HTTP)
            break;
        daemon_run_pause(now.wait_ms);
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

/* The doctor created no room and sent nothing. */
static void assert_no_room(void)
{
    assert_string_equal(home_problems(matrix_home), "");
    assert_null(home_room_id(matrix_home, 0));
    assert_int_equal(home_counts(matrix_home).sent, 0);
}

static const char *const BY_PASSWORD[] = {"user=@bot:koi.test", "password=pw-bot", NULL};

TEST_WITH(healthy_account, setup, teardown)
{
    home_setup(matrix_home)->per_second = 0.2;
    home_setup(matrix_home)->burst = 10;
    examine((const char *const[]){"user=@bot:koi.test", "password=pw-bot", "e2ee=no", NULL});
    must_say(FOUND_FINE, "speaks Matrix up to v1.16");
    must_say(FOUND_FINE, "clock of this machine agrees");
    must_say(FOUND_FINE, "we are @bot:koi.test, on the device KOIKOI-DOCTOR");
    must_say(FOUND_FINE, "tokens do not expire");
    must_say(FOUND_FINE, "/_synapse/admin/v1/users/@bot:koi.test/override_ratelimit");
    must_say(FOUND_ADVICE, "@bot:koi.test has no picture: koikoi doctor --set-profile");
    assert_int_equal(count(FOUND_WRONG) + count(FOUND_ADVICE), 1);
    assert_int_equal(home_counts(matrix_home).logins, 1);
    assert_no_room();
}

/* What a daemon with these options would have stored. */
static struct str stored(const char *since)
{
    struct str options =
        arena_print(arena, "%s/\n@bot:koi.test\n\nKOIKOI-DAEMON\n0", home_root(matrix_home));
    return arena_print(arena, "{\"v\":1,\"setup\":\"%016llx\",\"born\":1,\"since\":\"%s\"}",
                       (unsigned long long)str_hash(options), since);
}

TEST_WITH(position_of_the_last_sync, setup, teardown)
{
    const char *const options[] = {"user=@bot:koi.test", "password=pw-bot", "e2ee=no", NULL};
    exam.cursor = stored("s0");
    examine(options);
    must_say(FOUND_FINE, "knows the position of the bot's last sync");
    exam.cursor = stored("s900");
    examine(options);
    must_say(FOUND_WRONG, "does not know the position of the bot's last sync (400 ");
    exam.cursor = STR("{}");
    examine(options);
    assert_false(says(FOUND_FINE, "position") || says(FOUND_WRONG, "position"));
}

TEST_WITH(name_and_picture_are_set, setup, teardown)
{
    static const char *const options[] = {"user=@bot:koi.test", "password=pw-bot", "e2ee=no", NULL};
    exam.set_profile = true;
    examine(options);
    must_say(FOUND_FINE, "people see it as Koi-Koi from now on, with a picture");
    assert_string_equal(home_profile(matrix_home, "@bot:koi.test").name, "Koi-Koi");
    assert_int_equal(home_counts(matrix_home).uploads, 1);
    assert_no_room();
    exam.set_profile = false;
    examine(options);
    must_say(FOUND_FINE, "people see it as Koi-Koi, with a picture");
    assert_int_equal(count(FOUND_WRONG) + count(FOUND_ADVICE), 0);
    assert_int_equal(home_counts(matrix_home).uploads, 1);
}

/* A refusal is said, and nothing further is asked for. */
TEST_WITH(refused_picture, setup, teardown)
{
    exam.set_profile = true;
    home_fails(matrix_home, HOME_LIMITS_BODY, "upload", 1, 1);
    examine(BY_PASSWORD);
    must_say(FOUND_WRONG, "does not take the account's picture (429 M_LIMIT_EXCEEDED): ask again");
    assert_string_equal(home_profile(matrix_home, "@bot:koi.test").name, "bot");
    assert_string_equal(home_profile(matrix_home, "@bot:koi.test").picture, "");
    assert_no_room();
}

/* Tests have no library beside them. */
TEST_WITH(encrypted_rooms_want_the_library, setup, teardown)
{
    examine(BY_PASSWORD);
    must_say(FOUND_ADVICE, "encrypted rooms cannot be read: libkoikoi_olm.so");
    uint32_t can = 0;
    struct limits limits = {0};
    void *account = test_account(
        arena, &matrix_adapter,
        (const char *const[]){"user=@bot:koi.test", "password=pw-bot", "e2ee=yes", NULL});
    assert_false(matrix_adapter.open(account, arena, &can, &limits, &err));
    assert_non_null(strstr(err.text, "[matrix] e2ee: "));
}

/* The daemon's session stays valid. */
TEST_WITH(doctor_beside_a_daemon, setup, teardown)
{
    home_setup(matrix_home)->token_ms = 3600 * 1000;
    struct daemon_run *l = matrix_fixture_match();
    matrix_fixture_play(l, 9);
    examine(BY_PASSWORD);
    must_say(FOUND_FINE, "live for 3600 s and are renewed by themselves");
    matrix_fixture_finish(l);
    assert_int_equal(home_counts(matrix_home).logins, 2);
    assert_int_equal(home_counts(matrix_home).refreshes, 0);
    matrix_fixture_end(l);
}

TEST_WITH(refused_password_and_tokens, setup, teardown)
{
    static const char *const bad_password[] = {"user=@bot:koi.test", "password=pw-ann", NULL};
    static const char *const bad_token[] = {"token=stolen", NULL};
    examine(bad_password);
    must_say(FOUND_WRONG, "the login of @bot:koi.test is refused");
    examine(bad_token);
    must_say(FOUND_WRONG, "the access token is not taken");
    home_user(matrix_home, "eve");
    const char *foreign[] = {
        arena_print(arena, "token=%s", home_token(matrix_home, "@eve:koi.test")).p,
        "user=@bot:koi.test", NULL};
    examine(foreign);
    must_say(FOUND_WRONG, "is that of @eve:koi.test, not of @bot:koi.test");
    for (int i = 0; i < n_found; i++)
        assert_null(strstr(arena_str(arena, found[i].text).p, "pw-"));
}

TEST_WITH(oauth_only_server, setup, teardown)
{
    static const char *const oauth[] = {"oauth=yes", NULL};
    home_setup(matrix_home)->oauth = true;
    examine(oauth);
    must_say(FOUND_FINE, "the device grant is offered");
    examine(BY_PASSWORD);
    must_say(FOUND_WRONG, "set oauth = yes");
    home_setup(matrix_home)->oauth = false;
    examine(oauth);
    must_say(FOUND_WRONG, "does not offer the OAuth device grant");
}

TEST_WITH(no_answer, setup, teardown)
{
    home_outage(matrix_home, *daemon_run_clock() + 1000);
    examine(BY_PASSWORD);
    must_say(FOUND_WRONG, "no Matrix homeserver answers");
}

TEST_WITH(wrong_clock, setup, teardown)
{
    clock_off = 90 * 1000;
    examine(BY_PASSWORD);
    must_say(FOUND_WRONG, "is 90 s fast");
}

/* Whoever has set pace = 0 has lifted the limit. */
TEST_WITH(without_a_pace_nothing_is_to_be_lifted, setup, teardown)
{
    static const char *const unpaced[] = {"user=@bot:koi.test", "password=pw-bot", "pace=0", NULL};
    examine(unpaced);
    must_say(FOUND_FINE, "we are @bot:koi.test");
    assert_false(says(FOUND_FINE, "override_ratelimit"));
}
