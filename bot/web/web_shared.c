/* What links that may be passed on open: finished matches, and the documents of features.
 *
 *     GET /replay/12-NAME           the page: web.c
 *     GET /replay/12-NAME/steps     all positions, hands open, as scenes
 *     GET /replay/12-NAME/step?s=5  one of them, with the presses that play on from there
 *     GET /replay/12-NAME/review    202 while it is being made
 *     GET /replay/12-NAME/record    the match record
 *     GET /KIND/12-NAME/DOCUMENT    that of a feature, as that reader may see it (inbox_feature.h)
 *
 * The link's secret comes in the header Koikoi-Secret: the page has it behind the `#` of its address,
 * so that it stands in no log and reaches no preview. Some documents ask for none. */
#include "web_internal.h"

enum { REVIEW_MS = 60 * 1000 };

/* The steps, compressed; empty if there are none. Those that were asked for last are kept, a language
 * for each table, which stands before them. */
static struct str steps_of(struct web *web, int64_t table, struct str language)
{
    const struct cache_key key = {.no = table};
    struct str found, json, kept_in;
    if (cache_find(web->replays, key, &found)) {
        kept_in = str_cut(found, '\n', &found);
        if (str_is(kept_in, language))
            return found;
        cache_reject(web->replays, key);
    }
    if (!inbox_replay(web->parts.inbox, web->parts.own, table, STEPS_ALL, language, web->scratch,
                      &json))
        return STR("");
    struct str packed = server_gzip(web->scratch, json);
    CACHE_KEEP(web->replays, key, language, STR("\n"), packed);
    return packed;
}

static void serve_steps(struct web *web, struct server_request *r, int64_t table,
                        const struct visitor *v)
{
    struct str packed = steps_of(web, table, v->reader.language);
    if (packed.n > 0)
        answer_document(web, r, "application/json", packed);
    else
        answer_error(web, r, 404, "not found");
}

static void serve_step(struct web *web, struct server_request *r, int64_t table,
                       const struct visitor *v)
{
    struct str json;
    int64_t step;
    if (str_int(server_query(r, "s"), &step) && step >= 0 &&
        inbox_replay(web->parts.inbox, web->parts.own, table, step, v->reader.language,
                     web->scratch, &json))
        answer_document(web, r, "application/json", server_gzip(web->scratch, json));
    else
        answer_error(web, r, 404, "not found");
}

static void serve_review(struct web *web, struct server_request *r, int64_t table,
                         const struct visitor *v)
{
    struct str json, once = arena_print(web->scratch, "review %lld", (long long)table);
    enum inbox_review found = inbox_review(web->parts.inbox, web->parts.own, table,
                                           v->reader.language, false, web->scratch, &json);
    if (found == REVIEW_COMING && who_may(web, once, 1, REVIEW_MS))
        found = inbox_review(web->parts.inbox, web->parts.own, table, v->reader.language, true,
                             web->scratch, &json);
    if (found == REVIEW_READY)
        answer_document(web, r, "application/json", server_gzip(web->scratch, json));
    else
        answer_json(r, found == REVIEW_COMING ? 202 : 404, STR("{}"));
}

static void serve_record(struct web *web, struct server_request *r, int64_t table,
                         const struct visitor *v)
{
    struct str record;
    if (inbox_record(web->parts.inbox, v->reader.account, table, web->scratch, &record))
        answer_document(web, r, "application/jsonl", server_gzip(web->scratch, record));
    else
        answer_error(web, r, 404, "not found");
}

static const struct shared_part {
    const char *what, *name;
    void (*serve)(struct web *web, struct server_request *r, int64_t no, const struct visitor *v);
} parts[] = {{"replay", "steps", serve_steps},
             {"replay", "step", serve_step},
             {"replay", "review", serve_review},
             {"replay", "record", serve_record}};

bool shared_serve(struct web *web, struct server_request *r)
{
    struct str path, name, json, what = str_cut(str_skip(r->path, 1), '/', &path);
    const char *kind = arena_print(web->scratch, "%.*s", STR_ARG(what)).p;
    struct visitor v;
    const struct shared_part *part = NULL;
    bool open = false;
    int64_t no;
    path = str_cut(path, '/', &name);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (str_is(what, str_of(parts[i].what)) && str_is(name, str_of(parts[i].name)))
            part = &parts[i];
    if (!part && !inbox_has_document(kind, name, &open))
        return false;
    if (!who_may_ask(web, r))
        return true;
    who_asks(web, r, web->scratch, &v);
    bool good =
        inbox_linked(web->parts.inbox, kind, path, &no) &&
        (open || inbox_link_opens(web->parts.inbox, kind, no, server_header(r, "Koikoi-Secret")));
    if (answer_failure(web, r))
        return true;
    if (good && part)
        part->serve(web, r, no, &v);
    else if (!good || !inbox_document(web->parts.inbox, &v.reader, kind, no, web->scratch, &json))
        answer_error(web, r, 404, "not found");
    else if (open) /* a scene */
        answer_json(r, 200, json);
    else
        answer_document(web, r, "application/json", server_gzip(web->scratch, json));
    return true;
}

void replay_changed(struct web *web, int64_t table)
{
    if (table == 0)
        cache_clear(web->replays);
    else
        cache_drop(web->replays, (struct cache_key){.no = table});
}
