/* Sync: since, filters, pages of messages, account data. A position in the stream is a number of
 * events: "s17" stands after the seventeenth. */
#include "home_internal.h"

enum { PAGE = 10, UNLIMITED = 1 << 20 };

struct mx_view { /* the parameters of one sync */
    struct mx_call *c;
    struct home *h;
    const char *me;
    int since, end;
    bool initial, full;
    cJSON *filter, *joined, *invited, *left;
};

static int position(const char *token, int otherwise)
{
    return token && token[0] == 's' ? (int)strtol(token + 1, NULL, 10) : otherwise;
}

static bool listed(const cJSON *list, const char *text)
{
    const cJSON *one;
    bool found = false;
    cJSON_ArrayForEach(one, list)
    {
        const char *is = js_text(one, "");
        found |= strcmp(is, text) == 0 || strcmp(is, "*") == 0;
    }
    return found;
}

/* Event filter: "types" and "not_types". */
static bool wanted(const cJSON *filter, const char *type)
{
    const cJSON *types = js_at(filter, "types");
    return (!types || listed(types, type)) && !listed(js_at(filter, "not_types"), type);
}

static int page_of(const struct home *h, int limit)
{
    int page = limit > 0 ? limit : PAGE;
    return h->setup.page > 0 && h->setup.page < page ? h->setup.page : page;
}

/* ---- a room ---- */

/* True if the list contains an event of that type and key. */
static bool has_state(const cJSON *list, const struct mx_event *e)
{
    const cJSON *one;
    bool found = false;
    cJSON_ArrayForEach(one, list) found |= strcmp(js_text(one, "type"), e->type) == 0 &&
                                           strcmp(js_text(one, "state_key"), e->key) == 0;
    return found;
}

/* State at `end` that changed after `from`. With lazy loading, members only if they sent an event
 * of the timeline. */
static cJSON *state_list(struct mx_view *v, const struct mx_room *room, int from, int end,
                         const cJSON *timeline)
{
    const cJSON *filter = js_at(v->filter, "room/state"), *one;
    bool lazy = js_true(filter, "lazy_load_members");
    cJSON *list = cJSON_CreateArray();
    for (int i = end - 1; i >= from; i--) {
        const struct mx_event *e = &v->h->event[i];
        bool member = e->key && strcmp(e->type, "m.room.member") == 0;
        if (e->room == room && e->key && wanted(filter, e->type) && !has_state(list, e) &&
            (!lazy || !member || strcmp(e->key, v->me) == 0))
            cJSON_AddItemToArray(list, home_client_event(v->h, e, v->c->token));
    }
    cJSON_ArrayForEach(one, timeline)
    {
        const struct mx_event *e =
            home_state(v->h, room, "m.room.member", js_text(one, "sender"), end);
        if (lazy && e && wanted(filter, e->type) && !has_state(list, e))
            cJSON_AddItemToArray(list, home_client_event(v->h, e, v->c->token));
    }
    return list;
}

/* The newest events after `from` that the filter lets through; *ret_start is the position of the
 * first. */
static cJSON *timeline_list(struct mx_view *v, const struct mx_room *room, int from, int *ret_start,
                            bool *ret_limited)
{
    const cJSON *filter = js_at(v->filter, "room/timeline");
    int most = page_of(v->h, (int)js_number(filter, "limit")), n = 0;
    *ret_start = v->end;
    *ret_limited = false;
    for (int i = v->end - 1; i >= from; i--) {
        const struct mx_event *e = &v->h->event[i];
        if (e->room != room || !wanted(filter, e->type))
            continue;
        if (n++ == most) {
            *ret_limited = true;
            break;
        }
        *ret_start = i;
    }
    cJSON *list = cJSON_CreateArray();
    for (int i = *ret_start; i < v->end; i++) {
        const struct mx_event *e = &v->h->event[i];
        if (e->room == room && wanted(filter, e->type))
            cJSON_AddItemToArray(list, home_client_event(v->h, e, v->c->token));
    }
    return list;
}

