/* See load.h. In the closed loop a chat says the next thing as soon as it has its answer; in the
 * open loop (--rate) things are said by the clock. A command counts as lost when the bot has
 * confirmed its update and still not answered --lost-s later: only then has the bot given its word.
 */
#include "load.h"

#include "api.h"
#include "child.h"
#include "options.h"
#include "updates.h"

#include <math.h>

#define SECOND 1000000000LL
enum { FIRST_CHAT = 100000, SWEEP_NS = 100000000 };
enum state { UNSAID, ASKED, REPLIED, LOST };

struct command {
    int64_t said, handed, update;
    uint32_t chat;
    uint16_t replies;
    uint8_t state;
};

static struct command *commands;
static int64_t *newest, *highest; /* per chat: command last said; highest number answered */
static uint32_t *latency, *whole; /* us: since handed out; since said */
static int64_t n_measured, issued, total;
static int64_t replied, lost, forgotten, doubled, late, reordered, foreign, deaths, killed;
static int64_t started_ns, from_ns, to_ns, cpu_from, killed_at, polls_at_kill, recovery_ns,
    longest_gap, last_reply;
static double child_cpu_from, rss_at_tenth, rss_at_end;
static bool measuring, ran_out, recovering;

static int64_t chat_of(uint32_t c)
{
    return opt.group ? -(int64_t)(FIRST_CHAT + c) : FIRST_CHAT + c;
}

static void message_of(struct text *t, uint32_t chat, const char *words)
{
    int64_t user = FIRST_CHAT + chat, id = chat_of(chat);
    text_print(
        t,
        "{\"message_id\":%lld,\"from\":{\"id\":%lld,\"is_bot\":false,\"first_name\":\"User %u\","
        "\"username\":\"user%u\",\"language_code\":\"en\"},\"chat\":{\"id\":%lld,",
        (long long)world_message_id(NULL), (long long)user, chat, chat, (long long)id);
    if (id < 0)
        text_print(t, "\"title\":\"Group %u\",\"type\":\"group\"},", chat);
    else
        text_print(t, "\"first_name\":\"User %u\",\"username\":\"user%u\",\"type\":\"private\"},",
                   chat, chat);
    text_print(t, "\"date\":%lld,\"text\":", (long long)time(NULL));
    text_json(t, words);
    if (*words == '/')
        text_print(t, ",\"entities\":[{\"offset\":0,\"length\":%zu,\"type\":\"bot_command\"}]",
                   strcspn(words, " "));
    text_put(t, "}");
}

static void say_next(uint32_t chat)
{
    if (issued == total)
        return;
    int64_t k = issued++;
    struct text words = {0}, message = {0};
    const char *gap = strstr(opt.text, "%d");
    text_add(&words, opt.text, gap ? (size_t)(gap - opt.text) : strlen(opt.text));
    if (gap) {
        text_int(&words, k);
        text_put(&words, gap + 2);
    }
    message_of(&message, chat, words.p);
    text_free(&words);
    commands[k] = (struct command){.said = wire_now(), .chat = chat, .state = ASKED};
    newest[chat] = k;
    commands[k].update = updates_push("message", (uint32_t)k, message);
}

/* ---- begin and end ---- */

static void measure(void)
{
    measuring = true;
    from_ns = last_reply = wire_now();
    cpu_from = wire_cpu();
    child_cpu_from = child_cpu();
}

static void warm_enough(void *unused)
{
    (void)unused;
    if (!measuring)
        measure();
}

static void by_the_clock(void *unused)
{
    static int64_t first;
    int64_t now = wire_now();
    (void)unused;
    first = first ? first : now;
    int64_t due = 1 + (int64_t)((double)(now - first) / 1e9 * opt.rate);
    while (issued <= due && issued < total)
        say_next((uint32_t)(issued % opt.chats));
    if (issued < total)
        wire_at(now + 1000000, by_the_clock, NULL);
}

