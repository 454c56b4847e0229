/* Telegram, by the Bot API over HTTP. Facts: core.telegram.org/bots/api (10.3).
 *
 * The order of asking: our own name (getMe), then news. News come by long poll; the offset is the
 * cursor that the shell keeps with what was heard, so that an update is confirmed only once it is
 * durable. The very first start passes over what was said before it: a poll for the last update
 * alone confirms all others. Between two polls, once, the list of commands is set, language by
 * language; and before a command that changes settings is passed on, it is asked whether its sender
 * is an administrator: the update stays unconfirmed meanwhile and comes again. With a webhook
 * (hook.c) news are brought instead, and it is asked only whether the webhook is still ours. What
 * may go wrong is in weather.c. */
#include "say.h"

enum {
    PACE = 18,
    POLL_S = 50,
    POLL_SLACK_S = 15,
    IN_FLIGHT = 1000,
    ADMIN_MS = 300000,
    SKEW_MS = 5000, /* between Telegram's clock and ours; one clock read in two ways differs, too */
    HOOKED_MS = 300000 /* how often the webhook is looked after */
};

static const struct option options[] = {
    {"token", OPTION_SECRET, NULL, 0, 0, "The bot's token, as @BotFather gave it.",
     offsetof(struct telegram, token)},
    {"api_root", OPTION_TEXT, "https://api.telegram.org", 0, 0, "Where the Bot API is.",
     offsetof(struct telegram, api_root)},
    {"pace", OPTION_INT, "18", 0, 6000,
     "Messages and edits a minute into one chat; 0: no limit of ours.",
     offsetof(struct telegram, pace)},
    {"pictures", OPTION_BOOL, "yes", 0, 0, "Show a player's cards as a picture.",
     offsetof(struct telegram, pictures)},
    {"poll_s", OPTION_INT, "50", 1, 50, "How long one question for news may wait, in seconds.",
     offsetof(struct telegram, poll_s)},
    {"webhook_url", OPTION_TEXT, "", 0, 0,
     "Where Telegram brings its news, as it is seen from outside; empty: it is asked for them.",
     offsetof(struct telegram, webhook_url)},
    {"webhook_secret", OPTION_SECRET, "", 0, 0,
     "What it says to be let in: 16 to 256 letters, digits, _ and -.",
     offsetof(struct telegram, webhook_secret)},
    {0},
};

static bool configured(const void *account)
{
    return ((const struct telegram *)account)->token.n > 0;
}

static bool token_shaped(struct str token)
{
    struct str secret, id = str_cut(token, ':', &secret);
    int64_t n;
    bool good = str_int(id, &n) && n > 0 && secret.n > 0;
    for (size_t i = 0; i < secret.n; i++)
        good &= (secret.p[i] >= '0' && secret.p[i] <= '9') ||
                (secret.p[i] >= 'A' && secret.p[i] <= 'Z') ||
                (secret.p[i] >= 'a' && secret.p[i] <= 'z') || secret.p[i] == '_' ||
                secret.p[i] == '-';
    return good;
}

static bool open_account(void *account, struct arena *process, uint32_t *can, struct limits *limits,
                         struct err *err)
{
    struct telegram *t = account;
    if (!t->pictures)
        *can &= ~(uint32_t)CAN_PICTURE;
    if (!token_shaped(t->token))
        return err_set(err, "[telegram] token: not of the form 123456:letters-and-digits");
    while (t->api_root.n > 0 && t->api_root.p[t->api_root.n - 1] == '/')
        t->api_root.n--;
    if (!str_starts(t->api_root, STR("https://")) && !str_starts(t->api_root, STR("http://")))
        return err_set(err, "[telegram] api_root: must begin with https:// or http://");
    if (!tg_hook_check(t, err))
        return false;
    t->base = arena_print(process, "%.*s/bot%.*s/", STR_ARG(t->api_root), STR_ARG(t->token));
    struct str secret, id = str_cut(t->token, ':', &secret);
    if (!str_int(id, &t->id))
        return err_set(err, "[telegram] token: the number before the colon is too long");
    limits->per_chat_minute = (int)t->pace;
    if (t->pace == 0)
        limits->account_per_second_x100 = 0;
    t->asking = ASK_ME;
    return true;
}

static void set_menu(void *account, const struct menu_entry *at, int n)
{
    struct telegram *t = account;
    t->menu = at;
    t->n_menu = n;
    t->menu_at = 0;
}

/* ---- asking ---- */

static struct request ask_news(struct telegram *t, struct arena *a, struct str cursor)
{
    struct fields f = {0};
    int64_t offset, wait = t->short_poll ? 0 : t->poll_s;
    if (t->asking == ASK_FIRST)
        offset = -1, wait = 0;
    else if (!str_int(cursor, &offset))
        offset = 0;
    tg_field_json(&f, "offset", arena_print(a, "%lld", (long long)offset));
    tg_field_json(&f, "limit", STR("100"));
    tg_field_json(&f, "timeout", arena_print(a, "%lld", (long long)wait));
    tg_field_json(&f, "allowed_updates", tg_kinds);
    struct request r = tg_call(t, a, "getUpdates", &f);
    r.timeout_ms = (int)(wait + POLL_SLACK_S) * 1000;
    return r;
}

