/* See file.h. */
#include "file.h"

#include "alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads on beyond the ceiling at most once, so that the caller sees that there is more. */
static bool read_all(FILE *f, size_t ceiling, struct str *ret)
{
    size_t room = 64 * 1024, n = 0, got;
    char *bytes = alloc_room(room);
    while (n <= ceiling && (got = fread(bytes + n, 1, room - n, f)) > 0) {
        n += got;
        if (n == room)
            bytes = alloc_grow(bytes, room *= 2);
    }
    if (ferror(f)) {
        free(bytes);
        return false;
    }
    *ret = (struct str){bytes, n};
    return true;
}

bool file_read(const char *path, size_t ceiling, struct str *ret, struct err *err)
{
    bool given = strcmp(path, "-") == 0;
    FILE *f = given ? stdin : fopen(path, "rb");
    struct str bytes = {NULL, 0};

    if (!f)
        return err_set(err, "%s: %s", path, strerror(errno));
    bool ok = read_all(f, ceiling, &bytes);
    if (!ok)
        (void)err_set(err, "%s: %s", path, strerror(errno));
    if (!given)
        fclose(f);
    if (ok && bytes.n > ceiling) {
        file_free(bytes);
        return err_set(err, "%s: larger than %zu bytes", path, ceiling);
    }
    if (ok)
        *ret = bytes;
    return ok;
}

bool file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

bool file_is_same(const char *a, const char *b)
{
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

static bool sync_path(const char *path, int how)
{
    int fd = open(path, how | O_CLOEXEC);
    bool good = fd >= 0 && fsync(fd) == 0;
    if (fd >= 0)
        close(fd);
    return good;
}

bool file_keep(const char *part, const char *path)
{
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = '\0';
    return sync_path(part, O_RDWR) && rename(part, path) == 0 &&
           sync_path(slash ? folder : ".", O_RDONLY | O_DIRECTORY);
}

void file_free(struct str bytes)
{
    free((char *)(uintptr_t)bytes.p);
}
