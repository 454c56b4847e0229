/* See api.h. Refusals use the words of the real server where they are public. */
#include "api.h"

#include "fake/telegram/bot/crash.h"
#include "entities.h"
#include "inline.h"
#include "options.h"
#include "send.h"
#include "updates.h"

#include <math.h>
#include <strings.h>

#define SECOND 1000000000LL

struct counts counts;
struct hooks hooks;

static int ordered[3], ordered_seconds;
static char *commands[64]; /* "scope/language" and the list, in turn */
static int n_commands;

/* ---- answers ---- */

struct late_answer {
    struct late_answer *next; /* of held ones */
    const struct tg_chat *held;
    uint64_t from;
    int status;
    enum harm harm;
    struct text_buffer body;
    char headers[40];
};

static void answer_now(void *with)
{
    struct late_answer *a = with;
    wire_reply(a->from, a->status, a->headers, a->body.p, a->body.n, a->harm);
    text_free(&a->body);
    free(a);
}

/* Takes ownership of `body`. Answers are delayed by --delay-ms. */
static void answer(uint64_t from, int status, const char *headers, struct text_buffer body,
                   enum harm harm)
{
    if (opt.delay_ms <= 0) {
        wire_reply(from, status, headers, body.p, body.n, harm);
        text_free(&body);
        return;
    }
    struct late_answer *a = must(malloc(sizeof *a));
    *a = (struct late_answer){.from = from, .status = status, .harm = harm, .body = body};
    snprintf(a->headers, sizeof a->headers, "%s", headers);
    wire_at(wire_now() + (int64_t)(opt.delay_ms * 1e6), answer_now, a);
}

static void refuse_with(uint64_t from, int code, const char *why, const char *parameters)
{
    struct text_buffer t = {0};
    text_print(&t, "{\"ok\":false,\"error_code\":%d,\"description\":", code);
    text_json(&t, why);
    text_print(&t, "%s}", parameters);
    counts.refused += code != 429;
    if (opt.trace)
        fprintf(stderr, "  refused: %d %s\n", code, why);
    answer(from, code, "", t, HARM_NONE);
}

void api_refuse(uint64_t from, int code, const char *why)
{
    refuse_with(from, code, why, "");
}

void api_bad(struct tg_call *c, const char *why)
{
    struct text_buffer t = {0};
    text_print(&t, "Bad Request: %s", why);
    api_refuse(c->from, 400, t.p);
    text_free(&t);
}

static struct late_answer *held, **held_end = &held;

void api_hold(struct tg_chat *c)
{
    c->held = true;
}

void api_release(struct tg_chat *c)
{
    c->held = false;
    for (struct late_answer **link = &held, *a; (a = *link);) {
        if (a->held != c) {
            link = &a->next;
            continue;
        }
        *link = a->next;
        answer_now(a);
    }
    for (held_end = &held; *held_end; held_end = &(*held_end)->next)
        ;
}

void api_ok(struct tg_call *c, struct text_buffer result)
{
    struct text_buffer t = {0};
    text_put(&t, "{\"ok\":true,\"result\":");
    text_add(&t, result.p, result.n);
    text_put(&t, "}");
    text_free(&result);
    if (!c->held) {
        answer(c->from, 200, "", t, c->harm);
        return;
    }
    struct late_answer *a = must(malloc(sizeof *a));
    *a = (struct late_answer){
        .held = c->held, .from = c->from, .status = 200, .harm = c->harm, .body = t};
    *held_end = a;
    held_end = &a->next;
}

void api_true(struct tg_call *c)
{
    struct text_buffer t = {0};
    text_put(&t, "true");
    api_ok(c, t);
}

/* ---- faults and limits ---- */

void api_order(enum api_fault what, int n, int seconds)
{
    ordered[what] = n;
    ordered_seconds = seconds;
}

static bool bad_gateway(uint64_t from)
{
    struct text_buffer t = {0};
    text_put(&t, "<html><head><title>502 Bad Gateway</title></head></html>");
    counts.n_502++;
    answer(from, 502, "", t, HARM_NONE);
    return true;
}

bool api_faults(uint64_t from, enum harm *harm)
{
    double x = world_chance();
    *harm = HARM_NONE;
    if (x < opt.p_502)
        return bad_gateway(from);
    x -= opt.p_502;
    if (x < opt.p_reset)
        *harm = HARM_RESET;
    else if (x - opt.p_reset < opt.p_cut)
        *harm = HARM_CUT;
    counts.resets += *harm == HARM_RESET;
    counts.cuts += *harm == HARM_CUT;
    return false;
}

