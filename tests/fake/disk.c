/* See disk.h. A VFS of SQLite around the system's own: https://sqlite.org/vfs.html. */
#include "disk.h"

#include <assert.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILES = 8, PATH_LENGTH = 512, SECTOR = 512 };

/* One write, or a truncation to `at` (no bytes). */
struct disk_change {
    struct disk_change *next;
    int64_t at;
    int n;
    unsigned char bytes[];
};

/* A file by its name. `n` < 0: there is none. */
struct disk_image {
    char path[PATH_LENGTH];
    unsigned char *safe; /* its bytes after a cut, at least */
    int64_t n, room;
    bool listed;  /* the folder's safe copy names it */
    bool removed; /* since then it was deleted */
    struct disk_change *changes, **end;
};

struct file {
    sqlite3_file base;
    struct disk_image *image; /* NULL: a temporary file */
    bool lists;               /* its sync syncs the folder */
    sqlite3_file *real;       /* behind this struct */
};

static sqlite3_vfs *under;
static struct disk_image images[FILES];
static int n_images, calls, last;
static enum disk_left left;
static uint64_t chance;

/* ---- what a cut leaves ---- */

static bool coin(void)
{
    chance = chance * 6364136223846793005u + 1442695040888963407u;
    return chance >> 63;
}

static void set_size(struct disk_image *i, int64_t n)
{
    if (n >= i->room) {
        i->room = 2 * n + SECTOR;
        i->safe = realloc(i->safe, (size_t)i->room);
        assert(i->safe);
    }
    if (n > i->n)
        memset(i->safe + i->n, 0, (size_t)(n - i->n));
    i->n = n;
}

/* Writes arrive sector by sector; `by_chance`: not all of them. */
static void apply(struct disk_image *i, const struct disk_change *c, bool by_chance)
{
    if (c->n == 0 && !(by_chance && coin()))
        set_size(i, c->at);
    for (int64_t from = c->at, to; from < c->at + c->n; from = to) {
        to = (from / SECTOR + 1) * SECTOR;
        if (to > c->at + c->n)
            to = c->at + c->n;
        if (by_chance && coin())
            continue;
        if (to > i->n)
            set_size(i, to);
        memcpy(i->safe + from, c->bytes + (from - c->at), (size_t)(to - from));
    }
}

static void drop_changes(struct disk_image *i, bool kept, bool by_chance)
{
    for (struct disk_change *c = i->changes, *next; c; c = next) {
        next = c->next;
        if (kept)
            apply(i, c, by_chance);
        free(c);
    }
    i->changes = NULL;
    i->end = &i->changes;
}

static void leave(struct disk_image *i)
{
    bool there = left == DISK_LEAVES_ALL ? !i->removed : i->listed;
    if (left == DISK_LEAVES_SOME && (i->listed != !i->removed))
        there = coin();
    drop_changes(i, left != DISK_LEAVES_SAFE, left == DISK_LEAVES_SOME);
    unlink(i->path);
    if (!there)
        return;
    FILE *f = fopen(i->path, "wb");
    bool good = f && fwrite(i->safe, 1, (size_t)i->n, f) == (size_t)i->n;
    if (!f || fclose(f) != 0 || !good)
        _exit(1);
}

/* Before each change of a file. */
static void count(void)
{
    char path[PATH_LENGTH + 4];
    if (++calls != last)
        return;
    for (int i = 0; i < n_images; i++) {
        leave(&images[i]);
        snprintf(path, sizeof path, "%.*s-shm", PATH_LENGTH - 1,
                 images[i].path); /* memory, not disk */
        unlink(path);
    }
    _exit(DISK_CUT);
}

static void note(struct disk_image *i, int64_t at, const void *bytes, int n)
{
    struct disk_change *c = malloc(sizeof *c + (size_t)n);
    assert(c);
    *c = (struct disk_change){.at = at, .n = n};
    if (n)
        memcpy(c->bytes, bytes, (size_t)n);
    *i->end = c;
    i->end = &c->next;
}

static void folder_synced(void)
{
    for (int i = 0; i < n_images; i++) {
        images[i].listed = !images[i].removed;
        if (images[i].removed)
            images[i].n = 0;
    }
}

static struct disk_image *image_of(const char *path)
{
    for (int i = 0; i < n_images; i++)
        if (strcmp(images[i].path, path) == 0)
            return &images[i];
    struct disk_image *i = &images[n_images++];
    assert(n_images <= FILES);
    *i = (struct disk_image){.listed = access(path, F_OK) == 0, .end = &i->changes};
    snprintf(i->path, sizeof i->path, "%s", path);
    i->removed = !i->listed;
    set_size(i, 0);
    FILE *f = fopen(path, "rb");
    for (int c; f && (c = getc(f)) != EOF;) {
        set_size(i, i->n + 1);
        i->safe[i->n - 1] = (unsigned char)c;
    }
    if (f)
        fclose(f);
    return i;
}

/* ---- the methods of a file ---- */

