/* Replays of finished matches, for those who have their link: steps, review, record.
 *
 *     GET /replay/12-NAME           the page: web.c
 *     GET /replay/12-NAME/steps     all positions, hands open, as scenes
 *     GET /replay/12-NAME/review    202 while it is being made
 *     GET /replay/12-NAME/record    the match record
 *
 * The link's secret comes in the header Koikoi-Secret: the page has it behind the `#` of its address,
 * so that it stands in no log and reaches no preview. */
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
    if (!inbox_replay(web->parts.inbox, web->parts.own, table, language, web->scratch, &json))
        return STR("");
    struct str packed = server_gzip(web->scratch, json);
    char *kept = cache_put(web->replays, key, language.n + 1 + packed.n);
    if (kept) {
        struct buf b = {kept, 0, language.n + 1 + packed.n, false};
        buf_put(&b, language);
        buf_char(&b, '\n');
        buf_put(&b, packed);
    }
    return packed;
}

static void serve_steps(struct web *web, struct server_request *r, int64_t table,
                        struct str language)
{
    struct str packed = steps_of(web, table, language);
    if (packed.n > 0)
        answer_packed(r, "application/json", packed);
    else
        answer_error(web, r, 404, "not found");
}

static void serve_review(struct web *web, struct server_request *r, int64_t table,
                         struct str language)
{
    struct str json, once = arena_print(web->scratch, "review %lld", (long long)table);
    enum inbox_review found =
        inbox_review(web->parts.inbox, web->parts.own, table, language, false, web->scratch, &json);
    if (found == REVIEW_COMING && who_may(web, once, 1, REVIEW_MS))
        found = inbox_review(web->parts.inbox, web->parts.own, table, language, true, web->scratch,
                             &json);
    if (found == REVIEW_READY)
        answer_packed(r, "application/json", server_gzip(web->scratch, json));
    else
        answer_json(r, found == REVIEW_COMING ? 202 : 404, STR("{}"));
}

static void serve_record(struct web *web, struct server_request *r, int64_t table,
                         struct str language)
{
    struct str record;
    (void)language;
    if (inbox_record(web->parts.inbox, web->parts.own, table, web->scratch, &record))
        answer_packed(r, "application/jsonl", server_gzip(web->scratch, record));
    else
        answer_error(web, r, 404, "not found");
}

static const struct {
    const char *name;
    void (*serve)(struct web *web, struct server_request *r, int64_t table, struct str language);
} parts[] = {{"steps", serve_steps}, {"review", serve_review}, {"record", serve_record}};

bool replay_serve(struct web *web, struct server_request *r)
{
    struct str what, path = str_cut(str_skip(r->path, strlen("/replay/")), '/', &what);
    struct visitor v;
    struct err err;
    int64_t table;
    size_t i = 0;
    while (i < sizeof parts / sizeof *parts && !str_is(what, str_of(parts[i].name)))
        i++;
    if (i == sizeof parts / sizeof *parts)
        return false;
    if (!who_may_ask(web, r))
        return true;
    who_asks(web, r, web->scratch, &v);
    bool good =
        inbox_linked(web->parts.inbox, "replay", path, &table) &&
        inbox_link_opens(web->parts.inbox, "replay", table, server_header(r, "Koikoi-Secret"));
    if (store_take_failure(web->parts.store, &err))
        answer_error(web, r, 503, "again");
    else if (good)
        parts[i].serve(web, r, table, v.language);
    else
        answer_error(web, r, 404, "not found");
    return true;
}

void replay_changed(struct web *web, int64_t table)
{
    if (table == 0)
        cache_clear(web->replays);
    else
        cache_drop(web->replays, (struct cache_key){.no = table});
}
