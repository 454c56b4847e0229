/* koikoi doctor for Telegram: checks of getMe, getWebhookInfo and this machine's clock. A setting
 * that only @BotFather can change is reported with the command for it. */
#include "telegram.h"

enum { MANY_WAITING = 1000 };

static void unreachable(struct arena *a, const struct telegram *t, const struct refusal *no,
                        struct str why, struct findings *ret)
{
    if (no->code == 0 && why.n > 0)
        finding_add(ret, a, FOUND_WRONG, "no answer: %.*s", STR_ARG(why));
    else if (no->code == 0)
        finding_add(ret, a, FOUND_WRONG,
                    "no answer from %.*s: is this machine online, is api_root right?",
                    STR_ARG(t->api_root));
    else if (no->code < 500 && !no->api)
        finding_add(ret, a, FOUND_WRONG,
                    "what answers at %.*s (%d) is no Bot API: is api_root right, does a "
                    "proxy or a page to log in stand in the way?",
                    STR_ARG(t->api_root), no->code);
    else if (no->code == 429)
        finding_add(ret, a, FOUND_ADVICE, "Telegram asks for a pause of %lld s: try again then",
                    (long long)(no->retry_ms > 0 ? (no->retry_ms + 999) / 1000 : 1));
    else if (no->code == 401 || no->code == 404)
        finding_add(
            ret, a, FOUND_WRONG,
            "the token is refused: copy it whole from @BotFather (/mybots, API Token), or make "
            "a new one there");
    else
        finding_add(ret, a, FOUND_WRONG, "Telegram answers %d: try again later", no->code);
}

static void me_found(struct telegram *t, struct arena *a, struct json me, struct findings *ret)
{
    struct str handle = tg_text(a, me, "username");
    if (json_number(me, "id") != t->id)
        finding_add(ret, a, FOUND_WRONG,
                    "the bot that answers is not the one of the token: is api_root right?");
    else
        finding_add(ret, a, FOUND_FINE, "the token is that of @%.*s", STR_ARG(handle));
    if (json_at(me, "can_join_groups").at && !json_bool(me, "can_join_groups"))
        finding_add(ret, a, FOUND_WRONG,
                    "it may not be added to groups: /setjoingroups at @BotFather, Enable");
    if (json_bool(me, "can_read_all_group_messages"))
        finding_add(ret, a, FOUND_ADVICE,
                    "privacy mode is off: the bot receives every message of its groups, and needs "
                    "none of it; "
                    "/setprivacy at @BotFather, Enable, then add it to its groups again");
    else
        finding_add(ret, a, FOUND_FINE,
                    "privacy mode is on: in groups it hears only what is meant for it");
    if (json_bool(me, "supports_inline_queries"))
        finding_add(ret, a, FOUND_FINE,
                    "inline mode is on; /setinlinefeedback at @BotFather, 100%%, seals a challenge "
                    "as soon as it is posted (Telegram does not say whether it is set); without it "
                    "the first tap on Accept only does that");
    else
        finding_add(
            ret, a, FOUND_FINE,
            "inline mode is off: /setinline at @BotFather lets people challenge in chats that "
            "the bot is not in, and look up their cards in any");
    if (json_bool(me, "supports_guest_queries"))
        finding_add(ret, a, FOUND_FINE,
                    "guest mode is on: a mention in a chat it is not in offers a challenge");
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

/* A webhook is configured. */
static void own_webhook_found(struct telegram *t, struct arena *a, const struct reply *reply,
                              struct findings *ret)
{
    struct str note;
    if (!tg_webhook_ours(t, a, reply, &note))
        finding_add(ret, a, FOUND_ADVICE, "the webhook is not set yet: koikoi run sets it");
    else if (note.n > 0)
        finding_add(ret, a, FOUND_WRONG,
                    "%.*s: is koikoi run running, does webhook_url lead to its listen, is the "
                    "certificate good?",
                    STR_ARG(note));
    else
        finding_add(ret, a, FOUND_FINE, "the webhook is set to webhook_url");
}

static void webhook_found(struct telegram *t, struct arena *a, const struct reply *reply,
                          struct json webhook, struct findings *ret)
{
    int64_t waiting = json_number(webhook, "pending_update_count");
    struct str url = tg_raw(webhook, "url"), why = tg_text(a, webhook, "last_error_message");
    if (t->webhook_url.n > 0)
        own_webhook_found(t, a, reply, ret);
    else if (url.n > 0)
        finding_add(ret, a, FOUND_ADVICE,
                    "a webhook of another program is set%s%.*s: koikoi run deletes it; that "
                    "program must not set it again",
                    why.n > 0 ? ", and fails with " : "", STR_ARG(why));
    else
        finding_add(ret, a, FOUND_FINE, "no webhook is in the way");
    if (waiting >= MANY_WAITING)
        finding_add(ret, a, FOUND_ADVICE, "%lld updates wait: is koikoi run running?",
                    (long long)waiting);
}

void tg_examine(void *account, struct arena *a, const struct reply *reply, struct request *next,
                struct findings *ret)
{
    struct telegram *t = account;
    struct refusal no;
    struct call_fields f = {0};
    if (!reply) {
        *next = tg_call(t, a, "getMe", &f);
        t->asking = ASK_ME;
        return;
    }
    if (!tg_refusal_read(a, reply, &no)) {
        unreachable(a, t, &no, reply->why, ret);
        return;
    }
    struct json tree = json_open(reply->body, JSON_LOOSE);
    struct json result = json_at(tree, "result");
    if (t->asking == ASK_ME) {
        me_found(t, a, result, ret);
        finding_clock(ret, a, reply, "Telegram's");
        *next = tg_call(t, a, "getWebhookInfo", &f);
        t->asking = ASK_WEBHOOK_DELETE;
    } else {
        webhook_found(t, a, reply, result, ret);
    }
    json_free(tree);
}
