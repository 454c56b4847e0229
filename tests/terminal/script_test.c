/* Player of scripts, which are conversations with the daemon at the terminal: see README.md.
 *
 *     script_test          plays every *.script of this folder, as a test each
 *     script_test FILE     plays that one; its transcript goes to standard output
 *
 * The daemon runs as usual, with the terminal as its only network, in a state directory of its own
 * that is removed at the end. Its clock moves only by the script, and its random numbers come from
 * the script's seed, so a script always plays the same.
 *
 * Typed lines go into a pipe, output comes back in a file in memory: neither can block, so script
 * and daemon share one thread. After each line the loop runs until it is idle. Timers that are due
 * within SOON_MS fire then too, since the computer waits for a moment before it moves.
 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <locale.h>
#include <regex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "file.h"
#include "loop.h"
#include "utf8.h"

enum {
    SOON_MS = 5000,
    TURNS_MAX = 20000,
    SCRIPT_MAX = 1 << 20,
    OUTPUT_MAX = 8 << 20,
    TURN_WAIT_MS = 10,
    WINDOWS_MAX = 1024
};

/* Noon in UTC, the first of October 2026: a season has just begun. */
static const int64_t first_moment = INT64_C(1790856000000);

struct script {
    int line_no;
    FILE *transcript;
    char dir[64];
    int input[2], output; /* input[1] is written to, output a file in memory */
    int64_t now;
    uint64_t chance;
    bool idle;
    int64_t next_due;
    struct arena *arena, *process;
    struct config config;
    struct loop *loop;
    char who[128];             /* person and chat of the next line: "ann", "ann #tea", "ann @" */
    size_t seen, window;       /* bytes of the output taken so far; where the window begins */
    size_t began[WINDOWS_MAX]; /* all windows */
    int n_windows;
    struct buf said; /* all output, without echoes of typed lines */
};

/* ---- time and chance ---- */

static int64_t script_now(void *arg)
{
    return ((struct script *)arg)->now;
}

/* SplitMix64 (Steele, Lea, Flood 2014); no secret depends on it. */
static void script_chance(void *arg, uint8_t *ret, size_t n)
{
    struct script *s = arg;
    for (size_t i = 0; i < n; i++) {
        uint64_t z = s->chance += UINT64_C(0x9e3779b97f4a7c15);
        z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
        ret[i] = (uint8_t)(z ^ z >> 31);
    }
}

static void script_idle(void *arg, int64_t next_due)
{
    struct script *s = arg;
    s->idle = true;
    s->next_due = next_due;
}

/* ---- the daemon ---- */

static bool start(struct script *s, struct err *err)
{
    static const struct clock script_clock = {.now_ms = script_now, .chance = script_chance};
    s->process = arena_open(64 << 20);
    struct clock *clock = arena_new(s->process, struct clock);
    *clock = script_clock;
    clock->arg = s;
    if (!config_load(STR(""), STR("terminal"), s->process, &s->config, err))
        return false;
    struct loop_parts parts = {.config = &s->config,
                               .process = s->process,
                               .clock = clock,
                               .idle = script_idle,
                               .idle_arg = s,
                               .no_signals = true};
    return loop_open(&parts, &s->loop, err);
}

static void stop(struct script *s)
{
    if (s->loop)
        loop_close(s->loop);
    if (s->process)
        arena_close(s->process);
    s->loop = NULL;
    s->process = NULL;
}

/* Appends new output to s->said. */
static void collect(struct script *s)
{
    char bytes[16384];
    ssize_t n;
    while ((n = pread(s->output, bytes, sizeof bytes, (off_t)s->seen)) > 0) {
        s->seen += (size_t)n;
        buf_put(&s->said, (struct str){bytes, (size_t)n});
    }
}

static bool run_until_idle(struct script *s, struct err *err)
{
    int unread = 0;
    for (int turns = 0; turns < TURNS_MAX; turns++) {
        s->idle = false;
        if (!loop_turn(s->loop, TURN_WAIT_MS, err))
            return false;
        if (!s->idle || (ioctl(s->input[0], FIONREAD, &unread) == 0 && unread > 0))
            continue;
        if (s->next_due == 0 || s->next_due > s->now + SOON_MS)
            return true;
        s->now = s->next_due > s->now ? s->next_due : s->now + 1;
    }
    return err_set(err, "the daemon does not come to rest");
}

