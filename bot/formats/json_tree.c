/* See json_tree.h. */
#include "json_tree.h"

#include "json.h"

cJSON *json_parse(struct str bytes, struct err *err)
{
    struct json v = json_open(bytes, JSON_FILE);
    cJSON *tree = cJSON_Duplicate(v.at, true);
    if (json_close(v, err))
        return tree;
    cJSON_Delete(tree);
    return NULL;
}

cJSON *json_member(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

bool json_only(const cJSON *object, const char *const keys[], struct err *err)
{
    if (!cJSON_IsObject(object))
        return err_set(err, object ? "expected an object" : "missing");
    for (const cJSON *m = object->child; m; m = m->next) {
        int i = 0;
        while (keys[i] && strcmp(keys[i], m->string) != 0)
            i++;
        if (!keys[i])
            return err_set(err, "%.40s: unknown field", m->string);
    }
    return true;
}

bool json_text(const cJSON *v, const char *name, struct str *ret, struct err *err)
{
    if (!cJSON_IsString(v))
        return err_set(err, v ? "%s: expected a string" : "%s: missing", name);
    *ret = str_of(v->valuestring);
    return true;
}
