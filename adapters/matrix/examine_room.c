/* What a room of our own tells the doctor: whether a private chat is encrypted although nobody
 * asked for it; how much may be said at once, and how fast after that. Nobody else is in it, and it
 * is left and forgotten at the end. Beside a running daemon this uses up what the account may say
 * at once, for a minute.
 */
#include "examine_room.h"

#include "finding.h"
#include "room.h"

enum { SAID_MOST = 24, MINUTE_MS = 60000, TRIES = 4 };

/* ---- questions ---- */

void exam_room(struct matrix *m, struct arena *a, struct request *next)
{
    exam_ask(m, a, EXAM_ROOM, "POST", STR("/_matrix/client/v3/createRoom"), next);
    cJSON *body = cJSON_CreateObject();
    cJSON_AddStringToObject(body, "preset", "private_chat");
    cJSON_AddStringToObject(body, "visibility", "private");
    cJSON_AddStringToObject(body, "name", EXAM_DEVICE);
    cJSON_AddTrueToObject(body, "is_direct");
    request_json(a, next, body);
}

static void ask_in_room(struct matrix *m, struct arena *a, enum exam_step step, const char *method,
                        struct str what, struct request *next)
{
    struct str room = url_escape(a, m->exam.room);
    exam_ask(m, a, step, method,
             arena_print(a, "/_matrix/client/v3/rooms/%.*s/%.*s", STR_ARG(room), STR_ARG(what)),
             next);
    if (strcmp(method, "POST") == 0)
        request_json(a, next, cJSON_CreateObject());
}

static void ask_say(struct matrix *m, struct arena *a, struct request *next)
{
    struct str what =
        arena_print(a, "send/m.room.message/doctor%lld.%d", (long long)m->exam.began, m->exam.said);
    ask_in_room(m, a, EXAM_SAY, "PUT", what, next);
    cJSON *content = cJSON_CreateObject();
    cJSON_AddStringToObject(content, "msgtype", "m.notice");
    cJSON_AddStringToObject(content, "body", EXAM_DEVICE);
    cJSON_AddObjectToObject(content, "m.mentions");
    request_json(a, next, content);
}

/* ---- answers ---- */

void exam_found_room(struct matrix *m, struct arena *a, const struct reply *reply,
                     struct request *next, struct findings *ret)
{
    struct trouble t = trouble_of(a, reply);
    cJSON *o = is_good(reply) ? wire_parse(reply->body) : NULL;
    struct str room = wire_str(a, o, "room_id");
    cJSON_Delete(o);
    if (is_room_id(room)) {
        m->exam.last = reply->now;
        m->exam.said = 1; /* making a room counts like an event */
        m->exam.room = arena_str(m->own, room);
        ask_in_room(m, a, EXAM_CLOSED, "GET", STR("state/m.room.encryption/"), next);
        return;
    }
    if (t.limit)
        finding_add(
            ret, FOUND_ADVICE,
            arena_print(a,
                        "no more rooms may be made for %lld s: hands of new players wait for "
                        "that long",
                        (long long)(t.wait_ms + 999) / 1000));
    else
        finding_add(
            ret, FOUND_WRONG,
            arena_print(a,
                        "it may not make rooms (%d %.*s), so it can show nobody their hand: let it",
                        reply->status, STR_ARG(t.code)));
    exam_log_out(m, a, next);
}

void exam_found_closed(struct matrix *m, struct arena *a, const struct reply *reply,
                       struct request *next, struct findings *ret)
{
    if (is_good(reply))
        finding_add(
            ret, FOUND_ADVICE,
            STR("the homeserver encrypts private chats by itself, and the bot has no keys: it "
                "makes "
                "them by the public preset, closed to all but the invited; better, set "
                "encryption_enabled_by_default_for_room_type to off"));
    else
        finding_add(ret, FOUND_FINE, STR("private chats that the bot makes are not encrypted"));
    ask_say(m, a, next);
}

/* The first refusal comes when `said` events have gone, of which the room was the first, and the
 * next may go once the first is forgotten, that long after it: between the two answers and the wait
 * passes as much time as the server counts, and what answers took on their way. So a pace a little
 * above what is found is none too fast. */
static void found_limit(struct matrix *m, struct arena *a, const struct reply *reply,
                        const struct trouble *t, struct findings *ret)
{
    cJSON *o = wire_parse(reply->body);
    int64_t exact = wire_int(o, "retry_after_ms"), wait = exact > 0 ? exact : t->wait_ms;
    cJSON_Delete(o);
    int64_t each = wait + m->exam.last - m->exam.began;
    long long minute = each > 0 ? (MINUTE_MS + each / 2) / each : MINUTE_MS;
    bool too_fast = m->pace == 0 || m->pace > minute + minute / 4,
         too_many = m->burst > m->exam.said;
    if (too_fast || too_many)
        finding_add(
            ret, FOUND_ADVICE,
            arena_print(
                a,
                "the server takes %d events at once and then %lld a minute: set pace = %lld "
                "and burst = %d, or have its admin lift the limit of this user",
                m->exam.said, minute, minute, m->exam.said));
    else
        finding_add(
            ret, FOUND_FINE,
            arena_print(a,
                        "the server takes %d events at once and then %lld a minute; ours is "
                        "%lld a minute",
                        m->exam.said, minute, (long long)m->pace));
}

void exam_found_said(struct matrix *m, struct arena *a, const struct reply *reply,
                     struct request *next, struct findings *ret)
{
    struct trouble t = trouble_of(a, reply);
    int most = m->burst + 2 < SAID_MOST ? (int)m->burst + 2 : SAID_MOST;
    if (is_good(reply)) {
        m->exam.said++;
        m->exam.last = reply->now;
    }
    if (is_good(reply) && m->exam.said < most) {
        ask_say(m, a, next);
        return;
    }
    if (t.limit)
        found_limit(m, a, reply, &t, ret);
    else if (is_good(reply))
        finding_add(ret, m->pace > 0 ? FOUND_ADVICE : FOUND_FINE,
                    arena_print(a, "%d events at once met no limit%s", m->exam.said,
                                m->pace > 0 ? ": with pace = 0 nobody waits for ours" : ""));
    else
        finding_add(ret, FOUND_WRONG,
                    arena_print(a, "it may not speak in its own room (%d %.*s)", reply->status,
                                STR_ARG(t.code)));
    ask_in_room(m, a, EXAM_LEAVE, "POST", STR("leave"), next);
}

void exam_left(struct matrix *m, struct arena *a, const struct reply *reply, struct request *next,
               struct findings *ret)
{
    struct trouble t = trouble_of(a, reply);
    if (t.limit && ++m->exam.tries < TRIES) { /* leaving is an event, too */
        ret->wait_ms = t.wait_ms;
        ask_in_room(m, a, EXAM_LEAVE, "POST", STR("leave"), next);
    } else {
        ask_in_room(m, a, EXAM_FORGET, "POST", STR("forget"), next);
    }
}

void exam_forgot(struct matrix *m, struct arena *a, const struct reply *reply, struct request *next,
                 struct findings *ret)
{
    (void)reply, (void)ret;
    exam_log_out(m, a, next);
}
