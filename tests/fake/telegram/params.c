/* See params.h. */
#include "params.h"

#include <strings.h>

static void keep(struct params *p, struct param one)
{
    if (p->n < MAX_PARAMS)
        p->at[p->n++] = one;
}

static void unescape(char *s)
{
    char *to = s;
    for (; *s; s++) {
        char hex[3] = {0};
        if (*s == '%' && s[1] && s[2]) {
            memcpy(hex, s + 1, 2);
            *to++ = (char)strtol(hex, NULL, 16);
            s += 2;
        } else {
            *to++ = *s == '+' ? ' ' : *s;
        }
    }
    *to = 0;
}

static void read_form(struct params *p, char *s)
{
    while (s && *s) {
        char *next = strchr(s, '&');
        if (next)
            *next++ = 0;
        char *value = strchr(s, '=');
        if (value) {
            *value++ = 0;
            unescape(s);
            unescape(value);
            keep(p, (struct param){.name = s, .text = value});
        }
        s = next;
    }
}

/* Parses one part; its head and content lie in place. Finds the name of its parameter. */
static void read_part(struct params *p, char *head, char *content, size_t n)
{
    char *name = strcasestr(head, "name=");
    while (name && name[-1] != ' ' && name[-1] != ';') /* not "filename=" */
        name = strcasestr(name + 1, "name=");
    if (!name)
        return;
    char *file_name = strcasestr(head, "filename=\"");
    bool file = strcasestr(head, "filename=") != NULL;
    if (file_name) {
        file_name += 10;
        file_name[strcspn(file_name, "\"")] = 0;
    }
    name += 5;
    bool quoted = *name == '"';
    name += quoted;
    name[strcspn(name, quoted ? "\"" : ";\r")] = 0;
    keep(p, (struct param){.name = name,
                           .text = file ? NULL : content,
                           .file = file ? content : NULL,
                           .file_bytes = file ? n : 0,
                           .file_name = file_name});
}

static bool read_multipart(struct params *p, const char *type, char *body, size_t n)
{
    const char *boundary = strstr(type, "boundary=");
    if (!boundary)
        return false;
    boundary += 9;
    boundary += *boundary == '"';
    struct text_buffer mark = {0};
    txt_print(&mark, "\r\n--%.*s", (int)strcspn(boundary, "\";"), boundary);
    char *end = body + n, *at = memmem(body, n, mark.p + 2, mark.n - 2);
    bool closed = false;
    while (at && (at = memmem(at, (size_t)(end - at), "\r\n", 2))) {
        char *head_end = memmem(at, (size_t)(end - at), "\r\n\r\n", 4);
        char *next = memmem(at, (size_t)(end - at), mark.p, mark.n);
        if (!head_end || !next || head_end > next)
            break;
        *head_end = 0;
        *next = 0;
        read_part(p, at, head_end + 4, (size_t)(next - head_end - 4));
        at = next + mark.n;
        closed = end - at >= 2 && at[0] == '-' && at[1] == '-';
    }
    txt_free(&mark);
    return closed;
}

bool params_read(struct params *p, struct serve_request *r)
{
    char type[256];
    (void)serve_header(r, "content-type", type, sizeof type);
    read_form(p, r->query);
    if (strcasestr(type, "multipart/form-data"))
        return read_multipart(p, type, r->body, r->n);
    if (!strcasestr(type, "json")) {
        read_form(p, r->body);
        return true;
    }
    if (r->n == 0)
        return true;
    p->body = cJSON_ParseWithLength(r->body, r->n);
    for (cJSON *i = p->body ? p->body->child : NULL; i; i = i->next)
        if (i->string)
            keep(p, (struct param){.name = i->string, .text = i->valuestring, .json = i});
    return cJSON_IsObject(p->body);
}

void params_free(struct params *p)
{
    cJSON_Delete(p->body);
    for (int i = 0; i < p->n_parsed; i++)
        cJSON_Delete(p->parsed[i]);
}

const struct param *param(const struct params *p, const char *name)
{
    for (int i = 0; i < p->n; i++)
        if (strcmp(p->at[i].name, name) == 0)
            return &p->at[i];
    return NULL;
}

const char *param_text(const struct params *p, const char *name)
{
    const struct param *one = param(p, name);
    return one ? one->text : NULL;
}

int64_t param_int(const struct params *p, const char *name, int64_t none)
{
    const struct param *one = param(p, name);
    if (one && one->json && cJSON_IsNumber(one->json))
        return (int64_t)one->json->valuedouble;
    return one && one->text && *one->text ? strtoll(one->text, NULL, 10) : none;
}

bool param_true(const struct params *p, const char *name)
{
    const struct param *one = param(p, name);
    if (one && one->json)
        return cJSON_IsTrue(one->json);
    return one && one->text &&
           (strcasecmp(one->text, "true") == 0 || strcasecmp(one->text, "yes") == 0 ||
            strcmp(one->text, "1") == 0);
}

const cJSON *param_json(struct params *p, const char *name, bool *ret_bad)
{
    const struct param *one = param(p, name);
    *ret_bad = false;
    if (!one || (one->json && !one->text))
        return one ? one->json : NULL;
    cJSON *j = one->text && p->n_parsed < 8 ? cJSON_Parse(one->text) : NULL;
    if (j)
        p->parsed[p->n_parsed++] = j;
    *ret_bad = !j;
    return j;
}

uint64_t params_hash_on(uint64_t hash, const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ p[i]) * 0x100000001b3u;
    return hash;
}

uint64_t params_hash(const struct params *p)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (int i = 0; i < p->n; i++) {
        const struct param *one = &p->at[i];
        hash = params_hash_on(hash, one->name, strlen(one->name) + 1);
        if (one->text)
            hash = params_hash_on(hash, one->text, strlen(one->text) + 1);
        else if (one->file)
            hash = params_hash_on(hash, one->file, one->file_bytes);
        else if (cJSON_IsNumber(one->json))
            hash = params_hash_on(hash, &one->json->valuedouble, sizeof one->json->valuedouble);
    }
    return hash;
}
