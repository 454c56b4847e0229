/* See store_main.h. The store is locked by a running daemon, so these end with a sentence then. */
#include "store_main.h"

#include <stdio.h>

#include "config.h"
#include "forget.h"
#include "results.h"
#include "store.h"
#include "store_copy.h"
#include "store_forget.h"
#include "store_move.h"
#include "texts.h"
#include "tool.h"

enum { ARENA_BYTES = 64 << 20 };

/* Opens the store of the configuration, in a transaction. */
static bool open_store(struct str file, struct arena *a, struct config *ret_config,
                       struct store **ret, struct err *err)
{
    if (!config_load(file, STR(""), a, ret_config, err) || !store_open(ret_config->store, ret, err))
        return false;
    if (store_begin(*ret, err))
        return true;
    store_close(*ret);
    return false;
}

static bool close_store(struct store *store, bool good, struct err *err)
{
    good = good && store_commit(store, err);
    if (!good)
        store_rollback(store);
    store_close(store);
    return good;
}

int recount_main(int argc, char **argv)
{
    struct str file = {0};
    struct store *store;
    struct config config = {0};
    struct err err = {""};
    int64_t matches = 0;
    if (tool_take_config(argc, argv, &file) != 1) {
        fprintf(stderr, "usage: koikoi recount [--config FILE]\n");
        return TOOL_MISUSED;
    }
    struct arena *a = arena_open(ARENA_BYTES);
    bool good = open_store(file, a, &config, &store, &err) &&
                close_store(store, results_recount(store, &matches, &err), &err);
    arena_close(a);
    if (!good)
        return tool_failed("recount", &err);
    printf("counted %lld results of matches anew\n", (long long)matches);
    return fflush(stdout) == 0 ? TOOL_GOOD : TOOL_BAD;
}

/* ---- forget ---- */

/* *ret_who is 0, and *ret_names lists them, if not exactly one person is called so. */
static bool person_called(struct store *store, struct arena *a, struct str called, int64_t *ret_who,
                          struct str *ret_names, struct err *err)
{
    struct people found;
    if (!store_handles_called(store, a, called, &found, err))
        return false;
    *ret_who = found.n > 0 ? found.at[0].who : 0;
    *ret_names = STR("");
    for (int i = 0; i < found.n; i++) {
        if (found.at[i].who != *ret_who)
            *ret_who = 0;
        *ret_names = arena_print(a, "%.*s\n  #%lld  %.*s", STR_ARG(*ret_names),
                                 (long long)found.at[i].who, STR_ARG(found.at[i].name));
    }
    return true;
}

/* "somebody" in the daemon's language. */
static bool anonymous_name(const struct config *config, struct arena *a, struct str *ret,
                           struct err *err)
{
    struct languages all;
    if (!texts_load(config->texts_dir, config->language, false, a, &all, err))
        return false;
    *ret = text_make(texts_for(&all, config->language), a, T_SOMEBODY, 0, NULL, 0);
    return true;
}

static bool forget(struct store *store, const struct config *config, struct arena *a,
                   struct str called, struct err *err)
{
    int64_t who;
    int live;
    struct str names, name;
    struct ruleset_cache rulesets = {0};
    if (!anonymous_name(config, a, &name, err) ||
        !person_called(store, a, called, &who, &names, err))
        return false;
    if (who == 0)
        return err_set(err,
                       names.n ? "expected one person, got:%.*s" : "there is no such person%.*s",
                       STR_ARG(names));
    bool more = true, good = forget_person(store, who, name, &live, err);
    if (good && live > 0)
        good = err_set(err, "%d matches of this person still run", live);
    while (good && more)
        good = store_commit(store, err) && store_begin(store, err) &&
               forget_step(store, &rulesets, &more, err);
    return good;
}

int forget_main(int argc, char **argv)
{
    struct str file = {0};
    struct store *store;
    struct config config = {0};
    struct err err = {""};
    if (tool_take_config(argc, argv, &file) != 2) {
        fprintf(stderr, "usage: koikoi forget [--config FILE] PERSON\n");
        return TOOL_MISUSED;
    }
    struct arena *a = arena_open(ARENA_BYTES);
    bool good = open_store(file, a, &config, &store, &err) &&
                close_store(store, forget(store, &config, a, str_of(argv[1]), &err), &err);
    arena_close(a);
    if (!good)
        return tool_failed("forget", &err);
    printf("forgot %s\n", argv[1]);
    return fflush(stdout) == 0 ? TOOL_GOOD : TOOL_BAD;
}

/* ---- backup, restore ---- */

/* One FILE and the configuration; false after it printed what is wrong. */
static bool take_file(int argc, char **argv, const char *command, struct arena *a,
                      struct config *ret, int *ret_status)
{
    struct str file = {0};
    struct err err = {""};
    *ret_status = TOOL_MISUSED;
    if (tool_take_config(argc, argv, &file) != 2) {
        fprintf(stderr, "usage: koikoi %s [--config FILE] FILE\n", command);
        return false;
    }
    *ret_status = TOOL_BAD;
    return config_load(file, STR(""), a, ret, &err) || tool_failed(command, &err) == TOOL_GOOD;
}

int backup_main(int argc, char **argv)
{
    struct config config = {0};
    struct err err = {""};
    int status;
    struct arena *a = arena_open(ARENA_BYTES);
    if (take_file(argc, argv, "backup", a, &config, &status)) {
        bool good = store_backup(config.store, str_of(argv[1]), &err);
        status = good ? TOOL_GOOD : tool_failed("backup", &err);
        if (good)
            printf("wrote %s; it is whole and sound\n", argv[1]);
    }
    arena_close(a);
    return fflush(stdout) == 0 ? status : TOOL_BAD;
}

int restore_main(int argc, char **argv)
{
    struct config config = {0};
    struct err err = {""};
    struct str aside;
    int status;
    struct arena *a = arena_open(ARENA_BYTES);
    if (take_file(argc, argv, "restore", a, &config, &status)) {
        bool good = store_restore(str_of(argv[1]), config.store, a, &aside, &err);
        status = good ? TOOL_GOOD : tool_failed("restore", &err);
        if (good)
            printf("restored %.*s from %s\n", STR_ARG(config.store), argv[1]);
        if (good && aside.n)
            printf("what was there before is %.*s\n", STR_ARG(aside));
    }
    arena_close(a);
    return fflush(stdout) == 0 ? status : TOOL_BAD;
}

int move_store_main(int argc, char **argv)
{
    struct err err = {""};
    struct store_moved moved;
    if (argc != 3) {
        fprintf(stderr, "usage: koikoi move-store FROM TO\n");
        return TOOL_MISUSED;
    }
    if (!store_move(str_of(argv[1]), str_of(argv[2]), &moved, &err))
        return tool_failed("move-store", &err);
    printf("moved %lld rows of %d tables; each table was read again and is the same\n",
           (long long)moved.rows, moved.tables);
    printf("the key of sealed values is in a file: see key_file\n");
    return fflush(stdout) == 0 ? TOOL_GOOD : TOOL_BAD;
}
