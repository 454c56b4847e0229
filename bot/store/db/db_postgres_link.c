/* Connection to a PostgreSQL server: see db_postgres.h.
 *
 * Whether a pooler stands between is asked of the server: the process that answers is another than
 * the one that greeted us. Settings of the session and prepared statements are used without one
 * only.
 */
#include "db_postgres_lease.h"

#include "alloc.h"
#include "clock.h"
#include "log.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

enum { OLDEST_SERVER = 130000 };

/* ---- the address ---- */

static struct str option(const PQconninfoOption *o, const char *keyword)
{
    for (; o && o->keyword; o++)
        if (strcmp(o->keyword, keyword) == 0)
            return str_of(o->val ? o->val : "");
    return STR("");
}

/* Of "a,b,c" the one at this place; a list of one, as of ports, is for all. */
static struct str part_of(struct str list, int at)
{
    bool several = list.n > 0 && memchr(list.p, ',', list.n);
    struct str part = str_cut(list, ',', &list);
    while (several && at-- > 0)
        part = str_cut(list, ',', &list);
    return part;
}

static struct str hosts_of(const PQconninfoOption *o)
{
    struct str host = option(o, "host");
    return host.n > 0 ? host : option(o, "hostaddr");
}

static int count_hosts(const PQconninfoOption *o)
{
    struct str hosts = hosts_of(o);
    int n = 1;
    for (size_t i = 0; i < hosts.n; i++)
        n += hosts.p[i] == ',';
    return n;
}

static void put_host(const PQconninfoOption *o, int at, struct buf *b)
{
    struct str port = part_of(option(o, "port"), at);
    buf_print(b, "%.*s%s%.*s", STR_ARG(part_of(hosts_of(o), at)), port.n ? ":" : "", STR_ARG(port));
}

static void put_address(const PQconninfoOption *o, size_t size, char *ret)
{
    struct buf b = {ret, 0, size - 1, false};
    buf_put(&b, STR("postgresql://"));
    for (int i = 0, n = count_hosts(o); i < n; i++) {
        buf_put(&b, i ? STR(",") : STR(""));
        put_host(o, i, &b);
    }
    buf_print(&b, "/%.*s", STR_ARG(option(o, "dbname")));
    ret[b.n] = '\0';
}

/* A password with a bare "@" or "/" ends early, and its rest becomes a host, a port or a name. */
static bool is_clear(const PQconninfoOption *o)
{
    struct str host = option(o, "host"), port = option(o, "port"), name = option(o, "dbname");
    bool good = true;
    for (size_t i = 0; i < port.n; i++)
        good = good && ((port.p[i] >= '0' && port.p[i] <= '9') || port.p[i] == ',');
    for (int i = 0, n = count_hosts(o); i < n && n > 1; i++)
        good = good && part_of(hosts_of(o), i).n > 0;
    return good && !strchr(host.p, '@') && !strchr(name.p, '@');
}

/* libpq's own sentences about a wrong address repeat parts of it, the password too. */
static PQconninfoOption *read_url(const char *url, struct err *err)
{
    char *why = NULL;
    PQconninfoOption *o = PQconninfoParse(url, &why);
    PQfreemem(why);
    if (o && is_clear(o) && count_hosts(o) <= DB_HOSTS)
        return o;
    if (o && is_clear(o))
        err_set(err, "store: expected at most %d hosts, got %d", DB_HOSTS, count_hosts(o));
    else
        err_set(err, "store: expected postgresql://USER:PASSWORD@HOST:PORT/DATABASE, got an "
                     "address that cannot be read; special characters are written %%XX");
    PQconninfoFree(o);
    return NULL;
}

struct pg *link_make(struct str url, bool to_read, struct err *err)
{
    struct pg *q = alloc_zeroed(sizeof *q);
    q->url = alloc_text(url);
    q->to_read = to_read;
    q->db.is_server = true;
    q->db.path = q->shown;
    q->options = read_url(q->url, err);
    if (!q->options) {
        link_free(q);
        return NULL;
    }
    put_address(q->options, sizeof q->shown, q->shown);
    q->n_hosts = count_hosts(q->options);
    q->any = to_read && q->n_hosts == 1;
    return q;
}

