/* See badges_file.h. */
#include "badges_file.h"

#include "embedded.h"
#include "json.h"

enum { MOST = 1000000 };

static bool read_badge_yaku(const cJSON *v, struct badge_rule *ret, struct err *err)
{
    struct str key;
    if (!json_text(v, "yaku", &key, err))
        return false;
    for (int y = 0; y < N_YAKU; y++)
        if (str_is(key, str_of(yaku_key((enum yaku)y)))) {
            *ret = (struct badge_rule){BADGE_BY_YAKU, y};
            return true;
        }
    return err_set(err, "yaku: there is no \"%.*s\"", STR_ARG(key));
}

static bool read_rule(const cJSON *v, struct badge_rule *ret, struct err *err)
{
    static const struct {
        const char *key;
        enum badge_kind kind;
    } kinds[] = {
        {"streak", BADGE_BY_STREAK}, {"points", BADGE_BY_POINTS}, {"seasons", BADGE_BY_SEASONS}};
    const cJSON *condition = cJSON_IsObject(v) ? v->child : NULL;
    int64_t n;
    if (!condition || condition->next)
        return err_set(err, "expected one condition");
    if (strcmp(condition->string, "yaku") == 0)
        return read_badge_yaku(condition, ret, err);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(condition->string, kinds[i].key) == 0) {
            if (!json_whole(condition, kinds[i].key, 1, MOST, &n, err))
                return false;
            *ret = (struct badge_rule){kinds[i].kind, n};
            return true;
        }
    return err_set(err, "there is no condition \"%s\"", condition->string);
}

bool badges_read(struct str json, struct badge_rules *ret, struct err *err)
{
    struct badge_rules rules = {0};
    cJSON *all = json_parse(json, err);
    bool good = all && json_object(all, "", false, err);
    for (const cJSON *v = good ? all->child : NULL; v && good; v = v->next) {
        enum badge b = badge_find(str_of(v->string));
        good = b < N_BADGES ? read_rule(v, &rules.rule[b], err)
                            : err_set(err, "there is no such badge");
        if (!good)
            err_wrap(err, "%s", v->string);
    }
    cJSON_Delete(all);
    if (good)
        *ret = rules;
    return good;
}

bool badges_load(struct badge_rules *ret, struct err *err)
{
    return badges_read(embedded_find(STR("badges.json")), ret, err) || err_wrap(err, "badges.json");
}