static void everybody_speaks(void)
{
    if (opt.warmup > 0)
        wire_at(wire_now() + (int64_t)(opt.warmup_s * 1e9), warm_enough, NULL);
    else
        measure();
    if (opt.rate > 0)
        by_the_clock(NULL);
    for (int c = 0; opt.rate <= 0 && c < opt.chats; c++)
        say_next((uint32_t)c);
}

static void settled(void *unused)
{
    (void)unused;
    wire_stop();
}

static void finish(struct command *c, enum state state)
{
    c->state = (uint8_t)state;
    replied += state == REPLIED;
    lost += state == LOST;
    if (replied + lost == total / 10)
        rss_at_tenth = child_rss_now();
    if (opt.rate <= 0 && started_ns)
        say_next(c->chat);
    if (replied + lost == total && !to_ns) {
        to_ns = wire_now();
        rss_at_end = child_rss_now();
        wire_at(to_ns + (int64_t)(opt.settle_s * 1e9), settled, NULL);
    }
}

static bool down; /* killed, and not started again */

static void restart(void *unused)
{
    (void)unused;
    down = false;
    polls_at_kill = counts.polls;
    recovering = true;
    child_start();
}

static void kill_if_due(void)
{
    if (!opt.kill_every || killed == opt.kills || replied < (killed + 1) * opt.kill_every || down)
        return;
    down = true;
    killed++;
    killed_at = wire_now();
    child_kill(opt.kill_signal);
    wire_at(wire_now() + (int64_t)(opt.restart_ms * 1e6), restart, NULL);
}

/* ---- what happens ---- */

static void polled(void)
{
    static bool once;
    if (!once)
        say_next(0); /* one alone: its answer ends the start */
    once = true;
}

static void handed(uint32_t k, int64_t now)
{
    if (commands[k].state == ASKED && !commands[k].handed)
        commands[k].handed = now;
}

/* The number a text ends with (other marks may follow it), or -1. */
static int64_t last_number(const char *text)
{
    const char *end = text + strlen(text);
    while (end > text && (end[-1] < '0' || end[-1] > '9'))
        end--;
    const char *p = end;
    while (p > text && p[-1] >= '0' && p[-1] <= '9')
        p--;
    return p < end ? strtoll(p, NULL, 10) : -1;
}

static void time_it(const struct command *c, int64_t now)
{
    longest_gap = now - last_reply > longest_gap ? now - last_reply : longest_gap;
    last_reply = now;
    if (n_measured == opt.n)
        return;
    latency[n_measured] = (uint32_t)((now - (c->handed ? c->handed : c->said)) / 1000);
    whole[n_measured++] = (uint32_t)((now - c->said) / 1000);
}

static void answered_in_time(struct command *c, int64_t k, int64_t now)
{
    if (recovering && counts.polls > polls_at_kill) {
        recovery_ns = now - killed_at > recovery_ns ? now - killed_at : recovery_ns;
        recovering = false;
    }
    reordered += k < highest[c->chat];
    highest[c->chat] = k > highest[c->chat] ? k : highest[c->chat];
    if (measuring)
        time_it(c, now);
    finish(c, REPLIED);
    if (!started_ns) {
        started_ns = now - child_started();
        everybody_speaks();
    }
    if (!measuring && replied > opt.warmup)
        measure();
    kill_if_due();
}

static void said(struct chat *chat, struct message *m, const char *text)
{
    int64_t now = wire_now(), c = llabs(chat->id) - FIRST_CHAT;
    (void)m;
    int64_t k = c < 0 || c >= opt.chats         ? -1
                : strcmp(opt.match, "any") == 0 ? newest[c]
                                                : last_number(text ? text : "");
    if (k < 0 || k >= issued || commands[k].chat != c) {
        foreign++;
        return;
    }
    commands[k].replies++;
    if (commands[k].state == REPLIED)
        doubled++;
    else if (commands[k].state == LOST)
        late++;
    else
        answered_in_time(&commands[k], k, now);
}

static void answered(struct tap *t)
{
    (void)t;
}

