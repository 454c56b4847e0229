/* The fake homeserver as a program: runs the daemon, or serves one that runs already, plays one match
 * with it on the machine's clock, and prints one line of JSON. README.md lists the options. */
#include "players.h"

#include "arguments.h"
#include "daemon.h"
#include "serve.h"

#include <poll.h>
#include <signal.h>

enum { LOOK_MS = 20, FAULTS = 14, FAULT_EVERY = 5, SECONDS_MOST = 240, LAST_MS = 1000 };

static struct {
    const char *exec, *preset, *joins, *log;
    int players, through, port, upgrade, token_ms, page, kill_every, seconds;
    bool limits, encrypts, oauth, faults;
} opt = {.preset = "standard 3", .players = 2, .seconds = SECONDS_MOST};

static const char program[] = "fake_matrix";
static const struct argument table[] = {
    {"exec", IS_TEXT, &opt.exec, "command line of the daemon"},
    {"log", IS_TEXT, &opt.log, "file for what it prints"},
    {"preset", IS_TEXT, &opt.preset, "what is played"},
    {"joins", IS_TEXT, &opt.joins, "in place of a challenge: the code of one from elsewhere"},
    {"players", IS_INT, &opt.players, "1 (who joins), 2 or 3"},
    {"port", IS_INT, &opt.port, "0: any free one"},
    {"through", IS_INT, &opt.through, "the daemon finds us behind a proxy on this port"},
    {"limits", IS_FLAG, &opt.limits, "0.2 events a second after 10"},
    {"encrypts", IS_FLAG, &opt.encrypts, "private chats are encrypted by force"},
    {"oauth", IS_FLAG, &opt.oauth, "no passwords: OAuth, confirmed at once"},
    {"faults", IS_FLAG, &opt.faults, "requests go wrong now and then, in all ways"},
    {"upgrade", IS_INT, &opt.upgrade, "the room is upgraded after so many moves"},
    {"token-ms", IS_INT, &opt.token_ms, "access tokens live so long"},
    {"page", IS_INT, &opt.page, "timelines and pages are cut at so many events"},
    {"kill-every", IS_INT, &opt.kill_every, "the daemon is killed after each so many events"},
    {"seconds", IS_INT, &opt.seconds, "give up after so many"},
    {NULL, IS_FLAG, NULL, NULL},
};
static const struct argument *const tables[] = {table, NULL};

/* ---- the daemon ---- */

static pid_t pid;

static void start(const struct home *h)
{
    char root[64];
    if (!opt.exec)
        return;
    snprintf(root, sizeof root, "http://127.0.0.1:%d", opt.through);
    setenv("KOIKOI_MATRIX_HOMESERVER", opt.through ? root : home_root(h), 1);
    setenv("KOIKOI_MATRIX_USER", "@bot:koi.test", 1);
    setenv("KOIKOI_MATRIX_PICTURES", "no", 0); /* unless its command line sets it */
    setenv(opt.oauth ? "KOIKOI_MATRIX_OAUTH" : "KOIKOI_MATRIX_PASSWORD",
           opt.oauth ? "yes" : "pw-bot", 1);
    pid = daemon_start(opt.exec, opt.log);
}

/* ---- the match ---- */

static void set_up(struct home *h)
{
    struct home_setup *s = home_setup(h);
    s->encrypts = opt.encrypts;
    s->oauth = opt.oauth;
    s->token_ms = opt.token_ms;
    s->page = opt.page;
    s->per_second = opt.limits ? 0.2 : 0;
    s->burst = 10;
    for (int i = 0; i < FAULTS && opt.faults; i++)
        home_fails(h, (enum home_fault)(i % (HOME_BABBLES + 1)), "/rooms/", FAULT_EVERY * (i + 1),
                   1);
}

static int64_t now_ms(void)
{
    return serve_now() / 1000000;
}

/* Returns true if the match ended. */
static bool play(struct home *h, struct players *p, int *ret_kills)
{
    int64_t until = now_ms() + (int64_t)1000 * opt.seconds, last = 0;
    int next_kill = opt.kill_every;
    while (now_ms() < until && (last == 0 || now_ms() < last)) {
        poll(NULL, 0, LOOK_MS);
        if (opt.oauth)
            (void)home_confirms(h, "@bot:koi.test", "KOI1", true);
        if (opt.kill_every && home_counts(h).sent >= next_kill) {
            daemon_stop(pid, SIGKILL, NULL);
            next_kill = home_counts(h).sent + opt.kill_every;
            ++*ret_kills;
            start(h);
        }
        if (last == 0 && players_progress(p).over)
            last = now_ms() + LAST_MS;
    }
    return players_progress(p).over;
}

static void report(struct home *h, struct players *p, bool over, int kills, double seconds)
{
    struct home_counts n = home_counts(h);
    struct players_progress said = players_progress(p);
    struct text_buffer t = {0};
    js_put(&t, "{'preset':%s,'ended':%-s,'moves':%d,'boards':%d,'requests':%d,'sent':%d,",
           opt.preset, over ? "true" : "false", said.moves, said.boards, n.requests, n.sent);
    js_put(&t, "'repeated':%d,'limited':%d,'early':%d,'logins':%d,'refreshes':%d,", n.repeated,
           n.limited, n.early, n.logins, n.refreshes);
    js_put(&t, "'rooms_made':%d,'uploads':%d,'doubled':%d,'pictures':%d,'awaited':%d,'kills':%d,",
           n.rooms_made, n.uploads, n.doubled, n.pictures, home_awaited(h), kills);
    js_put(&t, "'ms_per_move':%d,'result':%s,'problems':%s}",
           (int)(1000 * seconds / (said.moves ? said.moves : 1)), said.result, home_problems(h));
    puts(t.p);
    txt_free(&t);
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"ann", "bo", "kei"};
    arguments_read(program, tables, argc, argv);
    if ((!opt.exec && !opt.port) || opt.players < (opt.joins ? 1 : 2) || opt.players > MOST_PLAYERS)
        arguments_usage(program, tables);
    signal(SIGPIPE, SIG_IGN);
    struct home *h = home_open(NULL, opt.port);
    set_up(h);
    home_user(h, "bot");
    struct players *p = players_open(h, opt.players, names, opt.preset, PLAYERS_VOTE);
    players_upgrade_after(p, opt.upgrade);
    if (opt.joins)
        players_join(p, opt.joins);
    int kills = 0;
    int64_t begun = now_ms();
    start(h);
    bool over = play(h, p, &kills);
    report(h, p, over, kills, (double)(now_ms() - begun - (over ? LAST_MS : 0)) / 1000);
    if (opt.exec)
        daemon_stop(pid, SIGTERM, NULL);
    bool good = over && *home_problems(h) == '\0' && home_counts(h).early == 0 &&
                home_awaited(h) == 0 && (!opt.faults || home_failed(h));
    home_close(h);
    players_close(p);
    return good ? 0 : 1;
}