static sqlite3_file *real_of(sqlite3_file *f)
{
    return ((struct file *)f)->real;
}

static int file_close(sqlite3_file *f)
{
    return real_of(f)->pMethods->xClose(real_of(f));
}

static int file_read(sqlite3_file *f, void *to, int n, sqlite3_int64 at)
{
    return real_of(f)->pMethods->xRead(real_of(f), to, n, at);
}

static int file_write(sqlite3_file *f, const void *bytes, int n, sqlite3_int64 at)
{
    struct disk_image *i = ((struct file *)f)->image;
    if (i) {
        count();
        note(i, at, bytes, n);
    }
    return real_of(f)->pMethods->xWrite(real_of(f), bytes, n, at);
}

static int file_truncate(sqlite3_file *f, sqlite3_int64 to)
{
    struct disk_image *i = ((struct file *)f)->image;
    if (i) {
        count();
        note(i, to, NULL, 0);
    }
    return real_of(f)->pMethods->xTruncate(real_of(f), to);
}

static int file_sync(sqlite3_file *f, int how)
{
    struct file *file = (struct file *)f;
    (void)how;
    if (!file->image)
        return SQLITE_OK;
    count();
    drop_changes(file->image, true, false);
    if (file->lists)
        folder_synced();
    file->lists = false;
    return SQLITE_OK;
}

static int file_size(sqlite3_file *f, sqlite3_int64 *ret)
{
    return real_of(f)->pMethods->xFileSize(real_of(f), ret);
}

static int file_lock(sqlite3_file *f, int how)
{
    return real_of(f)->pMethods->xLock(real_of(f), how);
}

static int file_unlock(sqlite3_file *f, int how)
{
    return real_of(f)->pMethods->xUnlock(real_of(f), how);
}

static int file_locked(sqlite3_file *f, int *ret)
{
    return real_of(f)->pMethods->xCheckReservedLock(real_of(f), ret);
}

static int file_control(sqlite3_file *f, int op, void *arg)
{
    return real_of(f)->pMethods->xFileControl(real_of(f), op, arg);
}

static int file_sector(sqlite3_file *f)
{
    (void)f;
    return SECTOR;
}

static int file_abilities(sqlite3_file *f)
{
    return real_of(f)->pMethods->xDeviceCharacteristics(real_of(f));
}

static int shm_map(sqlite3_file *f, int page, int size, int extend, void volatile **ret)
{
    return real_of(f)->pMethods->xShmMap(real_of(f), page, size, extend, ret);
}

static int shm_lock(sqlite3_file *f, int at, int n, int flags)
{
    return real_of(f)->pMethods->xShmLock(real_of(f), at, n, flags);
}

static void shm_barrier(sqlite3_file *f)
{
    real_of(f)->pMethods->xShmBarrier(real_of(f));
}

static int shm_unmap(sqlite3_file *f, int remove)
{
    return real_of(f)->pMethods->xShmUnmap(real_of(f), remove);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_locked,
    .xFileControl = file_control,
    .xSectorSize = file_sector,
    .xDeviceCharacteristics = file_abilities,
    .xShmMap = shm_map,
    .xShmLock = shm_lock,
    .xShmBarrier = shm_barrier,
    .xShmUnmap = shm_unmap,
};

/* ---- the disk ---- */

static int disk_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *f, int flags, int *ret)
{
    struct file *file = (struct file *)f;
    bool kept =
        path && (flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL));
    (void)vfs;
    *file = (struct file){.real = (sqlite3_file *)(file + 1)};
    if (kept) {
        file->image = image_of(path);
        file->lists =
            flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL) && flags & SQLITE_OPEN_CREATE;
    }
    int code = under->xOpen(under, path, file->real, flags, ret);
    if (code == SQLITE_OK && kept) {
        if (file->image->removed)
            set_size(file->image, 0); /* another file of that name */
        file->image->removed = false;
    }
    file->base.pMethods = code == SQLITE_OK ? &methods : NULL;
    return code;
}

static int disk_delete(sqlite3_vfs *vfs, const char *path, int synced)
{
    (void)vfs;
    count();
    int code = under->xDelete(under, path, 0);
    struct disk_image *i = image_of(path);
    if (code == SQLITE_OK) {
        drop_changes(i, false, false);
        i->removed = true;
        if (synced)
            folder_synced();
    }
    return code;
}

/* Once: makes the VFS. */
static sqlite3_vfs *make_disk(void)
{
    static sqlite3_vfs disk;
    if (!under) {
        under = sqlite3_vfs_find(NULL);
        disk = *under;
        disk.zName = "disk";
        disk.szOsFile += (int)sizeof(struct file);
        disk.xOpen = disk_open;
        disk.xDelete = disk_delete;
    }
    return &disk;
}

void disk_cuts(int n, enum disk_left how, uint64_t seed)
{
    sqlite3_vfs *disk = make_disk();
    sqlite3_vfs_register(n ? disk : under, 1);
    calls = 0;
    last = n;
    left = how;
    chance = seed;
}
