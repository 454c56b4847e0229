/* See file.h. */
#include "file.h"

#include "alloc.h"
#include "log.h"

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

static struct str folder_of(const char *path, char room[PATH_MAX])
{
    snprintf(room, PATH_MAX, "%s", path);
    char *slash = strrchr(room, '/');
    if (slash)
        slash[slash == room] = '\0';
    return slash ? str_of(room) : STR(".");
}

/* A name that leads elsewhere, or a file of several names, may be another's snare. */
void file_hand_over(const char *part, const char *path)
{
    char room[PATH_MAX];
    struct stat own, heir;
    int fd = geteuid() == 0 ? open(part, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) : -1;
    if (fd < 0)
        return;
    bool ours = fstat(fd, &own) == 0 && S_ISREG(own.st_mode) && own.st_nlink == 1;
    bool found = stat(path, &heir) == 0 || stat(folder_of(path, room).p, &heir) == 0;
    if (ours && found && fchown(fd, heir.st_uid, heir.st_gid) != 0)
        log_line(LOG_WARN, "owner_stays", "file", path, "why", strerror(errno), NULL);
    close(fd);
}

bool file_keep(const char *part, const char *path)
{
    char room[PATH_MAX];
    return sync_path(part, O_RDWR) && rename(part, path) == 0 &&
           sync_path(folder_of(path, room).p, O_RDONLY | O_DIRECTORY);
}

void file_free(struct str bytes)
{
    free((char *)(uintptr_t)bytes.p);
}
