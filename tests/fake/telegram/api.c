/* See api.h. Refusals use the words of the real server where they are public. */
#include "api.h"

#include "bot.h"

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
    int status, retry_after;
    enum serve_harm harm;
    struct text_buffer body;
};
static struct late_answer *held, **held_end = &held;

static void answer_now(void *with)
{
    struct late_answer *a = with;
    char headers[128];
    struct buf b = BUF(headers);
    time_t now = time(NULL);
    struct tm tm;
    b.n = strftime(headers, sizeof headers, "Date: %a, %d %b %Y %H:%M:%S GMT\r\n",
                   gmtime_r(&now, &tm));
    if (a->retry_after)
        buf_print(&b, "Retry-After: %d\r\n", a->retry_after);
    buf_char(&b, '\0');
    serve_reply(server, a->from, a->status, headers, a->body.p, a->harm);
    txt_free(&a->body);
    free(a);
}

/* Takes ownership of the body. Answers are delayed by --delay-ms. */
static void answer(struct late_answer one)
{
    struct late_answer *a = must(malloc(sizeof *a));
    *a = one;
    if (a->held) {
        *held_end = a;
        held_end = &a->next;
    } else if (opt.delay_ms > 0) {
        serve_at(server, serve_now() + (int64_t)(opt.delay_ms * 1e6), answer_now, a);
    } else {
        answer_now(a);
    }
}

static void refuse(uint64_t from, int code, const char *why, const char *more, int retry_after)
{
    struct text_buffer t = {0};
    js_put(&t, "{'ok':false,'error_code':%d,'description':%s%-s}", code, why, more);
    counts.refused += code != 429;
    if (opt.trace)
        fprintf(stderr, "  refused: %d %s\n", code, why);
    answer(
        (struct late_answer){.from = from, .status = code, .body = t, .retry_after = retry_after});
}

void api_refuse(uint64_t from, int code, const char *why, const char *more)
{
    refuse(from, code, why, more, 0);
}

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
    js_put(&t, "{'ok':true,'result':%-s}", result.p);
    txt_free(&result);
    c->answered = true;
    answer((struct late_answer){
        .held = c->held, .from = c->from, .status = 200, .harm = c->harm, .body = t});
}

void api_said(struct tg_chat *c, struct tg_message *m, const char *text)
{
    if (hooks.said)
        hooks.said(c, m, text);
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
    txt_put(&t, "<html><head><title>502 Bad Gateway</title></head></html>");
    counts.n_502++;
    answer((struct late_answer){.from = from, .status = 502, .body = t});
    return true;
}

bool api_faults(uint64_t from, enum serve_harm *harm)
{
    double x = world_chance();
    *harm = SERVE_WHOLE;
    if (x < opt.p_502)
        return bad_gateway(from);
    x -= opt.p_502;
    if (x < opt.p_reset)
        *harm = SERVE_RESET;
    else if (x - opt.p_reset < opt.p_cut)
        *harm = SERVE_CUT;
    counts.resets += *harm == SERVE_RESET;
    counts.cuts += *harm == SERVE_CUT;
    return false;
}

/* Takes one from a bucket that fills by `rate` a second up to `most`. Returns the seconds until one
 * is there; 0: taken. */
