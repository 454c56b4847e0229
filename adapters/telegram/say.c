/* One step of saying one thing: an outgoing -> a call. Everything that may differ by kind of
 * message (new or edited, with a picture or not, for all or for one) is decided here, once:
 *
 *     post       picture    call
 *     none       no         sendMessage
 *     none       yes        sendPhoto
 *     a text     either     editMessageText
 *     a picture  yes        editMessageMedia
 *     a picture  no         deleteMessage, then sendMessage
 *
 * and, where we are not, editMessageText by inline_message_id; and the edit...Ephemeral... forms
 * where one person sees it. A text stays a text, although it could be turned into a picture: the
 * way back is a new message, and words that are now and then too long for a caption would come and
 * go. Should the network refuse a part of it (a picture it cannot read, a formatting of ours it
 * does not know) verdict.c answers MORE with a progress, and the next step leaves that part out. */
#include "say.h"

#include "html.h"
#include "utf8.h"

/* ---- the parts of a message ---- */

static void add_buttons(const struct telegram *t, struct arena *a, const struct outgoing *out,
                        struct fields *f)
{
    struct str keyboard = tg_keyboard(t, a, out, out->buttons, out->n_buttons);
    if (keyboard.n > 0)
        tg_field_json(f, "reply_markup", keyboard);
}

static void add_int(struct arena *a, struct fields *f, const char *name, int64_t n)
{
    tg_field_json(f, name, arena_print(a, "%lld", (long long)n));
}

static void add_words(struct arena *a, const struct outgoing *out, struct way w, const char *name,
                      size_t most, struct fields *f)
{
    tg_field_text(f, name, w.plain ? tg_plain(a, out->text, most) : tg_html(a, out->text, most));
    if (!w.plain)
        tg_field_text(f, "parse_mode", STR("HTML"));
}

static void add_text(struct arena *a, const struct outgoing *out, struct way w, struct fields *f)
{
    add_words(a, out, w, "text", TEXT_UNITS, f);
    tg_field_json(f, "link_preview_options", STR("{\"is_disabled\":true}"));
}

/* An InputMediaPhoto: the words and the file id, or "attach://picture". */
static void add_media(struct arena *a, const struct outgoing *out, struct way w, struct str file,
                      struct fields *f)
{
    struct fields media = {0};
    tg_field_text(&media, "type", STR("photo"));
    tg_field_text(&media, "media", file.n > 0 ? file : STR("attach://picture"));
    add_words(a, out, w, "caption", CAPTION_UNITS, &media);
    tg_field_json(f, "media", tg_fields_json(a, &media));
}

/* Who alone sees it, and what gives us the right to speak to them. */
static void add_receiver(struct arena *a, const struct outgoing *out, struct fields *f)
{
    struct fields e = {0};
    tg_field_json(&e, "receiver_user_id", out->to);
    if (out->press.n > 1 && out->press.p[0] == 'q')
        tg_field_text(&e, "callback_query_id", str_skip(out->press, 1));
    tg_field_json(f, "ephemeral_message_parameters", tg_fields_json(a, &e));
    if (out->press.n > 1 && out->press.p[0] == 'e')
        tg_field_json(
            f, "reply_parameters",
            arena_print(a, "{\"ephemeral_message_id\":%.*s}", STR_ARG(str_skip(out->press, 1))));
}

static void add_reply(struct arena *a, const struct outgoing *out, struct fields *f)
{
    struct post p;
    if (out->reply_to.n > 0 && tg_post_read(out->reply_to, &p) && !p.hidden)
        tg_field_json(f, "reply_parameters",
                      arena_print(a, "{\"message_id\":%lld,\"allow_sending_without_reply\":true}",
                                  (long long)p.id));
}

/* ---- the calls ---- */

/* True if all of it can be seen under a picture. A time takes at most so many units. */
static bool fits_caption(struct str text)
{
    enum { TIME_UNITS = 40 };
    size_t units = 0;
    while (text.n > 0) {
        uint32_t c = utf8_next(&text);
        units += c == MARK_TIME ? TIME_UNITS : c < ' ' && c != '\n' ? 0 : c > 0xFFFF ? 2 : 1;
    }
    return units <= CAPTION_UNITS;
}

