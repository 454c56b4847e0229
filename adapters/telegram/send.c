/* The requests of a send: one call for each plan (see plan.c). */
#include "send.h"

#include "utf8.h"

/* ---- buttons ---- */

/* The buttons under a message, as an InlineKeyboardMarkup. A button that leads back to a board is
 * left out if the board has no link. */

static const char *const styles[] = {
    [BUTTON_PLAIN] = NULL,      [BUTTON_TAKE] = "success", [BUTTON_YAKU] = "primary",
    [BUTTON_DANGER] = "danger", [BUTTON_LINK] = NULL,      [BUTTON_BACK] = NULL,
    [BUTTON_QUERY] = NULL};

static const int64_t SUPERGROUP = 1000000000000; /* a chat id is minus this, minus its own number */

/* Only messages of supergroups have a link; the chat ids of those begin with -100. */
static bool has_address(const struct outgoing *out, struct chat_ref *ret, struct post *ret_post)
{
    return tg_ids_chat(out->group, ret) && ret->chat < -SUPERGROUP &&
           tg_ids_post(out->group_post, ret_post) && !ret_post->hidden;
}

static bool can_show(const struct outgoing *out, const struct button *b)
{
    struct chat_ref at;
    struct post post;
    if (b->style == BUTTON_LINK)
        return out->where != TO_DIRECT; /* it leads here */
    return b->style != BUTTON_BACK || has_address(out, &at, &post);
}

static struct str address(struct arena *a, const struct outgoing *out)
{
    struct chat_ref at;
    struct post post;
    if (!has_address(out, &at, &post))
        return STR("");
    long long chat = (long long)(-at.chat - SUPERGROUP);
    if (at.thread)
        return arena_print(a, "https://t.me/c/%lld/%lld/%lld", chat, (long long)at.thread,
                           (long long)post.id);
    return arena_print(a, "https://t.me/c/%lld/%lld", chat, (long long)post.id);
}

static void put_button(const struct telegram *t, struct arena *a, const struct outgoing *of,
                       const struct button *b, struct buf *out)
{
    struct str label = utf8_cut(tg_html_plain(a, b->label, TEXT_UNITS), LABEL_UNITS, true);
    json_put_open(out, NULL, '{');
    json_put_str(out, "text", label.n > 0 ? label : STR("·"));
    if (b->style == BUTTON_BACK)
        json_put_str(out, "url", address(a, of));
    else if (b->style == BUTTON_ADD)
        json_put_str(out, "url", arena_print(a, "https://t.me/%s?startgroup", t->handle));
    else if (b->style == BUTTON_LINK)
        json_put_str(out, "url",
                     arena_print(a, "https://t.me/%s?start=%.*s", t->handle, STR_ARG(b->data)));
    else
        json_put_str(
            out, b->style == BUTTON_QUERY ? "switch_inline_query_current_chat" : "callback_data",
            b->data);
    if (b->style < sizeof styles / sizeof *styles && styles[b->style])
        json_put_str(out, "style", str_of(styles[b->style]));
    buf_char(out, '}');
}

/* Empty if no button can be shown. */
static struct str keyboard_of(const struct telegram *t, struct arena *a, const struct outgoing *out,
                              const struct button *buttons, int n)
{
    size_t cap = 64;
    bool in_row = false, shown = false;
    for (int i = 0; i < n; i++)
        cap += 192 + buttons[i].label.n * 6 + buttons[i].data.n * 2 + sizeof t->handle;
    struct buf b = {arena_room(a, cap), 0, cap, false};
    json_put_open(&b, NULL, '{');
    json_put_open(&b, "inline_keyboard", '[');
    for (int i = 0; i < n; i++) {
        if (can_show(out, &buttons[i])) {
            if (!in_row && shown)
                buf_char(&b, ']');
            if (!in_row)
                json_put_open(&b, NULL, '[');
            put_button(t, a, out, &buttons[i], &b);
            in_row = shown = true;
        }
        in_row &= !buttons[i].row_end;
    }
    buf_put(&b, STR("]]}"));
    return shown ? buf_str(&b) : STR("");
}

