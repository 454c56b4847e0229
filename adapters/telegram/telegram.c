/* Telegram, by the Bot API over HTTP (core.telegram.org/bots/api, 10.3): the adapter row and the
 * order of the polls.
 *
 * The first poll asks for our own name (getMe), the next ones for updates by long poll. The cursor
 * is the offset, stored with the updates, so Telegram drops an update only once it is durable here.
 * The very first start skips older updates: asking for the last one confirms all before it. Once
 * between two polls the list of commands is set, language by language. With a webhook Telegram
 * delivers updates, and polls only check that the webhook is still ours. */
#include "send.h"

enum {
    PACE = 18,        /* Telegram takes 20 in any minute into a group: two are kept back for a
                           clock that runs apart, and for other senders of this bot */
    PERSON_PACE = 60, /* about one a second into a private chat, by its FAQ; nothing is said of
                           ephemeral messages, so they are taken to be like that until it refuses */
    POLL_SLACK_S = 15,
    IN_FLIGHT = 1000,
    SKEW_MS = 5000,           /* tolerated between Telegram's clock and ours */
    NAMED_MS = 3600000,       /* our own name is asked for again: its owner may change it */
    WEBHOOK_AGAIN_MS = 1000,  /* before the webhook is set again, doubled each time ... */
    WEBHOOK_CHECK_MS = 300000 /* ... up to the time between two checks of it */
};

static const struct option options[] = {
    {"token", OPTION_SECRET, NULL, 0, 0, "The bot's token, as @BotFather gave it.",
     offsetof(struct telegram, token)},
    {"api_root", OPTION_TEXT, "https://api.telegram.org", 0, 0, "Where the Bot API is.",
     offsetof(struct telegram, api_root)},
    {"pace", OPTION_INT, "18", 0, 6000,
     "Messages and edits a minute into one group; 0: no limit of ours.",
     offsetof(struct telegram, pace)},
    {"pictures", OPTION_BOOL, "yes", 0, 0, "Show hands, calls and results as pictures.",
     offsetof(struct telegram, pictures)},
    {"poll_s", OPTION_INT, "50", 1, 50, "The longest wait of one long poll, in seconds.",
     offsetof(struct telegram, poll_s)},
    {"webhook_url", OPTION_TEXT, "", 0, 0,
     "URL where Telegram delivers updates, as seen from outside; empty: long polling.",
     offsetof(struct telegram, webhook_url)},
    {"webhook_secret", OPTION_SECRET, "", 0, 0,
     "The secret in each delivery: 16 to 256 letters, digits, _ and -.",
     offsetof(struct telegram, webhook_secret)},
    {"app", OPTION_TEXT, "", 0, 0,
     "Short name of the bot's Mini App, whose address is that of [web] url with /app/telegram "
     "behind it: boards get a button that opens their table; empty: none.",
     offsetof(struct telegram, app)},
    {0},
};

/* The number before the colon, which stays when the token is changed. */
static struct str id_of_token(const void *account)
{
    const struct telegram *t = account;
    struct str secret;
    return str_cut(t->token, ':', &secret);
}

static bool is_person(struct str id)
{
    int64_t n;
    return str_int(id, &n) && n > 0 && id.p[0] != '0';
}

static bool configured(const void *account)
{
    return ((const struct telegram *)account)->token.n > 0;
}

/* ---- webhook ---- */

/* Webhook: Telegram delivers updates, one in each request, with the secret from our configuration.
 * It repeats an update until we answer 200, and holds back later ones of that chat.
 *
 * Every five minutes a poll checks that the webhook is still ours; if another program removed it,
 * it is set again. */

enum { SECRET_LEAST = 16, SECRET_MOST = 256, CONNECTIONS = 40 };