/* The picture is there and may be used. `file`: as the network's own id, if that is known and
 * works. */
static bool has_picture(const struct outgoing *out, struct way w, struct str *file)
{
    *file = w.no_file ? STR("") : out->picture_file;
    return !w.no_picture && (file->n > 0 || out->picture_bytes.n > 0) && fits_caption(out->text);
}

static struct request send_new(struct telegram *t, struct arena *a, const struct outgoing *out,
                               struct place p, bool hidden, struct way w)
{
    struct fields f = {0};
    struct str file;
    bool picture = has_picture(out, w, &file);
    add_int(a, &f, "chat_id", p.chat);
    if (p.thread)
        add_int(a, &f, "message_thread_id", p.thread);
    if (hidden)
        add_receiver(a, out, &f);
    else
        add_reply(a, out, &f);
    if (picture) {
        tg_field_text(&f, "photo", file.n > 0 ? file : STR("attach://picture"));
        /* cards of one person are not passed on by a slip of the finger */
        if (out->where != TO_CHAT)
            tg_field_json(&f, "protect_content", STR("true"));
        add_words(a, out, w, "caption", CAPTION_UNITS, &f);
    } else {
        add_text(a, out, w, &f);
    }
    if (!out->notify && !hidden)
        tg_field_json(&f, "disable_notification", STR("true"));
    add_buttons(t, a, out, &f);
    if (picture && file.n == 0)
        return tg_call_with_picture(t, a, "sendPhoto", &f, out->picture_bytes);
    return tg_call(t, a, picture ? "sendPhoto" : "sendMessage", &f);
}

/* The fields that say which message it is. */
static void add_post(struct arena *a, const struct outgoing *out, int64_t chat, struct post post,
                     struct fields *f)
{
    add_int(a, f, "chat_id", chat);
    if (post.hidden)
        tg_field_json(f, "receiver_user_id", out->to);
    add_int(a, f, post.hidden ? "ephemeral_message_id" : "message_id", post.id);
}

