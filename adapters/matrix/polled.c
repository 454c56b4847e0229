/* See polled.h. */
#include "polled.h"

bool polled_may_retry(const struct polled *p)
{
    return p->error.transient || p->error.limit;
}

/* After so many polls in a row without any answer, .well-known is asked anew. */
enum { FIND_AGAIN = 5 };

bool polled_retry(struct polled *p, const char *what)
{
    const struct wire_error *e = &p->error;
    int shift = p->m->failures < 6 ? p->m->failures : 6;
    p->m->failures++;
    p->batch->wait_ms = (int64_t)1000 << shift;
    if (e->wait_ms > p->batch->wait_ms)
        p->batch->wait_ms = e->wait_ms;
    if (p->error.transient && p->m->failures % FIND_AGAIN == 0 && p->next->base.n > 0 &&
        !wire_is_url(p->m->homeserver)) {
        p->next->base = STR(""); /* it may have moved; stored, as all that the cursor has */
        p->batch->note =
            arena_print(p->a, "%s: no answer from the homeserver; looking where it is", what);
        return true;
    }
    if (p->reply->status == 0)
        return err_set(p->err, "%s: no answer from the homeserver%s%.*s", what,
                       p->reply->why.n > 0 ? ": " : "", STR_ARG(p->reply->why));
    return err_set(p->err, "%s: %d %.*s %.*s", what, p->reply->status, STR_ARG(e->code),
                   (int)(e->text.n < 200 ? e->text.n : 200), e->text.p);
}

bool polled_fatal(struct polled *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(p->err->text, sizeof p->err->text, format, args);
    va_end(args);
    p->batch->fatal = true;
    return false;
}

bool polled_token_lost(struct polled *p)
{
    struct matrix *m = p->m;
    m->checked = false;
    if (p->next->refresh.n > 0) {
        int shift = m->lost < 10 ? m->lost : 10;
        m->refused = true;
        if (++m->lost == 2)
            p->batch->note = STR("the homeserver refuses the access tokens that it gives");
        if (m->lost > 1)
            p->batch->wait_ms = (int64_t)1000 << shift;
        return true;
    }
    if (m->token.n > 0)
        return polled_fatal(p,
                            "the homeserver does not take the access token (%.*s); give a new one "
                            "in [matrix] token",
                            STR_ARG(p->error.code));
    p->next->access = STR("");
    m->refused = false;
    return true;
}

static void note_rest(struct polled *p)
{
    p->batch->note = STR("an answer has more events than a homeserver sends; the rest is not read");
}

bool polled_count(struct polled *p)
{
    if (p->n_events < MAX_EVENTS && p->batch->n < MAX_BATCH) {
        p->n_events++;
        return true;
    }
    note_rest(p);
    return false;
}

struct update *polled_add(struct polled *p)
{
    struct batch *b = p->batch;
    if (b->n == MAX_BATCH) {
        note_rest(p);
        p->spare = (struct update){0};
        return &p->spare;
    }
    if (b->n == p->cap) {
        int cap = p->cap > 0 ? 2 * p->cap : 8;
        struct update *at = arena_array(p->a, struct update, (size_t)cap);
        if (b->n > 0)
            memcpy(at, b->at, (size_t)b->n * sizeof *at);
        b->at = at;
        p->cap = cap;
    }
    struct update *u = &b->at[b->n++];
    *u = (struct update){0};
    return u;
}

void polled_add_joined(struct polled *p, const struct room *room, struct str when)
{
    struct update *u = polled_add(p);
    u->kind = UPDATE_JOINED;
    u->chat = arena_str(p->a, room->id);
    u->chat_name = arena_str(p->a, room->name);
    u->direct = room->with.n > 0;
    u->id = arena_print(p->a, "joined:%.*s:%.*s", STR_ARG(room->id), STR_ARG(when));
}