static bool check_webhook(const struct telegram *t, struct err *err)
{
    if (t->webhook_url.n == 0)
        return true;
    if (!str_starts(t->webhook_url, STR("https://")) && !str_starts(t->webhook_url, STR("http://")))
        return err_set(err, "[telegram] webhook_url: must begin with https:// (http:// for a Bot "
                            "API server of one's own)");
    if (memchr(t->webhook_url.p, '?', t->webhook_url.n))
        return err_set(err, "[telegram] webhook_url: a path and no query");
    struct str secret = t->webhook_secret;
    return (secret.n >= SECRET_LEAST && secret.n <= SECRET_MOST && tg_is_secret(secret)) ||
           err_set(err,
                   "[telegram] webhook_secret: %d to %d letters, digits, _ and - are needed with "
                   "webhook_url",
                   SECRET_LEAST, SECRET_MOST);
}

static bool webhook(const void *account, struct webhook *ret)
{
    const struct telegram *t = account;
    if (t->webhook_url.n == 0)
        return false;
    /* "https://play.example.org/telegram" -> "/telegram" */
    struct str path = str_skip(t->webhook_url, str_starts(t->webhook_url, STR("https://")) ? 8 : 7);
    while (path.n > 0 && path.p[0] != '/')
        path = str_skip(path, 1);
    *ret = (struct webhook){path.n > 0 ? path : STR("/"), "X-Telegram-Bot-Api-Secret-Token",
                            t->webhook_secret};
    return true;
}

/* `first`: no update was ever read, and Telegram drops those that wait. */
static void set_webhook(struct telegram *t, struct arena *a, bool first, struct request *ret)
{
    struct call_fields f = {0};
    tg_call_text(&f, "url", t->webhook_url);
    tg_call_int(a, &f, "max_connections", CONNECTIONS);
    tg_call_json(&f, "allowed_updates", tg_read_kinds);
    tg_call_json(&f, "drop_pending_updates", first ? STR("true") : STR("false"));
    tg_call_text(&f, "secret_token", t->webhook_secret);
    *ret = tg_call(t, a, "setWebhook", &f);
}

static bool read_webhook(void *account, struct arena *a, const struct reply *reply,
                         struct batch *ret, struct err *err)
{
    struct telegram *t = account;
    *ret = (struct batch){0};
    struct json tree = json_open(reply->body, JSON_LOOSE);
    if (json_number(tree, "update_id") <= 0) {
        json_free(tree);
        return err_set(err, "what was brought is no update");
    }
    ret->at = arena_new(a, struct update);
    enum read_result result = tg_read(t, a, tree, reply->now, ret->at);
    json_free(tree);
    ret->at->raw = reply->body.n <= MAX_STRING ? reply->body : STR("");
    ret->n = result == READ_UPDATE;
    ret->ask_first = !*t->handle;
    return true;
}

/* ---- opening ---- */

static bool open_account(void *account, struct arena *process, uint32_t *can, struct limits *limits,
                         struct err *err)
{
    struct telegram *t = account;
    struct str secret, id = str_cut(t->token, ':', &secret);
    if (!t->pictures)
        *can &= ~(uint32_t)CAN_PICTURE;
    if (t->app.n == 0)
        *can &= ~(uint32_t)CAN_APP;
    else if (!tg_is_secret(t->app))
        return err_set(err, "[telegram] app: expected letters, digits and _");
    if (!str_int(id, &t->id) || t->id <= 0 || !tg_is_secret(secret))
        return err_set(err, "[telegram] token: not of the form 123456:letters-and-digits");
    while (t->api_root.n > 0 && t->api_root.p[t->api_root.n - 1] == '/')
        t->api_root.n--;
    if (!str_starts(t->api_root, STR("https://")) && !str_starts(t->api_root, STR("http://")))
        return err_set(err, "[telegram] api_root: must begin with https:// or http://");
    if (!check_webhook(t, err))
        return false;
    t->base = arena_print(process, "%.*s/bot%.*s/", STR_ARG(t->api_root), STR_ARG(t->token));
    limits->per_chat_minute = (int)t->pace;
    if (t->pace == 0)
        limits->account_per_second_x100 = limits->per_person_minute = 0;
    t->asking = ASK_ME;
    return true;
}