static struct request edit(struct telegram *t, struct arena *a, const struct outgoing *out,
                           int64_t chat, struct post post, struct way w)
{
    struct fields f = {0};
    struct str file;
    bool picture = post.picture && has_picture(out, w, &file);
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

/* A message of ours where we are not: pictures cannot be brought there. */
static struct request edit_one_post(struct telegram *t, struct arena *a, const struct outgoing *out,
                                    struct way w)
{
    struct fields f = {0};
    tg_field_text(&f, "inline_message_id", tg_one_post(out->chat));
    add_text(a, out, w, &f);
    add_buttons(t, a, out, &f);
    return tg_call(t, a, "editMessageText", &f);
}

static struct request erase(struct telegram *t, struct arena *a, const struct outgoing *out,
                            int64_t chat, struct post post)
{
    struct fields f = {0};
    add_post(a, out, chat, post, &f);
    return tg_call(t, a, post.hidden ? "deleteEphemeralMessage" : "deleteMessage", &f);
}

static struct request answer(struct telegram *t, struct arena *a, const struct outgoing *out)
{
    struct fields f = {0};
    struct str words = tg_plain(a, out->text, POPUP_UNITS);
    tg_field_text(&f, "callback_query_id", str_skip(out->press, 1));
    if (words.n > 0)
        tg_field_text(&f, "text", words);
    if (out->alert)
        tg_field_json(&f, "show_alert", STR("true"));
    return tg_call(t, a, "answerCallbackQuery", &f);
}

/* The chat a message goes to: a private chat has its person's number. */
static bool destination(const struct outgoing *out, struct place *ret)
{
    if (out->where != TO_DIRECT)
        return tg_place_read(out->chat, ret);
    return tg_place_read(out->direct_chat.n > 0 ? out->direct_chat : out->to, ret);
}

static bool needs_handle(const struct outgoing *out)
{
    for (int i = 0; i < out->n_buttons; i++)
        if (out->buttons[i].style == BUTTON_LINK)
            return true;
    return false;
}

static struct step step_of(const struct telegram *t, const struct outgoing *out, struct way w)
{
    struct step s = {.saying = SAYING_NOTHING};
    struct str file;
    bool to_press = out->press.n > 1 && out->press.p[0] == 'q';
    if (out->kind == OUT_ANSWER && to_press) {
        s.saying = SAYING_ANSWER;
        return s;
    }
    if (out->kind == OUT_ANSWER && out->press.n > 1 &&
        (out->press.p[0] == 'i' || out->press.p[0] == 'g')) {
        bool none = out->press.p[0] == 'g' && out->n_articles == 0;
        s.saying = none ? SAYING_NOTHING : SAYING_ARTICLES;
        return s;
    }
    if (tg_one_post(out->chat).n > 0 && out->where == TO_CHAT) {
        bool post = out->kind == OUT_POST && out->text.n > 0;
        s.saying = !post                              ? SAYING_NOTHING
                   : needs_handle(out) && !*t->handle ? SAYING_LATER
                                                      : SAYING_ONE_POST;
        return s;
    }
    if (!destination(out, &s.place) || (out->kind != OUT_ERASE && out->text.n == 0))
        return s;
    if (needs_handle(out) && !*t->handle) {
        s.saying = SAYING_LATER;
        return s;
    }
    if (out->kind == OUT_ANSWER) { /* to a command typed unseen */
        s.saying = out->press.n > 1 ? SAYING_NEW : SAYING_NOTHING;
        return s;
    }
    bool known = out->post.n > 0 && !w.erased && tg_post_read(out->post, &s.post);
    if (known && out->kind == OUT_ERASE)
        s.saying = SAYING_ERASE;
    else if (known)
        s.saying = s.post.picture && !has_picture(out, w, &file) ? SAYING_ROOM : SAYING_EDIT;
    else if (out->kind == OUT_POST && (!out->replace_only || w.erased))
        s.saying = SAYING_NEW;
    return s;
}

struct step tg_step(const struct telegram *t, const struct outgoing *out)
{
    struct way w = tg_way(out->progress);
    struct step s = step_of(t, out, w);
    struct str file;
    bool unseen = out->kind == OUT_ANSWER || out->where == TO_WHISPER;
    s.hidden = s.saying == SAYING_NEW && unseen && s.place.chat < 0 && !tg_is_nobody(out->to);
    if (s.hidden)
        tg_hide(t, out, w, &s);
    if (s.saying == SAYING_EDIT && w.filling)
        s.post.picture = has_picture(out, w, &file);
    return s;
}

/* A card's back, to see whether it is hidden. */
static struct request try_new(struct telegram *t, struct arena *a, const struct outgoing *out,
                              struct place place)
{
    struct outgoing back = *out;
    back.text = STR("\U0001F3B4");
    back.picture_bytes = back.picture_file = STR("");
    back.n_buttons = 0;
    tg_try(t, out);
    return send_new(t, a, &back, place, true, (struct way){0});
}

void tg_say(struct telegram *t, struct arena *a, const struct outgoing *out, struct request *ret)
{
    struct way w = tg_way(out->progress);
    struct step s = tg_step(t, out);
    *ret = (struct request){.kind = REQUEST_NONE, .what = STR("nothing")};
    switch (s.saying) {
    case SAYING_ANSWER:
        *ret = answer(t, a, out);
        break;
    case SAYING_ARTICLES:
        *ret = tg_articles(t, a, out);
        break;
    case SAYING_ONE_POST:
        *ret = edit_one_post(t, a, out, w);
        break;
    case SAYING_NEW:
        *ret = send_new(t, a, out, s.place, s.hidden, w);
        break;
    case SAYING_TRY:
        *ret = try_new(t, a, out, s.place);
        break;
    case SAYING_EDIT:
        *ret = edit(t, a, out, s.place.chat, s.post, w);
        break;
    case SAYING_ERASE:
    case SAYING_ROOM:
    case SAYING_TAKE_BACK:
        *ret = erase(t, a, out, s.place.chat, s.post);
        break;
    case SAYING_NOTHING:
    case SAYING_LATER:
    case SAYING_UNHIDDEN:
        break;
    }
}
