/* See outbox_lane.h. */
#include "outbox_lane.h"

#include <assert.h>

void lanes_open(struct lanes *ls, int n_accounts)
{
    *ls = (struct lanes){.n_buckets = 1024};
    ls->bucket = calloc(ls->n_buckets, sizeof *ls->bucket);
    ls->gate = calloc((size_t)n_accounts + 1, sizeof *ls->gate);
    assert(ls->bucket && ls->gate);
    for (int i = 0; i < n_accounts; i++) {
        ls->gate[i].ready_end = &ls->gate[i].ready;
        ls->gate[i].answers_end = &ls->gate[i].answers;
    }
}

static void lane_free(struct lane *l)
{
    for (struct row *r = l->first, *next; r; r = next) {
        next = r->next;
        row_free(r);
    }
    free(l);
}

void lanes_close(struct lanes *ls)
{
    for (size_t i = 0; i < ls->n_buckets; i++)
        for (struct lane *l = ls->bucket[i], *next; l; l = next) {
            next = l->same_hash;
            lane_free(l);
        }
    free(ls->bucket);
    free(ls->heap);
    free(ls->gate);
}

/* ---- rows ---- */

struct row *row_make(struct str slot, struct str bytes, const struct outgoing *out)
{
    struct row *r = calloc(1, sizeof *r + slot.n + bytes.n);
    assert(r);
    r->kind = FLIGHT_ROW;
    r->aside = out->aside;
    r->whisper = out->where == TO_WHISPER;
    r->urgent = r->whisper && out->press.n > 0;
    r->n_slot = slot.n;
    r->n_bytes = bytes.n;
    if (slot.n)
        memcpy(r->data, slot.p, slot.n);
    if (bytes.n)
        memcpy(r->data + slot.n, bytes.p, bytes.n);
    return r;
}

void row_free(struct row *r)
{
    free(r->progress);
    free(r->post);
    free(r->direct);
    free(r->file);
    free(r->picture);
    free(r->png);
    free(r);
}

void lane_add(struct lanes *ls, struct lane *l, struct row *r)
{
    r->lane = l;
    r->next = NULL;
    *l->end = r;
    l->end = &r->next;
    l->n++;
    ls->n_rows++;
}

void lane_remove(struct lanes *ls, struct lane *l, struct row *r)
{
    struct row **link = &l->first;
    while (*link != r)
        link = &(*link)->next;
    *link = r->next;
    if (!r->next)
        l->end = link;
    l->n--;
    l->slow = l->slow && l->n > 0;
    ls->n_rows--;
}

/* A chat that has said "later", and has not been spoken to since, hears one thing at a time. */
static bool was_refused(const struct lane *l)
{
    for (const struct row *r = l->first; r; r = r->next)
        if (r->tries > 0)
            return true;
    return false;
}

int lane_busy(const struct lane *l)
{
    int n = 0;
    for (const struct row *r = l->first; r; r = r->next)
        n += r->busy;
    return n;
}

struct row *lane_next(const struct lane *l)
{
    struct row *first = NULL, *whisper = NULL;
    bool alone = l->alone || was_refused(l), urgent = false;
    for (struct row *r = l->first; r; r = r->next) {
        bool waits = r->busy || r->drawing;
        if (waits && (alone || !r->aside))
            return NULL;
        if (waits)
            continue;
        first = first ? first : r;
        if (r->whisper)
            whisper = whisper ? whisper : r;
        urgent |= r->urgent;
    }
    return urgent && l->slow ? whisper : first;
}

/* ---- finding ---- */

static uint64_t hash_of(int account, struct str key)
{
    return (str_hash(key) ^ (uint64_t)(unsigned)account) * 0x9e3779b97f4a7c15u;
}

static void grow_buckets(struct lanes *ls)
{
    size_t n = ls->n_buckets * 2;
    struct lane **bucket = calloc(n, sizeof *bucket);
    assert(bucket);
    for (size_t i = 0; i < ls->n_buckets; i++)
        for (struct lane *l = ls->bucket[i], *next; l; l = next) {
            next = l->same_hash;
            l->same_hash = bucket[l->hash >> 32 & (n - 1)];
            bucket[l->hash >> 32 & (n - 1)] = l;
        }
    free(ls->bucket);
    ls->bucket = bucket;
    ls->n_buckets = n;
}

