/* The list of features, and what pages do with the links of all: see inbox_feature.h, inbox_pages.h. */
#include "inbox_feature.h"

#define FEATURE(name) &inbox_##name,
const struct inbox_feature *const inbox_features[] = {
#include "inbox_feature.def"
    NULL};

bool inbox_linked(const struct inbox *in, const char *what, struct str path, int64_t *ret_no)
{
    return share_read(in->key, what, path, ret_no);
}

static const struct shared_kind *shared_as(struct str what)
{
    for (int i = 0; inbox_features[i]; i++)
        if (inbox_features[i]->shared.what && str_is(what, str_of(inbox_features[i]->shared.what)))
            return &inbox_features[i]->shared;
    return NULL;
}

bool inbox_shares(struct str path)
{
    struct str rest, what = str_cut(str_skip(path, 1), '/', &rest);
    return path.n > what.n + 1 && shared_as(what);
}

bool inbox_link_opens(struct inbox *in, const char *what, int64_t no, struct str secret)
{
    const struct shared_kind *of = shared_as(str_of(what));
    const struct session *s =
        of && of->renewed ? facts_named(turn_begin(in, &in->parts.accounts[0]), no) : NULL;
    return of && (s || !of->renewed) && share_opens(in->key, what, no, s ? s->links : 0, secret);
}

bool inbox_preview(struct inbox *in, const struct account *account, const char *what, int64_t no,
                   struct str language, struct arena *a, struct scene_preview *ret)
{
    const struct shared_kind *of = shared_as(str_of(what));
    struct turn *t = turn_begin(in, account);
    struct scene_reader reader = page_reader(t, language, a);
    return of && of->preview && of->preview(t, no, &reader, ret) && !store_failed(in->parts.store);
}

bool inbox_has_document(const char *what, struct str name, bool *ret_open)
{
    const struct shared_kind *of = shared_as(str_of(what));
    *ret_open = of && of->open;
    return of && of->read && str_is(name, str_of(of->document));
}

bool inbox_document(struct inbox *in, const struct inbox_reader *reader, const char *what,
                    int64_t no, struct arena *a, struct str *ret)
{
    const struct shared_kind *of = shared_as(str_of(what));
    struct turn *t = turn_begin(in, reader->account);
    struct scene_reader r = page_reader(t, reader->language, a);
    t->me.who = reader->who;
    *ret = STR("");
    return of && of->read && of->read(t, no, &r, ret) && ret->n > 0 &&
           !store_failed(in->parts.store);
}

bool inbox_document_pressed(struct inbox *in, const struct inbox_reader *reader, struct str press,
                            struct arena *a, struct str *ret)
{
    struct press p;
    bool good = press_read(in->key, press, &p);
    for (int i = 0; good && inbox_features[i]; i++) {
        const struct shared_kind *of = &inbox_features[i]->shared;
        if (!of->pressed)
            continue;
        struct turn *t = turn_begin(in, reader->account);
        struct scene_reader r = page_reader(t, reader->language, a);
        t->me.who = reader->who;
        if (of->pressed(t, &p, &r, ret))
            return !store_failed(in->parts.store);
    }
    return false;
}

struct str inbox_link_chat(struct inbox *in, const struct account *account, struct str link,
                           struct str press, struct arena *a)
{
    struct str secret, path = str_cut(link, '#', &secret);
    struct press p;
    int64_t no;
    bool good = press_read(in->key, press, &p);
    for (int i = 0; good && inbox_features[i]; i++) {
        const struct shared_kind *of = &inbox_features[i]->shared;
        if (of->place && inbox_linked(in, of->what, path, &no) &&
            inbox_link_opens(in, of->what, no, secret))
            return arena_str(a, of->place(turn_begin(in, account), no, &p));
    }
    return STR("");
}
