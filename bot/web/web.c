/* Routes: files, documents, streams, and acts of people, which become updates of their own account.
 * A route is a row. GET changes nothing; each POST carries its browser's token and an id, so that
 * a strange page cannot act and an act that is repeated counts once. See web.h. */
#include "web_preview.h"

#include "command.h"
#include "embedded.h"
#include "player.h"
#include "text.h"
#include "utf8.h"

#include <assert.h>

enum {
    ARENA_BYTES = 16 * 1024 * 1024,
    HEAD_BYTES = 8 * 1024,
    BODY_BYTES = 4 * 1024,
    BESIDE = 64, /* connections beside those of streams */
    ADDRESSES = 4096,
    REPLAYS = 128,
    REPLAYS_BYTES = 4 * 1024 * 1024,
    ID_LEAST = 8,
    ID_MOST = 40,
    LINK_MOST = 80,
    ANSWER_BYTES = 16 * 1024,
    HOUR_MS = 3600 * 1000,
    NEW_AN_HOUR = 20, /* people of one address */
    TALK_A_MINUTE = 20,
    MINUTE_MS = 60 * 1000
};

/* ---- files ---- */

static const char *type_of(struct str path)
{
    static const struct {
        const char *end, *type;
    } types[] = {{".html", "text/html; charset=utf-8"},
                 {".css", "text/css; charset=utf-8"},
                 {".js", "text/javascript; charset=utf-8"},
                 {".svg", "image/svg+xml"},
                 {".json", "application/json"},
                 {".png", "image/png"}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        size_t n = strlen(types[i].end);
        if (path.n > n && memcmp(path.p + path.n - n, types[i].end, n) == 0)
            return types[i].type;
    }
    return "application/octet-stream";
}

static void serve_file(struct web *web, struct server_request *r)
{
    bool named = str_starts(r->path, STR("/f/"));
    struct str name =
        named ? arena_print(web->scratch, "web%.*s", STR_ARG(r->path)) : STR("web/index.html");
    struct str bytes = embedded_find(name);
    bool app = str_starts(r->path, STR("/app/"));
    struct str below;
    (void)str_cut(str_skip(r->path, 1), '/', &below);
    (void)str_cut(below, '/', &below);
    if (bytes.n == 0 || (app && !frame_is_path(web, r->path)) || (!named && below.n > 0)) {
        answer_error(web, r, 404, "not found");
        return;
    }
    struct server_reply reply = answer_open(200, type_of(name), bytes);
    answer_frames(web, &reply, frame_hosts(web, r->path));
    reply.constant = true;
    answer_packed(web, r, &reply);
    const char *tag =
        arena_print(web->scratch, "\"%016llx\"", (unsigned long long)str_hash(reply.body)).p;
    answer_header(&reply, "Cache-Control",
                  named ? "public, max-age=31536000, immutable" : "no-cache");
    answer_header(&reply, "ETag", tag);
    if (str_is(server_header(r, "If-None-Match"), str_of(tag))) {
        reply.status = 304;
        reply.body = STR("");
    }
    server_reply(r, &reply);
}

/* Of a link that may be passed on: a part of it, what a preview shows, or the page alone. */
static void serve_shared(struct web *web, struct server_request *r)
{
    if (!shared_serve(web, r) && !preview_serve(web, r))
        serve_file(web, r);
}

/* ---- documents ---- */

static int64_t number_of(struct str s)
{
    int64_t n;
    return str_int(s, &n) && n > 0 ? n : 0;
}

static void serve_page(struct web *web, struct server_request *r)
{
    struct visitor v;
    who_asks(web, r, web->scratch, &v);
    struct server_reply reply = answer_open(
        200, "application/json", page_document(web, &v, server_query(r, "chat"), web->scratch));
    if (answer_failure(web, r))
        return;
    answer_header(&reply, "Cache-Control", "no-store");
    if (v.fresh && !v.framed)
        answer_header(&reply, "Set-Cookie", who_cookie(web, v.secret, web->scratch).p);
    server_reply(r, &reply);
}

