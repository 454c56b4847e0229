/* See inbox.h. */
#include "inbox.h"

#include <assert.h>

struct inbox { struct inbox_parts parts; struct arena *turn; };

bool inbox_open(const struct inbox_parts *parts, struct inbox **ret, struct err *err)
{
    (void)err;
    struct inbox *in = calloc(1, sizeof *in);
    assert(in);
    in->parts = *parts;
    in->turn = arena_open(1 << 24);
    *ret = in;
    return true;
}

void inbox_close(struct inbox *in)
{
    if (in)
        arena_close(in->turn);
    free(in);
}

bool inbox_take(struct inbox *in, const struct account *from, const struct update *u, struct err *err)
{
    bool new;
    struct person p;
    struct chat c;
    struct str rest = u->text;
    arena_reset(in->turn);
    if (!store_hear(in->parts.store, from->id, u->id, clock_now(in->parts.clock), &new, err))
        return false;
    if (!new || u->kind != UPDATE_TEXT || !str_is(str_word(&rest), STR("/ping")))
        return true;
    if (!store_person(in->parts.store, in->turn, from->id, &u->from, &p, err) ||
        !store_chat(in->parts.store, in->turn, from->id, u->chat, u->chat_name, u->direct, &c, err))
        return false;
    struct outgoing out = {.kind = OUT_POST, .where = TO_CHAT, .chat = u->chat,
                           .text = arena_print(in->turn, "pong %.*s", STR_ARG(str_trim(rest)))};
    return outbox_push(in->parts.outbox, from, &out, err);
}

bool inbox_clock(struct inbox *in, int64_t session, struct err *err)
{
    return store_set_due(in->parts.store, session, 0, err);
}

bool inbox_never(struct inbox *in, const struct account *on, const struct outgoing *out,
                 const struct receipt *receipt, struct err *err)
{
    (void)in, (void)on, (void)out, (void)receipt, (void)err;
    return true;
}

bool inbox_job_done(struct inbox *in, const struct job_done *done, struct err *err)
{
    (void)in, (void)done, (void)err;
    return true;
}
