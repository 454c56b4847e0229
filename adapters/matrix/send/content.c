/* See content.h. Every event has m.mentions, if need be empty: without it clients look for names in
 * the text. An edit mentions no one again. */
#include "content.h"

static void put_words(cJSON *content, struct str plain, struct str html)
{
    wire_put(content, "body", plain);
    if (html.n > 0) {
        cJSON_AddStringToObject(content, "format", "org.matrix.custom.html");
        wire_put(content, "formatted_body", html);
    }
}

static void put_mentions(struct arena *a, cJSON *content, const struct outgoing *out,
                         const struct rendered *text)
{
    cJSON *mentions = cJSON_AddObjectToObject(content, "m.mentions");
    if (!out->notify)
        return;
    cJSON *ids = cJSON_AddArrayToObject(mentions, "user_ids");
    for (int i = 0; i < text->n_named; i++)
        cJSON_AddItemToArray(ids, cJSON_CreateString(arena_str(a, text->named[i]).p));
    if (text->n_named == 0 && wire_is_user_id(out->to))
        cJSON_AddItemToArray(ids, cJSON_CreateString(arena_str(a, out->to).p));
}

static int64_t big_endian(struct str bytes, size_t at)
{
    int64_t n = 0;
    for (size_t i = 0; i < 4 && at + i < bytes.n; i++)
        n = n * 256 + (unsigned char)bytes.p[at + i];
    return n;
}

struct str content_picture(struct arena *a, struct str mxc, struct str png)
{
    enum { PNG_WIDTH = 16, PNG_HEIGHT = 20, PNG_HEAD = 24 };
    if (png.n <= PNG_HEAD)
        return mxc;
    return arena_print(a, "%.*s#%lld,%lld,%zu", STR_ARG(mxc), (long long)big_endian(png, PNG_WIDTH),
                       (long long)big_endian(png, PNG_HEIGHT), png.n);
}

static void put_size(cJSON *info, const char *name, struct str *sizes)
{
    int64_t n;
    if (str_int(str_cut(*sizes, ',', sizes), &n))
        cJSON_AddNumberToObject(info, name, (double)n);
}

/* "mxc://...#800,612,45123;{...}": behind the ; stand the keys of a sealed file. */
static struct str put_address(cJSON *content, struct str picture)
{
    struct str keys, sizes, rest = str_cut(picture, ';', &keys), mxc = str_cut(rest, '#', &sizes);
    cJSON *file = keys.n > 0 ? wire_parse(keys) : NULL;
    if (!file) {
        wire_put(content, "url", mxc);
        return sizes;
    }
    wire_put(file, "url", mxc);
    cJSON_AddItemToObject(content, "file", file);
    return sizes;
}

static cJSON *image_content(const struct event_parts *w)
{
    cJSON *content = cJSON_CreateObject();
    cJSON_AddStringToObject(content, "msgtype", "m.image");
    cJSON_AddStringToObject(content, "filename", PICTURE_NAME);
    struct str sizes = put_address(content, w->picture);
    cJSON *info = cJSON_AddObjectToObject(content, "info");
    cJSON_AddStringToObject(info, "mimetype", "image/png");
    put_size(info, "w", &sizes);
    put_size(info, "h", &sizes);
    put_size(info, "size", &sizes);
    return content;
}

static cJSON *file_content(struct arena *a, const struct event_parts *w)
{
    cJSON *content = cJSON_CreateObject();
    cJSON_AddStringToObject(content, "msgtype", "m.file");
    cJSON_AddStringToObject(content, "filename", arena_str(a, w->out->file_name).p);
    (void)put_address(content, w->picture);
    cJSON *info = cJSON_AddObjectToObject(content, "info");
    cJSON_AddStringToObject(info, "mimetype", "application/octet-stream");
    cJSON_AddNumberToObject(info, "size", (double)w->out->file.n);
    return content;
}

static cJSON *text_content(const struct outgoing *out)
{
    cJSON *content = cJSON_CreateObject();
    cJSON_AddStringToObject(content, "msgtype", out->notify ? "m.text" : "m.notice");
    return content;
}

static void put_relation(cJSON *content, struct str reply, struct str thread)
{
    if (!wire_is_event_id(reply) && !wire_is_event_id(thread))
        return;
    cJSON *relation = cJSON_AddObjectToObject(content, "m.relates_to");
    if (wire_is_event_id(thread)) {
        cJSON_AddStringToObject(relation, "rel_type", "m.thread");
        wire_put(relation, "event_id", thread);
        cJSON_AddBoolToObject(relation, "is_falling_back", !wire_is_event_id(reply));
    }
    wire_put(cJSON_AddObjectToObject(relation, "m.in_reply_to"), "event_id",
             wire_is_event_id(reply) ? reply : thread);
}

