/* See bot.h. A request is recognised by a hash of its address and body. Each line of the log is
 * flushed: what kills the bot may end this process too. */
#include "bot.h"

#include "api.h"
#include "daemon.h"

#include <signal.h>
#include <sys/wait.h>

/* ---- the process ---- */

static pid_t pid;
static int64_t started;
static double cpu_before, rss;

void child_start(void)
{
    char root[64];
    started = serve_now();
    if (!opt.exec)
        return;
    snprintf(root, sizeof root, "http://127.0.0.1:%d",
             opt.through ? opt.through : serve_port(server));
    setenv("BOT_API_ROOT", root, 1);
    setenv("BOT_TOKEN", opt.token, 1);
    setenv("KOIKOI_TELEGRAM_API_ROOT", root, 1);
    setenv("KOIKOI_TELEGRAM_TOKEN", opt.token, 1);
    setenv("KOIKOI_TELEGRAM_PICTURES", "no", 0); /* unless its command line sets it */
    pid = daemon_start(opt.exec, opt.log);
}

int64_t child_started(void)
{
    return started;
}

/* A field of /proc/PID/status, such as "VmRSS:", in MB; 0 if the bot does not run. */
static double status_mb(const char *field)
{
    char name[64], line[256];
    long kb = 0;
    snprintf(name, sizeof name, "/proc/%d/status", (int)pid);
    FILE *f = pid > 0 ? fopen(name, "r") : NULL;
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, field, strlen(field)) == 0)
            kb = strtol(line + strlen(field), NULL, 10);
    if (f)
        fclose(f);
    return (double)kb / 1024;
}

double child_rss(void)
{
    double now = status_mb("VmHWM:");
    rss = now > rss ? now : rss;
    return rss;
}

double child_rss_now(void)
{
    return status_mb("VmRSS:");
}

double child_cpu(void)
{
    clockid_t clock;
    struct timespec t;
    if (pid <= 0 || clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &t) != 0)
        return cpu_before;
    return cpu_before + (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static void buried(const struct rusage *used)
{
    cpu_before += seconds(used->ru_utime) + seconds(used->ru_stime);
    pid = 0;
}

void child_kill(int signal)
{
    struct rusage used;
    if (pid <= 0)
        return;
    child_rss();
    daemon_stop(pid, signal, &used);
    buried(&used);
}

bool child_ended(void)
{
    struct rusage used;
    if (pid <= 0 || wait4(pid, NULL, WNOHANG, &used) != pid)
        return false;
    buried(&used);
    return true;
}

static void (*before_start)(void);

static void start_again(void *unused)
{
    (void)unused;
    if (before_start)
        before_start();
    child_start();
}

void child_restart(int signal, void (*before)(void))
{
    before_start = before;
    child_kill(signal);
    serve_at(server, serve_now() + (int64_t)(opt.restart_ms * 1e6), start_again, NULL);
}

/* ---- the log ---- */

static FILE *file;
static int64_t begun;

void event_log_begin(void)
{
    begun = serve_now();
    if (opt.event_log && !(file = fopen(opt.event_log, "w"))) {
        perror(opt.event_log);
        exit(2);
    }
}

void event_log(const char *kind, const char *format, ...)
{
    struct text_buffer t = {0};
    va_list args;
    if (!file)
        return;
    js_put(&t, "{'t':%s,'ms':%lld", kind, (long long)(serve_now() - begun) / 1000000);
    va_start(args, format);
    js_vput(&t, format, args);
    va_end(args);
    fprintf(file, "%s}\n", t.p);
    fflush(file);
    txt_free(&t);
}

/* ---- crashes ---- */

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

/* Of a body in parts the line between the parts is left out: it is another one in each attempt. */
static uint64_t hash_body(uint64_t h, const char *p, size_t n)
{
    const char *end = n > 2 && memcmp(p, "--", 2) == 0 ? memmem(p, n, "\r\n", 2) : NULL;
    size_t line = end ? (size_t)(end - p) : 0;
    if (line <= 2)
        return params_hash_on(h, p, n);
    const char *between = p;
    for (const char *at; (at = memmem(p, n, between, line));
         n -= (size_t)(at + line - p), p = at + line)
        h = params_hash_on(h, p, (size_t)(at - p));
    return params_hash_on(h, p, n);
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

static void revive(void)
{
    dead = false;
}

static void die(enum way way, const char *of)
{
    if (dead)
        return;
    counts.ordered_deaths++;
    dead = true;
    event_log("death", ",'way':%s,'what':%s", names[way], of);
    child_restart(SIGKILL, revive);
}

static void die_soon(void *of)
{
    die(SOON, of);
    free(of);
}

static void follow(enum way way)
{
    if (way == SOON)
        serve_at(server, serve_now() + (int64_t)(world_chance() * SOON_NS), die_soon,
                 must(strdup(what)));
    else if (way != LIVES)
        die(way, what);
}

bool crash_before(const struct serve_request *r)
{
    const char *method = strrchr(r->path, '/');
    if (n_ways == 0 || dead)
        return false; /* the request of a dead bot is carried out all the same */
    uint64_t h = hash_body(params_hash_on(FIRST_HASH, r->path, strlen(r->path)), r->body, r->n);
    pending = way_of(params_hash_on(h, r->query, strlen(r->query)));
    snprintf(what, sizeof what, "%s", method ? method + 1 : "");
    if (pending == DONE)
        serve_silence(server, r->from);
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
        way = way_of(params_hash_on(FIRST_HASH, (const char *)&update, sizeof update));
    while (way == ASKED || way == DONE);
    if (way != LIVES)
        snprintf(what, sizeof what, "news"); /* in the form that checks of event logs know */
    follow(way);
}