struct lane *lanes_find(struct lanes *ls, int account, struct str key, bool answer, bool make)
{
    uint64_t hash = hash_of(account, key);
    for (struct lane *l = ls->bucket[hash >> 32 & (ls->n_buckets - 1)]; l; l = l->same_hash)
        if (l->hash == hash && l->account == account && str_is(lane_key(l), key))
            return l;
    if (!make)
        return NULL;
    if (ls->n >= ls->n_buckets)
        grow_buckets(ls);
    struct lane *l = calloc(1, sizeof *l + key.n);
    assert(l);
    l->account = account;
    l->answer = answer;
    l->end = &l->first;
    l->hash = hash;
    l->n_key = key.n;
    memcpy(l->key, key.p, key.n);
    struct lane **bucket = &ls->bucket[hash >> 32 & (ls->n_buckets - 1)];
    l->same_hash = *bucket;
    *bucket = l;
    ls->n++;
    return l;
}

static void forget(struct lanes *ls, struct lane *l)
{
    struct lane **link = &ls->bucket[l->hash >> 32 & (ls->n_buckets - 1)];
    while (*link != l)
        link = &(*link)->same_hash;
    *link = l->same_hash;
    ls->n--;
    lane_free(l);
}

/* ---- the heap of those that wait, soonest first ---- */

static void heap_set(struct lanes *ls, int at, struct lane *l)
{
    ls->heap[at] = l;
    l->heap_at = at;
}

static void heap_up(struct lanes *ls, int at, struct lane *l)
{
    for (; at > 0 && ls->heap[(at - 1) / 2]->until > l->until; at = (at - 1) / 2)
        heap_set(ls, at, ls->heap[(at - 1) / 2]);
    heap_set(ls, at, l);
}

static void heap_down(struct lanes *ls, int at, struct lane *l)
{
    for (int child; (child = at * 2 + 1) < ls->n_heap; at = child) {
        if (child + 1 < ls->n_heap && ls->heap[child + 1]->until < ls->heap[child]->until)
            child++;
        if (ls->heap[child]->until >= l->until)
            break;
        heap_set(ls, at, ls->heap[child]);
    }
    heap_set(ls, at, l);
}

static void heap_add(struct lanes *ls, struct lane *l)
{
    if (ls->n_heap == ls->cap_heap) {
        ls->cap_heap = ls->cap_heap ? ls->cap_heap * 2 : 64;
        ls->heap = realloc(ls->heap, (size_t)ls->cap_heap * sizeof *ls->heap);
        assert(ls->heap);
    }
    heap_up(ls, ls->n_heap++, l);
}

static void heap_remove(struct lanes *ls, struct lane *l)
{
    struct lane *last = ls->heap[--ls->n_heap];
    if (last == l)
        return;
    if (last->until < l->until)
        heap_up(ls, l->heap_at, last);
    else
        heap_down(ls, l->heap_at, last);
}

/* ---- who may go ---- */

static void make_ready(struct lanes *ls, struct lane *l)
{
    struct gate *g = &ls->gate[l->account];
    struct lane ***end = l->answer ? &g->answers_end : &g->ready_end;
    l->place = LANE_READY;
    l->next_ready = NULL;
    **end = l;
    *end = &l->next_ready;
    g->n_ready++;
}

void lane_place(struct lanes *ls, struct lane *l, int64_t now)
{
    if (l->place == LANE_READY)
        return;
    if (l->place == LANE_WAITING)
        heap_remove(ls, l);
    l->place = LANE_IDLE;
    if (l->first && !lane_next(l))
        return;
    if (l->not_before > now) {
        l->until = l->not_before;
        l->place = LANE_WAITING;
        heap_add(ls, l);
    } else if (l->first || l->spilled) {
        make_ready(ls, l);
    } else if (l->paced > now) {
        l->until = l->paced;
        l->place = LANE_WAITING;
        heap_add(ls, l);
    } else {
        forget(ls, l);
    }
}

void lanes_wake(struct lanes *ls, int64_t now)
{
    /* Whoever is placed has left the heap before it is freed. */
    /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
    while (ls->n_heap && ls->heap[0]->until <= now)
        lane_place(ls, ls->heap[0], now);
}

struct lane *lanes_next(struct lanes *ls, int account, bool answers)
{
    struct gate *g = &ls->gate[account];
    struct lane **first = answers ? &g->answers : &g->ready,
                ***end = answers ? &g->answers_end : &g->ready_end;
    struct lane *l = *first;
    if (!l)
        return NULL;
    *first = l->next_ready;
    if (!*first)
        *end = first;
    l->place = LANE_IDLE;
    g->n_ready--;
    return l;
}

int64_t pace_when(int64_t paced, int64_t interval, int burst)
{
    return paced - interval * (burst - 1);
}

int64_t pace_after(int64_t paced, int64_t interval, int64_t now)
{
    return (paced > now ? paced : now) + interval;
}
