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

/* Only messages of supergroups have a link; the chat ids of those begin with -100. Empty for any
 * other message. */
static struct str address(const struct tg_sending *s)
{
    struct chat_ref at;
    struct post post;
    if (!tg_ids_chat(s->out->group, &at) || at.chat >= -SUPERGROUP ||
        !tg_ids_post(s->out->group_post, &post) || post.hidden)
        return STR("");
    long long chat = (long long)(-at.chat - SUPERGROUP);
    if (at.thread)
        return arena_print(s->a, "https://t.me/c/%lld/%lld/%lld", chat, (long long)at.thread,
                           (long long)post.id);
    return arena_print(s->a, "https://t.me/c/%lld/%lld", chat, (long long)post.id);
}

static void put_button(const struct tg_sending *s, const struct button *b, struct buf *out)
{
    const char *us = s->t->handle;
    struct str label = utf8_cut(tg_html_plain(s->a, b->label, TEXT_UNITS), LABEL_UNITS, true);
    json_put_open(out, NULL, '{');
    json_put_str(out, "text", label.n > 0 ? label : STR("·"));
    if (b->style == BUTTON_BACK)
        json_put_str(out, "url", address(s));
    else if (b->style == BUTTON_ADD)
        json_put_str(out, "url", arena_print(s->a, "https://t.me/%s?startgroup", us));
    else if (b->style == BUTTON_APP) /* no other button opens an app in a group */
        json_put_str(out, "url",
                     arena_print(s->a, "https://t.me/%s/%.*s?startapp=%.*s", us, STR_ARG(s->t->app),
                                 STR_ARG(b->data)));
    else if (b->style == BUTTON_LINK)
        json_put_str(out, "url",
                     arena_print(s->a, "https://t.me/%s?start=%.*s", us, STR_ARG(b->data)));
    else
        json_put_str(
            out, b->style == BUTTON_QUERY ? "switch_inline_query_current_chat" : "callback_data",
            b->data);
    if (b->style < sizeof styles / sizeof *styles && styles[b->style])
        json_put_str(out, "style", str_of(styles[b->style]));
    buf_char(out, '}');
}

/* Empty if no button can be shown. */
static struct str keyboard_of(const struct tg_sending *s, const struct button *buttons, int n)
{
    size_t cap = 64;
    bool in_row = false, shown = false;
    for (int i = 0; i < n; i++)
        cap += 192 + buttons[i].label.n * 6 + buttons[i].data.n * 2 + sizeof s->t->handle +
               s->t->app.n;
    struct buf b = {arena_room(s->a, cap), 0, cap, false};
    json_put_open(&b, NULL, '{');
    json_put_open(&b, "inline_keyboard", '[');
    for (int i = 0; i < n; i++) {
        enum button_style style = buttons[i].style;
        bool here = style == BUTTON_LINK && s->out->where == TO_DIRECT; /* it leads here */
        if (!here && (style != BUTTON_BACK || address(s).n > 0)) {
            if (!in_row && shown)
                buf_char(&b, ']');
            if (!in_row)
                json_put_open(&b, NULL, '[');
            put_button(s, &buttons[i], &b);
            in_row = shown = true;
        }
        in_row &= !buttons[i].row_end;
    }
    buf_put(&b, STR("]]}"));
    return shown ? buf_str(&b) : STR("");
}

/* ---- the parts of a message ---- */

static void add_buttons(const struct tg_sending *s, struct call_fields *f)
{
    struct str keyboard = keyboard_of(s, s->out->buttons, s->out->n_buttons);
    if (keyboard.n > 0)
        tg_call_json(f, "reply_markup", keyboard);
}

static void add_words(const struct tg_sending *s, const char *name, size_t most,
                      struct call_fields *f)
{
    struct str text = s->out->text;
    bool plain = s->so_far.plain;
    tg_call_text(f, name, plain ? tg_html_plain(s->a, text, most) : tg_html(s->a, text, most));
    if (!plain)
        tg_call_text(f, "parse_mode", STR("HTML"));
}

static void add_text(const struct tg_sending *s, struct call_fields *f)
{
    add_words(s, "text", TEXT_UNITS, f);
    tg_call_json(f, "link_preview_options", STR("{\"is_disabled\":true}"));
}

/* The one receiver of an ephemeral message, and the press or command that permits it. */
static void add_receiver(const struct tg_sending *s, struct call_fields *f)
{
    struct call_fields e = {0};
    struct str press = s->out->press;
    tg_call_json(&e, "receiver_user_id", s->out->to);
    if (press.n > 1 && press.p[0] == 'q')
        tg_call_text(&e, "callback_query_id", str_skip(press, 1));
    tg_call_json(f, "ephemeral_message_parameters", tg_call_print(s->a, &e));
    if (press.n > 1 && press.p[0] == 'e')
        tg_call_json(
            f, "reply_parameters",
            arena_print(s->a, "{\"ephemeral_message_id\":%.*s}", STR_ARG(str_skip(press, 1))));
}

