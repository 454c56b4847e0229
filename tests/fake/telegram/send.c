/* Methods that send, edit and delete messages. A load only counts messages and checks lengths; a
 * story keeps and checks every message. */
#include "api.h"

#define SECOND 1000000000LL

struct content {
    struct text_buffer text, entities;
    const cJSON *markup;
    char *photo, *document;
    bool is_media, has_text;
};

static void content_free(struct content *k)
{
    txt_free(&k->text);
    txt_free(&k->entities);
    free(k->photo);
    free(k->document);
    *k = (struct content){0};
}

static bool is(const struct tg_call *c, const char *part)
{
    return strstr(c->method, part);
}

/* ---- the chat ---- */

static const char *door_fault(const struct tg_chat *chat)
{
    const struct tg_person *p = chat->kind == CHAT_PRIVATE ? world_person(chat->id) : NULL;
    bool group = chat->kind == CHAT_GROUP;
    if (p && !p->opened)
        return "Forbidden: bot can't initiate conversation with a user";
    if (p && p->blocked)
        return "Forbidden: bot was blocked by the user";
    if (chat->bot == BOT_KICKED)
        return group ? "Forbidden: bot was kicked from the group chat"
                     : "Forbidden: bot was kicked from the supergroup chat";
    if (chat->bot == BOT_LEFT)
        return group ? "Forbidden: bot is not a member of the group chat"
                     : "Forbidden: bot is not a member of the supergroup chat";
    return NULL;
}

struct tg_chat *send_to(struct tg_call *c, const char **ret_fault)
{
    int64_t id = param_int(c->p, "chat_id", 0);
    struct tg_chat *chat = id ? world_chat(id) : NULL;
    if (chat && chat->moved_to) {
        char more[80];
        snprintf(more, sizeof more, ",\"parameters\":{\"migrate_to_chat_id\":%lld}",
                 (long long)chat->moved_to);
        api_refuse(c->from, 400, "Bad Request: group chat was upgraded to a supergroup chat", more);
        c->answered = true;
        return NULL;
    }
    *ret_fault = !id ? "chat_id is empty" : !chat ? "chat not found" : door_fault(chat);
    return *ret_fault ? NULL : chat;
}

/* ---- the content ---- */

static const char *button_fault(const cJSON *b)
{
    static const char *const actions[] = {"callback_data",
                                          "url",
                                          "switch_inline_query",
                                          "switch_inline_query_current_chat",
                                          "switch_inline_query_chosen_chat",
                                          "copy_text",
                                          "web_app",
                                          "login_url",
                                          "disabled"};
    const char *data = js_text(b, "callback_data"), *url = js_text(b, "url");
    const char *style = js_text(b, "style");
    int n = 0;
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        n += cJSON_HasObjectItem(b, actions[i]);
    if (!*js_text(b, "text"))
        return "can't parse inline keyboard button: field \"text\" must be of type String";
    if (n == 0)
        return "can't parse inline keyboard button: Text buttons are unallowed in the inline "
               "keyboard";
    if (n > 1)
        return "can't parse inline keyboard button: more than one action";
    if (js_at(b, "callback_data") && (!*data || strlen(data) > 64))
        return "BUTTON_DATA_INVALID";
    if (js_at(b, "url") && strncmp(url, "https://", 8) != 0 && strncmp(url, "http://", 7) != 0 &&
        strncmp(url, "tg://", 5) != 0)
        return "BUTTON_URL_INVALID";
    if (js_at(b, "style") && strcmp(style, "danger") != 0 && strcmp(style, "success") != 0 &&
        strcmp(style, "primary") != 0)
        return "can't parse inline keyboard button: unknown style";
    return NULL;
}

const char *send_markup_fault(const cJSON *markup)
{
    const cJSON *rows = js_at(markup, "inline_keyboard"), *row, *b;
    int n = 0;
    if (!cJSON_IsArray(rows))
        return "Field \"inline_keyboard\" must be of type Array";
    cJSON_ArrayForEach(row, rows)
    {
        if (!cJSON_IsArray(row))
            return "can't parse reply markup: expected an Array of InlineKeyboardButton";
        cJSON_ArrayForEach(b, row)
        {
            const char *fault = button_fault(b);
            if (fault)
                return fault;
            n++;
        }
    }
    return n > 100 ? "reply markup is too long" : NULL;
}

