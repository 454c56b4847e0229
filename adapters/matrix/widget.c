/* The daemon's page beside a room: the state event that shows it as a widget, and the OpenID tokens by
 * which its readers prove who they are.
 *
 *     page      gets a token from the client that shows it, {"access_token":..., "matrix_server_name":...}
 *     we        ask that homeserver whose it is: GET /_matrix/federation/v1/openid/userinfo
 *     it        answers {"sub":"@ann:example.org"}, a person of its own
 *
 * The token and the server's name come from outside. So only servers of the option are asked; the bot's
 * own where its account is, others only at public addresses; no redirect is followed; a server speaks
 * for its own people alone. A token says who, not for whom: any widget that the person has opened could
 * pass theirs on, so that a new browser is confirmed in a chat. */
#include "widget.h"

enum { PROOF_MS = 10 * 1000, PROOF_BYTES = 64 * 1024, SERVER_BYTES = 230 };

#define WIDGET_KEY  "koikoi"
#define WIDGET_NAME "Koi-Koi"

/* ---- the state event ---- */

/* Who lacks the power for it: the asker first, since the bot does not do for people what they may not
 * do themselves. */
static struct lacking lacking_in(const struct sending *s)
{
    const struct room *room = rooms_find(s->m->known, content_place(s).room);
    if (!room)
        return (struct lacking){0};
    int64_t theirs = room_level(room, s->out->to), ours = room_level(room, s->m->session.user);
    if (theirs < room->widget)
        return (struct lacking){room->widget, theirs, true};
    return ours < room->widget ? (struct lacking){room->widget, ours, false} : (struct lacking){0};
}

bool widget_may(const struct sending *s)
{
    struct lacking lacking = lacking_in(s);
    return lacking.needs == lacking.has;
}

void widget_request(const struct sending *s, struct request *ret)
{
    struct str room = content_place(s).room, page = s->out->caption, me = s->m->session.user;
    wire_request_in_room(s->m, s->a, "PUT", room, STR("state/" WIDGET_TYPE "/" WIDGET_KEY),
                         "widget", ret);
    struct buf b = wire_object(s->a, page.n + 3 * room.n + me.n);
    if (page.n > 0)
        JSON_PUT(&b,
                 "'type':'m.custom','id':'" WIDGET_KEY "','name':'" WIDGET_NAME "',"
                 "'creatorUserId':$,'url':$,'waitForIframeLoad':true,'data':{}",
                 me,
                 arena_print(s->a, "%.*s/app/matrix?chat=%.*s", STR_ARG(page),
                             STR_ARG(wire_escape(s->a, room))));
    wire_request_json(ret, &b);
}

void widget_read(const struct sending *s)
{
    if (s->step == SEND_WIDGET && wire_is_good(s->reply))
        return;
    s->receipt->kind = NEVER;
    s->receipt->lacking = lacking_in(s);
    s->receipt->note = STR("a widget is refused");
}

/* ---- proofs ---- */

/* A server's name with nothing in it that would end the host of a URL. */
static bool is_server(struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == ':'))
            return false;
    }
    return s.n > 0 && s.n <= SERVER_BYTES && s.p[0] != ':';
}

static struct str own_server(const struct matrix *m)
{
    return wire_server_of(m->session.user.n > 0 ? m->session.user : m->user);
}

static bool is_allowed(const struct matrix *m, struct str server)
{
    struct str list = m->widget_homeservers;
    return is_server(server) &&
           (list.n > 0 ? room_in_words(list, server) : str_is(server, own_server(m)));
}

static enum proved ask(struct arena *a, struct str url, bool outside, struct proof *ret)
{
    wire_request_open(a, "GET", url, "openid", &ret->ask);
    ret->ask.outside = outside;
    ret->ask.timeout_ms = PROOF_MS;
    ret->ask.answer_bytes = PROOF_BYTES;
    return PROVED_ASK;
}

static enum proved ask_whose(struct arena *a, struct str base, struct str token, bool outside,
                             struct proof *ret)
{
    struct str url = arena_print(a, "%.*s/_matrix/federation/v1/openid/userinfo?access_token=%.*s",
                                 STR_ARG(base), STR_ARG(wire_escape(a, token)));
    return ask(a, url, outside, ret);
}

/* Where a server takes requests of others: HOST or HOST:PORT, by its /.well-known/matrix/server. */
static struct str federation_of(struct arena *a, const struct reply *reply, struct str server)
{
    struct json v = wire_answer(reply);
    struct str said = wire_id(a, v, "m.server"), host = is_server(said) ? said : server;
    json_free(v);
    return arena_print(a, "https://%.*s%s", STR_ARG(host),
                       memchr(host.p, ':', host.n) ? "" : ":8448");
}

/* The person that a server names, if it is one of its own. */
static enum proved read_whose(struct arena *a, const struct reply *reply, struct str server,
                              struct proof *ret)
{
    struct json v = wire_answer(reply);
    struct str who = wire_id(a, v, "sub");
    json_free(v);
    if (!wire_is_user_id(who) || !str_is(wire_server_of(who), server))
        return PROVED_NO;
    *ret = (struct proof){.who = {.id = who}, .confirm = true};
    return PROVED;
}

enum proved widget_prove(void *account, struct arena *a, const struct proving *p, struct proof *ret)
{
    const struct matrix *m = account;
    struct json v = json_open(p->bytes, JSON_LOOSE);
    struct str token = wire_str(a, v, "access_token"),
               server = wire_str(a, v, "matrix_server_name");
    json_free(v);
    bool own = str_is(server, own_server(m)), port = memchr(server.p, ':', server.n) != NULL;
    if (!wire_is_token(token) || !is_allowed(m, server) || (own && m->session.base.n == 0))
        return PROVED_NO;
    if (p->answers == (own || port ? 1 : 2))
        return read_whose(a, p->reply, server, ret);
    if (own)
        return ask_whose(a, m->session.base, token, false, ret);
    if (port)
        return ask_whose(a, arena_print(a, "https://%.*s", STR_ARG(server)), token, true, ret);
    if (p->answers == 1)
        return ask_whose(a, federation_of(a, p->reply, server), token, true, ret);
    return ask(a, arena_print(a, "https://%.*s/.well-known/matrix/server", STR_ARG(server)), true,
               ret);
}
