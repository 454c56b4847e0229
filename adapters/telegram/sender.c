/* People as updates describe them. A name is cut to NAME_CHARS and may hold anything; one that
 * shows nothing is replaced by the handle. */
#include "telegram.h"

#include "utf8.h"

struct str tg_sender_clean(struct arena *a, struct str s)
{
    return utf8_cut(str_trim(utf8_clean(a, s)), NAME_CHARS, false);
}

struct str tg_sender_name(struct arena *a, const cJSON *user)
{
    struct str first = tg_json_raw(user, "first_name"), last = tg_json_raw(user, "last_name");
    if (last.n == 0)
        return tg_sender_clean(a, first);
    return tg_sender_clean(a, arena_print(a, "%.*s %.*s", STR_ARG(first), STR_ARG(last)));
}

struct sender tg_sender(struct arena *a, const cJSON *user)
{
    int64_t id = tg_json_int(user, "id");
    struct sender s = {.bot = tg_json_true(user, "is_bot")};
    s.id = arena_print(a, "%lld", (long long)id);
    s.anonymous = tg_ids_is_impersonal(s.id);
    s.handle = tg_json_text(a, user, "username");
    s.language = tg_json_text(a, user, "language_code");
    s.name = tg_sender_name(a, user);
    if (s.name.n == 0) /* the name has no visible character */
        s.name = s.handle.n > 0 ? s.handle : s.id;
    return s;
}
