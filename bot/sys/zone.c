/* See zone.h. The C library reads the files. It knows one zone at a time, the one that the variable
 * TZ names, so it is asked by the loop's thread alone, and gets the system's zone back after each
 * question. Other threads may look into the environment meanwhile: the text of the variable changes
 * in place, and the environment does not. */
#include "zone.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>

enum { MOST_S = 14 * 3600, MINUTE_MS = 60000, TEXT = 512 };
#define DAY_MS ((int64_t)24 * 3600 * 1000)

#define ZONES  "/usr/share/zoneinfo"

static char variable[3 + TEXT] = "TZ=", system_zone[TEXT];

/* A zone between zone_enter() and zone_leave(). */
struct zone {
    bool named;     /* the C library knows its offsets */
    int32_t offset; /* of one that has no name */
};

static void set_variable(const char *zone)
{
    snprintf(variable + 3, TEXT, "%s", zone);
    tzset();
}

/* "+03:00", "-5", "UTC+2", "gmt+2". */
static bool fixed(struct str s, int32_t *ret)
{
    int64_t hours, minutes = 0;
    if (s.n >= 3 && (strncasecmp(s.p, "UTC", 3) == 0 || strncasecmp(s.p, "GMT", 3) == 0))
        s = str_skip(s, 3);
    if (s.n == 0) {
        *ret = 0;
        return true;
    }
    if (s.p[0] != '+' && s.p[0] != '-')
        return false;
    struct str rest, head = str_cut(str_skip(s, 1), ':', &rest);
    if (head.n < 1 || head.n > 2 || !str_int(head, &hours) || hours < 0)
        return false;
    if (rest.n > 0 && (rest.n != 2 || !str_int(rest, &minutes) || minutes < 0 || minutes > 59))
        return false;
    int64_t east = (hours * 60 + minutes) * 60;
    if (east > MOST_S)
        return false;
    *ret = (int32_t)(s.p[0] == '-' ? -east : east);
    return true;
}

/* Sets path to a file of zones, whatever the case of the letters of its name: each folder is
 * searched for the part as it was typed. Returns false if not found. */
static bool find_file(struct str name, struct buf *path)
{
    for (struct str rest = name, part; rest.n > 0;) {
        part = str_cut(rest, '/', &rest);
        struct dirent *e = NULL;
        DIR *folder = opendir(path->p);
        while (folder && (e = readdir(folder)) &&
               (strlen(e->d_name) != part.n || strncasecmp(e->d_name, part.p, part.n) != 0))
            ;
        if (e)
            buf_print(path, "/%s", e->d_name);
        if (folder)
            closedir(folder);
        if (!e || path->cut)
            return false;
        path->p[path->n] = '\0';
    }
    return true;
}

/* The same for a city without its continent: "Warsaw". */
static bool find_city(struct str name, struct buf *path)
{
    size_t n = path->n;
    struct dirent *e = NULL;
    bool found = false;
    DIR *folder = memchr(name.p, '/', name.n) ? NULL : opendir(path->p);
    while (folder && !found && (e = readdir(folder))) {
        if (e->d_name[0] < 'A' || e->d_name[0] > 'Z')
            continue;
        path->n = n;
        buf_print(path, "/%s", e->d_name);
        path->p[path->n] = '\0';
        found = find_file(name, path);
    }
    if (folder)
        closedir(folder);
    return found;
}

static bool zone_enter(struct str name, struct zone *ret)
{
    char file[128];
    struct stat st;
    *ret = (struct zone){.named = false};
    if (fixed(name, &ret->offset))
        return true;
    if (name.n > 40)
        return false;
    for (size_t i = 0; i < name.n; i++) { /* a name, never a path out of the folder */
        char c = name.p[i];
        bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (!letter && c != '/' && c != '_' && c != '-' && c != '+')
            return false;
    }
    snprintf(file, sizeof file, ":" ZONES "/%.*s", STR_ARG(name));
    struct buf path = {file + 1, sizeof ZONES - 1, sizeof file - 2, false};
    if (stat(path.p, &st) != 0) {
        path.p[path.n] = '\0';
        bool found = find_file(name, &path);
        if (!found) {
            path = (struct buf){file + 1, sizeof ZONES - 1, sizeof file - 2, false};
            path.p[path.n] = '\0';
            found = find_city(name, &path);
        }
        if (!found || stat(path.p, &st) != 0)
            return false;
    }
    char first = path.p[sizeof ZONES]; /* what begins small is no zone: right/, posixrules */
    if (!S_ISREG(st.st_mode) || first < 'A' || first > 'Z')
        return false;
    const char *now = getenv("TZ");
    if (now != variable + 3) {
        snprintf(system_zone, sizeof system_zone, "%s", now ? now : ":/etc/localtime");
        (void)putenv(variable);
    }
    set_variable(file);
    ret->named = true;
    return true;
}

