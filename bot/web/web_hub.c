/* Streams: what a browser that shows a table is told. An event is one of
 *
 *     scene    the table as it is now, if its version is not the one that the page has
 *     letter   what was said since the last one
 *     go       another table of the reader runs now, and this one is over
 *     bye      the stream ends
 *
 * A stream that may have news is woken; it looks when its browser has taken everything, so that a
 * slow one gets the newest scene alone. A browser that has gone is noticed when something is written:
 * so each stream says something every 20 s. */
#include "web_internal.h"

enum { BEAT_MS = 20 * 1000, LETTERS_AT_ONCE = 30, READER_ID = 256, ROOM_TEXT = 320 };

struct hub_stream {
    struct hub_stream *after, **link;
    struct web *web;
    struct server_stream *wire;
    const struct account *account;
    int64_t who, table, version, letter, gone_to;
    char id[READER_ID], language[16], chat[ROOM_TEXT], room[ROOM_TEXT], address[64];
    uint64_t chats[2]; /* hashes of the two */
    bool look, letters, beat, many, closing;
    bool watch, unwatched; /* a watcher; who may not watch any more */
};

static void put_event(struct buf *b, const char *event, int64_t id, struct str data)
{
    buf_print(b, "event: %s\n", event);
    if (id > 0)
        buf_print(b, "id: %lld\n", (long long)id);
    buf_put(b, STR("data: "));
    buf_put(b, data);
    buf_put(b, STR("\n\n"));
}

static void put_text(char *ret, size_t size, struct str s)
{
    size_t n = s.n < size ? s.n : 0;
    if (n > 0)
        memcpy(ret, s.p, n);
    ret[n] = '\0';
}

/* The public view as all its watchers get it, made once after each change, and anew each second for
 * the clock. Returns false if nobody may watch. */
static bool watched_scene(struct web *web, int64_t table, struct str language,
                          struct inbox_scene *ret)
{
    enum { FRESH_MS = 1000 };
    struct head {
        int64_t epoch, made, version;
    } head = {web->epoch, clock_mono(web->parts.clock), 0}, was;
    const struct cache_key key = {.no = table, .text = language};
    struct str found;
    if (cache_find(web->watched, key, &found)) {
        memcpy(&was, found.p, sizeof was);
        *ret = (struct inbox_scene){.version = was.version, .json = str_skip(found, sizeof was)};
        if (was.epoch == head.epoch && head.made < was.made + FRESH_MS)
            return true;
        cache_reject(web->watched, key);
    }
    if (!inbox_watched(web->parts.inbox, web->parts.own, table, language, web->scratch, ret))
        return false;
    head.version = ret->version;
    char *kept = cache_put(web->watched, key, sizeof head + ret->json.n);
    if (kept) {
        memcpy(kept, &head, sizeof head);
        memcpy(kept + sizeof head, ret->json.p, ret->json.n);
    }
    return true;
}

static void put_watched(struct hub_stream *s, struct buf *b)
{
    struct inbox_scene scene;
    s->unwatched = !watched_scene(s->web, s->table, str_of(s->language), &scene);
    if (s->unwatched || scene.version == s->version)
        return;
    put_event(b, "scene", 0, scene.json);
    s->version = scene.version;
}

static void put_scene(struct hub_stream *s, struct buf *b)
{
    struct web *web = s->web;
    const struct inbox_reader reader = {s->account, s->who, str_of(s->language)};
    struct inbox_scene scene = {.live = false};
    bool found = s->table > 0 && s->who > 0 &&
                 inbox_scene(web->parts.inbox, &reader, s->table, web->scratch, &scene);
    if (found && !scene.direct && scene.account == s->account->id && s->room[0] == '\0') {
        put_text(s->room, sizeof s->room, scene.chat); /* who sits there reads what is said there */
        s->chats[1] = str_hash(str_of(s->room));
        s->letters = true;
    }
    if (found && scene.version != s->version) {
        put_event(b, "scene", 0, scene.json);
        s->version = scene.version;
    }
    struct inbox_table newest;
    if (s->who == 0 || scene.live ||
        inbox_tables(web->parts.inbox, &reader, web->scratch, 1, &newest) == 0 || !newest.begun ||
        newest.no <= s->table || newest.no == s->gone_to)
        return;
    s->gone_to = newest.no;
    put_event(b, "go", 0, arena_print(web->scratch, "{\"t\":%lld}", (long long)newest.no));
}

/* A letter as it is stored, with its number and where it stands. */
static struct str letter_data(const struct hub_stream *s, const struct letter *l)
{
    struct str said = str_skip(l->said, 1);
    bool room = str_starts(l->chat, STR("r."));
    return arena_print(s->web->scratch, "{\"id\":%lld,\"r\":\"%.*s\"%s%.*s", (long long)l->id,
                       room ? (int)l->chat.n - 2 : 0, l->chat.p + 2, said.n > 1 ? "," : "",
                       STR_ARG(said));
}

static void put_letters(struct hub_stream *s, struct buf *b)
{
    struct web *web = s->web;
    const struct str chats[2] = {str_of(s->chat), str_of(s->room)};
    struct letters found = {0};
    if (s->account == web->parts.own)
        found = store_letters(web->parts.store, web->scratch, s->account->id, chats, str_of(s->id),
                              s->letter, LETTERS_AT_ONCE);
    for (int i = 0; i < found.n; i++) {
        struct str data = letter_data(s, &found.at[i]);
        if (b->n + data.n + 64 > b->cap) { /* the rest when these are taken */
            s->letters = true;
            server_wake(s->wire);
            return;
        }
        put_event(b, "letter", found.at[i].id, data);
        s->letter = found.at[i].id;
    }
}