/* Text and entities of `raw` under its parse mode. Returns NULL, or the fault. */
static const char *read_text(const char *raw, const char *mode, const cJSON *entities,
                             struct content *k)
{
    k->has_text = true;
    if (mode && strcmp(mode, "HTML") == 0)
        return html_read(raw, &k->text, &k->entities);
    if (mode && *mode)
        return "unsupported parse_mode";
    txt_put(&k->text, raw);
    const char *fault = entities_check(raw, entities);
    if (entities && !fault)
        js_put(&k->entities, "%p", (const void *)entities);
    return fault;
}

static const char *length_fault(const struct content *k, bool caption)
{
    size_t units = k->text.n > 0 ? utf16_length(k->text.p, k->text.n) : 0;
    bool blank = !k->text.p || strspn(k->text.p, " \n\r\t") == k->text.n;
    if (caption)
        return units > 1024 ? "message caption is too long" : NULL;
    return blank ? "message text is empty" : units > 4096 ? "message is too long" : NULL;
}

/* The photo that a parameter or an InputMedia names: an upload gets a new file id, a known id
 * stays. An inline message cannot be given a file. */
static const char *read_photo(struct tg_call *c, const char *named, const struct param *direct,
                              struct content *k)
{
    const struct param *upload = direct;
    const char *id = NULL;
    if (named && strncmp(named, "attach://", 9) == 0)
        upload = param(c->p, named + 9);
    bool file = upload && upload->file, inlined = param(c->p, "inline_message_id") != NULL;
    const char *fault =
        file && !inlined ? world_photo(upload->file, upload->file_bytes, &id) : NULL;
    if (fault)
        return fault;
    id = id || !named ? id : world_photo_id(named);
    if (!id)
        return named && *named ? "wrong file identifier/HTTP URL specified"
                               : "there is no photo in the request";
    k->photo = must(strdup(id));
    counts.pictures++;
    return NULL;
}

/* A document stands in the kept text behind its caption: "📎 NAME". */
static const char *read_document(struct tg_call *c, struct content *k)
{
    const struct param *p = param(c->p, "document");
    if (!p || !p->file || p->file_bytes == 0)
        return "there is no document in the request";
    txt_print(&k->text, "\n📎 %s", p->file_name ? p->file_name : "?");
    k->document = must(strndup(p->file, p->file_bytes));
    return NULL;
}

static const char *read_media(struct tg_call *c, struct content *k)
{
    bool bad;
    const cJSON *media = param_json(c->p, "media", &bad), *file = js_at(media, "media");
    if (strcmp(js_text(media, "type"), "photo") != 0)
        return "can't parse InputMedia: type must be photo";
    const char *fault = read_photo(c, cJSON_GetStringValue(file), NULL, k);
    return fault ? fault
                 : read_text(js_text(media, "caption"), js_text(media, "parse_mode"),
                             js_at(media, "caption_entities"), k);
}

static const char *read_content(struct tg_call *c, struct content *k)
{
    bool bad;
    const char *fault = NULL, *mode = param_text(c->p, "parse_mode");
    bool caption = is(c, "Photo") || is(c, "Media") || is(c, "Caption") || is(c, "Document");
    k->is_media = is(c, "Photo") || is(c, "Media");
    if (is(c, "Media")) {
        fault = read_media(c, k);
    } else if (!is(c, "Markup")) {
        const char *raw = param_text(c->p, caption ? "caption" : "text");
        const cJSON *entities = param_json(c->p, caption ? "caption_entities" : "entities", &bad);
        fault = read_text(raw ? raw : "", mode, entities, k);
        if (!fault && is(c, "Photo"))
            fault = read_photo(c, param_text(c->p, "photo"), param(c->p, "photo"), k);
        if (!fault && is(c, "Document"))
            fault = read_document(c, k);
    }
    if (!fault && k->has_text)
        fault = length_fault(k, caption);
    if (fault || !world_keeps)
        return fault;
    k->markup = param_json(c->p, "reply_markup", &bad);
    return bad         ? "can't parse reply keyboard markup JSON object"
           : k->markup ? send_markup_fault(k->markup)
                       : NULL;
}

