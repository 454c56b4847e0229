/* See exposed.h. A group may have access on purpose; others may not. */
#include "exposed.h"

#include "store.h"

#include <sys/stat.h>

/* A folder closed to others protects its files, whatever their own modes. */
static bool is_open_to_others(const char *path, struct arena *a)
{
    struct stat file, folder;
    struct str s = str_of(path);
    while (s.n && s.p[s.n - 1] != '/')
        s.n--;
    return stat(path, &file) == 0 && (file.st_mode & (S_IROTH | S_IWOTH)) != 0 &&
           stat(s.n ? arena_str(a, s).p : ".", &folder) == 0 && (folder.st_mode & S_IXOTH) != 0;
}

int exposed_files(const struct config *c, struct arena *a, const char *ret[static EXPOSED_MOST])
{
    const char *files[EXPOSED_MOST];
    int n = 0, found = 0;
    for (int i = 0; i < c->n_secret_files; i++)
        files[n++] = c->secret_files[i];
    if (!store_is_server(c->store)) {
        files[n++] = arena_str(a, c->store).p;
        files[n++] = arena_print(a, "%.*s-wal", STR_ARG(c->store)).p;
    }
    files[n++] = arena_str(a, c->key_file).p;
    for (int i = 0; i < n; i++)
        if (is_open_to_others(files[i], a))
            ret[found++] = files[i];
    return found;
}