static void zone_leave(const struct zone *z)
{
    if (z->named)
        set_variable(system_zone);
}

static bool offset_at(const struct zone *z, int64_t unix_ms, int32_t *ret)
{
    time_t t = (time_t)(unix_ms / 1000);
    struct tm local = {.tm_gmtoff = z->offset};
    if (z->named && !localtime_r(&t, &local))
        return false;
    if (local.tm_gmtoff < -MOST_S || local.tm_gmtoff > MOST_S)
        return false;
    *ret = (int32_t)local.tm_gmtoff;
    return true;
}

bool zone_offset(struct str zone, int64_t unix_ms, int32_t *ret)
{
    struct zone z;
    if (!zone_enter(zone, &z))
        return false;
    bool good = offset_at(&z, unix_ms, ret);
    zone_leave(&z);
    return good;
}

bool zone_offset_cached(struct cache *cache, struct str zone, int64_t unix_ms, int32_t *ret)
{
    enum { UNKNOWN = INT32_MIN };
    const struct cache_key key = {.no = unix_ms / MINUTE_MS, .text = zone};
    int32_t offset = UNKNOWN;
    if (!cache_read(cache, key, &offset, sizeof offset)) {
        (void)zone_offset(zone, unix_ms, &offset);
        CACHE_KEEP(cache, key, BYTES_OF(offset));
    }
    if (offset == UNKNOWN)
        return false;
    *ret = offset;
    return true;
}

/* The first minute in (from, to] at which the offset is another one than at `from`. */
static int64_t bisect(const struct zone *z, int32_t offset, int64_t from, int64_t to)
{
    while (to - from > MINUTE_MS) {
        int64_t middle = from + (to - from) / 2 / MINUTE_MS * MINUTE_MS;
        int32_t then = offset;
        (void)offset_at(z, middle, &then);
        if (then == offset)
            from = middle;
        else
            to = middle;
    }
    return to;
}

static bool find_change(const struct zone *z, int64_t unix_ms, struct zone_change *ret)
{
    enum { WEEKS = 28 };
    static const int64_t week = 7 * DAY_MS;
    struct zone_change found = {0};
    int64_t from = unix_ms - (unix_ms % MINUTE_MS + MINUTE_MS) % MINUTE_MS;
    if (!offset_at(z, unix_ms, &found.offset))
        return false;
    for (int i = 0; i < WEEKS && !found.change; i++, from += week) {
        int32_t then = found.offset;
        if (!offset_at(z, from + week, &then) || then == found.offset)
            continue;
        found.change = bisect(z, found.offset, from, from + week);
        if (!offset_at(z, found.change, &found.later_offset))
            return false;
    }
    *ret = found;
    return true;
}

bool zone_change_cached(struct cache *cache, struct str zone, int64_t unix_ms,
                        struct zone_change *ret)
{
    const struct cache_key key = {.no = -1 - unix_ms / DAY_MS, .text = zone};
    struct zone_change found;
    if (cache_read(cache, key, &found, sizeof found) && (!found.change || unix_ms < found.change)) {
        *ret = found;
        return true;
    }
    struct zone z;
    if (!zone_enter(zone, &z))
        return false;
    bool good = find_change(&z, unix_ms, &found);
    zone_leave(&z);
    if (!good)
        return false;
    CACHE_KEEP(cache, key, BYTES_OF(found));
    *ret = found;
    return true;
}