/* What is asked once all else is known. */
static enum asking next_asking(const struct telegram *t)
{
    return tg_menu_left(t) ? ASK_MENU : t->webhook_url.n > 0 ? ASK_HOOKED : ASK_NEWS;
}

static void ask(void *account, struct arena *turn, struct str cursor, struct request *ret)
{
    struct telegram *t = account;
    struct fields f = {0};
    if (t->asking == ASK_FIRST && t->webhook_url.n > 0)
        t->asking = ASK_HOOK;
    if (t->asking == ASK_FIRST && cursor.n > 0)
        t->asking = ASK_NEWS;
    if (t->wants_admin && t->asking == ASK_HOOKED)
        t->asking = ASK_ADMIN;
    switch (t->asking) {
    case ASK_ME:
        *ret = tg_call(t, turn, "getMe", &f);
        break;
    case ASK_UNHOOK:
        tg_field_json(&f, "drop_pending_updates", STR("false"));
        *ret = tg_call(t, turn, "deleteWebhook", &f);
        break;
    case ASK_HOOK:
        tg_hook_set(t, turn, cursor.n == 0, ret);
        break;
    case ASK_HOOKED:
        *ret = tg_call(t, turn, "getWebhookInfo", &f);
        break;
    case ASK_MENU:
        *ret = tg_menu_ask(t, turn);
        break;
    case ASK_ADMIN:
        t->asked_chat = t->wanted_chat;
        t->asked_person = t->wanted_person;
        tg_field_json(&f, "chat_id", arena_print(turn, "%lld", (long long)t->asked_chat));
        tg_field_json(&f, "user_id", arena_print(turn, "%lld", (long long)t->asked_person));
        *ret = tg_call(t, turn, "getChatMember", &f);
        break;
    case ASK_FIRST:
    case ASK_NEWS:
        *ret = ask_news(t, turn, cursor);
        break;
    }
}

/* ---- reading ---- */

static bool hear_me(struct telegram *t, struct arena *a, const struct reply *reply)
{
    cJSON *tree = cJSON_ParseWithLength(reply->body.p, reply->body.n);
    struct str handle = tg_json_text(a, tg_json_get(tree, "result"), "username");
    bool good = handle.n > 0 && handle.n < sizeof t->handle;
    if (good) {
        memcpy(t->handle, handle.p, handle.n);
        t->handle[handle.n] = 0;
        t->answers_queries = tg_json_true(tg_json_get(tree, "result"), "supports_inline_queries");
        t->asking = ASK_FIRST;
    }
    cJSON_Delete(tree);
    return good;
}

static void hear_admin(struct telegram *t, const struct reply *reply)
{
    cJSON *tree = cJSON_ParseWithLength(reply->body.p, reply->body.n);
    struct str status = tg_json_raw(tg_json_get(tree, "result"), "status");
    t->admin[t->admin_next] = (struct known_admin){
        t->asked_chat, t->asked_person, reply->now + ADMIN_MS,
        str_is(status, STR("administrator")) || str_is(status, STR("creator"))};
    t->admin_next = (t->admin_next + 1) % KNOWN_ADMINS;
    cJSON_Delete(tree);
    t->asking = t->webhook_url.n > 0 ? next_asking(t) : ASK_NEWS;
    t->short_poll = true;
    t->wants_admin = false;
}

/* News are brought from now on, and the next start is not the first. */
static void hear_hook(struct telegram *t, struct batch *ret)
{
    ret->cursor = STR("0");
    t->asking = next_asking(t);
}

static void hear_hooked(struct telegram *t, struct arena *a, const struct reply *reply,
                        struct batch *ret)
{
    if (!tg_hook_ours(t, a, reply, &ret->note))
        t->asking = ASK_HOOK;
    else if (!t->wants_admin)
        ret->wait_ms = HOOKED_MS;
}

/* Without the buttons of our own messages; of the message that a press was made on, without its
 * words. */
static struct str worth_reading(struct arena *a, struct str update)
{
    struct str s = tg_json_without(a, update, "reply_markup"), press = STR("\"callback_query\"");
    if (!memmem(s.p, s.n, press.p, press.n))
        return s;
    return tg_json_without(a, tg_json_without(a, s, "entities"), "text");
}

