/* Pictures of messages: a row waits until its picture has been drawn, and its chat behind it. The
 * drawing is a job of a thread of its own, since a search for the computer's move may take longer
 * than a player waits for a hand. A drawn picture stays with its row until the network has
 * answered, for PICTURES_HELD rows at most: others wait for room. */
#include "outbox_internal.h"

#include "alloc.h"
#include "pictures.h"

enum { ROOM_MS = 20 };

static void log_failed(struct outbox *o, const struct err *why)
{
    if (strcmp(o->picture_failed.text, why->text) == 0)
        return;
    o->picture_failed = *why;
    log_line(LOG_WARN, "picture_failed", "why", why->text, NULL);
}

void outbox_drop_picture(struct outbox *o, struct row *r)
{
    for (int i = 0; i < o->n_held; i++)
        if (o->held[i] == r) {
            o->held[i] = o->held[--o->n_held];
            break;
        }
    if (r->state == ROW_DRAWING) {
        o->n_drawing--;
        work_cancel(o->parts.drawing, r->id);
    }
    if (r->state == ROW_DRAWING || r->state == ROW_DRAWN)
        r->state = ROW_MARKED;
    free(r->png);
    r->png = NULL;
    r->n_png = 0;
    r->draw_until = 0;
}

/* The row may go, with its picture or without. */
static void stop_waiting(struct outbox *o, struct row *r)
{
    r->state = ROW_DRAWN;
    o->n_drawing--;
    outbox_fail_whispers(o, r->lane);
    lane_schedule(&o->lanes, r->lane, outbox_now(o));
}

/* Has the picture drawn, or waits until there is room for it. */
static void await_picture(struct outbox *o, struct row *r, struct str input, bool *ret_wait)
{
    int64_t now = outbox_now(o);
    if (r->draw_until == 0)
        r->draw_until = now + DRAW_MS;
    *ret_wait = true;
    if (o->n_held < PICTURES_HELD) {
        o->held[o->n_held++] = r;
        o->n_drawing++;
        r->state = ROW_DRAWING;
        work_push(o->parts.drawing,
                  &(struct job){.run = picture_run, .session = r->id, .input = input});
        work_commit(o->parts.drawing);
    } else if (now < r->draw_until) {
        r->lane->not_before = now + ROOM_MS;
    } else {
        *ret_wait = false;
    }
}

bool outbox_picture(struct outbox *o, struct row *r, struct arena *turn, struct outgoing *out,
                    bool *ret_wait, struct err *err)
{
    struct str input;
    struct err why;
    char name[PICTURE_NAME_SIZE];
    *ret_wait = false;
    out->picture_file = (struct str){0};
    if (out->picture.n == 0 || !o->parts.drawing)
        return true;
    /* one that counts as a message of its own is sent while half of the burst is left, so that
     * other messages need not wait for it */
    const struct account_queue *q = &o->lanes.queue[r->lane->account];
    int64_t own = r->counted ? q->refill.interval : 0;
    bool begun = r->told || r->maybe_sent;
    if (!begun && account_of(o, r->lane)->limits.picture_apart &&
        !bucket_half_left(&q->bucket, q->refill, outbox_now(o) + own)) {
        out->picture_bytes = (struct str){0};
        return true;
    }
    if (r->state == ROW_DRAWN || r->png)
        return true;
    if (!picture_order(o->parts.decks, out->picture, turn, &input, name, &why)) {
        log_failed(o, &why);
        return true;
    }
    row_set(&r->picture, str_of(name));
    out->picture_file =
        store_picture_file(o->parts.store, turn, account_of(o, r->lane)->id, str_of(name));
    if (store_take_failure(o->parts.store, err))
        return false;
    if (out->picture_file.n == 0)
        await_picture(o, r, input, ret_wait);
    return true;
}

void outbox_drawn(struct outbox *o, const struct job_done *done)
{
    struct str png;
    struct err err;
    for (int i = 0; i < o->n_held; i++) {
        struct row *r = o->held[i];
        if (r->id != done->session || r->state != ROW_DRAWING)
            continue;
        if (picture_of_job(done->output, &png, &err)) {
            r->png = alloc_room(png.n);
            r->n_png = png.n;
            memcpy(r->png, png.p, png.n);
        } else {
            log_failed(o, &err);
        }
        stop_waiting(o, r);
        return;
    }
}

void outbox_stop_waiting(struct outbox *o)
{
    struct err late = {"drawing took more than 3 s"};
    int64_t now = outbox_now(o);
    for (int i = 0; i < o->n_held; i++) {
        struct row *r = o->held[i];
        if (r->state != ROW_DRAWING || r->draw_until > now)
            continue;
        work_cancel(o->parts.drawing, r->id);
        log_failed(o, &late);
        stop_waiting(o, r);
    }
}

int64_t outbox_picture_next(const struct outbox *o)
{
    int64_t next = INT64_MAX;
    for (int i = 0; i < o->n_held; i++)
        if (o->held[i]->state == ROW_DRAWING && o->held[i]->draw_until < next)
            next = o->held[i]->draw_until;
    return next;
}
