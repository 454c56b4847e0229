/* What pages read of finished matches: replays as steps, reviews, records; and the public view of a
 * match that runs. See inbox.h. */
#include "inbox_features.h"

#include "json.h"
#include "match_review_make.h"
#include "record_rounds.h"
#include "replay.h"
#include "store_duel.h"

enum { STEPS_BYTES = 4 * 1024 * 1024, STEP_ARENA = 4 * 1024 * 1024 };

/* ---- the steps of a replay ---- */

struct steps {
    struct turn *t;
    struct scene_reader reader;
    struct session *session; /* as it stood */
    struct arena *arena;     /* of one step */
    int64_t wanted;          /* STEPS_ALL, or one */
    struct json before;      /* the step before, of all */
    struct buf *b;
};

/* True if the seat's hand is that of the step before without what it has played since. */
static bool hand_follows(struct json is, struct json was, struct json acts, int seat)
{
    struct json now = json_first(json_at(is, "hand")), card = json_first(json_at(was, "hand"));
    for (; card.at; card = json_next(card)) {
        struct json a = json_first(acts);
        while (a.at && (json_number(a, "p") != seat || !json_same(json_at(a, "card"), card)))
            a = json_next(a);
        if (a.at)
            continue;
        if (!now.at || !json_same(now, card))
            return false;
        now = json_next(now);
    }
    return !now.at;
}

/* The members that differ from those of the step before; a member that is gone is null. */
static void put_members(struct buf *b, struct json is, struct json was, const char *const said[])
{
    for (struct json m = json_first(is); m.at; m = json_next(m)) {
        struct json before = json_at(was, json_name(m).p);
        bool other = !before.at || !json_same(m, before);
        for (int i = 0; said[i]; i++)
            other = other && !str_is(json_name(m), str_of(said[i]));
        if (other)
            json_put_value(b, json_name(m).p, m);
    }
    for (struct json m = json_first(was); m.at; m = json_next(m))
        if (!json_at(is, json_name(m).p).at)
            json_put_null(b, json_name(m).p);
}

/* A step but for what the one before, its place and what was played say already. */
static void put_changes(struct buf *b, struct json is, struct json was)
{
    static const char *const of_step[] = {"v", "from", "seats", NULL};
    static const char *const of_seat[] = {"cards", "hand", NULL}, *const of_hand[] = {"cards",
                                                                                      NULL};
    struct json seat = json_first(json_at(is, "seats")), then = json_first(json_at(was, "seats"));
    struct json acts = json_at(is, "acts");
    json_put_open(b, NULL, '{');
    put_members(b, is, was, of_step);
    json_put_open(b, "seats", '[');
    for (int p = 0; seat.at; p++, seat = json_next(seat), then = json_next(then)) {
        json_put_open(b, NULL, '{');
        put_members(b, seat, then, hand_follows(seat, then, acts, p) ? of_seat : of_hand);
        if (json_number(seat, "cards") != (int64_t)json_count(json_at(seat, "hand")))
            json_put_int(b, "cards",
                         json_number(seat, "cards")); /* between rounds hands are closed */
        buf_char(b, '}');
    }
    buf_put(b, STR("]}"));
}

/* True while the cards of this duel may still be dealt to others: until its chat has another seed. */
static bool is_dealt(struct turn *t, const struct session *s)
{
    int64_t chat = s->duel[0] ? store_duel_chat(t->store, s->no) : 0;
    struct duel_row row = {0};
    if (chat)
        row = store_duel(t->store, t->arena, chat);
    return s->duel[0] && (chat == 0 || (row.day > 0 && str_is(row.seed, str_of(s->duel))));
}

/* A session that was played to its end; NULL for another, and for a duel whose day is not over. */
static const struct session *played(struct turn *t, int64_t no)
{
    const struct session *s = facts_named(t, no);
    bool open = s && s->phase == SESSION_OVER && s->end == END_PLAYED && !is_dealt(t, s);
    return open && !store_failed(t->store) ? s : NULL;
}

static void put_step(void *arg, const struct match *m, int n, int lines, bool begins)
{
    struct steps *s = arg;
    (void)begins, (void)lines;
    if (s->wanted != STEPS_ALL && s->wanted != n)
        return;
    arena_reset(s->arena);
    effect_rewind(s->session, m);
    s->reader.arena = s->arena;
    s->reader.table = page_table(s->t, s->session, SEAT_PUBLIC, s->arena);
    s->reader.version = n + 1;
    s->reader.open = m;
    struct str scene = scene_write(&s->reader);
    struct json is = json_open(scene, JSON_LOOSE);
    if (n > 0 && s->wanted == STEPS_ALL)
        put_changes(s->b, is, s->before);
    else
        buf_put(s->b, scene);
    json_free(s->before);
    s->before = is;
}

bool inbox_replay(struct inbox *in, const struct account *account, int64_t session, int64_t step,
                  struct str language, struct arena *a, struct str *ret)
{
    struct turn *t = turn_begin(in, account);
    const struct session *s = played(t, session);
    struct buf b = {arena_room(a, STEPS_BYTES), 0, STEPS_BYTES, false};
    struct steps steps = {.t = t, .reader = page_reader(t, language, a), .b = &b, .wanted = step};
    struct err ignored;
    struct str record = s ? store_record(t->store, t->arena, session) : STR("");
    if (record.n == 0)
        return false;
    steps.session = arena_new(t->arena, struct session);
    *steps.session = *s;
    steps.arena = arena_open(STEP_ARENA);
    steps.reader.play_on = step != STEPS_ALL;
    steps.reader.table = page_table(t, s, SEAT_PUBLIC, t->arena);
    json_put_open(&b, NULL, '{');
    json_put_name(&b, "names");
    buf_put(&b, scene_names(&steps.reader));
    json_put_open(&b, "steps", '[');
    bool good = replay_positions(record, put_step, &steps, &ignored);
    buf_put(&b, STR("]}"));
    json_free(steps.before);
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

static bool preview_match(struct turn *t, int64_t no, struct scene_reader *reader,
                          struct scene_preview *ret)
{
    const struct session *s = played(t, no);
    struct rounds rounds;
    if (!s)
        return false;
    rounds.n = record_rounds_read(reader->arena, store_record(t->store, t->arena, no), &rounds.at);
    reader->table = page_table(t, s, SEAT_PUBLIC, reader->arena);
    scene_preview(reader, rounds, ret);
    return true;
}

const struct inbox_feature inbox_replay_links = {
    .shared = {.what = "replay", .renewed = true, .preview = preview_match}};

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
                                .links = s->links,
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

const struct inbox_feature inbox_watch_links = {.shared = {.what = "watch", .renewed = true}};