void link_free(struct pg *q)
{
    link_drop(q);
    PQconninfoFree(q->options);
    for (int i = 0; i < PG_TABLES; i++)
        for (int k = 0; k < PG_COLUMNS; k++)
            pg_list_free(&q->rows[i].column[k]);
    free(q->url);
    free(q->list);
    free(q->bots);
    free(q);
}

struct str db_postgres_shown(struct arena *a, struct str url)
{
    char shown[512];
    struct err ignored;
    PQconninfoOption *o = read_url(arena_str(a, url).p, &ignored);
    if (!o)
        return STR("postgresql://");
    put_address(o, sizeof shown, shown);
    PQconninfoFree(o);
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
    q->db.host = NULL;
    q->n_pending = 0;
    pg_rows_forget(q);
    memset(q->statement, 0, sizeof q->statement);
}

static void stays_away(struct pg *q, int64_t ms, const struct err *why)
{
    q->again_at = clock_mono(&clock_of_machine) + (ms < RECONNECT_MS ? ms : RECONNECT_MS);
    q->away = *why;
}

static bool was_lost(struct pg *q, struct err *err)
{
    link_drop(q);
    q->db.broken = q->db.faltered = true;
    if (q->silent) {
        err_set(err, "database: %s has not answered for %d s", q->shown, q->patience_ms / 1000);
        stays_away(q, RECONNECT_MS, err);
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

int link_held(const struct pg *q)
{
    int64_t left = q->held_at + LEASE_RENEW_MS - clock_mono(&clock_of_machine);
    return left > 0 ? (int)left : 0;
}

/* While we surely have what we hold, the rest of the daemon may go on. */
static void wait_for_socket(struct pg *q, struct pollfd *fd, int ms)
{
    int ours = link_held(q);
    if (q->db.meanwhile && ours > 0)
        q->db.meanwhile(q->db.meanwhile_arg, fd, ms < ours ? ms : ours);
    else
        (void)poll(fd, 1, ms);
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
        if (unsent >= 0)
            wait_for_socket(q, &fd, (int)left);
        if (unsent < 0 || ((fd.revents & ~POLLOUT) != 0 && PQconsumeInput(q->conn) != 1))
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

/* Transactions of two timelines may have the same id. One whose id is not known may even be carried
 * out later, by a server that was stopped: what fences it off is that the store is opened anew. */
static bool ask_commit(struct pg *q, bool *ret_committed, struct err *err)
{
    PGresult *r;
    char sql[96];
    if (!q->xid[0])
        return link_is_stale(q, "the connection was lost in a transaction that went at once", err);
    if (q->doubt != q->timeline)
        return link_is_stale(q, "the connection was lost in a commit, and another server took over",
                             err);
    snprintf(sql, sizeof sql, "SELECT pg_xact_status('%s'::xid8)", q->xid);
    if (!link_run(q, sql, &r, err))
        return false;
    struct str status = str_of(PQntuples(r) ? PQgetvalue(r, 0, 0) : "");
    bool running = str_is(status, STR("in progress")), over = status.n > 0 && !running;
    *ret_committed = str_is(status, STR("committed"));
    PQclear(r);
    q->doubt = over ? 0 : q->doubt;
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

/* The sentence of libpq, on one line, without the password, hints and the place in the server's
 * source. */
static void put_reason(PGconn *c, struct buf *b)
{
    struct str secret = str_of(PQpass(c)), rest = str_of(PQerrorMessage(c));
    while (rest.n) {
        if (str_starts(rest, STR("\nLOCATION:")) || str_starts(rest, STR("\n\t"))) {
            str_cut(str_skip(rest, 1), '\n', &rest);
            continue;
        }
        bool hide = secret.n && str_starts(rest, secret);
        if (hide)
            buf_put(b, STR("***"));
        else
            buf_char(b, *rest.p == '\n' ? ' ' : *rest.p);
        rest = str_skip(rest, hide ? secret.n : 1);
    }
}

/* Those before dbname are for an address that says nothing of them, those behind it are of one of
 * its hosts. */
static const char *const keys[] = {"connect_timeout",
                                   "tcp_user_timeout",
                                   "keepalives_idle",
                                   "target_session_attrs",
                                   "dbname",
                                   "client_encoding",
                                   "fallback_application_name",
                                   "host",
                                   "hostaddr",
                                   "port",
                                   NULL};
#define VALUES_FOR(q, seconds, host, hostaddr, port)                                               \
    ((const char *const[]){seconds, "10000", "10", (q)->any ? "any" : "read-write", (q)->url,      \
                           "UTF8", "koikoi", host, hostaddr, port, NULL})

static const char *connect_seconds(const struct pg *q)
{
    return q->patience_ms > 0 ? "2" : "5";
}

/* One host that is asked for a session. */
struct asked {
    PGconn *conn;
    PostgresPollingStatusType status;
    int64_t again_at; /* if it refuses */
};

static bool is_silent(const struct asked *h)
{
    return h->status == PGRES_POLLING_READING || h->status == PGRES_POLLING_WRITING;
}

/* The setting that puts SQLSTATE into a failure belongs to a connection that has begun. */
static struct asked meet_host(const struct pg *q, int at)
{
    enum { PART = 256 };
    static const char *const of[] = {"host", "hostaddr", "port"};
    char part[3][PART];
    for (int i = 0; i < 3; i++)
        snprintf(part[i], PART, "%.*s", STR_ARG(part_of(option(q->options, of[i]), at)));
    if (q->n_hosts > 1 && !part[2][0]) /* else the ports of all would count */
        snprintf(part[2], PART, "5432");
    PGconn *c =
        PQconnectStartParams(keys, VALUES_FOR(q, connect_seconds(q), part[0], part[1], part[2]), 1);
    PQsetErrorVerbosity(c, PQERRORS_VERBOSE);
    bool means_something = PQstatus(c) != CONNECTION_BAD;
    return (struct asked){c, PGRES_POLLING_FAILED, means_something ? 0 : INT64_MAX};
}

/* Asks those whose time it is, and waits for whoever answers next. */
static void hear_hosts(struct asked *host, int n, int64_t until)
{
    enum { AGAIN_MS = 250 };
    struct pollfd fds[DB_HOSTS];
    int64_t now = clock_mono(&clock_of_machine), left = until - now;
    for (int i = 0; i < n; i++) {
        struct asked *h = &host[i];
        if (h->status == PGRES_POLLING_FAILED && now >= h->again_at) {
            h->again_at = now + AGAIN_MS;
            h->status = PQresetStart(h->conn) ? PGRES_POLLING_WRITING : PGRES_POLLING_FAILED;
        }
        fds[i] = (struct pollfd){.fd = is_silent(h) ? PQsocket(h->conn) : -1,
                                 .events = h->status == PGRES_POLLING_READING ? POLLIN : POLLOUT};
    }
    (void)poll(fds, (nfds_t)n, left < 0 ? 0 : left < AGAIN_MS ? (int)left : AGAIN_MS);
    for (int i = 0; i < n; i++)
        if (fds[i].fd >= 0 && fds[i].revents)
            host[i].status = PQresetPoll(host[i].conn);
}

/* All at once, since one that hangs is silent for seconds: the first that takes what is written
 * ends it, unless all of them are wanted. While one is silent, those that refused are asked again:
 * one of them may follow it. */
static void ask_hosts(struct asked *host, int n, int64_t ms, bool all)
{
    const int64_t until = clock_mono(&clock_of_machine) + ms;
    bool found = false, silent = true;
    while ((!found || all) && silent && clock_mono(&clock_of_machine) < until) {
        hear_hosts(host, n, until);
        silent = false;
        for (int i = 0; i < n; i++) {
            found |= host[i].status == PGRES_POLLING_OK;
            silent |= is_silent(&host[i]);
        }
    }
}

static bool open_connection(struct pg *q, struct err *err)
{
    struct asked host[DB_HOSTS] = {0};
    char text[400];
    struct buf b = {text, 0, sizeof text - 1, false};
    int64_t seconds = 0;
    (void)str_int(option(q->options, "connect_timeout"), &seconds);
    if (seconds <= 0)
        (void)str_int(str_of(connect_seconds(q)), &seconds);
    for (int i = 0; i < q->n_hosts; i++)
        host[i] = meet_host(q, i);
    if (q->n_hosts > 1)
        ask_hosts(host, q->n_hosts, seconds * 1000, false);
    else if (PQstatus(host->conn) != CONNECTION_BAD)
        PQreset(host->conn); /* a name may have several addresses, each with its time */
    q->refused = false;
    for (int i = 0; i < q->n_hosts; i++) {
        PGconn *c = host[i].conn;
        if (!q->conn && PQstatus(c) == CONNECTION_OK) {
            q->conn = c;
            continue;
        }
        buf_put(&b, b.n ? STR("; ") : STR(""));
        put_reason(c, &b);
        buf_put(&b, is_silent(&host[i]) ? STR("no answer in time") : STR(""));
        q->refused |= is_refusal(c);
        PQfinish(c);
    }
    if (q->conn)
        return true;
    q->db.broken = q->db.faltered = true;
    return err_set(err, "database: %.*s", STR_ARG(str_trim(buf_str(&b))));
}

/* What a host says that takes a session. */
static struct db_host role_of(struct arena *a, struct str name, PGconn *c)
{
    PGresult *r = PQexec(c, "SELECT pg_is_in_recovery() OR "
                            "current_setting('default_transaction_read_only') = 'on', "
                            "current_setting('synchronous_standby_names') = ''");
    bool answers = PQresultStatus(r) == PGRES_TUPLES_OK;
    bool follows = answers && *PQgetvalue(r, 0, 0) == 't';
    bool alone = answers && *PQgetvalue(r, 0, 1) == 't';
    PQclear(r);
    const char *is = follows ? "takes nothing that is written"
                     : alone ? "takes what is written; no replica is synchronous, so what it "
                               "acknowledged last may be lost with it"
                             : "takes what is written, and so does a synchronous replica";
    return (struct db_host){!alone || follows, arena_print(a, "%.*s %s", STR_ARG(name), is)};
}

int db_postgres_hosts(struct arena *a, struct str url, struct db_host ret[static DB_HOSTS])
{
    enum { ROOM = 512 };
    struct asked host[DB_HOSTS] = {0};
    struct err ignored;
    struct pg *q = link_make(url, true, &ignored);
    int n = q && q->n_hosts > 1 ? q->n_hosts : 0;
    if (n > 0)
        q->any = true;
    for (int i = 0; i < n; i++)
        host[i] = meet_host(q, i);
    ask_hosts(host, n, PATIENCE_MS, true);
    for (int i = 0; i < n; i++) {
        struct buf b = {arena_room(a, ROOM), 0, ROOM, false};
        put_host(q->options, i, &b);
        if (PQstatus(host[i].conn) == CONNECTION_OK) {
            ret[i] = role_of(a, buf_str(&b), host[i].conn);
        } else {
            buf_put(&b, STR(" cannot be reached: "));
            put_reason(host[i].conn, &b);
            buf_put(&b, is_silent(&host[i]) ? STR("no answer in time") : STR(""));
            ret[i] = (struct db_host){false, str_trim(buf_str(&b))};
        }
        PQfinish(host[i].conn);
    }
    if (q)
        link_free(q);
    return n;
}

bool link_is_wrong(struct pg *q)
{
    if (q->refused || q->looked)
        return q->refused;
    q->looked = true;
    return PQpingParams(keys, VALUES_FOR(q, "5", NULL, NULL, NULL), 1) == PQPING_NO_ATTEMPT;
}

/* A server that was replaced while it was frozen takes what is written when it wakes, until it
 * learns of that. What this process, a daemon, has seen promoted after it counts. */
static bool is_newest(struct pg *q, struct err *err)
{
    static uint32_t newest;
    if (q->timeline >= newest) {
        newest = q->timeline;
        return true;
    }
    q->db.broken = q->db.faltered = true;
    return err_set(err,
                   "database: %s:%s was replaced by another server: its timeline is %u, and %u was "
                   "seen. If it is the right one, start this daemon anew",
                   PQhost(q->conn), PQport(q->conn), q->timeline, newest);
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
    if (!link_run(q,
                  "SELECT pg_backend_pid(), CASE WHEN pg_is_in_recovery() THEN '0' ELSE "
                  "left(pg_walfile_name(pg_current_wal_lsn()), 8) END",
                  &r, err))
        return false;
    char pid[16];
    snprintf(pid, sizeof pid, "%d", PQbackendPID(q->conn));
    q->pooled = strcmp(pid, PQgetvalue(r, 0, 0)) != 0;
    q->timeline = (uint32_t)strtoul(PQgetvalue(r, 0, 1), NULL, 16);
    PQclear(r);
    return q->n_accounts == 0 || is_newest(q, err);
}

/* The lock is shared: the server may not have noticed yet that our last connection is gone. Plans are
 * made once: tables in partitions seem to be worth a plan of their own for each account, which costs
 * more than it saves. */
static bool set_session(struct pg *q, struct err *err)
{
    char sql[480];
    snprintf(sql, sizeof sql,
             "SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; "
             "SET tcp_keepalives_count = 3; SET jit = off; "
             "SET plan_cache_mode = force_generic_plan; "
             "SELECT set_config('synchronous_commit', 'on', false) WHERE "
             "current_setting('synchronous_commit') = 'off'; "
             "SELECT pg_advisory_lock_shared(" LEASE_LOCK ", %d) WHERE %d > 0",
             q->lock, q->lock);
    return q->pooled || q->to_read || link_run(q, sql, NULL, err);
}

static void note_host(struct pg *q)
{
    char host[sizeof q->host];
    snprintf(host, sizeof host, "%s:%s", PQhost(q->conn), PQport(q->conn));
    if (q->host[0] && strcmp(q->host, host) != 0)
        log_line(LOG_INFO, "writes_to", "host", host, NULL);
    memcpy(q->host, host, sizeof host);
    q->db.host = q->n_hosts > 1 ? q->host : NULL;
}

static bool connect_anew(struct pg *q, struct err *err)
{
    link_drop(q);
    if (!open_connection(q, err))
        return false;
    PQsetNoticeReceiver(q->conn, quiet, NULL);
    if (PQsetnonblocking(q->conn, 1) != 0)
        return link_failed(q, NULL, err);
    bool was_silent = q->silent;
    q->silent = false;
    if (q->resume)
        q->returned_at = clock_mono(&clock_of_machine);
    if (!suits(q, err) || !set_session(q, err) || (q->resume && !q->resume(q, err)))
        return false;
    if (was_silent && q->patience_ms < PATIENCE_MOST_MS)
        q->patience_ms *= 2;
    note_host(q);
    return true;
}

/* While the server is away, tries take half of the time at most: in them a daemon does nothing
 * else. */
bool link_ready(struct pg *q, struct err *err)
{
    if (q->conn && PQstatus(q->conn) != CONNECTION_BAD)
        return true;
    int64_t begun = clock_mono(&clock_of_machine);
    if (q->patience_ms > 0 && begun < q->again_at) {
        q->db.broken = q->db.faltered = true;
        return err_set(err, "%s", q->away.text);
    }
    if (connect_anew(q, err) && settle_doubt(q, err) &&
        (PQenterPipelineMode(q->conn) == 1 || link_failed(q, NULL, err)))
        return true;
    link_drop(q);
    stays_away(q, clock_mono(&clock_of_machine) - begun, err);
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
    if (q->db.stale)
        return err_set(err, "%s", q->db.damage.text);
    return committed || err_set(err, "database: the connection to %s was lost", q->shown);
}
