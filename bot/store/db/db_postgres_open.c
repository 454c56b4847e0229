/* Opening of a store on a PostgreSQL server: for a daemon or a tool, with leases; to be read, or beside
 * whoever has it, without. */
#include "db_postgres_lease.h"
#include "db_postgres_link.h"

/* A small store is read as a whole, as a small file is. */
static bool check_small(struct pg *q, struct err *err)
{
    enum { ROOM = 1 << 16 };
    struct arena *a = arena_open(ROOM);
    struct db_table t;
    bool good = q->db.verbs->query(
        &q->db, a,
        "SELECT COALESCE(SUM(pg_total_relation_size(oid)), 0) FROM pg_class WHERE "
        "relnamespace = current_schema()::regnamespace AND relkind = 'r'",
        0, NULL, &t, err);
    q->db.checked = good && t.at[0].i <= DB_CHECK_BYTES;
    arena_close(a);
    return good && (!q->db.checked || q->db.verbs->check(&q->db, err));
}

/* By this process: one that opens it anew need not wait for that. */
static bool has_checked;

/* *ret_anew, if it fails: the server was there, and went away. */
static bool open_leased(struct str url, const struct db_turn *turn, struct db **ret, bool *ret_anew,
                        struct err *err)
{
    struct pg *q = link_make(url, false, err);
    if (!q)
        return false;
    q->db.verbs = &db_postgres_verbs;
    bool leased = lease_await(q, turn, err);
    if (!leased || (!has_checked && !check_small(q, err))) {
        *ret_anew = leased && q->db.faltered;
        q->db.verbs->close(&q->db);
        return false;
    }
    has_checked = turn->wait != NULL;
    *ret = &q->db;
    return true;
}

bool db_postgres_open(struct str url, const struct db_turn *turn, struct db **ret, struct err *err)
{
    bool good, anew;
    do {
        anew = false;
        good = open_leased(url, turn, ret, &anew, err);
    } while (anew && turn->wait && turn->wait(turn->arg, "", err->text));
    return good;
}

/* Without the lease. */
static bool open_unleased(struct str url, bool beside, struct db **ret, struct err *err)
{
    struct pg *q = link_make(url, true, err);
    if (!q)
        return false;
    q->db.verbs = &db_postgres_verbs;
    q->beside = beside;
    if (!link_ready(q, err)) {
        link_free(q);
        return false;
    }
    *ret = &q->db;
    return true;
}

bool db_postgres_open_to_read(struct str url, struct db **ret, struct err *err)
{
    return open_unleased(url, false, ret, err);
}

bool db_postgres_open_beside(struct str url, struct db **ret, struct err *err)
{
    return open_unleased(url, true, ret, err);
}
