/* Loads; see story.h. In the closed loop a chat sends the next command as soon as it has the answer; in the
 * open loop (--rate) the clock sends. A command is lost if the bot confirmed its update and has not
 * answered --lost-s later: only by confirming does it promise an answer.
 */
#include "story.h"

#include "api.h"
#include "bot.h"

#define SECOND 1000000000LL
enum { FIRST_CHAT = 100000, SWEEP_NS = 100000000 };
enum state { UNSAID, ASKED, REPLIED, LOST };

static struct {
    const char *text, *match;
    int chats;
    int64_t n, warmup;
    double rate, lost_s, settle_s, warmup_s;
    bool on, group;
} load = {
    .text = "/ping %d",
    .match = "number",
    .chats = 1,
    .n = 10000,
    .lost_s = 5,
    .settle_s = 0.3,
    .warmup_s = 2,
};
const struct argument load_table[] = {
    {"load", IS_FLAG, &load.on,
     "unless there is a story: many chats say /ping N and wait for the answer"},
    {"chats", IS_INT, &load.chats, "number of people, each in a chat of their own"},
    {"group", IS_FLAG, &load.group, "these chats are groups"},
    {"n", IS_LONG, &load.n, "commands to measure"},
    {"warmup", IS_LONG, &load.warmup, "commands before that"},
    {"warmup-s", IS_REAL, &load.warmup_s, "measure after so many seconds in any case"},
    {"text", IS_TEXT, &load.text, "what is said; %d is the number of the command"},
    {"match", IS_TEXT, &load.match,
     "number: an answer ends with it; any: whatever comes is the answer"},
    {"rate", IS_REAL, &load.rate, "commands per second (open loop); 0: closed loop"},
    {"lost-s", IS_REAL, &load.lost_s, "confirmed and not answered for so long is lost"},
    {"settle-s", IS_REAL, &load.settle_s, "wait so long at the end for answers too many"},
    {NULL, IS_FLAG, NULL, NULL},
};

struct load_command {
    int64_t said, handed, update;
    uint32_t chat;
    uint16_t replies;
    uint8_t state;
};

static struct load_command *commands;
static int64_t *newest, *highest; /* per chat: last command sent; highest number answered */
static uint32_t *latency, *whole; /* us: since delivery; since sending */
static int64_t n_measured, issued, total;
static int64_t replied, lost, forgotten, doubled, late, reordered, foreign, deaths, killed;
static int64_t started_ns, from_ns, to_ns, cpu_from, killed_at, polls_at_kill, recovery_ns,
    longest_gap, last_reply;
static double child_cpu_from, rss_at_tenth, rss_at_end;
static bool measuring, ran_out, recovering;

static int64_t chat_of(uint32_t c)
{
    return load.group ? -(int64_t)(FIRST_CHAT + c) : FIRST_CHAT + c;
}

static void message_of(struct text_buffer *t, uint32_t chat, const char *words)
{
    int64_t user = FIRST_CHAT + chat, id = chat_of(chat);
    js_put(t,
           "{'message_id':%lld,'from':{'id':%lld,'is_bot':false,'first_name':'User %d',"
           "'username':'user%d','language_code':'en'},'chat':{'id':%lld,",
           (long long)world_message_id(NULL), (long long)user, (int)chat, (int)chat, (long long)id);
    if (id < 0)
        js_put(t, "'title':'Group %d','type':'group'},", (int)chat);
    else
        js_put(t, "'first_name':'User %d','username':'user%d','type':'private'},", (int)chat,
               (int)chat);
    js_put(t, "'date':%lld,'text':%s", (long long)time(NULL), words);
    if (*words == '/')
        js_put(t, ",'entities':[{'offset':0,'length':%zu,'type':'bot_command'}]",
               strcspn(words, " "));
    txt_put(t, "}");
}