static double take(double *tokens, int64_t *at, double rate, double most)
{
    int64_t now = serve_now();
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
    int64_t now = serve_now();
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

bool api_flooded(struct tg_call *c, struct tg_chat *chat, enum tg_rate counted)
{
    int64_t now = serve_now();
    uint64_t what = params_hash(c->p);
    double wait = 0;
    c->held = chat->held ? chat : NULL;
    if (now < chat->refused_until) {
        /* During a chat's 429 each call is early, except another message that was already under
         * way when the 429 was sent. */
        wait = (double)(chat->refused_until - now) / 1e9;
        counts.early_429 += what == chat->refused_what || now - chat->refused_at >= SECOND / 2;
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
    char why[64], more[64];
    snprintf(why, sizeof why, "Too Many Requests: retry after %d", seconds);
    snprintf(more, sizeof more, ",\"parameters\":{\"retry_after\":%d}", seconds);
    refuse(c->from, 429, why, more, seconds);
    return c->answered = true;
}

bool api_fails(struct tg_call *c, const char *fault)
{
    if (fault)
        return true;
    if (ordered[FAULT_502] > 0) {
        ordered[FAULT_502]--;
        return c->answered = bad_gateway(c->from);
    }
    if (api_faults(c->from, &c->harm))
        return c->answered = true;
    if (ordered[FAULT_LOST] > 0) {
        ordered[FAULT_LOST]--;
        c->harm = SERVE_RESET;
        counts.resets++;
    }
    return false;
}

/* ---- methods without a message ---- */

static const char *get_me(struct tg_call *c)
{
    struct text_buffer t = {0};
    bot_json(&t, true);
    api_ok(c, t);
    return NULL;
}

static const char *get_webhook_info(struct tg_call *c)
{
    struct text_buffer t = {0};
    js_put(&t, "{'url':%s,'has_custom_certificate':false,'pending_update_count':%lld",
           updates_webhook ? updates_webhook : "", (long long)updates_waiting());
    if (updates_webhook_fault)
        js_put(&t, ",'last_error_date':%lld,'last_error_message':%s",
               (long long)updates_webhook_fault_at, updates_webhook_fault);
    txt_put(&t, "}");
    api_ok(c, t);
    return NULL;
}

static const char *set_webhook(struct tg_call *c)
{
    const char *url = param_text(c->p, "url"), *secret = param_text(c->p, "secret_token");
    size_t n = secret ? strlen(secret) : 0;
    if (url && *url && strncmp(url, "https://", 8) != 0 && strncmp(url, "http://127.", 11) != 0)
        return "bad webhook: An HTTPS URL must be provided for webhook";
    if (n > 256)
        return "secret token is too long";
    if (secret && strspn(secret, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                 "0123456789_-") != n)
        return "secret token contains unallowed characters";
    if (!updates_choose_kinds(c->p))
        return "can't parse allowed_updates JSON array";
    updates_set_webhook(url, secret, param_true(c->p, "drop_pending_updates"));
    if (updates_webhook && hooks.polled)
        hooks.polled();
    return NULL;
}

static const char *delete_webhook(struct tg_call *c)
{
    updates_set_webhook(NULL, NULL, param_true(c->p, "drop_pending_updates"));
    return NULL;
}

static char **commands_of(struct tg_call *c)
{
    bool bad;
    const char *kind = js_text(param_json(c->p, "scope", &bad), "type");
    const char *language = param_text(c->p, "language_code");
    struct text_buffer key = {0};
    txt_print(&key, "%s/%s", *kind ? kind : "default", language ? language : "");
    int i = 0;
    while (i < n_commands && strcmp(commands[i], key.p) != 0)
        i += 2;
    if (i < n_commands || i + 2 > 64) {
        txt_free(&key);
        return i < n_commands ? &commands[i + 1] : NULL;
    }
    n_commands += 2;
    commands[i] = key.p;
    commands[i + 1] = must(strdup("[]"));
    return &commands[i + 1];
}

static const char *set_my_commands(struct tg_call *c)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
    bool bad;
    const cJSON *list = param_json(c->p, "commands", &bad), *one;
    const char *language = param_text(c->p, "language_code");
    if (!cJSON_IsArray(list))
        return "can't parse commands JSON object";
    if (language && *language && (strlen(language) != 2 || strspn(language, letters) != 2))
        return "LANG_CODE_INVALID";
    if (cJSON_GetArraySize(list) > 100)
        return "BOT_COMMANDS_TOO_MUCH";
    cJSON_ArrayForEach(one, list)
    {
        const char *name = js_text(one, "command"), *about = js_text(one, "description");
        if (!*name || strlen(name) > 32 ||
            strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(name))
            return "BOT_COMMAND_INVALID";
        if (!*about || utf8_characters(about) > 256)
            return "BOT_COMMAND_DESCRIPTION_INVALID";
    }
    char **kept = commands_of(c);
    if (!kept)
        return "too many scopes";
    free(*kept);
    *kept = cJSON_PrintUnformatted(list);
    return NULL;
}

static const char *get_my_commands(struct tg_call *c)
{
    char **kept = commands_of(c);
    struct text_buffer t = {0};
    txt_put(&t, kept ? *kept : "[]");
    api_ok(c, t);
    return NULL;
}

static const char *answer_callback_query(struct tg_call *c)
{
    const char *id = param_text(c->p, "callback_query_id"), *text = param_text(c->p, "text");
    struct tap *tap = world_tap(id);
    counts.answers++;
    const char *fault = text && utf8_characters(text) > 200 ? "MESSAGE_TOO_LONG"
                        : !tap || tap->late || tap->answered
                            ? "query is too old and response timeout expired or query ID is invalid"
                            : NULL;
    if (api_fails(c, fault))
        return fault;
    tap->answered = true;
    tap->answer = must(strdup(text ? text : ""));
    if (hooks.answered)
        hooks.answered(tap);
    return NULL;
}

static const char *get_chat(struct tg_call *c)
{
    const char *fault = NULL;
    struct tg_chat *chat = send_to(c, &fault);
    struct text_buffer t = {0};
    if (!chat)
        return fault;
    chat_json(&t, chat);
    t.n--; /* its closing brace */
    js_put(&t, ",'accent_color_id':0,'max_reaction_count':11,'accepted_gift_types':"
               "{'unlimited_gifts':false,'limited_gifts':false,'unique_gifts':false,"
               "'premium_subscription':false,'gifts_from_channels':false}}");
    api_ok(c, t);
    return NULL;
}

static const char *get_chat_member(struct tg_call *c)
{
    const char *fault = NULL;
    struct tg_chat *chat = send_to(c, &fault);
    int64_t id = param_int(c->p, "user_id", 0);
    struct tg_person *p = world_person(id);
    struct text_buffer t = {0};
    if (!chat)
        return fault;
    if (!p && id != BOT_ID)
        return "PARTICIPANT_ID_INVALID";
    txt_put(&t, "{\"user\":");
    if (p)
        person_json(&t, p);
    else
        bot_json(&t, false);
    js_put(&t, p && p->owner ? ",'status':'creator','is_anonymous':false}" : ",'status':'member'}");
    api_ok(c, t);
    return NULL;
}

static const char *send_chat_action(struct tg_call *c)
{
    (void)c;
    return NULL;
}

/* ---- the entry point ---- */

static const struct {
    const char *name;
    tg_method *serve;
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
    {"sendChatAction", send_chat_action, true},
};

static void call(struct tg_call *c)
{
    size_t i = 0, all = sizeof methods / sizeof *methods;
    while (i < all &&
           (strcasecmp(c->method, methods[i].name) != 0 || (world_old && !methods[i].old)))
        i++;
    if (i == all) {
        api_refuse(c->from, 404, "Not Found: method not found", "");
        return;
    }
    struct text_buffer t = {0};
    c->method = methods[i].name;
    const char *fault = methods[i].serve(c);
    if (c->answered)
        return;
    if (fault && strncmp(fault, "Forbidden", 9) == 0) {
        api_refuse(c->from, 403, fault, "");
    } else if (fault) {
        txt_print(&t, "Bad Request: %s", fault);
        api_refuse(c->from, 400, t.p, "");
        txt_free(&t);
    } else {
        txt_put(&t, "true");
        api_ok(c, t);
    }
}

void api_request(void *unused, struct serve_request *r)
{
    struct params p = {0};
    const char *token = r->path + 4, *method = strncmp(r->path, "/bot", 4) == 0 ? token : "";
    size_t n = strcspn(method, "/"), digits = strspn(method, "0123456789");
    (void)unused;
    if (!method[n]) {
        api_refuse(r->from, 404, "Not Found", "");
        return;
    }
    method += n + 1;
    if (digits == 0 || digits >= n || token[digits] != ':') {
        api_refuse(r->from, 401, "Unauthorized: invalid token specified", "");
        return;
    }
    if (strlen(opt.token) != n || strncmp(token, opt.token, n) != 0) {
        api_refuse(r->from, 401, "Unauthorized", "");
        return;
    }
    if (crash_before(r))
        return;
    int64_t bytes = (int64_t)(strlen(r->query) + r->n);
    if (!params_read(&p, r)) {
        api_refuse(r->from, 400, "Bad Request: can't parse the request", "");
    } else if (strcasecmp(method, "getUpdates") == 0) {
        updates_ask(r, &p);
    } else {
        counts.bytes += bytes;
        call(&(struct tg_call){.method = method, .p = &p, .from = r->from});
    }
    params_free(&p);
    crash_after();
}
