/* See wire_adapter.h. */
#include "wire_adapter.h"

#include <assert.h>
#include <cjson/cJSON.h>

static bool wire_configured(const void *account)
{
    return ((const struct wire *)account)->root.n > 0;
}

static bool wire_open(void *account, struct arena *process, uint32_t *can, struct limits *limits,
                      struct err *err)
{
    (void)process, (void)can, (void)err;
    *limits = ((struct wire *)account)->limits;
    return true;
}

static void wire_close(void *account)
{
    (void)account;
}

static void post_json(const struct wire *w, struct arena *a, const char *method, struct str body,
                      int timeout_ms, struct request *ret)
{
    *ret = (struct request){.kind = REQUEST_HTTP,
                            .method = "POST",
                            .url = arena_print(a, "%.*s/%s", STR_ARG(w->root), method),
                            .what = str_of(method),
                            .n_headers = 1,
                            .headers = {{STR("Content-Type"), STR("application/json")}},
                            .body = body,
                            .timeout_ms = timeout_ms};
}

static void wire_poll(void *account, struct arena *turn, struct str cursor, struct request *ret)
{
    const struct wire *w = account;
    struct str body = arena_print(turn, "{\"offset\":%.*s,\"timeout\":%d,\"limit\":100}",
                                  STR_ARG(cursor.n ? cursor : STR("0")), w->poll_seconds);
    post_json(w, turn, "getUpdates", body, (w->poll_seconds + 10) * 1000, ret);
}

/* A string, or a number as text. */
static struct str get(struct arena *a, const cJSON *o, const char *key)
{
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(o, key);
    if (cJSON_IsString(v))
        return arena_str(a, str_of(v->valuestring));
    return cJSON_IsNumber(v) ? arena_print(a, "%lld", (long long)v->valuedouble) : STR("");
}

static void read_update(struct arena *a, const cJSON *u, struct update *ret)
{
    const cJSON *press = cJSON_GetObjectItemCaseSensitive(u, "callback_query");
    const cJSON *m = cJSON_GetObjectItemCaseSensitive(press ? press : u, "message");
    const cJSON *from = cJSON_GetObjectItemCaseSensitive(press ? press : m, "from");
    const cJSON *chat = cJSON_GetObjectItemCaseSensitive(m, "chat");
    *ret = (struct update){.kind = press ? UPDATE_PRESS : UPDATE_TEXT,
                           .id = get(a, u, "update_id"),
                           .chat = get(a, chat, "id"),
                           .chat_name = get(a, chat, "title"),
                           .text = press ? get(a, press, "data") : get(a, m, "text"),
                           .press = press ? get(a, press, "id") : STR(""),
                           .post = get(a, m, "message_id"),
                           .direct = str_is(get(a, chat, "type"), STR("private")),
                           .from = {.id = get(a, from, "id"),
                                    .name = get(a, from, "first_name"),
                                    .handle = get(a, from, "username"),
                                    .language = get(a, from, "language_code")}};
    ret->raw = ret->text;
}

static bool wire_read(void *account, struct arena *turn, const struct reply *reply,
                      struct batch *ret, struct err *err)
{
    if (reply->status != 200) {
        ret->fatal = reply->status == 401;
        return err_set(err, "getUpdates: status %d", reply->status);
    }
    ((struct wire *)account)->asks_first = false;
    cJSON *root = cJSON_ParseWithLength(reply->body.p, reply->body.n), *u;
    cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "result");
    int n = cJSON_IsArray(list) ? cJSON_GetArraySize(list) : -1;
    if (n < 0) {
        cJSON_Delete(root);
        return err_set(err, "getUpdates: no list in the answer");
    }
    ret->at = arena_array(turn, struct update, (size_t)n + 1);
    cJSON_ArrayForEach(u, list)
    {
        struct update *at = &ret->at[ret->n++];
        int64_t id = 0;
        read_update(turn, u, at);
        if (str_int(at->id, &id))
            ret->cursor = arena_print(turn, "%lld", (long long)id + 1);
    }
    cJSON_Delete(root);
    return true;
}

static bool wire_webhook(const void *account, struct webhook *ret)
{
    *ret = (struct webhook){STR("/wire"), "Wire-Secret", STR("open-sesame")};
    return ((const struct wire *)account)->hooked;
}

static bool wire_webhook_read(void *account, struct arena *turn, const struct reply *reply,
                              struct batch *ret, struct err *err)
{
    cJSON *u = cJSON_ParseWithLength(reply->body.p, reply->body.n);
    if (!u)
        return err_set(err, "not JSON");
    ret->at = arena_new(turn, struct update);
    ret->n = 1;
    read_update(turn, u, ret->at);
    ret->ask_first = ((struct wire *)account)->asks_first;
    cJSON_Delete(u);
    return true;
}

/* ---- sending ---- */

static void add_text(cJSON *o, const char *key, struct arena *a, struct str s)
{
    if (s.n)
        cJSON_AddStringToObject(o, key, arena_str(a, s).p);
}

static void add_chat(cJSON *o, struct arena *a, struct str chat)
{
    int64_t id;
    if (str_int(chat, &id))
        cJSON_AddRawToObject(o, "chat_id", arena_str(a, chat).p);
    else
        add_text(o, "chat_id", a, chat);
}

