/* See lane.h and row.h: rows, the windows that they count in, the order in which they go, and the
 * states of their lane. */
#include "lane.h"

#include "alloc.h"

enum {
    ANSWERS = 2,     /* a minute, into a chat that is busy */
    APART_MS = 2500, /* between two answers into a chat where no match speaks */
    STRICT_MS = 10 * 60 * 1000,
    STRICT_MOST_MS = 24 * 3600 * 1000
};

/* ---- one row ---- */

bool row_only_tidies(const struct outgoing *out)
{
    return out->kind == OUT_CLOSE || (out->kind == OUT_ERASE && out->aside);
}

struct row *row_make(struct str slot, struct str bytes, const struct outgoing *out)
{
    struct row *r = alloc_zeroed(sizeof *r + slot.n + bytes.n);
    r->kind = FLIGHT_ROW;
    r->state = ROW_STAGED;
    r->aside = out->aside || out->kind == OUT_CLOSE;
    r->closes = row_only_tidies(out);
    r->named = out->named;
    r->whisper = out->where == TO_WHISPER;
    r->erases = out->kind == OUT_ERASE;
    r->has_news = out->news.n > 0;
    r->has_learners = out->learners.n > 0;
    r->passed_on = out->passed_on;
    r->reports = out->reports;
    r->urgent = r->whisper && out->press.n > 0;
    r->match = out->match;
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
    free(r->others);
    free(r->picture);
    free(r->png);
    free(r);
}

void row_set(char **at, struct str s)
{
    free(*at);
    *at = s.n ? alloc_text(s) : NULL;
}

/* ---- windows: in which a row counts, and when they let it go ---- */

/* What one person sees counts by itself: hidden messages in a group, or what goes into a private
 * chat. */
static bool apart(const struct account_queue *q, bool alone, const struct row *r)
{
    return q->person.most > 0 && q->chat.most > 0 && (alone || r->whisper);
}

/* By which window of its lane a row waits. */
struct counted {
    struct rate rate;
    const struct window *window;
    bool answer; /* lane.answers too */
};

static struct counted counted_as(const struct account_queue *q, const struct lane *l,
                                 const struct row *r, int64_t now)
{
    bool strict = now < q->strict[l->alone].until, own = apart(q, l->alone, r);
    bool personal = own && !strict;
    return (struct counted){.rate = personal ? q->person : q->chat,
                            .window = l->alone ? &l->window
                                      : strict ? &l->all
                                      : own    ? &l->whispers
                                               : &l->window,
                            .answer = r->aside && !personal && q->chat.most > 3 * ANSWERS};
}

static struct rate answers_rate(struct rate chat)
{
    return (struct rate){ANSWERS, chat.span};
}

bool lane_folds(const struct lanes *ls, const struct lane *l, const struct row *r, int64_t now)
{
    if (l->answer || l->alone || r->closes)
        return false;
    struct counted c = counted_as(&ls->queue[l->account], l, r, now);
    struct rate third = {c.rate.most / 3, c.rate.span};
    return c.answer && window_next(c.window, third, 0, now) > now;
}

bool lane_is_board(const struct lane *l, const struct row *r)
{
    return r->n_slot > 0 && !r->named && !r->aside && !r->whisper && !l->alone;
}

bool lane_shares_boards(const struct lanes *ls, const struct lane *l, const struct row *r,
                        int64_t now)
{
    const struct board_sent *other = &l->board[l->board[0].slot == str_hash(row_slot(r)) ? 1 : 0];
    return other->slot != 0 && now - other->at < ls->queue[l->account].chat.span;
}

