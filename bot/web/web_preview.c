/* Previews: what a messenger shows of a link, which it reads without the secret behind the `#`: a
 * title, a sentence, a picture. Of a finished match the scores, the round that moved it most and its
 * cards; of a puzzle the question.
 *
 *     GET /KIND/12-NAME              index.html with og:title, og:description, og:image
 *     GET /KIND/12-NAME/poster.png   the picture; a worker draws it, once for all who see the same
 *
 * Nothing of it names a hand that is not public, or the stock; a match that runs has none. */
#include "web_preview.h"

#include "embedded.h"
#include "log.h"
#include "scene_write.h"
#include "text.h"

enum {
    PREVIEW_BYTES = 32 * 1024,
    A_MINUTE = 60, /* of an address */
    POSTERS_KEPT = 128,
    POSTERS_BYTES = 4 * 1024 * 1024,
    POSTERS_WAITING = 32,
    MINUTE_MS = 60 * 1000
};

static void put_escaped(struct buf *b, struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] == '&')
            buf_put(b, STR("&amp;"));
        else if (s.p[i] == '<')
            buf_put(b, STR("&lt;"));
        else if (s.p[i] == '"')
            buf_put(b, STR("&quot;"));
        else
            buf_char(b, s.p[i]);
}

static void put_meta(struct buf *b, const char *property, struct str content)
{
    buf_print(b, "<meta property=\"og:%s\" content=\"", property);
    put_escaped(b, content);
    buf_put(b, STR("\">\n"));
}

/* index.html with the preview at the end of its head. */
static struct str page_of(struct web *web, struct str path, const struct texts *t,
                          const struct scene_preview *p)
{
    static const struct str end = STR("</head>");
    struct arena *a = web->scratch;
    struct str plain = embedded_find(STR("web/index.plain"));
    struct buf b = {arena_room(a, PREVIEW_BYTES), 0, PREVIEW_BYTES, false};
    const char *at = memmem(plain.p, plain.n, end.p, end.n);
    if (!at)
        return STR("");
    buf_put(&b, (struct str){plain.p, (size_t)(at - plain.p)});
    put_meta(&b, "type", STR("website"));
    put_meta(&b, "site_name", STR("Koi-Koi"));
    put_meta(&b, "title", p->title);
    put_meta(&b, "description", p->sentence);
    put_meta(&b, "image",
             arena_print(a, "%.*s%.*s/poster.png?lang=%.*s", STR_ARG(web->link), STR_ARG(path),
                         STR_ARG(t->language)));
    put_meta(&b, "image:alt", p->title);
    buf_put(&b, STR("<meta name=\"twitter:card\" content=\"summary_large_image\">\n"));
    buf_put(&b, str_skip(plain, (size_t)(at - plain.p)));
    return b.cut ? STR("") : buf_str(&b);
}

/* ---- pictures ---- */

/* Pictures by what they show, and requests for those that a job draws. */
struct posters {
    struct cache *kept;
    int n;
    struct poster_wait {
        struct server_request *visit;
        int64_t job;
        char name[PICTURE_NAME_SIZE];
    } waiting[POSTERS_WAITING];
    int64_t last_job;
};

struct posters *posters_open(void)
{
    struct posters *p = alloc_zeroed(sizeof *p);
    p->kept = cache_open(POSTERS_KEPT, POSTERS_BYTES);
    return p;
}

void posters_close(struct posters *p)
{
    cache_close(p->kept);
    free(p);
}

static void answer_poster(struct web *web, struct server_request *r, struct str png)
{
    struct server_reply reply = answer_open(200, "image/png", png);
    if (png.n == 0) {
        answer_error(web, r, 404, "not found");
        return;
    }
    answer_header(&reply, "Cache-Control", "public, max-age=600");
    server_reply(r, &reply);
}

