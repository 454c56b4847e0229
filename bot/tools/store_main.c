/* Commands on the store: see tool.h. A running daemon locks it, so those that change it end with a
 * sentence then. */
#include "tool.h"

#include <stdio.h>

#include "inbox_features.h"
#include "store_forget.h"
#include "store_host.h"
#include "texts.h"

/* A store in a transaction. */
static bool begin(struct tool *t)
{
    if (!tool_open(t, store_open))
        return false;
    store_begin(t->store);
    return true;
}

static enum tool_status end(struct tool *t, bool good)
{
    good = good && store_commit(t->store, &t->err);
    if (!good && t->store)
        store_rollback(t->store);
    return good ? TOOL_GOOD : TOOL_BAD;
}

enum tool_status recount_main(struct tool *t)
{
    bool begun = begin(t);
    int64_t matches = begun ? results_recount(t->store) : 0;
    enum tool_status status = end(t, begun);
    if (status == TOOL_GOOD)
        printf("counted %lld results of matches anew\n", (long long)matches);
    return status;
}

/* ---- forget ---- */

/* Returns 0, and *ret_names lists them, if not exactly one person is called so. */
static int64_t person_called(struct store *store, struct arena *a, struct str called,
                             struct str *ret_names)
{
    struct people found = store_handles_called(store, a, called);
    int64_t who = found.n > 0 ? found.at[0].who : 0;
    *ret_names = STR("");
    for (int i = 0; i < found.n; i++) {
        if (found.at[i].who != who)
            who = 0;
        *ret_names = arena_print(a, "%.*s\n  #%lld  %.*s", STR_ARG(*ret_names),
                                 (long long)found.at[i].who, STR_ARG(found.at[i].name));
    }
    return who;
}

static bool forget(struct tool *t, struct str called)
{
    const struct config *c = &t->config;
    struct ruleset_cache rulesets = {0};
    struct languages all;
    struct str names;
    if (!texts_load(c->texts_dir, c->language, false, t->a, &all, &t->err))
        return false;
    int64_t who = person_called(t->store, t->a, called, &names);
    if (who == 0)
        store_fail(t->store,
                   names.n ? "expected one person, got:%.*s" : "there is no such person%.*s",
                   STR_ARG(names));
    /* "somebody" in the daemon's language */
    struct str name = text_make(texts_for(&all, c->language), t->a, T_SOMEBODY, 0, NULL, 0);
    int live = forget_person(t->store, who, name);
    if (live > 0)
        store_fail(t->store, "%d matches of this person still run", live);
    for (bool more = true; more;) {
        if (!store_commit(t->store, &t->err))
            return false;
        store_begin(t->store);
        more = forget_step(t->store, &rulesets);
    }
    return true;
}

enum tool_status forget_main(struct tool *t)
{
    enum tool_status status = end(t, begin(t) && forget(t, str_of(t->argv[0])));
    if (status == TOOL_GOOD)
        printf("forgot %s\n", t->argv[0]);
    return status;
}

/* ---- copies ---- */

enum tool_status backup_main(struct tool *t)
{
    if (!store_backup(t->config.store, str_of(t->argv[0]), &t->err))
        return TOOL_BAD;
    printf("wrote %s; it is whole and sound\n", t->argv[0]);
    return TOOL_GOOD;
}

enum tool_status restore_main(struct tool *t)
{
    struct str aside;
    if (!store_restore(str_of(t->argv[0]), t->config.store, t->a, &aside, &t->err))
        return TOOL_BAD;
    printf("restored %.*s from %s\n", STR_ARG(t->config.store), t->argv[0]);
    if (aside.n)
        printf("what was there before is %.*s\n", STR_ARG(aside));
    return TOOL_GOOD;
}

enum tool_status move_store_main(struct tool *t)
{
    struct store_moved moved;
    if (!store_move(str_of(t->argv[0]), str_of(t->argv[1]), &moved, &t->err))
        return TOOL_BAD;
    printf("moved %lld rows of %d tables; each table was read again and is the same\n",
           (long long)moved.rows, moved.tables);
    printf("the key of sealed values is in a file: see key_file\n");
    return TOOL_GOOD;
}
