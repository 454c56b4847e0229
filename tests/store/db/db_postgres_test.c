/* PostgreSQL under the verbs of the database: what is lost, what fails late, what is a secret. On a
 * server only (TEST_STORE); addresses are read without one. */
#include "engine/test.h"
#include "fixture/scratch.h"

#include "db_open.h"

#include <arpa/inet.h>
#include <unistd.h>

static struct arena *arena;
static struct db *db;
static struct err err;

FIXTURE(setup)
{
    arena = arena_open(1 << 20);
    if (!scratch_open())
        return 1;
    if (!scratch_on_server())
        return 0;
    scratch_store_sql("CREATE TABLE t (id KEY_COUNTED, n BIGINT UNIQUE, s TEXT, b BYTES)");
    return !db_open(scratch_store(), &db, &err);
}

FIXTURE(teardown)
{
    if (db)
        db->verbs->close(db);
    db = NULL;
    scratch_close();
    arena_close(arena);
    return 0;
}

static bool put(int64_t n, struct db_table *ret)
{
    const struct db_value v = db_int(n);
    return db->verbs->query(db, arena, "INSERT INTO t (n) VALUES ($1)", 1, &v, ret, &err);
}

static int64_t rows(void)
{
    struct db_table t;
    OK(db->verbs->query(db, arena, "SELECT COUNT(*) FROM t", 0, NULL, &t, &err));
    return t.at[0].i;
}

/* As an administrator does, or a server that restarts. */
static void end_sessions(void)
{
    struct db *other;
    struct db_table t;
    OK(db_open_beside(scratch_store(), false, &other, &err));
    OK(other->verbs->query(other, arena,
                           "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE "
                           "datname = current_database() AND pid <> pg_backend_pid()",
                           0, NULL, &t, &err));
    other->verbs->close(other);
}

TEST_IF(scratch_on_server(), values_come_back, setup, teardown)
{
    char all[256];
    struct db_table t;
    for (int i = 0; i < 256; i++)
        all[i] = (char)i;
    const struct db_value v[] = {db_int(INT64_MIN), db_text(STR("猪鹿蝶 'x' \\n")),
                                 db_bytes((struct str){all, sizeof all})};
    const struct db_value none[] = {db_null(), db_text(STR("")), db_bytes(STR(""))};
    static const char sql[] = "INSERT INTO t (n, s, b) VALUES ($1, $2, $3) RETURNING id";
    OK(db->verbs->query(db, arena, sql, 3, v, &t, &err));
    assert_int_equal(t.at[0].i, 1);
    OK(db->verbs->query(db, arena, sql, 3, none, &t, &err));
    assert_int_equal(t.at[0].i, 2);
    assert_int_equal(t.changed, 1);
    OK(db->verbs->query(db, arena, "SELECT n, s, b FROM t ORDER BY id", 0, NULL, &t, &err));
    assert_true(t.rows == 2 && t.cols == 3);
    assert_true(t.at[0].i == INT64_MIN && str_is(t.at[1].s, v[1].s) && str_is(t.at[2].s, v[2].s));
    assert_true(t.at[3].kind == DB_NULL && t.at[3].i == 0 && t.at[4].s.n == 0 && t.at[5].s.n == 0);
}

/* ---- rows that go together ---- */

static bool put_row_of(const char *sql, int64_t n, struct db_table *ret)
{
    static const char zeros[] = "a\0b";
    const struct db_value v[] = {db_int(n), n % 3 == 0 ? db_null() : db_text(STR("猪鹿蝶 {\"x\"}")),
                                 db_bytes((struct str){zeros, n % 2 ? 3 : 0})};
    return db->verbs->query(db, arena, sql, 3, v, ret, &err);
}

static const char into_t[] = "INSERT INTO t (n, s, b) " DB_ROWS "$1, $2, $3)",
                  into_u[] = "INSERT INTO u (n, s, b) " DB_ROWS "$1, $2, $3)";

/* Into two tables in turn, more than are kept back, but for the last ones. */
static void put_many(void)
{
    for (int64_t n = 0; n < 200; n++)
        OK(put_row_of(n % 2 ? into_t : into_u, n, NULL));
}

