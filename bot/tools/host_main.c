/* `koikoi check-config`, which opens no store and sends nothing (`koikoi doctor` does), and `koikoi
 * health`. See tool.h. */
#include "tool.h"

#include <stdio.h>

#include "health.h"
#include "ruleset_file.h"
#include "texts.h"

/* Opens each network, which checks its options, and closes it again. */
static bool check_accounts(const struct config *config, struct arena *a, struct err *err)
{
    for (int i = 0; i < config->n_accounts; i++) {
        struct account *account = &config->accounts[i];
        if (!registry_open(account, a, err))
            return false;
        account->adapter->close(account->state);
    }
    return true;
}

static void print_config(const struct config *config, struct arena *a)
{
    struct str shown = store_shown(a, config->store);
    printf("store     %.*s\nnetworks  ", STR_ARG(shown));
    for (int i = 0; i < config->n_accounts; i++)
        printf("%s%.*s", i ? ", " : "", STR_ARG(config->accounts[i].name));
    printf("\nrules     %.*s\nlanguage  %.*s\n", STR_ARG(config->rules), STR_ARG(config->language));
}

enum tool_status check_config_main(struct tool *t)
{
    struct rules rules;
    struct languages texts;
    if (!ruleset_file_find(t->config.rules_dir, t->config.rules, &rules, &t->err) ||
        !texts_load(t->config.texts_dir, t->config.language, true, t->a, &texts, &t->err) ||
        !check_accounts(&t->config, t->a, &t->err))
        return TOOL_BAD;
    print_config(&t->config, t->a);
    return TOOL_GOOD;
}

/* The answer is that of /health; a daemon that hangs gives none. */
enum tool_status health_main(struct tool *t)
{
    enum { PATIENCE_MS = 5000 };
    char line[HEALTH_LINE];
    if (!health_ask(arena_print(t->a, "%.*s/" HEALTH_SOCKET, STR_ARG(t->config.state_dir)).p,
                    PATIENCE_MS, line, &t->err))
        return TOOL_BAD;
    puts(line);
    return str_is(str_of(line), STR("ok")) ? TOOL_GOOD : TOOL_BAD;
}
