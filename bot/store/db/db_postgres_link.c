/* Connection to a PostgreSQL server: see db_postgres.h.
 *
 * Whether a pooler stands between is asked of the server: the process that answers is another than
 * the one that greeted us. Settings of the session and prepared statements are used without one
 * only.
 */
#include "db_postgres.h"

#include "alloc.h"
#include "clock.h"

#include <poll.h>
#include <stdio.h>

enum { OLDEST_SERVER = 130000 };

/* ---- the address ---- */

static struct str option(const PQconninfoOption *o, const char *keyword)
{
    for (; o && o->keyword; o++)
        if (strcmp(o->keyword, keyword) == 0)
            return str_of(o->val ? o->val : "");
    return STR("");
}

static void put_address(const PQconninfoOption *o, size_t size, char *ret)
{
    struct str host = option(o, "host"), port = option(o, "port"), name = option(o, "dbname");
    if (host.n == 0)
        host = option(o, "hostaddr");
    snprintf(ret, size, "postgresql://%.*s%s%.*s/%.*s", STR_ARG(host), port.n ? ":" : "",
             STR_ARG(port), STR_ARG(name));
}

/* A password with a bare "@" or "/" ends early, and its rest becomes a host, a port or a name. */
static bool is_clear(const PQconninfoOption *o)
{
    struct str host = option(o, "host"), port = option(o, "port"), name = option(o, "dbname");
    bool digits = true;
    for (size_t i = 0; i < port.n; i++)
        digits = digits && ((port.p[i] >= '0' && port.p[i] <= '9') || port.p[i] == ',');
    return digits && !strchr(host.p, '@') && !strchr(name.p, '@');
}

/* libpq's own sentences about a wrong address repeat parts of it, the password too. */
static bool read_url(const char *url, size_t size, char *ret_shown, struct err *err)
{
    char *why = NULL;
    PQconninfoOption *o = PQconninfoParse(url, &why);
    bool good = o && is_clear(o);
    if (good)
        put_address(o, size, ret_shown);
    PQfreemem(why);
    PQconninfoFree(o);
    return good ||
           err_set(err, "store: expected postgresql://USER:PASSWORD@HOST:PORT/DATABASE, got an "
                        "address that cannot be read; special characters are written %%XX");
}

struct pg *link_make(struct str url, bool to_read, struct err *err)
{
    struct pg *q = alloc_zeroed(sizeof *q);
    q->url = alloc_text(url);
    q->to_read = to_read;
    q->db.is_server = true;
    q->db.path = q->shown;
    if (read_url(q->url, sizeof q->shown, q->shown, err))
        return q;
    link_free(q);
    return NULL;
}

void link_free(struct pg *q)
{
    link_drop(q);
    free(q->url);
    free(q->list);
    free(q->bots);
    free(q);
}

struct str db_postgres_shown(struct arena *a, struct str url)
{
    char shown[512];
    struct err ignored;
    if (!read_url(arena_str(a, url).p, sizeof shown, shown, &ignored))
        return STR("postgresql://");
    return arena_str(a, str_of(shown));
}

/* ---- failures ---- */

/* Classes of SQLSTATE after which the same work may succeed later; four letters and more are one
 * state. https://www.postgresql.org/docs/15/errcodes-appendix.html */
static const char *const transient[] = {"08",    "40",    "53",    "57",    "58",
                                        "55P03", "25006", "25P03", "26000", "42P05"};
/* After which the session is over, or is not the one that we knew. */
static const char *const lost[] = {"08", "57P", "25006", "25P03", "26000", "42P05"};
static const char *const damage[] = {"XX001", "XX002"};

static bool begins_with_any(const char *state, int n, const char *const *list)
{
    for (int i = 0; i < n; i++)
        if (strncmp(state, list[i], strlen(list[i])) == 0)
            return true;
    return false;
}
#define IS_AMONG(state, list) begins_with_any(state, sizeof list / sizeof *list, list)

void link_drop(struct pg *q)
{
    if (q->conn)
        PQfinish(q->conn);
    q->conn = NULL;
    q->n_pending = 0;
    memset(q->statement, 0, sizeof q->statement);
}

static void stays_away(struct pg *q, const struct err *why)
{
    q->again_at = clock_mono(&clock_of_machine) + RECONNECT_MS;
    q->away = *why;
}

static bool was_lost(struct pg *q, struct err *err)
{
    link_drop(q);
    q->db.broken = q->db.faltered = true;
    if (q->silent) {
        err_set(err, "database: %s has not answered for %d s", q->shown, q->patience_ms / 1000);
        stays_away(q, err);
        return false;
    }
    return err_set(err, "database: the connection to %s was lost", q->shown);
}

