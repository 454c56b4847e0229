/* See send.h. A load only counts messages and checks lengths; a story keeps and checks every
 * message. */
#include "send.h"

#include "entities.h"
#include "options.h"
#include "photo.h"

#include <inttypes.h>

#define SECOND 1000000000LL

struct content {
    struct text_buffer text, entities;
    const cJSON *markup;
    char *photo, *document;
    bool is_media, has_text;
};

static void content_free(struct content *k)
{
    text_free(&k->text);
    text_free(&k->entities);
    free(k->photo);
    free(k->document);
    *k = (struct content){0};
}

static void forbidden(struct tg_call *c, const char *why)
{
    api_refuse(c->from, 403, why);
}

/* ---- the chat ---- */

static bool moved(struct tg_call *c, struct tg_chat *chat)
{
    if (!chat->moved_to)
        return false;
    struct text_buffer t = {0};
    text_print(&t,
               "{\"ok\":false,\"error_code\":400,\"description\":\"Bad Request: group chat was "
               "upgraded to a supergroup chat\",\"parameters\":{\"migrate_to_chat_id\":%" PRId64
               "}}",
               chat->moved_to);
    counts.refused++;
    wire_reply(c->from, 400, "", t.p, t.n, HARM_NONE);
    text_free(&t);
    return true;
}

static bool may_enter(struct tg_call *c, struct tg_chat *chat)
{
    struct tg_person *p = chat->kind == CHAT_PRIVATE ? world_person(chat->id) : NULL;
    if (p && !p->opened)
        forbidden(c, "Forbidden: bot can't initiate conversation with a user");
    else if (p && p->blocked)
        forbidden(c, "Forbidden: bot was blocked by the user");
    else if (chat->bot == BOT_KICKED)
        forbidden(c, chat->kind == CHAT_GROUP
                         ? "Forbidden: bot was kicked from the group chat"
                         : "Forbidden: bot was kicked from the supergroup chat");
    else if (chat->bot == BOT_LEFT)
        forbidden(c, chat->kind == CHAT_GROUP
                         ? "Forbidden: bot is not a member of the group chat"
                         : "Forbidden: bot is not a member of the supergroup chat");
    else
        return true;
    return false;
}

struct tg_chat *send_to(struct tg_call *c)
{
    int64_t id = param_int(c->p, "chat_id", 0);
    struct tg_chat *chat = id ? world_chat(id) : NULL;
    if (!id)
        api_bad(c, "chat_id is empty");
    else if (!chat)
        api_bad(c, "chat not found");
    else if (!moved(c, chat) && may_enter(c, chat))
        return chat;
    return NULL;
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
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(b, "text"));
    const char *data = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(b, "callback_data"));
    const char *url = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(b, "url"));
    const char *style = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(b, "style"));
    int n = 0;
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        n += cJSON_HasObjectItem(b, actions[i]);
    if (!text || !*text)
        return "can't parse inline keyboard button: field \"text\" must be of type String";
    if (n == 0)
        return "can't parse inline keyboard button: Text buttons are unallowed in the inline "
               "keyboard";
    if (n > 1)
        return "can't parse inline keyboard button: more than one action";
    if (data && (!*data || strlen(data) > 64))
        return "BUTTON_DATA_INVALID";
    if (url && strncmp(url, "https://", 8) != 0 && strncmp(url, "http://", 7) != 0 &&
        strncmp(url, "tg://", 5) != 0)
        return "BUTTON_URL_INVALID";
    if (style && strcmp(style, "danger") != 0 && strcmp(style, "success") != 0 &&
        strcmp(style, "primary") != 0)
        return "can't parse inline keyboard button: unknown style";
    return NULL;
}