/* The updates of one answer, in order. Stops before one that cannot be passed on yet. */
static bool hear_news(struct telegram *t, struct arena *a, const struct reply *reply,
                      struct batch *ret)
{
    struct str *raw = arena_array(a, struct str, MAX_UPDATES);
    int n = tg_json_elements(reply->body, "result", raw, MAX_UPDATES);
    int64_t next = 0;
    bool waits = false;
    if (n < 0)
        return false;
    ret->at = arena_array(a, struct update, (size_t)n + 1);
    for (int i = 0; i < n && !waits; i++) {
        struct str read = worth_reading(a, raw[i]);
        cJSON *tree = cJSON_ParseWithLength(read.p, read.n);
        int64_t id = tg_json_int(tree, "update_id");
        struct update *u = &ret->at[ret->n];
        enum heard heard = id > 0 ? tg_hear(t, a, tree, reply->now, u) : HEARD_NOTHING;
        cJSON_Delete(tree);
        waits = heard == HEARD_NEEDS_ADMIN;
        if (waits)
            break;
        u->raw = raw[i];
        bool before_us = t->asking == ASK_FIRST && u->when / 1000 < (t->began - SKEW_MS) / 1000;
        ret->n += heard == HEARD && !before_us;
        next = id >= next ? id + 1 : next;
    }
    if (t->asking == ASK_FIRST && next == 0)
        ret->cursor = STR("0"); /* the next start is not the first */
    t->asking = waits ? ASK_ADMIN : next_asking(t);
    t->short_poll = false;
    if (next > 0)
        ret->cursor = arena_print(a, "%lld", (long long)next);
    return true;
}

static bool hear_reply(void *account, struct arena *turn, const struct reply *reply,
                       struct batch *ret, struct err *err)
{
    struct telegram *t = account;
    struct refusal no;
    *ret = (struct batch){0};
    if (!t->began)
        t->began = reply->now;
    bool good = tg_refusal_read(turn, reply, &no);
    bool optional = t->asking == ASK_MENU || t->asking == ASK_ADMIN;
    if (!good && optional && no.code >= 400 && no.code < 500 && no.code != 429 && no.code != 401)
        good = true; /* refused for good: we go on without it */
    if (!good)
        return tg_failed(t, reply, &no, ret, err);
    t->conflict_since = 0;
    switch (t->asking) {
    case ASK_ME:
        good = hear_me(t, turn, reply);
        break;
    case ASK_UNHOOK:
        t->asking = ASK_FIRST;
        break;
    case ASK_HOOK:
        hear_hook(t, ret);
        break;
    case ASK_HOOKED:
        hear_hooked(t, turn, reply, ret);
        break;
    case ASK_MENU:
        tg_menu_done(t);
        t->asking = next_asking(t);
        break;
    case ASK_ADMIN:
        hear_admin(t, reply);
        break;
    case ASK_FIRST:
    case ASK_NEWS:
        good = hear_news(t, turn, reply, ret);
        break;
    }
    if (!good) {
        ret->wait_ms = tg_back_off(t);
        return err_set(err, "an answer of Telegram broke off or cannot be read");
    }
    t->failures = 0;
    return true;
}

/* Where we are not there is one message of ours, and taps on it are answered. */
static uint32_t can_in(const void *account, struct str chat, uint32_t can)
{
    const struct telegram *t = account;
    if (chat.n > 0 && chat.p[0] == 'i')
        can =
            (can & ~(uint32_t)(CAN_WHISPER | CAN_ERASE | CAN_PICTURE | CAN_RETURN)) | CAN_ONE_POST;
    if (t->hiding == HIDING_MISSING)
        can &= ~(uint32_t)CAN_WHISPER;
    return t->answers_queries ? can | CAN_QUERY : can;
}

static bool hook_of(const void *account, struct hook *ret)
{
    return tg_hook(account, ret);
}

static bool brought(void *account, struct arena *turn, const struct reply *reply, struct batch *ret,
                    struct err *err)
{
    return tg_brought(account, turn, reply, ret, err);
}

static void speak(void *account, struct arena *turn, const struct outgoing *out,
                  struct request *ret)
{
    tg_say(account, turn, out, ret);
}

static void receipt(void *account, struct arena *turn, const struct outgoing *out,
                    const struct reply *reply, struct receipt *ret)
{
    tg_verdict(account, turn, out, reply, ret);
}

static void examine(void *account, struct arena *a, const struct reply *reply, struct request *next,
                    struct findings *ret)
{
    tg_examine(account, a, reply, next, ret);
}

static void close_account(void *account)
{
    (void)account; /* nothing is held: all state is in the arenas */
}

const struct adapter telegram_adapter = {
    .name = "telegram",
    .title = "Telegram",
    .can = CAN_BUTTONS | CAN_EDIT | CAN_ERASE | CAN_PICTURE | CAN_WHISPER | CAN_DIRECT | CAN_POPUP |
           CAN_STYLE | CAN_COUNTDOWN | CAN_MENTION | CAN_HANDLES | CAN_RETURN,
    .limits = {.text_chars = TEXT_UNITS,
               .caption_chars = CAPTION_UNITS,
               .popup_chars = POPUP_UNITS,
               .data_bytes = DATA_BYTES,
               .buttons = 100,
               .buttons_a_row = 4, /* so that a telephone shows a name */
               .per_chat_minute = PACE,
               .account_per_second_x100 = 3000,
               .account_burst = 30,
               .counts_utf16 = true,
               .in_flight = IN_FLIGHT},
    .account_size = sizeof(struct telegram),
    .options = options,
    .configured = configured,
    .open = open_account,
    .can_in = can_in,
    .menu = set_menu,
    .poll = ask,
    .read = hear_reply,
    .hook = hook_of,
    .brought = brought,
    .send = speak,
    .receipt = receipt,
    .close = close_account,
    .examine = examine,
};
