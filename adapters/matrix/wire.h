/* Requests to a homeserver, and JSON in and out. Strings that are read are copies in the arena:
 * valid UTF-8 without control characters but line feed. */
#ifndef KOIKOI_MATRIX_WIRE_H
#define KOIKOI_MATRIX_WIRE_H

#include "matrix.h"

/* ---- reading ---- */

/* The answer, if its status is 2xx; else no value. json_free frees it. */
struct json wire_answer(const struct reply *reply);
bool wire_is_good(const struct reply *reply);
/* A string; empty if it is longer than MAX_STRING, the size of a whole event. */
enum { MAX_STRING = 64 * 1024 };
struct str wire_str(struct arena *a, struct json v, const char *key);
/* An id: empty if it is longer than ID_BYTES. A name, which is shown: its first NAME_CHARS
 * characters. Both are copied for each event, so their size bounds what an answer costs. */
enum { NAME_CHARS = 100 };
struct str wire_id(struct arena *a, struct json v, const char *key);
struct str wire_name(struct arena *a, struct json v, const char *key);
/* True for an answer to a poll. */
bool wire_is_vote(struct json event);
/* True for a state event of a member; one by which its person is in the room, or invited; or out
 * of it. */
bool wire_is_member(struct json event);
bool wire_is_in(struct json event);
bool wire_is_out(struct json event);
/* The display name in a member event. One by which somebody leaves has none: the name before it
 * counts, if the server gives that. */
struct str wire_member_name(struct arena *a, struct json event);

/* True for a word that is safe in a URL or header: printable ASCII, not empty, at most
 * MAX_PLAIN. */
enum { MAX_PLAIN = 3000 };
bool wire_is_plain(struct str s);
/* True for a sync or page token that fits into a URL, escaped in at most MAX_TOKEN bytes. */
enum { MAX_TOKEN = 1024 };
bool wire_is_token(struct str s);
bool wire_is_url(struct str s);
/* A user id "@local:server", a room id "!...", an event id "$...": present and at most 255
 * bytes. */
bool wire_is_user_id(struct str s);
bool wire_is_room_id(struct str s);
bool wire_is_event_id(struct str s);
struct str wire_server_of(struct str user_id);
/* The configured homeserver, or the server part of the user id. */
struct str wire_server(const struct matrix *m);
struct str wire_without_slash(struct str url);

/* The error in an answer whose status is not 2xx. */
struct wire_error {
    struct str code, text; /* errcode ("M_FORBIDDEN") and its explanation; may be empty */
    int64_t wait_ms;       /* the wait the server asks for, by header or body; -1: none */
    bool token;            /* the access token is refused */
    bool limit;            /* a rate limit */
    bool transient;        /* no answer, a server error, or a gate in between */
};
struct wire_error wire_error_of(struct arena *a, const struct reply *reply);
/* True for a homeserver's word that it has no such thing; a 404 without a code is a gate's. */
bool wire_says_none(const struct reply *reply, const struct wire_error *error);
/* True for a homeserver's refusal that another attempt would meet again. */
bool wire_refuses(const struct reply *reply, const struct wire_error *error);

/* ---- writing ---- */

struct str wire_escape(struct arena *a, struct str s);
/* A request without a token. */
void wire_request_open(struct arena *a, const char *method, struct str url, const char *what,
                       struct request *ret);
/* Where the homeserver of wire_server() is. */
void wire_request_find(const struct matrix *m, struct arena *a, struct request *ret);
/* BASE + path (already escaped), with the Authorization header if there is an access token. */
void wire_request(const struct matrix *m, struct arena *a, const char *method, struct str path,
                  const char *what, struct request *ret);
/* The same for /rooms/ROOM/ and `below`, already escaped. */
void wire_request_in_room(const struct matrix *m, struct arena *a, const char *method,
                          struct str room, struct str below, const char *what, struct request *ret);
/* The path of the account data of this type; the request about the list of private chats. */
struct str wire_account_data(const struct matrix *m, struct arena *a, struct str type);
void wire_request_direct(const struct matrix *m, struct arena *a, const char *method,
                         struct request *ret);
/* The beginning of an object, with room for `texts` bytes of text and a few names. */
struct buf wire_object(struct arena *a, size_t texts);
/* Its end, as the body of the request; an object without members. */
void wire_request_json(struct request *r, struct buf *object);
void wire_request_empty(struct arena *a, struct request *r);
void wire_request_header(struct request *r, struct str name, struct str value);

#endif