/* ---- sending ---- */

/* Checks that the bot may send this person an ephemeral message now. Returns NULL, or the fault. */
static const char *ephemeral_fault(const cJSON *e, const cJSON *reply, struct tg_chat *chat,
                                   int64_t to)
{
    if (chat->kind == CHAT_PRIVATE || chat->bare)
        return "BOT_NOT_ADMIN";
    if (!world_person(to))
        return "USER_ID_INVALID";
    if (chat->bot == BOT_ADMIN)
        return NULL;
    if (cJSON_IsNumber(js_at(reply, "ephemeral_message_id"))) {
        struct tg_message *m = world_message(chat, js_number(reply, "ephemeral_message_id"), to);
        return m && m->from == to ? NULL : "message to be replied not found";
    }
    struct tap *tap = world_tap(js_text(e, "callback_query_id"));
    if (!tap || tap->person != to || tap->chat != chat->id || tap->late)
        return "BOT_NOT_ADMIN";
    return serve_now() - tap->at > 15 * SECOND ? "QUERY_ID_INVALID" : NULL;
}

static const char *reply_fault(const cJSON *reply, struct tg_chat *chat)
{
    if (js_at(reply, "ephemeral_message_id"))
        return "message to be replied not found"; /* the answer must be ephemeral, too */
    if (!cJSON_IsNumber(js_at(reply, "message_id")) ||
        js_true(reply, "allow_sending_without_reply"))
        return NULL;
    return world_message(chat, js_number(reply, "message_id"), 0)
               ? NULL
               : "message to be replied not found";
}

static void answer_with(struct tg_call *c, struct tg_chat *chat, struct tg_message *m, bool edited)
{
    struct text_buffer t = {0};
    message_json(&t, chat, m, edited);
    api_ok(c, t);
}

static char *taken(struct text_buffer *t)
{
    char *z = t->p ? t->p : must(strdup(""));
    *t = (struct text_buffer){0};
    return z;
}

/* Moves the content into a message, as far as it has any. */
static void change(struct tg_message *m, struct content *k)
{
    if (k->has_text) {
        free(m->text);
        free(m->entities);
        m->text = taken(&k->text);
        m->entities = taken(&k->entities);
    }
    if (k->is_media) {
        free(m->photo);
        m->photo = k->photo;
        k->photo = NULL;
    }
    cJSON_Delete(m->markup);
    m->markup = k->markup ? cJSON_Duplicate(k->markup, 1) : NULL;
}

const char *send_message(struct tg_call *c)
{
    const char *fault = NULL;
    struct tg_chat *chat = send_to(c, &fault);
    struct content k = {0};
    bool bad_e = false, bad_reply;
    const cJSON *e = world_old ? NULL : param_json(c->p, "ephemeral_message_parameters", &bad_e);
    if (!chat || api_flooded(c, chat, e ? COUNTED_HIDDEN : COUNTED))
        return fault;
    const cJSON *reply = param_json(c->p, "reply_parameters", &bad_reply);
    struct tg_message one = {.receiver = js_number(e, "receiver_user_id"),
                             .thread = param_int(c->p, "message_thread_id", 0)};
    fault = bad_reply ? "can't parse reply parameters JSON object"
            : bad_e   ? "can't parse ephemeral message parameters JSON object"
                      : read_content(c, &k);
    if (!fault && world_keeps && one.thread && !chat->forum)
        fault = "message thread not found";
    if (!fault && world_keeps)
        fault = e ? ephemeral_fault(e, reply, chat, one.receiver) : reply_fault(reply, chat);
    if (api_fails(c, fault)) {
        content_free(&k);
        return fault;
    }
    counts.sends++;
    one.id = world_message_id(one.receiver ? NULL : chat);
    if (world_keeps) {
        one.document = k.document;
        k.document = NULL;
        change(&one, &k);
        struct tg_message *m = world_say(chat, one);
        answer_with(c, chat, m, false);
        api_said(chat, m, m->text);
    } else {
        one.text = k.text.p;
        one.photo = k.photo;
        api_said(chat, NULL, k.text.p);
        answer_with(c, chat, &one, false);
    }
    content_free(&k);
    return NULL;
}

