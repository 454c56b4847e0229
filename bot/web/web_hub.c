/* Streams: what a browser that shows a table is told. An event is one of
 *
 *     scene    the table as it is now, if its version is not the one that the page has
 *     letter   what was said since the last one
 *     go       another table of the reader runs now, and this one is over; or their room has a new link
 *     bye      the stream ends
 *
 * A stream that may have news is woken; it looks when its browser has taken everything, so that a
 * slow one gets the newest scene alone. Watchers are woken a little after those who play, some at
 * a time, between requests, so that a thousand of them delay no press. A browser that has gone is
 * noticed when something is written: so each stream says something every 20 s. */
#include "web_internal.h"

enum {
    AT_ONCE = 16, /* watchers between two looks at what people do, ... */
    AFTER_MS = 5, /* ... from so long after players, and at last even while people ask */
    AT_LAST_MS = 100
};
enum { BEAT_MS = 20 * 1000, LETTERS_AT_ONCE = 30, READER_ID = 256, ROOM_TEXT = 320 };

/* A stream in a list of those that tell of the same: a table, or a chat whose letters they bring. */
struct hub_entry {
    struct hub_entry *after, **link; /* NULL: in no list */
    uint64_t of;                     /* the table, or the hash of the chat */
    struct hub_stream *stream;
};

struct hub_stream {
    struct hub_stream *after, **link; /* of all */
    struct hub_entry shown, heard[2]; /* by table; by chat and by room */
    int64_t table;
    struct web *web;
    struct server_stream *wire;
    struct inbox_reader reader;
    int64_t version, letter, gone_to;
    char id[READER_ID], language[16], chat[ROOM_TEXT], room[ROOM_TEXT], address[64];
    char door[SECRET + 1];    /* that led to the room; empty: the reader's seat did */
    char login[HASH_HEX + 1]; /* the reader is that person as long as it counts */
    char secret[SECRET + 1];  /* of a watcher's link */
    int renewed;              /* the links of what is watched, when the secret was last checked */
    int64_t doors, until; /* web.doors when its own were checked, and until when its login counts */
    bool look, letters, beat, many, closing;
    bool watch, unwatched, gone; /* a watcher; who may not watch any more; the link has ended */
    bool waits;                  /* a watcher to be woken */
};

enum { TABLE_LISTS = 256, CHAT_LISTS = 1024, VIEWS = 128, VIEWS_BYTES = 1024 * 1024 };

struct hub {
    struct hub_stream *streams;
    struct hub_entry *tables[TABLE_LISTS]; /* the same, by table */
    struct hub_entry *chats[CHAT_LISTS];   /* the same, by chat */
    int n_streams;
    bool watchers_wait;    /* some are to be woken, */
    int64_t watchers_at;   /* monotonic: from then on */
    int64_t beat_at;       /* the same: when silent streams say something */
    struct cache *watched; /* public views, by table and language */
};

struct hub *hub_make(void)
{
    struct hub *hub = alloc_zeroed(sizeof *hub);
    hub->watched = cache_open(VIEWS, VIEWS_BYTES);
    return hub;
}

void hub_free(struct hub *hub)
{
    cache_close(hub->watched);
    free(hub);
}

/* Streams of no table are in the first list, since each change may be one of theirs. */
static struct hub_entry **list_of(struct web *web, int64_t table)
{
    return &web->hub->tables[table ? 1 + (uint64_t)table % (TABLE_LISTS - 1) : 0];
}

static void leave_list(struct hub_entry *e)
{
    if (!e->link)
        return;
    *e->link = e->after;
    if (e->after)
        e->after->link = e->link;
    e->link = NULL;
}

static void join_list(struct hub_entry *e, struct hub_entry **list, uint64_t of,
                      struct hub_stream *s)
{
    leave_list(e);
    *e = (struct hub_entry){*list, list, of, s};
    if (e->after)
        e->after->link = &e->after;
    *list = e;
}

static void hear(struct hub_stream *s, int i, const char *chat)
{
    uint64_t hash = str_hash(str_of(chat));
    if (chat[0])
        join_list(&s->heard[i], &s->web->hub->chats[hash % CHAT_LISTS], hash, s);
}

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
 * the clock. Returns false if watching is not allowed. */
