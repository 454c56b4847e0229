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

/* What is kept of an open file, behind the system's own struct. */
struct disk_file {
    sqlite3_io_methods methods; /* the system's, but for those that change a file */
    const sqlite3_io_methods *real;
    struct disk_image *image;
    bool lists; /* its sync syncs the folder */
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

static struct disk_file *kept_of(sqlite3_file *f)
{
    return (struct disk_file *)((char *)f + under->szOsFile);
}

static int file_write(sqlite3_file *f, const void *bytes, int n, sqlite3_int64 at)
{
    count();
    note(kept_of(f)->image, at, bytes, n);
    return kept_of(f)->real->xWrite(f, bytes, n, at);
}

static int file_truncate(sqlite3_file *f, sqlite3_int64 to)
{
    count();
    note(kept_of(f)->image, to, NULL, 0);
    return kept_of(f)->real->xTruncate(f, to);
}

static int file_sync(sqlite3_file *f, int how)
{
    struct disk_file *kept = kept_of(f);
    (void)how;
    count();
    drop_changes(kept->image, true, false);
    if (kept->lists)
        folder_synced();
    kept->lists = false;
    return SQLITE_OK;
}

static int file_sector(sqlite3_file *f)
{
    (void)f;
    return SECTOR;
}

/* ---- the disk ---- */

static int disk_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *f, int flags, int *ret)
{
    (void)vfs;
    /* Before the system makes the file. Temporary ones are left to it. */
    struct disk_image *image =
        path && (flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL))
            ? image_of(path)
            : NULL;
    int code = under->xOpen(under, path, f, flags, ret);
    if (code != SQLITE_OK || !image)
        return code;
    struct disk_file *kept = kept_of(f);
    *kept = (struct disk_file){*f->pMethods, f->pMethods, image,
                               flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL) &&
                                   flags & SQLITE_OPEN_CREATE};
    kept->methods.iVersion = 2; /* no memory that is written past us */
    kept->methods.xWrite = file_write;
    kept->methods.xTruncate = file_truncate;
    kept->methods.xSync = file_sync;
    kept->methods.xSectorSize = file_sector;
    f->pMethods = &kept->methods;
    if (image->removed)
        set_size(image, 0); /* another file of that name */
    image->removed = false;
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

void disk_cuts(int n, enum disk_left how, uint64_t seed)
{
    static sqlite3_vfs disk;
    if (!under) {
        under = sqlite3_vfs_find(NULL);
        disk = *under;
        disk.zName = "disk";
        disk.szOsFile += (int)sizeof(struct disk_file);
        disk.xOpen = disk_open;
        disk.xDelete = disk_delete;
    }
    sqlite3_vfs_register(n ? &disk : under, 1);
    calls = 0;
    last = n;
    left = how;
    chance = seed;
}