static int64_t later_of(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* True if something of a match waits in the lane, or a board went lately. */
static bool match_speaks(const struct lanes *ls, const struct lane *l, int64_t now)
{
    bool waits = l->board[0].slot != 0 && now - l->board[0].at < ls->queue[l->account].chat.span;
    for (const struct row *r = l->first; r && !waits; r = r->next)
        waits = !r->aside;
    return waits;
}

/* Where an account may say little, a board is edited only if two hands could still follow at once:
 * players wait for hands, and a newer board tells what this one had to. */
static int64_t edit_due_at(const struct account_queue *q, const struct row *r)
{
    enum { SLOW_MS = 1000, HANDS = 2 };
    bool slow = r->post && q->refill.interval >= SLOW_MS && q->refill.burst > HANDS;
    return slow ? bucket_next(&q->bucket, q->refill) + HANDS * q->refill.interval : 0;
}

/* The moment from which windows let the row go, after `ahead` others. */
static int64_t lane_due_at(const struct lanes *ls, const struct lane *l, const struct row *r,
                           int ahead, int64_t now)
{
    if (l->answer)
        return 0;
    struct counted c = counted_as(&ls->queue[l->account], l, r, now);
    if (r->closes) {
        /* what closes buttons leaves two thirds of the window to the match, and half of the
         * account's burst to all chats */
        const struct account_queue *q = &ls->queue[l->account];
        struct rate third = {(c.rate.most + 2) / 3, c.rate.span};
        int64_t half = bucket_half_left(&q->bucket, q->refill, now)
                           ? now
                           : q->bucket.due - q->refill.interval * (q->refill.burst / 2);
        return later_of(window_next(c.window, third, ahead, now), half);
    }
    int64_t due = window_next(c.window, c.rate, ahead, now);
    if (lane_is_board(l, r)) {
        int64_t last = l->board[0].at;
        due = later_of(due, window_even(c.window, c.rate, last, now));
        if (lane_shares_boards(ls, l, r, now) && c.rate.most > 0)
            due = later_of(due, last + c.rate.span / c.rate.most);
        due = later_of(due, edit_due_at(&ls->queue[l->account], r));
    }
    if (!c.answer)
        return due;
    struct rate third = {c.rate.most / 3, c.rate.span};
    if (!match_speaks(ls, l, now))
        return window_next(c.window, third, ahead, now) <= now
                   ? due
                   : later_of(due, l->answered + APART_MS);
    int64_t quiet = window_next(c.window, third, ahead, now),
            spare = window_next(&l->answers, answers_rate(c.rate), ahead, now),
            soonest = quiet < spare ? quiet : spare;
    return later_of(due, soonest);
}

int64_t lane_room_at(const struct lanes *ls, int account, const struct lane *l, bool alone,
                     const struct row *r, int ahead, int64_t now)
{
    struct lane none = {.account = account, .alone = alone};
    return lane_due_at(ls, l ? l : &none, r, ahead, now);
}

void lane_charge(struct lanes *ls, struct lane *l, const struct row *r, int64_t now)
{
    struct account_queue *q = &ls->queue[l->account];
    if (l->answer)
        return;
    bool own = apart(q, l->alone, r);
    if (lane_is_board(l, r)) {
        uint64_t slot = str_hash(row_slot(r));
        if (l->board[0].slot != slot)
            l->board[1] = l->board[0];
        l->board[0] = (struct board_sent){slot, now};
    }
    window_charge(own && !l->alone ? &l->whispers : &l->window, own ? q->person : q->chat, now);
    if (!l->alone && q->person.most > 0)
        window_charge(&l->all, q->chat, now);
    if (!r->closes && counted_as(q, l, r, now).answer) {
        l->answered = now;
        window_charge(&l->answers, answers_rate(q->chat), now);
    }
    bucket_charge(&q->bucket, q->refill, now);
}

void lane_learn(struct lanes *ls, const struct lane *l, const struct row *r, int64_t now)
{
    struct account_queue *q = &ls->queue[l->account];
    struct strictness *strict = &q->strict[l->alone];
    bool whispered = window_used(&l->whispers, q->person, now) > 0;
    if (l->answer || !(apart(q, l->alone, r) || whispered) || now < strict->until)
        return;
    bool long_ago = now - strict->until > STRICT_MOST_MS;
    strict->span = long_ago || strict->span == 0 ? STRICT_MS : strict->span * 2;
    if (strict->span > STRICT_MOST_MS)
        strict->span = STRICT_MOST_MS;
    strict->until = now + strict->span;
}

/* For a lane made soon after the start: some may have been sent before that nothing remembers. */
static void lane_half_fill(const struct lanes *ls, struct lane *l, int64_t now)
{
    const struct account_queue *q = &ls->queue[l->account];
    bool own = l->alone && q->person.most > 0 && q->chat.most > 0;
    struct rate rate = own ? q->person : q->chat;
    if (l->answer || now - ls->opened >= rate.span)
        return;
    /* a refusal may make this the window of a group */
    int half = (own && q->chat.most < rate.most ? q->chat.most : rate.most) / 2;
    for (int i = 0; i < half; i++) {
        window_charge(&l->window, rate, ls->opened);
        if (!l->alone && q->person.most > 0)
            window_charge(&l->all, rate, ls->opened);
    }
}

/* When the windows of a lane without rows are like new ones. */
static int64_t lane_idle_at(const struct lanes *ls, const struct lane *l)
{
    const struct account_queue *q = &ls->queue[l->account];
    return later_of(window_idle_at(&l->window, q->chat), window_idle_at(&l->whispers, q->person));
}

/* ---- all lanes ---- */

void lanes_open(struct lanes *ls, int n_accounts, int64_t now)
{
    *ls = (struct lanes){.n_buckets = 1024, .opened = now};
    ls->bucket = alloc_array(ls->n_buckets, sizeof(struct lane *));
    ls->queue = alloc_array((size_t)n_accounts + 1, sizeof *ls->queue);
    for (int i = 0; i < n_accounts; i++)
        for (int k = 0; k < N_READY; k++)
            ls->queue[i].ready[k].end = &ls->queue[i].ready[k].first;
}

static void lane_free(struct lane *l)
{
    for (struct row *r = l->first, *next; r; r = next) {
        next = r->next;
        row_free(r);
    }
    window_close(&l->window);
    window_close(&l->whispers);
    window_close(&l->answers);
    window_close(&l->all);
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
    free(ls->queue);
}

/* ---- rows ---- */

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
    if (l->n == 0 && l->order == ORDER_WHISPERS_FIRST)
        l->order = ORDER_PLAIN;
    ls->n_rows--;
}