static bool self(const void *account, struct arena *turn, struct str *ret_name,
                 struct str *ret_link)
{
    const struct telegram *t = account;
    *ret_name = arena_print(turn, "@%s", t->handle);
    *ret_link = arena_print(turn, "https://t.me/%s?startgroup", t->handle);
    return t->handle[0] != '\0';
}

static void set_menu(void *account, const struct menu_lists *menu)
{
    struct telegram *t = account;
    t->menu = menu;
    t->menu_at = 0;
}

/* ---- the list of commands ---- */

/* The list of commands that apps show behind "/": one call for each language and scope after a
 * start, beside the polls: a bot that has just started hears. In groups, commands whose answer is
 * for the sender alone are ephemeral, where the app can. */

/* The scopes of a list, and whether commands may be ephemeral there; private chats list more. */
static const struct {
    const char *scope;
    bool unseen, is_private;
} scopes[] = {{"{\"type\":\"all_private_chats\"}", false, true},
              {"{\"type\":\"all_group_chats\"}", true, false}};
enum { N_SCOPES = sizeof scopes / sizeof *scopes };

static bool ask_menu(void *account, struct arena *a, struct request *ret)
{
    struct telegram *t = account;
    if (!*t->handle || !t->menu || t->menu_at >= t->menu->n_lists * N_SCOPES)
        return false;
    int scope = t->menu_at % N_SCOPES, n;
    const struct menu_entry *at = t->menu->list(t->menu->arg, t->menu_at / N_SCOPES, &n);
    size_t cap = 64;
    for (int i = 0; i < n; i++)
        cap += 96 + at[i].command.n + at[i].about.n * 6;
    struct buf b = {arena_alloc(a, cap), 0, cap, false};
    struct call_fields f = {0};
    json_put_open(&b, NULL, '[');
    for (int i = 0; i < n; i++) {
        if (at[i].about.n == 0 || /* known, not shown */
            (at[i].private_only && !scopes[scope].is_private))
            continue;
        json_put_open(&b, NULL, '{');
        json_put_str(&b, "command", at[i].command);
        json_put_str(&b, "description", at[i].about);
        if (scopes[scope].unseen && at[i].unseen)
            json_put_bool(&b, "is_ephemeral", true);
        buf_char(&b, '}');
    }
    buf_char(&b, ']');
    tg_call_json(&f, "commands", buf_str(&b));
    tg_call_json(&f, "scope", str_of(scopes[scope].scope));
    if (n > 0 && at->language.n > 0)
        tg_call_text(&f, "language_code", at->language);
    *ret = tg_call(t, a, "setMyCommands", &f);
    ret->no_news = true;
    return true;
}

/* Why a call has failed; without an answer the cause is the transport's. Always returns false. */
static bool call_failed(struct err *err, const char *call, const struct reply *reply,
                        const struct refusal *no)
{
    if (no->code == 0)
        return err_set(err, "%sTelegram does not answer%s%.*s", call, reply->why.n > 0 ? ": " : "",
                       STR_ARG(reply->why));
    return err_set(err, "%sTelegram answered %d %.*s", call, no->code, STR_ARG(no->why));
}

/* A list that is refused for good is left out. */
static bool read_menu(void *account, struct arena *turn, const struct reply *reply,
                      struct batch *ret, struct err *err)
{
    struct telegram *t = account;
    struct refusal no;
    *ret = (struct batch){0};
    if (!tg_refusal_read(turn, reply, &no) &&
        (no.code < 400 || no.code >= 500 || no.code == 429 || no.code == 401)) {
        ret->wait_ms = no.retry_ms > 0 ? no.retry_ms : 0;
        return call_failed(err, "the list of commands: ", reply, &no);
    }
    t->menu_at++;
    return true;
}

/* ---- polls ---- */

