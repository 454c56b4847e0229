/* See scratch.h. */
#include "shell/scratch.h"

#include <assert.h>
#include <dirent.h>
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

void scratch_close(void)
{
    DIR *d = opendir(folder);
    assert(d);
    for (struct dirent *e; (e = readdir(d));)
        if (e->d_name[0] != '.')
            unlink(scratch_file(e->d_name).p);
    closedir(d);
    rmdir(folder);
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