void lane_leave(struct lane *l, bool marked)
{
    if (marked)
        l->unloaded = UNLOADED_ATTEMPTED;
    else if (!l->unloaded)
        l->unloaded = UNLOADED_SOME;
}

int lane_busy(const struct lane *l)
{
    int n = 0;
    for (const struct row *r = l->first; r; r = r->next)
        n += row_busy(r);
    return n;
}

/* ---- which row is next ---- */

/* True if a hidden picture that is being drawn holds up this row: a newer one of its slot, or an
 * erasure of the hand that it replaces. */
static bool waits_for_drawing(const struct lane *l, const struct row *r)
{
    for (const struct row *before = l->first; before != r; before = before->next)
        if (before->state == ROW_DRAWING &&
            ((r->erases && r->whisper) || str_is(row_slot(before), row_slot(r))))
            return true;
    return false;
}

/* True if r goes before a board that stands before it: its slot has waited longer. */
static bool waits_longer(const struct lane *l, const struct row *r, const struct row *board)
{
    if (r->n_slot == 0 || r->named || board->n_slot == 0 || board->named ||
        r->since >= board->since)
        return false;
    for (const struct row *before = l->first; before != r; before = before->next)
        if (str_is(row_slot(before), row_slot(r)))
            return false;
    return true;
}

/* True if the message that this row would close is still to be sent. */
static bool closes_unsent(const struct lane *l, const struct row *r)
{
    for (const struct row *before = l->first; r->closes && before != r; before = before->next)
        if (!before->closes && str_is(row_slot(before), row_slot(r)))
            return true;
    return false;
}

struct row *lane_next(const struct lanes *ls, const struct lane *l, int64_t now, int64_t *until)
{
    /* the first rows that none before them holds up; the last two are of either kind */
    struct row *whisper = NULL, *message = NULL, *aside = NULL, *closes = NULL;
    bool message_first = false, urgent = false, drawing = false;
    bool exclusive = l->order == ORDER_EXCLUSIVE;
    *until = INT64_MAX;
    for (const struct row *r = l->first; r; r = r->next)
        exclusive |= r->tries > 0; /* refused since a message arrived there: one at a time */
    for (struct row *r = l->first; r; r = r->next) {
        bool draws = r->state == ROW_DRAWING, waits = row_busy(r) || draws;
        if (waits && (exclusive || !(r->aside || (draws && r->whisper))))
            return NULL; /* it is under way, and holds up all others */
        drawing |= draws;
        if (waits || (drawing && waits_for_drawing(l, r)) || closes_unsent(l, r))
            continue;
        struct row **at = r->closes    ? &closes
                          : r->aside   ? &aside
                          : r->whisper ? &whisper
                                       : &message;
        message_first |= at == &message && !whisper;
        if (!*at || (at == &message && waits_longer(l, r, *at)))
            *at = r;
        urgent |= r->urgent;
    }
    bool whisper_first = !message_first || (urgent && l->order == ORDER_WHISPERS_FIRST);
    struct row *order[] = {whisper_first ? whisper : message, whisper_first ? message : whisper,
                           aside, closes};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        int64_t due = order[i] ? lane_due_at(ls, l, order[i], 0, now) : INT64_MAX;
        if (due <= now)
            return order[i];
        *until = due < *until ? due : *until;
    }
    return NULL;
}

/* ---- finding ---- */

static uint64_t hash_of(int account, struct str key)
{
    return (str_hash(key) ^ (uint64_t)(unsigned)account) * 0x9e3779b97f4a7c15u;
}

