/* See tool.h. */
#include "tool.h"

#include <stdio.h>

int tool_failed(const char *command, const struct err *err)
{
    fprintf(stderr, "koikoi %s: %s\n", command, err->text);
    return TOOL_BAD;
}

int tool_take_config(int argc, char **argv, struct str *ret_file)
{
    int n = 0;
    for (int i = 0; i < argc; i++) {
        struct str value, name = str_cut(str_of(argv[i]), '=', &value);
        if (!str_is(name, STR("--config"))) {
            argv[n++] = argv[i];
            continue;
        }
        if (value.n == 0 && i + 1 < argc)
            value = str_of(argv[++i]);
        if (value.n == 0)
            return -1;
        *ret_file = value;
    }
    return n;
}
