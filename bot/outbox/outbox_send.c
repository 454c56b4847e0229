/* The pump: rows whose lane, chat and account may send now become requests, and answers become
 * outcomes that wait to be settled. Until then the row is busy, and those behind it wait unless
 * they are said aside. */
#include "outbox_parts.h"

#include <assert.h>

#include "http.h"
#include "log.h"
#include "parcel.h"

/* A failure is mostly a matter of one moment, and somebody waits: after three in a row a message is
 * still out within two seconds. */
enum { BACK_OFF_MS = 250, BACK_OFF_MOST_MS = 60 * 1000 };

/* ---- outcomes ---- */

static struct settling *settle_later(struct outbox *o, struct row *r, enum outcome outcome)
{
    if (o->n_settling == o->cap_settling) {
        o->cap_settling = o->cap_settling ? o->cap_settling * 2 : 256;
        o->settling = realloc(o->settling, (size_t)o->cap_settling * sizeof *o->settling);
        o->dropped = realloc(o->dropped, (size_t)o->cap_settling * sizeof *o->dropped);
        assert(o->settling && o->dropped);
    }
    if (o->n_settling == 0)
        o->oldest = outbox_now(o);
    o->awaited |= outcome == ROW_MARK || (r->next && !r->next->busy);
    r->busy = true;
    struct settling *s = &o->settling[o->n_settling++];
    *s = (struct settling){.row = r, .outcome = outcome};
    return s;
}

static struct receipt keep(struct arena *a, const struct receipt *r)
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

static int64_t back_off(int64_t tries)
{
    int64_t ms = BACK_OFF_MS;
    while (tries-- > 0 && ms < BACK_OFF_MOST_MS)
        ms *= 2;
    return ms < BACK_OFF_MOST_MS ? ms : BACK_OFF_MOST_MS;
}

/* A clock of whole milliseconds may be almost one behind: one more is never too early. */
static int64_t wait_of(const struct row *r, const struct receipt *receipt,
                       const struct reply *reply)
{
    int64_t asked =
        receipt->wait_ms > reply->retry_after_ms ? receipt->wait_ms : reply->retry_after_ms;
    return asked > 0 ? asked + 1 : back_off(r->tries);
}

static void log_receipt(const struct outbox *o, const struct row *r, const char *event,
                        const struct receipt *receipt)
{
    char note[200];
    snprintf(note, sizeof note, "%.*s", (int)(receipt->note.n < 199 ? receipt->note.n : 199),
             receipt->note.n ? receipt->note.p : "");
    log_line(LOG_INFO, event, "account", account_of(o, r->lane)->adapter->name, "why", note, NULL);
}

static enum outcome outcome_of_never(const struct row *r, const struct outgoing *out,
                                     const struct receipt *receipt)
{
    switch (receipt->why) {
    case NEVER_GONE:
        if (!r->post)
            return ROW_NEVER;
        return out->replace_only || out->kind == OUT_ERASE ? ROW_DONE : ROW_AGAIN;
    case NEVER_MOVED:
        return receipt->chat.n && !str_is(receipt->chat, out->chat) ? ROW_MOVED : ROW_NEVER;
    case NEVER_LATE:
        return ROW_DONE;
    default:
        return ROW_NEVER;
    }
}

static void hold_back(int64_t *not_before, int64_t until)
{
    if (*not_before < until)
        *not_before = until;
}

static void take_receipt(struct outbox *o, struct row *r, const struct outgoing *out,
                         const struct receipt *receipt, const struct reply *reply)
{
    static const enum outcome outcomes[] = {
        [SENT] = ROW_DONE, [MORE] = ROW_MORE, [LATER] = ROW_LATER};
    enum outcome outcome =
        receipt->kind == NEVER ? outcome_of_never(r, out, receipt) : outcomes[receipt->kind];
    if (outcome == ROW_MOVED && lane_busy(r->lane) > 1) {
        outbox_let_go(o, r);
        r->lane->alone = true; /* all of its rows move at once: when none of them is under way */
        settle_later(o, r, ROW_LATER)->wait_until = outbox_now(o);
        return;
    }
    outbox_let_go(o, r);
    struct settling *s = settle_later(o, r, outcome);
    s->receipt = keep(o->settling_strings, receipt);
    s->answered = true;
    if (outcome == ROW_LATER) {
        r->unknown = r->unknown || reply->cut || reply->status >= 500;
        s->wait_until = outbox_now(o) + wait_of(r, receipt, reply);
        s->all_chats = receipt->all_chats;
        hold_back(&r->lane->not_before, s->wait_until);
        if (s->all_chats)
            hold_back(&o->lanes.gate[r->lane->account].not_before, s->wait_until);
        log_receipt(o, r, "send_later", receipt);
    } else if (receipt->kind == NEVER) {
        log_receipt(o, r, "send_never", receipt);
    }
}