static struct request ask_updates(struct telegram *t, struct arena *a, struct str cursor)
{
    struct call_fields f = {0};
    int64_t offset, wait = t->poll_s;
    if (t->asking == ASK_FIRST)
        offset = -1, wait = 0;
    else if (!str_int(cursor, &offset) || t->confirmed)
        offset = 0; /* an offset would leave a server unheard whose ids began anew */
    tg_call_int(a, &f, "offset", offset);
    tg_call_int(a, &f, "limit", t->too_large ? 1 : MAX_UPDATES);
    tg_call_int(a, &f, "timeout", wait);
    tg_call_json(&f, "allowed_updates", tg_read_kinds);
    struct request r = tg_call(t, a, "getUpdates", &f);
    r.timeout_ms = (int)(wait + POLL_SLACK_S) * 1000;
    return r;
}

/* The question once the startup ones are answered. */
static enum asking next_asking(const struct telegram *t)
{
    return t->webhook_url.n > 0 ? ASK_WEBHOOK_INFO : ASK_UPDATES;
}

static void poll_account(void *account, struct arena *turn, struct str cursor, struct request *ret)
{
    struct telegram *t = account;
    struct call_fields f = {0};
    if (t->asking == ASK_FIRST && t->webhook_url.n > 0)
        t->asking = ASK_WEBHOOK_SET;
    if (t->asking == ASK_FIRST && cursor.n > 0)
        t->asking = ASK_UPDATES;
    switch (t->asking) {
    case ASK_ME:
        *ret = tg_call(t, turn, "getMe", &f);
        break;
    case ASK_WEBHOOK_DELETE:
        tg_call_json(&f, "drop_pending_updates", STR("false"));
        *ret = tg_call(t, turn, "deleteWebhook", &f);
        break;
    case ASK_WEBHOOK_SET:
        set_webhook(t, turn, cursor.n == 0, ret);
        break;
    case ASK_WEBHOOK_INFO:
        *ret = tg_call(t, turn, "getWebhookInfo", &f);
        break;
    case ASK_FIRST:
    case ASK_UPDATES:
        *ret = ask_updates(t, turn, cursor);
        break;
    }
}

/* ---- polls that fail ---- */

/* Errors of getUpdates and their handling.
 *
 *     409 (polling)   another instance is polling; retry, give up after 5 min
 *     409 (webhook)   a webhook is set: delete it
 *     401             the token is wrong: fatal, if the answer is the Bot API's own
 *     404             fatal at the first poll (token or api_root); later transient
 *     429             wait as long as Telegram asks for
 *
 * Anything else is transient: retry with back-off, 1 min at most. */
enum {
    CONFLICT_MS = 300000,
    CONFLICT_WAIT_MS = 3000,
    FIRST_WAIT_MS = 500,
    LONGEST_WAIT_MS = 60000
};

/* 0.5, 1, 2 ... 60 s. */
static int64_t back_off(struct telegram *t)
{
    int64_t wait = FIRST_WAIT_MS;
    for (int i = 0; i < t->failures && wait < LONGEST_WAIT_MS; i++)
        wait *= 2;
    t->failures++;
    return wait < LONGEST_WAIT_MS ? wait : LONGEST_WAIT_MS;
}

static bool poll_failed(struct telegram *t, const struct reply *reply, const struct refusal *no,
                        struct batch *ret, struct err *err)
{
    bool first_poll = t->asking == ASK_ME && !*t->handle;
    switch (no->code) {
    case 401:
        ret->fatal = no->api;
        ret->wait_ms = back_off(t);
        return err_set(err, "Telegram refuses the token (401): is it complete, was it revoked?");
    case 404:
        ret->fatal = first_poll;
        ret->wait_ms = back_off(t);
        return err_set(err, "not found (404): are token and api_root right?");
    case 409:
        if (no->why.n > 0 && memmem(no->why.p, no->why.n, "webhook", 7)) {
            t->asking = ASK_WEBHOOK_DELETE;
            return err_set(err, "a webhook is set for this token; deleting it");
        }
        if (!t->conflict_since)
            t->conflict_since = reply->now;
        ret->wait_ms = CONFLICT_WAIT_MS;
        ret->fatal = reply->now - t->conflict_since >= CONFLICT_MS;
        return err_set(err, "getUpdates: another program polls for this bot; stop one of the two");
    case 429:
        ret->wait_ms = no->retry_ms > 0 ? no->retry_ms : 1000;
        return err_set(err, "Telegram asks for a pause of %lld s", (long long)ret->wait_ms / 1000);
    default:
        ret->wait_ms = back_off(t);
        return call_failed(err, "", reply, no);
    }
}

