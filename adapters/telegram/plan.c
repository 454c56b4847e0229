/* The plan of a send: which call is next for an outgoing. The kind of message decides:
 *
 *     post       picture    call
 *     none       no         sendMessage
 *     none       yes        sendPhoto
 *     a text     either     editMessageText
 *     a picture  yes        editMessageMedia
 *     a picture  no         deleteMessage, then sendMessage
 *     any, OUT_CLOSE        editMessageReplyMarkup
 *
 * and in chats that the bot is not in, editMessageText by inline_message_id; and the
 * edit...Ephemeral... forms of messages that one person sees.
 *
 * A text stays a text although an edit could make it a picture: the way back would need a new
 * message, and a text whose length varies around the caption limit would come and go. If the
 * network refuses a part (a picture it cannot read, formatting it does not know), the receipt is
 * MORE with a progress word, and the next plan leaves that part out. */
#include "send.h"

#include "utf8.h"

/* ---- progress ---- */

struct send_progress tg_progress_read(struct str progress)
{
    struct send_progress w = {0};
    for (struct str word, rest = progress; rest.n > 0;) {
        word = str_cut(rest, ' ', &rest);
        struct str number = str_skip(word, 1);
        w.no_file |= str_is(word, STR("bytes"));
        w.no_picture |= str_is(word, STR("text"));
        w.plain |= str_is(word, STR("plain"));
        w.erased |= str_is(word, STR("erased"));
        if (str_starts(word, STR("~")) && str_int(number, &w.stale_post))
            w.hidden_post = 0;
        if (str_is(word, STR("anew")))
            w.stale_post = 0;
        if (str_starts(word, STR("#")) && !str_int(number, &w.hidden_post))
            w.hidden_post = 0;
        if (str_starts(word, STR("!")) && !str_int(number, &w.exposed_post))
            w.exposed_post = 0;
    }
    return w;
}

void tg_progress_more(struct arena *a, const struct outgoing *out, struct str word, struct str note,
                      struct receipt *ret)
{
    struct str so_far = out->progress;
    ret->kind = MORE;
    ret->progress =
        so_far.n == 0 ? word : arena_print(a, "%.*s %.*s", STR_ARG(so_far), STR_ARG(word));
    ret->note = note;
}

/* ---- closed ways ---- */

/* Ways that Telegram refused: a hidden message to somebody who has tapped nothing, in a group where
 * the bot is no administrator, or a private chat that was never opened. Telegram refuses such a
 * message again each time, so it is not sent: it goes the next way at once. A way is tried again
 * after a day, when the bot's rights in the chat change, and when the person writes there. In
 * memory alone: after a restart each is tried once more. */

enum { CLOSED_MS = 24 * 3600 * 1000 };

/* The right to send it comes from the bot's rights or from what the person did long ago: a press or
 * a hidden command is a right of its own. */
static bool by_right(const struct outgoing *out, const struct send_plan *plan)
{
    bool sends = plan->action == SEND_NEW || plan->action == SEND_PROBE;
    return sends && (plan->hidden ? out->press.n == 0 : out->where == TO_DIRECT);
}

/* The way there; NULL if it is not known to be closed. A clock that was set back closes none for
 * longer. */
static struct closed_way *find_way(struct telegram *t, int64_t chat, struct str person)
{
    for (int i = 0; i < KNOWN_CLOSED; i++) {
        struct closed_way *way = &t->closed[i];
        if (way->chat == chat && str_is(person, str_of(way->person)) && way->until > t->now &&
            way->until - t->now <= CLOSED_MS)
            return way;
    }
    return NULL;
}

bool tg_closed(struct telegram *t, const struct outgoing *out, const struct send_plan *plan)
{
    return by_right(out, plan) && find_way(t, plan->to.chat, out->to);
}

void tg_closed_add(struct telegram *t, const struct outgoing *out, const struct send_plan *plan)
{
    struct closed_way way = {.chat = plan->to.chat, .until = t->now + CLOSED_MS};
    if (!by_right(out, plan) || out->to.n >= sizeof way.person || tg_closed(t, out, plan))
        return;
    memcpy(way.person, out->to.p, out->to.n);
    t->closed[t->closed_next] = way;
    t->closed_next = (t->closed_next + 1) % KNOWN_CLOSED;
}

void tg_closed_forget(struct telegram *t, int64_t chat)
{
    for (int i = 0; i < KNOWN_CLOSED; i++)
        if (t->closed[i].chat == chat)
            t->closed[i] = (struct closed_way){0};
}

/* ---- ephemeral messages ---- */

