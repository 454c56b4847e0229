/* See db_postgres_lease.h. */
#include "db_postgres_lease.h"

#include "clock.h"
#include "log.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define TERM  "clock_timestamp() + interval '3000 ms'"
#define OURS  "name = 'store' AND epoch = %lld AND holder = '%s'"
#define TAKEN "another koikoi has taken this store"

static_assert(LEASE_MS == 3000, "TERM says the same");

enum { SQL_SIZE = 512, PATIENCE_MS = LEASE_MS + 1000 };

static int64_t now_ms(void)
{
    return clock_mono(&clock_of_machine);
}

/* Runs a text outside of the pipeline. */
static bool ask(struct pg *q, const char *sql, PGresult **ret, struct err *err)
{
    bool piped = PQpipelineStatus(q->conn) != PQ_PIPELINE_OFF;
    bool plain = !piped || PQexitPipelineMode(q->conn) == 1;
    bool good = plain && link_run(q, sql, ret, err);
    if (plain && (!piped || !q->conn || PQenterPipelineMode(q->conn) == 1))
        return good;
    if (good && ret)
        PQclear(*ret);
    (void)link_failed(q, NULL, err);
    return false;
}

/* Only what needs no quotes in SQL. */
static void name_holder(size_t size, char *ret)
{
    char host[40] = "";
    (void)gethostname(host, sizeof host - 1);
    for (char *p = host; *p; p++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-", *p))
            *p = '-';
    snprintf(ret, size, "%s/%ld", host, (long)getpid());
}

bool lease_is_ours(struct pg *q, const PGresult *r, struct err *err)
{
    bool found = PQntuples(r) == 1;
    snprintf(q->xid, sizeof q->xid, "%s", found ? PQgetvalue(r, 0, 0) : "");
    bool ours = found && strtoll(PQgetvalue(r, 0, 1), NULL, 10) == q->epoch &&
                strcmp(PQgetvalue(r, 0, 2), q->holder) == 0;
    return ours || link_is_stale(q, TAKEN, err);
}

/* ---- keeping ---- */

bool lease_renew(struct pg *q, struct err *err)
{
    char sql[SQL_SIZE];
    int64_t sent = now_ms();
    PGresult *r;
    snprintf(sql, sizeof sql, "UPDATE koikoi_lease SET until = " TERM " WHERE " OURS,
             (long long)q->epoch, q->holder);
    if (!ask(q, sql, &r, err))
        return false;
    bool ours = strcmp(PQcmdTuples(r), "1") == 0;
    PQclear(r);
    if (!ours)
        return link_is_stale(q, TAKEN, err);
    q->held_at = sent;
    return true;
}

int lease_wait(const struct pg *q)
{
    int64_t left = q->held_at + LEASE_RENEW_MS - now_ms();
    return left > 0 ? (int)left : 0;
}

/* ---- taking ---- */

/* Two processes may make the table at once: one of them fails, and looks again. */
static bool make_table(struct pg *q, struct err *err)
{
    if (ask(q,
            "CREATE TABLE koikoi_lease (name TEXT PRIMARY KEY, holder TEXT NOT NULL, epoch BIGINT "
            "NOT NULL, until TIMESTAMPTZ NOT NULL); DROP TABLE IF EXISTS koikoi_holder",
            NULL, err))
        return true;
    return strstr(err->text, "(23505)") || strstr(err->text, "(42P07)");
}

/* Ends sessions of the last holder that sleep in the middle of a transaction. */
static bool end_sleepers(struct pg *q, struct err *err)
{
    q->db.broken = false;
    return ask(q,
               "SELECT pg_terminate_backend(a.pid) FROM pg_locks l, pg_stat_activity a WHERE "
               "a.pid = l.pid AND a.datname = current_database() AND l.relation = "
               "'koikoi_lease'::regclass AND l.mode = 'RowShareLock' AND l.granted AND "
               "a.wait_event_type = 'Client' AND a.state_change < clock_timestamp() - "
               "interval '2 s' AND a.pid <> pg_backend_pid()",
               NULL, err);
}

/* A lease that is free, if it still is. */
static bool take(struct pg *q, struct err *err)
{
    char sql[SQL_SIZE];
    int64_t sent = now_ms();
    PGresult *r;
    snprintf(sql, sizeof sql,
             "SELECT set_config('lock_timeout', '1s', true); INSERT INTO koikoi_lease (name, "
             "holder, epoch, until) VALUES ('store', '%s', 1, " TERM ") ON CONFLICT (name) DO "
             "UPDATE SET holder = excluded.holder, epoch = koikoi_lease.epoch + 1, until = " TERM
             " WHERE koikoi_lease.until <= clock_timestamp() RETURNING epoch",
             q->holder);
    if (!ask(q, sql, &r, err))
        return q->conn && strstr(err->text, "(55P03)") && end_sleepers(q, err);
    if (PQntuples(r) == 1) {
        q->epoch = strtoll(PQgetvalue(r, 0, 0), NULL, 10);
        q->held_at = sent;
        q->resume = lease_renew;
    }
    PQclear(r);
    return true;
}

/* Looks once, and takes the lease if it is free: q->epoch says so. Looking locks nothing. */
static bool look(struct pg *q, size_t size, char *ret_holder, struct err *err)
{
    PGresult *r;
    if (!link_ready(q, err))
        return false;
    if (!ask(q, "SELECT to_regclass('koikoi_lease') IS NULL", &r, err))
        return false;
    bool absent = *PQgetvalue(r, 0, 0) == 't';
    PQclear(r);
    if (absent && !make_table(q, err))
        return false;
    if (!ask(q,
             "SELECT holder FROM koikoi_lease WHERE name = 'store' AND until > clock_timestamp()",
             &r, err))
        return false;
    bool held = PQntuples(r) == 1;
    snprintf(ret_holder, size, "%s", held ? PQgetvalue(r, 0, 0) : "");
    PQclear(r);
    return held || take(q, err);
}

/* The wait of a command of the program: in the server, since the process sleeps in one place. */
static bool wait_some(struct pg *q, int64_t until, struct err *err)
{
    if (now_ms() < until)
        return ask(q, "SELECT pg_sleep(0.4)", NULL, err);
    return err_set(err, "%s: another koikoi is running on this store", q->shown);
}

bool lease_await(struct pg *q, db_wait *wait, void *arg, struct err *err)
{
    char holder[sizeof q->holder] = "";
    char epoch[24];
    int64_t until = now_ms() + PATIENCE_MS;
    bool waited = false;
    name_holder(sizeof q->holder, q->holder);
    while (q->epoch == 0) {
        /* once it waits, a server that restarts is one more reason to wait */
        if (!look(q, sizeof holder, holder, err) && !(waited && q->db.broken))
            return false;
        q->db.broken = false;
        waited = wait != NULL;
        if (q->epoch == 0 && wait && !wait(arg, holder))
            return err_set(err, "%s: it was not to wait any longer", q->shown);
        if (q->epoch == 0 && !wait && !wait_some(q, until, err))
            return false;
    }
    if (!wait)
        return true;
    snprintf(epoch, sizeof epoch, "%lld", (long long)q->epoch);
    log_line(LOG_INFO, "holds_store", "store", q->shown, "epoch", epoch, NULL);
    return true;
}

/* ---- giving back ---- */

void lease_release(struct pg *q)
{
    char sql[SQL_SIZE];
    struct err ignored;
    if (q->epoch == 0 || !q->conn || q->db.stale)
        return;
    snprintf(sql, sizeof sql, "UPDATE koikoi_lease SET until = '-infinity' WHERE " OURS,
             (long long)q->epoch, q->holder);
    (void)!ask(q, sql, NULL, &ignored);
}
