/* The buttons under a message, as an InlineKeyboardMarkup. A button that leads back to a board is
 * left out if the board has no link. */
#include "send.h"

#include "html.h"
#include "utf8.h"

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
    buf_put(out, STR("{\"text\":"));
    tg_json_string(out, label.n > 0 ? label : STR("·"));
    if (b->style == BUTTON_LINK || b->style == BUTTON_BACK || b->style == BUTTON_ADD) {
        buf_put(out, STR(",\"url\":"));
        tg_json_string(
            out, b->style == BUTTON_BACK ? address(a, of)
                 : b->style == BUTTON_ADD
                     ? arena_print(a, "https://t.me/%s?startgroup", t->handle)
                     : arena_print(a, "https://t.me/%s?start=%.*s", t->handle, STR_ARG(b->data)));
    } else {
        buf_put(out, b->style == BUTTON_QUERY ? STR(",\"switch_inline_query_current_chat\":")
                                              : STR(",\"callback_data\":"));
        tg_json_string(out, b->data);
    }
    if (b->style < sizeof styles / sizeof *styles && styles[b->style])
        buf_print(out, ",\"style\":\"%s\"", styles[b->style]);
    buf_char(out, '}');
}

struct str tg_keyboard(const struct telegram *t, struct arena *a, const struct outgoing *out,
                       const struct button *buttons, int n)
{
    size_t cap = 64;
    int shown = 0;
    bool new_row = false;
    for (int i = 0; i < n; i++)
        cap += 192 + buttons[i].label.n * 6 + buttons[i].data.n * 2 + sizeof t->handle;
    struct buf b = {arena_room(a, cap), 0, cap, false};
    buf_put(&b, STR("{\"inline_keyboard\":[["));
    for (int i = 0; i < n; i++) {
        if (can_show(out, &buttons[i])) {
            if (shown++ > 0)
                buf_put(&b, new_row ? STR("],[") : STR(","));
            put_button(t, a, out, &buttons[i], &b);
            new_row = false;
        }
        new_row |= buttons[i].row_end;
    }
    buf_put(&b, STR("]]}"));
    return shown > 0 ? buf_str(&b) : STR("");
}