static bool watched_scene(struct web *web, int64_t table, struct str language,
                          struct inbox_scene *ret)
{
    enum { FRESH_MS = 1000 };
    struct head {
        int64_t epoch, made, version, links;
    } head = {web->epoch, clock_mono(web->parts.clock), 0, 0}, was;
    const struct cache_key key = {.no = table, .text = language};
    struct str found;
    if (cache_find(web->hub->watched, key, &found)) {
        memcpy(&was, found.p, sizeof was);
        *ret = (struct inbox_scene){
            .version = was.version, .links = (int)was.links, .json = str_skip(found, sizeof was)};
        if (was.epoch == head.epoch && head.made < was.made + FRESH_MS)
            return true;
        cache_reject(web->hub->watched, key);
    }
    if (!inbox_watched(web->parts.inbox, web->parts.own, table, language, web->scratch, ret))
        return false;
    head.version = ret->version;
    head.links = ret->links;
    CACHE_KEEP(web->hub->watched, key, BYTES_OF(head), ret->json);
    return true;
}

static void put_watched(struct hub_stream *s, struct buf *b)
{
    struct inbox_scene scene;
    s->unwatched = !watched_scene(s->web, s->table, s->reader.language, &scene);
    if (!s->unwatched && scene.links != s->renewed)
        s->gone = !inbox_link_opens(s->web->parts.inbox, "watch", s->table, str_of(s->secret));
    if (s->unwatched || s->gone || scene.version == s->version)
        return;
    s->renewed = scene.links;
    put_event(b, "scene", 0, scene.json);
    s->version = scene.version;
}

static void put_scene(struct hub_stream *s, struct buf *b)
{
    struct web *web = s->web;
    const struct person *p = store_person_by_network_id(web->parts.store, web->scratch,
                                                        s->reader.account->id, str_of(s->id));
    s->reader.who = p ? p->who : 0; /* they may have come, or been linked, since the stream began */
    struct inbox_scene scene = {.live = false};
    bool found = inbox_scene(web->parts.inbox, &s->reader, s->table, web->scratch, &scene);
    if (found && !scene.direct && scene.account == s->reader.account->id && s->room[0] == '\0') {
        put_text(s->room, sizeof s->room, scene.chat); /* who sits there reads what is said there */
        hear(s, 1, s->room);
        s->letters = true;
    }
    if (found && scene.version != s->version) {
        put_event(b, "scene", 0, scene.json);
        s->version = scene.version;
    }
    struct inbox_table newest;
    if (s->reader.who == 0 || scene.live ||
        inbox_tables(web->parts.inbox, &s->reader, web->scratch, 1, &newest) == 0 ||
        !newest.begun || newest.no <= s->table || newest.no == s->gone_to)
        return;
    s->gone_to = newest.no;
    put_event(b, "go", 0, arena_print(web->scratch, "{\"t\":%lld}", (long long)newest.no));
}

/* A letter as it is stored, with its number and where it stands. */
static struct str letter_data(const struct hub_stream *s, const struct letter *l)
{
    struct str said = str_skip(l->said, 1);
    return arena_print(s->web->scratch, "{\"id\":%lld,\"r\":\"%s\"%s%.*s", (long long)l->id,
                       str_is(l->chat, str_of(s->room)) ? s->door : "", said.n > 1 ? "," : "",
                       STR_ARG(said));
}

