/* What pages read of finished matches: replays as steps, reviews, records; and the public view of a
 * match that runs. See inbox.h. */
#include "inbox_features.h"

#include "json.h"
#include "match_review_make.h"
#include "replay.h"
#include "scene_write.h"

enum { STEPS_BYTES = 4 * 1024 * 1024, STEP_ARENA = 4 * 1024 * 1024 };

/* ---- links ---- */

bool inbox_linked(const struct inbox *in, const char *what, struct str path, int64_t *ret_no)
{
    return share_read(in->key, what, path, ret_no);
}

bool inbox_link_opens(const struct inbox *in, const char *what, int64_t no, struct str secret)
{
    return share_opens(in->key, what, no, secret);
}

/* ---- the steps of a replay ---- */

struct steps {
    struct turn *t;
    struct scene_reader reader;
    struct session *session; /* as it stood */
    struct arena *arena;     /* of one step */
    struct buf *b;
};

/* A session that was played to its end; NULL for another, and for a duel, whose cards are still dealt
 * to others. */
static const struct session *played(struct turn *t, int64_t no)
{
    const struct session *s = facts_named(t, no);
    bool open = s && s->phase == SESSION_OVER && s->end == END_PLAYED && !s->duel[0];
    return open && !store_failed(t->store) ? s : NULL;
}

static void put_step(void *arg, const struct match *m, int n, bool begins)
{
    struct steps *s = arg;
    (void)begins;
    arena_reset(s->arena);
    effect_rewind(s->session, m);
    s->reader.arena = s->arena;
    s->reader.table = page_table(s->t, s->session, SEAT_PUBLIC, s->arena);
    s->reader.version = n + 1;
    s->reader.open = m;
    if (n > 0)
        buf_char(s->b, ',');
    buf_put(s->b, scene_write(&s->reader));
}

bool inbox_replay(struct inbox *in, const struct account *account, int64_t session,
                  struct str language, struct arena *a, struct str *ret)
{
    struct turn *t = turn_begin(in, account);
    const struct session *s = played(t, session);
    struct buf b = {arena_room(a, STEPS_BYTES), 0, STEPS_BYTES, false};
    struct steps steps = {.t = t, .reader = page_reader(t, language, a), .b = &b};
    struct err ignored;
    struct str record = s ? store_record(t->store, t->arena, session) : STR("");
    if (record.n == 0)
        return false;
    steps.session = arena_new(t->arena, struct session);
    *steps.session = *s;
    steps.arena = arena_open(STEP_ARENA);
    steps.reader.table = page_table(t, s, SEAT_PUBLIC, t->arena);
    json_put_open(&b, NULL, '{');
    json_put_name(&b, "names");
    buf_put(&b, scene_names(&steps.reader));
    json_put_open(&b, "steps", '[');
    bool good = replay_positions(record, put_step, &steps, &ignored);
    buf_put(&b, STR("]}"));
    arena_close(steps.arena);
    *ret = buf_str(&b);
    return good && !b.cut;
}

bool inbox_record(struct inbox *in, const struct account *account, int64_t session, struct arena *a,
                  struct str *ret)
{
    struct turn *t = turn_begin(in, account);
    *ret = played(t, session) ? arena_str(a, store_record(t->store, t->arena, session)) : STR("");
    return ret->n > 0;
}

/* ---- watching ---- */

/* As query_table() lets it; of each chat, and now. */
static bool lets_watch(struct turn *t, const struct session *s)
{
    bool all = effect_watched(s);
    for (int i = 0; i <= s->n_more && all; i++) {
        const struct account *account = turn_account(t->in, s->venue[i].account);
        const struct chat *chat = store_chat_by_id(t->store, t->arena, s->venue[i].chat);
        struct chat_settings settings;
        chat_settings_read(chat ? chat->settings : STR(""), &settings);
        all = s->venue[i].direct || (account && (account->can & CAN_SCENE)) || settings.watch;
    }
    return all;
}

bool inbox_watched(struct inbox *in, const struct account *account, int64_t session,
                   struct str language, struct arena *a, struct inbox_scene *ret)
{
    struct turn *t = turn_begin(in, account);
    const struct session *s = facts_named(t, session);
    if (!s || !lets_watch(t, s) || store_failed(t->store))
        return false;
    struct scene_reader reader = page_reader(t, language, t->arena);
    struct table *table = page_table(t, s, SEAT_PUBLIC, t->arena);
    effect_times(table, s, t->event.now);
    reader.table = table;
    reader.version = t->row_version[0];
    *ret = (struct inbox_scene){.version = reader.version,
                                .live = session_live(s),
                                .json = arena_str(a, scene_write(&reader))};
    return true;
}

/* ---- its review ---- */

enum inbox_review inbox_review(struct inbox *in, const struct account *account, int64_t session,
                               struct str language, bool begin, struct arena *a, struct str *ret)
{
    struct turn *t = turn_begin(in, account);
    const struct session *s = played(t, session);
    struct scene_reader reader = page_reader(t, language, a);
    bool coming;
    if (!s)
        return REVIEW_NONE;
    const struct match_review *review =
        review_cache_find(in->review_cache, session, t->event.now, &coming);
    reader.table = page_table(t, s, SEAT_PUBLIC, a);
    if (review)
        *ret = scene_review(&reader, review);
    if (review || !begin)
        return review ? REVIEW_READY : REVIEW_COMING;
    struct str record = store_record(t->store, t->arena, session);
    if (store_failed(t->store) || record.n > JOB_BYTES)
        return REVIEW_NONE;
    turn_push_job(t, &(struct job){.run = match_review_job,
                                   .tag = JOB_REVIEW_PAGE,
                                   .session = session,
                                   .version = s->version,
                                   .patient = true,
                                   .input = record});
    work_commit(in->parts.work); /* no transaction is open that could fail */
    return REVIEW_COMING;
}