/* The request waits while a worker draws; those for the same picture share its job. */
static void await_poster(struct web *web, struct server_request *r, const char *name,
                         struct str input)
{
    struct posters *p = web->posters;
    struct poster_wait *w = &p->waiting[p->n];
    if (p->n == POSTERS_WAITING) {
        answer_error(web, r, 503, "again");
        return;
    }
    *w = (struct poster_wait){.visit = r};
    memcpy(w->name, name, sizeof w->name);
    for (int i = 0; i < p->n; i++)
        if (strcmp(p->waiting[i].name, name) == 0)
            w->job = p->waiting[i].job;
    p->n++;
    if (w->job != 0)
        return;
    w->job = --p->last_job; /* below those of rows that wait for their pictures */
    work_push(web->parts.drawing, &(struct job){.run = picture_run,
                                                .tag = WEB_JOB,
                                                .session = w->job,
                                                .input = input,
                                                .patient = true});
    work_commit(web->parts.drawing);
}

static void serve_poster(struct web *web, struct server_request *r, struct str picture)
{
    char name[PICTURE_NAME_SIZE];
    struct str input, png;
    struct err err;
    if (!web->parts.drawing ||
        !picture_order(web->parts.decks, picture, web->scratch, &input, name, &err))
        answer_error(web, r, 404, "not found");
    else if (cache_find(web->posters->kept, (struct cache_key){.text = str_of(name)}, &png))
        answer_poster(web, r, png);
    else
        await_poster(web, r, name, input);
}

static void keep(struct posters *p, const char *name, struct str png)
{
    const struct cache_key key = {.text = str_of(name)};
    struct str found;
    if (png.n > 0 && !cache_find(p->kept, key, &found))
        CACHE_KEEP(p->kept, key, png);
}

void web_drawn(struct web *web, const struct job_done *done)
{
    struct posters *p = web->posters;
    struct str png = STR("");
    struct err err;
    int left = 0;
    arena_reset(web->scratch);
    if (!picture_of_job(done->output, &png, &err))
        log_line(LOG_WARN, "picture_failed", "why", err.text, NULL);
    for (int i = 0; i < p->n; i++) {
        struct poster_wait w = p->waiting[i];
        if (w.job != done->session) {
            p->waiting[left++] = w;
            continue;
        }
        keep(p, w.name, png);
        answer_poster(web, w.visit, png);
    }
    p->n = left;
}

/* ---- both ---- */

bool preview_serve(struct web *web, struct server_request *r)
{
    struct arena *a = web->scratch;
    struct str part, path, kind = str_cut(str_skip(r->path, 1), '/', &path);
    const char *what = arena_print(a, "%.*s", STR_ARG(kind)).p;
    path = str_cut(path, '/', &part);
    struct str address = server_client(r, web->parts.pages.proxies, a);
    struct scene_preview p;
    struct visitor v;
    struct err err;
    int64_t no;
    bool poster = str_is(part, STR("poster.png"));
    if ((part.n > 0 && !poster) || !inbox_linked(web->parts.inbox, what, path, &no))
        return false;
    if (!who_is_free(address) &&
        !who_may(web, arena_print(a, "preview %.*s", STR_ARG(address)), A_MINUTE, MINUTE_MS)) {
        if (poster)
            answer_error(web, r, 429, "busy");
        return poster;
    }
    who_asks(web, r, a, &v);
    bool found =
        inbox_preview(web->parts.inbox, web->parts.own, what, no, v.reader.language, a, &p);
    if (store_take_failure(web->parts.store, &err) || !found)
        return false;
    if (poster) {
        serve_poster(web, r, p.picture);
        return true;
    }
    struct str page = page_of(web, r->path, inbox_texts(web->parts.inbox, v.reader.language), &p);
    if (page.n == 0)
        return false;
    struct server_reply reply = answer_open(200, "text/html; charset=utf-8", server_gzip(a, page));
    answer_frames(web, &reply, frame_hosts(web, r->path));
    answer_packed(web, r, &reply);
    answer_header(&reply, "Cache-Control", "no-cache");
    server_reply(r, &reply);
    return true;
}
