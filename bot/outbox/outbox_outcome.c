/* Outcomes of rows, until they are settled; those that need no receipt: whispers that would come too
 * late, and answers that go with another one. */
#include "outbox_internal.h"

#include "alloc.h"
#include "outgoing.h"

struct settling *outbox_settle_later(struct outbox *o, struct row *r, enum row_outcome outcome)
{
    if (o->n_settling == o->cap_settling) {
        o->cap_settling = o->cap_settling ? o->cap_settling * 2 : 256;
        o->settling = alloc_grow(o->settling, (size_t)o->cap_settling * sizeof *o->settling);
        o->dropped = alloc_grow(o->dropped, (size_t)o->cap_settling * sizeof *o->dropped);
    }
    if (o->n_settling == 0)
        o->oldest = outbox_now(o);
    o->awaited |= outcome == OUTCOME_MARK || (r->next && !row_busy(r->next));
    r->state = ROW_SETTLING;
    struct settling *s = &o->settling[o->n_settling++];
    *s = (struct settling){.row = r, .outcome = outcome};
    return s;
}

/* A network lets the bot whisper in answer to a press for seconds only. */
void outbox_fail_whispers(struct outbox *o, struct lane *l)
{
    struct receipt late = {.kind = NEVER, .why = NEVER_UNREACHABLE};
    bool held = l->not_before > outbox_now(o) + PRESS_MS;
    for (struct row *r = l->first; r && held; r = r->next)
        if (r->urgent && !row_busy(r) && !r->replaced_by && r->state != ROW_DRAWING) {
            outbox_log(o, r, LOG_INFO, "send_never",
                       STR("the chat is held up for longer than a press waits"));
            outbox_settle_later(o, r, OUTCOME_NEVER)->receipt = late;
        }
}

/* ---- answers that are folded into one ---- */

static bool folds(const struct outgoing *out)
{
    return out->kind == OUT_POST && out->where == TO_CHAT && out->aside && out->picture.n == 0 &&
           out->file.n == 0 && !out->notify;
}

/* True if the text stands in `all` already, as paragraphs of it. */
static bool has_paragraphs(struct str all, struct str text)
{
    const char *end = all.p + all.n;
    for (const char *p = all.p; text.n > 0 && (size_t)(end - p) >= text.n; p++) {
        bool begins = p == all.p || (p - all.p > 1 && p[-1] == '\n' && p[-2] == '\n');
        const char *q = p + text.n;
        bool ends = q == end || (end - q > 1 && q[0] == '\n' && q[1] == '\n');
        if (begins && ends && memcmp(p, text.p, text.n) == 0)
            return true;
    }
    return false;
}

static bool has_button(const struct outgoing *out, const struct button *b)
{
    for (int i = 0; i < out->n_buttons; i++)
        if (str_is(out->buttons[i].data, b->data) && str_is(out->buttons[i].label, b->label))
            return true;
    return false;
}

/* True if two people get the same answer: it says all that the other one does. */
static bool says_all_of(const struct outgoing *out, const struct outgoing *more)
{
    for (int i = 0; i < more->n_buttons; i++)
        if (!has_button(out, &more->buttons[i]))
            return false;
    return has_paragraphs(out->text, more->text);
}

static void add_answer(struct outgoing *out, const struct outgoing *more, struct arena *turn)
{
    struct button *all = arena_array(turn, struct button, MAX_BUTTONS);
    for (int i = 0; i < out->n_buttons + more->n_buttons; i++)
        all[i] = i < out->n_buttons ? out->buttons[i] : more->buttons[i - out->n_buttons];
    if (out->n_buttons > 0)
        all[out->n_buttons - 1].row_end = true;
    out->buttons = all;
    out->n_buttons += more->n_buttons;
    out->text = arena_print(turn, "%.*s\n\n%.*s", STR_ARG(out->text), STR_ARG(more->text));
}

/* Takes the answers that wait behind this one in its chat along, as far as they fit. */
void outbox_fold(struct outbox *o, struct row *r, struct arena *turn, struct outgoing *out)
{
    int most = account_of(o, r->lane)->limits.text_chars;
    struct err err;
    if (!lane_folds(&o->lanes, r->lane, r, outbox_now(o)) || !folds(out) || r->maybe_sent ||
        r->progress)
        return;
    for (struct row *next = r->next; next; next = next->next) {
        struct outgoing more;
        if (!next->aside || next->closes || next->replaced_by || next->maybe_sent ||
            next->progress || (next->state != ROW_PENDING && next->state != ROW_MARKED) ||
            !outgoing_decode(row_bytes(next), turn, &more, &err) || !folds(&more) ||
            (more.expires && more.expires <= outbox_wall(o)) ||
            out->n_buttons + more.n_buttons > MAX_BUTTONS ||
            (most > 0 && out->text.n + more.text.n + 2 > (size_t)most))
            continue;
        if (!says_all_of(out, &more))
            add_answer(out, &more, turn);
        next->unmarked = next->state == ROW_PENDING;
        next->state = ROW_FOLDED;
        next->with = r;
    }
}

/* They have gone with it, or go by themselves. */
void outbox_unfold(struct outbox *o, const struct row *r, bool sent)
{
    for (struct row *next = r->next; next; next = next->next) {
        if (next->state != ROW_FOLDED || next->with != r)
            continue;
        next->state = next->unmarked ? ROW_PENDING : ROW_MARKED;
        next->with = NULL;
        if (sent)
            outbox_settle_later(o, next, OUTCOME_DONE);
    }
}
