/* The requests of a send: one call for each plan (see plan.c). */
#include "send.h"

#include "html.h"

/* ---- the parts of a message ---- */

static void add_buttons(const struct telegram *t, struct arena *a, const struct outgoing *out,
                        struct call_fields *f)
{
    struct str keyboard = tg_keyboard(t, a, out, out->buttons, out->n_buttons);
    if (keyboard.n > 0)
        tg_call_json(f, "reply_markup", keyboard);
}

static void add_int(struct arena *a, struct call_fields *f, const char *name, int64_t n)
{
    tg_call_json(f, name, arena_print(a, "%lld", (long long)n));
}

static void add_words(struct arena *a, const struct outgoing *out, struct send_progress w,
                      const char *name, size_t most, struct call_fields *f)
{
    tg_call_text(f, name,
                 w.plain ? tg_html_plain(a, out->text, most) : tg_html(a, out->text, most));
    if (!w.plain)
        tg_call_text(f, "parse_mode", STR("HTML"));
}

static void add_text(struct arena *a, const struct outgoing *out, struct send_progress w,
                     struct call_fields *f)
{
    add_words(a, out, w, "text", TEXT_UNITS, f);
    tg_call_json(f, "link_preview_options", STR("{\"is_disabled\":true}"));
}

/* An InputMediaPhoto: the words and the file id, or "attach://picture". */
static void add_media(struct arena *a, const struct outgoing *out, struct send_progress w,
                      struct str file, struct call_fields *f)
{
    struct call_fields media = {0};
    tg_call_text(&media, "type", STR("photo"));
    tg_call_text(&media, "media", file.n > 0 ? file : STR("attach://picture"));
    add_words(a, out, w, "caption", CAPTION_UNITS, &media);
    tg_call_json(f, "media", tg_call_print(a, &media));
}

/* The one receiver of an ephemeral message, and the press or command that permits it. */
static void add_receiver(struct arena *a, const struct outgoing *out, struct call_fields *f)
{
    struct call_fields e = {0};
    tg_call_json(&e, "receiver_user_id", out->to);
    if (out->press.n > 1 && out->press.p[0] == 'q')
        tg_call_text(&e, "callback_query_id", str_skip(out->press, 1));
    tg_call_json(f, "ephemeral_message_parameters", tg_call_print(a, &e));
    if (out->press.n > 1 && out->press.p[0] == 'e')
        tg_call_json(
            f, "reply_parameters",
            arena_print(a, "{\"ephemeral_message_id\":%.*s}", STR_ARG(str_skip(out->press, 1))));
}

static void add_reply(struct arena *a, const struct outgoing *out, struct call_fields *f)
{
    struct post p;
    if (out->reply_to.n > 0 && tg_ids_post(out->reply_to, &p) && !p.hidden)
        tg_call_json(f, "reply_parameters",
                     arena_print(a, "{\"message_id\":%lld,\"allow_sending_without_reply\":true}",
                                 (long long)p.id));
}

/* ---- the calls ---- */

static struct request send_new(struct telegram *t, struct arena *a, const struct outgoing *out,
                               struct chat_ref to, bool hidden, struct send_progress w)
{
    struct call_fields f = {0};
    struct str file;
    bool picture = tg_plan_picture(out, w, &file);
    add_int(a, &f, "chat_id", to.chat);
    if (to.thread)
        add_int(a, &f, "message_thread_id", to.thread);
    if (hidden)
        add_receiver(a, out, &f);
    else
        add_reply(a, out, &f);
    if (out->file.n > 0) {
        add_words(a, out, w, "caption", CAPTION_UNITS, &f);
    } else if (picture) {
        tg_call_text(&f, "photo", file.n > 0 ? file : STR("attach://picture"));
        /* so that their owner does not forward them by mistake */
        if (out->where != TO_CHAT)
            tg_call_json(&f, "protect_content", STR("true"));
        add_words(a, out, w, "caption", CAPTION_UNITS, &f);
    } else {
        add_text(a, out, w, &f);
    }
    /* Telegram cannot recognise a repeat, so a message that may be there already is silent */
    if ((!out->notify || out->maybe_sent) && !hidden)
        tg_call_json(&f, "disable_notification", STR("true"));
    add_buttons(t, a, out, &f);
    if (out->file.n > 0)
        return tg_call_with_file(t, a, "sendDocument", &f,
                                 (struct part){STR("document"), out->file_name,
                                               STR("application/octet-stream"), out->file});
    if (picture && file.n == 0)
        return tg_call_with_picture(t, a, "sendPhoto", &f, out->picture_bytes);
    return tg_call(t, a, picture ? "sendPhoto" : "sendMessage", &f);
}

