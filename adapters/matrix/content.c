/* The event that a message of the outbox becomes: where it goes, what it replaces, and its content
 * as JSON. Every event has m.mentions, if need be empty: without it clients look for names in the
 * text. An edit mentions no one again. */
#include "send.h"

static const struct str POLL_PREFIX = {"poll:", 5}, IMAGE_PREFIX = {"image:", 6};

struct room_ref content_place(const struct sending *s)
{
    const struct outgoing *out = s->out;
    struct room_ref at;
    bool removal = out->kind == OUT_ERASE || out->kind == OUT_CLOSE || out->kind == OUT_TYPING;
    struct str direct = removal ? out->direct_chat : s->progress.room;
    bool here = out->where == TO_CHAT || (removal && direct.n == 0);
    at.room = str_cut(here ? out->chat : direct, ' ', &at.thread);
    return at;
}

bool content_is_poll(const struct sending *s)
{
    const struct outgoing *out = s->out;
    int answers = 0;
    for (int i = 0; i < out->n_buttons && answers == 0; i++)
        answers += out->buttons[i].style != BUTTON_LINK && out->buttons[i].label.n > 0;
    if (!s->m->polls || out->kind != OUT_POST || answers == 0)
        return false;
    const struct room *known = rooms_find(s->m->known, content_place(s).room);
    return out->where != TO_CHAT || (known && known->with.n > 0);
}

bool content_is_post_of_poll(struct str post)
{
    return str_starts(post, POLL_PREFIX);
}

struct str content_picture(const struct sending *s)
{
    struct str picture = s->progress.picture;
    if (str_is(picture, STR("-")))
        return STR("");
    return picture.n > 0 || s->progress.bare ? picture : s->out->picture_file;
}

struct str content_event_id(struct str post)
{
    post = str_word(&post);
    if (str_starts(post, POLL_PREFIX))
        return str_skip(post, POLL_PREFIX.n);
    return str_starts(post, IMAGE_PREFIX) ? str_skip(post, IMAGE_PREFIX.n) : post;
}

bool content_uploads(const struct sending *s)
{
    const struct outgoing *out = s->out;
    bool fresh = s->progress.picture.n == 0;
    if (out->file.n > 0)
        return fresh;
    return s->m->pictures && out->picture_bytes.n > 0 && fresh && out->picture_file.n == 0;
}

struct str content_replaced(const struct sending *s)
{
    const struct outgoing *out = s->out;
    struct str id = content_event_id(out->post);
    bool pictured = content_uploads(s) || content_picture(s).n > 0;
    if (out->notify || content_is_poll(s) || !wire_is_event_id(id))
        return STR("");
    bool image = str_starts(out->post, IMAGE_PREFIX), text = out->post.p[0] == '$';
    return (pictured ? image : text) ? id : STR("");
}

/* ---- parts of a content ---- */

static void put_words(struct buf *b, struct str plain, struct str html)
{
    json_put_str(b, "body", plain);
    if (html.n > 0)
        JSON_PUT(b, "'format':'org.matrix.custom.html','formatted_body':$", html);
}

static bool is_named(const struct rendered *text, struct str id)
{
    for (int i = 0; i < text->n_named; i++)
        if (str_is(text->named[i], id))
            return true;
    return false;
}

/* Those whom the text names, or else whom it is for, and who must learn it: a room may be set to ring
 * for mentions alone. */
static void put_mentions(struct buf *b, const struct outgoing *out, const struct rendered *text)
{
    json_put_open(b, "m.mentions", '{');
    if (out->notify) {
        json_put_open(b, "user_ids", '[');
        for (int i = 0; i < text->n_named; i++)
            json_put_str(b, NULL, text->named[i]);
        bool to = text->n_named == 0 && wire_is_user_id(out->to);
        if (to)
            json_put_str(b, NULL, out->to);
        for (struct str id, rest = out->learners; rest.n > 0;) {
            id = str_cut(rest, '\n', &rest);
            if (wire_is_user_id(id) && !(to && str_is(id, out->to)) && !is_named(text, id))
                json_put_str(b, NULL, id);
        }
        buf_char(b, ']');
    }
    buf_char(b, '}');
}

static int64_t big_endian(struct str bytes, size_t at)
{
    int64_t n = 0;
    for (size_t i = 0; i < 4 && at + i < bytes.n; i++)
        n = n * 256 + (unsigned char)bytes.p[at + i];
    return n;
}