static void serve_scene(struct web *web, struct server_request *r)
{
    struct visitor v;
    struct inbox_scene scene;
    who_asks(web, r, web->scratch, &v);
    bool found = inbox_scene(web->parts.inbox, &v.reader, number_of(server_query(r, "t")),
                             web->scratch, &scene);
    if (answer_failure(web, r))
        return;
    if (!found)
        answer_error(web, r, 404, "not found");
    else
        answer_json(r, 200, scene.json);
}

static void serve_stream(struct web *web, struct server_request *r)
{
    struct visitor v;
    struct hub_wants wants = {.table = number_of(server_query(r, "t")),
                              .letter = number_of(server_query(r, "l")),
                              .version = number_of(server_query(r, "v")),
                              .room = server_query(r, "r")};
    struct str path = server_query(r, "w");
    who_asks(web, r, web->scratch, &v);
    if (wants.room.n > 0)
        wants.chat = who_room(web, wants.room, web->scratch);
    wants.secret = server_header(r, "Koikoi-Secret");
    if (path.n > 0)
        wants.watch = inbox_linked(web->parts.inbox, "watch", path, &wants.table) &&
                      inbox_link_opens(web->parts.inbox, "watch", wants.table, wants.secret);
    if ((path.n > 0 && !wants.watch) || (wants.room.n > 0 && wants.chat.n == 0)) {
        if (!answer_failure(web, r))
            answer_error(web, r, 404, "not found");
        return;
    }
    wants.address = server_client(r, web->parts.pages.proxies, web->scratch);
    if (answer_failure(web, r))
        return;
    if (hub_full(web, wants.address)) {
        answer_error(web, r, 429, "busy");
        return;
    }
    struct server_reply head = answer_open(200, "text/event-stream", STR(""));
    answer_header(&head, "Cache-Control", "no-store");
    answer_header(&head, "X-Accel-Buffering", "no");
    hub_open(web, r, &head, &v, &wants);
}

/* ---- acts ---- */

/* The body of an act. */
struct act_body {
    struct str token, id, press, text, name, room, ticket;
    struct str link; /* "12-NAME#SECRET" of a duel, where the page shows one */
    int64_t table;
    bool begins; /* the room begins with this act */
};

/* An act that is under way. */
struct web_asked {
    struct visitor visitor;
    struct act_body body;
};

static struct str field_of(struct arena *a, struct json v, const char *key, size_t most)
{
    struct str s = json_kind(json_at(v, key)) == JSON_STRING ? json_str(v, key) : STR("");
    return s.n <= most ? arena_str(a, s) : STR("");
}

static bool is_id(struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
              c == '-' || c == '_'))
            return false;
    }
    return s.n >= ID_LEAST && s.n <= ID_MOST;
}

static bool read_body(const struct server_request *r, struct arena *a, struct act_body *ret)
{
    struct err err;
    struct json v = json_open(r->body, JSON_LINE);
    if (json_good(v))
        *ret = (struct act_body){.token = field_of(a, v, "token", SECRET),
                                 .id = field_of(a, v, "id", ID_MOST),
                                 .press = field_of(a, v, "press", BUTTON_DATA),
                                 .text = field_of(a, v, "text", 4 * TEXT_MOST),
                                 .name = field_of(a, v, "name", 4 * NAME_MOST),
                                 .room = field_of(a, v, "r", SECRET),
                                 .ticket = field_of(a, v, "ticket", TICKET),
                                 .link = field_of(a, v, "link", LINK_MOST),
                                 .table = json_number(v, "t")};
    return json_close(v, &err) && is_id(ret->id);
}

/* A JSON body is what a form of a strange page cannot send; the token is what it cannot know. */
static bool may_act(struct web *web, struct server_request *r, const struct visitor *v,
                    const struct act_body *body)
{
    struct str address = server_client(r, web->parts.pages.proxies, web->scratch);
    if (!str_starts(server_header(r, "Content-Type"), STR("application/json")))
        answer_error(web, r, 415, "json");
    else if (v->framed && v->fresh)
        frame_refuse(web, r, v);
    else if (v->fresh || !str_is(body->token, v->token))
        answer_error(web, r, 403, "token");
    else if (v->reader.who == 0 &&
             !(who_is_free(address) || who_may(web, address, NEW_AN_HOUR, HOUR_MS)))
        answer_error(web, r, 429, "busy");
    else
        return true;
    return false;
}

