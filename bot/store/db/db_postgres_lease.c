/* Leases on a PostgreSQL server: which process has which accounts, and whose turn it is to write.
 *
 * Rows of the table koikoi_lease, made here, not by a schema step: the steps already write.
 *
 *     name            holder                  epoch                     until
 *     turn            who wrote last          1: it writes uncounted    -
 *     ACCOUNT         HOST/PID/START          counts its holders        by the server's clock
 *                     (and `bot`: whom the network knows the account as, if the options say)
 *     daemon HOLDER   the accounts it wants   0                         the same: it is alive
 *     store           a tool, alone           counts its holders        the same
 *
 * A daemon renews what it has each LEASE_RENEW_MS for LEASE_MS. Whoever lives and wants the same
 * accounts has a share of them: one that has less takes what ran out or was given back, one that
 * has more gives all back and begins anew (db->regroup). One that lost its connection gives the
 * others RETURN_MS to come back from the same loss, before it counts what they had as free. Nothing
 * is kept in a session of the server, so a pooler may stand between.
 *
 * A daemon whose account is another bot than its living holder's ends with a sentence, before others
 * see it: two bots under one name would take the chats of each other.
 *
 * Fencing. Each transaction waits for its turn first, an advisory lock that it has until it ends; then
 * it compares the sum of the epochs that it holds. Leases are taken with the lock for one alone, so a
 * former holder never writes. A process that slept in the middle of a transaction holds the lock:
 * whoever waits too long ends its session. An expired lease that is not taken is still ours.
 *
 * Side by side. A transaction that touches rows of our own accounts alone (db->beside) shares the
 * lock with others of that kind; the leases keep them apart. One that may touch any row has the lock
 * alone.
 *
 * Memory. The column `written` counts transactions: that of the row `turn` those that had the lock
 * alone, that of an account's row those beside others by its holder. Who finds more than it has seen
 * drops what it remembers of the store (db->foreign); beside others, where it meets what they leave
 * alone, for the row `turn` only. While nobody else writes, the counts are read with the answer of the
 * first statement; if another has written after all, the transaction fails and is repeated. A daemon
 * that is alone says once that it does not count (epoch 1), and nobody else trusts its memory then.
 */
#include "db_postgres_lease.h"

#include "alloc.h"
#include "clock.h"
#include "log.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define TERM "clock_timestamp() + interval '3000 ms'"
#define LOCKED                                                                                     \
    "(SELECT objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND classid = " LEASE_LOCK    \
    " AND granted AND database = (SELECT oid FROM pg_database WHERE datname = "                    \
    "current_database()))"
#define ALIVE "(until > clock_timestamp() AND (session = 0 OR session IN " LOCKED "))"
/* Of all that the process %s has. */
#define GIVE_BACK                                                                                  \
    "UPDATE koikoi_lease SET holder = '', until = '-infinity' WHERE holder = '%s' AND name <> "    \
    "'turn'; "
#define TAKEN "another koikoi has taken this store"

static_assert(LEASE_MS == 3000, "TERM says the same");

enum { SQL_SIZE = 16 * 1024, LEASE_END_MS = LEASE_MS + 1000, RETURN_MS = 2 * RECONNECT_MS };

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

static int64_t number_at(const PGresult *r, int row, int column)
{
    return strtoll(PQgetvalue(r, row, column), NULL, 10);
}

/* ---- names ---- */

