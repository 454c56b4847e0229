/* See badges_file.h. */
#include "badges_file.h"

#include "embedded.h"
#include "json.h"

enum { MOST = 1000000 };

/* The one condition of a badge. */
static struct badge_rule read_rule(struct json v)
{
    static const char *const conditions[] = {[BADGE_NEVER] = "",
                                             [BADGE_BY_STREAK] = "streak",
                                             [BADGE_BY_POINTS] = "points",
                                             [BADGE_BY_SEASONS] = "seasons"};
    struct json condition = json_first(v);
    if (json_kind(v) != JSON_OBJECT || json_count(v) != 1) {
        json_fail(v, NULL, "expected one condition");
    } else if (str_is(json_name(condition), STR("yaku"))) {
        struct str key = json_str(condition, NULL);
        for (int y = 0; y < N_YAKU; y++)
            if (str_is(key, str_of(yaku_key((enum yaku)y))))
                return (struct badge_rule){BADGE_BY_YAKU, y};
        json_fail(condition, NULL, "there is no \"%.*s\"", STR_ARG(key));
    } else {
        for (int k = BADGE_BY_STREAK; k <= BADGE_BY_SEASONS; k++)
            if (str_is(json_name(condition), str_of(conditions[k])))
                return (struct badge_rule){(enum badge_kind)k, json_int(condition, NULL, 1, MOST)};
        json_fail(v, NULL, "there is no condition \"%.*s\"", STR_ARG(json_name(condition)));
    }
    return (struct badge_rule){BADGE_NEVER, 0};
}

bool badges_read(struct str json, struct badge_rules *ret, struct err *err)
{
    struct badge_rules rules = {0};
    struct json all = json_open(json, JSON_FILE);
    for (struct json v = json_first(all); v.at; v = json_next(v)) {
        enum badge b = badge_find(json_name(v));
        if (b == N_BADGES)
            json_fail(v, NULL, "there is no such badge");
        else
            rules.rule[b] = read_rule(v);
    }
    if (!json_close(all, err))
        return false;
    *ret = rules;
    return true;
}

bool badges_load(struct badge_rules *ret, struct err *err)
{
    return badges_read(embedded_find(STR("badges.json")), ret, err) || err_wrap(err, "badges.json");
}
