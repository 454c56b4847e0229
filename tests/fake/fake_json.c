/* See fake_json.h. */
#include "fake_json.h"

void *must(void *p)
{
    if (!p) {
        perror("fake network");
        exit(2);
    }
    return p;
}

void txt_room(struct text_buffer *t, size_t n)
{
    if (t->n + n + 1 <= t->cap)
        return;
    t->cap = (t->n + n + 1) * 2;
    t->p = must(realloc(t->p, t->cap));
}

void txt_add(struct text_buffer *t, const char *p, size_t n)
{
    txt_room(t, n);
    if (n > 0)
        memcpy(t->p + t->n, p, n);
    t->n += n;
    t->p[t->n] = 0;
}

void txt_put(struct text_buffer *t, const char *z)
{
    txt_add(t, z, strlen(z));
}

void txt_print(struct text_buffer *t, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    txt_room(t, (size_t)n);
    vsnprintf(t->p + t->n, (size_t)n + 1, format, again);
    va_end(again);
    t->n += (size_t)n;
}

void txt_int(struct text_buffer *t, int64_t v)
{
    char digits[24];
    struct buf b = BUF(digits);
    buf_int(&b, v);
    txt_add(t, b.p, b.n);
}

void txt_free(struct text_buffer *t)
{
    free(t->p);
    *t = (struct text_buffer){0};
}

/* ---- JSON ---- */

static void put_string(struct text_buffer *t, const char *z)
{
    txt_add(t, "\"", 1);
    for (const char *from = z;; z++) {
        unsigned char c = (unsigned char)*z;
        if (c >= 0x20 && c != '"' && c != '\\')
            continue;
        txt_add(t, from, (size_t)(z - from));
        from = z + 1;
        if (!c)
            break;
        if (c < 0x20 && c != '\n')
            txt_print(t, "\\u%04x", c);
        else
            txt_add(t, (char[]){'\\', c == '\n' ? 'n' : (char)c}, 2);
    }
    txt_add(t, "\"", 1);
}

static void put_tree(struct text_buffer *t, const cJSON *tree)
{
    char *text = must(tree ? cJSON_PrintUnformatted(tree) : strdup("{}"));
    txt_put(t, text);
    cJSON_free(text);
}

void js_vput(struct text_buffer *t, const char *f, va_list args)
{
    for (size_t n; *f; f += n) {
        n = strcspn(f, "'%");
        txt_add(t, f, n);
        f += n;
        n = 1;
        if (*f == '\'') {
            txt_add(t, "\"", 1);
        } else if (*f == '%') {
            n = 2 + (f[1] == '-' || f[1] == 'z') + 2 * (f[1] == 'l');
            switch (f[1]) {
            case 's':
                put_string(t, va_arg(args, const char *));
                break;
            case '-':
                txt_put(t, va_arg(args, const char *));
                break;
            case 'd':
                txt_int(t, va_arg(args, int));
                break;
            case 'l':
                txt_int(t, va_arg(args, long long));
                break;
            case 'z':
                txt_int(t, (int64_t)va_arg(args, size_t));
                break;
            case 'p':
                put_tree(t, va_arg(args, const cJSON *));
                break;
            default:
                abort();
            }
        } else {
            break;
        }
    }
}

void js_put(struct text_buffer *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    js_vput(t, format, args);
    va_end(args);
}

cJSON *js_make(const char *format, ...)
{
    struct text_buffer t = {0};
    va_list args;
    va_start(args, format);
    js_vput(&t, format, args);
    va_end(args);
    cJSON *made = must(cJSON_Parse(t.p));
    txt_free(&t);
    return made;
}

const cJSON *js_at(const cJSON *o, const char *path)
{
    char key[128];
    for (size_t n; o && *path; path += n + (path[n] == '/')) {
        n = strcspn(path, "/");
        snprintf(key, sizeof key, "%.*s", (int)n, path);
        o = cJSON_GetObjectItemCaseSensitive(o, key);
    }
    return o;
}

const char *js_text(const cJSON *o, const char *path)
{
    const cJSON *v = js_at(o, path);
    return cJSON_IsString(v) ? v->valuestring : "";
}

int64_t js_number(const cJSON *o, const char *path)
{
    const cJSON *v = js_at(o, path);
    return cJSON_IsNumber(v) ? (int64_t)v->valuedouble : 0;
}

bool js_true(const cJSON *o, const char *path)
{
    return cJSON_IsTrue(js_at(o, path));
}