static int64_t sum_of(const char *sql)
{
    struct db_table t;
    OK(db->verbs->query(db, arena, sql, 0, NULL, &t, &err));
    return t.at[0].i;
}

TEST_IF(scratch_on_server(), rows_that_go_together_are_there_for_the_next_question, setup, teardown)
{
    struct db_table t;
    OK(db->verbs->script(db, STR("CREATE TABLE u (n BIGINT, s TEXT, b BYTES)"), &err));
    OK(db->verbs->begin(db, &err));
    assert_int_equal(rows(), 0); /* nothing is still to be answered */
    int64_t waits = db->waits;
    put_many();
    assert_int_equal(db->waits, waits);
    assert_int_equal(rows(), 100);
    assert_int_equal(db->waits, waits + 1);
    db->verbs->rollback(db);
    assert_int_equal(rows(), 0);
    OK(db->verbs->begin(db, &err));
    put_many();
    OK(db->verbs->commit(db, NULL, NULL, &err));
    assert_int_equal(sum_of("SELECT SUM(n) FROM t"), 100 * 100);
    assert_int_equal(sum_of("SELECT SUM(n) FROM u"), 99 * 100);
    assert_int_equal(sum_of("SELECT COUNT(*) FROM u WHERE (s IS NULL) = (n % 3 = 0)"), 100);
    OK(db->verbs->query(db, arena, "SELECT s, b FROM t WHERE n = 1", 0, NULL, &t, &err));
    assert_true(str_is(t.at[0].s, STR("猪鹿蝶 {\"x\"}")) && t.at[1].s.n == 3);
    assert_memory_equal(t.at[1].s.p, "a\0b", 3);
}

TEST_IF(scratch_on_server(), a_row_that_went_with_others_fails_with_them, setup, teardown)
{
    struct db_table t;
    OK(put_row_of(into_t, 5, NULL)); /* a transaction of its own */
    assert_int_equal(rows(), 1);
    OK(db->verbs->begin(db, &err));
    OK(put_row_of(into_t, 6, &t));
    assert_int_equal(t.changed, 1);
    OK(put_row_of(into_t, 7, NULL));
    OK(put_row_of(into_t, 5, NULL));
    assert_false(db->verbs->commit(db, NULL, NULL, &err));
    assert_false(db->broken);
    db->verbs->rollback(db);
    assert_int_equal(rows(), 1);
    OK(db->verbs->begin(db, &err)); /* what was kept back is not there in the next one */
    OK(put_row_of(into_t, 8, NULL));
    db->verbs->rollback(db);
    OK(db->verbs->begin(db, &err));
    OK(db->verbs->commit(db, NULL, NULL, &err));
    assert_int_equal(rows(), 1);
}

static const char change[] =
    "UPDATE v SET s = r.s " DB_CHANGES "$1, $2) AS r (s, n) WHERE v.n = r.n AND v.account = $3",
                  mark[] = "UPDATE v SET s = v.s || r.s " DB_CHANGES
                           "$1, $2) AS r (s, n) WHERE v.n = r.n AND v.account = $3";

static void change_row(const char *sql, int64_t account, int64_t n, const char *text)
{
    const struct db_value v[] = {db_text(str_of(text)), db_int(n), db_int(account)};
    OK(db->verbs->query(db, arena, sql, 3, v, NULL, &err));
}

/* Of 100 rows of each of two accounts. */
TEST_IF(scratch_on_server(), changes_that_go_together_are_made_in_their_order, setup, teardown)
{
    OK(db->verbs->script(db,
                         STR("CREATE TABLE v (account BIGINT, n BIGINT, s TEXT, PRIMARY KEY "
                             "(account, n)); INSERT INTO v SELECT a, n, '-' FROM "
                             "generate_series(1, 2) AS a, generate_series(1, 100) AS n"),
                         &err));
    OK(db->verbs->begin(db, &err));
    for (int n = 1; n <= 100; n++) {
        change_row(change, n % 2 + 1, n, "a");
        change_row(mark, n % 2 + 1, n, "b");
        change_row(change, n % 3 ? 1 : 2, 100, "c"); /* the same row again and again */
        change_row(mark, n % 3 ? 1 : 2, 100, "d");
    }
    change_row(mark, 1, 100, "e");
    change_row(change, 2, 7, "f"); /* after another change of it */
    OK(db->verbs->commit(db, NULL, NULL, &err));
    assert_int_equal(sum_of("SELECT COUNT(*) FROM v WHERE s = 'ab' AND account = n % 2 + 1"), 98);
    assert_int_equal(sum_of("SELECT COUNT(*) FROM v WHERE s = '-' AND account <> n % 2 + 1"), 99);
    assert_int_equal(sum_of("SELECT COUNT(*) FROM v WHERE s = 'cde' AND account = 1"), 1);
    assert_int_equal(sum_of("SELECT COUNT(*) FROM v WHERE s = 'cd' AND account = 2"), 1);
    assert_int_equal(sum_of("SELECT COUNT(*) FROM v WHERE s = 'f' AND n = 7"), 1);
}