struct str content_picture_name(struct arena *a, struct str mxc, struct str png)
{
    enum { PNG_WIDTH = 16, PNG_HEIGHT = 20, PNG_HEAD = 24 };
    if (png.n <= PNG_HEAD)
        return mxc;
    return arena_print(a, "%.*s#%lld,%lld,%zu", STR_ARG(mxc), (long long)big_endian(png, PNG_WIDTH),
                       (long long)big_endian(png, PNG_HEIGHT), png.n);
}

static void put_size(struct buf *b, const char *name, struct str *sizes)
{
    int64_t n;
    if (str_int(str_cut(*sizes, ',', sizes), &n))
        json_put_int(b, name, n);
}

/* "mxc://...#800,612,45123;{...}": behind the ; stand the keys of an encrypted file. Returns the
 * sizes. */
static struct str put_address(struct buf *b, struct str picture)
{
    struct str keys, sizes, rest = str_cut(picture, ';', &keys), mxc = str_cut(rest, '#', &sizes);
    struct json file = json_open(keys, JSON_LOOSE);
    if (!file.at) {
        json_put_str(b, "url", mxc);
    } else {
        json_set_str(file, "url", mxc);
        json_put_value(b, "file", file);
    }
    json_free(file);
    return sizes;
}

static struct str message_type(const struct sending *s)
{
    return s->out->file.n > 0         ? STR("m.file")
           : content_picture(s).n > 0 ? STR("m.image")
           : s->out->notify           ? STR("m.text")
                                      : STR("m.notice");
}

/* An event with a file, a picture or text alone, up to its words. */
static void put_head(struct buf *b, const struct sending *s)
{
    const struct outgoing *out = s->out;
    struct str picture = content_picture(s);
    json_put_str(b, "msgtype", message_type(s));
    if (picture.n == 0 && out->file.n == 0)
        return;
    json_put_str(b, "filename", out->file.n > 0 ? out->file_name : STR(PICTURE_NAME));
    struct str sizes = put_address(b, picture);
    json_put_open(b, "info", '{');
    json_put_str(b, "mimetype",
                 out->file.n > 0 ? STR("application/octet-stream") : STR("image/png"));
    if (out->file.n > 0) {
        json_put_int(b, "size", (int64_t)out->file.n);
    } else {
        put_size(b, "w", &sizes);
        put_size(b, "h", &sizes);
        put_size(b, "size", &sizes);
    }
    buf_char(b, '}');
}

static void put_relation(struct buf *b, struct str reply, struct str thread)
{
    bool answers = wire_is_event_id(reply), threaded = wire_is_event_id(thread);
    if (!answers && !threaded)
        return;
    JSON_PUT(b, "'m.relates_to':{");
    if (threaded) {
        JSON_PUT(b, "'rel_type':'m.thread','event_id':$", thread);
        json_put_bool(b, "is_falling_back", !answers);
    }
    JSON_PUT(b, "'m.in_reply_to':{'event_id':$}}", answers ? reply : thread);
}

/* ---- events ---- */

/* The event that replaces another. Its body, for old clients, begins with a star; it notifies no
 * one. */
static void put_edit(struct buf *b, const struct sending *s, const struct rendered *text,
                     struct str event)
{
    struct str picture = content_picture(s);
    json_put_str(b, "msgtype", message_type(s));
    json_put_str(b, "body", arena_print(s->a, "* %.*s", STR_ARG(text->plain)));
    if (picture.n > 0)
        (void)put_address(b, picture);
    JSON_PUT(b, "'m.mentions':{},'m.new_content':{");
    put_head(b, s);
    put_words(b, text->plain, text->html);
    JSON_PUT(b, "'m.mentions':{}},'m.relates_to':{'rel_type':'m.replace','event_id':$}", event);
}

/* What a line lacks to end like a sentence: a stop, that of its script. */
static const char *stop_of(struct str line)
{
    static const char *const ends[] = {".", ":", ";", "?", "!", "…", "。", "：", "；", "？", "！"};
    size_t last = line.n;
    while (last > 0 && ((unsigned char)line.p[--last] & 0xc0) == 0x80)
        ;
    struct str sign = str_skip(line, last);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (str_is(sign, str_of(ends[i])))
            return "";
    bool wide = sign.n == 3 && (unsigned char)sign.p[0] >= 0xe3; /* from U+3000 on */
    return line.n == 0 ? "" : wide ? "。" : ".";
}

