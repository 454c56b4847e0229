/* A fake Telegram Bot API server: it serves, loads a bot, or plays scenarios with it. README.md
 * tells what it does; this file holds the command line and the result line. */
#include "api.h"
#include "child.h"
#include "death.h"
#include "ledger.h"
#include "load.h"
#include "options.h"
#include "play.h"
#include "updates.h"

#include "arguments.h"

#include <signal.h>
#include <unistd.h>

struct options opt = {
    .label = "",
    .token = "123456:TEST",
    .text = "/ping %d",
    .match = "number",
    .chats = 1,
    .seed = 1,
    .copies = 1,
    .n = 10000,
    .patience = 1,
    .max_s = 60,
    .lost_s = 5,
    .settle_s = 0.3,
    .warmup_s = 2,
    .restart_ms = 200,
    .retry_after = 1,
    .kill_signal = SIGKILL,
    .kills = 1,
};

static const char program[] = "fake_telegram";
static const struct argument table[] = {
    {"label", IS_TEXT, &opt.label, "goes into the result line"},
    {"port", IS_INT, &opt.port, "0: any free one"},
    {"token", IS_TEXT, &opt.token, "the only token that is known"},
    {"exec", IS_TEXT, &opt.exec, "command line of the bot; without it the server only serves"},
    {"through", IS_INT, &opt.through,
     "the bot finds us behind a proxy on this port; prints our address"},
    {"log", IS_TEXT, &opt.log, "file for what the bot prints"},
    {"play", IS_TEXT, &opt.play, "play this scenario instead of loading"},
    {"copies", IS_INT, &opt.copies, "that many of the scenario at once, each with its own people"},
    {"open", IS_INT, &opt.open,
     "only serve, with this person's private chat open, and a group of the same number"},
    {"chats", IS_INT, &opt.chats, "number of people, each in a chat of their own"},
    {"group", IS_FLAG, &opt.group, "these chats are groups"},
    {"n", IS_LONG, &opt.n, "commands to measure"},
    {"warmup", IS_LONG, &opt.warmup, "commands before that"},
    {"warmup-s", IS_REAL, &opt.warmup_s, "measure after so many seconds in any case"},
    {"text", IS_TEXT, &opt.text, "what is said; %d is the number of the command"},
    {"match", IS_TEXT, &opt.match,
     "number: an answer ends with it; any: whatever comes is the answer"},
    {"rate", IS_REAL, &opt.rate, "commands per second (open loop); 0: closed loop"},
    {"patience", IS_REAL, &opt.patience, "so many times the time of a step of a scenario"},
    {"max-s", IS_REAL, &opt.max_s, "give up after so many seconds"},
    {"lost-s", IS_REAL, &opt.lost_s, "confirmed and not answered for so long is lost"},
    {"settle-s", IS_REAL, &opt.settle_s, "wait so long at the end for answers too many"},
    {"delay-ms", IS_REAL, &opt.delay_ms, "hold back each answer but getUpdates'"},
    {"limits", IS_FLAG, &opt.limits, "30 messages/s in all, 1/s a person, 20/min a group"},
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
     "kill the bot after each so many answers; in a scenario, presses"},
    {"kills", IS_LONG, &opt.kills, "at most so many times"},
    {"kill-signal", IS_INT, &opt.kill_signal, "with this signal"},
    {"restart-ms", IS_REAL, &opt.restart_ms, "start it again after so long"},
    {"die", IS_TEXT, &opt.die,
     "each request kills the bot in these ways, in turn: asked,done,told,soon"},
    {"ledger", IS_TEXT, &opt.ledger, "file for all that was said and pressed, as JSON lines"},
    {"trace", IS_FLAG, &opt.trace, "print the conversation on stderr"},
    {NULL, IS_FLAG, NULL, NULL},
};

static void interrupted(int signal)
{
    (void)signal;
    child_kill(SIGKILL);
    _exit(130);
}

/* ---- only serving ---- */

static void nothing(void) {}

static void nothing_handed(uint32_t tag, int64_t now)
{
    (void)tag, (void)now;
}

static void nothing_said(struct chat *c, struct message *m, const char *text)
{
    (void)c, (void)m, (void)text;
}

static void nothing_answered(struct tap *t)
{
    (void)t;
}

static void serve_begin(void)
{
    world_keeps = true;
    hooks = (struct hooks){nothing, nothing_handed, nothing_said, nothing_answered};
    if (opt.open) {
        world_person_new((struct person){opt.open, "Somebody", "", "en", true, false});
        world_chat_new(opt.open, CHAT_PRIVATE, "Somebody");
        world_chat_new(-opt.open, CHAT_GROUP, "Everybody")->bot = BOT_ADMIN;
    }
    printf("http://127.0.0.1:%d\n", wire_port());
    fflush(stdout);
}

static void report(struct text *t)
{
    text_print(t,
               "\"connections\":%llu,\"polls\":%lld,\"updates_per_poll\":%.1f,\"sends\":%lld,"
               "\"edits\":%lld,"
               "\"erased\":%lld,\"answers\":%lld,\"pictures\":%lld,\"refused\":%lld,",
               (unsigned long long)wire_connections(), (long long)counts.polls,
               counts.full_polls ? (double)counts.handed / (double)counts.full_polls : 0,
               (long long)counts.sends, (long long)counts.edits, (long long)counts.erased,
               (long long)counts.answers, (long long)counts.pictures, (long long)counts.refused);
    text_print(
        t,
        "\"n_429\":%lld,\"early_429\":%lld,\"resent_429\":%lld,\"n_502\":%lld,\"resets\":%lld,"
        "\"cuts\":%lld,\"doubled_updates\":%lld,\"swapped_polls\":%lld,\"ordered_deaths\":%lld,"
        "\"brought\":%lld,\"side_by_side\":%lld,"
        "\"refused_hooks\":%lld}",
        (long long)counts.n_429, (long long)counts.early_429, (long long)counts.resent_429,
        (long long)counts.n_502, (long long)counts.resets, (long long)counts.cuts,
        (long long)counts.doubled, (long long)counts.swapped, (long long)death_count(),
        (long long)counts.brought, (long long)counts.side_by_side, (long long)counts.refused_hooks);
    puts(t->p);
}

int main(int argc, char **argv)
{
    arguments_read(program, table, argc, argv);
    if (opt.chats < 1 || opt.n < 1 || opt.copies < 1)
        arguments_usage(program, table);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGINT, interrupted);
    signal(SIGTERM, interrupted);
    death_begin();
    ledger_begin();
    wire_listen(opt.port);
    if (opt.through) {
        printf("http://127.0.0.1:%d\n", wire_port());
        fflush(stdout);
    }
    if (opt.play)
        play_begin();
    else if (opt.exec)
        load_begin();
    else
        serve_begin();
    child_start();
    wire_run(api_request, updates_hand_out);

    struct text t = {0};
    text_put(&t, "{\"label\":");
    text_json(&t, opt.label);
    text_put(&t, ",");
    bool good = opt.play ? play_report(&t) : load_report(&t);
    child_kill(SIGKILL);
    report(&t);
    return good ? 0 : 1;
}