static struct str direct_of(const struct outgoing *out)
{
    return out->progress.n ? out->progress : out->direct_chat.n ? out->direct_chat : out->chat;
}

static bool must_open_direct(const struct outgoing *out)
{
    return out->kind != OUT_ANSWER && out->where == TO_DIRECT && direct_of(out).n == 0;
}

static const char *method_of(const struct outgoing *out)
{
    if (out->kind == OUT_ANSWER)
        return "answerCallbackQuery";
    if (must_open_direct(out))
        return "openDirect";
    if (out->kind == OUT_ERASE)
        return "deleteMessage";
    if (out->kind == OUT_CLOSE)
        return "editMessageReplyMarkup";
    return out->post.n ? "editMessageText" : "sendMessage";
}

static void wire_send(void *account, struct arena *turn, const struct outgoing *out,
                      struct request *ret)
{
    cJSON *o = cJSON_CreateObject();
    if (out->kind != OUT_ANSWER)
        add_chat(o, turn, out->where == TO_DIRECT ? direct_of(out) : out->chat);
    add_text(o, "callback_query_id", turn, out->press);
    add_text(o, "message_id", turn, out->post);
    if (out->where != TO_CHAT)
        add_text(o, "to", turn, out->to);
    add_text(o, "text", turn, out->text);
    if (out->reply_to.n > 0)
        add_text(o, "reply_to", turn, out->reply_to);
    add_text(o, "group_post", turn, out->group_post);
    if (out->maybe_sent)
        cJSON_AddBoolToObject(o, "maybe_sent", true);
    char *body = cJSON_PrintUnformatted(o);
    post_json(account, turn, method_of(out), arena_str(turn, str_of(body)), 0, ret);
    free(body);
    cJSON_Delete(o);
}

static void refused(struct arena *turn, const struct outgoing *out, const struct reply *reply,
                    const cJSON *root, struct receipt *ret)
{
    const cJSON *more = cJSON_GetObjectItemCaseSensitive(root, "parameters");
    struct str why = get(turn, root, "description"), moved = get(turn, more, "migrate_to_chat_id");
    ret->note = why;
    ret->kind = NEVER;
    if (moved.n) {
        ret->why = NEVER_MOVED;
        ret->chat = moved;
    } else if (reply->status == 403) {
        ret->why = NEVER_UNREACHABLE;
    } else if (str_is(why, STR("not found")) && out->post.n) {
        ret->why = NEVER_GONE;
    } else if (str_is(why, STR("too late"))) {
        ret->why = NEVER_LATE;
    } else {
        ret->why = NEVER_OTHER;
    }
}

static void wire_receipt(void *account, struct arena *turn, const struct outgoing *out,
                         const struct reply *reply, struct receipt *ret)
{
    (void)account;
    cJSON *root = cJSON_ParseWithLength(reply->body.n ? reply->body.p : "", reply->body.n);
    const cJSON *result = cJSON_GetObjectItemCaseSensitive(root, "result");
    const cJSON *more = cJSON_GetObjectItemCaseSensitive(root, "parameters");
    int64_t seconds = 0;
    ret->kind = LATER;
    if (reply->status == 200 && cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(root, "ok"))) {
        ret->kind = must_open_direct(out) ? MORE : SENT;
        ret->post = out->kind == OUT_POST ? get(turn, result, "message_id") : STR("");
        ret->progress = ret->kind == MORE ? get(turn, result, "chat_id") : STR("");
        if (out->kind == OUT_POST && out->where == TO_DIRECT)
            ret->direct_chat = ret->kind == MORE ? ret->progress : direct_of(out);
    } else if (reply->status == 429) {
        ret->limited = true;
        if (str_int(get(turn, more, "retry_after"), &seconds))
            ret->wait_ms = seconds * 1000;
        ret->all_chats = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(more, "everywhere"));
        ret->note = STR("too many requests");
    } else if (reply->status >= 400 && reply->status < 500) {
        refused(turn, out, reply, root, ret);
    }
    cJSON_Delete(root);
}

static const struct option options[] = {
    {"root", OPTION_TEXT, "", 0, 0, "Where the fake network listens.", offsetof(struct wire, root)},
    {NULL, OPTION_TEXT, NULL, 0, 0, NULL, 0},
};

const struct adapter wire_adapter = {
    .name = "wire",
    .title = "Wire",
    .can = CAN_BUTTONS | CAN_EDIT | CAN_ERASE | CAN_WHISPER | CAN_DIRECT | CAN_POPUP | CAN_MENTION |
           CAN_HANDLES,
    .limits = {.text_chars = 4096,
               .popup_chars = 200,
               .buttons = 48,
               .buttons_a_row = 8,
               .in_flight = 1000},
    .account_size = sizeof(struct wire),
    .options = options,
    .configured = wire_configured,
    .open = wire_open,
    .poll = wire_poll,
    .read = wire_read,
    .webhook = wire_webhook,
    .webhook_read = wire_webhook_read,
    .send = wire_send,
    .receipt = wire_receipt,
    .close = wire_close,
};

struct account wire_account(struct wire *w)
{
    return (struct account){.name = str_of(wire_adapter.name),
                            .adapter = &wire_adapter,
                            .state = w,
                            .can = wire_adapter.can,
                            .limits = wire_adapter.limits};
}
