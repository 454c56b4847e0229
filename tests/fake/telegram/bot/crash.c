/* See crash.h. A request is recognised by a hash of its address and body. */
#include "crash.h"

#include "child.h"
#include "event_log.h"
#include "fake/telegram/options.h"
#include "fake/telegram/world.h"

#include <signal.h>

enum way { ASKED, DONE, TOLD, SOON, LIVES };
enum { MAX_WAYS = 8, SOON_NS = 12000000 };

struct met {
    uint64_t hash;
    int times;
};

static const uint64_t FIRST_HASH = 14695981039346656037u;
static const char *const names[] = {"asked", "done", "told", "soon"};
static enum way ways[MAX_WAYS];
static int n_ways;
static struct met *met;
static size_t n_met, cap_met;
static int64_t deaths;
static enum way pending = LIVES;
static bool dead;
static char what[64];

void crash_begin(void)
{
    for (const char *s = opt.die; s && *s; s += *s == ',') {
        size_t n = strcspn(s, ","), i = 0;
        while (i < LIVES && (strlen(names[i]) != n || strncmp(s, names[i], n) != 0))
            i++;
        if (i == LIVES || n_ways == MAX_WAYS) {
            fprintf(stderr, "fake telegram: --die=%s: not a way to die: %s\n", opt.die, s);
            exit(2);
        }
        ways[n_ways++] = (enum way)i;
        s += n;
    }
}

int64_t crash_count(void)
{
    return deaths;
}

static uint64_t hash(uint64_t h, const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)p[i]) * 0x100000001b3;
    return h;
}

/* Of a body in parts the line between the parts is left out: it is another one in each attempt. */
static uint64_t hash_body(uint64_t h, const char *p, size_t n)
{
    const char *end = n > 2 && memcmp(p, "--", 2) == 0 ? memmem(p, n, "\r\n", 2) : NULL;
    size_t line = end ? (size_t)(end - p) : 0;
    if (line <= 2)
        return hash(h, p, n);
    const char *between = p;
    for (const char *at; (at = memmem(p, n, between, line));
         n -= (size_t)(at + line - p), p = at + line)
        h = hash(h, p, (size_t)(at - p));
    return hash(h, p, n);
}

/* The way for this request, which has come once more. */
static enum way way_of(uint64_t h)
{
    size_t i = 0;
    while (i < n_met && met[i].hash != h)
        i++;
    if (i == n_met) {
        if (n_met == cap_met)
            met = must(realloc(met, (cap_met = cap_met ? cap_met * 2 : 1024) * sizeof *met));
        met[n_met++] = (struct met){h, 0};
    }
    return met[i].times < n_ways ? ways[met[i].times++] : LIVES;
}

static void restart(void *unused)
{
    (void)unused;
    dead = false;
    child_start();
}

static void die(enum way way, const char *of)
{
    if (dead)
        return;
    deaths++;
    dead = true;
    event_log_death(names[way], of);
    child_kill(SIGKILL);
    wire_at(wire_now() + (int64_t)(opt.restart_ms * 1e6), restart, NULL);
}

static void die_soon(void *of)
{
    die(SOON, of);
    free(of);
}

static void follow(enum way way)
{
    if (way == SOON)
        wire_at(wire_now() + (int64_t)(world_chance() * SOON_NS), die_soon, must(strdup(what)));
    else if (way != LIVES)
        die(way, what);
}

bool crash_before(const struct wire_request *r)
{
    const char *method = strrchr(r->path, '/');
    if (n_ways == 0 || dead)
        return false; /* the request of a dead bot is carried out all the same */
    uint64_t h = hash_body(hash(FIRST_HASH, r->path, strlen(r->path)), r->body, r->n);
    pending = way_of(hash(h, r->query, strlen(r->query)));
    snprintf(what, sizeof what, "%s", method ? method + 1 : "");
    if (pending == DONE)
        wire_silence(r->from);
    if (pending != ASKED)
        return false;
    pending = LIVES;
    die(ASKED, what);
    return true;
}

void crash_after(void)
{
    enum way way = pending;
    pending = LIVES;
    follow(way);
}

void crash_handed(int64_t update)
{
    enum way way = LIVES;
    if (n_ways == 0 || dead)
        return;
    do
        way = way_of(hash(FIRST_HASH, (const char *)&update, sizeof update));
    while (way == ASKED || way == DONE);
    if (way != LIVES)
        snprintf(what, sizeof what, "news"); /* in the form that checks of event logs know */
    follow(way);
}