/* ---- one row ---- */

/* The message as it flew: what its answer is understood by needs no database, and does not change
 * meanwhile. */
static bool as_it_flew(const struct row *r, struct arena *turn, struct outgoing *out,
                       struct err *err)
{
    if (!parcel_open(row_bytes(r), turn, out, err))
        return false;
    out->row = r->id;
    out->unknown = r->unknown;
    out->progress = str_of(r->progress);
    out->post = str_of(r->post);
    out->direct_chat = str_of(r->direct);
    out->picture_file = str_of(r->file);
    out->picture_bytes = (struct str){r->png, r->n_png};
    return true;
}

static void set_text(char **at, struct str s)
{
    free(*at);
    *at = s.n ? strndup(s.p, s.n) : NULL;
}

static bool find_post(struct outbox *o, struct row *r, struct arena *turn, struct outgoing *out,
                      struct err *err)
{
    if (row_slot(r).n == 0 || r->post)
        return true;
    if (!store_post(o->parts.store, turn, account_of(o, r->lane)->id, outbox_place(turn, out),
                    out->slot, &out->post, err))
        return false;
    set_text(&r->post, out->post);
    return true;
}

/* Fills in what the shell knows and the sayer does not. */
static bool complete(struct outbox *o, struct row *r, struct arena *turn, struct outgoing *out,
                     struct err *err)
{
    const struct account *a = account_of(o, r->lane);
    if (!as_it_flew(r, turn, out, err) || !find_post(o, r, turn, out, err))
        return false;
    if (out->where == TO_DIRECT) {
        struct person p;
        bool found = false;
        if (!store_person_by_network_id(o->parts.store, turn, a->id, out->to, &p, &found, err))
            return false;
        out->direct_chat = found && p.direct_chat.n ? p.direct_chat : out->chat;
    }
    set_text(&r->direct, out->direct_chat);
    return out->group_slot.n == 0 || store_post(o->parts.store, turn, a->id, out->group,
                                                out->group_slot, &out->group_post, err);
}

/* The pace is about what a network counts: what is done without a request, or is none of its
 * messages, costs nothing. */
static void charge(struct outbox *o, struct lane *l)
{
    int64_t interval, now = outbox_now(o);
    int burst;
    struct gate *g = &o->lanes.gate[l->account];
    if (!l->answer && outbox_chat_pace(account_of(o, l), &interval, &burst))
        l->paced = pace_after(l->paced, interval, now);
    if (!l->answer && outbox_account_pace(account_of(o, l), &interval, &burst))
        g->paced = pace_after(g->paced, interval, now);
}

static void fly(struct outbox *o, struct row *r, struct arena *turn, const struct outgoing *out)
{
    const struct account *a = account_of(o, r->lane);
    struct request request = {0};
    struct receipt receipt = {0};
    struct reply none = {.retry_after_ms = -1, .now = outbox_now(o)};
    a->adapter->send(a->state, turn, out, &request);
    if (request.kind == REQUEST_HTTP && !request.unpaced)
        charge(o, r->lane);
    if (request.kind == REQUEST_HTTP) {
        r->busy = true;
        o->lanes.gate[r->lane->account].in_flight++;
        http_start(o->parts.http, &request, &r->kind);
        return;
    }
    a->adapter->receipt(a->state, turn, out, &none, &receipt);
    take_receipt(o, r, out, &receipt, &none);
}

/* Nothing to be sent: the message to replace or erase does not stand, or its time is over. */
static bool worthless(const struct outbox *o, const struct row *r, const struct outgoing *out)
{
    return (out->expires && out->expires <= outbox_now(o)) ||
           ((out->replace_only || out->kind == OUT_ERASE) && out->slot.n && !r->post);
}

static bool send_first(struct outbox *o, struct lane *l, struct arena *turn, struct err *err)
{
    struct row *r = lane_next(l);
    struct outgoing out;
    bool wait = false;
    if (!complete(o, r, turn, &out, err))
        return false;
    if (worthless(o, r, &out)) {
        settle_later(o, r, ROW_DONE);
    } else if (!r->flown) {
        settle_later(o, r, ROW_MARK);
    } else if (!outbox_picture(o, r, turn, &out, &wait, err)) {
        return false;
    } else if (!wait) {
        set_text(&r->file, out.picture_file);
        fly(o, r, turn, &out);
    }
    return true;
}

