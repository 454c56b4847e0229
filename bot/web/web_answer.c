/* Answers: the headers that each of them has, documents, errors, and what a proxy may keep. */
#include "web_internal.h"

enum { ANSWER_BYTES = 16 * 1024 };

#define CONSTANT(text)                                                                             \
    {                                                                                              \
        text, sizeof(text) - 1                                                                     \
    }
#define POLICY                                                                                     \
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "              \
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors "
static const struct header safety[] = {
    {CONSTANT("Content-Security-Policy"), CONSTANT(POLICY "'none'")},
    {CONSTANT("X-Content-Type-Options"), CONSTANT("nosniff")},
    {CONSTANT("Referrer-Policy"), CONSTANT("no-referrer")},
};

void answer_header(struct server_reply *reply, const char *name, const char *value)
{
    if (reply->n < REPLY_HEADERS)
        reply->at[reply->n++] = (struct header){str_of(name), str_of(value)};
}

void answer_frames(struct web *web, struct server_reply *reply, struct str hosts)
{
    if (hosts.n > 0)
        reply->at[0].value = arena_print(web->scratch, POLICY "%.*s", STR_ARG(hosts));
}

struct server_reply answer_open(int status, const char *type, struct str body)
{
    struct server_reply reply = {.status = status, .body = body};
    for (size_t i = 0; i < sizeof safety / sizeof *safety; i++)
        reply.at[reply.n++] = safety[i];
    answer_header(&reply, "Content-Type", type);
    return reply;
}

void answer_json(struct server_request *r, int status, struct str body)
{
    struct server_reply reply = answer_open(status, "application/json", body);
    answer_header(&reply, "Cache-Control", "no-store");
    server_reply(r, &reply);
}

void answer_error(struct web *web, struct server_request *r, int status, const char *error)
{
    answer_json(r, status, arena_print(web->scratch, "{\"error\":\"%s\"}", error));
}

bool answer_failure(struct web *web, struct server_request *r)
{
    struct err err;
    bool failed = store_take_failure(web->parts.store, &err);
    if (failed)
        answer_error(web, r, 503, "again");
    return failed;
}

void answer_said(struct web *web, struct server_request *r, int status, const char *error,
                 struct str text)
{
    struct buf b = {arena_room(web->scratch, ANSWER_BYTES), 0, ANSWER_BYTES, false};
    JSON_PUT(&b, "{'error':$,'text':$}", str_of(error), text);
    answer_json(r, status, buf_str(&b));
}

/* By its Accept-Encoding, "br, gzip;q=0.8"; without one plain bytes do for everybody. */
static bool takes_gzip(struct str accepts)
{
    while (accepts.n > 0) {
        struct str quality, name = str_cut(str_cut(accepts, ',', &accepts), ';', &quality);
        quality = str_trim(quality);
        if (str_is(str_trim(name), STR("gzip")) || str_is(str_trim(name), STR("*")))
            return !str_starts(quality, STR("q=0")) || str_run(quality, 0, "123456789") < quality.n;
    }
    return false;
}

void answer_packed(struct web *web, const struct server_request *r, struct server_reply *reply)
{
    answer_header(reply, "Vary", "Accept-Encoding");
    if (takes_gzip(server_header(r, "Accept-Encoding"))) {
        answer_header(reply, "Content-Encoding", "gzip");
        return;
    }
    reply->body = server_gunzip(web->scratch, reply->body);
    reply->constant = false;
}

void answer_document(struct web *web, struct server_request *r, const char *type, struct str packed)
{
    struct server_reply reply = answer_open(200, type, packed);
    answer_packed(web, r, &reply);
    answer_header(&reply, "Cache-Control", "no-store");
    server_reply(r, &reply);
}