/* ---- the parts of a message ---- */

static void add_buttons(const struct telegram *t, struct arena *a, const struct outgoing *out,
                        struct call_fields *f)
{
    struct str keyboard = keyboard_of(t, a, out, out->buttons, out->n_buttons);
    if (keyboard.n > 0)
        tg_call_json(f, "reply_markup", keyboard);
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
    tg_call_int(a, &f, "chat_id", to.chat);
    if (to.thread)
        tg_call_int(a, &f, "message_thread_id", to.thread);
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
    tg_call_int(a, f, "chat_id", chat);
    if (post.hidden)
        tg_call_json(f, "receiver_user_id", out->to);
    tg_call_int(a, f, post.hidden ? "ephemeral_message_id" : "message_id", post.id);
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

/* ---- inline mode ---- */

/* Inline mode: articles for a chat that the bot is not in. The answer to an inline query is a list
 * to choose from; the answer to a guest query is one article, which Telegram posts at once. Both
 * are personal and never cached, because an article may show a hand. */

enum { TITLE_UNITS = 128, ABOUT_UNITS = 512 };

static void put_article(struct telegram *t, struct arena *a, const struct outgoing *out,
                        const struct article *it, struct buf *b)
{
    struct call_fields content = {0}, f = {0};
    struct str about = tg_html_plain(a, it->about, ABOUT_UNITS);
    tg_call_text(&content, "message_text", tg_html(a, it->text, TEXT_UNITS));
    tg_call_text(&content, "parse_mode", STR("HTML"));
    tg_call_json(&content, "link_preview_options", STR("{\"is_disabled\":true}"));
    tg_call_text(&f, "type", STR("article"));
    tg_call_text(&f, "id", it->id);
    tg_call_text(&f, "title", tg_html_plain(a, it->title, TITLE_UNITS));
    if (about.n > 0)
        tg_call_text(&f, "description", about);
    tg_call_json(&f, "input_message_content", tg_call_print(a, &content));
    if (it->label.n > 0) {
        struct button button = {.label = it->label, .data = it->id, .style = BUTTON_TAKE};
        tg_call_json(&f, "reply_markup", keyboard_of(t, a, out, &button, 1));
    }
    json_put_name(b, NULL);
    buf_put(b, tg_call_print(a, &f));
}

static struct request answer_query(struct telegram *t, struct arena *a, const struct outgoing *out)
{
    struct call_fields f = {0};
    size_t cap = 16;
    for (int i = 0; i < out->n_articles; i++) {
        const struct article *it = &out->articles[i];
        cap += 1024 + 8 * (it->id.n + it->title.n + it->about.n + it->label.n) + 16 * it->text.n;
    }
    struct buf b = {arena_alloc(a, cap), 0, cap, false};
    if (out->press.p[0] == 'g') {
        put_article(t, a, out, &out->articles[0], &b);
        tg_call_text(&f, "guest_query_id", str_skip(out->press, 1));
        tg_call_json(&f, "result", buf_str(&b));
        return tg_call(t, a, "answerGuestQuery", &f);
    }
    json_put_open(&b, NULL, '[');
    for (int i = 0; i < out->n_articles; i++)
        put_article(t, a, out, &out->articles[i], &b);
    buf_char(&b, ']');
    tg_call_text(&f, "inline_query_id", str_skip(out->press, 1));
    tg_call_json(&f, "results", buf_str(&b));
    tg_call_json(&f, "cache_time", STR("0"));
    tg_call_json(&f, "is_personal", STR("true"));
    return tg_call(t, a, "answerInlineQuery", &f);
}

/* ---- each plan ---- */

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
        *ret = answer_query(t, a, out);
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
