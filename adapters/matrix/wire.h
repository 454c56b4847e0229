/* Requests to a homeserver, and JSON out and in. Strings read from JSON are copies in the arena:
 * valid UTF-8 without control characters but line feed. */
#ifndef KOIKOI_MATRIX_WIRE_H
#define KOIKOI_MATRIX_WIRE_H

#include <cjson/cJSON.h>

#include "matrix.h"

/* Reading. A member that is missing or of another type is NULL, empty, 0 or false; so is a string
 * longer than MAX_STRING, the size of a whole event. */
enum { MAX_STRING = 64 * 1024 };
const cJSON *wire_at(const cJSON *o, const char *key);
/* The member of that key, walked down through objects: wire_in(o, "content", "m.relates_to",
 * NULL). */
const cJSON *wire_in(const cJSON *o, ...) __attribute__((sentinel));
struct str wire_str(struct arena *a, const cJSON *o, const char *key);
struct str wire_text(struct arena *a, const cJSON *string);
/* An id: empty if it is longer than ID_BYTES. A name, which is shown: its first NAME_CHARS
 * characters. Both are copied for each event, so their size bounds what an answer costs. */
enum { NAME_CHARS = 100 };
struct str wire_id(struct arena *a, const cJSON *o, const char *key);
struct str wire_name(struct arena *a, const cJSON *o, const char *key);
int64_t wire_int(const cJSON *o, const char *key);
bool wire_is(const cJSON *o, const char *key, const char *value);
bool wire_is_str(const cJSON *o, const char *key, struct str value); /* copies nothing */
bool wire_true(const cJSON *o, const char *key);
/* cJSON_Delete frees it. NULL if it is no object, or has more than MAX_VALUES values: a tree takes
 * up to 100 bytes for each, a value of an answer two. */
enum { MAX_VALUES = 2 * 1000 * 1000 };
cJSON *wire_parse(struct str bytes);

/* Writing. wire_print prints the tree into the arena and frees it. */
struct str wire_print(struct arena *a, cJSON *tree);
void wire_put(cJSON *o, const char *key, struct str value);

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

struct str wire_escape(struct arena *a, struct str s);
/* BASE + path (already escaped), with the Authorization header if there is an access token. */
void wire_request(const struct matrix *m, struct arena *a, const char *method, struct str path,
                  const char *what, struct request *ret);
/* The same for /rooms/ROOM/ and `below`, already escaped. */
void wire_request_in_room(const struct matrix *m, struct arena *a, const char *method,
                          struct str room, struct str below, const char *what, struct request *ret);
void wire_request_json(struct arena *a, struct request *r, cJSON *body); /* frees the tree */
void wire_request_header(struct request *r, struct str name, struct str value);

/* The error in an answer whose status is not 2xx. */
struct wire_error {
    struct str code, text; /* errcode ("M_FORBIDDEN") and its explanation; may be empty */
    int64_t wait_ms;       /* the wait the server asks for, by header or body; -1: none */
    bool soft;             /* soft_logout */
    bool token;            /* the access token is refused */
    bool limit;            /* a rate limit */
    bool transient;        /* no answer, a server error, or a gate in between */
};
bool wire_is_good(const struct reply *reply);
struct wire_error wire_error_of(struct arena *a, const struct reply *reply);

#endif