/* ---- all of them ---- */

static bool gate_open(const struct outbox *o, int account, bool answers, int64_t now)
{
    const struct gate *g = &o->lanes.gate[account];
    const struct account *a = &o->parts.accounts[account];
    int64_t interval;
    int burst;
    if (g->not_before > now || (a->limits.in_flight > 0 && g->in_flight >= a->limits.in_flight))
        return false;
    return answers || !outbox_account_pace(a, &interval, &burst) ||
           pace_when(g->paced, interval, burst) <= now;
}

/* The lane was ready; true if its first row may go as far as its chat is concerned. */
static bool lane_open(struct outbox *o, struct lane *l, struct arena *turn, int64_t now)
{
    struct err err;
    int64_t interval;
    int burst;
    if (!l->first && l->spilled && !outbox_load_lane(o, l, turn, &err)) {
        log_line(LOG_ERROR, "outbox_load_failed", "why", err.text, NULL);
        l->not_before = now + BACK_OFF_MS;
    } else if (!l->answer && outbox_chat_pace(account_of(o, l), &interval, &burst) &&
               pace_when(l->paced, interval, burst) > now) {
        l->not_before = pace_when(l->paced, interval, burst);
        l->slow = true;
    }
    return lane_next(l) && l->not_before <= now;
}

static void pump_account(struct outbox *o, struct arena *turn, int account, bool answers)
{
    int64_t now = outbox_now(o);
    for (struct lane *l;
         gate_open(o, account, answers, now) && (l = lanes_next(&o->lanes, account, answers));) {
        struct err err;
        if (lane_open(o, l, turn, now) && !send_first(o, l, turn, &err)) {
            log_line(LOG_ERROR, "send_failed", "account", account_of(o, l)->adapter->name, "why",
                     err.text, NULL);
            l->not_before = now + BACK_OFF_MS;
        }
        lane_place(&o->lanes, l, now);
    }
}

/* Many rows look up where their messages stand: in one transaction, which changes nothing, the
 * database is locked for them once. False: they do it one by one. */
static bool read_together(struct outbox *o)
{
    enum { MANY = 8 };
    struct err err;
    int ready = 0;
    for (int i = 0; i < o->parts.n_accounts; i++)
        ready += o->lanes.gate[i].n_ready;
    if (ready < MANY)
        return false;
    bool begun = store_begin(o->parts.store, &err);
    if (!begun)
        store_rollback(o->parts.store);
    return begun;
}

void outbox_pump(struct outbox *o, struct arena *turn)
{
    struct err err;
    outbox_stop_waiting(o);
    lanes_wake(&o->lanes, outbox_now(o));
    if (o->backlog && o->lanes.n_rows < ALL_ROWS / 2 && !outbox_load_backlog(o, turn, &err))
        log_line(LOG_ERROR, "outbox_load_failed", "why", err.text, NULL);
    bool together = read_together(o);
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
    o->lanes.gate[r->lane->account].in_flight--;
    if (as_it_flew(r, turn, &out, &err))
        a->adapter->receipt(a->state, turn, &out, reply, &receipt);
    else
        receipt.note = str_of(err.text);
    if (reply->status == 0 && receipt.kind == LATER && receipt.note.n == 0)
        receipt.note = reply->cut ? STR("the answer was lost") : STR("no connection");
    take_receipt(o, r, &out, &receipt, reply);
}

int64_t outbox_next(const struct outbox *o)
{
    int64_t next = o->lanes.n_heap ? o->lanes.heap[0]->until : INT64_MAX, now = outbox_now(o), at;
    for (int i = 0; i < o->parts.n_accounts; i++) {
        const struct gate *g = &o->lanes.gate[i];
        const struct account *a = &o->parts.accounts[i];
        int64_t interval;
        int burst;
        if (g->n_ready == 0 || (a->limits.in_flight > 0 && g->in_flight >= a->limits.in_flight))
            continue;
        at = g->not_before;
        if (!g->answers && outbox_account_pace(a, &interval, &burst) &&
            pace_when(g->paced, interval, burst) > at)
            at = pace_when(g->paced, interval, burst);
        next = at < next ? at : next;
    }
    at = outbox_picture_next(o);
    next = at < next ? at : next;
    if (outbox_wants_settling(o))
        next = now;
    else if (o->n_settling && o->oldest + SETTLE_MS < next)
        next = o->oldest + SETTLE_MS;
    return next < now ? now : next;
}
