/* koikoi doctor, for this network: what getMe and getWebhookInfo say about the bot, and what the clock
 * says about this machine. What only @BotFather can change is said with the command he knows. */
#include "telegram.h"

enum { CLOCK_MS = 10000, WAITING_MANY = 1000 };

static void add(struct findings *f, enum found found, struct str text)
{
    if (f->n < MAX_FINDINGS)
        f->at[f->n++] = (struct finding){found, text};
}

static void clock_found(struct arena *a, const struct reply *reply, struct findings *ret)
{
    if (reply->date == 0)
        return;
    long long off = (long long)(reply->now - reply->date), seconds = (off < 0 ? -off : off) / 1000;
    if (off > -CLOCK_MS && off < CLOCK_MS)
        add(ret, FOUND_FINE, STR("the clock of this machine agrees with Telegram's"));
    else
        add(ret, FOUND_WRONG,
            arena_print(a,
                        "the clock of this machine is %lld s %s: set it, deadlines are shown by it",
                        seconds, off > 0 ? "fast" : "slow"));
}

static void unreachable(struct arena *a, const struct telegram *t, const struct reply *reply,
                        struct findings *ret)
{
    if (reply->status == 0)
        add(ret, FOUND_WRONG,
            arena_print(a, "no answer from %.*s: is this machine online, is api_root right?",
                        STR_ARG(t->api_root)));
    else if (reply->status == 401 || reply->status == 404)
        add(ret, FOUND_WRONG,
            STR("the token is refused: copy it whole from @BotFather (/mybots, API Token), or make "
                "a new one there"));
    else
        add(ret, FOUND_WRONG,
            arena_print(a, "Telegram answers %d: try again later", reply->status));
}

static void me_found(struct telegram *t, struct arena *a, const cJSON *me, struct findings *ret)
{
    struct str handle = tg_json_text(a, me, "username");
    if (tg_json_int(me, "id") != t->id)
        add(ret, FOUND_WRONG,
            STR("the bot that answers is not the one of the token: is api_root right?"));
    else
        add(ret, FOUND_FINE, arena_print(a, "the token is that of @%.*s", STR_ARG(handle)));
    if (cJSON_IsFalse(tg_json_get(me, "can_join_groups")))
        add(ret, FOUND_WRONG,
            STR("it may not be added to groups: /setjoingroups at @BotFather, Enable"));
    if (tg_json_true(me, "can_read_all_group_messages"))
        add(ret, FOUND_ADVICE,
            STR("privacy mode is off: the bot is sent all that is said in its groups, and needs "
                "none of it; "
                "/setprivacy at @BotFather, Enable, then add it to its groups again"));
    else
        add(ret, FOUND_FINE,
            STR("privacy mode is on: in groups it hears only what is meant for it"));
    if (tg_json_true(me, "supports_inline_queries"))
        add(ret, FOUND_FINE,
            STR("inline mode is on; with /setinlinefeedback at @BotFather, 100%, what is said by "
                "it "
                "counts at once, else a tap more is needed"));
    else
        add(ret, FOUND_FINE,
            STR("inline mode is off: /setinline at @BotFather lets people challenge in chats that "
                "the bot is not in, and look up their cards in any"));
}

/* A webhook is wanted. */
static void own_webhook_found(struct telegram *t, struct arena *a, const struct reply *reply,
                              struct findings *ret)
{
    struct str note;
    if (!tg_hook_ours(t, a, reply, &note))
        add(ret, FOUND_ADVICE, STR("the webhook is not set yet: koikoi run sets it"));
    else if (note.n > 0)
        add(ret, FOUND_WRONG,
            arena_print(a,
                        "%.*s: is koikoi run running, does webhook_url lead to its listen, is the "
                        "certificate good?",
                        STR_ARG(note)));
    else
        add(ret, FOUND_FINE, STR("the webhook is set to webhook_url"));
}

static void webhook_found(struct telegram *t, struct arena *a, const struct reply *reply,
                          const cJSON *hook, struct findings *ret)
{
    int64_t waiting = tg_json_int(hook, "pending_update_count");
    struct str url = tg_json_raw(hook, "url"), why = tg_json_text(a, hook, "last_error_message");
    if (t->webhook_url.n > 0)
        own_webhook_found(t, a, reply, ret);
    else if (url.n > 0)
        add(ret, FOUND_ADVICE,
            arena_print(a,
                        "a webhook of another program is set%s%.*s: koikoi run deletes it; that "
                        "program must not set it again",
                        why.n > 0 ? ", and fails with " : "", STR_ARG(why)));
    else
        add(ret, FOUND_FINE, STR("no webhook is in the way"));
    if (waiting >= WAITING_MANY)
        add(ret, FOUND_ADVICE,
            arena_print(a, "%lld updates wait to be heard: is koikoi run running?",
                        (long long)waiting));
}

void tg_examine(struct telegram *t, struct arena *a, const struct reply *reply,
                struct request *next, struct findings *ret)
{
    struct refusal no;
    struct fields f = {0};
    if (!reply) {
        *next = tg_call(t, a, "getMe", &f);
        t->asking = ASK_ME;
        return;
    }
    if (!tg_refusal_read(a, reply, &no)) {
        unreachable(a, t, reply, ret);
        return;
    }
    cJSON *tree = cJSON_ParseWithLength(reply->body.p, reply->body.n);
    const cJSON *result = tg_json_get(tree, "result");
    if (t->asking == ASK_ME) {
        me_found(t, a, result, ret);
        clock_found(a, reply, ret);
        *next = tg_call(t, a, "getWebhookInfo", &f);
        t->asking = ASK_UNHOOK;
    } else {
        webhook_found(t, a, reply, result, ret);
    }
    cJSON_Delete(tree);
}