/* Where the act takes place. Returns false if they have no such place. */
static bool place_of(struct web *web, const struct visitor *v, const struct act_body *body,
                     struct arena *a, struct update *u)
{
    struct inbox_scene scene;
    struct str room = body->begins ? arena_print(a, "r.%.*s", STR_ARG(body->room))
                      : v->reader.account == web->parts.own ? who_room(web, body->room, a)
                                                            : STR("");
    u->chat = v->chat;
    u->direct = true;
    if (body->link.n > 0) {
        u->chat = inbox_link_chat(web->parts.inbox, v->reader.account, body->link, body->press, a);
        u->direct = false;
    } else if (room.n > 0) {
        u->chat = room;
        u->direct = false;
    } else if (inbox_seat(web->parts.inbox, &v->reader, body->table, a, &scene) &&
               scene.account == v->reader.account->id) {
        u->chat = arena_str(a, scene.chat);
        u->direct = scene.direct;
    }
    return u->chat.n > 0;
}

/* Words among the people of a room: neither a command nor the number of a card. */
static bool is_talk(const struct update *u)
{
    struct str said = str_trim(u->text);
    return u->kind == UPDATE_TEXT && !u->direct && said.n > 0 && said.p[0] != '/' &&
           !(said.p[0] >= '0' && said.p[0] <= '9');
}

/* They become a letter to all in the room, once. */
static void talk(struct web *web, struct server_request *r, const struct update *u)
{
    struct store *store = web->parts.store;
    struct err err;
    int64_t now = clock_now(web->parts.clock);
    struct buf b = {arena_room(web->scratch, ANSWER_BYTES), 0, ANSWER_BYTES, false};
    if (!who_may(web, u->from.id, TALK_A_MINUTE, MINUTE_MS)) {
        answer_error(web, r, 429, "busy");
        return;
    }
    JSON_PUT(&b, "{'slot':'','who':$,'popup':false,'gone':false,'text':[['',$]],'buttons':[]}",
             text_clean(web->scratch, u->from.name, NAME_COLUMNS),
             text_clean(web->scratch, u->text, TEXT_MOST));
    store_begin(store);
    if (store_hear(store, web->parts.own->id, u->id, u->what, now))
        (void)store_put_letter(store, &(struct letter){.account = web->parts.own->id,
                                                       .chat = u->chat,
                                                       .said = buf_str(&b),
                                                       .at = now});
    if (!store_commit(store, &err)) {
        answer_error(web, r, 503, "again");
        return;
    }
    hub_said(web, u->chat);
    answer_json(r, 200, STR("{\"t\":0}"));
}

/* Where an act cannot take place it says what can: the bot cannot write to them yet, or they are
 * people of another network, who have no rooms here. */
static void refuse_act(struct web *web, struct server_request *r, const struct visitor *v,
                       bool has_chat)
{
    const struct texts *t = inbox_texts(web->parts.inbox, v->reader.language);
    const struct str network = str_of(v->reader.account->adapter->title);
    if (has_chat)
        answer_said(web, r, 403, "room",
                    text_make(t, web->scratch, T_PAGE_FRIEND_CHAT, 0, &network, 1));
    else
        answer_said(web, r, 403, "place", page_closed(t, web->scratch));
}