bool link_failed(struct pg *q, const PGresult *r, struct err *err)
{
    const char *state = r ? PQresultErrorField(r, PG_DIAG_SQLSTATE) : NULL;
    const char *why = r ? PQresultErrorField(r, PG_DIAG_MESSAGE_PRIMARY) : NULL;
    if (!state)
        return was_lost(q, err);
    if (IS_AMONG(state, damage)) {
        db_damaged(&q->db, why ? why : state);
        return err_set(err, "%s", q->db.damage.text);
    }
    q->db.broken = q->db.broken || IS_AMONG(state, transient);
    q->db.faltered = q->db.faltered || q->db.broken;
    q->blocked = q->blocked || strcmp(state, "55P03") == 0;
    err_set(err, "database: %s (%s)", why ? why : "failed", state);
    if (IS_AMONG(state, lost))
        link_drop(q);
    return false;
}

/* A server that is stopped keeps its connections open: it is found out by its silence alone. */
PGresult *link_result(struct pg *q)
{
    const int64_t until = clock_mono(&clock_of_machine) + q->patience_ms;
    while (q->patience_ms > 0 && PQisBusy(q->conn)) {
        int64_t left = until - clock_mono(&clock_of_machine);
        int unsent = PQflush(q->conn);
        struct pollfd fd = {.fd = PQsocket(q->conn),
                            .events = unsent > 0 ? POLLIN | POLLOUT : POLLIN};
        q->silent |= left <= 0;
        if (left <= 0)
            return NULL;
        if (unsent < 0 ||
            (poll(&fd, 1, (int)left) > 0 && fd.revents != POLLOUT && PQconsumeInput(q->conn) != 1))
            break; /* the connection is lost, and the result says so */
    }
    return PQgetResult(q->conn);
}

bool link_run(struct pg *q, const char *sql, PGresult **ret, struct err *err)
{
    PGresult *r = NULL, *next = NULL;
    if (PQsendQuery(q->conn, sql) == 1)
        while ((next = link_result(q))) {
            PQclear(r);
            r = next;
        }
    if (q->silent) {
        PQclear(r);
        (void)link_failed(q, NULL, err);
        return false;
    }
    ExecStatusType status = PQresultStatus(r);
    bool good = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || link_failed(q, r, err);
    if (good && ret)
        *ret = r;
    else
        PQclear(r);
    return good;
}

bool link_is_stale(struct pg *q, const char *why, struct err *err)
{
    q->db.broken = true;
    if (!q->db.damage.text[0])
        err_set(&q->db.damage, "%s: %s", q->shown, why);
    q->db.stale = true;
    return err_set(err, "%s", q->db.damage.text);
}

/* ---- a commit in doubt ---- */

static bool ask_commit(struct pg *q, bool *ret_committed, struct err *err)
{
    PGresult *r;
    char sql[96];
    snprintf(sql, sizeof sql, "SELECT pg_xact_status('%s'::xid8)", q->xid);
    if (!link_run(q, sql, &r, err))
        return false;
    struct str status = str_of(PQntuples(r) ? PQgetvalue(r, 0, 0) : "");
    bool running = str_is(status, STR("in progress")), over = status.n > 0 && !running;
    *ret_committed = str_is(status, STR("committed"));
    PQclear(r);
    q->doubt = !over;
    q->db.broken = q->db.broken || running;
    return over || err_set(err, "database: the last transaction has not ended");
}

static bool settle_doubt(struct pg *q, struct err *err)
{
    bool committed = false;
    if (!q->doubt)
        return true;
    if (!ask_commit(q, &committed, err))
        return false;
    if (!committed)
        return true;
    return link_is_stale(q, "the connection was lost in a commit that took effect", err);
}

/* ---- connecting ---- */

static void quiet(void *arg, const PGresult *r)
{
    (void)arg, (void)r;
}

/* Of a connection that failed libpq keeps no SQLSTATE; asked for it, it writes it into the sentence,
 * between the severity, which only a server or a pooler puts there, and the reason. */
static bool is_refusal(PGconn *c)
{
    const char *at = strstr(PQerrorMessage(c), ":  ");
    if (!at || strlen(at) < 10 || at[8] != ':')
        return PQconnectionNeedsPassword(c) != 0;
    return !IS_AMONG(at + 3, transient);
}

/* The sentence of libpq, on one line, without the password and the place in the server's source. */
static bool no_connection(struct pg *q, struct err *err)
{
    struct str secret = str_of(PQpass(q->conn)), rest = str_of(PQerrorMessage(q->conn));
    char text[400];
    struct buf b = {text, 0, sizeof text - 1, false};
    while (rest.n) {
        if (str_starts(rest, STR("\nLOCATION:"))) {
            str_cut(str_skip(rest, 1), '\n', &rest);
            continue;
        }
        bool hide = secret.n && str_starts(rest, secret);
        if (hide)
            buf_put(&b, STR("***"));
        else
            buf_char(&b, *rest.p == '\n' || *rest.p == '\t' ? ' ' : *rest.p);
        rest = str_skip(rest, hide ? secret.n : 1);
    }
    q->refused = is_refusal(q->conn);
    link_drop(q);
    q->db.broken = q->db.faltered = true;
    return err_set(err, "database: %.*s", STR_ARG(str_trim(buf_str(&b))));
}