TEST_IF(scratch_on_server(), a_lost_connection_spoils_rows_that_were_kept_back, setup, teardown)
{
    OK(db->verbs->begin(db, &err));
    assert_int_equal(rows(), 0);
    OK(put_row_of(into_t, 1, NULL));
    end_sessions();
    assert_false(db->verbs->commit(db, NULL, NULL, &err));
    assert_true(db->broken);
    db->verbs->rollback(db);
    OK(db->verbs->begin(db, &err));
    OK(put_row_of(into_t, 2, NULL));
    OK(db->verbs->commit(db, NULL, NULL, &err));
    assert_int_equal(sum_of("SELECT SUM(n) FROM t"), 2);
}

TEST_IF(scratch_on_server(), texts_are_in_the_order_of_their_bytes, setup, teardown)
{
    struct db_table t;
    OK(db->verbs->script(
        db, STR("CREATE TABLE u (s TEXT); INSERT INTO u VALUES ('b'), ('B'), ('_')"), &err));
    OK(db->verbs->query(db, arena, "SELECT s FROM u ORDER BY s", 0, NULL, &t, &err));
    assert_true(str_is(t.at[0].s, STR("B")) && str_is(t.at[1].s, STR("_")));
}

TEST_IF(scratch_on_server(), a_failure_comes_at_the_latest_with_the_commit, setup, teardown)
{
    OK(db->verbs->begin(db, &err));
    OK(put(7, NULL));
    assert_true(!put(7, NULL) || !db->verbs->commit(db, NULL, NULL, &err));
    assert_false(db->broken); /* ours: it would fail again */
    db->verbs->rollback(db);
    OK(db->verbs->begin(db, &err));
    OK(put(7, NULL));
    OK(db->verbs->commit(db, NULL, NULL, &err));
    assert_int_equal(rows(), 1);
}

TEST_IF(scratch_on_server(), a_lost_connection_spoils_its_transaction_alone, setup, teardown)
{
    struct db_table t;
    OK(db->verbs->begin(db, &err));
    OK(put(1, &t));
    end_sessions();
    assert_false(put(2, &t));
    assert_true(db->broken);
    assert_false(db->verbs->commit(db, NULL, NULL, &err));
    db->verbs->rollback(db);
    OK(db->verbs->begin(db, &err));
    OK(put(3, &t));
    OK(db->verbs->commit(db, NULL, NULL, &err));
    assert_int_equal(rows(), 1);
}

/* The server ends the session in the middle of the commit, before it takes effect. */
TEST_IF(scratch_on_server(), a_commit_that_is_cut_off_is_asked_for, setup, teardown)
{
    struct db_table t;
    db->verbs->close(db);
    db = NULL;
    scratch_store_remove();
    scratch_store_sql(
        "CREATE TABLE t (id KEY_COUNTED, n BIGINT UNIQUE); "
        "CREATE FUNCTION dies() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW.n "
        "= 13 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF; RETURN "
        "NULL; END $$; CREATE CONSTRAINT TRIGGER dying AFTER INSERT ON t DEFERRABLE "
        "INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION dies()");
    OK(db_open(scratch_store(), &db, &err));
    OK(db->verbs->begin(db, &err));
    OK(put(13, &t));
    assert_false(db->verbs->commit(db, NULL, NULL, &err));
    assert_true(db->broken);
    assert_int_equal(db->damage.text[0], '\0');
    db->verbs->rollback(db);
    OK(db->verbs->begin(db, &err));
    OK(put(14, &t));
    OK(db->verbs->commit(db, NULL, NULL, &err));
    assert_int_equal(rows(), 1);
}