static void view_joined(struct mx_view *v, const struct mx_room *room, bool was_in)
{
    int start, from = was_in && !v->initial ? v->since : 0, joined = 0, invited = 0;
    bool limited, all = v->initial || v->full || !was_in;
    cJSON *events = timeline_list(v, room, from, &start, &limited);
    cJSON *state = state_list(v, room, all ? 0 : from, start, events);
    for (int i = 0; i < v->h->n_users; i++) {
        const char *m = home_member(v->h, room, v->h->user[i].id, v->end);
        joined += strcmp(m, "join") == 0;
        invited += strcmp(m, "invite") == 0;
    }
    if (all || cJSON_GetArraySize(events) > 0 || cJSON_GetArraySize(state) > 0)
        cJSON_AddItemToObject(
            v->joined, room->id,
            js_make("{'timeline':{'events':%p,'limited':%-s,'prev_batch':'s%d'},"
                    "'state':{'events':%p},"
                    "'summary':{'m.joined_member_count':%d,'m.invited_member_count':%d}}",
                    (void *)events, limited ? "true" : "false", start, (void *)state, joined,
                    invited));
    cJSON_Delete(events);
    cJSON_Delete(state);
}

static void view_invited(struct mx_view *v, const struct mx_room *room)
{
    static const char *const shown[] = {"m.room.create", "m.room.join_rules", "m.room.name",
                                        "m.room.encryption", "m.room.member"};
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        const char *key = strcmp(shown[i], "m.room.member") == 0 ? v->me : "";
        const struct mx_event *e = home_state(v->h, room, shown[i], key, v->end);
        if (e)
            cJSON_AddItemToArray(list,
                                 js_make("{'type':%s,'state_key':%s,'sender':%s,'content':%p}",
                                         e->type, e->key, e->sender, (void *)e->content));
    }
    cJSON_AddItemToObject(v->invited, room->id,
                          js_make("{'invite_state':{'events':%p}}", (void *)list));
    cJSON_Delete(list);
}

static void view_left(struct mx_view *v, const struct mx_room *room)
{
    struct mx_event *e = home_state(v->h, room, "m.room.member", v->me, v->end);
    cJSON *one = home_client_event(v->h, e, v->c->token);
    cJSON_AddItemToObject(v->left, room->id,
                          js_make("{'timeline':{'events':[%p],'limited':false}}", (void *)one));
    cJSON_Delete(one);
}

static void view_room(struct mx_view *v, const struct mx_room *room)
{
    const char *is = home_member(v->h, room, v->me, v->end);
    const char *was = v->initial ? "leave" : home_member(v->h, room, v->me, v->since);
    if (strcmp(is, "join") == 0)
        view_joined(v, room, strcmp(was, "join") == 0);
    else if (strcmp(is, "invite") == 0 && strcmp(was, "invite") != 0)
        view_invited(v, room);
    else if (strcmp(was, "leave") != 0 && (strcmp(is, "leave") == 0 || strcmp(is, "ban") == 0))
        view_left(v, room);
}

/* ---- the response ---- */

static cJSON *data_list(struct mx_view *v)
{
    cJSON *list = cJSON_CreateArray();
    for (int i = v->initial ? 0 : v->since; i < v->end; i++) {
        const struct mx_event *e = &v->h->event[i];
        if (e->room || strcmp(e->key, v->me) != 0)
            continue;
        cJSON_AddItemToArray(list,
                             js_make("{'type':%s,'content':%p}", e->type, (void *)e->content));
    }
    return list;
}

/* True if there was nothing new. */
static bool look(struct mx_view *v)
{
    cJSON *o = js_make("{'next_batch':'s%d'}", v->end);
    cJSON *rooms = cJSON_AddObjectToObject(o, "rooms"), *data = data_list(v);
    v->joined = cJSON_AddObjectToObject(rooms, "join");
    v->invited = cJSON_AddObjectToObject(rooms, "invite");
    v->left = cJSON_AddObjectToObject(rooms, "leave");
    for (int i = 0; i < v->h->n_rooms; i++)
        view_room(v, &v->h->room[i]);
    bool nothing =
        !v->joined->child && !v->invited->child && !v->left->child && cJSON_GetArraySize(data) == 0;
    cJSON_AddItemToObject(cJSON_AddObjectToObject(o, "account_data"), "events", data);
    v->c->answer = o;
    return nothing;
}

