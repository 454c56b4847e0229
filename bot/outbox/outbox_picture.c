/* Messages whose picture has to be drawn first. A row waits here, and its chat behind it; the
 * drawing is a job of a thread of its own, since a search for the computer's move may take longer
 * than anybody waits for a hand. What was drawn stays with the row until the network has answered,
 * and only for so many rows at once: others wait until there is room. */
#include "outbox_parts.h"

#include "log.h"
#include "picture.h"

enum { ROOM_MS = 20 };

static void say_failed(struct outbox *o, const struct err *why)
{
    if (strcmp(o->picture_failed.text, why->text) == 0)
        return;
    o->picture_failed = *why;
    log_line(LOG_WARN, "picture_failed", "why", why->text, NULL);
}

/* A picture that is a message more is sent while half of the burst is left: what is said meanwhile
 * does not wait for it. */
static bool pace_allows(const struct outbox *o, const struct row *r)
{
    const struct account *a = account_of(o, r->lane);
    int64_t interval;
    int burst;
    if (!a->limits.picture_apart || !outbox_account_pace(a, &interval, &burst))
        return true;
    int64_t ahead = o->lanes.gate[r->lane->account].paced - outbox_now(o);
    return ahead <= interval * (burst / 2);
}

static bool hold(struct outbox *o, struct row *r)
{
    if (o->n_held == PICTURES_HELD)
        return false;
    o->held[o->n_held++] = r;
    return true;
}

void outbox_let_go(struct outbox *o, struct row *r)
{
    for (int i = 0; i < o->n_held; i++)
        if (o->held[i] == r) {
            o->held[i] = o->held[--o->n_held];
            break;
        }
    o->n_drawing -= r->drawing;
    if (r->drawing)
        work_cancel(o->parts.drawing, r->id);
    free(r->png);
    r->png = NULL;
    r->n_png = 0;
    r->drawing = r->drawn = false;
    r->draw_until = 0;
}

/* It waits no more: with its picture, or without. */
static void stop_waiting(struct outbox *o, struct row *r)
{
    r->drawing = false;
    r->drawn = true;
    o->n_drawing--;
    lane_place(&o->lanes, r->lane, outbox_now(o));
}

static void ask(struct outbox *o, struct row *r, const struct picture_ask *ask)
{
    r->drawing = true;
    o->n_drawing++;
    work_push(o->parts.drawing, &(struct job){.run = picture_run,
                                              .session = r->id,
                                              .input = {(const char *)ask, sizeof *ask}});
    work_commit(o->parts.drawing);
}

/* No network has it yet: it is asked for, or waits until it can be. */
static void draw(struct outbox *o, struct row *r, const struct picture_ask *what, bool *ret_wait)
{
    int64_t now = outbox_now(o);
    if (r->draw_until == 0)
        r->draw_until = now + DRAW_MS;
    *ret_wait = true;
    if (hold(o, r))
        ask(o, r, what);
    else if (now < r->draw_until)
        r->lane->not_before = now + ROOM_MS;
    else
        *ret_wait = false;
}

bool outbox_picture(struct outbox *o, struct row *r, struct arena *turn, struct outgoing *out,
                    bool *ret_wait, struct err *err)
{
    struct picture_ask what;
    struct err why;
    char name[PICTURE_NAME_SIZE];
    *ret_wait = false;
    out->picture_file = (struct str){0};
    if (out->picture.n == 0 || !o->parts.drawing)
        return true;
    if (!pace_allows(o, r)) {
        out->picture_bytes = (struct str){0};
        return true;
    }
    if (r->drawn)
        return true;
    if (!picture_ask(o->parts.decks, out->picture, &what, &why)) {
        say_failed(o, &why);
        return true;
    }
    picture_name(&what, name);
    free(r->picture);
    r->picture = strdup(name);
    if (!store_picture_file(o->parts.store, turn, account_of(o, r->lane)->id, str_of(name),
                            &out->picture_file, err))
        return false;
    if (out->picture_file.n == 0)
        draw(o, r, &what, ret_wait);
    return true;
}

void outbox_drawn(struct outbox *o, const struct job_done *done)
{
    struct str png;
    struct err err;
    for (int i = 0; i < o->n_held; i++) {
        struct row *r = o->held[i];
        if (r->id != done->session || !r->drawing)
            continue;
        if (picture_of_job(done->output, &png, &err)) {
            r->png = malloc(png.n);
            r->n_png = r->png ? png.n : 0;
            if (r->png)
                memcpy(r->png, png.p, png.n);
        } else {
            say_failed(o, &err);
        }
        stop_waiting(o, r);
        return;
    }
}

void outbox_stop_waiting(struct outbox *o)
{
    struct err late = {"it took too long"};
    int64_t now = outbox_now(o);
    for (int i = 0; i < o->n_held; i++) {
        struct row *r = o->held[i];
        if (!r->drawing || r->draw_until > now)
            continue;
        work_cancel(o->parts.drawing, r->id);
        say_failed(o, &late);
        stop_waiting(o, r);
    }
}

int64_t outbox_picture_next(const struct outbox *o)
{
    int64_t next = INT64_MAX;
    for (int i = 0; i < o->n_held; i++)
        if (o->held[i]->drawing && o->held[i]->draw_until < next)
            next = o->held[i]->draw_until;
    return next;
}
