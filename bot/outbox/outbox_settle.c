/* Settling: outcomes are written to the database, in the transaction of the next updates or after
 * 5 ms in one of its own. A message that can never arrive comes back as an event. Memory changes
 * when the transaction is durable. */
#include "outbox_internal.h"

#include "outgoing.h"

/* ---- inside the transaction ---- */

static bool decode(struct outbox *o, const struct row *r, struct arena *turn, struct outgoing *ret)
{
    struct err err;
    bool good = outgoing_decode(row_bytes(r), turn, ret, &err);
    if (!good)
        store_fail(o->parts.store, "%s", err.text);
    return good;
}

/* Stores what a receipt tells: the post of the slot, a private chat, the network's id of a
 * picture. */
static void store_receipt(struct outbox *o, const struct settling *s, struct arena *turn)
{
    struct store *store = o->parts.store;
    int64_t account = account_of(o, s->row->lane)->id;
    const struct receipt *r = &s->receipt;
    struct outgoing out;
    bool slot = s->row->n_slot > 0 && (!s->row->aside || s->row->closes),
         direct = r->direct_chat.n > 0;
    bool picture = s->row->picture && (r->picture_file.n > 0 || r->picture_refused);
    if ((!slot && !direct && !picture) || !decode(o, s->row, turn, &out))
        return;
    if (picture)
        store_set_picture_file(store, account, str_of(s->row->picture), r->picture_file,
                               outbox_wall(o));
    if (direct && out.where == TO_DIRECT) {
        const struct person *p = store_person_by_network_id(store, turn, account, out.to);
        if (p && (!p->reachable || !str_is(p->direct_chat, r->direct_chat)))
            store_set_direct(store, p, r->direct_chat, true);
    }
    bool gone = r->kind == NEVER && s->row->closes;
    bool told = r->kind == SENT || (r->kind == MORE && r->post.n > 0);
    if (!slot || (!told && !gone))
        return;
    bool taken_away = out.kind == OUT_ERASE || out.kind == OUT_CLOSE;
    if (taken_away || (r->post.n > 0 && !str_is(r->post, str_of(s->row->post))))
        store_set_post(store, account, outbox_post_key(turn, &out), out.slot,
                       taken_away ? STR("") : r->post);
}

static void hold_row(struct outbox *o, const struct settling *s, bool attempted)
{
    struct out_row row = {.id = s->row->id,
                          .account = account_of(o, s->row->lane)->id,
                          .attempted = attempted,
                          .not_before = s->asked ? outbox_wall_of(o, s->wait_until) : 0,
                          .tries = s->row->tries,
                          .progress = str_of(s->row->progress)};
    if (s->outcome == OUTCOME_MORE)
        row.progress = s->receipt.progress;
    if (s->outcome == OUTCOME_LATER)
        row.tries++;
    store_hold(o->parts.store, &row);
}

/* A failure of the event alone is rolled back and logged; the row is dropped all the same. */
static void report_back(struct outbox *o, outbox_report *report, void *arg,
                        const struct settling *s, struct arena *turn)
{
    struct store *store = o->parts.store;
    struct outgoing out;
    int mark = outbox_savepoint(o), jobs = work_savepoint(o->parts.work);
    if (!decode(o, s->row, turn, &out))
        return;
    if (s->receipt.kind == SENT && (out.where != TO_CHAT || s->row->post))
        return; /* an edit: a chat may take those and no new message */
    store_savepoint(store);
    if (!store_failed(store) && s->receipt.kind == NEVER && !s->row->passed_on)
        outbox_pass_on(o, account_of(o, s->row->lane), &out);
    if (!store_failed(store))
        report(arg, account_of(o, s->row->lane), &out, &s->receipt);
    if (!store_failed(store)) {
        store_release(store);
    } else if (!store_broken(store)) {
        log_line(LOG_ERROR, "poison", "kind", "undeliverable", "why", store_failure(store), NULL);
        outbox_rollback(o, mark);
        work_rollback(o->parts.work, jobs);
        store_rollback_to(store);
    }
}

