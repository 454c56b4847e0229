/* The pump: rows whose lane and account may send now become requests, and answers become outcomes,
 * which wait to be settled. Until then later rows of the lane wait, unless the row is `aside`. */
#include "outbox_internal.h"

#include "http.h"
#include "outgoing.h"

/* Most failures last for a moment, and players wait: after three in a row a message is still out
 * within two seconds. */
enum { BACK_OFF_MS = 250, BACK_OFF_MOST_MS = 60 * 1000 };
/* "is writing" is shown for about five seconds, and is said again while the answer still waits. */
enum { TYPING_MS = 4500 };

/* ---- outcomes ---- */

static struct receipt copy_receipt(struct arena *a, const struct receipt *r)
{
    struct receipt k = *r;
    k.post = arena_str(a, r->post);
    k.direct_chat = arena_str(a, r->direct_chat);
    k.picture_file = arena_str(a, r->picture_file);
    k.progress = arena_str(a, r->progress);
    k.chat = arena_str(a, r->chat);
    k.note = arena_str(a, r->note);
    return k;
}

static enum row_outcome outcome_of_never(const struct row *r, const struct outgoing *out,
                                         const struct receipt *receipt)
{
    switch (receipt->why) {
    case NEVER_GONE:
        return r->post ? OUTCOME_AGAIN : OUTCOME_NEVER;
    case NEVER_MOVED:
        return receipt->chat.n && !str_is(receipt->chat, out->chat) ? OUTCOME_MOVED : OUTCOME_NEVER;
    case NEVER_LATE:
        return OUTCOME_DONE;
    default:
        return out->kind == OUT_CLOSE ? OUTCOME_DONE : OUTCOME_NEVER;
    }
}

static void wait_until(int64_t *not_before, int64_t until)
{
    if (*not_before < until)
        *not_before = until;
}

/* True if what the announcement is for is still to come, and not at once. */
static bool still_writing(const struct outbox *o, const struct row *r, const struct outgoing *out)
{
    struct outgoing answer = *out;
    answer.kind = OUT_POST;
    struct str key = outbox_lane_key(o->settling_strings, &answer);
    const struct lane *l = lanes_find(&o->lanes, r->lane->account, key);
    return l && l->first && out->expires > outbox_wall(o) + TYPING_MS;
}

/* The next step goes at once: a crash repeats this one, too. */
static void go_on(struct outbox *o, struct row *r, struct str progress)
{
    row_set(&r->progress, progress);
    r->maybe_sent = false;
    r->state = ROW_MARKED;
    outbox_log(o, r, LOG_DEBUG, "sent_in_part", STR(""));
    lane_schedule(&o->lanes, r->lane, outbox_now(o));
}