/* Only what needs no quotes in SQL; no other process is called so, before or after this one. */
static const char *own_name(void)
{
    static char name[72];
    char host[40] = "";
    if (name[0])
        return name;
    (void)gethostname(host, sizeof host - 1);
    for (char *p = host; *p; p++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-", *p))
            *p = '-';
    snprintf(name, sizeof name, "%s/%ld/%llx", host, (long)getpid(),
             (unsigned long long)clock_now(&clock_of_machine));
    return name;
}

/* {"123456","@koi:example.org",""}, beside list_of(). */
static char *bots_of(const struct db_turn *turn)
{
    size_t cap = 8;
    for (int i = 0; i < turn->n; i++)
        cap += (turn->bots ? turn->bots[i].n : 0) + 3;
    char *text = alloc_room(cap);
    struct buf b = {text, 0, cap, false};
    buf_char(&b, '{');
    for (int i = 0; i < turn->n; i++) {
        buf_put(&b, i ? STR(",\"") : STR("\""));
        for (size_t k = 0; turn->bots && k < turn->bots[i].n; k++)
            buf_char(&b, strchr("\"\\'", turn->bots[i].p[k]) ? '?' : turn->bots[i].p[k]);
        buf_char(&b, '"');
    }
    buf_put(&b, turn->n ? STR("}") : STR("\"\"}"));
    char *list = alloc_text(buf_str(&b));
    free(text);
    return list;
}

/* {telegram,telegram.second}; {store} for one who wants it alone. */
static char *list_of(const struct db_turn *turn)
{
    enum { NAME_MOST = 64 };
    size_t cap = (size_t)(turn->n + 1) * (NAME_MOST + 1) + 8;
    char *text = alloc_room(cap);
    struct buf b = {text, 0, cap, false};
    buf_char(&b, '{');
    for (int i = 0; i < turn->n; i++)
        buf_print(&b, "%s%.*s", i ? "," : "", STR_ARG(turn->accounts[i]));
    buf_put(&b, turn->n ? STR("}") : STR("store}"));
    char *list = alloc_text(buf_str(&b));
    free(text);
    return list;
}

/* The number of a lock for this name, 1 to 2^31 - 1: two daemons that share one are told apart by
 * their leases alone. */
static int lock_number(const char *name)
{
    uint64_t h = 14695981039346656037u;
    for (; *name; name++)
        h = (h ^ (unsigned char)*name) * 1099511628211u;
    return (int)(h % INT32_MAX) + 1;
}

/* The lock that rows of this process name. */
static int session_of(const struct pg *q)
{
    return q->pooled ? 0 : q->lock;
}

/* ---- in a transaction ---- */

bool lease_read_state(struct pg *q, const PGresult *r, struct err *err)
{
    if (PQntuples(r) != 1 || number_at(r, 0, 0) != q->fence)
        return link_is_stale(q, TAKEN, err);
    int64_t all = number_at(r, 0, 1), others = number_at(r, 0, 2);
    bool foreign =
        all != q->seen_all || number_at(r, 0, 3) > 0 || (!q->beside && others != q->seen_others);
    bool expected = !foreign || q->waited;
    q->seen_all = all;
    if (!q->beside)
        q->seen_others = q->renewed_others = others;
    q->calm = !foreign;
    q->db.foreign |= foreign;
    q->db.shared |= foreign;
    q->db.broken |= !expected;
    q->db.faltered |= !expected;
    return expected || err_set(err, "database: another koikoi has written to it");
}

/* ---- keeping ---- */

bool lease_renew(struct pg *q, struct err *err)
{
    char sql[SQL_SIZE];
    int64_t sent = now_ms();
    PGresult *r;
    snprintf(sql, sizeof sql,
             "WITH kept AS (UPDATE koikoi_lease SET until = " TERM ", session = %d WHERE holder = "
             "'%s' AND name <> 'turn' RETURNING 1), alive AS (INSERT INTO koikoi_lease SELECT "
             "'daemon %s', '%s', 0, " TERM ", '', %d WHERE %s ON CONFLICT (name) DO UPDATE SET "
             "until = excluded.until, session = excluded.session RETURNING 1) "
             "SELECT (SELECT COUNT(*) FROM kept), "
             "COUNT(*) FILTER (WHERE name = ANY('%s') AND holder <> '%s' AND NOT " ALIVE "), "
             "COUNT(*) FILTER (WHERE name LIKE 'daemon %%' AND holder = '%s' AND name <> 'daemon "
             "%s' AND " ALIVE "), "
             "COUNT(*) FILTER (WHERE name <> 'daemon %s' AND holder <> '%s' AND " ALIVE
             "), " LEASE_WRITTEN("'%s'", "'%s'") ", (SELECT COUNT(*) FROM alive) FROM koikoi_lease",
             session_of(q), q->holder, q->holder, q->list, session_of(q),
             q->n_accounts > 0 ? "true" : "false", q->list, q->holder, q->list, q->holder,
             q->holder, q->holder, q->row, q->holder);
    if (!ask(q, sql, &r, err))
        return false;
    int64_t ours = number_at(r, 0, 0), free = number_at(r, 0, 1), daemons = 1 + number_at(r, 0, 2);
    int64_t others = number_at(r, 0, 5);
    bool foreign =
        number_at(r, 0, 4) != q->seen_all || others != q->renewed_others || number_at(r, 0, 6) > 0;
    q->renewed_others = others;
    q->db.shared = foreign || number_at(r, 0, 3) > 0;
    q->db.foreign |= foreign;
    PQclear(r);
    if (ours != q->n_leases)
        return link_is_stale(q, TAKEN, err);
    int64_t share = (q->n_accounts + daemons - 1) / daemons;
    bool lacks = ours < share && free > 0 && sent >= q->returned_at + RETURN_MS;
    q->db.regroup = q->n_accounts > 0 && (ours > share || lacks);
    q->held_at = sent;
    return true;
}

/* ---- taking ---- */

/* Two processes may make the table at once: one of them fails, and finds it made. */
static bool make_table(struct pg *q, struct err *err)
{
    if (ask(q,
            "CREATE TABLE IF NOT EXISTS koikoi_lease (name TEXT PRIMARY KEY, holder TEXT NOT NULL, "
            "epoch BIGINT NOT NULL, until TIMESTAMPTZ NOT NULL, bot TEXT NOT NULL DEFAULT '', "
            "session BIGINT NOT NULL DEFAULT 0, written BIGINT NOT NULL DEFAULT 0)",
            NULL, err))
        return true;
    return strstr(err->text, "(23505)") || strstr(err->text, "(42P07)") ||
           strstr(err->text, "(42710)");
}

bool lease_end_sleepers(struct pg *q, struct err *err)
{
    q->db.broken = false;
    q->blocked = false;
    return ask(q,
               "SELECT pg_terminate_backend(a.pid) FROM pg_locks l, pg_stat_activity a WHERE "
               "a.pid = l.pid AND a.datname = current_database() AND l.locktype = 'advisory' AND "
               "l.database = a.datid AND l.classid = " LEASE_LOCK " AND l.objid = 0 AND l.granted "
               "AND a.wait_event_type = 'Client' AND a.state_change < clock_timestamp() - "
               "interval '2 s' AND a.pid <> pg_backend_pid()",
               NULL, err);
}

/* What the last statement of a text took. */
static void note_taken(struct pg *q, const PGresult *r, int64_t sent)
{
    for (int i = 0; i < PQntuples(r); i++) {
        struct str name = str_of(PQgetvalue(r, i, 0));
        for (int k = 0; k < q->turn->n; k++)
            if (str_is(q->turn->accounts[k], name))
                q->db.held |= (uint64_t)1 << k;
        snprintf(q->row, sizeof q->row, "%.*s", STR_ARG(name));
        q->fence += number_at(r, i, 1);
    }
    q->n_leases = PQntuples(r);
    q->leased = q->n_leases > 0;
    q->held_at = sent;
    if (q->leased)
        q->resume = lease_renew;
}

/* Takes our share of the free accounts. The lock keeps other daemons from writing and taking; one
 * that was stopped in the middle of a transaction may still hold it. */
static bool take(struct pg *q, struct err *err)
{
    char sql[SQL_SIZE];
    int64_t sent = now_ms();
    PGresult *r;
    if (!lease_end_sleepers(q, err) && !q->conn)
        return false;
    snprintf(sql, sizeof sql,
             "SELECT set_config('lock_timeout', '1s', true); "
             "INSERT INTO koikoi_lease VALUES ('turn', '', 0, '-infinity') ON CONFLICT DO NOTHING; "
             "SELECT pg_advisory_xact_lock(" LEASE_LOCK ", 0); "
             "DELETE FROM koikoi_lease WHERE name LIKE 'daemon %%' AND until < clock_timestamp() - "
             "interval '1 minute'; " GIVE_BACK
             "INSERT INTO koikoi_lease SELECT n, '', 0, '-infinity' FROM unnest('%s'::text[]) n ON "
             "CONFLICT DO NOTHING; "
             "UPDATE koikoi_lease l SET holder = '%s', epoch = epoch + 1, bot = t.bot, "
             "session = %d, until = " TERM
             " FROM unnest('%s'::text[], '%s'::text[]) AS t (name, bot) WHERE l.name = t.name AND "
             "l.name IN (SELECT name FROM koikoi_lease WHERE name = ANY('%s') AND NOT " ALIVE
             " ORDER BY name LIMIT (SELECT ceil(%d / greatest(1, COUNT(*))::numeric) FROM "
             "koikoi_lease WHERE name LIKE 'daemon %%' AND holder = '%s' AND " ALIVE
             ")) AND NOT EXISTS (SELECT 1 FROM koikoi_lease WHERE " ALIVE " AND %s) "
             "RETURNING l.name, l.epoch",
             q->holder, q->list, q->holder, session_of(q), q->list, q->bots, q->list,
             q->turn->n > 0 ? q->turn->n : 1, q->list,
             q->turn->n > 0 ? "name = 'store'" : "name NOT LIKE 'daemon %' AND name <> 'turn'");
    if (!ask(q, sql, &r, err))
        return q->conn && strstr(err->text, "(55P03)") && lease_end_sleepers(q, err);
    note_taken(q, r, sent);
    PQclear(r);
    return true;
}

/* A daemon says that it lives, so that others leave it its share, and see that they are not alone
 * before it writes. *ret_known: they do. */
static bool register_daemon(struct pg *q, bool *ret_known, struct err *err)
{
    char sql[SQL_SIZE];
    PGresult *r;
    *ret_known = true;
    if (q->turn->n == 0)
        return true;
    snprintf(sql, sizeof sql,
             "INSERT INTO koikoi_lease VALUES ('daemon %s', '%s', 0, " TERM ", '', %d) ON CONFLICT "
             "(name) DO UPDATE SET until = excluded.until, session = excluded.session RETURNING "
             "xmax = 0 AND EXISTS (SELECT 1 FROM "
             "koikoi_lease WHERE name LIKE 'daemon %%' AND " ALIVE ")",
             q->holder, q->list, session_of(q));
    if (!ask(q, sql, &r, err))
        return false;
    if (*PQgetvalue(r, 0, 0) == 't')
        q->known_at = now_ms() + 2 * LEASE_RENEW_MS;
    PQclear(r);
    *ret_known = now_ms() >= q->known_at;
    return true;
}

/* Another daemon has one of the accounts as another bot. One that was killed has it still, for as
 * long as a lease. */
static bool look_for_strangers(struct pg *q, bool *ret_found, struct err *err)
{
    char sql[SQL_SIZE];
    PGresult *r;
    snprintf(sql, sizeof sql,
             "SELECT l.name, l.bot, t.bot, l.holder FROM koikoi_lease l, unnest('%s'::text[], "
             "'%s'::text[]) AS t (name, bot) WHERE l.name = t.name AND " ALIVE
             " AND l.bot <> '' AND t.bot <> '' AND l.bot <> t.bot ORDER BY 1 LIMIT 1",
             q->list, q->bots);
    if (!ask(q, sql, &r, err))
        return false;
    *ret_found = PQntuples(r) > 0;
    if (!*ret_found)
        q->stranger_since = 0;
    else if (q->stranger_since == 0)
        q->stranger_since = now_ms();
    bool stays = *ret_found && now_ms() - q->stranger_since > LEASE_END_MS;
    if (stays && q->turn->ret_useless)
        *q->turn->ret_useless = true;
    if (stays)
        err_set(err,
                "%s: the account %s is %s here and %s at %s, which runs: another bot needs "
                "another account, or a store of its own",
                q->shown, PQgetvalue(r, 0, 0), PQgetvalue(r, 0, 2), PQgetvalue(r, 0, 1),
                PQgetvalue(r, 0, 3));
    PQclear(r);
    return !stays;
}

/* Looks once, and takes what is free: q->leased says so. Looking locks nothing. What this process
 * had when it lost its store is free. */
static bool look(struct pg *q, size_t size, char *ret_holder, struct err *err)
{
    char sql[SQL_SIZE];
    PGresult *r;
    if (!link_ready(q, err) ||
        !ask(q,
             "SELECT NOT EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = "
             "to_regclass('koikoi_lease') AND attname = 'written')",
             &r, err))
        return false;
    bool absent = *PQgetvalue(r, 0, 0) == 't', known, stranger;
    PQclear(r);
    snprintf(ret_holder, size, "another bot");
    if ((absent && !make_table(q, err)) || !look_for_strangers(q, &stranger, err))
        return false;
    if (stranger)
        return true;
    if (!register_daemon(q, &known, err))
        return false;
    snprintf(sql, sizeof sql,
             "SELECT COALESCE(MAX(holder), ''), COUNT(*), COUNT(*) FILTER (WHERE name = 'store') "
             "FROM koikoi_lease WHERE " ALIVE " AND holder <> '%s' AND (name = 'store' OR name = "
             "ANY('%s') OR %s)",
             q->turn->n > 0 ? q->holder : "", q->list,
             q->turn->n > 0 ? "false" : "name NOT LIKE 'daemon %'");
    if (!ask(q, sql, &r, err))
        return false;
    snprintf(ret_holder, size, "%s", *PQgetvalue(r, 0, 0) ? PQgetvalue(r, 0, 0) : "nobody yet");
    int64_t held = number_at(r, 0, 1), alone = number_at(r, 0, 2);
    PQclear(r);
    q->follows |= held > 0;
    return !known || alone > 0 || held >= (q->turn->n > 0 ? q->turn->n : 1) || take(q, err);
}

/* The wait of a command of the program: in the server, since the process sleeps in one place. */
static bool wait_some(struct pg *q, int64_t until, struct err *err)
{
    if (now_ms() < until)
        return ask(q, "SELECT pg_sleep(0.4)", NULL, err);
    return err_set(err, "%s: another koikoi is running on this store", q->shown);
}

/* Of this process: it has seen the store as a daemon, so the address is right. */
static bool has_seen;

/* Looks once. Returns false if it is no use to wait; *ret_away is why the server does not answer. */
static bool look_or_wait(struct pg *q, size_t size, char *ret_holder, struct err *ret_away,
                         struct err *err)
{
    struct err why;
    if (look(q, size, ret_holder, &why)) {
        if (ret_away->text[0])
            log_line(LOG_INFO, "store_works_again", "store", q->shown, NULL);
        ret_away->text[0] = '\0';
        has_seen |= q->turn->wait != NULL;
        return true;
    }
    bool wrong = q->db.broken && !has_seen && link_is_wrong(q);
    if (wrong && q->turn->ret_useless)
        *q->turn->ret_useless = true;
    if (!q->turn->wait || !q->db.broken || wrong)
        return err_set(err, "%s", why.text);
    if (strcmp(ret_away->text, why.text) != 0)
        log_line(LOG_WARN, "waits_for_store", "store", q->shown, "why", why.text, NULL);
    *ret_away = why;
    q->db.broken = q->db.faltered = false;
    return true;
}

static bool await(struct pg *q, struct err *err)
{
    char holder[sizeof q->holder] = "";
    struct err away = {""};
    int64_t until = now_ms() + LEASE_END_MS;
    db_wait *wait = q->turn->wait;
    while (!q->leased) {
        if (!look_or_wait(q, sizeof holder, holder, &away, err))
            return false;
        if (!q->leased && wait && !wait(q->turn->arg, holder, away.text[0] ? away.text : NULL))
            return err_set(err, "%s: it was not to wait any longer", q->shown);
        if (!q->leased && !wait && !wait_some(q, until, err))
            return false;
    }
    return true;
}

bool lease_await(struct pg *q, const struct db_turn *turn, struct err *err)
{
    char n[24];
    snprintf(q->holder, sizeof q->holder, "%s", turn->name ? turn->name : own_name());
    q->list = list_of(turn);
    q->bots = bots_of(turn);
    q->lock = lock_number(q->holder);
    q->turn = turn;
    q->n_accounts = turn->n;
    q->db.shared = true; /* until the first renewal: somebody else wrote last */
    q->seen_all = q->seen_others = q->renewed_others = -1;
    q->db.holder = turn->n > 0 ? q->holder : NULL;
    q->patience_ms = turn->wait ? PATIENCE_MS : 0; /* a server may hang now, too */
    bool good = await(q, err);
    q->turn = NULL;
    if (!good || turn->n == 0)
        return good;
    snprintf(n, sizeof n, "%d of %d", q->n_leases, turn->n);
    log_line(LOG_INFO, "holds_store", "store", q->shown, "accounts", n, "host", q->host, NULL);
    return true;
}

/* ---- giving back ---- */

void lease_release(struct pg *q)
{
    char sql[SQL_SIZE];
    struct err ignored;
    if (!q->holder[0] || !q->conn)
        return;
    bool stays = q->db.regroup || q->db.stale; /* it opens the store anew, on another connection */
    snprintf(sql, sizeof sql, GIVE_BACK "%s WHERE name = 'daemon %s'", q->holder,
             stays ? "UPDATE koikoi_lease SET session = 0" : "DELETE FROM koikoi_lease", q->holder);
    (void)!ask(q, sql, NULL, &ignored);
}

/* ---- for people ---- */

struct str db_postgres_holders(struct arena *a, struct str url)
{
    struct err ignored;
    PGresult *r;
    struct str found = STR("");
    struct pg *q = link_make(url, true, &ignored);
    if (q)
        q->patience_ms = PATIENCE_MS;
    if (q && link_ready(q, &ignored) &&
        ask(q,
            "SELECT string_agg(DISTINCT holder, ', ') FROM koikoi_lease WHERE " ALIVE
            " AND holder <> '' AND name <> 'turn' AND name NOT LIKE 'daemon %'",
            &r, &ignored)) {
        found = arena_str(a, str_of(PQgetvalue(r, 0, 0)));
        PQclear(r);
    }
    if (q)
        link_free(q);
    return found;
}