/* Every row of the lane, in memory or not, is pushed again under the chat's new key, but for a
 * whisper in answer to a press: a press gives the right to whisper in its own chat alone, and the
 * refusal would look like a closed private chat. The player can press again. */
static void move_rows(struct outbox *o, const struct settling *s, struct arena *turn)
{
    struct store *store = o->parts.store;
    int64_t account = account_of(o, s->row->lane)->id, after = 0;
    struct out_rows page = {.n = LANE_ROWS};
    while (page.n == LANE_ROWS) {
        page = store_outbox(store, turn, account, lane_key(s->row->lane), after, LANE_ROWS);
        for (int i = 0; i < page.n; i++) {
            struct out_row row = page.at[i];
            struct outgoing out;
            struct err err;
            struct buf encoded = {o->scratch, 0, OUTGOING_MOST, false};
            after = row.id;
            bool good = outgoing_decode(row.bytes, turn, &out, &err);
            out.chat = row.lane = s->receipt.chat;
            if (!good || !outgoing_encode(&out, &encoded, &err)) {
                store_fail(store, "%s", err.text);
                return;
            }
            row.bytes = buf_str(&encoded);
            row.attempted = false;
            if (out.where != TO_WHISPER || out.press.n == 0)
                store_push(store, &row);
            store_drop(store, account, after, after);
        }
    }
}

static void put_letter(struct outbox *o, int64_t account, const struct settling *s)
{
    const struct letter letter = {.account = account,
                                  .chat = s->letter.chat,
                                  .reader = s->letter.reader,
                                  .slot = s->letter.slot,
                                  .said = s->said,
                                  .at = outbox_wall(o)};
    (void)store_put_letter(o->parts.store, &letter);
    if (o->kept.n < OUTBOX_KEPT)
        o->kept.chat[o->kept.n++] = str_hash(letter.chat);
    else
        o->kept.all = true;
}

static void settle_one(struct outbox *o, outbox_report *report, void *arg, const struct settling *s,
                       struct arena *turn)
{
    int64_t account = account_of(o, s->row->lane)->id;
    struct outgoing out;
    switch (s->outcome) {
    case OUTCOME_DONE:
        if (s->answered)
            store_receipt(o, s, turn);
        if (s->said.n > 0)
            put_letter(o, account, s);
        if (s->answered && s->row->reports)
            report_back(o, report, arg, s, turn);
        break;
    case OUTCOME_MORE:
        hold_row(o, s, true);
        store_receipt(o, s, turn);
        break;
    case OUTCOME_LATER:
        hold_row(o, s, s->row->maybe_sent);
        break;
    case OUTCOME_MARK:
        hold_row(o, s, true);
        break;
    case OUTCOME_AGAIN:
        if (decode(o, s->row, turn, &out))
            store_set_post(o->parts.store, account, outbox_post_key(turn, &out), out.slot, STR(""));
        break;
    case OUTCOME_MOVED:
        store_move_chat(o->parts.store, account, lane_key(s->row->lane), s->receipt.chat);
        move_rows(o, s, turn);
        break;
    case OUTCOME_NEVER:
        report_back(o, report, arg, s, turn);
        break;
    }
}

static int by_id(const void *a, const void *b)
{
    int64_t x = (*(struct row *const *)a)->id, y = (*(struct row *const *)b)->id;
    return (x > y) - (x < y);
}

/* Rows pushed together are mostly settled together: consecutive ids are deleted in one statement for
 * each account that has some of them. */
static void drop_run(struct outbox *o, struct row *const *run, int n)
{
    uint64_t done = 0; /* accounts */
    for (int i = 0; i < n; i++) {
        const uint64_t account = UINT64_C(1) << run[i]->lane->account;
        if (!(done & account))
            store_drop(o->parts.store, account_of(o, run[i]->lane)->id, run[i]->id, run[n - 1]->id);
        done |= account;
    }
}