static void put_letters(struct hub_stream *s, struct buf *b)
{
    struct web *web = s->web;
    const struct str chats[2] = {str_of(s->chat), str_of(s->room)};
    struct letters found = {0};
    if (s->reader.account == web->parts.own)
        found = store_letters(web->parts.store, web->scratch, s->reader.account->id, chats,
                              str_of(s->id), s->letter, LETTERS_AT_ONCE);
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

static bool sits_in_room(const struct hub_stream *s)
{
    enum { TABLES = 12 };
    struct web *web = s->web;
    struct inbox_table tables[TABLES];
    struct inbox_scene scene;
    int n = s->reader.who ? inbox_tables(web->parts.inbox, &s->reader, web->scratch, TABLES, tables)
                          : 0;
    while (n-- > 0)
        if (inbox_seat(web->parts.inbox, &s->reader, tables[n].no, web->scratch, &scene) &&
            scene.account == s->reader.account->id && str_is(scene.chat, str_of(s->room)))
            return true;
    return false;
}

/* Whether the reader may still read: a login lasts for some hours, and links are renewed, which is
 * when the store is asked again. Who sits in a room goes along with its link. */
static void check_links(struct hub_stream *s, struct buf *b)
{
    struct web *web = s->web;
    struct store *store = web->parts.store;
    int64_t now = clock_now(web->parts.clock);
    if (s->doors == web->doors && (!s->login[0] || now < s->until))
        return;
    s->doors = web->doors;
    const struct login *login =
        s->login[0] ? store_login(store, web->scratch, str_of(s->login), false, now) : NULL;
    s->until = login ? login->until : 0;
    s->gone = s->login[0] && !login;
    if (s->gone || !s->door[0])
        return;
    const struct chat *chat =
        store_chat_by_key(store, web->scratch, web->parts.own->id, str_of(s->room));
    if (chat && str_is(who_link(chat), str_of(s->door)))
        return;
    s->gone = !chat || !sits_in_room(s);
    if (s->gone)
        return;
    put_text(s->door, sizeof s->door, who_link(chat));
    put_event(b, "go", 0,
              arena_print(web->scratch, "{\"r\":\"%s\",\"link\":\"%.*s/r/%s\"}", s->door,
                          STR_ARG(web->link), s->door));
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
    check_links(s, b);
    if (s->gone)
        look = s->letters = false;
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
        s->unwatched = s->gone = false;
        s->doors = -1;
    }
    if (s->unwatched || s->gone) {
        put_event(b, "bye", 0,
                  s->gone ? STR("{\"why\":\"gone\"}") : STR("{\"why\":\"unwatched\"}"));
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
    leave_list(&s->shown);
    leave_list(&s->heard[0]);
    leave_list(&s->heard[1]);
    s->web->hub->n_streams--;
    free(s);
}

bool hub_full(const struct web *web, struct str address)
{
    int n = 0;
    for (const struct hub_stream *s = web->hub->streams; s; s = s->after)
        n += str_is(str_of(s->address), address);
    return web->hub->n_streams >= web->parts.pages.streams ||
           (n >= web->parts.pages.per_address && !who_is_free(address));
}

/* The person's oldest stream ends if they have as many as they may. */
static void end_oldest(struct web *web, const struct visitor *v)
{
    struct hub_stream *oldest = NULL;
    int n = 0;
    for (struct hub_stream *s = web->hub->streams; s; s = s->after) /* the newest first */
        if (s->reader.account == v->reader.account && str_is(str_of(s->id), v->id) && !s->many) {
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
    *s = (struct hub_stream){.after = web->hub->streams,
                             .link = &web->hub->streams,
                             .web = web,
                             .reader = v->reader,
                             .table = wants->table,
                             .version = wants->version,
                             .watch = wants->watch,
                             .renewed = -1,
                             .doors = -1,
                             .letter = wants->letter,
                             .look = true,
                             .letters = true,
                             .beat = true};
    if (s->after)
        s->after->link = &s->after;
    web->hub->streams = s;
    join_list(&s->shown, list_of(web, wants->table), (uint64_t)wants->table, s);
    web->hub->n_streams++;
    put_text(s->id, sizeof s->id, v->id);
    put_text(s->language, sizeof s->language, v->reader.language);
    s->reader.language = str_of(s->language);
    put_text(s->address, sizeof s->address, wants->address);
    put_text(s->chat, sizeof s->chat, v->chat);
    put_text(s->login, sizeof s->login, v->login);
    put_text(s->room, sizeof s->room, wants->chat);
    put_text(s->door, sizeof s->door, wants->room);
    put_text(s->secret, sizeof s->secret, wants->secret);
    hear(s, 0, s->chat);
    hear(s, 1, s->room);
    s->wire = server_stream(r, head, &(struct stream_source){more, gone, s});
}

static void wake(struct hub_stream *s, bool look, bool letters)
{
    if (!look && !letters)
        return;
    s->look |= look;
    s->letters |= letters;
    struct hub *hub = s->web->hub;
    if (s->watch && look && !hub->watchers_wait)
        hub->watchers_at = clock_mono(s->web->parts.clock) + AFTER_MS;
    if (s->watch && look)
        s->waits = hub->watchers_wait = true;
    else
        server_wake(s->wire);
}

void hub_wake_watchers(struct web *web, bool busy)
{
    int n = 0;
    struct hub *hub = web->hub;
    struct hub_stream *s = hub->streams;
    if (!hub->watchers_wait ||
        clock_mono(web->parts.clock) < hub->watchers_at + (busy ? AT_LAST_MS : 0))
        return;
    for (; s && n < AT_ONCE; s = s->after) {
        if (!s->waits)
            continue;
        s->waits = false;
        server_wake(s->wire);
        n++;
    }
    hub->watchers_wait = s != NULL;
}

/* Letters of the bot may tell of another table, too. */
static void wake_chat(struct web *web, uint64_t chat, bool by_bot)
{
    for (struct hub_entry *e = web->hub->chats[chat % CHAT_LISTS]; e; e = e->after)
        if (e->of == chat)
            wake(e->stream, by_bot && e->stream->gone_to == 0, true);
}

void web_committed(struct web *web)
{
    const struct inbox_changed changed = inbox_take_changed(web->parts.inbox);
    const struct outbox_kept kept = outbox_take_kept(web->parts.outbox);
    web->epoch += changed.n > 0 || changed.all;
    web->doors += changed.links;
    for (int i = 0; i < changed.n; i++)
        replay_changed(web, changed.at[i]);
    if (changed.all)
        replay_changed(web, 0);
    for (int i = 0; i < changed.n && !changed.all; i++)
        for (struct hub_entry *e = *list_of(web, changed.at[i]); e; e = e->after)
            wake(e->stream, e->of == (uint64_t)changed.at[i], false);
    for (struct hub_entry *e = changed.n > 0 ? *list_of(web, 0) : NULL; e; e = e->after)
        wake(e->stream, true, false);
    for (int i = 0; i < kept.n && !kept.all; i++)
        wake_chat(web, kept.chat[i], true);
    for (struct hub_stream *s = web->hub->streams; s && (changed.all || kept.all || changed.links);
         s = s->after) {
        wake(s, changed.all || (kept.all && s->gone_to == 0), kept.all);
        if (changed.links && (s->login[0] || s->door[0]))
            server_wake(s->wire);
    }
}

void hub_said(struct web *web, struct str chat)
{
    wake_chat(web, str_hash(chat), false);
}

void web_look(struct web *web)
{
    web->epoch++;
    replay_changed(web, 0);
    web->doors++;
    for (struct hub_stream *s = web->hub->streams; s; s = s->after)
        wake(s, true, true);
}

void hub_beat(struct web *web)
{
    int64_t now = clock_mono(web->parts.clock);
    if (now < web->hub->beat_at)
        return;
    web->hub->beat_at = now + BEAT_MS;
    for (struct hub_stream *s = web->hub->streams; s; s = s->after) {
        s->beat = true;
        s->look |= s->watch; /* an admin of a chat may have switched it off */
        server_wake(s->wire);
    }
}

int web_wait(const struct web *web)
{
    const struct hub *hub = web->hub;
    int64_t now = clock_mono(web->parts.clock), beat = hub->beat_at - now;
    int wait = server_wait(web->server);
    if (hub->watchers_wait && hub->watchers_at - now < wait)
        wait = hub->watchers_at > now ? (int)(hub->watchers_at - now) : 0;
    return hub->n_streams == 0 || wait < beat ? wait : beat > 0 ? (int)beat : 0;
}

void hub_end(struct web *web)
{
    for (struct hub_stream *s = web->hub->streams; s; s = s->after) {
        s->closing = true;
        server_wake(s->wire);
    }
}
