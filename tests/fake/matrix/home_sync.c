/* Sync: since, filters, pages of messages, account data. A position in the stream is a number of
 * events: "s17" stands after the seventeenth. */
#include "home_internal.h"

#include <assert.h>

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

static const cJSON *in(const cJSON *o, const char *a, const char *b)
{
    return cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(o, a), b);
}

static bool listed(const cJSON *list, const char *text)
{
    const cJSON *one;
    cJSON_ArrayForEach(one, list) if (cJSON_IsString(one) &&
                                      (strcmp(one->valuestring, text) == 0 ||
                                       strcmp(one->valuestring, "*") == 0)) return true;
    return false;
}

/* Event filter: "types" and "not_types". */
static bool wanted(const cJSON *filter, const char *type)
{
    const cJSON *types = cJSON_GetObjectItemCaseSensitive(filter, "types");
    return (!types || listed(types, type)) &&
           !listed(cJSON_GetObjectItemCaseSensitive(filter, "not_types"), type);
}

static int page_of(const struct home *h, const cJSON *limit)
{
    int page = cJSON_IsNumber(limit) ? (int)limit->valuedouble : PAGE;
    return h->setup.page > 0 && h->setup.page < page ? h->setup.page : page;
}

/* ---- a room ---- */

/* True if the list contains an event of that type and key. */
static bool has_state(const cJSON *list, const struct mx_event *e)
{
    const cJSON *one;
    cJSON_ArrayForEach(one, list) if (strcmp(home_text(one, "type"), e->type) == 0 &&
                                      strcmp(home_text(one, "state_key"), e->key) == 0) return true;
    return false;
}

/* State at `end` that changed after `from`. With lazy loading, members only if they sent an event
 * of the timeline. */
static cJSON *state_list(struct mx_view *v, const struct mx_room *room, int from, int end,
                         const cJSON *timeline)
{
    const cJSON *filter = in(v->filter, "room", "state"), *one;
    bool lazy = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(filter, "lazy_load_members"));
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
            home_state(v->h, room, "m.room.member", home_text(one, "sender"), end);
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
    const cJSON *filter = in(v->filter, "room", "timeline");
    int most = page_of(v->h, cJSON_GetObjectItemCaseSensitive(filter, "limit")), n = 0;
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

static void add_summary(struct mx_view *v, const struct mx_room *room, cJSON *o)
{
    int joined = 0, invited = 0;
    for (int i = 0; i < v->h->n_users; i++) {
        const char *m = home_member(v->h, room, v->h->user[i].id, v->end);
        joined += strcmp(m, "join") == 0;
        invited += strcmp(m, "invite") == 0;
    }
    cJSON *summary = cJSON_AddObjectToObject(o, "summary");
    cJSON_AddNumberToObject(summary, "m.joined_member_count", joined);
    cJSON_AddNumberToObject(summary, "m.invited_member_count", invited);
}

static void view_joined(struct mx_view *v, const struct mx_room *room, bool was_in)
{
    int start, from = was_in && !v->initial ? v->since : 0;
    bool limited, all = v->initial || v->full || !was_in;
    cJSON *events = timeline_list(v, room, from, &start, &limited);
    cJSON *state = state_list(v, room, all ? 0 : from, start, events);
    if (!all && cJSON_GetArraySize(events) == 0 && cJSON_GetArraySize(state) == 0) {
        cJSON_Delete(events);
        cJSON_Delete(state);
        return;
    }
    cJSON *o = cJSON_AddObjectToObject(v->joined, room->id);
    cJSON *timeline = cJSON_AddObjectToObject(o, "timeline");
    cJSON_AddItemToObject(timeline, "events", events);
    cJSON_AddBoolToObject(timeline, "limited", limited);
    cJSON_AddStringToObject(timeline, "prev_batch", home_print(v->h, "s%d", start));
    cJSON_AddItemToObject(cJSON_AddObjectToObject(o, "state"), "events", state);
    add_summary(v, room, o);
}

static void view_invited(struct mx_view *v, const struct mx_room *room)
{
    static const char *const shown[] = {"m.room.create", "m.room.join_rules", "m.room.name",
                                        "m.room.encryption"};
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i <= sizeof shown / sizeof *shown; i++) {
        bool own = i == sizeof shown / sizeof *shown;
        const struct mx_event *e =
            home_state(v->h, room, own ? "m.room.member" : shown[i], own ? v->me : "", v->end);
        if (!e)
            continue;
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "type", e->type);
        cJSON_AddStringToObject(o, "state_key", e->key);
        cJSON_AddStringToObject(o, "sender", e->sender);
        cJSON_AddItemToObject(o, "content", cJSON_Duplicate(e->content, true));
        cJSON_AddItemToArray(list, o);
    }
    cJSON_AddItemToObject(
        cJSON_AddObjectToObject(cJSON_AddObjectToObject(v->invited, room->id), "invite_state"),
        "events", list);
}