static void look_for_the_lost(int64_t now)
{
    static int64_t oldest;
    while (oldest < issued && commands[oldest].state > ASKED)
        oldest++;
    for (int64_t k = oldest, end = issued; k < end; k++) {
        struct command *c = &commands[k];
        if (c->state != ASKED || c->update >= updates_confirmed())
            continue;
        if (!c->handed) {
            forgotten++; /* confirmed without ever having been handed out */
            finish(c, LOST);
        } else if (now - c->handed > (int64_t)(opt.lost_s * 1e9)) {
            finish(c, LOST);
        }
    }
}

static void sweep(void *unused)
{
    static int64_t begun;
    int64_t now = wire_now();
    (void)unused;
    begun = begun ? begun : now;
    look_for_the_lost(now);
    if (child_ended()) {
        fprintf(stderr, "fake telegram: the bot ended by itself\n");
        if (++deaths < 5)
            wire_at(now + (int64_t)(opt.restart_ms * 1e6), restart, NULL);
    }
    if (!to_ns && (deaths >= 5 || now - begun > (int64_t)(opt.max_s * 1e9))) {
        ran_out = true;
        to_ns = now;
        wire_stop();
    }
    wire_at(now + SWEEP_NS, sweep, NULL);
}

void load_begin(void)
{
    total = opt.n + opt.warmup + 1;
    commands = must(calloc((size_t)total, sizeof *commands));
    newest = must(calloc((size_t)opt.chats, sizeof *newest));
    highest = must(calloc((size_t)opt.chats, sizeof *highest));
    latency = must(calloc((size_t)opt.n, sizeof *latency));
    whole = must(calloc((size_t)opt.n, sizeof *whole));
    hooks = (struct hooks){polled, handed, said, answered};
    wire_at(0, sweep, NULL);
}

/* ---- the result ---- */

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

bool load_report(struct text *t)
{
    double wall = (double)(to_ns - from_ns) / 1e9;
    double cpu = child_cpu() - child_cpu_from, n = (double)n_measured;
    text_print(t, "\"mode\":\"%s\",\"chats\":%d,\"n\":%lld,\"rate\":%g,\"delay_ms\":%g,",
               opt.rate > 0 ? "open" : "closed", opt.chats, (long long)opt.n, opt.rate,
               opt.delay_ms);
    text_print(t, "\"startup_ms\":%.1f,\"replied\":%lld,\"wall_s\":%.3f,\"updates_per_s\":%.1f,",
               (double)started_ns / 1e6, (long long)replied, wall, n / wall);
    text_print(t,
               "\"p50_ms\":%.3f,\"p99_ms\":%.3f,\"max_ms\":%.3f,\"whole_p50_ms\":%.3f,"
               "\"whole_p99_ms\":%.3f,\"longest_gap_ms\":%.1f,",
               percentile_ms(latency, n_measured, .5), percentile_ms(latency, n_measured, .99),
               percentile_ms(latency, n_measured, 1), percentile_ms(whole, n_measured, .5),
               percentile_ms(whole, n_measured, .99), (double)longest_gap / 1e6);
    text_print(t,
               "\"cpu_s_per_10k\":%.3f,\"rss_mb\":%.1f,\"rss_at_tenth_mb\":%.1f,"
               "\"rss_at_end_mb\":%.1f,\"server_busy\":%.2f,",
               n > 0 ? cpu * 1e4 / n : 0, child_rss(), rss_at_tenth, rss_at_end,
               (double)(wire_cpu() - cpu_from) / 1e9 / wall);
    text_print(t,
               "\"lost\":%lld,\"forgotten\":%lld,\"doubled\":%lld,\"late\":%lld,\"reordered\":%lld,"
               "\"foreign\":%lld,\"kills\":%lld,\"deaths\":%lld,\"ran_out\":%s,",
               (long long)lost, (long long)forgotten, (long long)doubled, (long long)late,
               (long long)reordered, (long long)foreign, (long long)killed, (long long)deaths,
               ran_out ? "true" : "false");
    text_print(t, "\"slowest_recovery_ms\":%.1f,", (double)recovery_ns / 1e6);
    return !ran_out && lost == 0 && deaths == 0 && (doubled == 0 || killed > 0);
}
