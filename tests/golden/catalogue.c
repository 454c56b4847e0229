/* Test languages. See catalogue.h. */
#include "golden/catalogue.h"

#include "embedded.h"
#include "file.h"
#include "json_tree.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>

static bool is_plural(const cJSON *v)
{
    return cJSON_IsObject(v) && cJSON_GetObjectItemCaseSensitive(v, "other") != NULL;
}

/* {"one": ..., "other": ...} in the plural forms of the language. */
static cJSON *in_forms_of(const cJSON *english, unsigned set)
{
    cJSON *forms = cJSON_CreateObject();
    for (int p = 0; p < N_PLURALS; p++)
        if (set >> p & 1) {
            const cJSON *form =
                cJSON_GetObjectItemCaseSensitive(english, p == PLURAL_ONE ? "one" : "other");
            cJSON_AddItemToObject(forms, plural_names[p], cJSON_Duplicate(form, true));
        }
    return forms;
}

static void change_forms(cJSON *object, unsigned set)
{
    cJSON *next = NULL;
    for (cJSON *v = object->child; v; v = next) {
        next = v->next;
        if (is_plural(v))
            cJSON_ReplaceItemInObjectCaseSensitive(object, v->string, in_forms_of(v, set));
        else if (cJSON_IsObject(v))
            change_forms(v, set);
    }
}

/* Overlays a catalogue: plural sentences are replaced whole, other objects name by name. */
static void put_over(cJSON *under, const cJSON *over)
{
    const cJSON *v = NULL;
    cJSON_ArrayForEach(v, over)
    {
        cJSON *there = cJSON_GetObjectItemCaseSensitive(under, v->string);
        if (there && cJSON_IsObject(there) && !is_plural(there) &&
            !cJSON_GetObjectItemCaseSensitive(v, "many"))
            put_over(there, v);
        else if (there)
            cJSON_ReplaceItemInObjectCaseSensitive(under, v->string, cJSON_Duplicate(v, true));
        else
            cJSON_AddItemToObject(under, v->string, cJSON_Duplicate(v, true));
    }
}

bool catalogue_make(const char *language, const char *folder)
{
    char path[300];
    struct err err;
    struct str bytes;
    snprintf(path, sizeof path, "tests/golden/texts/%s.json", language);
    if (!file_read(path, 64 * 1024, &bytes, &err))
        return false;
    cJSON *english = json_parse(embedded_find(STR("texts/en.json")), &err),
          *over = json_parse(bytes, &err);
    file_free(bytes);
    bool good = english && over;
    if (good) {
        change_forms(english, plural_set(str_of(language)));
        put_over(english, over);
        char *text = cJSON_Print(english);
        snprintf(path, sizeof path, "%s/%s.json", folder, language);
        FILE *f = fopen(path, "w");
        good = f && fputs(text, f) >= 0;
        good = f && fclose(f) == 0 && good;
        free(text);
    }
    cJSON_Delete(english);
    cJSON_Delete(over);
    return good;
}