static bool more(void *arg, struct buf *b)
{
    struct hub_stream *s = arg;
    struct web *web = s->web;
    struct err err;
    if (s->many || s->closing) {
        put_event(b, "bye", 0, s->many ? STR("{\"why\":\"many\"}") : STR("{}"));
        return false;
    }
    arena_reset(web->scratch);
    bool look = s->look;
    s->look = false;
    if (look && s->watch)
        put_watched(s, b);
    else if (look)
        put_scene(s, b);
    bool letters = s->letters && !s->watch;
    s->letters = false;
    if (letters)
        put_letters(s, b);
    if (store_take_failure(web->parts.store, &err)) {
        b->n = 0;
        s->look = s->letters = true; /* at the next beat */
        s->unwatched = false;
    }
    if (s->unwatched) {
        put_event(b, "bye", 0, STR("{\"why\":\"unwatched\"}"));
        return false;
    }
    if (s->beat && b->n == 0)
        buf_put(b, STR(":\n\n"));
    s->beat = false;
    return true;
}

static void gone(void *arg)
{
    struct hub_stream *s = arg;
    *s->link = s->after;
    if (s->after)
        s->after->link = s->link;
    s->web->n_streams--;
    free(s);
}

int hub_count(const struct web *web, struct str address)
{
    int n = 0;
    for (const struct hub_stream *s = web->streams; s; s = s->after)
        n += str_is(str_of(s->address), address);
    return n;
}

/* The person's oldest stream ends if they have as many as they may. */
static void end_oldest(struct web *web, const struct visitor *v)
{
    struct hub_stream *oldest = NULL;
    int n = 0;
    for (struct hub_stream *s = web->streams; s; s = s->after) /* the newest first */
        if (s->account == v->account && str_is(str_of(s->id), v->id) && !s->many) {
            oldest = s;
            n++;
        }
    if (n < STREAMS_OF_ONE)
        return;
    oldest->many = true;
    server_wake(oldest->wire);
}

void hub_open(struct web *web, struct server_request *r, const struct server_reply *head,
              const struct visitor *v, const struct hub_wants *wants)
{
    end_oldest(web, v);
    struct hub_stream *s = alloc_zeroed(sizeof *s);
    *s = (struct hub_stream){.after = web->streams,
                             .link = &web->streams,
                             .web = web,
                             .account = v->account,
                             .who = v->who,
                             .table = wants->table,
                             .version = wants->version,
                             .watch = wants->watch,
                             .letter = wants->letter,
                             .look = true,
                             .letters = true,
                             .beat = true};
    if (s->after)
        s->after->link = &s->after;
    web->streams = s;
    web->n_streams++;
    put_text(s->id, sizeof s->id, v->id);
    put_text(s->language, sizeof s->language, v->language);
    put_text(s->address, sizeof s->address, wants->address);
    put_text(s->chat, sizeof s->chat, v->chat);
    if (wants->room.n > 0)
        put_text(s->room, sizeof s->room,
                 arena_print(web->scratch, "r.%.*s", STR_ARG(wants->room)));
    s->chats[0] = str_hash(str_of(s->chat));
    s->chats[1] = str_hash(str_of(s->room));
    s->wire = server_stream(r, head, &(struct stream_source){more, gone, s});
}

static void wake(struct hub_stream *s, bool look, bool letters)
{
    s->look |= look;
    s->letters |= letters;
    if (look || letters)
        server_wake(s->wire);
}

void web_committed(struct web *web)
{
    const struct inbox_changed changed = inbox_take_changed(web->parts.inbox);
    const struct outbox_kept kept = outbox_take_kept(web->parts.outbox);
    web->epoch += changed.n > 0 || changed.all;
    for (int i = 0; i < changed.n; i++)
        replay_changed(web, changed.at[i]);
    if (changed.all)
        replay_changed(web, 0);
    for (struct hub_stream *s = web->streams; s && (changed.n > 0 || kept.n > 0); s = s->after) {
        bool look = changed.all || (s->table == 0 && changed.n > 0), letters = kept.all;
        for (int i = 0; i < changed.n && !look; i++)
            look = changed.at[i] == s->table;
        for (int i = 0; i < kept.n && !letters; i++)
            letters = kept.chat[i] == s->chats[0] || kept.chat[i] == s->chats[1];
        wake(s, look || (letters && s->gone_to == 0), letters);
    }
}

void hub_said(struct web *web, struct str chat)
{
    uint64_t hash = str_hash(chat);
    for (struct hub_stream *s = web->streams; s; s = s->after)
        wake(s, false, s->chats[0] == hash || s->chats[1] == hash);
}

void web_look(struct web *web)
{
    replay_changed(web, 0);
    for (struct hub_stream *s = web->streams; s; s = s->after)
        wake(s, true, true);
}

void hub_beat(struct web *web)
{
    int64_t now = clock_mono(web->parts.clock);
    if (now < web->beat_at)
        return;
    web->beat_at = now + BEAT_MS;
    for (struct hub_stream *s = web->streams; s; s = s->after) {
        s->beat = true;
        s->look |= s->watch; /* an admin of a chat may have switched it off */
        server_wake(s->wire);
    }
}

int web_wait(const struct web *web)
{
    int wait = server_wait(web->server);
    int64_t beat = web->beat_at - clock_mono(web->parts.clock);
    return web->n_streams == 0 || wait < beat ? wait : beat > 0 ? (int)beat : 0;
}

void hub_end(struct web *web)
{
    for (struct hub_stream *s = web->streams; s; s = s->after) {
        s->closing = true;
        server_wake(s->wire);
    }
}
