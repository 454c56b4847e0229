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
