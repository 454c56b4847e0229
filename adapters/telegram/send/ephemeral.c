/* Ephemeral messages: those in a group that one person sees. A Bot API server older than 10.3 (one
 * of the operator's own) ignores the parameter it does not know and would show a hand to everybody.
 * So the first ephemeral message of a run is a probe: a card's back without text. If the answer
 * says that it is hidden, an edit adds the text, and all later ones are sent at once. If that edit
 * is refused, the back is deleted and the text goes out as a new ephemeral message. If everybody
 * sees the probe, it is deleted, and this account whispers no more: hands go the next way down. */
#include "send.h"

void tg_ephemeral_plan(const struct telegram *t, const struct outgoing *out, struct send_progress w,
                       struct send_plan *s)
{
    if (w.exposed_post) {
        s->action = SEND_RETRACT;
        s->post = (struct post){.id = w.exposed_post};
    } else if (w.stale_post) {
        s->action = SEND_CLEAR;
        s->post = (struct post){.id = w.stale_post, .hidden = true};
    } else if (w.hidden_post) {
        s->action = SEND_EDIT;
        s->post = (struct post){.id = w.hidden_post, .hidden = true};
    } else if (t->ephemeral == EPHEMERAL_MISSING) {
        s->action = SEND_NOT_HIDDEN;
    } else if (t->ephemeral == EPHEMERAL_UNKNOWN) {
        bool other = t->probing && t->probe_row != out->row;
        s->action = other ? SEND_LATER : SEND_PROBE;
    }
}

void tg_ephemeral_probe(struct telegram *t, const struct outgoing *out)
{
    t->probing = true;
    t->probe_row = out->row;
}

void tg_ephemeral_probed(struct telegram *t, struct arena *a, const struct outgoing *out,
                         int64_t hidden, struct receipt *ret)
{
    if (!hidden) { /* the answer broke off: the message may or may not be there */
        ret->kind = LATER;
        ret->note = STR("an answer of Telegram broke off");
        return;
    }
    t->ephemeral = EPHEMERAL_SUPPORTED;
    tg_progress_more(a, out, arena_print(a, "#%lld", (long long)hidden), STR(""), ret);
}

void tg_ephemeral_stuck(struct arena *a, const struct outgoing *out, struct str why,
                        struct receipt *ret)
{
    int64_t back = tg_progress_read(out->progress).hidden_post;
    tg_progress_more(a, out, arena_print(a, "~%lld", (long long)back), why, ret);
}

void tg_ephemeral_exposed(struct telegram *t, struct arena *a, const struct outgoing *out,
                          int64_t seen, struct receipt *ret)
{
    bool other_server = t->ephemeral == EPHEMERAL_SUPPORTED;
    t->ephemeral = other_server ? EPHEMERAL_UNKNOWN : EPHEMERAL_MISSING;
    tg_progress_more(a, out, arena_print(a, "!%lld", (long long)seen),
                     STR("this server does not know hidden messages"), ret);
}
