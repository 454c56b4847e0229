/* Damage of a database, for good: see db.h. */
#include "db.h"

void db_damaged(struct db *db, const char *what)
{
    db->broken = true;
    if (db->damage.text[0])
        return;
    if (db->is_server)
        err_set(&db->damage,
                "%s is damaged (%s). The server's log says where; restore the last pg_dump into a "
                "new database",
                db->path, what);
    else
        err_set(&db->damage,
                "%s is damaged (%s). Put the last backup in its place and remove %s-wal, or save "
                "what can still be read: sqlite3 %s .dump | sed 's/^ROLLBACK.*/COMMIT;/' | sqlite3 "
                "recovered.db",
                db->path, what, db->path, db->path);
}