/* Takes one from a bucket that fills by `rate` a second up to `most`. Returns the seconds until one
 * is there; 0: taken. */
static double take(double *tokens, int64_t *at, double rate, double most)
{
    int64_t now = wire_now();
    *tokens = *at ? fmin(most, *tokens + (double)(now - *at) / 1e9 * rate) : most;
    *at = now;
    if (*tokens < 1)
        return (1 - *tokens) / rate;
    *tokens -= 1;
    return 0;
}

/* Counts sends and edits of the last minute. Returns the seconds until one more is allowed. */
static double take_from_window(struct tg_chat *c)
{
    int64_t now = wire_now();
    if (!c->sent)
        c->sent = must(calloc(GROUP_MINUTE, sizeof *c->sent));
    int64_t *oldest = &c->sent[c->n_sent % GROUP_MINUTE];
    if (c->n_sent >= GROUP_MINUTE && now - *oldest < 60 * SECOND)
        return (double)(*oldest + 60 * SECOND - now) / 1e9;
    *oldest = now;
    c->n_sent++;
    return 0;
}

static double limits_wait(struct tg_chat *c, bool hidden)
{
    static double tokens;
    static int64_t at;
    double wait = take(&tokens, &at, 30, 30);
    if (wait > 0)
        return wait;
    if (c->kind == CHAT_PRIVATE)
        return take(&c->tokens, &c->tokens_at, 1, 3);
    return hidden && !opt.hidden_counts ? 0 : take_from_window(c);
}

static void refuse_429(struct tg_call *c, int seconds)
{
    char headers[40];
    struct text_buffer t = {0};
    text_print(&t,
               "{\"ok\":false,\"error_code\":429,\"description\":\"Too Many Requests: retry after "
               "%d\",\"parameters\":{\"retry_after\":%d}}",
               seconds, seconds);
    snprintf(headers, sizeof headers, "Retry-After: %d\r\n", seconds);
    answer(c->from, 429, headers, t, HARM_NONE);
}

/* During a chat's 429 each call is early, except another message that was already under way when
 * the 429 was sent. */
static bool too_early(const struct tg_chat *chat, uint64_t what, int64_t now)
{
    return what == chat->refused_what || now - chat->refused_at >= SECOND / 2;
}

bool api_flooded(struct tg_call *c, struct tg_chat *chat, enum tg_rate counted)
{
    int64_t now = wire_now();
    uint64_t what = params_hash(c->p);
    double wait = 0;
    c->held = chat->held ? chat : NULL;
    if (now < chat->refused_until) {
        wait = (double)(chat->refused_until - now) / 1e9;
        counts.early_429 += too_early(chat, what, now);
    } else if (ordered[FAULT_429] > 0) {
        ordered[FAULT_429]--;
        wait = ordered_seconds;
    } else if (opt.p_429 > 0 && world_chance() < opt.p_429) {
        wait = opt.retry_after;
    } else if (opt.limits && counted != COUNTED_NOT) {
        wait = limits_wait(chat, counted == COUNTED_HIDDEN);
    }
    if (wait <= 0) {
        counts.resent_429 += chat->owed;
        chat->owed = false;
        return false;
    }
    int seconds = (int)ceil(wait);
    if (now >= chat->refused_until) {
        chat->refused_until = now + seconds * SECOND;
        chat->refused_at = now;
        chat->refused_what = what;
    }
    chat->owed = true;
    counts.n_429++;
    refuse_429(c, seconds);
    return true;
}

static bool broken(struct tg_call *c)
{
    if (ordered[FAULT_502] > 0) {
        ordered[FAULT_502]--;
        return bad_gateway(c->from);
    }
    if (api_faults(c->from, &c->harm))
        return true;
    if (ordered[FAULT_LOST] > 0) {
        ordered[FAULT_LOST]--;
        c->harm = HARM_RESET;
        counts.resets++;
    }
    return false;
}

bool api_refused(struct tg_call *c, const char *fault)
{
    if (fault)
        api_bad(c, fault);
    return fault || broken(c);
}

/* ---- methods without a message ---- */

static void get_me(struct tg_call *c)
{
    struct text_buffer t = {0};
    bot_json(&t, true);
    api_ok(c, t);
}