/* ---- answers ---- */

/* The first answer leads to the questions of the start. */
static bool read_me(struct telegram *t, struct arena *a, const struct reply *reply)
{
    bool first = !*t->handle;
    struct json tree = json_open(reply->body, JSON_LOOSE);
    struct str handle = tg_text(a, json_at(tree, "result"), "username");
    bool good = handle.n > 0 && handle.n < sizeof t->handle;
    if (good) {
        memcpy(t->handle, handle.p, handle.n);
        t->handle[handle.n] = 0;
        t->answers_queries = json_bool(json_at(tree, "result"), "supports_inline_queries");
        t->named = reply->now;
        t->asking = first ? ASK_FIRST : next_asking(t);
    }
    json_free(tree);
    return good;
}

/* Reads the updates of one answer in order. */
static bool read_updates(struct telegram *t, struct arena *a, const struct reply *reply,
                         struct batch *ret)
{
    static const char press[] = "\"callback_query\"";
    struct str *raw = arena_array(a, struct str, MAX_UPDATES);
    int n = tg_scan_elements(reply->body, "result", raw, MAX_UPDATES);
    ret->more = n == MAX_UPDATES;
    int64_t next = 0;
    if (n < 0)
        return false;
    ret->at = arena_array(a, struct update, (size_t)n + 1);
    for (int i = 0; i < n; i++) {
        /* without what read.c skips: the keyboards of our messages, the text of a pressed one */
        struct str read = tg_scan_without(a, raw[i], "reply_markup");
        if (memmem(read.p, read.n, press, sizeof press - 1))
            read = tg_scan_without(a, tg_scan_without(a, read, "entities"), "text");
        struct json tree = json_open(read, JSON_LOOSE);
        int64_t id = json_number(tree, "update_id");
        struct update *u = &ret->at[ret->n];
        enum read_result result = id > 0 ? tg_read(t, a, tree, reply->now, u) : READ_NOTHING;
        json_free(tree);
        u->raw = raw[i].n <= MAX_STRING ? raw[i] : STR("");
        bool too_old = t->asking == ASK_FIRST && u->when / 1000 < (t->began - SKEW_MS) / 1000;
        ret->n += result == READ_UPDATE && !too_old;
        next = id >= next ? id + 1 : next;
    }
    if (t->asking == ASK_FIRST && next == 0)
        ret->cursor = STR("0"); /* the next start is not the first */
    t->asking = reply->now - t->named >= NAMED_MS ? ASK_ME : next_asking(t);
    t->confirmed = n == 0;
    if (next > 0)
        ret->cursor = arena_print(a, "%lld", (long long)next);
    return true;
}

/* A webhook that was taken away is set again: at once, and ever later if that does not help (a server
 * may name it by another URL than ours). */
static void check_set(struct telegram *t, bool ours, struct batch *ret)
{
    int64_t wait = WEBHOOK_AGAIN_MS;
    for (int i = 1; i < t->webhook_sets && wait < WEBHOOK_CHECK_MS; i++)
        wait *= 2;
    ret->wait_ms = ours || wait > WEBHOOK_CHECK_MS ? WEBHOOK_CHECK_MS
                   : t->webhook_sets > 0           ? wait
                                                   : 0;
    if (!ours && t->webhook_sets == 1)
        ret->note = STR("the server names another webhook than the one that was set: is "
                        "webhook_url as it is seen from outside, does another program set one?");
    else if (!ours && t->webhook_sets > 1)
        ret->note = STR(""); /* it has been said */
    if (!ours)
        t->asking = ASK_WEBHOOK_SET;
    t->webhook_sets = ours ? 0 : t->webhook_sets + 1;
}

