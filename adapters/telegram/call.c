/* See call.h. */
#include "telegram.h"

static void add_field(struct call_fields *f, struct call_field one)
{
    if (f->n < MAX_FIELDS)
        f->at[f->n++] = one;
}

void tg_call_text(struct call_fields *f, const char *name, struct str value)
{
    add_field(f, (struct call_field){name, value, false});
}

void tg_call_json(struct call_fields *f, const char *name, struct str value)
{
    add_field(f, (struct call_field){name, value, true});
}

struct str tg_call_print(struct arena *a, const struct call_fields *f)
{
    size_t cap = 16;
    for (int i = 0; i < f->n; i++)
        cap += strlen(f->at[i].name) + 8 + f->at[i].value.n * (f->at[i].json ? 1 : 6);
    struct buf b = {arena_room(a, cap), 0, cap, false};
    buf_char(&b, '{');
    for (int i = 0; i < f->n; i++) {
        if (i > 0)
            buf_char(&b, ',');
        tg_json_string(&b, str_of(f->at[i].name));
        buf_char(&b, ':');
        if (f->at[i].json)
            buf_put(&b, f->at[i].value);
        else
            tg_json_string(&b, f->at[i].value);
    }
    buf_char(&b, '}');
    return buf_str(&b);
}

struct request tg_call(struct telegram *t, struct arena *a, const char *method,
                       const struct call_fields *f)
{
    struct request r = {
        .kind = REQUEST_HTTP, .method = "POST", .what = str_of(method), .n_headers = 1};
    r.url = arena_print(a, "%.*s%s", STR_ARG(t->base), method);
    r.headers[0] = (struct header){STR("Content-Type"), STR("application/json")};
    r.body = tg_call_print(a, f);
    return r;
}

struct request tg_call_with_file(struct telegram *t, struct arena *a, const char *method,
                                 const struct call_fields *f, struct part file)
{
    struct request r = {.kind = REQUEST_HTTP, .method = "POST", .what = str_of(method)};
    r.url = arena_print(a, "%.*s%s", STR_ARG(t->base), method);
    r.parts = arena_array(a, struct part, (size_t)f->n + 1);
    for (int i = 0; i < f->n; i++)
        r.parts[r.n_parts++] =
            (struct part){.name = str_of(f->at[i].name), .bytes = f->at[i].value};
    r.parts[r.n_parts++] = file;
    return r;
}

struct request tg_call_with_picture(struct telegram *t, struct arena *a, const char *method,
                                    const struct call_fields *f, struct str bytes)
{
    return tg_call_with_file(
        t, a, method, f,
        (struct part){STR("picture"), STR("picture.png"), STR("image/png"), bytes});
}