static bool advance(struct script *s, int64_t ms, struct err *err)
{
    int64_t until = s->now + ms;
    while (s->next_due > 0 && s->next_due <= until) {
        s->now = s->next_due > s->now ? s->next_due : s->now + 1;
        if (!run_until_idle(s, err))
            return false;
    }
    s->now = s->now > until ? s->now : until;
    return run_until_idle(s, err);
}

/* ---- the lines of a script ---- */

/* Opens a new window: expectations look at the output from here on. */
static void window(struct script *s)
{
    collect(s);
    s->window = s->said.n;
    if (s->n_windows < WINDOWS_MAX)
        s->began[s->n_windows++] = s->window;
}

static struct str in_window(const struct script *s)
{
    return (struct str){s->said.p + s->window, s->said.n - s->window};
}

/* Writes the window to the transcript. */
static void put_transcript(struct script *s)
{
    collect(s);
    fwrite(s->said.p + s->window, 1, s->said.n - s->window, s->transcript);
}

static bool type(struct script *s, struct str text, struct err *err)
{
    struct str line = arena_print(s->arena, "%.*s\n", STR_ARG(text));
    if (write(s->input[1], line.p, line.n) != (ssize_t)line.n)
        return err_set(err, "the line is too long for the pipe");
    return run_until_idle(s, err);
}

/* Switches to "ann", "ann #tea" or "ann @", without a trace in the transcript. */
static bool sit(struct script *s, struct str who, struct err *err)
{
    if (str_is(who, str_of(s->who)))
        return true;
    size_t before = s->said.n;
    struct str place = who, name = str_word(&place);
    place = str_trim(place);
    if (name.n == 0 || who.n >= sizeof s->who)
        return err_set(err, "expected a name before \">\"");
    if (!type(s, arena_print(s->arena, "/as %.*s", STR_ARG(name)), err) ||
        !type(s,
              arena_print(s->arena, "%s %.*s", str_is(place, STR("@")) ? "/dm" : "/room",
                          STR_ARG(place)),
              err))
        return false;
    collect(s);
    s->said.n = before;
    memcpy(s->who, who.p, who.n);
    s->who[who.n] = 0;
    return true;
}

static bool typed(struct script *s, struct str who, struct str text, struct err *err)
{
    if (!sit(s, who, err))
        return false;
    window(s);
    if (!type(s, text, err))
        return false;
    put_transcript(s);
    struct str echo = arena_print(s->arena, "%.*s> %.*s\n", STR_ARG(who), STR_ARG(text));
    if (str_starts(in_window(s), echo))
        s->window += echo.n;
    return true;
}

/* Gives the rest of an output line that is for `whom` (empty: for all). False for others. */
static bool line_for(struct str line, struct str whom, struct str *ret)
{
    struct str arrow = STR("\xE2\x86\x92 ");
    bool alone = str_starts(line, arrow);
    if (whom.n == 0) {
        *ret = line;
        return !alone;
    }
    struct str rest = str_skip(line, arrow.n), name = str_cut(rest, ' ', &rest);
    if (name.n > 0 && name.p[name.n - 1] == '!')
        name.n--;
    *ret = rest;
    return alone && str_is(name, whom);
}

static bool seen(struct script *s, struct str whom, const regex_t *what)
{
    struct str rest = in_window(s), shown;
    while (rest.n > 0) {
        struct str line = str_cut(rest, '\n', &rest);
        if (line_for(line, whom, &shown) &&
            regexec(what, arena_str(s->arena, shown).p, 0, NULL, 0) == 0)
            return true;
    }
    return false;
}

