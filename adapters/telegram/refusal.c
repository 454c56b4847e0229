/* Answers that are not "ok". Where the status is 200 although the body is a refusal, the code in
 * the body counts. A 200 whose body broke off counts as "ok": the call was carried out, and a
 * repeat would send the message twice. */
#include "telegram.h"

enum { RETRY_MOST_S = 24 * 3600 }; /* a longer wait counts as this */

/* True for a body that begins with {"ok":true. */
static bool begins_ok(struct str body)
{
    enum { FIRST = 12 };
    size_t i = tg_json_value(body, "ok", 0);
    return i < FIRST && str_starts(str_skip(body, i), STR("true"));
}

bool tg_refusal_read(struct arena *a, const struct reply *reply, struct refusal *ret)
{
    *ret = (struct refusal){.code = reply->status, .why = STR(""), .retry_ms = -1};
    bool ok = reply->status == 200 && begins_ok(reply->body);
    if (ok)
        return true;
    cJSON *tree = reply->body.n > 0 ? cJSON_ParseWithLength(reply->body.p, reply->body.n) : NULL;
    const cJSON *more = tg_json_get(tree, "parameters");
    ok = reply->status / 100 == 2 && tg_json_true(tree, "ok");
    if (cJSON_IsObject(tree)) {
        ret->api = true;
        if (reply->status / 100 == 2 && tg_json_int(tree, "error_code") >= 400)
            ret->code = (int)(tg_json_int(tree, "error_code") % 1000);
        ret->why = tg_json_text(a, tree, "description");
        ret->moved_to = tg_json_int(more, "migrate_to_chat_id");
        if (tg_json_int(more, "retry_after") > 0)
            ret->retry_ms = 1000 * (tg_json_int(more, "retry_after") < RETRY_MOST_S
                                        ? tg_json_int(more, "retry_after")
                                        : RETRY_MOST_S);
    }
    cJSON_Delete(tree);
    if (reply->retry_after_ms > ret->retry_ms)
        ret->retry_ms = reply->retry_after_ms;
    return ok;
}

/* 421: another server holds the bot. A proxy or login page refuses or redirects in its own form. */
bool tg_refusal_is_transient(const struct refusal *no)
{
    bool gate = no->code / 100 == 3 || no->code == 401 || no->code == 403 || no->code == 407 ||
                no->code == 408;
    return no->code / 100 < 3 || no->code == 421 || no->code >= 500 || (gate && !no->api);
}