static void get_webhook_info(struct tg_call *c)
{
    struct text_buffer t = {0};
    text_put(&t, "{\"url\":");
    text_json(&t, updates_webhook ? updates_webhook : "");
    text_print(&t, ",\"has_custom_certificate\":false,\"pending_update_count\":%lld",
               (long long)updates_waiting());
    if (updates_webhook_fault) {
        text_print(&t, ",\"last_error_date\":%lld,\"last_error_message\":",
                   (long long)updates_webhook_fault_at);
        text_json(&t, updates_webhook_fault);
    }
    text_put(&t, "}");
    api_ok(c, t);
}

static const char *webhook_fault(const char *url, const char *secret)
{
    size_t n = secret ? strlen(secret) : 0;
    if (url && *url && strncmp(url, "https://", 8) != 0 && strncmp(url, "http://127.", 11) != 0)
        return "bad webhook: An HTTPS URL must be provided for webhook";
    if (n > 256)
        return "secret token is too long";
    if (secret && strspn(secret, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                 "0123456789_-") != n)
        return "secret token contains unallowed characters";
    return NULL;
}

static void set_webhook(struct tg_call *c)
{
    const char *url = param_text(c->p, "url"), *secret = param_text(c->p, "secret_token");
    const char *fault = webhook_fault(url, secret);
    if (fault) {
        api_bad(c, fault);
        return;
    }
    if (!updates_choose_kinds(c->p)) {
        api_bad(c, "can't parse allowed_updates JSON array");
        return;
    }
    updates_set_webhook(url, secret, param_true(c->p, "drop_pending_updates"));
    api_true(c);
    if (updates_webhook)
        hooks.polled();
}

static void delete_webhook(struct tg_call *c)
{
    updates_set_webhook(NULL, NULL, param_true(c->p, "drop_pending_updates"));
    api_true(c);
}

static char **commands_of(struct tg_call *c)
{
    bool bad;
    const cJSON *scope = param_json(c->p, "scope", &bad);
    const char *kind = cJSON_GetStringValue(cJSON_GetObjectItem(scope, "type"));
    const char *language = param_text(c->p, "language_code");
    struct text_buffer key = {0};
    text_print(&key, "%s/%s", kind ? kind : "default", language ? language : "");
    for (int i = 0; i < n_commands; i += 2)
        if (strcmp(commands[i], key.p) == 0) {
            text_free(&key);
            return &commands[i + 1];
        }
    if (n_commands + 2 > 64) {
        text_free(&key);
        return NULL;
    }
    commands[n_commands] = key.p;
    commands[n_commands + 1] = must(strdup("[]"));
    n_commands += 2;
    return &commands[n_commands - 1];
}

static const char *command_fault(const cJSON *one)
{
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItem(one, "command"));
    const char *about = cJSON_GetStringValue(cJSON_GetObjectItem(one, "description"));
    if (!name || !*name || strlen(name) > 32 ||
        strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(name))
        return "BOT_COMMAND_INVALID";
    if (!about || !*about || utf8_characters(about) > 256)
        return "BOT_COMMAND_DESCRIPTION_INVALID";
    return NULL;
}

static void set_my_commands(struct tg_call *c)
{
    bool bad;
    const cJSON *list = param_json(c->p, "commands", &bad), *one;
    const char *language = param_text(c->p, "language_code");
    const char *fault = cJSON_IsArray(list) ? NULL : "can't parse commands JSON object";
    if (language && *language &&
        (strlen(language) != 2 || strspn(language, "abcdefghijklmnopqrstuvwxyz") != 2))
        fault = "LANG_CODE_INVALID";
    if (!fault && cJSON_GetArraySize(list) > 100)
        fault = "BOT_COMMANDS_TOO_MUCH";
    cJSON_ArrayForEach(one, list) fault = fault ? fault : command_fault(one);
    char **kept = fault ? NULL : commands_of(c);
    if (fault || !kept) {
        api_bad(c, fault ? fault : "too many scopes");
        return;
    }
    free(*kept);
    *kept = cJSON_PrintUnformatted(list);
    api_true(c);
}

static void get_my_commands(struct tg_call *c)
{
    char **kept = commands_of(c);
    struct text_buffer t = {0};
    text_put(&t, kept ? *kept : "[]");
    api_ok(c, t);
}

static void answer_callback_query(struct tg_call *c)
{
    const char *id = param_text(c->p, "callback_query_id"), *text = param_text(c->p, "text");
    struct tap *tap = world_tap(id);
    counts.answers++;
    const char *fault = text && utf8_characters(text) > 200 ? "MESSAGE_TOO_LONG"
                        : !tap || tap->late || tap->answered
                            ? "query is too old and response timeout expired or query ID is invalid"
                            : NULL;
    if (api_refused(c, fault))
        return;
    tap->answered = true;
    tap->answer = must(strdup(text ? text : ""));
    hooks.answered(tap);
    api_true(c);
}