static bool expect(struct script *s, struct str whom, struct str pattern, bool wanted,
                   struct err *err)
{
    regex_t what;
    char why[160];
    int code = regcomp(&what, arena_str(s->arena, pattern).p, REG_EXTENDED | REG_NOSUB);
    if (code != 0) {
        regerror(code, &what, why, sizeof why);
        return err_set(err, "expected a regular expression: %s", why);
    }
    bool good = seen(s, whom, &what) == wanted;
    regfree(&what);
    if (good)
        return true;
    fprintf(s->transcript, "----\n");
    return err_set(err, "%s %s%.*s: %.*s\nsaid since the last line typed:\n%.*s",
                   wanted ? "expected" : "not expected", whom.n > 0 ? "for " : "for all",
                   STR_ARG(whom), STR_ARG(pattern), STR_ARG(in_window(s)));
}

static int by_size(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* Of the windows so far that have a line to all which matches, half have so many lines at most. */
static bool expect_median(struct script *s, int64_t most, struct str pattern, struct err *err)
{
    int lines[WINDOWS_MAX], n = 0;
    regex_t what;
    if (regcomp(&what, arena_str(s->arena, pattern).p, REG_EXTENDED | REG_NOSUB) != 0)
        return err_set(err, "expected a number and a regular expression");
    const size_t now = s->window, end = s->said.n;
    for (int i = 0; i < s->n_windows; i++) {
        s->window = s->began[i];
        s->said.n = i + 1 < s->n_windows ? s->began[i + 1] : end;
        if (!seen(s, STR(""), &what))
            continue;
        lines[n] = 0;
        for (struct str rest = in_window(s); rest.n > 0; lines[n]++)
            str_cut(rest, '\n', &rest);
        n++;
    }
    s->window = now;
    s->said.n = end;
    regfree(&what);
    if (n == 0)
        return err_set(err, "expected lines that match %.*s, got none", STR_ARG(pattern));
    qsort(lines, (size_t)n, sizeof *lines, by_size);
    return lines[n / 2] <= most ||
           err_set(err, "expected %lld lines at most, got %d in the median of %d answers",
                   (long long)most, lines[n / 2], n);
}

/* Milliseconds of "+90s" or "+25h". Returns false for other text. */
static bool span_read(struct str text, int64_t *ret)
{
    static const struct {
        char unit;
        int64_t ms;
    } units[] = {{'s', 1000}, {'m', 60000}, {'h', 3600000}, {'d', 86400000}};
    int64_t n = 0;
    if (text.n < 3 || text.p[0] != '+' || !str_int((struct str){text.p + 1, text.n - 2}, &n) ||
        n < 0)
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (units[i].unit == text.p[text.n - 1] && n < 1000000) {
            *ret = n * units[i].ms;
            return true;
        }
    return false;
}

static bool pass_time(struct script *s, struct str text, struct err *err)
{
    int64_t ms = 0;
    if (!span_read(text, &ms))
        return err_set(err, "expected a span such as +90s, +5m, +25h or +2d, got \"%.*s\"",
                       STR_ARG(text));
    window(s);
    fprintf(s->transcript, "(%.*s)\n", STR_ARG(str_skip(text, 1)));
    if (!advance(s, ms, err))
        return false;
    put_transcript(s);
    return true;
}

static bool restart(struct script *s, struct err *err)
{
    window(s);
    fprintf(s->transcript, "(restart)\n");
    stop(s);
    if (!start(s, err) || !run_until_idle(s, err))
        return false;
    put_transcript(s);
    return true;
}

static bool play_line(struct script *s, struct str line, struct err *err)
{
    struct str rest = line, word = str_word(&rest);
    int64_t n = 0;
    if (!utf8_ok(line) || memchr(line.p, 0, line.n))
        return err_set(err, "not UTF-8 text");
    rest = str_trim(rest);
    if (word.n == 0 || word.p[0] == '#')
        return true;
    if (word.p[0] == '<' || str_starts(word, STR("!<"))) {
        bool wanted = word.p[0] == '<';
        return expect(s, str_skip(word, wanted ? 1 : 2), rest, wanted, err);
    }
    if (str_is(word, STR("seed")) && str_int(rest, &n)) {
        s->chance = (uint64_t)n;
        return true;
    }
    if (str_is(word, STR("median")) && str_int(str_word(&rest), &n))
        return expect_median(s, n, str_trim(rest), err);
    if (str_is(word, STR("clock")))
        return pass_time(s, rest, err);
    if (str_is(word, STR("restart")) && rest.n == 0)
        return restart(s, err);
    struct str text, who = str_cut(line, '>', &text);
    if (who.n == line.n)
        return err_set(err, "expected a line of a script, got \"%.*s\"", STR_ARG(word));
    return typed(s, str_trim(who), str_trim(text), err);
}

/* ---- the whole script ---- */

/* Clears all options of the environment; opens a directory and descriptors for the script. */
static bool prepare(struct script *s, struct err *err)
{
    extern char **environ;
    for (char **e = environ; *e;) {
        struct str rest, name = str_cut(str_of(*e), '=', &rest);
        if (str_starts(name, STR("KOIKOI_")))
            unsetenv(arena_str(s->arena, name).p);
        else
            e++;
    }
    const char *tmp = getenv("TMPDIR");
    snprintf(s->dir, sizeof s->dir, "%s/koikoi-XXXXXX", tmp && strlen(tmp) < 40 ? tmp : "/tmp");
    s->output = memfd_create("koikoi", MFD_CLOEXEC);
    if (s->output < 0 || pipe2(s->input, O_CLOEXEC) < 0 || !mkdtemp(s->dir))
        return err_set(err, "cannot make a state directory: %s", strerror(errno));
    setenv("KOIKOI_STATE_DIR", s->dir, 1);
    setenv("KOIKOI_TERMINAL_PERSON", "nobody", 1);
    setenv("KOIKOI_TERMINAL_INPUT", arena_print(s->arena, "%d", s->input[0]).p, 1);
    setenv("KOIKOI_TERMINAL_OUTPUT", arena_print(s->arena, "%d", s->output).p, 1);
    setenv("KOIKOI_LANGUAGE", "en", 1);
    setenv("TZ", "UTC", 1);
    setlocale(LC_CTYPE, "C.UTF-8");
    return true;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *walk)
{
    (void)st, (void)kind, (void)walk;
    return remove(path);
}

/* Returns false at the first wrong line or failed expectation; *err names file, line, what was
 * expected and what came. */
static bool play(const char *path, FILE *transcript, struct err *err)
{
    struct script s = {.transcript = transcript,
                       .input = {-1, -1},
                       .output = -1,
                       .now = first_moment,
                       .arena = arena_open(64 << 20)};
    struct str whole = {NULL, 0};
    s.said = (struct buf){arena_alloc(s.arena, OUTPUT_MAX), 0, OUTPUT_MAX, false};
    bool good = file_read(path, SCRIPT_MAX, &whole, err);
    if (good) {
        good = prepare(&s, err) && start(&s, err) && run_until_idle(&s, err);
        for (struct str rest = whole; good && rest.n > 0;) {
            s.line_no++;
            good = play_line(&s, str_trim(str_cut(rest, '\n', &rest)), err);
        }
        if (!good)
            err_wrap(err, "%s:%d", path, s.line_no);
    }
    stop(&s);
    file_free(whole);
    if (s.dir[0])
        nftw(s.dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    for (int i = 0; i < 2; i++)
        if (s.input[i] >= 0)
            close(s.input[i]);
    if (s.output >= 0)
        close(s.output);
    arena_close(s.arena);
    return good;
}

static void script_plays(void **state)
{
    struct err err = {""};
    if (!play(*state, stdout, &err))
        fail_msg("%s", err.text);
}

int main(int argc, char **argv)
{
    enum { MOST = 32 };
    struct CMUnitTest tests[MOST] = {{0}};
    struct err err = {""};
    glob_t found;
    if (argc == 2) {
        bool good = play(argv[1], stdout, &err);
        if (!good)
            fprintf(stderr, "%s\n", err.text);
        return good ? 0 : 1;
    }
    if (glob("tests/terminal/*.script", 0, NULL, &found) != 0 || found.gl_pathc > MOST)
        return 1;
    for (size_t i = 0; i < found.gl_pathc; i++)
        tests[i] = (struct CMUnitTest){.name = found.gl_pathv[i],
                                       .test_func = script_plays,
                                       .initial_state = found.gl_pathv[i]};
    int failed = _cmocka_run_group_tests("scripts", tests, found.gl_pathc, NULL, NULL);
    globfree(&found);
    return failed;
}