/* Returns what is to be settled; NULL if nothing is. */
static struct settling *take_receipt(struct outbox *o, struct row *r, const struct outgoing *out,
                                     const struct receipt *receipt, const struct reply *reply)
{
    static const enum row_outcome outcomes[] = {
        [SENT] = OUTCOME_DONE, [MORE] = OUTCOME_MORE, [LATER] = OUTCOME_LATER};
    static const char *const events[] = {
        [SENT] = "sent", [MORE] = "sent_in_part", [LATER] = "send_later", [NEVER] = "send_never"};
    struct outbox_counts *c = &o->counts[r->lane->account];
    int64_t *const of_kind[] = {
        [SENT] = &c->sent, [MORE] = &c->in_part, [LATER] = &c->later, [NEVER] = &c->never};
    enum row_outcome outcome =
        receipt->kind == NEVER ? outcome_of_never(r, out, receipt) : outcomes[receipt->kind];
    if (outcome != OUTCOME_MORE || receipt->picture_file.n > 0)
        outbox_drop_picture(o, r);
    if (outcome == OUTCOME_MORE && receipt->post.n > 0)
        r->told = r->counted = true;
    ++*of_kind[receipt->kind];
    c->limited += receipt->kind == LATER && reply->status == 429;
    if (outcome == OUTCOME_MORE && receipt->repeats) {
        go_on(o, r, receipt->progress);
        return NULL;
    }
    if (receipt->kind == SENT && r->heard && !r->closes && !r->erases)
        histogram_add(&c->delay, outbox_now(o) - r->heard); /* what only tidies up is no answer */
    if (outcome == OUTCOME_MOVED && lane_busy(r->lane) > 1) {
        r->lane->order = ORDER_EXCLUSIVE; /* its rows move together: once none is in flight */
        struct settling *later = outbox_settle_later(o, r, OUTCOME_LATER);
        later->wait_until = outbox_now(o);
        return later;
    }
    if (outcome == OUTCOME_DONE && out->kind == OUT_TYPING && still_writing(o, r, out)) {
        struct settling *again = outbox_settle_later(o, r, OUTCOME_LATER);
        again->wait_until = outbox_now(o) + TYPING_MS;
        return again;
    }
    struct settling *s = outbox_settle_later(o, r, outcome);
    s->receipt = copy_receipt(o->settling_strings, receipt);
    s->answered = true;
    if (outcome == OUTCOME_LATER) {
        /* a 2xx is an answer that could not be read */
        r->maybe_sent |= reply->cut || reply->status / 100 == 2 || reply->status >= 500;
        int64_t wait =
            receipt->wait_ms > reply->retry_after_ms ? receipt->wait_ms : reply->retry_after_ms;
        s->asked = wait > 0;
        if (s->asked) {
            /* a clock of whole milliseconds may be almost one behind: it is never too early */
            wait = wait < ASKED_MOST_MS ? wait + 1 : ASKED_MOST_MS;
            outbox_log_pause(o, r, receipt->all_chats, wait);
        } else {
            wait = clock_doubled(BACK_OFF_MS, r->tries, BACK_OFF_MOST_MS);
        }
        s->wait_until = outbox_now(o) + wait;
        wait_until(&r->lane->not_before, s->wait_until);
        if (r->urgent && s->asked && wait > PRESS_MS) {
            s->outcome = OUTCOME_NEVER;
            s->receipt.kind = NEVER;
            s->receipt.why = NEVER_UNREACHABLE;
        }
        if (receipt->limited)
            lane_learn(&o->lanes, r->lane, r, outbox_now(o));
        if (receipt->all_chats)
            wait_until(&o->lanes.queue[r->lane->account].not_before, s->wait_until);
    }
    const char *event = events[receipt->kind];
    if (receipt->kind == SENT && (r->tries > 0 || r->maybe_sent))
        event = "sent_again";
    bool refused = receipt->kind == LATER || receipt->kind == NEVER;
    outbox_log(o, r, refused ? LOG_INFO : LOG_DEBUG, event, refused ? receipt->note : STR(""));
    outbox_fail_whispers(o, r->lane);
    return s;
}

/* ---- one row ---- */

/* The message as it was sent, so that its receipt needs no database and sees no later change. */
static bool as_it_was_sent(const struct row *r, struct arena *turn, struct outgoing *out,
                           struct err *err)
{
    if (!outgoing_decode(row_bytes(r), turn, out, err))
        return false;
    out->row = r->id;
    out->maybe_sent = r->maybe_sent;
    out->progress = str_of(r->progress);
    out->post = str_of(r->post);
    out->direct_chat = str_of(r->direct);
    out->picture_file = str_of(r->file);
    out->picture_bytes = (struct str){r->png, r->n_png};
    return true;
}

/* Fills in the fields that the outbox sets. */
static bool complete(struct outbox *o, struct row *r, struct arena *turn, struct outgoing *out,
                     struct err *err)
{
    struct store *store = o->parts.store;
    int64_t account = account_of(o, r->lane)->id;
    if (!as_it_was_sent(r, turn, out, err))
        return false;
    if (r->n_slot > 0 && !r->named && (!r->aside || r->closes) && !r->post) {
        out->post = store_post(store, turn, account, outbox_post_key(turn, out), out->slot);
        row_set(&r->post, out->post);
    }
    if (out->where == TO_DIRECT) {
        const struct person *p = store_person_by_network_id(store, turn, account, out->to);
        out->direct_chat = p && p->direct_chat.n ? p->direct_chat : out->chat;
    }
    row_set(&r->direct, out->direct_chat);
    if (out->group_slot.n)
        out->group_post = store_post(store, turn, account, out->group, out->group_slot);
    return !store_take_failure(store, err);
}

