/* See record_forget.h. */
#include "record_forget.h"

#include <stdlib.h>

#include "json.h"

static void rename_in(cJSON *list, int at, struct str name, struct arena *a)
{
    if (cJSON_IsArray(list) && at < cJSON_GetArraySize(list))
        cJSON_ReplaceItemInArray(list, at, cJSON_CreateString(arena_str(a, name).p));
}

struct str record_forget(struct arena *a, struct str lines, int seat, int joined, struct str name)
{
    struct err err;
    struct str rest, head = str_cut(lines, '\n', &rest), t;
    cJSON *v = json_parse(head, &err);
    struct str ret = lines;
    if (v && json_text(json_member(v, "t"), "t", &t, &err) && str_is(t, STR("match"))) {
        rename_in(cJSON_GetObjectItemCaseSensitive(v, "players"), seat, name, a);
        rename_in(cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(v, "lots_draw"),
                                                   "joined"),
                  joined, name, a);
        char *text = cJSON_PrintUnformatted(v);
        if (text)
            ret = arena_print(a, "%s\n%.*s", text, STR_ARG(rest));
        cJSON_free(text);
    }
    cJSON_Delete(v);
    return ret;
}