const char *send_markup_fault(const cJSON *markup)
{
    const cJSON *rows = cJSON_GetObjectItem(markup, "inline_keyboard"), *row, *b;
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

/* Text and entities of `html` under its parse mode. Returns NULL, or the fault. */
static const char *read_text(const char *raw, const char *mode, const cJSON *entities,
                             struct content *k)
{
    k->has_text = true;
    if (mode && strcmp(mode, "HTML") == 0)
        return html_read(raw, &k->text, &k->entities);
    if (mode && *mode)
        return "unsupported parse_mode";
    text_put(&k->text, raw);
    if (!entities)
        return NULL;
    const char *fault = entities_check(raw, entities);
    char *list = fault ? NULL : cJSON_PrintUnformatted(entities);
    if (list)
        text_put(&k->entities, list);
    free(list);
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
    const struct photo *photo = NULL;
    if (named && strncmp(named, "attach://", 9) == 0)
        upload = param(c->p, named + 9);
    bool file = upload && upload->file, inlined = param(c->p, "inline_message_id") != NULL;
    const char *fault =
        file && !inlined ? photo_take(upload->file, upload->file_bytes, &photo) : NULL;
    if (fault)
        return fault;
    photo = photo || !named ? photo : photo_known(named);
    if (!photo)
        return named && *named ? "wrong file identifier/HTTP URL specified"
                               : "there is no photo in the request";
    k->photo = must(strdup(photo->id));
    counts.pictures++;
    return NULL;
}

/* A document stands in the kept text behind its caption: "📎 NAME". */
static const char *read_document(struct tg_call *c, struct content *k)
{
    const struct param *p = param(c->p, "document");
    if (!p || !p->file || p->file_bytes == 0)
        return "there is no document in the request";
    text_print(&k->text, "\n📎 %s", p->file_name ? p->file_name : "?");
    k->document = must(strndup(p->file, p->file_bytes));
    return NULL;
}

static const char *read_media(struct tg_call *c, struct content *k)
{
    bool bad;
    const cJSON *media = param_json(c->p, "media", &bad);
    const char *type = cJSON_GetStringValue(cJSON_GetObjectItem(media, "type"));
    const char *file = cJSON_GetStringValue(cJSON_GetObjectItem(media, "media"));
    const char *caption = cJSON_GetStringValue(cJSON_GetObjectItem(media, "caption"));
    const char *mode = cJSON_GetStringValue(cJSON_GetObjectItem(media, "parse_mode"));
    if (!type || strcmp(type, "photo") != 0)
        return "can't parse InputMedia: type must be photo";
    const char *fault = read_photo(c, file, NULL, k);
    if (fault)
        return fault;
    return read_text(caption ? caption : "", mode, cJSON_GetObjectItem(media, "caption_entities"),
                     k);
}

static const char *read_content(struct tg_call *c, struct content *k)
{
    bool bad;
    const char *m = c->method, *fault = NULL, *mode = param_text(c->p, "parse_mode");
    bool caption =
        strstr(m, "Photo") || strstr(m, "Media") || strstr(m, "Caption") || strstr(m, "Document");
    k->is_media = strstr(m, "Photo") || strstr(m, "Media");
    if (strstr(m, "Media")) {
        fault = read_media(c, k);
    } else if (!strstr(m, "Markup")) {
        const char *raw = param_text(c->p, caption ? "caption" : "text");
        const cJSON *entities = param_json(c->p, caption ? "caption_entities" : "entities", &bad);
        fault = read_text(raw ? raw : "", mode, entities, k);
        if (!fault && strstr(m, "Photo"))
            fault = read_photo(c, param_text(c->p, "photo"), param(c->p, "photo"), k);
        if (!fault && strstr(m, "Document"))
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
    const char *id = cJSON_GetStringValue(cJSON_GetObjectItem(e, "callback_query_id"));
    const cJSON *command = cJSON_GetObjectItem(reply, "ephemeral_message_id");
    if (cJSON_IsNumber(command)) {
        struct tg_message *m = world_message(chat, (int64_t)command->valuedouble, to);
        return m && m->from == to ? NULL : "message to be replied not found";
    }
    struct tap *tap = world_tap(id);
    if (!tap || tap->person != to || tap->chat != chat->id || tap->late)
        return "BOT_NOT_ADMIN";
    return wire_now() - tap->at > 15 * SECOND ? "QUERY_ID_INVALID" : NULL;
}

static const char *reply_fault(const cJSON *reply, struct tg_chat *chat)
{
    const cJSON *id = cJSON_GetObjectItem(reply, "message_id");
    if (cJSON_HasObjectItem(reply, "ephemeral_message_id"))
        return "message to be replied not found"; /* the answer must be ephemeral, too */
    if (!cJSON_IsNumber(id) ||
        cJSON_IsTrue(cJSON_GetObjectItem(reply, "allow_sending_without_reply")))
        return NULL;
    return world_message(chat, (int64_t)id->valuedouble, 0) ? NULL
                                                            : "message to be replied not found";
}

static void put_result(struct tg_call *c, struct tg_chat *chat, struct tg_message *m, bool edited)
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

static void store(struct content *k, struct tg_message *m)
{
    m->text = taken(&k->text);
    m->entities = taken(&k->entities);
    m->photo = k->photo;
    m->document = k->document;
    k->photo = k->document = NULL;
    m->markup = k->markup ? cJSON_Duplicate(k->markup, 1) : NULL;
}

void send_message(struct tg_call *c)
{
    struct tg_chat *chat = send_to(c);
    struct content k = {0};
    bool bad_e = false, bad_reply;
    const cJSON *e = world_old ? NULL : param_json(c->p, "ephemeral_message_parameters", &bad_e);
    if (!chat || api_flooded(c, chat, e ? COUNTED_HIDDEN : COUNTED))
        return;
    const cJSON *reply = param_json(c->p, "reply_parameters", &bad_reply);
    int64_t thread = param_int(c->p, "message_thread_id", 0);
    int64_t to = e ? (int64_t)cJSON_GetNumberValue(cJSON_GetObjectItem(e, "receiver_user_id")) : 0;
    const char *fault = bad_reply ? "can't parse reply parameters JSON object"
                        : bad_e   ? "can't parse ephemeral message parameters JSON object"
                                  : read_content(c, &k);
    if (!fault && world_keeps && thread && !chat->forum)
        fault = "message thread not found";
    if (!fault && world_keeps)
        fault = e ? ephemeral_fault(e, reply, chat, to) : reply_fault(reply, chat);
    if (api_refused(c, fault)) {
        content_free(&k);
        return;
    }
    counts.sends++;
    struct tg_message one = {.receiver = to, .thread = thread}, *m = &one;
    one.id = world_message_id(to ? NULL : chat);
    if (!world_keeps) {
        one.text = k.text.p;
        one.photo = k.photo;
        hooks.said(chat, NULL, k.text.p);
        put_result(c, chat, m, false);
        content_free(&k);
        return;
    }
    store(&k, &one);
    m = world_say(chat, one);
    put_result(c, chat, m, false);
    content_free(&k);
    hooks.said(chat, m, m->text);
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
    m->event = ++world_events;
}

static struct tg_message *named_message(struct tg_call *c, struct tg_chat *chat)
{
    bool ephemeral = strstr(c->method, "Ephemeral");
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
    if (m->photo && strstr(c->method, "Text"))
        return "there is no text in the message to edit";
    if (!m->photo && strstr(c->method, "Caption"))
        return "there is no caption in the message to edit";
    if (same(m, k))
        return "message is not modified: specified new message content and reply markup are "
               "exactly "
               "the same as a current content and reply markup of the message";
    return NULL;
}

void send_edit(struct tg_call *c)
{
    const char *inlined = world_keeps ? param_text(c->p, "inline_message_id") : NULL;
    struct tg_chat *chat = NULL;
    struct tg_message *m = inlined ? world_inlined(inlined, &chat) : NULL;
    struct content k = {0};
    if (inlined && !m)
        api_bad(c, "MESSAGE_ID_INVALID");
    else if (!inlined)
        chat = send_to(c);
    if (inlined && !m)
        return;
    enum tg_rate counted = strstr(c->method, "Ephemeral") ? COUNTED_HIDDEN : COUNTED;
    if (!chat || api_flooded(c, chat, counted))
        return;
    const char *fault = read_content(c, &k);
    if (world_keeps && !inlined)
        m = named_message(c, chat);
    if (!fault && world_keeps)
        fault = edit_fault(c, m, &k);
    if (!fault && world_stiff && m && m->receiver && k.is_media && !m->photo)
        fault = "MESSAGE_TYPE_INVALID";
    if (api_refused(c, fault)) {
        content_free(&k);
        return;
    }
    counts.edits++;
    if (!m) {
        struct tg_message one = {.id = param_int(c->p, "message_id", 0), .text = k.text.p};
        hooks.said(chat, NULL, k.text.p);
        put_result(c, chat, &one, true);
    } else {
        change(m, &k);
        if (m->receiver || m->inlined)
            api_true(c);
        else
            put_result(c, chat, m, true);
        hooks.said(chat, m, m->text);
    }
    content_free(&k);
}

void send_erase(struct tg_call *c)
{
    struct tg_chat *chat = send_to(c);
    if (!chat || api_flooded(c, chat, COUNTED_NOT))
        return;
    struct tg_message *m = world_keeps ? named_message(c, chat) : NULL;
    const char *fault = !world_keeps                        ? NULL
                        : !m                                ? "message to delete not found"
                        : m->from && chat->bot != BOT_ADMIN ? "message can't be deleted"
                                                            : NULL;
    if (api_refused(c, fault))
        return;
    counts.erased++;
    if (m)
        m->gone = true;
    api_true(c);
}
