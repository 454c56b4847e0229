/* See doctor.h. The questions are the adapter's own (adapter.examine); here they are sent, one at a
 * time, and what was found is printed. Nothing is written anywhere and no news are asked for, so it
 * may run beside the daemon. */
#include "doctor.h"

#include <stdio.h>

#include "clock.h"
#include "config.h"
#include "http.h"

enum {
    DOCTOR_BYTES = 64 << 20,
    GOOD = 0,
    BAD = 1,
    MISUSED = 2,
    QUESTIONS = 64,
    WAIT_MOST_MS = 60000
};

static void print(const struct findings *found, bool *well)
{
    static const char *const words[] = {
        [FOUND_FINE] = "fine  ", [FOUND_ADVICE] = "advice", [FOUND_WRONG] = "wrong "};
    for (int i = 0; i < found->n; i++) {
        printf("  %s  %.*s\n", words[found->at[i].found], STR_ARG(found->at[i].text));
        *well &= found->at[i].found != FOUND_WRONG;
    }
}

static struct reply asked(struct http *http, const struct request *question, int64_t wait_ms)
{
    struct http_done done;
    int64_t due = clock_now(&clock_of_machine) + wait_ms, now;
    while ((now = clock_now(&clock_of_machine)) < due)
        http_wait(http, NULL, 0, (int)(due - now));
    http_start(http, question, http);
    while (!http_take(http, &done))
        http_wait(http, NULL, 0, 1000);
    done.reply.now = clock_now(&clock_of_machine);
    return done.reply;
}

static bool examine(const struct account *a, struct http *http, struct arena *arena)
{
    struct reply reply;
    bool well = true;
    for (int i = 0; i < QUESTIONS; i++) {
        struct request next = {.kind = REQUEST_NONE};
        struct findings found = {0};
        a->adapter->examine(a->state, arena, i > 0 ? &reply : NULL, &next, &found);
        print(&found, &well);
        if (next.kind != REQUEST_HTTP)
            break;
        reply = asked(http, &next, found.wait_ms < WAIT_MOST_MS ? found.wait_ms : WAIT_MOST_MS);
        reply.body = arena_str(arena, reply.body);
    }
    return well;
}

static bool examine_all(struct config *config, struct arena *arena, struct err *err)
{
    struct http *http;
    bool well = true;
    if (!http_open(&http, err))
        return false;
    for (int i = 0; i < config->n_accounts; i++) {
        struct account *a = &config->accounts[i];
        printf("%s\n", a->adapter->title);
        if (!a->adapter->open(a->state, arena, &a->can, &a->limits, err)) {
            printf("  wrong   %s\n", err->text);
            well = false;
            continue;
        }
        if (a->adapter->examine)
            well &= examine(a, http, arena);
        else
            printf("  fine    the options can be used\n");
        a->adapter->close(a->state);
    }
    http_close(http);
    return well;
}

int doctor_main(int argc, char **argv)
{
    struct config config = {0};
    struct err err = {""};
    struct str value = {0}, file = {0};
    if (argc == 3 && strcmp(argv[1], "--config") == 0) {
        file = str_of(argv[2]);
    } else if (argc == 2 && str_is(str_cut(str_of(argv[1]), '=', &value), STR("--config")) &&
               value.n > 0) {
        file = value;
    } else if (argc > 1) {
        fprintf(stderr, "koikoi: doctor takes [--config FILE]\n");
        return MISUSED;
    }
    struct arena *arena = arena_open(DOCTOR_BYTES);
    bool well = config_load(file, STR(""), arena, &config, &err);
    if (well) {
        printf("configuration\n  fine    it can be read\n");
        well = examine_all(&config, arena, &err);
    } else {
        printf("configuration\n  wrong   %s\n", err.text);
    }
    arena_close(arena);
    return fflush(stdout) == 0 && well ? GOOD : BAD;
}
