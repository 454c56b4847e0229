/* See wire_adapter.h. */
#include "wire_adapter.h"

#include "fake_json.h"

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
static struct str get(struct arena *a, const cJSON *o, const char *path)
{
    const cJSON *v = js_at(o, path);
    return cJSON_IsNumber(v) ? arena_print(a, "%lld", (long long)v->valuedouble)
                             : arena_str(a, str_of(js_text(o, path)));
}

static void read_update(struct arena *a, const cJSON *u, struct update *ret)
{
    const cJSON *press = js_at(u, "callback_query");
    const cJSON *m = js_at(press ? press : u, "message"), *from = press ? press : m;
    *ret = (struct update){.kind = press ? UPDATE_PRESS : UPDATE_TEXT,
                           .id = get(a, u, "update_id"),
                           .chat = get(a, m, "chat/id"),
                           .chat_name = get(a, m, "chat/title"),
                           .text = press ? get(a, press, "data") : get(a, m, "text"),
                           .press = get(a, press, "id"),
                           .post = get(a, m, "message_id"),
                           .direct = strcmp(js_text(m, "chat/type"), "private") == 0,
                           .from = {.id = get(a, from, "from/id"),
                                    .name = get(a, from, "from/first_name"),
                                    .handle = get(a, from, "from/username"),
                                    .language = get(a, from, "from/language_code")}};
    ret->raw = ret->text;
    ret->what = update_content(ret);
}

static bool wire_read(void *account, struct arena *turn, const struct reply *reply,
                      struct batch *ret, struct err *err)
{
    if (reply->status != 200) {
        ret->fatal = reply->status == 401;
        return err_set(err, "getUpdates: status %d", reply->status);
    }
    ((struct wire *)account)->asks_first = false;
    cJSON *root = cJSON_ParseWithLength(reply->body.p, reply->body.n);
    const cJSON *list = js_at(root, "result"), *u;
    if (!cJSON_IsArray(list)) {
        cJSON_Delete(root);
        return err_set(err, "getUpdates: no list in the answer");
    }
    ret->at = arena_array(turn, struct update, (size_t)cJSON_GetArraySize(list) + 1);
    cJSON_ArrayForEach(u, list)
    {
        read_update(turn, u, &ret->at[ret->n++]);
        ret->cursor = arena_print(turn, "%lld", (long long)js_number(u, "update_id") + 1);
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
    if (out->kind == OUT_TYPING)
        return "sendChatAction";
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
    struct str chat = out->where == TO_DIRECT ? direct_of(out) : out->chat;
    const struct {
        const char *key;
        struct str value;
    } members[] = {
        {"chat_id", out->kind == OUT_ANSWER ? STR("") : chat},
        {"callback_query_id", out->press},
        {"message_id", out->post},
        {"to", out->where == TO_CHAT ? STR("") : out->to},
        {"text", out->text},
        {"reply_to", out->reply_to},
        {"group_post", out->group_post},
    };
    struct text_buffer t = {0};
    int64_t number;
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        const char *value = arena_str(turn, members[i].value).p;
        bool plain = i == 0 && str_int(members[i].value, &number);
        if (members[i].value.n)
            js_put(&t, plain ? "%-s%s:%-s" : "%-s%s:%s", t.n ? "," : "", members[i].key, value);
    }
    if (out->maybe_sent)
        js_put(&t, "%-s'maybe_sent':true", t.n ? "," : "");
    post_json(account, turn, method_of(out), arena_print(turn, "{%s}", t.n ? t.p : ""), 0, ret);
    txt_free(&t);
}

static void refused(struct arena *turn, const struct outgoing *out, const struct reply *reply,
                    const cJSON *root, struct receipt *ret)
{
    struct str why = get(turn, root, "description");
    struct str moved = get(turn, root, "parameters/migrate_to_chat_id");
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
    int64_t seconds = 0;
    ret->kind = LATER;
    if (reply->status == 200 && js_true(root, "ok")) {
        ret->kind = must_open_direct(out) ? MORE : SENT;
        ret->post = out->kind == OUT_POST ? get(turn, root, "result/message_id") : STR("");
        ret->progress = ret->kind == MORE ? get(turn, root, "result/chat_id") : STR("");
        if (out->kind == OUT_POST && out->where == TO_DIRECT)
            ret->direct_chat = ret->kind == MORE ? ret->progress : direct_of(out);
    } else if (reply->status == 429) {
        ret->limited = true;
        if (str_int(get(turn, root, "parameters/retry_after"), &seconds))
            ret->wait_ms = seconds * 1000;
        ret->all_chats = js_true(root, "parameters/everywhere");
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
           CAN_HANDLES | CAN_TYPING | CAN_FOLD,
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