static void drop_rows(struct outbox *o)
{
    int n = 0;
    for (int i = 0; i < o->n_settling; i++)
        if (o->settling[i].outcome == OUTCOME_DONE || o->settling[i].outcome == OUTCOME_NEVER)
            o->dropped[n++] = o->settling[i].row;
    if (n > 1)
        qsort(o->dropped, (size_t)n, sizeof *o->dropped, by_id);
    for (int i = 0, j; i < n; i = j) {
        for (j = i + 1; j < n && o->dropped[j]->id == o->dropped[j - 1]->id + 1; j++)
            ;
        drop_run(o, o->dropped + i, j - i);
    }
}

void outbox_settle(struct outbox *o, outbox_report *report, void *arg, struct arena *turn)
{
    drop_rows(o);
    for (int i = 0; i < o->n_settling && !store_failed(o->parts.store); i++)
        settle_one(o, report, arg, &o->settling[i], turn);
    outbox_pass_some(o, turn);
    o->settled = o->n_settling > 0;
}

/* ---- when it is durable ---- */

/* The database has the rows under the new key: they are loaded from there. */
static void move_lane(struct outbox *o, struct lane *l, struct str key, int64_t now)
{
    enum lane_kind kind = outbox_lane_kind(o, l->account, key, false);
    struct lane *to = lanes_make(&o->lanes, l->account, key, kind, now);
    while (l->first) {
        struct row *r = l->first;
        lane_remove(&o->lanes, l, r);
        int kept = 0; /* it is freed before the end of its transaction */
        for (int i = 0; i < o->n_replaced; i++)
            if (o->replaced[i] != r)
                o->replaced[kept++] = o->replaced[i];
        o->n_replaced = kept;
        outbox_drop_picture(o, r);
        row_free(r);
    }
    l->unloaded = UNLOADED_NONE;
    lane_leave(to, false);
    lane_schedule(&o->lanes, to, now);
}

/* True if the refusal is that of the chat, not of this message. */
static bool is_shut(const struct settling *s)
{
    return s->outcome == OUTCOME_NEVER && s->receipt.why == NEVER_UNREACHABLE && !s->row->whisper &&
           !s->row->lane->alone;
}

void outbox_commit_settled(struct outbox *o)
{
    int64_t now = outbox_now(o);
    if (!o->settled)
        return;
    for (int i = 0; i < o->n_settling; i++) {
        const struct settling *s = &o->settling[i];
        struct row *r = s->row;
        struct lane *l = r->lane;
        bool shut = false;
        switch (s->outcome) {
        case OUTCOME_DONE:
        case OUTCOME_NEVER:
            lane_remove(&o->lanes, l, r);
            shut = is_shut(s);
            outbox_drop_picture(o, r);
            row_free(r);
            break;
        case OUTCOME_MORE:
            row_set(&r->progress, s->receipt.progress);
            r->maybe_sent = false;
            r->state = ROW_MARKED;
            break;
        case OUTCOME_LATER:
            r->state = r->maybe_sent ? ROW_MARKED : ROW_PENDING;
            r->tries++;
            l->not_before = l->not_before > s->wait_until ? l->not_before : s->wait_until;
            break;
        case OUTCOME_MARK:
            r->state = ROW_MARKED;
            break;
        case OUTCOME_AGAIN:
            row_set(&r->post, STR(""));
            r->maybe_sent = false;
            r->state = ROW_MARKED;
            break;
        case OUTCOME_MOVED:
            move_lane(o, l, s->receipt.chat, now);
            break;
        }
        if (shut || outbox_holds(o, l))
            outbox_pass_lane(o, l);
        lane_schedule(&o->lanes, l, now);
    }
    o->n_settling = 0;
    o->awaited = false;
    o->settled = false;
    arena_reset(o->settling_strings);
}
