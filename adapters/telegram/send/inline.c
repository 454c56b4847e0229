/* Inline mode: articles for a chat that the bot is not in. The answer to an inline query is a list
 * to choose from; the answer to a guest query is one article, which Telegram posts at once. Both
 * are personal and never cached, because an article may show a hand. */
#include "send.h"

#include "html.h"

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
        tg_call_json(&f, "reply_markup", tg_keyboard(t, a, out, &button, 1));
    }
    buf_put(b, tg_call_print(a, &f));
}

struct request tg_inline_answer(struct telegram *t, struct arena *a, const struct outgoing *out)
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
    buf_char(&b, '[');
    for (int i = 0; i < out->n_articles; i++) {
        if (i > 0)
            buf_char(&b, ',');
        put_article(t, a, out, &out->articles[i], &b);
    }
    buf_char(&b, ']');
    tg_call_text(&f, "inline_query_id", str_skip(out->press, 1));
    tg_call_json(&f, "results", buf_str(&b));
    tg_call_json(&f, "cache_time", STR("0"));
    tg_call_json(&f, "is_personal", STR("true"));
    return tg_call(t, a, "answerInlineQuery", &f);
}