static bool read_reply(void *account, struct arena *turn, const struct reply *reply,
                       struct batch *ret, struct err *err)
{
    struct telegram *t = account;
    struct refusal no;
    *ret = (struct batch){0};
    if (!t->began)
        t->began = reply->now;
    bool good = tg_refusal_read(turn, reply, &no);
    t->too_large |= reply->too_large;
    if (!good)
        return poll_failed(t, reply, &no, ret, err);
    t->conflict_since = 0;
    ret->busy = t->asking != ASK_FIRST && t->asking != ASK_UPDATES;
    switch (t->asking) {
    case ASK_ME:
        good = read_me(t, turn, reply);
        break;
    case ASK_WEBHOOK_DELETE:
        t->asking = ASK_FIRST;
        break;
    case ASK_WEBHOOK_SET:
        ret->cursor = STR("0"); /* the next start is not the first */
        t->asking = next_asking(t);
        break;
    case ASK_WEBHOOK_INFO:
        check_set(t, tg_webhook_ours(t, turn, reply, &ret->note), ret);
        if (t->asking == ASK_WEBHOOK_INFO && reply->now - t->named >= NAMED_MS)
            t->asking = ASK_ME;
        break;
    case ASK_FIRST:
    case ASK_UPDATES:
        good = read_updates(t, turn, reply, ret);
        break;
    }
    if (!good) {
        ret->wait_ms = back_off(t);
        return err_set(err, "an answer of Telegram broke off or cannot be read");
    }
    t->failures = 0;
    t->too_large = false;
    return true;
}

/* In a chat that the bot is not in there is one message, and an answer to each press on it. */
static uint32_t can_in(const void *account, struct str chat, uint32_t can)
{
    const struct telegram *t = account;
    if (chat.n > 0 && chat.p[0] == 'i')
        can =
            (can & ~(uint32_t)(CAN_WHISPER | CAN_ERASE | CAN_PICTURE | CAN_RETURN)) | CAN_ONE_POST;
    if (tg_hides_nothing(t))
        can &= ~(uint32_t)CAN_WHISPER;
    return t->answers_queries ? can | CAN_QUERY : can;
}

static bool one_reader(const void *account, struct str chat)
{
    struct chat_ref ref;
    (void)account;
    return tg_ids_chat(chat, &ref) && ref.chat > 0;
}

static void close_account(void *account)
{
    (void)account; /* all state is in the arenas */
}

const struct adapter telegram_adapter = {
    .name = "telegram",
    .title = "Telegram",
    .can = CAN_TYPING | CAN_BUTTONS | CAN_EDIT | CAN_ERASE | CAN_PICTURE | CAN_FILE | CAN_WHISPER |
           CAN_DIRECT | CAN_POPUP | CAN_STYLE | CAN_FOLD | CAN_COUNTDOWN | CAN_MENTION |
           CAN_HANDLES | CAN_RETURN | CAN_ADD | CAN_CLOSE | CAN_APP,
    .limits = {.plain_commands = true,
               .text_chars = TEXT_UNITS,
               .caption_chars = CAPTION_UNITS,
               .popup_chars = POPUP_UNITS,
               .buttons = 100,
               .buttons_a_row = 8,
               .row_columns = 40, /* so that a phone has room for each label */
               .per_chat_minute = PACE,
               .per_person_minute = PERSON_PACE,
               .account_per_second_x100 = 3000,
               .account_burst = 30,
               .counts_utf16 = true,
               .in_flight = IN_FLIGHT},
    .account_size = sizeof(struct telegram),
    .options = options,
    .configured = configured,
    .needs = "token",
    .person = is_person,
    .person_like = "123456789",
    .bot = id_of_token,
    .open = open_account,
    .can_in = can_in,
    .self = self,
    .one_reader = one_reader,
    .menu = set_menu,
    .beside = ask_menu,
    .beside_read = read_menu,
    .poll = poll_account,
    .read = read_reply,
    .webhook = webhook,
    .webhook_read = read_webhook,
    .prove = tg_prove,
    .framed_by = "https://web.telegram.org",
    .send = tg_send,
    .receipt = tg_receipt,
    .close = close_account,
    .examine = tg_examine,
};
