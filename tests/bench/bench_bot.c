/* The daemon's loop with the wire adapter, as a program, for load servers that start the bot themselves:
 * BOT_API_ROOT and BOT_TOKEN say where to. bench_bot STORE [IN_FLIGHT] */
#include "log.h"
#include "loop.h"
#include "wire_adapter.h"

int main(int argc, char **argv)
{
    struct err err;
    struct loop *loop;
    struct arena *process = arena_open(1 << 24);
    int64_t in_flight = 1000;
    const char *root = getenv("BOT_API_ROOT"), *token = getenv("BOT_TOKEN");
    if (argc < 2 || !root || !token || (argc > 2 && !str_int(str_of(argv[2]), &in_flight)))
        return 2;
    struct wire wire = {.root = arena_print(process, "%s/bot%s", root, token), .poll_seconds = 30,
                        .limits = wire_adapter.limits};
    wire.limits.in_flight = (int)in_flight;
    struct account account = wire_account(&wire);
    struct config config = {.store = str_of(argv[1]), .threads = 1, .rules = STR("sensei"), .language = STR("en"),
                            .n_accounts = 1, .accounts = &account};
    log_open(LOG_WARN);
    bool ok = loop_open(&(struct loop_parts){.config = &config, .process = process}, &loop, &err);
    if (ok) {
        ok = loop_run(loop, &err);
        loop_close(loop);
    }
    if (!ok)
        fprintf(stderr, "%s\n", err.text);
    arena_close(process);
    return ok ? 0 : 1;
}