/* Fills the act; `room` is where /room begins a challenge. */
static bool read_act(struct web *web, struct server_request *r, struct arena *a,
                     struct web_act *ret)
{
    bool press = str_is(r->path, STR("/press")), room = str_is(r->path, STR("/room"));
    struct web_asked *asked = ret->asked = arena_new(a, struct web_asked);
    struct visitor *v = &asked->visitor;
    struct act_body *body = &asked->body;
    who_asks(web, r, a, v);
    if (!read_body(r, a, body)) {
        answer_error(web, r, 400, "body");
        return false;
    }
    if (!may_act(web, r, v, body))
        return false;
    struct update *u = &ret->update;
    *u = (struct update){.kind = press ? UPDATE_PRESS : UPDATE_TEXT,
                         .id = arena_print(a, "%.*s:%.*s", STR_ARG(v->id), STR_ARG(body->id)),
                         .admin = v->reader.account == web->parts.own,
                         .page = press,
                         .text = press  ? body->press
                                 : room ? STR("/challenge")
                                        : utf8_clean(a, body->text)};
    u->press = press ? u->id : STR("");
    u->from = (struct sender){.id = v->id, .name = v->name, .language = v->reader.language};
    if (body->link.n > 0 &&
        v->reader.account == web->parts.own) /* a browser has one from the start */
        u->from.direct = v->chat;
    if (v->reader.account == web->parts.own && str_trim(body->name).n > 0)
        u->from.name = utf8_clean(a, str_trim(body->name));
    if (u->from.name.n == 0)
        u->from.name = who_name(web, v, a);
    if (room)
        body->room = who_hash(a, "room", u->id, SECRET);
    body->begins = room;
    bool good = place_of(web, v, body, a, u);
    if (answer_failure(web, r))
        return false;
    if (u->text.n == 0)
        answer_error(web, r, 400, "body");
    else if (!good || (room && v->reader.account != web->parts.own))
        refuse_act(web, r, v, good);
    else if (is_talk(u) && !v->banned)
        talk(web, r, u);
    else
        ret->account = v->reader.account; /* which also tells the banned that they are */
    return ret->account != NULL;
}

static void log_in(struct web *web, struct server_request *r)
{
    struct visitor v;
    struct act_body body = {0};
    who_asks(web, r, web->scratch, &v);
    bool read = read_body(r, web->scratch, &body);
    if (!read || v.fresh || !str_is(body.token, v.token)) {
        answer_error(web, r, read ? 403 : 400, read ? "token" : "body");
        return;
    }
    bool good = who_login(web, body.ticket, v.secret, web->scratch);
    if (answer_failure(web, r))
        return;
    if (good)
        answer_json(r, 200, STR("{\"t\":0}"));
    else
        answer_said(web, r, 403, "ticket",
                    text_make(inbox_texts(web->parts.inbox, v.reader.language), web->scratch,
                              T_PAGE_TICKET, 0, NULL, 0));
}

/* The newest live table of theirs; `table` unless there is a newer one. */
static int64_t table_after(struct web *web, const struct visitor *v, int64_t table)
{
    struct inbox_table newest;
    if (v->reader.who == 0 ||
        inbox_tables(web->parts.inbox, &v->reader, web->scratch, 1, &newest) == 0)
        return table;
    return newest.no > table ? newest.no : table;
}

void web_handled(struct web *web, struct arena *turn, struct server_request *r,
                 struct web_asked *asked)
{
    struct visitor *v = &asked->visitor;
    const struct act_body *body = &asked->body;
    struct inbox_scene scene;
    struct buf b = {arena_room(turn, ANSWER_BYTES), 0, ANSWER_BYTES, false};
    arena_reset(web->scratch);
    who_known(web, r, web->scratch, v);
    struct str id = arena_print(web->scratch, "%.*s:%.*s", STR_ARG(v->id), STR_ARG(body->id));
    int64_t table = table_after(web, v, body->table);
    json_put_open(&b, NULL, '{');
    if (str_is(r->path, STR("/room"))) {
        struct str room = who_hash(web->scratch, "room", id, SECRET);
        json_put_str(&b, "r", room);
        json_put_str(&b, "link",
                     arena_print(web->scratch, "%.*s/r/%.*s", STR_ARG(web->link), STR_ARG(room)));
    } else if (str_is(r->path, STR("/press"))) {
        json_put_str(&b, "say", inbox_popup(web->parts.inbox, id));
    }
    json_put_int(&b, "t", table);
    bool shown = body->table == 0 && inbox_document_pressed(web->parts.inbox, &v->reader,
                                                            body->press, web->scratch, &scene.json);
    if (shown || inbox_scene(web->parts.inbox, &v->reader, table, web->scratch, &scene)) {
        json_put_name(&b, "scene");
        buf_put(&b, scene.json);
    }
    buf_char(&b, '}');
    if (!answer_failure(web, r))
        answer_json(r, 200, buf_str(&b));
}

/* ---- routes ---- */