/* On the machine's clock an empty answer is held as long as the request asks. */
static bool hold(struct mx_call *c)
{
    const char *timeout = call_field(c, c->asked->query, "timeout");
    if (!c->again && timeout && !c->h->clock)
        c->hold_until = home_now(c->h) + strtol(timeout, NULL, 10);
    return home_now(c->h) < c->hold_until;
}

void do_sync(struct mx_call *c)
{
    struct home *h = c->h;
    const char *query = c->asked->query, *since = call_field(c, query, "since"),
               *filter = call_field(c, query, "filter"), *full = call_field(c, query, "full_state");
    struct mx_view v = {.c = c,
                        .h = h,
                        .me = c->token->user->id,
                        .end = h->n_events,
                        .initial = !since,
                        .since = position(since, 0),
                        .full = full && strcmp(full, "true") == 0,
                        .filter = filter ? cJSON_Parse(filter) : NULL};
    if ((filter && !v.filter) || v.since > v.end || (since && since[0] != 's'))
        home_problem(h, "sync with the filter %s since %s", filter ? filter : "",
                     since ? since : "");
    if (v.since > v.end) {
        call_refuse(c, 400, "M_UNKNOWN", "Unknown position in the stream");
        cJSON_Delete(v.filter);
        return;
    }
    h->count.syncs += !c->again;
    c->later = look(&v) && !v.initial && hold(c);
    cJSON_Delete(v.filter);
}

void do_messages(struct mx_call *c)
{
    struct home *h = c->h;
    const char *query = c->asked->query, *dir = call_field(c, query, "dir"),
               *limit = call_field(c, query, "limit"), *text = call_field(c, query, "filter");
    struct mx_room *room = home_find_room(h, c->part[0]);
    if (!room || !home_is_in(h, room, c->token->user->id)) {
        call_refuse(c, 403, "M_FORBIDDEN", "You aren't a member of the room");
        return;
    }
    int from = position(call_field(c, query, "from"), 0);
    int to = position(call_field(c, query, "to"), h->n_events);
    if (!dir || strcmp(dir, "f") != 0) {
        home_problem(h, "messages in a direction that nobody here takes");
        call_refuse(c, 400, "M_INVALID_PARAM", "dir");
        return;
    }
    cJSON *filter = text ? cJSON_Parse(text) : NULL, *page = cJSON_CreateArray();
    cJSON *state = cJSON_CreateArray();
    int most = page_of(h, limit ? (int)strtol(limit, NULL, 10) : 0), i = from;
    for (; i < to && cJSON_GetArraySize(page) < most; i++)
        if (h->event[i].room == room && wanted(filter, h->event[i].type))
            cJSON_AddItemToArray(page, home_client_event(h, &h->event[i], c->token));
    const cJSON *one;
    cJSON_ArrayForEach(one, page)
    {
        struct mx_event *e = home_state(h, room, "m.room.member", js_text(one, "sender"), to);
        if (e && !has_state(state, e))
            cJSON_AddItemToArray(state, home_client_event(h, e, c->token));
    }
    c->answer = js_make("{'start':'s%d','chunk':%p,'state':%p}", from, (void *)page, (void *)state);
    if (i < to)
        cJSON_AddStringToObject(c->answer, "end", home_print(h, "s%d", i));
    cJSON_Delete(state);
    cJSON_Delete(page);
    cJSON_Delete(filter);
}

void do_account_data(struct mx_call *c)
{
    const struct mx_event *found = NULL;
    for (int i = 0; i < c->h->n_events; i++) {
        const struct mx_event *e = &c->h->event[i];
        if (!e->room && strcmp(e->key, c->part[0]) == 0 && strcmp(e->type, c->part[1]) == 0)
            found = e;
    }
    if (strcmp(c->part[0], c->token->user->id) != 0)
        call_refuse(c, 403, "M_FORBIDDEN", "Cannot get account data for other users.");
    else if (found)
        c->answer = cJSON_Duplicate(found->content, true);
    else
        call_refuse(c, 404, "M_NOT_FOUND", "Account data not found");
}

void do_set_account_data(struct mx_call *c)
{
    if (strcmp(c->part[0], c->token->user->id) != 0)
        call_refuse(c, 403, "M_FORBIDDEN", "Cannot set account data for other users.");
    else
        home_add(c->h, NULL, c->part[0], c->part[1], c->part[0], cJSON_Duplicate(c->body, true));
}
