/* See health_main.h. */
#include "health_main.h"

#include <stdio.h>

#include "config.h"
#include "health.h"
#include "tool.h"

enum { ARENA_BYTES = 64 << 20, PATIENCE_MS = 5000 };

int health_main(int argc, char **argv)
{
    struct config config = {0};
    struct str file = {0};
    struct err err = {""};
    char line[HEALTH_LINE];
    if (tool_take_config(argc, argv, &file) != 1) {
        fprintf(stderr, "usage: koikoi health [--config FILE]\n");
        return TOOL_MISUSED;
    }
    struct arena *a = arena_open(ARENA_BYTES);
    bool good = config_load(file, STR(""), a, &config, &err) &&
                health_ask(arena_print(a, "%.*s/" HEALTH_SOCKET, STR_ARG(config.state_dir)).p,
                           PATIENCE_MS, line, &err);
    arena_close(a);
    if (!good)
        return tool_failed("health", &err);
    puts(line);
    return fflush(stdout) == 0 && str_is(str_of(line), STR("ok")) ? TOOL_GOOD : TOOL_BAD;
}
