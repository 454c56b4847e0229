/* Webhook: Telegram delivers updates, one in each request, with the secret from our configuration.
 * It repeats an update until we answer 200, and holds back later ones of that chat.
 *
 * Every five minutes a poll checks that the webhook is still ours; if another program removed it,
 * it is set again. */
#include "telegram.h"

enum { SECRET_LEAST = 16, SECRET_MOST = 256, CONNECTIONS = 40 };

bool tg_webhook_check(const struct telegram *t, struct err *err)
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

bool tg_webhook(const void *account, struct webhook *ret)
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

void tg_webhook_set(struct telegram *t, struct arena *a, bool first, struct request *ret)
{
    struct call_fields f = {0};
    tg_call_text(&f, "url", t->webhook_url);
    tg_call_int(a, &f, "max_connections", CONNECTIONS);
    tg_call_json(&f, "allowed_updates", tg_read_kinds);
    tg_call_json(&f, "drop_pending_updates", first ? STR("true") : STR("false"));
    tg_call_text(&f, "secret_token", t->webhook_secret);
    *ret = tg_call(t, a, "setWebhook", &f);
}

bool tg_webhook_ours(const struct telegram *t, struct arena *a, const struct reply *reply,
                     struct str *ret_log_text)
{
    struct json tree = json_open(reply->body, JSON_LOOSE);
    struct json info = json_at(tree, "result");
    bool ours = str_is(tg_raw(info, "url"), t->webhook_url);
    struct str why = tg_text(a, info, "last_error_message");
    int64_t ago = reply->now / 1000 - json_number(info, "last_error_date");
    *ret_log_text = STR("");
    if (!ours)
        *ret_log_text = STR("the webhook was taken away; it is set again");
    else if (why.n > 0 && ago < 300)
        *ret_log_text = arena_print(a, "Telegram could not deliver updates: %.*s", STR_ARG(why));
    json_free(tree);
    return ours;
}

bool tg_webhook_read(void *account, struct arena *a, const struct reply *reply, struct batch *ret,
                     struct err *err)
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
    ret->ask_first = result == READ_NEEDS_ADMIN || !*t->handle;
    t->wants_admin |= result == READ_NEEDS_ADMIN;
    return true;
}
