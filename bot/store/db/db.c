/* What all databases share: the sentence about damage, scripts in the words of one of them. See
 * db.h. */
#include "db.h"

#include "alloc.h"

#include <assert.h>

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
                "%s is damaged (%s)" DB_FILE_REMEDY " and remove %s-wal, or save "
                "what can still be read: sqlite3 %s .dump | sed 's/^ROLLBACK.*/COMMIT;/' | sqlite3 "
                "recovered.db",
                db->path, what, db->path, db->path);
}

enum { GROWTH = 5 }; /* of the word that grows most, but for one that stands there once */

char *db_words_put(struct str sql, const char *const *words)
{
    size_t cap = sql.n * GROWTH + 1;
    for (const char *const *w = words; *w; w += 2)
        cap += strlen(w[1]);
    char *text = alloc_room(cap);
    struct buf b = {text, 0, cap, false};
    while (sql.n) {
        size_t plain = 0; /* every word begins with a capital or a blank */
        const char *const *w = words;
        while (plain < sql.n && (sql.p[plain] > 'Z' || sql.p[plain] < ' '))
            plain++;
        buf_put(&b, (struct str){sql.p, plain});
        sql = str_skip(sql, plain);
        while (*w && !(sql.n > 0 && **w == *sql.p && str_starts(sql, str_of(*w))))
            w += 2;
        buf_put(&b, *w ? str_of(w[1]) : (struct str){sql.p, sql.n > 0});
        sql = str_skip(sql, *w ? strlen(*w) : 1);
    }
    buf_char(&b, '\0');
    assert(!b.cut);
    return text;
}
