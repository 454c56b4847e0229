/* See token.h. */
#include "token.h"

void token_request(struct arena *a, const char *method, struct str url, const char *what,
                   struct request *ret)
{
    *ret = (struct request){
        .kind = REQUEST_HTTP, .method = method, .url = arena_str(a, url), .what = str_of(what)};
}

/* Lifetimes: expires_in_ms, or OAuth's expires_in in seconds. */
bool token_read(struct arena *a, const struct reply *reply, struct matrix_session *next)
{
    cJSON *o = wire_parse(reply->body);
    struct str access = wire_str(a, o, "access_token"), refresh = wire_str(a, o, "refresh_token");
    int64_t life = wire_int(o, "expires_in_ms");
    if (life == 0)
        life = 1000 * wire_int(o, "expires_in");
    struct str user = wire_str(a, o, "user_id"), device = wire_str(a, o, "device_id");
    cJSON_Delete(o);
    if (!wire_is_plain(access))
        return false;
    next->access = access;
    if (wire_is_plain(refresh))
        next->refresh = refresh;
    next->life = life > 0 ? life : 0;
    next->expires = life > 0 ? reply->now + life : 0;
    if (wire_is_user_id(user))
        next->user = user;
    if (wire_is_plain(device))
        next->device = device;
    return true;
}