static void send_row(struct outbox *o, struct row *r, struct arena *turn,
                     const struct outgoing *out)
{
    const struct account *a = account_of(o, r->lane);
    struct request request = {0};
    struct receipt receipt = {0};
    struct reply none = {.retry_after_ms = -1, .now = outbox_wall(o)};
    struct outgoing sent = *out;
    if (out->where != TO_CHAT) /* it names a message of the group, for the line said aloud there */
        sent.reply_to = (struct str){0};
    a->adapter->send(a->state, turn, &sent, &request);
    if (request.kind == REQUEST_HTTP) {
        if (!r->counted) /* or another row goes between a question ahead of it and the row */
            lane_charge(&o->lanes, r->lane, r, outbox_now(o));
        r->counted = request.unpaced || r->told;
        r->state = ROW_IN_FLIGHT;
        o->lanes.queue[r->lane->account].in_flight++;
        http_start(o->parts.http, &request, &r->kind);
        return;
    }
    a->adapter->receipt(a->state, turn, out, &none, &receipt);
    struct settling *s = take_receipt(o, r, out, &receipt, &none);
    if (s && request.kind == REQUEST_KEEP) {
        struct arena *kept = o->settling_strings;
        s->letter = (struct letter_to){arena_str(kept, request.letter.chat),
                                       arena_str(kept, request.letter.reader),
                                       arena_str(kept, request.letter.slot)};
        s->said = arena_str(kept, request.body);
    }
    outbox_unfold(o, r, receipt.kind == SENT);
}

/* True if it may only change a message, and there is none that can become it. */
static bool has_nothing_to_change(const struct row *r, const struct account *a,
                                  const struct outgoing *out)
{
    bool needs_post = out->replace_only || out->kind == OUT_ERASE || out->kind == OUT_CLOSE;
    if (!needs_post || out->slot.n == 0)
        return false;
    return !r->post || (out->kind == OUT_POST && !r->progress && a->adapter->edits &&
                        !a->adapter->edits(a->state, out));
}

static bool send_first(struct outbox *o, struct row *r, struct arena *turn, struct err *err)
{
    struct outgoing out;
    bool wait = false;
    if (!complete(o, r, turn, &out, err))
        return false;
    /* what it edits is known now */
    struct lane *l = r->lane;
    int64_t now = outbox_now(o);
    if (r->post && lane_room_at(&o->lanes, l->account, l, l->alone, r, 0, now) > now)
        return true;
    bool expired = out.expires && out.expires <= outbox_wall(o);
    if (expired || has_nothing_to_change(r, account_of(o, l), &out)) {
        outbox_settle_later(o, r, OUTCOME_DONE);
    } else if (r->state == ROW_PENDING) {
        outbox_settle_later(o, r, OUTCOME_MARK);
    } else if (!outbox_picture(o, r, turn, &out, &wait, err)) {
        return false;
    } else if (!wait) {
        row_set(&r->file, out.picture_file);
        outbox_add_waiting_news(o, r, turn, &out);
        outbox_fold(o, r, turn, &out);
        send_row(o, r, turn, &out);
    }
    return true;
}

/* ---- all of them ---- */

static bool account_open(const struct outbox *o, int account, bool answers, int64_t now)
{
    const struct account_queue *q = &o->lanes.queue[account];
    const struct limits *limits = &o->parts.accounts[account].limits;
    if (q->not_before > now || (limits->in_flight > 0 && q->in_flight >= limits->in_flight))
        return false;
    return answers || bucket_next(&q->bucket, q->refill) <= now;
}