/* The fields that name a message. */
static void add_post(struct arena *a, const struct outgoing *out, int64_t chat, struct post post,
                     struct call_fields *f)
{
    add_int(a, f, "chat_id", chat);
    if (post.hidden)
        tg_call_json(f, "receiver_user_id", out->to);
    add_int(a, f, post.hidden ? "ephemeral_message_id" : "message_id", post.id);
}

static struct request edit(struct telegram *t, struct arena *a, const struct outgoing *out,
                           int64_t chat, struct post post, struct send_progress w)
{
    struct call_fields f = {0};
    struct str file;
    bool picture = post.picture && tg_plan_picture(out, w, &file);
    add_post(a, out, chat, post, &f);
    if (picture)
        add_media(a, out, w, file, &f);
    else
        add_text(a, out, w, &f);
    add_buttons(t, a, out, &f);
    const char *media = post.hidden ? "editEphemeralMessageMedia" : "editMessageMedia";
    if (picture && file.n == 0)
        return tg_call_with_picture(t, a, media, &f, out->picture_bytes);
    const char *text = post.hidden ? "editEphemeralMessageText" : "editMessageText";
    return tg_call(t, a, picture ? media : text, &f);
}

/* An inline message; it cannot become a picture. */
static struct request edit_inline(struct telegram *t, struct arena *a, const struct outgoing *out,
                                  struct send_progress w)
{
    struct call_fields f = {0};
    tg_call_text(&f, "inline_message_id", tg_ids_inline_post(out->chat));
    add_text(a, out, w, &f);
    add_buttons(t, a, out, &f);
    return tg_call(t, a, "editMessageText", &f);
}

static struct request erase(struct telegram *t, struct arena *a, const struct outgoing *out,
                            int64_t chat, struct post post)
{
    struct call_fields f = {0};
    add_post(a, out, chat, post, &f);
    struct request r = tg_call(t, a, post.hidden ? "deleteEphemeralMessage" : "deleteMessage", &f);
    r.unpaced = true; /* Telegram counts messages and edits */
    return r;
}

/* Without reply_markup the message loses its buttons. */
static struct request close_buttons(struct telegram *t, struct arena *a, const struct outgoing *out,
                                    int64_t chat, struct post post)
{
    struct call_fields f = {0};
    add_post(a, out, chat, post, &f);
    return tg_call(t, a, post.hidden ? "editEphemeralMessageReplyMarkup" : "editMessageReplyMarkup",
                   &f);
}

static struct request answer_press(struct telegram *t, struct arena *a, const struct outgoing *out)
{
    struct call_fields f = {0};
    struct str words = tg_html_plain(a, out->text, POPUP_UNITS);
    tg_call_text(&f, "callback_query_id", str_skip(out->press, 1));
    if (words.n > 0)
        tg_call_text(&f, "text", words);
    if (out->alert)
        tg_call_json(&f, "show_alert", STR("true"));
    return tg_call(t, a, "answerCallbackQuery", &f);
}

/* A card's back: does the server hide it? */
static struct request send_probe(struct telegram *t, struct arena *a, const struct outgoing *out,
                                 struct chat_ref to)
{
    struct outgoing back = *out;
    back.text = STR("\U0001F3B4");
    back.picture_bytes = back.picture_file = STR("");
    back.n_buttons = 0;
    tg_ephemeral_probe(t, out);
    return send_new(t, a, &back, to, true, (struct send_progress){0});
}

void tg_send(void *account, struct arena *a, const struct outgoing *out, struct request *ret)
{
    struct telegram *t = account;
    struct send_progress w = tg_progress_read(out->progress);
    struct send_plan s = tg_plan(t, out);
    *ret = (struct request){.kind = REQUEST_NONE, .what = STR("nothing")};
    if (tg_closed(t, out, &s))
        return;
    switch (s.action) {
    case SEND_ANSWER:
        *ret = answer_press(t, a, out);
        break;
    case SEND_ARTICLES:
        *ret = tg_inline_answer(t, a, out);
        break;
    case SEND_INLINE_EDIT:
        *ret = edit_inline(t, a, out, w);
        break;
    case SEND_NEW:
        *ret = send_new(t, a, out, s.to, s.hidden, w);
        break;
    case SEND_PROBE:
        *ret = send_probe(t, a, out, s.to);
        break;
    case SEND_EDIT:
        *ret = edit(t, a, out, s.to.chat, s.post, w);
        break;
    case SEND_CLOSE:
        *ret = close_buttons(t, a, out, s.to.chat, s.post);
        break;
    case SEND_ERASE:
    case SEND_ERASE_PICTURE:
    case SEND_CLEAR:
    case SEND_RETRACT:
        *ret = erase(t, a, out, s.to.chat, s.post);
        break;
    case SEND_NOTHING:
    case SEND_LATER:
    case SEND_NOT_HIDDEN:
        break;
    }
}
