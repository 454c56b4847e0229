/* Fake Telegram Bot API server: serves, or plays stories or loads with a bot and prints one JSON
 * line of results. See README.md. */
#include "api.h"
#include "bot.h"
#include "story.h"

#include <math.h>
#include <signal.h>
#include <sys/resource.h>

struct options opt = {
    .label = "",
    .token = "123456:TEST",
    .seed = 1,
    .max_s = 60,
    .restart_ms = 200,
    .retry_after = 1,
    .kill_signal = SIGKILL,
    .kills = 1,
};
struct serve *server;
static int person;

static const struct argument table[] = {
    {"open", IS_INT, &person,
     "only serve, with this person's private chat open, and a group of the same number"},
    {"label", IS_TEXT, &opt.label, "goes into the result line"},
    {"port", IS_INT, &opt.port, "0: any free one"},
    {"token", IS_TEXT, &opt.token, "the only token that is known"},
    {"exec", IS_TEXT, &opt.exec, "command line of the bot"},
    {"through", IS_INT, &opt.through,
     "the bot finds us behind a proxy on this port; prints our address"},
    {"log", IS_TEXT, &opt.log, "file for what the bot prints"},
    {"max-s", IS_REAL, &opt.max_s, "give up after so many seconds"},
    {"delay-ms", IS_REAL, &opt.delay_ms, "hold back each answer but getUpdates'"},
    {"limits", IS_FLAG, &opt.limits,
     "30 messages/s in all, 1/s a person, 20 sends and edits in any minute a group"},
    {"hidden-counts", IS_FLAG, &opt.hidden_counts, "hidden messages count in a group's 20"},
    {"p-429", IS_REAL, &opt.p_429, "share of messages refused with 429"},
    {"retry-after", IS_REAL, &opt.retry_after, "seconds in these refusals"},
    {"p-502", IS_REAL, &opt.p_502, "share of requests answered 502, not done"},
    {"p-reset", IS_REAL, &opt.p_reset,
     "share of answers broken by a reset; the request has been done"},
    {"p-cut", IS_REAL, &opt.p_cut, "share of answers cut in half; the request has been done"},
    {"p-double", IS_REAL, &opt.p_double, "share of getUpdates answers with an update twice"},
    {"p-swap", IS_REAL, &opt.p_swap, "share of getUpdates answers in reverse order"},
    {"seed", IS_INT, &opt.seed, "for these shares"},
    {"kill-every", IS_LONG, &opt.kill_every,
     "kill the bot after each so many answers; in a story, presses"},
    {"kills", IS_LONG, &opt.kills, "at most so many times"},
    {"kill-signal", IS_INT, &opt.kill_signal, "with this signal"},
    {"restart-ms", IS_REAL, &opt.restart_ms, "start it again after so long"},
    {"die", IS_TEXT, &opt.die,
     "each request kills the bot in these ways, in turn: asked,done,told,soon"},
    {"events", IS_TEXT, &opt.event_log, "file for all that was said and pressed, as JSON lines"},
    {"trace", IS_FLAG, &opt.trace, "print the conversation on stderr"},
    {NULL, IS_FLAG, NULL, NULL},
};
static const struct argument *const tables[] = {table, play_table, load_table, NULL};

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

double percentile_ms(uint32_t *us, int64_t n, double p)
{
    if (n == 0)
        return 0;
    qsort(us, (size_t)n, sizeof *us, by_value);
    return us[(int64_t)ceil(p * (double)n) - 1] / 1000.0;
}

static void interrupted(int signal)
{
    (void)signal;
    child_kill(SIGKILL);
    _exit(130);
}

static void print_address(void)
{
    printf("http://127.0.0.1:%d\n", serve_port(server));
    fflush(stdout);
}

/* Serves alone, without story or load. */
static void serve_begin(void)
{
    world_keeps = true;
    if (person) {
        world_person_new((struct tg_person){person, "Somebody", "", "en", true, false, false});
        world_chat_new(person, CHAT_PRIVATE, "Somebody");
        world_chat_new(-person, CHAT_GROUP, "Everybody")->bot = BOT_ADMIN;
    }
    print_address();
}

int main(int argc, char **argv)
{
    struct text_buffer t = {0};
    struct rlimit files;
    arguments_read("fake_telegram", tables, argc, argv);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGINT, interrupted);
    signal(SIGTERM, interrupted);
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max < SERVE_MOST ? files.rlim_max : SERVE_MOST;
    setrlimit(RLIMIT_NOFILE, &files);
    crash_begin();
    event_log_begin();
    server = serve_listen(opt.port, api_request, updates_hand_out, NULL);
    if (opt.through)
        print_address();
    bool story = play_begin(), load = !story && load_begin();
    if (!story && !load)
        serve_begin();
    child_start();
    serve_run(server);
    js_put(&t, "{'label':%s,", opt.label);
    bool good = story ? play_report(&t) : load && load_report(&t);
    child_kill(SIGKILL);
    txt_print(&t, "\"connections\":%llu,\"updates_per_poll\":%.1f",
              (unsigned long long)serve_connections(server),
              counts.full_polls ? (double)counts.handed / (double)counts.full_polls : 0);
#define PRINT_COUNT(name) js_put(&t, ",'" #name "':%lld", (long long)counts.name);
    COUNTS(PRINT_COUNT)
    txt_put(&t, "}");
    puts(t.p);
    return good ? 0 : 1;
}
