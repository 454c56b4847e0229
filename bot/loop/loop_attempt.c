/* Updates that end the process. A network delivers a batch again until its cursor is stored, so one
 * update that ends the daemon would end it at every start.
 *
 * Each start writes a mark per account: a hash of the cursor, and how many starts in a row found
 * that cursor. The first batch that is stored removes the mark, in its own transaction. A start
 * that finds the cursor of two others handles its first batch one update at a time, and writes the
 * update's id into the mark before each; the start after four that ended there puts that update
 * into quarantine. Whoever kills the process from outside again and again must not take a press
 * away.
 *
 * What is in quarantine is tried again when the operator asks for it (`koikoi quarantine again`).
 * Each try is counted in a transaction of its own before it, so that a row which ends the process
 * does not end it forever; the row leaves in the transaction that handles it.
 */
#include "loop_internal.h"

#include "update.h"

enum { CAREFUL_FROM = 3, TRIES = 4, QUARANTINE_BYTES = 32 << 20 };

static struct str mark_name(const struct loop *l, const struct poller *p)
{
    return arena_print(l->turn, "attempt:%lld", (long long)p->account->id);
}

static void write_mark(struct loop *l, const struct poller *p, uint64_t tried, int times)
{
    store_set_meta(l->store, mark_name(l, p),
                   arena_print(l->turn, "%lld %d %lld %d", (long long)str_hash(str_of(p->cursor)),
                               p->starts, (long long)tried, times));
}

void attempt_open(struct loop *l, struct poller *p)
{
    struct str mark = store_meta(l->store, l->turn, mark_name(l, p));
    int64_t
        part[4]; /* hash of the cursor, starts, hash of the update's id, how often it ended one */
    bool whole = true;
    for (int i = 0; i < 4 && whole; i++)
        whole = str_int(str_word(&mark), &part[i]);
    if (whole && mark.n == 0 && (uint64_t)part[0] == str_hash(str_of(p->cursor))) {
        p->starts = part[1] < CAREFUL_FROM ? (int)part[1] + 1 : CAREFUL_FROM;
        p->tried = (uint64_t)part[2];
        p->times = (int)part[3];
    } else {
        p->starts = 1;
    }
    p->careful = p->starts >= CAREFUL_FROM;
    if (p->careful)
        log_line(LOG_WARN, "careful", "account", p->account->name.p, "why",
                 "the last starts ended at the same cursor", NULL);
    write_mark(l, p, p->tried, p->times);
}

void attempt_remove(struct loop *l, const struct poller *p)
{
    if (p->starts)
        store_set_meta(l->store, mark_name(l, p), STR(""));
}

void attempt_removed(struct poller *p)
{
    p->starts = 0;
    p->careful = false;
}

static const char ended_here[] = "the daemon ended while it handled this update";

void attempt_quarantine(struct loop *l, const struct account *a, const struct update *u,
                        const char *why)
{
    struct arena *room = arena_open(QUARANTINE_BYTES);
    struct str raw = u->raw;
    if (raw.n == 0)
        raw = arena_print(room, "%.*s in %.*s by %.*s: %.*s", STR_ARG(u->id), STR_ARG(u->chat),
                          STR_ARG(u->from.id), STR_ARG(u->text));
    store_quarantine(l->store, a->id, loop_wall(l), raw, update_pack(u, room), str_of(why));
    if (u->id.n > 0) /* a delivery that comes again has no effect */
        (void)store_hear(l->store, a->id, u->id, u->what, loop_wall(l));
    arena_close(room);
}

bool attempt_update(struct loop *l, struct poller *p, const struct update *u, bool *ret_skip,
                    struct err *err)
{
    uint64_t id = str_hash(u->id) ^ (uint64_t)u->what;
    int times = p->tried == id ? p->times : 0;
    bool killer = times >= TRIES;
    store_begin(l->store);
    if (killer) {
        log_line(LOG_ERROR, "poison", "kind", "update", "why", ended_here, NULL);
        attempt_quarantine(l, p->account, u, ended_here);
    }
    write_mark(l, p, killer ? 0 : id, killer ? 0 : times + 1);
    if (!store_commit(l->store, err))
        return false;
    if (killer)
        p->tried = 0;
    *ret_skip = killer;
    return true;
}

/* ---- what is in quarantine, again ---- */

void attempt_look(struct loop *l)
{
    struct err ignored;
    bool waits = !l->waiting.retry_at && store_retry_waits(l->store);
    if (!l->waiting.retry_at && !store_take_failure(l->store, &ignored) && waits)
        l->waiting.soonest = 1;
}

void attempt_again(struct loop *l, const struct retry *r)
{
    struct update u;
    int i = 0;
    while (i < l->polling.n && l->polling.at[i].account->id != r->account)
        i++;
    if (r->again > TRIES) {
        store_fail(l->store, "%s", ended_here);
    } else if (r->session) {
        inbox_take_back(l->inbox, r->session, r->at);
    } else if (!update_unpack(r->packed, &u)) {
        store_fail(l->store, "its bytes are damaged");
    } else if (i == l->polling.n) {
        store_fail(l->store, "its network is not configured");
    } else {
        u.id = STR(""); /* it counts as heard */
        inbox_handle(l->inbox, l->polling.at[i].account, &u);
    }
}

/* Once by this process: a transaction that the database fails is not the row's fault. */
bool attempt_retry(struct loop *l, int64_t id, struct err *err)
{
    if (l->retrying.begun == id)
        return true;
    store_begin(l->store);
    store_retry_begin(l->store, id);
    if (!store_commit(l->store, err))
        return false;
    log_line(LOG_INFO, "retry", "#row", arena_print(l->turn, "%lld", (long long)id).p, NULL);
    l->retrying.begun = id;
    return true;
}
