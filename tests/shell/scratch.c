/* See scratch.h. */
#include "shell/scratch.h"

#include <assert.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db.h"

static char folder[64];

bool scratch_open(void)
{
    /* In memory where there is such a place: the tests end processes, not machines. */
    snprintf(folder, sizeof folder, "%s/koikoi-test-XXXXXX",
             access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
    return mkdtemp(folder) != NULL;
}

struct str scratch_file(const char *name)
{
    static char paths[8][512];
    static int next;
    char *p = paths[next++ % 8];
    snprintf(p, sizeof paths[0], "%s/%s", folder, name);
    return str_of(p);
}

static int take_away(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    (void)st, (void)kind, (void)at;
    return remove(path);
}

void scratch_close(void)
{
    (void)nftw(folder, take_away, 8, FTW_DEPTH | FTW_PHYS);
}

void scratch_write(const char *name, const char *text)
{
    FILE *f = fopen(scratch_file(name).p, "w");
    assert(f);
    fputs(text, f);
    fclose(f);
}

int scratch_mode(const char *name)
{
    struct stat st;
    return stat(scratch_file(name).p, &st) ? -1 : (int)(st.st_mode & 0777);
}

void scratch_sql(const char *name, const char *sql)
{
    struct db *db;
    struct err err;
    bool ok =
        db_sqlite_open(scratch_file(name), &db, &err) && db->verbs->script(db, str_of(sql), &err);
    assert(ok);
    db->verbs->close(db);
}