static void say_next(uint32_t chat)
{
    if (issued == total)
        return;
    int64_t k = issued++;
    struct text_buffer words = {0}, message = {0};
    const char *gap = strstr(load.text, "%d");
    txt_add(&words, load.text, gap ? (size_t)(gap - load.text) : strlen(load.text));
    if (gap) {
        txt_int(&words, k);
        txt_put(&words, gap + 2);
    }
    message_of(&message, chat, words.p);
    txt_free(&words);
    commands[k] = (struct load_command){.said = serve_now(), .chat = chat, .state = ASKED};
    newest[chat] = k;
    commands[k].update = updates_push("message", (uint32_t)k, message);
}

/* ---- begin and end ---- */

static void measure(void)
{
    measuring = true;
    from_ns = last_reply = serve_now();
    cpu_from = serve_cpu();
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
    int64_t now = serve_now();
    (void)unused;
    first = first ? first : now;
    int64_t due = 1 + (int64_t)((double)(now - first) / 1e9 * load.rate);
    while (issued <= due && issued < total)
        say_next((uint32_t)(issued % load.chats));
    if (issued < total)
        serve_at(server, now + 1000000, by_the_clock, NULL);
}

static void everybody_speaks(void)
{
    if (load.warmup > 0)
        serve_at(server, serve_now() + (int64_t)(load.warmup_s * 1e9), warm_enough, NULL);
    else
        measure();
    if (load.rate > 0)
        by_the_clock(NULL);
    for (int c = 0; load.rate <= 0 && c < load.chats; c++)
        say_next((uint32_t)c);
}

static void settled(void *unused)
{
    (void)unused;
    serve_stop(server);
}

static void finish(struct load_command *c, enum state state)
{
    c->state = (uint8_t)state;
    replied += state == REPLIED;
    lost += state == LOST;
    if (replied + lost == total / 10)
        rss_at_tenth = child_rss_now();
    if (load.rate <= 0 && started_ns)
        say_next(c->chat);
    if (replied + lost == total && !to_ns) {
        to_ns = serve_now();
        rss_at_end = child_rss_now();
        serve_at(server, to_ns + (int64_t)(load.settle_s * 1e9), settled, NULL);
    }
}

static bool down; /* killed, and not started again */

static void restarts(void)
{
    down = false;
    polls_at_kill = counts.polls;
    recovering = true;
}

static void kill_if_due(void)
{
    if (!opt.kill_every || killed == opt.kills || replied < (killed + 1) * opt.kill_every || down)
        return;
    down = true;
    killed++;
    killed_at = serve_now();
    child_restart(opt.kill_signal, restarts);
}

/* ---- events ---- */

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

/* The number at the end of a text (punctuation may follow), or -1. */
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

static void time_it(const struct load_command *c, int64_t now)
{
    longest_gap = now - last_reply > longest_gap ? now - last_reply : longest_gap;
    last_reply = now;
    if (n_measured == load.n)
        return;
    latency[n_measured] = (uint32_t)((now - (c->handed ? c->handed : c->said)) / 1000);
    whole[n_measured++] = (uint32_t)((now - c->said) / 1000);
}

static void answered_in_time(struct load_command *c, int64_t k, int64_t now)
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
    if (!measuring && replied > load.warmup)
        measure();
    kill_if_due();
}