TEST_WITH(no_secret_is_in_an_error, setup, teardown)
{
    static const char *const wrong[] = {
        "postgresql://koi:sesame@127.0.0.1:1/koikoi",  "postgresql://koi:sesame@[::1/koikoi",
        "postgresql://koi:ses/ame@127.0.0.1:1/koikoi", "postgresql://koi:se@sesame@127.0.0.1:1/k",
        "postgresql://koi:x@127.0.0.1:1/k?sesame=1",   "postgresql://koi:sesame%@127.0.0.1:1/k",
        "postgressql://koi:sesame@127.0.0.1:1/koikoi"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct db *none = NULL;
        assert_false(db_open(str_of(wrong[i]), &none, &err));
        assert_null(none);
        assert_true(err.text[0]);
        assert_null(strstr(err.text, "ame"));
        assert_null(strstr(db_shown(arena, str_of(wrong[i])).p, "ame"));
    }
    assert_string_equal(
        db_shown(arena, STR("postgres://koi:sesame@db.example:5433/k?sslmode=require")).p,
        "postgresql://db.example:5433/k");
    assert_string_equal(db_shown(arena, STR("postgresql://koi:sesame@a:1,b:2,[::1]/k")).p,
                        "postgresql://a:1,b:2,::1/k");
}

/* ---- several hosts ---- */

static struct str port_of_the_server(void)
{
    struct str rest = scratch_store(), port = STR("");
    while (rest.n && port.n == 0)
        if (rest.p[0] == ':' && rest.n > 1 && rest.p[1] >= '0' && rest.p[1] <= '9')
            port = str_cut(str_skip(rest, 1), '/', &rest);
        else
            rest = str_skip(rest, 1);
    return port;
}

static struct str name_of_the_database(void)
{
    struct str name = scratch_store();
    for (struct str rest = name; rest.n > 0;)
        name = str_cut(rest, '/', &rest);
    return name;
}

/* The server itself, also if the store is reached through a pooler, behind other hosts. */
static struct str behind(const char *hosts, const char *options)
{
    struct db_table t;
    OK(db->verbs->query(db, arena, "SELECT inet_server_port()", 0, NULL, &t, &err));
    return arena_print(arena, "postgresql://koi@%s127.0.0.1:%lld/%.*s%s", hosts,
                       (long long)t.at[0].i, STR_ARG(name_of_the_database()), options);
}

/* A host of an address that takes connections, and says nothing. */
static const char *silent_host(int *ret_fd)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    *ret_fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(*ret_fd, (struct sockaddr *)&at, size), 0);
    assert_int_equal(listen(*ret_fd, 8), 0);
    assert_int_equal(getsockname(*ret_fd, (struct sockaddr *)&at, &size), 0);
    return arena_print(arena, "127.0.0.1:%d,", ntohs(at.sin_port)).p;
}

TEST_IF(scratch_on_server(), the_host_that_takes_what_is_written_is_found, setup, teardown)
{
    int fd;
    struct str where = behind(arena_print(arena, "127.0.0.1:1,%s", silent_host(&fd)).p, "");
    struct db_host host[DB_HOSTS];
    db->verbs->close(db);
    db = NULL;
    OK(db_open(where, &db, &err));
    assert_non_null(strstr(where.p, arena_print(arena, ",%s/", db->host).p));
    OK(put(1, NULL));
    assert_int_equal(rows(), 1);
    assert_int_equal(db_hosts(arena, where, host), 3);
    assert_non_null(strstr(host[0].is.p, "127.0.0.1:1 cannot be reached: "));
    assert_non_null(strstr(host[1].is.p, "no answer in time"));
    assert_non_null(strstr(host[2].is.p, "takes what is written; no replica is synchronous"));
    assert_false(host[0].well || host[1].well || host[2].well);
    assert_int_equal(db_hosts(arena, scratch_store(), host), 0);
    close(fd);
}