/* ---- editing ---- */

static bool same(const struct tg_message *m, const struct content *k)
{
    if (k->is_media && (!m->photo || strcmp(m->photo, k->photo) != 0))
        return false;
    if (k->has_text && (strcmp(m->text, k->text.p ? k->text.p : "") != 0 ||
                        strcmp(m->entities[0] ? m->entities : "[]",
                               k->entities.n > 0 ? k->entities.p : "[]") != 0))
        return false;
    return (!m->markup && !k->markup) || cJSON_Compare(m->markup, k->markup, 1);
}

static struct tg_message *named_message(struct tg_call *c, struct tg_chat *chat)
{
    bool ephemeral = is(c, "Ephemeral");
    int64_t id = param_int(c->p, ephemeral ? "ephemeral_message_id" : "message_id", 0);
    return world_message(chat, id, ephemeral ? param_int(c->p, "receiver_user_id", 0) : 0);
}

static const char *edit_fault(struct tg_call *c, const struct tg_message *m,
                              const struct content *k)
{
    if (!m)
        return "message to edit not found";
    if (m->from)
        return "message can't be edited";
    if (m->photo && is(c, "Text"))
        return "there is no text in the message to edit";
    if (!m->photo && is(c, "Caption"))
        return "there is no caption in the message to edit";
    if (same(m, k))
        return "message is not modified: specified new message content and reply markup are "
               "exactly the same as a current content and reply markup of the message";
    if (world_stiff && m->receiver && k->is_media && !m->photo)
        return "MESSAGE_TYPE_INVALID";
    return NULL;
}

const char *send_edit(struct tg_call *c)
{
    const char *inlined = world_keeps ? param_text(c->p, "inline_message_id") : NULL, *fault = NULL;
    struct tg_chat *chat = NULL;
    struct tg_message *m = inlined ? world_inlined(inlined, &chat) : NULL;
    struct content k = {0};
    if (inlined && !m)
        return "MESSAGE_ID_INVALID";
    if (!inlined)
        chat = send_to(c, &fault);
    if (!chat || api_flooded(c, chat, is(c, "Ephemeral") ? COUNTED_HIDDEN : COUNTED))
        return fault;
    fault = read_content(c, &k);
    if (world_keeps && !inlined)
        m = named_message(c, chat);
    if (!fault && world_keeps)
        fault = edit_fault(c, m, &k);
    if (api_fails(c, fault)) {
        content_free(&k);
        return fault;
    }
    counts.edits++;
    if (m) {
        change(m, &k);
        m->event = ++world_events;
        struct text_buffer yes = {0};
        txt_put(&yes, "true");
        if (m->receiver || m->inlined)
            api_ok(c, yes);
        else
            answer_with(c, chat, m, true);
        api_said(chat, m, m->text);
    } else {
        struct tg_message one = {.id = param_int(c->p, "message_id", 0), .text = k.text.p};
        api_said(chat, NULL, k.text.p);
        answer_with(c, chat, &one, true);
    }
    content_free(&k);
    return NULL;
}

const char *send_erase(struct tg_call *c)
{
    const char *fault = NULL;
    struct tg_chat *chat = send_to(c, &fault);
    if (!chat || api_flooded(c, chat, COUNTED_NOT))
        return fault;
    struct tg_message *m = world_keeps ? named_message(c, chat) : NULL;
    if (world_keeps && !m)
        fault = "message to delete not found";
    else if (m && m->from && chat->bot != BOT_ADMIN)
        fault = "message can't be deleted";
    if (api_fails(c, fault))
        return fault;
    counts.erased++;
    if (m)
        m->gone = true;
    return NULL;
}