static void get_chat(struct tg_call *c)
{
    struct tg_chat *chat = send_to(c);
    struct text_buffer t = {0};
    if (!chat)
        return;
    chat_json(&t, chat);
    t.n--; /* its closing brace */
    text_put(&t, ",\"accent_color_id\":0,\"max_reaction_count\":11,\"accepted_gift_types\":"
                 "{\"unlimited_gifts\":false,\"limited_gifts\":false,\"unique_gifts\":false,"
                 "\"premium_subscription\":false,\"gifts_from_channels\":false}}");
    api_ok(c, t);
}

static void get_chat_member(struct tg_call *c)
{
    struct tg_chat *chat = send_to(c);
    int64_t id = param_int(c->p, "user_id", 0);
    struct tg_person *p = world_person(id);
    struct text_buffer t = {0};
    if (!chat)
        return;
    if (!p && id != BOT_ID) {
        api_bad(c, "PARTICIPANT_ID_INVALID");
        return;
    }
    text_put(&t, "{\"user\":");
    if (p)
        person_json(&t, p);
    else
        bot_json(&t, false);
    text_put(&t, p && p->owner ? ",\"status\":\"creator\",\"is_anonymous\":false}"
                               : ",\"status\":\"member\"}");
    api_ok(c, t);
}

/* ---- the entry point ---- */

static const struct {
    const char *name;
    void (*serve)(struct tg_call *);
    bool old; /* known to every server */
} methods[] = {
    {"sendMessage", send_message, true},
    {"editMessageText", send_edit, true},
    {"sendPhoto", send_message, true},
    {"sendDocument", send_message, true},
    {"answerCallbackQuery", answer_callback_query, true},
    {"editMessageMedia", send_edit, false},
    {"editMessageCaption", send_edit, false},
    {"editMessageReplyMarkup", send_edit, true},
    {"editEphemeralMessageText", send_edit, false},
    {"editEphemeralMessageMedia", send_edit, false},
    {"editEphemeralMessageCaption", send_edit, false},
    {"editEphemeralMessageReplyMarkup", send_edit, false},
    {"deleteMessage", send_erase, true},
    {"deleteEphemeralMessage", send_erase, false},
    {"getMe", get_me, true},
    {"getWebhookInfo", get_webhook_info, true},
    {"setWebhook", set_webhook, false},
    {"deleteWebhook", delete_webhook, true},
    {"setMyCommands", set_my_commands, true},
    {"getMyCommands", get_my_commands, true},
    {"answerInlineQuery", inline_answer, false},
    {"answerGuestQuery", inline_answer_guest, false},
    {"getChat", get_chat, false},
    {"getChatMember", get_chat_member, false},
    {"sendChatAction", api_true, true},
};

static bool token_shaped(const char *token, size_t n)
{
    size_t digits = strspn(token, "0123456789");
    return digits > 0 && digits < n && token[digits] == ':';
}

void api_request(struct wire_request *r)
{
    struct params p = {0};
    struct tg_call c = {.from = r->from, .p = &p};
    char *method = strncmp(r->path, "/bot", 4) == 0 ? strchr(r->path + 4, '/') : NULL;
    if (!method) {
        api_refuse(r->from, 404, "Not Found");
        return;
    }
    size_t n = (size_t)(method++ - r->path - 4);
    if (!token_shaped(r->path + 4, n)) {
        api_refuse(r->from, 401, "Unauthorized: invalid token specified");
        return;
    }
    if (strlen(opt.token) != n || strncmp(r->path + 4, opt.token, n) != 0) {
        api_refuse(r->from, 401, "Unauthorized");
        return;
    }
    if (crash_before(r))
        return;
    if (!params_read(&p, r)) {
        api_bad(&c, "can't parse the request");
    } else if (strcasecmp(method, "getUpdates") == 0) {
        updates_ask(r, &p);
    } else {
        size_t i = 0, all = sizeof methods / sizeof *methods;
        while (i < all &&
               (strcasecmp(method, methods[i].name) != 0 || (world_old && !methods[i].old)))
            i++;
        c.method = i < all ? methods[i].name : "";
        counts.bytes += (int64_t)(strlen(r->query) + r->n);
        if (i < all)
            methods[i].serve(&c);
        else
            api_refuse(r->from, 404, "Not Found: method not found");
    }
    params_free(&p);
    crash_after();
}