/* Ephemeral messages: those in a group that one person sees. A Bot API server older than 10.3 (one
 * of the operator's own) ignores the parameter it does not know and would show a hand to everybody.
 * So the first ephemeral message of a run is a probe: a card's back without text. If the answer
 * says that it is hidden, an edit adds the text, and all later ones are sent at once. If that edit
 * is refused, the back is deleted and the text goes out as a new ephemeral message. If everybody
 * sees the probe, it is deleted, and this account whispers no more: hands go the next way down. */

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

/* ---- the plan ---- */

/* True if the whole text fits under a picture. */
static bool fits_caption(struct str text)
{
    enum { TIME_UNITS = 40 }; /* a time is at most so long */
    size_t units = 0;
    while (text.n > 0) {
        uint32_t c = utf8_next(&text);
        units += c == MARK_TIME ? TIME_UNITS : c < ' ' && c != '\n' ? 0 : c > 0xFFFF ? 2 : 1;
    }
    return units <= CAPTION_UNITS;
}

bool tg_plan_picture(const struct outgoing *out, struct send_progress w, struct str *file)
{
    *file = w.no_file ? STR("") : out->picture_file;
    return !w.no_picture && (file->n > 0 || out->picture_bytes.n > 0) && fits_caption(out->text);
}

/* The chat a message goes to. The id of a private chat is that of its person. */
static bool destination(const struct outgoing *out, struct chat_ref *ret)
{
    if (out->where != TO_DIRECT)
        return tg_ids_chat(out->chat, ret);
    return tg_ids_chat(out->direct_chat.n > 0 ? out->direct_chat : out->to, ret);
}

static bool needs_handle(const struct outgoing *out)
{
    for (int i = 0; i < out->n_buttons; i++)
        if ((out->buttons[i].style == BUTTON_LINK && out->where != TO_DIRECT) ||
            out->buttons[i].style == BUTTON_ADD)
            return true;
    return false;
}

static struct send_plan plan_of(const struct telegram *t, const struct outgoing *out,
                                struct send_progress w)
{
    struct send_plan s = {.action = SEND_NOTHING};
    struct str file;
    bool to_press = out->press.n > 1 && out->press.p[0] == 'q';
    if (out->kind == OUT_ANSWER && to_press) {
        s.action = SEND_ANSWER;
        return s;
    }
    if (out->kind == OUT_ANSWER && out->press.n > 1 &&
        (out->press.p[0] == 'i' || out->press.p[0] == 'g')) {
        bool none = out->press.p[0] == 'g' && out->n_articles == 0;
        s.action = none ? SEND_NOTHING : SEND_ARTICLES;
        return s;
    }
    if (tg_ids_inline_post(out->chat).n > 0 && out->where == TO_CHAT) {
        bool post = out->kind == OUT_POST && out->text.n > 0;
        s.action = !post                              ? SEND_NOTHING
                   : needs_handle(out) && !*t->handle ? SEND_LATER
                                                      : SEND_INLINE_EDIT;
        return s;
    }
    if (!destination(out, &s.to) ||
        (out->kind != OUT_ERASE && out->kind != OUT_CLOSE && out->text.n == 0))
        return s;
    if (needs_handle(out) && !*t->handle) {
        s.action = SEND_LATER;
        return s;
    }
    if (out->kind == OUT_ANSWER) { /* to an ephemeral command */
        s.action = out->press.n > 1 ? SEND_NEW : SEND_NOTHING;
        return s;
    }
    bool known = out->post.n > 0 && !w.erased && tg_ids_post(out->post, &s.post);
    if (known && out->kind == OUT_ERASE)
        s.action = SEND_ERASE;
    else if (known && out->kind == OUT_CLOSE)
        s.action = SEND_CLOSE;
    else if (known)
        s.action =
            s.post.picture && !tg_plan_picture(out, w, &file) ? SEND_ERASE_PICTURE : SEND_EDIT;
    else if (out->kind == OUT_POST && (!out->replace_only || w.erased))
        s.action = SEND_NEW;
    return s;
}

struct send_plan tg_plan(const struct telegram *t, const struct outgoing *out)
{
    struct send_progress w = tg_progress_read(out->progress);
    struct send_plan s = plan_of(t, out, w);
    struct str file;
    bool unseen = out->kind == OUT_ANSWER || out->where == TO_WHISPER;
    s.hidden = s.action == SEND_NEW && unseen && s.to.chat < 0 && !tg_ids_is_impersonal(out->to);
    if (s.hidden)
        tg_ephemeral_plan(t, out, w, &s);
    if (s.action == SEND_EDIT && w.hidden_post)
        s.post.picture = tg_plan_picture(out, w, &file);
    return s;
}
