/* SIGHUP: the configuration, texts and rule sets are read again. If one of them has a fault, all
 * stays as it was. Matches that run keep the rules that they began with. */
#include "loop_internal.h"

enum { RELOAD_BYTES = 64 * 1024 * 1024 };

struct inbox_parts reload_inbox_parts(const struct loop *l, const struct config *c)
{
    return (struct inbox_parts){.store = l->store,
                                .outbox = l->outbox,
                                .work = l->work,
                                .clock = l->clock,
                                .n_accounts = c->n_accounts,
                                .accounts = c->accounts,
                                .rules_dir = c->rules_dir,
                                .texts_dir = c->texts_dir,
                                .default_rules = c->rules,
                                .default_language = c->language,
                                .operators = c->operators,
                                .think_ms = c->think_ms,
                                .beacon = l->beacon};
}

/* The log is the process's, not the loop's: its level changes with the configuration. */
static void follow_log(const struct config *c)
{
    enum log_level level;
    enum log_format format;
    if (log_level_of(c->log_level, &level))
        log_open(level);
    if (log_format_of(c->log_format, &format))
        log_set_format(format);
}

static bool take_over(struct loop *l, struct arena *a, struct err *err)
{
    struct config fresh = {0}, next = *l->parts.config;
    const char *kept[CONFIG_OWN];
    if (!l->parts.reload(l->parts.reload_arg, a, &fresh, err))
        return false;
    int n = config_adopt(&next, &fresh, kept);
    struct inbox_parts parts = reload_inbox_parts(l, &next);
    if (!inbox_reload(l->inbox, &parts, err))
        return false;
    l->config = next;
    l->parts.config = &l->config;
    follow_log(&l->config);
    for (int i = 0; i < n; i++)
        log_line(LOG_WARN, "restart_needed", "option", kept[i], NULL);
    return true;
}

void reload_config(struct loop *l)
{
    struct err err = {""};
    struct arena *a = arena_open(RELOAD_BYTES);
    (void)health_tell_reloading();
    if (take_over(l, a, &err)) {
        arena_close(l->config_arena);
        l->config_arena = a;
        log_line(LOG_INFO, "reloaded", NULL);
    } else {
        arena_close(a);
        log_line(LOG_ERROR, "reload_failed", "why", err.text, NULL);
    }
    supervise_tell(l, "READY=1");
}