static void said(struct tg_chat *chat, struct tg_message *m, const char *text)
{
    int64_t now = serve_now(), c = llabs(chat->id) - FIRST_CHAT;
    (void)m;
    int64_t k = c < 0 || c >= load.chats         ? -1
                : strcmp(load.match, "any") == 0 ? newest[c]
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

static void look_for_the_lost(int64_t now)
{
    static int64_t oldest;
    while (oldest < issued && commands[oldest].state > ASKED)
        oldest++;
    for (int64_t k = oldest, end = issued; k < end; k++) {
        struct load_command *c = &commands[k];
        if (c->state != ASKED || c->update >= updates_confirmed())
            continue;
        if (!c->handed) {
            forgotten++; /* confirmed without delivery */
            finish(c, LOST);
        } else if (now - c->handed > (int64_t)(load.lost_s * 1e9)) {
            finish(c, LOST);
        }
    }
}

static void sweep(void *unused)
{
    static int64_t begun;
    int64_t now = serve_now();
    (void)unused;
    begun = begun ? begun : now;
    look_for_the_lost(now);
    if (child_ended()) {
        fprintf(stderr, "fake telegram: the bot ended by itself\n");
        if (++deaths < 5)
            child_restart(opt.kill_signal, restarts);
    }
    if (!to_ns && (deaths >= 5 || now - begun > (int64_t)(opt.max_s * 1e9))) {
        ran_out = true;
        to_ns = now;
        serve_stop(server);
    }
    serve_at(server, now + SWEEP_NS, sweep, NULL);
}

bool load_begin(void)
{
    if (!load.on)
        return false;
    if (load.chats < 1 || load.n < 1) {
        fprintf(stderr, "fake telegram: --chats, --n: expected 1 or more\n");
        exit(2);
    }
    total = load.n + load.warmup + 1;
    commands = must(calloc((size_t)total, sizeof *commands));
    newest = must(calloc((size_t)load.chats, sizeof *newest));
    highest = must(calloc((size_t)load.chats, sizeof *highest));
    latency = must(calloc((size_t)load.n, sizeof *latency));
    whole = must(calloc((size_t)load.n, sizeof *whole));
    hooks = (struct hooks){.polled = polled, .handed = handed, .said = said};
    serve_at(server, 0, sweep, NULL);
    return true;
}

/* ---- the result ---- */

bool load_report(struct text_buffer *t)
{
    double wall = (double)(to_ns - from_ns) / 1e9;
    double cpu = child_cpu() - child_cpu_from, n = (double)n_measured;
    txt_print(t, "\"mode\":\"%s\",\"chats\":%d,\"n\":%lld,\"rate\":%g,\"delay_ms\":%g,",
              load.rate > 0 ? "open" : "closed", load.chats, (long long)load.n, load.rate,
              opt.delay_ms);
    const struct {
        const char *name;
        double value;
    } figures[] = {
        {"startup_ms", (double)started_ns / 1e6},
        {"wall_s", wall},
        {"updates_per_s", n / wall},
        {"p50_ms", percentile_ms(latency, n_measured, .5)},
        {"p99_ms", percentile_ms(latency, n_measured, .99)},
        {"max_ms", percentile_ms(latency, n_measured, 1)},
        {"whole_p50_ms", percentile_ms(whole, n_measured, .5)},
        {"whole_p99_ms", percentile_ms(whole, n_measured, .99)},
        {"longest_gap_ms", (double)longest_gap / 1e6},
        {"cpu_s_per_10k", n > 0 ? cpu * 1e4 / n : 0},
        {"rss_mb", child_rss()},
        {"rss_at_tenth_mb", rss_at_tenth},
        {"rss_at_end_mb", rss_at_end},
        {"server_busy", (double)(serve_cpu() - cpu_from) / 1e9 / wall},
        {"slowest_recovery_ms", (double)recovery_ns / 1e6},
    };
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        txt_print(t, "\"%s\":%.3f,", figures[i].name, figures[i].value);
    js_put(t,
           "'replied':%lld,'lost':%lld,'forgotten':%lld,'doubled':%lld,'late':%lld,"
           "'reordered':%lld,'foreign':%lld,'kills':%lld,'deaths':%lld,'ran_out':%-s,",
           (long long)replied, (long long)lost, (long long)forgotten, (long long)doubled,
           (long long)late, (long long)reordered, (long long)foreign, (long long)killed,
           (long long)deaths, ran_out ? "true" : "false");
    return !ran_out && lost == 0 && deaths == 0 && (doubled == 0 || killed > 0);
}
