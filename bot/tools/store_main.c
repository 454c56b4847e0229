/* Commands on the store: see tool.h. A running daemon locks it: it does itself what `recount` and
 * `forget` ask for, and `restore` and `move-store` end with a sentence. */
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

/* Asks the daemon that has the store; without one the command opens it itself. *ret_absent: there is
 * none. */
static enum tool_status by_daemon(struct tool *t, const char *question, bool *ret_absent)
{
    enum { PATIENCE_MS = 600 * 1000 };
    struct str said;
    if (tool_ask(t, PATIENCE_MS, question, &said, ret_absent)) {
        printf("%.*s", STR_ARG(said));
        return TOOL_GOOD;
    }
    if (*ret_absent)
        t->err = (struct err){""};
    return TOOL_BAD;
}

enum tool_status recount_main(struct tool *t)
{
    bool absent;
    enum tool_status status = by_daemon(t, "recount", &absent);
    if (!absent)
        return status;
    bool begun = begin(t);
    int64_t matches = begun ? results_recount(t->store) : 0;
    status = end(t, begun);
    if (status == TOOL_GOOD)
        printf("counted %lld results of matches anew\n", (long long)matches);
    return status;
}

/* ---- forget ---- */

static bool forget(struct tool *t, struct str called)
{
    const struct config *c = &t->config;
    struct ruleset_cache rulesets = {0};
    struct languages all;
    if (!texts_load(c->texts_dir, c->language, false, t->a, &all, &t->err))
        return false;
    /* "somebody" in the daemon's language */
    forget_called(t->store, called,
                  text_make(texts_for(&all, c->language), t->a, T_SOMEBODY, 0, NULL, 0));
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
    bool absent;
    const char *question = arena_print(t->a, "forget %s", t->argv[0]).p;
    enum tool_status status = by_daemon(t, question, &absent);
    if (!absent)
        return status;
    status = end(t, begin(t) && forget(t, str_of(t->argv[0])));
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