/* As when its place was taken: the session says so, at its next statement or when it begins. */
TEST_IF(scratch_on_server(), a_server_that_takes_nothing_is_left, setup, teardown)
{
    struct str where = behind("127.0.0.1:1,", "?options=-c%20default_transaction_read_only%3Don");
    struct db *none = NULL;
    struct db_host host[DB_HOSTS];
    assert_false(db_open(where, &none, &err));
    assert_non_null(strstr(err.text, "read-only"));
    assert_int_equal(db_hosts(arena, where, host), 2);
    assert_true(host[1].well);
    assert_non_null(strstr(host[1].is.p, "takes nothing that is written"));
    OK(put(1, NULL));
    OK(db->verbs->begin(db, &err));
    assert_true(!db->verbs->query(db, NULL, "SET TRANSACTION READ ONLY", 0, NULL, NULL, &err) ||
                !put(2, NULL) || !db->verbs->commit(db, NULL, NULL, &err));
    assert_true(db->broken);
    db->verbs->rollback(db);
    OK(put(3, NULL));
    assert_int_equal(rows(), 2);
}

TEST_WITH(an_address_has_no_more_hosts_than_are_asked_at_once, setup, teardown)
{
    struct db *none = NULL;
    assert_false(db_open(STR("postgresql://a,b,c,d,e,f,g,h,i/koikoi"), &none, &err));
    assert_non_null(strstr(err.text, "at most 8 hosts, got 9"));
}

/* A password with a bare "@", "/" or "," ends early, and its rest becomes a host, a port or a name: none of
 * it may be asked for, or said. */
TEST_WITH(an_address_in_pieces_is_refused_unsaid, setup, teardown)
{
    static const char *const urls[] = {
        "postgresql://koi:pass@word@127.0.0.1:1/koikoi",
        "postgresql://koi:pass/word@127.0.0.1:1/koi",
        "postgresql://koi:pass@127.0.0.1:1/word@koi",
        "postgresql://koi@word:1,127.0.0.1:x/koikoi",
        "postgresql://koi@word,,127.0.0.1/koikoi",
        "postgresql://koi@word,/koikoi",
        "postgresql://koi@,word/koikoi",
        "postgresql://word:1:2/koikoi",
        "postgresql://koi@127.0.0.1:1/koikoi?word=x",
        "postgresql://[word/koikoi",
    };
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        struct db *none = NULL;
        if (db_open(str_of(urls[i]), &none, &err))
            fail_msg("%s is opened", urls[i]);
        if (!strstr(err.text, "got an address that cannot be read") || strstr(err.text, "word"))
            fail_msg("%s: %s", urls[i], err.text);
    }
}

/* A promoted server counts on from what it has: it may give a transaction that it never had the
 * number of one that was lost. The trigger ends the session in the commit; the other server is one
 * that says that its timeline is another. */
TEST_IF(scratch_on_server(), a_commit_in_doubt_is_not_asked_of_another_timeline, setup, teardown)
{
    struct db_table t;
    struct str where = behind("", "?options=-c%20search_path%3Dpublic,pg_catalog");
    db->verbs->close(db);
    db = NULL;
    scratch_store_remove();
    scratch_store_sql(
        "CREATE TABLE t (id KEY_COUNTED, n BIGINT UNIQUE); CREATE TABLE line (n INT); "
        "INSERT INTO line VALUES (1); CREATE FUNCTION public.pg_walfile_name(pg_lsn) RETURNS text "
        "LANGUAGE sql AS $$ SELECT lpad(to_hex(COUNT(*)), 8, '0') FROM line $$; CREATE FUNCTION "
        "dies() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW.n = 13 THEN PERFORM "
        "pg_terminate_backend(pg_backend_pid()); END IF; RETURN NULL; END $$; CREATE CONSTRAINT "
        "TRIGGER dying AFTER INSERT ON t DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE "
        "FUNCTION dies()");
    OK(db_open(where, &db, &err));
    scratch_store_sql_beside("INSERT INTO line VALUES (2)");
    OK(db->verbs->begin(db, &err));
    OK(put(13, &t));
    assert_false(db->verbs->commit(db, NULL, NULL, &err));
    assert_true(db->stale);
    assert_non_null(strstr(err.text, "another server took over"));
    db->verbs->rollback(db);
    assert_false(put(14, &t)); /* it is to be opened anew */
    db->verbs->close(db);
    OK(db_open(where, &db, &err));
    assert_int_equal(rows(), 0);
}

