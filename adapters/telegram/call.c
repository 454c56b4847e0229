/* One call of the Bot API: its fields as JSON, or, with a picture, as parts of a form. */
#include "telegram.h"

struct request tg_call(struct telegram *t, struct arena *a, const char *method,
                       const struct fields *f)
{
    struct request r = {
        .kind = REQUEST_HTTP, .method = "POST", .what = str_of(method), .n_headers = 1};
    r.url = arena_print(a, "%.*s%s", STR_ARG(t->base), method);
    r.headers[0] = (struct header){STR("Content-Type"), STR("application/json")};
    r.body = tg_fields_json(a, f);
    return r;
}

struct request tg_call_with_picture(struct telegram *t, struct arena *a, const char *method,
                                    const struct fields *f, struct str bytes)
{
    struct request r = {.kind = REQUEST_HTTP, .method = "POST", .what = str_of(method)};
    r.url = arena_print(a, "%.*s%s", STR_ARG(t->base), method);
    r.parts = arena_array(a, struct part, (size_t)f->n + 1);
    for (int i = 0; i < f->n; i++)
        r.parts[r.n_parts++] =
            (struct part){.name = str_of(f->at[i].name), .bytes = f->at[i].value};
    r.parts[r.n_parts++] =
        (struct part){STR("picture"), STR("picture.png"), STR("image/png"), bytes};
    return r;
}