/* The event that replaces another. Its body, for old clients, begins with a star; it notifies no
 * one. */
static cJSON *edit_of(struct arena *a, cJSON *content, struct str event, struct str plain)
{
    cJSON *edit = cJSON_CreateObject();
    wire_put(edit, "msgtype", wire_str(a, content, "msgtype"));
    wire_put(edit, "body", arena_print(a, "* %.*s", STR_ARG(plain)));
    if (wire_at(content, "url"))
        wire_put(edit, "url", wire_str(a, content, "url"));
    if (wire_at(content, "file"))
        cJSON_AddItemToObject(edit, "file", cJSON_Duplicate(wire_at(content, "file"), true));
    cJSON_AddObjectToObject(edit, "m.mentions");
    cJSON_AddItemToObject(edit, "m.new_content", content);
    cJSON *relation = cJSON_AddObjectToObject(edit, "m.relates_to");
    cJSON_AddStringToObject(relation, "rel_type", "m.replace");
    wire_put(relation, "event_id", event);
    return edit;
}

/* Each line ends like a sentence: some clients show a question without its line breaks. */
static struct str in_sentences(struct arena *a, struct str text)
{
    struct str all = {0}, line;
    while (text.n > 0) {
        line = str_cut(text, '\n', &text);
        bool open = line.n > 0 && !strchr(".:;?!", line.p[line.n - 1]);
        all = arena_print(a, "%.*s%s%.*s%s", STR_ARG(all), all.n > 0 ? "\n" : "", STR_ARG(line),
                          open ? "." : "");
    }
    return all;
}

cJSON *content_poll(struct arena *a, const struct event_parts *w)
{
    const struct outgoing *out = w->out;
    struct str plain = in_sentences(a, w->text.plain);
    cJSON *content = cJSON_CreateObject();
    cJSON *poll = cJSON_AddObjectToObject(content, "org.matrix.msc3381.poll.start");
    wire_put(cJSON_AddObjectToObject(poll, "question"), "org.matrix.msc1767.text", plain);
    cJSON_AddStringToObject(poll, "kind", "org.matrix.msc3381.poll.disclosed");
    cJSON_AddNumberToObject(poll, "max_selections", 1);
    cJSON *answers = cJSON_AddArrayToObject(poll, "answers");
    struct str all = plain;
    for (int i = 0; i < out->n_buttons && cJSON_GetArraySize(answers) < POLL_ANSWERS; i++) {
        const struct button *b = &out->buttons[i];
        if (b->style == BUTTON_LINK || b->label.n == 0)
            continue;
        struct str label = markup_render(a, b->label).plain;
        cJSON *answer = cJSON_CreateObject();
        wire_put(answer, "id", b->data);
        wire_put(answer, "org.matrix.msc1767.text", label);
        cJSON_AddItemToArray(answers, answer);
        all = arena_print(a, "%.*s\n- %.*s", STR_ARG(all), STR_ARG(label));
    }
    wire_put(content, "org.matrix.msc1767.text", all);
    if (w->quiet) { /* the rule .m.rule.suppress_notices asks for the msgtype alone */
        cJSON_AddStringToObject(content, "msgtype", "m.notice");
        cJSON_AddObjectToObject(content, "m.mentions");
    } else {
        put_mentions(a, content, out, &w->text);
    }
    return content;
}

cJSON *content_poll_end(struct str poll)
{
    cJSON *content = cJSON_CreateObject();
    cJSON *relation = cJSON_AddObjectToObject(content, "m.relates_to");
    cJSON_AddStringToObject(relation, "rel_type", "m.reference");
    wire_put(relation, "event_id", poll);
    cJSON_AddObjectToObject(content, "org.matrix.msc3381.poll.end");
    cJSON_AddStringToObject(content, "org.matrix.msc1767.text",
                            "\u23F9"); /* for clients without polls */
    cJSON_AddObjectToObject(content, "m.mentions");
    return content;
}

cJSON *content_image(struct arena *a, const struct event_parts *w)
{
    cJSON *content = image_content(w);
    put_words(content, str_of(PICTURE_NAME), STR(""));
    put_mentions(a, content, w->out, &w->text);
    return content;
}

cJSON *content_message(struct arena *a, const struct event_parts *w)
{
    cJSON *content = w->out->file.n > 0 ? file_content(a, w)
                     : w->picture.n > 0 ? image_content(w)
                                        : text_content(w->out);
    put_words(content, w->text.plain, w->text.html);
    if (w->replaces.n > 0) {
        cJSON_AddObjectToObject(content, "m.mentions");
        return edit_of(a, content, w->replaces, w->text.plain);
    }
    put_mentions(a, content, w->out, &w->text);
    put_relation(content, w->answers, w->thread);
    return content;
}
