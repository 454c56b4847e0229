/* See row.h. */
#include "row.h"

#include "alloc.h"

struct row *row_make(struct str slot, struct str bytes, const struct outgoing *out)
{
    struct row *r = alloc_zeroed(sizeof *r + slot.n + bytes.n);
    r->kind = FLIGHT_ROW;
    r->state = ROW_STAGED;
    r->aside = out->aside || out->kind == OUT_CLOSE;
    r->closes = out->kind == OUT_CLOSE;
    r->named = out->named;
    r->whisper = out->where == TO_WHISPER;
    r->erases = out->kind == OUT_ERASE;
    r->has_news = out->news.n > 0;
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