static void pump_account(struct outbox *o, struct arena *turn, int account, bool answers)
{
    int64_t now = outbox_now(o);
    for (struct lane *l;
         account_open(o, account, answers, now) && (l = lanes_next(&o->lanes, account, answers));) {
        struct err err;
        int64_t until;
        if (!l->first && l->unloaded)
            outbox_load_lane(o, l, turn);
        if (store_take_failure(o->parts.store, &err)) {
            log_line(LOG_ERROR, "outbox_load_failed", "why", err.text, NULL);
            l->not_before = now + BACK_OFF_MS;
        }
        struct row *r = lane_next(&o->lanes, l, now, &until);
        if (r && l->not_before <= now && !send_first(o, r, turn, &err)) {
            log_line(LOG_ERROR, "send_failed", "account", account_of(o, l)->name.p, "why", err.text,
                     NULL);
            l->not_before = now + BACK_OFF_MS;
        }
        lane_schedule(&o->lanes, l, now);
    }
}

void outbox_pump(struct outbox *o, struct arena *turn)
{
    enum { MANY = 8 };
    struct err err;
    outbox_stop_waiting(o);
    lanes_wake(&o->lanes, outbox_now(o));
    if (o->backlog && o->lanes.n_rows < ALL_ROWS / 2)
        outbox_load_backlog(o, turn);
    if (store_take_failure(o->parts.store, &err))
        log_line(LOG_ERROR, "outbox_load_failed", "why", err.text, NULL);
    /* Many rows look up their posts under one lock of a file, in a transaction that changes
     * nothing; if it does not begin, one by one. */
    int ready = 0;
    for (int i = 0; i < o->parts.n_accounts; i++)
        ready += o->lanes.queue[i].n_ready;
    bool together = ready >= MANY && !store_on_server(o->parts.store);
    if (together)
        store_begin(o->parts.store);
    if (together && store_failed(o->parts.store)) {
        store_rollback(o->parts.store);
        together = false;
    }
    for (int i = 0; i < o->parts.n_accounts; i++) {
        pump_account(o, turn, i, true);
        pump_account(o, turn, i, false);
    }
    if (together)
        store_rollback(o->parts.store);
}

void outbox_reply(struct outbox *o, struct arena *turn, enum flight *kind,
                  const struct reply *reply)
{
    struct row *r = (struct row *)kind;
    const struct account *a = account_of(o, r->lane);
    struct outgoing out;
    struct receipt receipt = {.kind = LATER};
    struct err err;
    o->lanes.queue[r->lane->account].in_flight--;
    if (as_it_was_sent(r, turn, &out, &err))
        a->adapter->receipt(a->state, turn, &out, reply, &receipt);
    else
        receipt.note = str_of(err.text);
    if (receipt.kind == LATER && receipt.note.n == 0)
        receipt.note = reply->status      ? arena_print(turn, "status %d", reply->status)
                       : reply->why.n > 0 ? reply->why
                       : reply->cut       ? STR("the answer was lost")
                                          : STR("no connection");
    take_receipt(o, r, &out, &receipt, reply);
    outbox_unfold(o, r, receipt.kind == SENT);
}

int64_t outbox_next(const struct outbox *o)
{
    int64_t next = o->lanes.n_heap ? o->lanes.heap[0]->until : INT64_MAX, now = outbox_now(o), at;
    for (int i = 0; i < o->parts.n_accounts; i++) {
        const struct account_queue *q = &o->lanes.queue[i];
        const struct limits *limits = &o->parts.accounts[i].limits;
        if (q->n_ready == 0 || (limits->in_flight > 0 && q->in_flight >= limits->in_flight))
            continue;
        at = bucket_next(&q->bucket, q->refill);
        if (q->ready[READY_ANSWERS].first || q->not_before > at)
            at = q->not_before;
        next = at < next ? at : next;
    }
    at = outbox_picture_next(o);
    next = at < next ? at : next;
    if (outbox_wants_settling(o))
        next = now;
    else if (o->n_settling && o->oldest + o->settle_ms < next)
        next = o->oldest + o->settle_ms;
    return next < now ? now : next;
}