static void grow_buckets(struct lanes *ls)
{
    size_t n = ls->n_buckets * 2;
    struct lane **bucket = alloc_array(n, sizeof(struct lane *));
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

struct lane *lanes_find(const struct lanes *ls, int account, struct str key)
{
    uint64_t hash = hash_of(account, key);
    for (struct lane *l = ls->bucket[hash >> 32 & (ls->n_buckets - 1)]; l; l = l->same_hash)
        if (l->hash == hash && l->account == account && str_is(lane_key(l), key))
            return l;
    return NULL;
}

struct lane *lanes_make(struct lanes *ls, int account, struct str key, enum lane_kind kind,
                        int64_t now)
{
    struct lane *found = lanes_find(ls, account, key);
    if (found)
        return found;
    uint64_t hash = hash_of(account, key);
    if (ls->n >= ls->n_buckets)
        grow_buckets(ls);
    struct lane *l = alloc_zeroed(sizeof *l + key.n);
    l->account = account;
    l->answer = kind == LANE_OF_PRESS;
    l->alone = kind == LANE_OF_PERSON;
    lane_half_fill(ls, l, now);
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

/* ---- the heap of waiting lanes ---- */

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

/* ---- states ---- */

static void make_waiting(struct lanes *ls, struct lane *l, int64_t until)
{
    l->until = until;
    l->state = LANE_WAITING;
    if (ls->n_heap == ls->cap_heap) {
        ls->cap_heap = ls->cap_heap ? ls->cap_heap * 2 : 64;
        ls->heap = alloc_grow(ls->heap, (size_t)ls->cap_heap * sizeof(struct lane *));
    }
    heap_up(ls, ls->n_heap++, l);
}

static void make_ready(struct lanes *ls, struct lane *l, const struct row *next)
{
    struct account_queue *q = &ls->queue[l->account];
    bool at_once = l->answer || (next && next->counted);
    l->list = at_once               ? READY_ANSWERS
              : next && next->aside ? READY_ASIDE
              : l->alone            ? READY_PERSONS
                                    : READY_GROUPS;
    struct ready_list *list = &q->ready[l->list];
    l->state = LANE_READY;
    l->next_ready = NULL;
    l->link_ready = list->end;
    *list->end = l;
    list->end = &l->next_ready;
    q->n_ready++;
}

static void make_unready(struct lanes *ls, struct lane *l)
{
    struct account_queue *q = &ls->queue[l->account];
    *l->link_ready = l->next_ready;
    if (l->next_ready)
        l->next_ready->link_ready = l->link_ready;
    else
        q->ready[l->list].end = l->link_ready;
    l->state = LANE_IDLE;
    q->n_ready--;
}

void lane_schedule(struct lanes *ls, struct lane *l, int64_t now)
{
    int64_t until;
    if (l->state == LANE_READY && l->list != READY_ASIDE)
        return;
    if (l->state == LANE_READY)
        make_unready(ls, l); /* something more urgent may have come */
    if (l->state == LANE_WAITING)
        heap_remove(ls, l);
    l->state = LANE_IDLE;
    struct row *next = l->first ? lane_next(ls, l, now, &until) : NULL;
    if (l->first && !next && until == INT64_MAX)
        return;
    if (l->first && !next && l->order == ORDER_PLAIN)
        l->order = ORDER_WHISPERS_FIRST;
    if (l->not_before > now) {
        make_waiting(ls, l, l->not_before);
    } else if (l->first && !next) {
        make_waiting(ls, l, until);
    } else if (l->first || l->unloaded) {
        make_ready(ls, l, next);
    } else if (lane_idle_at(ls, l) > now) {
        make_waiting(ls, l, lane_idle_at(ls, l));
    } else if (!l->next_passing) { /* nothing is left to remember */
        struct lane **link = &ls->bucket[l->hash >> 32 & (ls->n_buckets - 1)];
        while (*link != l)
            link = &(*link)->same_hash;
        *link = l->same_hash;
        ls->n--;
        lane_free(l);
    }
}

void lanes_wake(struct lanes *ls, int64_t now)
{
    /* A lane leaves the heap before it is freed. */
    /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
    while (ls->n_heap && ls->heap[0]->until <= now)
        lane_schedule(ls, ls->heap[0], now);
}

struct lane *lanes_next(struct lanes *ls, int account, bool answers)
{
    struct account_queue *q = &ls->queue[account];
    enum { MOST_OVERTAKEN = 3 };
    bool group = q->ready[READY_GROUPS].first, person = q->ready[READY_PERSONS].first;
    bool person_first = person && !(group && q->overtaken >= MOST_OVERTAKEN);
    struct lane *l = q->ready[answers        ? READY_ANSWERS
                              : person_first ? READY_PERSONS
                              : group        ? READY_GROUPS
                                             : READY_ASIDE]
                         .first;
    if (!l)
        return NULL;
    if (!answers)
        q->overtaken = person_first && group ? q->overtaken + 1 : 0;
    make_unready(ls, l);
    return l;
}
