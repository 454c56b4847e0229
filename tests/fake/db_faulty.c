/* See db_faulty.h. */
#include "db_faulty.h"

#include <assert.h>

struct faulty {
    struct db db;
    struct db *real;
    enum db_fault fault;
    int calls, first, times;
};

static struct faulty *of(struct db *db)
{
    return (struct faulty *)db;
}

/* True if this call is to be carried out. */
static bool goes_well(struct faulty *f, struct err *err)
{
    f->calls++;
    if (f->calls < f->first || f->calls >= f->first + f->times || f->fault == DB_DIES_AFTER)
        return true;
    if (f->fault == DB_DIES)
        _exit(9);
    f->db.broken = true;
    if (f->fault == DB_IS_DAMAGED) {
        db_damaged(&f->db, "on purpose");
        f->real->damage = f->db.damage; /* went() copies it back */
        return err_set(err, "%s", f->db.damage.text);
    }
    return err_set(err, "database: the disk is full (on purpose)");
}

static bool went(struct faulty *f, bool ok)
{
    if (f->fault == DB_DIES_AFTER && f->times && f->calls == f->first)
        _exit(9);
    f->db.broken = f->db.broken || f->real->broken;
    f->db.damage = f->real->damage;
    return ok;
}

static bool query(struct db *db, struct arena *a, const char *sql, int n,
                  const struct db_value *args, struct db_table *ret, struct err *err)
{
    return goes_well(of(db), err) &&
           went(of(db), of(db)->real->verbs->query(of(db)->real, a, sql, n, args, ret, err));
}

static bool ask(struct db *db, struct arena *a, int n, struct db_question *q, struct err *err)
{
    return goes_well(of(db), err) &&
           went(of(db), of(db)->real->verbs->ask(of(db)->real, a, n, q, err));
}

static bool script(struct db *db, struct str sql, struct err *err)
{
    return goes_well(of(db), err) &&
           went(of(db), of(db)->real->verbs->script(of(db)->real, sql, err));
}

static bool begin(struct db *db, struct err *err)
{
    of(db)->real->broken = false;
    return goes_well(of(db), err) && went(of(db), of(db)->real->verbs->begin(of(db)->real, err));
}

static bool commit(struct db *db, struct arena *a, struct db_question *last, struct err *err)
{
    return goes_well(of(db), err) &&
           went(of(db), of(db)->real->verbs->commit(of(db)->real, a, last, err));
}

static bool check(struct db *db, struct err *err)
{
    return went(of(db), of(db)->real->verbs->check(of(db)->real, err));
}

static void rollback(struct db *db)
{
    of(db)->real->verbs->rollback(of(db)->real);
    db->broken = false;
}

static void idle(struct db *db)
{
    of(db)->real->verbs->idle(of(db)->real);
}

static void close_db(struct db *db)
{
    of(db)->real->verbs->close(of(db)->real);
    free(db);
}

static bool keep(struct db *db, int *ret_ms, struct err *err)
{
    struct db *real = of(db)->real;
    return real->verbs->keep(real, ret_ms, err);
}

static const struct db_verbs verbs = {
    .query = query,
    .ask = ask,
    .script = script,
    .begin = begin,
    .commit = commit,
    .check = check,
    .rollback = rollback,
    .idle = idle,
    .keep = keep,
    .close = close_db,
};

struct db *db_faulty(struct db *real, enum db_fault fault, int first, int times)
{
    struct faulty *f = calloc(1, sizeof *f);
    assert(f);
    *f = (struct faulty){.db = *real, .real = real, .fault = fault, .first = first, .times = times};
    f->db.verbs = &verbs;
    return &f->db;
}

int db_faulty_calls(const struct db *db)
{
    return ((const struct faulty *)db)->calls;
}