static const struct route {
    const char *path; /* one that ends with '/' begins those that it is for */
    const char *method;
    void (*serve)(struct web *web, struct server_request *r); /* NULL: an act */
} routes[] = {
    {"/", "GET", serve_file},        {"/t/", "GET", serve_file},       {"/r/", "GET", serve_file},
    {"/watch/", "GET", serve_file},  {"/table", "GET", serve_file},    {"/app/", "GET", serve_file},
    {"/prove", "POST", frame_prove}, {"/f/", "GET", serve_file},       {"/page", "GET", serve_page},
    {"/scene", "GET", serve_scene},  {"/stream", "GET", serve_stream}, {"/say", "POST", NULL},
    {"/press", "POST", NULL},        {"/room", "POST", NULL},          {"/login", "POST", log_in}};

static const struct route *route_of(struct str path)
{
    static const struct route shared = {"", "GET", serve_shared}; /* "/KIND/12-NAME" of a link */
    for (size_t i = 0; i < sizeof routes / sizeof *routes; i++) {
        struct str own = str_of(routes[i].path);
        bool begins = own.n > 1 && own.p[own.n - 1] == '/' && str_starts(path, own);
        if (begins || str_is(path, own))
            return &routes[i];
    }
    return inbox_shares(path) ? &shared : NULL;
}

/* Pages are for everybody: what the daemon says of itself has an address of its own. */
static int gate(void *arg, const struct server_request *r)
{
    const struct route *route = route_of(r->path);
    (void)arg;
    if (!route)
        return 404;
    bool head = (route->serve == serve_file || route->serve == serve_shared) &&
                str_is(r->method, STR("HEAD")); /* the library leaves the body out */
    return head || str_is(r->method, str_of(route->method)) ? 0 : 405;
}

bool web_next(struct web *web, struct arena *turn, struct web_act *ret)
{
    struct server_request *r;
    server_run(web->server);
    hub_beat(web);
    while ((r = server_next(web->server))) {
        const struct route *route = route_of(r->path);
        assert(route); /* by the gate */
        arena_reset(web->scratch);
        *ret = (struct web_act){.visit = r};
        web->busy = true;
        if (route->serve)
            route->serve(web, r);
        else if (read_act(web, r, turn, ret))
            return true;
    }
    hub_wake_watchers(web, web->busy);
    web->busy = false;
    return false;
}

/* ---- the whole ---- */

bool web_open(const struct web_parts *parts, struct web **ret, struct err *err)
{
    int most = (int)parts->pages.streams + BESIDE;
    const struct server_limits limits = {most, (int)parts->pages.per_address + BESIDE, HEAD_BYTES,
                                         BODY_BYTES};
    struct web *web = alloc_zeroed(sizeof *web);
    web->parts = *parts;
    web->scratch = arena_open(ARENA_BYTES);
    bool known =
        server_check_proxies(parts->pages.proxies, err) || err_wrap(err, "[web] trusted_proxy");
    if (!known || !server_open(parts->pages.listen, &limits, gate, web, &web->server, err)) {
        arena_close(web->scratch);
        free(web);
        return known ? err_wrap(err, "[web] listen") : false;
    }
    web->hub = hub_make();
    web->counted = cache_open(ADDRESSES, ADDRESSES * 256);
    web->replays = cache_open(REPLAYS, REPLAYS_BYTES);
    web->posters = posters_open();
    struct str listen = parts->pages.listen;
    size_t colon = listen.n;
    while (listen.p[colon - 1] != ':')
        colon--;
    web->link = str_of(parts->pages.url.n
                           ? alloc_text(parts->pages.url)
                           : alloc_text(arena_print(web->scratch, "http://%.*s%d", (int)colon,
                                                    listen.p, server_port(web->server))));
    *ret = web;
    return true;
}

void web_close(struct web *web)
{
    if (!web)
        return;
    hub_end(web);
    frame_end(web);
    server_close(web->server);
    cache_close(web->counted);
    cache_close(web->replays);
    posters_close(web->posters);
    hub_free(web->hub);
    arena_close(web->scratch);
    free((char *)(uintptr_t)web->link.p);
    free(web);
}

struct server *web_server(const struct web *web)
{
    return web->server;
}

struct str web_link(const struct web *web)
{
    return web->link;
}