/* ---- what a daemon does at its first connection ---- */

static int waits;
static char first_away_because[256], away_because[256];

static bool wait_twice(void *arg, const char *holder, const char *away)
{
    (void)arg, (void)holder;
    if (waits == 0)
        snprintf(first_away_because, sizeof first_away_because, "%s", away ? away : "");
    snprintf(away_because, sizeof away_because, "%s", away ? away : "");
    return ++waits < 2;
}

/* Returns how often it would have waited. */
static int opened_by_a_daemon(struct str where)
{
    static const struct str account = {"owl", 3};
    const struct db_turn turn = {1, &account, wait_twice, NULL, NULL, NULL, NULL};
    struct db *none = NULL;
    waits = 0;
    away_because[0] = '\0';
    assert_false(db_open_in_turn(where, &turn, &none, &err));
    assert_null(none);
    assert_null(strstr(err.text, "ame"));
    return waits;
}

TEST_WITH(a_daemon_waits_for_a_server_that_is_away, setup, teardown)
{
    assert_int_equal(opened_by_a_daemon(STR("postgresql://koi:sesame@127.0.0.1:1/koikoi")), 2);
    assert_non_null(strstr(away_because, "127.0.0.1"));
    assert_null(strstr(away_because, "ame"));
    assert_int_equal(opened_by_a_daemon(STR("postgresql://koi@no-such-host.invalid/koikoi")), 2);
    assert_non_null(strstr(away_because, "no-such-host.invalid"));
}

TEST_WITH(a_daemon_waits_for_no_address_that_means_nothing, setup, teardown)
{
    assert_int_equal(opened_by_a_daemon(STR("postgresql://koi@127.0.0.1:1/koikoi?sslmode=no")), 0);
    assert_non_null(strstr(err.text, "sslmode"));
    assert_int_equal(opened_by_a_daemon(STR("postgresql://koi@127.0.0.1:1/koikoi?wait=no")), 0);
}

static struct str elsewhere_on_the_server(const char *user, const char *name)
{
    return arena_print(arena, "postgresql://%s@127.0.0.1:%.*s/%s", user,
                       STR_ARG(port_of_the_server()), name);
}

/* pgbouncer says 08P01 of a server that is away, and as well of a user or a database that it does
 * not know: then a daemon waits, with the reason. */
static void is_refused_or_says(struct str where, const char *unknown, const char *because)
{
    if (opened_by_a_daemon(where) == 0) {
        assert_non_null(strstr(err.text, unknown));
        return;
    }
    assert_non_null(strstr(first_away_because, "08P01"));
    assert_non_null(strstr(first_away_because, because));
}

TEST_IF(scratch_on_server(), a_daemon_waits_for_no_server_that_knows_it_not, setup, teardown)
{
    is_refused_or_says(elsewhere_on_the_server("koi", "nowhere"), "nowhere", "\"nowhere\"");
    is_refused_or_says(elsewhere_on_the_server("stranger", "postgres"), "stranger",
                       "authentication failed");
}

/* It wakes with an older timeline than the one that follows it. The last test: what a process has
 * seen, it keeps. */
TEST_IF(scratch_on_server(), a_server_that_was_replaced_is_refused, setup, teardown)
{
    static const struct str account = {"owl", 3};
    const struct db_turn turn = {1, &account, wait_twice, NULL, NULL, NULL, NULL};
    struct str where = behind("", "?options=-c%20search_path%3Dpublic,pg_catalog");
    db->verbs->close(db);
    db = NULL;
    waits = 0;
    scratch_store_sql(
        "CREATE TABLE line (n INT); INSERT INTO line VALUES (1), (2); CREATE FUNCTION "
        "public.pg_walfile_name(pg_lsn) RETURNS text LANGUAGE sql AS $$ SELECT "
        "lpad(to_hex(COUNT(*)), 8, '0') FROM line $$");
    OK(db_open_in_turn(where, &turn, &db, &err));
    db->verbs->close(db);
    db = NULL;
    scratch_store_sql_beside("DELETE FROM line WHERE n = 2");
    assert_int_equal(opened_by_a_daemon(where), 2);
    assert_non_null(strstr(away_because, "was replaced by another server"));
}
