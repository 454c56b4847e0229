/* See config_main.h. It opens no store and sends nothing: `koikoi doctor` does. */
#include "config_main.h"

#include <stdio.h>

#include "config.h"
#include "ruleset_file.h"
#include "store.h"
#include "texts.h"
#include "tool.h"

enum { ARENA_BYTES = 64 << 20 };

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

int check_config_main(int argc, char **argv)
{
    struct config config = {0};
    struct rules rules;
    struct languages texts;
    struct str file = {0};
    struct err err = {""};
    if (tool_take_config(argc, argv, &file) != 1) {
        fprintf(stderr, "usage: koikoi check-config [--config FILE]\n");
        return TOOL_MISUSED;
    }
    struct arena *a = arena_open(ARENA_BYTES);
    bool good = config_load(file, STR(""), a, &config, &err) &&
                ruleset_file_find(config.rules_dir, config.rules, &rules, &err) &&
                texts_load(config.texts_dir, config.language, true, a, &texts, &err) &&
                check_accounts(&config, a, &err);
    if (good)
        print_config(&config, a);
    else
        tool_failed("check-config", &err);
    arena_close(a);
    return fflush(stdout) == 0 && good ? TOOL_GOOD : TOOL_BAD;
}
