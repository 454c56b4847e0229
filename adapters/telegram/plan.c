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

static struct send_progress read_progress(struct str progress)
{
    struct send_progress w = {0};
    for (struct str word, rest = progress; rest.n > 0;) {
        word = str_cut(rest, ' ', &rest);
        struct str number = str_skip(word, 1);
        w.no_file |= str_is(word, STR("bytes"));
        w.no_picture |= str_is(word, STR("text"));
        w.plain |= str_is(word, STR("plain"));
        w.erased |= str_is(word, STR("erased"));
        w.no_topic |= str_is(word, STR("main"));
        w.no_reply |= str_is(word, STR("alone"));
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

/* ---- closed ways ---- */

/* Ways that Telegram refused: a hidden message to somebody who has tapped nothing, in a group where
 * the bot is no administrator, or a private chat that was never opened. Telegram refuses such a
 * message again each time, so it is not sent: it goes the next way at once. A way is tried again
 * after a day, when the bot's rights in the chat change, and when the person writes there. In
 * memory alone: after a restart each is tried once more. */

enum { CLOSED_MS = 24 * 3600 * 1000 };

/* The right to send it comes from the bot's rights or from what the person did long ago: a press or
 * a hidden command is a right of its own. */
static bool by_right(const struct tg_sending *s)
{
    bool sends = s->plan.action == SEND_NEW || s->plan.action == SEND_PROBE;
    return sends && (s->plan.hidden ? s->out->press.n == 0 : s->out->where == TO_DIRECT);
}

/* A clock that was set back closes no way for longer. */
bool tg_closed(const struct tg_sending *s)
{
    int64_t now = s->t->now;
    for (int i = 0; s->t->n_closed > 0 && by_right(s) && i < KNOWN_CLOSED; i++) {
        const struct closed_way *way = &s->t->closed[i];
        if (way->chat == s->plan.to.chat && str_is(s->out->to, str_of(way->person)) &&
            way->until > now && way->until - now <= CLOSED_MS)
            return true;
    }
    return false;
}

void tg_closed_add(const struct tg_sending *s)
{
    struct telegram *t = s->t;
    struct closed_way way = {.chat = s->plan.to.chat, .until = t->now + CLOSED_MS};
    if (!by_right(s) || s->out->to.n >= sizeof way.person || tg_closed(s))
        return;
    memcpy(way.person, s->out->to.p, s->out->to.n);
    t->n_closed += t->closed[t->closed_next].chat == 0;
    t->closed[t->closed_next] = way;
    t->closed_next = (t->closed_next + 1) % KNOWN_CLOSED;
}

void tg_closed_forget(struct telegram *t, int64_t chat)
{
    for (int i = 0; t->n_closed > 0 && i < KNOWN_CLOSED; i++)
        if (t->closed[i].chat == chat) {
            t->closed[i] = (struct closed_way){0};
            t->n_closed--;
        }
}

/* ---- ephemeral messages ---- */

/* Ephemeral messages: those in a group that one person sees. A Bot API server older than 10.3 (one
 * of the operator's own) ignores the parameter it does not know and would show a hand to everybody.
 * So the first ephemeral message of a run is a probe: a card's back without text. If the answer
 * says that it is hidden, an edit adds the text, and all later ones are sent at once. If that edit
 * is refused, the back is deleted and the text goes out as a new ephemeral message. If everybody
 * sees the probe, it is deleted, and for a day this account whispers no more: hands go the next way
 * down. */

bool tg_hides_nothing(const struct telegram *t)
{
    return t->now < t->shows_until;
}

/* The steps of a new message that must be hidden. */
static void plan_hidden(struct tg_sending *s)
{
    const struct telegram *t = s->t;
    struct send_progress w = s->so_far;
    if (w.exposed_post) {
        s->plan.action = SEND_RETRACT;
        s->plan.post = (struct post){.id = w.exposed_post};
    } else if (w.stale_post) {
        s->plan.action = SEND_CLEAR;
        s->plan.post = (struct post){.id = w.stale_post, .hidden = true};
    } else if (w.hidden_post) {
        s->plan.action = SEND_EDIT;
        s->plan.post = (struct post){.id = w.hidden_post, .hidden = true};
    } else if (tg_hides_nothing(t)) {
        s->plan.action = SEND_NOT_HIDDEN;
    } else if (!t->hides) {
        bool other = t->probing && t->probe_row != s->out->row;
        s->plan.action = other ? SEND_LATER : SEND_PROBE;
    }
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

bool tg_plan_picture(const struct tg_sending *s, struct str *file)
{
    const struct outgoing *out = s->out;
    *file = s->so_far.no_file ? STR("") : out->picture_file;
    return !s->so_far.no_picture && (file->n > 0 || out->picture_bytes.n > 0) &&
           fits_caption(out->text);
}

static bool needs_handle(const struct outgoing *out)
{
    for (int i = 0; i < out->n_buttons; i++)
        if ((out->buttons[i].style == BUTTON_LINK && out->where != TO_DIRECT) ||
            out->buttons[i].style == BUTTON_ADD || out->buttons[i].style == BUTTON_APP)
            return true;
    return false;
}

static enum send_action plan_of(struct tg_sending *s)
{
    const struct outgoing *out = s->out;
    struct str file;
    char press = out->press.n > 1 ? out->press.p[0] : '\0';
    bool nameless = needs_handle(out) && !*s->t->handle;
    if (out->kind == OUT_ASK)
        return tg_ids_chat(out->chat, &s->plan.to) ? SEND_ASK : SEND_NOTHING;
    if (out->kind == OUT_ANSWER && press == 'q')
        return SEND_ANSWER;
    if (out->kind == OUT_ANSWER && (press == 'i' || press == 'g'))
        return press == 'g' && out->n_articles == 0 ? SEND_NOTHING : SEND_ARTICLES;
    if (tg_ids_inline_post(out->chat).n > 0 && out->where == TO_CHAT) {
        bool post = out->kind == OUT_POST && out->text.n > 0;
        return !post ? SEND_NOTHING : nameless ? SEND_LATER : SEND_INLINE_EDIT;
    }
    /* the id of a private chat is that of its person */
    struct str chat = out->where != TO_DIRECT  ? out->chat
                      : out->direct_chat.n > 0 ? out->direct_chat
                                               : out->to;
    bool good = tg_ids_chat(chat, &s->plan.to);
    if (s->so_far.no_topic)
        s->plan.to.thread = 0;
    if (out->kind == OUT_TYPING)
        return good ? SEND_TYPING : SEND_NOTHING;
    if (!good || (out->kind != OUT_ERASE && out->kind != OUT_CLOSE && out->text.n == 0))
        return SEND_NOTHING;
    if (nameless)
        return SEND_LATER;
    if (out->kind == OUT_ANSWER) /* to an ephemeral command */
        return press ? SEND_NEW : SEND_NOTHING;
    bool known = out->post.n > 0 && !s->so_far.erased && tg_ids_post(out->post, &s->plan.post);
    if (known && out->kind == OUT_ERASE)
        return SEND_ERASE;
    if (known && out->kind == OUT_CLOSE)
        return SEND_CLOSE;
    if (known)
        return s->plan.post.picture && !tg_plan_picture(s, &file) ? SEND_ERASE_PICTURE : SEND_EDIT;
    return out->kind == OUT_POST && (!out->replace_only || s->so_far.erased) ? SEND_NEW
                                                                             : SEND_NOTHING;
}

struct tg_sending tg_plan(struct telegram *t, struct arena *a, const struct outgoing *out)
{
    struct tg_sending s = {.t = t, .a = a, .out = out, .so_far = read_progress(out->progress)};
    struct send_plan *plan = &s.plan;
    struct str file;
    bool unseen = out->kind == OUT_ANSWER || out->where == TO_WHISPER;
    plan->action = plan_of(&s);
    plan->hidden =
        plan->action == SEND_NEW && unseen && plan->to.chat < 0 && !tg_ids_is_impersonal(out->to);
    if (plan->hidden)
        plan_hidden(&s);
    if (plan->action == SEND_EDIT && s.so_far.hidden_post)
        plan->post.picture = tg_plan_picture(&s, &file);
    return s;
}