/* Those before dbname are for an address that says nothing of them. */
static const char *const keys[] = {"connect_timeout",
                                   "tcp_user_timeout",
                                   "keepalives_idle",
                                   "dbname",
                                   "client_encoding",
                                   "fallback_application_name",
                                   NULL};
#define VALUES_FOR(url, seconds)                                                                   \
    ((const char *const[]){seconds, "10000", "10", url, "UTF8", "koikoi", NULL})

/* The setting that puts SQLSTATE into a failure belongs to a connection that has begun. */
static PGconn *open_connection(const struct pg *q)
{
    PGconn *c = PQconnectStartParams(keys, VALUES_FOR(q->url, q->patience_ms > 0 ? "2" : "5"), 1);
    PQsetErrorVerbosity(c, PQERRORS_VERBOSE);
    if (PQstatus(c) != CONNECTION_BAD)
        PQreset(c);
    return c;
}

bool link_is_wrong(struct pg *q)
{
    if (q->refused || q->looked)
        return q->refused;
    q->looked = true;
    return PQpingParams(keys, VALUES_FOR(q->url, "5"), 1) == PQPING_NO_ATTEMPT;
}

static bool suits(struct pg *q, struct err *err)
{
    PGresult *r;
    const char *encoding = PQparameterStatus(q->conn, "server_encoding");
    if (PQserverVersion(q->conn) < OLDEST_SERVER)
        return err_set(err, "%s: expected PostgreSQL 13 or newer, got version %d", q->shown,
                       PQserverVersion(q->conn) / 10000);
    if (encoding && strcmp(encoding, "UTF8") != 0)
        return err_set(err, "%s: expected a database in UTF8, got %s", q->shown, encoding);
    if (!link_run(q, "SELECT pg_backend_pid()", &r, err))
        return false;
    char pid[16];
    snprintf(pid, sizeof pid, "%d", PQbackendPID(q->conn));
    q->pooled = strcmp(pid, PQgetvalue(r, 0, 0)) != 0;
    PQclear(r);
    return true;
}

/* The lock is shared: the server may not have noticed yet that our last connection is gone. */
static bool set_session(struct pg *q, struct err *err)
{
    char sql[400];
    snprintf(sql, sizeof sql,
             "SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; "
             "SET tcp_keepalives_count = 3; SET jit = off; "
             "SELECT set_config('synchronous_commit', 'on', false) WHERE "
             "current_setting('synchronous_commit') = 'off'; "
             "SELECT pg_advisory_lock_shared(" LEASE_LOCK ", %d) WHERE %d > 0",
             q->lock, q->lock);
    return q->pooled || q->to_read || link_run(q, sql, NULL, err);
}

static bool connect_anew(struct pg *q, struct err *err)
{
    link_drop(q);
    q->refused = false;
    q->conn = open_connection(q);
    if (PQstatus(q->conn) != CONNECTION_OK)
        return no_connection(q, err);
    PQsetNoticeReceiver(q->conn, quiet, NULL);
    if (PQsetnonblocking(q->conn, 1) != 0)
        return link_failed(q, NULL, err);
    bool was_silent = q->silent;
    q->silent = false;
    if (!suits(q, err) || !set_session(q, err) || (q->resume && !q->resume(q, err)))
        return false;
    if (was_silent && q->patience_ms < PATIENCE_MOST_MS)
        q->patience_ms *= 2;
    return true;
}

bool link_ready(struct pg *q, struct err *err)
{
    if (q->conn && PQstatus(q->conn) != CONNECTION_BAD)
        return true;
    /* each try may take seconds, in which a daemon does nothing else */
    if (q->patience_ms > 0 && clock_mono(&clock_of_machine) < q->again_at) {
        q->db.broken = q->db.faltered = true;
        return err_set(err, "%s", q->away.text);
    }
    if (connect_anew(q, err) && settle_doubt(q, err) &&
        (PQenterPipelineMode(q->conn) == 1 || link_failed(q, NULL, err)))
        return true;
    link_drop(q);
    stays_away(q, err);
    return false;
}

bool link_committed(struct pg *q, struct err *err)
{
    struct err ignored;
    bool committed = false;
    bool known = connect_anew(q, &ignored) && ask_commit(q, &committed, &ignored) &&
                 PQenterPipelineMode(q->conn) == 1;
    if (!known)
        link_drop(q);
    if (committed)
        q->db.broken = false;
    return committed || err_set(err, "database: the connection to %s was lost", q->shown);
}