/* ---- the calls ---- */

static void call_to(const struct tg_sending *s, struct call_fields *f)
{
    tg_call_int(s->a, f, "chat_id", s->plan.to.chat);
    if (s->plan.to.thread)
        tg_call_int(s->a, f, "message_thread_id", s->plan.to.thread);
}

static struct request send_new(const struct tg_sending *s)
{
    const struct outgoing *out = s->out;
    struct call_fields f = {0};
    struct str file;
    struct post to;
    bool picture = tg_plan_picture(s, &file);
    call_to(s, &f);
    if (s->plan.hidden)
        add_receiver(s, &f);
    else if (out->reply_to.n > 0 && !s->so_far.no_reply && tg_ids_post(out->reply_to, &to) &&
             !to.hidden)
        tg_call_json(&f, "reply_parameters",
                     arena_print(s->a, "{\"message_id\":%lld,\"allow_sending_without_reply\":true}",
                                 (long long)to.id));
    if (out->file.n > 0) {
        add_words(s, "caption", CAPTION_UNITS, &f);
    } else if (picture) {
        tg_call_text(&f, "photo", file.n > 0 ? file : STR("attach://picture"));
        /* so that their owner does not forward them by mistake */
        if (out->where != TO_CHAT)
            tg_call_json(&f, "protect_content", STR("true"));
        add_words(s, "caption", CAPTION_UNITS, &f);
    } else {
        add_text(s, &f);
    }
    /* Telegram cannot recognise a repeat, so a message that may be there already is silent */
    if ((!out->notify || out->maybe_sent) && !s->plan.hidden)
        tg_call_json(&f, "disable_notification", STR("true"));
    add_buttons(s, &f);
    if (out->file.n > 0)
        return tg_call_with_file(s->t, s->a, "sendDocument", &f,
                                 (struct part){STR("document"), out->file_name,
                                               STR("application/octet-stream"), out->file});
    if (picture && file.n == 0)
        return tg_call_with_picture(s->t, s->a, "sendPhoto", &f, out->picture_bytes);
    return tg_call(s->t, s->a, picture ? "sendPhoto" : "sendMessage", &f);
}

/* A card's back: does the server hide it? */
static struct request send_probe(const struct tg_sending *s)
{
    struct outgoing back = *s->out;
    struct tg_sending probe = *s;
    back.text = STR("\U0001F3B4");
    back.picture_bytes = back.picture_file = STR("");
    back.n_buttons = 0;
    probe.out = &back;
    probe.so_far = (struct send_progress){0};
    s->t->probing = true;
    s->t->probe_row = back.row;
    return send_new(&probe);
}

/* The fields that name the message of the plan. */
static struct call_fields fields_of_post(const struct tg_sending *s)
{
    struct call_fields f = {0};
    struct post post = s->plan.post;
    tg_call_int(s->a, &f, "chat_id", s->plan.to.chat);
    if (post.hidden)
        tg_call_json(&f, "receiver_user_id", s->out->to);
    tg_call_int(s->a, &f, post.hidden ? "ephemeral_message_id" : "message_id", post.id);
    return f;
}

static struct request edit(const struct tg_sending *s)
{
    struct call_fields f = fields_of_post(s), media = {0};
    struct str file;
    bool hidden = s->plan.post.hidden, picture = s->plan.post.picture && tg_plan_picture(s, &file);
    if (picture) { /* an InputMediaPhoto: the words and the file id, or "attach://picture" */
        tg_call_text(&media, "type", STR("photo"));
        tg_call_text(&media, "media", file.n > 0 ? file : STR("attach://picture"));
        add_words(s, "caption", CAPTION_UNITS, &media);
        tg_call_json(&f, "media", tg_call_print(s->a, &media));
    } else {
        add_text(s, &f);
    }
    add_buttons(s, &f);
    const char *call = hidden ? "editEphemeralMessageMedia" : "editMessageMedia";
    if (picture && file.n == 0)
        return tg_call_with_picture(s->t, s->a, call, &f, s->out->picture_bytes);
    if (!picture)
        call = hidden ? "editEphemeralMessageText" : "editMessageText";
    return tg_call(s->t, s->a, call, &f);
}

/* An inline message; it cannot become a picture. */
static struct request edit_inline(const struct tg_sending *s)
{
    struct call_fields f = {0};
    tg_call_text(&f, "inline_message_id", tg_ids_inline_post(s->out->chat));
    add_text(s, &f);
    add_buttons(s, &f);
    return tg_call(s->t, s->a, "editMessageText", &f);
}

