/* See tool.h. */
#include "tool.h"

#include <stdio.h>

#include "health.h"

enum { ARENA_BYTES = 256 << 20 };

/* Leaves arguments that are none of these options. */
static bool take_options(struct tool *t, const struct tool_option *rows, int n)
{
    int left = 0;
    for (int i = 0; i < t->argc; i++) {
        struct str value, name = str_cut(str_of(t->argv[i]), '=', &value);
        const struct tool_option *o = NULL;
        for (int k = 0; k < n && !o; k++)
            if (str_is(name, str_of(rows[k].name)))
                o = &rows[k];
        if (!o) {
            t->argv[left++] = t->argv[i];
            continue;
        }
        if (o->flag) {
            *o->flag = true;
            continue;
        }
        if (!strchr(t->argv[i], '=') && i + 1 < t->argc)
            value = str_of(t->argv[++i]);
        if (value.n == 0)
            return err_set(&t->err, "%s needs a value", o->name);
        if (o->text)
            *o->text = value;
        else if (!str_int(value, o->number) || *o->number < o->least || *o->number > o->most)
            return err_set(&t->err, "%s: expected a whole number from %lld to %lld, got %.*s",
                           o->name, (long long)o->least, (long long)o->most, STR_ARG(value));
    }
    t->argc = left;
    return true;
}

bool tool_options(struct tool *t, const struct tool_option *rows, int n)
{
    if (!take_options(t, rows, n))
        return false;
    for (int i = 0; i < t->argc; i++)
        if (t->argv[i][0] == '-' && t->argv[i][1] != '\0')
            return err_set(&t->err, "unknown option \"%s\"", t->argv[i]);
    return true;
}

bool tool_open(struct tool *t, tool_opener *open)
{
    return open(t->config.store, &t->store, &t->err);
}

bool tool_ask(struct tool *t, int ms, const char *question, struct str *ret, bool *ret_absent)
{
    return health_ask(arena_print(t->a, "%.*s/" HEALTH_SOCKET, STR_ARG(t->config.state_dir)).p, ms,
                      question, t->a, ret, ret_absent, &t->err);
}

/* Whoever has several configurations sees which store a command means, and who plays with it. */
static void say_store(struct tool *t)
{
    struct str shown = store_shown(t->a, t->config.store);
    struct str who = store_holders(t->a, t->config.store);
    fprintf(stderr, "store: %.*s%s%.*s%s\n", STR_ARG(shown), who.n ? " (open in " : "",
            STR_ARG(who), who.n ? ")" : "");
}

/* Such as a variable of the shell that is not set. */
static bool has_empty(struct tool *t)
{
    for (int i = 0; i < t->argc; i++)
        if (!t->argv[i][0])
            return !err_set(&t->err, "expected no empty argument");
    return false;
}

static enum tool_status run(const struct tool_command *c, struct tool *t)
{
    const struct tool_option option = {"--config", .text = &t->config_file};
    if (!take_options(t, &option, 1))
        return TOOL_MISUSED;
    if (t->argc < c->least || t->argc > c->most || has_empty(t))
        return TOOL_USAGE;
    if (c->needs == TOOL_CONFIG && !config_load(t->config_file, STR(""), t->a, &t->config, &t->err))
        return TOOL_BAD;
    if (c->needs == TOOL_STORE || c->needs == TOOL_DAEMON) {
        if (!config_load_store(t->config_file, t->a, &t->config, &t->err))
            return TOOL_BAD;
        if (c->needs == TOOL_STORE)
            say_store(t);
    }
    return c->run(t);
}

int tool_run(const struct tool_command *c, int argc, char **argv)
{
    struct tool t = {.argc = argc - 1,
                     .argv = argv + 1,
                     .a = arena_open(ARENA_BYTES),
                     .scratch = arena_open(ARENA_BYTES)};
    enum tool_status status = run(c, &t);
    if (t.store && store_take_failure(t.store, &t.err))
        status = TOOL_BAD;
    if (fflush(stdout) != 0 && status == TOOL_GOOD)
        status = TOOL_BAD;
    if (t.err.text[0])
        fprintf(stderr, "koikoi %s: %s\n", c->name, t.err.text);
    if (status == TOOL_USAGE)
        fprintf(stderr, "usage: koikoi %s%s%s\n", c->name, *c->usage ? " " : "", c->usage);
    store_close(t.store);
    arena_close(t.scratch);
    arena_close(t.a);
    return status == TOOL_USAGE ? TOOL_MISUSED : (int)status;
}