/* Each line ends like a sentence: some clients show a question without its line breaks. */
static struct str in_sentences(struct arena *a, struct str text)
{
    struct str all = {0}, line;
    while (text.n > 0) {
        line = str_cut(text, '\n', &text);
        all = arena_print(a, "%.*s%s%.*s%s", STR_ARG(all), all.n > 0 ? "\n" : "", STR_ARG(line),
                          stop_of(line));
    }
    return all;
}

/* What stands under a picture above a poll, and on the lock screen. */
static struct str caption_of(const struct sending *s, struct str text)
{
    struct str rest, given = s->out->caption,
                     lines = in_sentences(s->a, given.n > 0 ? given : str_cut(text, '\n', &rest));
    struct buf b = {arena_alloc(s->a, lines.n + 1), 0, lines.n, false};
    for (size_t i = 0; i < lines.n; i++)
        buf_char(&b, lines.p[i] == '\n' ? ' ' : lines.p[i]);
    return buf_str(&b);
}

/* A poll (MSC3381) with the buttons as answers; quiet: its picture has notified already. */
static void put_poll(struct buf *b, const struct sending *s, const struct rendered *text,
                     bool quiet)
{
    const struct outgoing *out = s->out;
    struct str plain = in_sentences(s->a, text->plain), all = plain;
    int n = 0;
    JSON_PUT(b,
             "'org.matrix.msc3381.poll.start':{'question':{'org.matrix.msc1767.text':$},"
             "'kind':'org.matrix.msc3381.poll.disclosed','max_selections':1,'answers':[",
             plain);
    for (int i = 0; i < out->n_buttons && n < POLL_ANSWERS; i++) {
        const struct button *button = &out->buttons[i];
        if (button->style == BUTTON_LINK || button->label.n == 0)
            continue;
        struct str label = markup_render(s->a, button->label).plain;
        JSON_PUT(b, "{'id':$,'org.matrix.msc1767.text':$}", button->data, label);
        all = arena_print(s->a, "%.*s\n- %.*s", STR_ARG(all), STR_ARG(label));
        n++;
    }
    JSON_PUT(b, "]},'org.matrix.msc1767.text':$", all);
    if (quiet) /* the rule .m.rule.suppress_notices asks for the msgtype alone */
        JSON_PUT(b, "'msgtype':'m.notice','m.mentions':{}");
    else
        put_mentions(b, out, text);
}

struct room_event content_event(const struct sending *s, bool image_alone)
{
    const struct outgoing *out = s->out;
    struct rendered text = markup_render(s->a, out->text);
    struct str replaced = content_replaced(s);
    struct room_event event = {.type = "m.room.message", .part = 'e'};
    size_t texts = 2 * out->caption.n + 3 * (text.plain.n + text.html.n) +
                   2 * content_picture(s).n + out->file_name.n + (MAX_NAMED + 4) * (size_t)ID_BYTES;
    for (int i = 0; i < out->n_buttons; i++)
        texts += 64 + 2 * out->buttons[i].label.n + out->buttons[i].data.n;
    struct buf b = wire_object(s->a, texts);
    if (image_alone) { /* it notifies instead of the poll below it */
        event.part = 'i';
        put_head(&b, s);
        put_words(&b, caption_of(s, text.plain), STR(""));
        put_mentions(&b, out, &text);
    } else if (content_is_poll(s)) {
        event = (struct room_event){.type = "org.matrix.msc3381.poll.start", .part = 'p'};
        put_poll(&b, s, &text, s->progress.image.n > 0);
    } else if (replaced.n > 0) {
        put_edit(&b, s, &text, replaced);
    } else {
        put_head(&b, s);
        put_words(&b, text.plain, text.html);
        put_mentions(&b, out, &text);
        struct str thread = out->reply_to, asked = str_word(&thread);
        if (content_place(s).thread.n > 0)
            thread = content_place(s).thread;
        if (!s->progress.bare)
            put_relation(&b, content_event_id(asked), str_trim(thread));
    }
    buf_char(&b, '}');
    event.content = buf_str(&b);
    return event;
}