static void view_left(struct mx_view *v, const struct mx_room *room)
{
    struct mx_event *e = home_state(v->h, room, "m.room.member", v->me, v->end);
    cJSON *list = cJSON_CreateArray();
    cJSON_AddItemToArray(list, home_client_event(v->h, e, v->c->token));
    cJSON *timeline =
        cJSON_AddObjectToObject(cJSON_AddObjectToObject(v->left, room->id), "timeline");
    cJSON_AddItemToObject(timeline, "events", list);
    cJSON_AddBoolToObject(timeline, "limited", false);
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
        cJSON *o = home_object("type", e->type);
        cJSON_AddItemToObject(o, "content", cJSON_Duplicate(e->content, true));
        cJSON_AddItemToArray(list, o);
    }
    return list;
}

/* True if there was nothing new. */
static bool look(struct mx_view *v)
{
    cJSON *o = home_object("next_batch", home_print(v->h, "s%d", v->end));
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
    struct home *h = c->h;
    const char *timeout = call_query(c, "timeout");
    int64_t ms = timeout ? strtol(timeout, NULL, 10) : 0, now = home_now(h);
    int i = 0;
    if (h->clock || ms <= 0)
        return false;
    while (i < MOST_HELD && h->held[i].fd != c->asked->fd && h->held[i].fd != 0)
        i++;
    assert(i < MOST_HELD);
    if (!c->asked->again) {
        h->held[i].fd = c->asked->fd;
        h->held[i].until = now + ms;
    }
    return now < h->held[i].until;
}

void do_sync(struct mx_call *c)
{
    struct home *h = c->h;
    const char *since = call_query(c, "since"), *filter = call_query(c, "filter"),
               *full = call_query(c, "full_state");
    struct mx_view v = {.c = c, .h = h, .me = c->token->user->id, .end = h->n_events};
    v.initial = !since;
    v.since = position(since, 0);
    v.full = full && strcmp(full, "true") == 0;
    v.filter = filter ? cJSON_Parse(filter) : NULL;
    if ((filter && !v.filter) || v.since > v.end || (since && since[0] != 's'))
        home_problem(h, "sync with the filter %s since %s", filter ? filter : "",
                     since ? since : "");
    if (!c->asked->again)
        h->count.syncs++;
    if (look(&v) && !v.initial && hold(c))
        c->later = true;
    cJSON_Delete(v.filter);
}

void do_messages(struct mx_call *c)
{
    struct home *h = c->h;
    struct mx_room *room = home_find_room(h, c->part[0]);
    if (!room || strcmp(home_member(h, room, c->token->user->id, h->n_events), "join") != 0) {
        call_refuse(c, 403, "M_FORBIDDEN", "You aren't a member of the room");
        return;
    }
    const char *dir = call_query(c, "dir"), *limit = call_query(c, "limit"),
               *filter_text = call_query(c, "filter");
    int from = position(call_query(c, "from"), 0), to = position(call_query(c, "to"), h->n_events);
    if (!dir || strcmp(dir, "f") != 0) {
        home_problem(h, "messages in a direction that nobody here takes");
        call_refuse(c, 400, "M_INVALID_PARAM", "dir");
        return;
    }
    cJSON *filter = filter_text ? cJSON_Parse(filter_text) : NULL, *page = cJSON_CreateArray();
    cJSON *number = cJSON_CreateNumber(limit ? (double)strtol(limit, NULL, 10) : PAGE);
    int most = page_of(h, number), i = from;
    for (; i < to && cJSON_GetArraySize(page) < most; i++)
        if (h->event[i].room == room && wanted(filter, h->event[i].type))
            cJSON_AddItemToArray(page, home_client_event(h, &h->event[i], c->token));
    cJSON *o = home_object("start", home_print(h, "s%d", from)), *state = cJSON_CreateArray();
    const cJSON *one;
    cJSON_ArrayForEach(one, page)
    {
        struct mx_event *e = home_state(h, room, "m.room.member", home_text(one, "sender"), to);
        if (e && !has_state(state, e))
            cJSON_AddItemToArray(state, home_client_event(h, e, c->token));
    }
    cJSON_AddItemToObject(o, "chunk", page);
    cJSON_AddItemToObject(o, "state", state);
    if (i < to)
        cJSON_AddStringToObject(o, "end", home_print(h, "s%d", i));
    cJSON_Delete(number);
    cJSON_Delete(filter);
    c->answer = o;
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