static struct request answer_press(const struct tg_sending *s)
{
    struct call_fields f = {0};
    struct str words = tg_html_plain(s->a, s->out->text, POPUP_UNITS);
    tg_call_text(&f, "callback_query_id", str_skip(s->out->press, 1));
    if (words.n > 0)
        tg_call_text(&f, "text", words);
    if (s->out->alert)
        tg_call_json(&f, "show_alert", STR("true"));
    return tg_call(s->t, s->a, "answerCallbackQuery", &f);
}

/* ---- inline mode ---- */

/* Inline mode: articles for a chat that the bot is not in. The answer to an inline query is a list
 * to choose from; the answer to a guest query is one article, which Telegram posts at once. Both
 * are personal and never cached, because an article may show a hand. */

enum { TITLE_UNITS = 128, ABOUT_UNITS = 512 };

static void put_article(const struct tg_sending *s, const struct article *it, struct buf *b)
{
    struct arena *a = s->a;
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
        tg_call_json(&f, "reply_markup", keyboard_of(s, &button, 1));
    }
    json_put_name(b, NULL);
    buf_put(b, tg_call_print(a, &f));
}

static struct request answer_query(const struct tg_sending *s)
{
    const struct outgoing *out = s->out;
    struct call_fields f = {0};
    size_t cap = 16;
    for (int i = 0; i < out->n_articles; i++) {
        const struct article *it = &out->articles[i];
        cap += 1024 + 8 * (it->id.n + it->title.n + it->about.n + it->label.n) + 16 * it->text.n;
    }
    struct buf b = {arena_alloc(s->a, cap), 0, cap, false};
    if (out->press.p[0] == 'g') {
        put_article(s, &out->articles[0], &b);
        tg_call_text(&f, "guest_query_id", str_skip(out->press, 1));
        tg_call_json(&f, "result", buf_str(&b));
        return tg_call(s->t, s->a, "answerGuestQuery", &f);
    }
    json_put_open(&b, NULL, '[');
    for (int i = 0; i < out->n_articles; i++)
        put_article(s, &out->articles[i], &b);
    buf_char(&b, ']');
    tg_call_text(&f, "inline_query_id", str_skip(out->press, 1));
    tg_call_json(&f, "results", buf_str(&b));
    tg_call_json(&f, "cache_time", STR("0"));
    tg_call_json(&f, "is_personal", STR("true"));
    return tg_call(s->t, s->a, "answerInlineQuery", &f);
}

/* ---- each plan ---- */

void tg_send(void *account, struct arena *a, const struct outgoing *out, struct request *ret)
{
    struct telegram *t = account;
    struct tg_sending s = tg_plan(t, a, out);
    bool hidden = s.plan.post.hidden;
    struct call_fields f;
    *ret = (struct request){.kind = REQUEST_NONE, .what = STR("nothing")};
    if (tg_closed(&s))
        return;
    enum send_action action = s.plan.action;
    if (action == SEND_ASK) {
        f = (struct call_fields){0};
        tg_call_int(a, &f, "chat_id", s.plan.to.chat);
        tg_call_json(&f, "user_id", out->to);
        *ret = tg_call(t, a, "getChatMember", &f);
    } else if (action == SEND_TYPING) {
        f = (struct call_fields){0};
        call_to(&s, &f);
        tg_call_text(&f, "action", STR("typing"));
        *ret = tg_call(t, a, "sendChatAction", &f);
    } else if (action == SEND_ANSWER) {
        *ret = answer_press(&s);
    } else if (action == SEND_ARTICLES) {
        *ret = answer_query(&s);
    } else if (action == SEND_INLINE_EDIT) {
        *ret = edit_inline(&s);
    } else if (action == SEND_NEW) {
        *ret = send_new(&s);
    } else if (action == SEND_PROBE) {
        *ret = send_probe(&s);
    } else if (action == SEND_EDIT) {
        *ret = edit(&s);
    } else if (action == SEND_CLOSE) { /* without reply_markup the message loses its buttons */
        f = fields_of_post(&s);
        *ret = tg_call(t, a, hidden ? "editEphemeralMessageReplyMarkup" : "editMessageReplyMarkup",
                       &f);
    } else if (action == SEND_ERASE || action == SEND_ERASE_PICTURE || action == SEND_CLEAR ||
               action == SEND_RETRACT) {
        f = fields_of_post(&s);
        *ret = tg_call(t, a, hidden ? "deleteEphemeralMessage" : "deleteMessage", &f);
        ret->unpaced = true; /* Telegram counts messages and edits */
    }
}
