/* Updates that end the process. A network delivers a batch again until its cursor is stored, so one
 * update that ends the daemon would end it at every start.
 *
 * Each start writes a mark per account: a hash of the cursor, and how many starts in a row found
 * that cursor. The first batch that is stored removes the mark, in its own transaction. A start
 * that finds the cursor of two others handles its first batch one update at a time, and writes the
 * update's id into the mark before each; the start after four that ended there puts that update
 * into quarantine. Whoever kills the process from outside again and again must not take a press
 * away.
 */
#include "loop_internal.h"

enum { CAREFUL_FROM = 3, TRIES = 4 };

static struct str mark_name(const struct loop *l, const struct poller *p)
{
    return arena_print(l->turn, "attempt:%lld", (long long)p->account->id);
}

static bool write_mark(struct loop *l, const struct poller *p, uint64_t tried, int times,
                       struct err *err)
{
    return store_set_meta(l->store, mark_name(l, p),
                          arena_print(l->turn, "%lld %d %lld %d",
                                      (long long)str_hash(str_of(p->cursor)), p->starts,
                                      (long long)tried, times),
                          err);
}

/* Four numbers: hash of the cursor, starts, hash of the update's id, how often it ended a start. */
static bool read_mark(struct str mark, int64_t ret[static 4])
{
    for (int i = 0; i < 4; i++)
        if (!str_int(str_word(&mark), &ret[i]))
            return false;
    return mark.n == 0;
}

bool attempt_open(struct loop *l, struct poller *p, struct err *err)
{
    struct str mark;
    int64_t part[4];
    if (!store_meta(l->store, l->turn, mark_name(l, p), &mark, err))
        return false;
    if (read_mark(mark, part) && (uint64_t)part[0] == str_hash(str_of(p->cursor))) {
        p->starts = part[1] < CAREFUL_FROM ? (int)part[1] + 1 : CAREFUL_FROM;
        p->tried = (uint64_t)part[2];
        p->times = (int)part[3];
    } else {
        p->starts = 1;
    }
    p->careful = p->starts >= CAREFUL_FROM;
    if (p->careful)
        log_line(LOG_WARN, "careful", "account", p->account->adapter->name, "why",
                 "the last starts ended at the same cursor", NULL);
    return write_mark(l, p, p->tried, p->times, err);
}

bool attempt_remove(struct loop *l, const struct poller *p, struct err *err)
{
    return p->starts == 0 || store_set_meta(l->store, mark_name(l, p), STR(""), err);
}

void attempt_removed(struct poller *p)
{
    p->starts = 0;
    p->careful = false;
}

static bool quarantine(struct loop *l, const struct poller *p, const struct update *u,
                       struct err *err)
{
    struct str raw = u->raw;
    if (raw.n == 0)
        raw = arena_print(l->turn, "%.*s in %.*s by %.*s: %.*s", STR_ARG(u->id), STR_ARG(u->chat),
                          STR_ARG(u->from.id), STR_ARG(u->text));
    log_line(LOG_ERROR, "poison", "kind", "update", "why",
             "the daemon ended while it handled this update", NULL);
    bool unheard; /* the next start passes it over, even if it ends at another one */
    return store_quarantine(l->store, p->account->id, loop_wall(l), raw,
                            STR("the daemon ended while it handled this update"), err) &&
           (u->id.n == 0 ||
            store_hear(l->store, p->account->id, u->id, loop_wall(l), &unheard, err));
}

/* The mark of one update, committed. *ret_skip: it is in quarantine instead. */
static bool begin_update(struct loop *l, struct poller *p, const struct update *u, bool *ret_skip,
                         struct err *err)
{
    uint64_t id = str_hash(u->id);
    int times = p->tried == id ? p->times : 0;
    bool killer = times >= TRIES;
    if (!store_begin(l->store, err) || (killer && !quarantine(l, p, u, err)) ||
        !write_mark(l, p, killer ? 0 : id, killer ? 0 : times + 1, err) ||
        !store_commit(l->store, err)) {
        store_rollback(l->store);
        return false;
    }
    if (killer)
        p->tried = 0;
    *ret_skip = killer;
    return true;
}

bool attempt_each(struct loop *l, struct news *n, attempt_commit *commit, struct err *err)
{
    struct poller *p = n->from;
    while (n->batch.n > 0) {
        struct news one = {.from = p, .batch = {.n = 1, .at = n->batch.at}, .alone = true};
        bool skip = false;
        if (!begin_update(l, p, one.batch.at, &skip, err) || (!skip && !commit(l, &one)))
            return false;
        l->n_updates++;
        n->batch.at++;
        n->batch.n--;
    }
    return true;
}
