/* Requests to a homeserver and the JSON in and out of them. Strings handed out are copies in the
 * arena: valid UTF-8 without control characters but line feed and tab. */
#ifndef KOIKOI_MATRIX_WIRE_H
#define KOIKOI_MATRIX_WIRE_H

#include <cjson/cJSON.h>

#include "matrix.h"

/* Reading. A missing or wrongly typed member is NULL, empty, 0 or false. */
const cJSON *json_at(const cJSON *o, const char *key);
/* The member of that key, walked down through objects: json_in(o, "content", "m.relates_to", NULL). */
const cJSON *json_in(const cJSON *o, ...) __attribute__((sentinel));
struct str json_str(struct arena *a, const cJSON *o, const char *key);
struct str json_text(struct arena *a, const cJSON *string);
int64_t json_int(const cJSON *o, const char *key);
bool json_is(const cJSON *o, const char *key, const char *value);
bool json_true(const cJSON *o, const char *key);
cJSON *json_parse(struct str bytes);                      /* free with cJSON_Delete; NULL: no object */

/* Writing. Prints the tree into the arena and frees it. */
struct str json_take(struct arena *a, cJSON *tree);
void json_put(cJSON *o, const char *key, struct str value);

/* A user id "@local:server", a room id "!...", an event id "$...": present and at most 255 bytes. */
bool is_user_id(struct str s);
bool is_room_id(struct str s);
bool is_event_id(struct str s);
struct str server_of(struct str user_id);

struct str url_escape(struct arena *a, struct str s);
/* BASE + path (already escaped), with the Authorization header if there is an access token. */
void request_to(const struct matrix *m, struct arena *a, const char *method, struct str path,
                const char *what, struct request *ret);
void request_json(struct arena *a, struct request *r, cJSON *body);       /* takes the tree */
void request_header(struct request *r, struct str name, struct str value);

/* What went wrong, if status is not 2xx. */
struct trouble {
    struct str code, text;      /* errcode ("M_FORBIDDEN") and its explanation; may be empty */
    int64_t wait_ms;            /* what the server asked for, by header or body; -1: nothing */
    bool soft;                  /* soft_logout */
    bool token;                 /* the access token is not taken */
    bool limit;                 /* too much at once */
    bool weather;               /* no answer or a server's bad day: try again */
};
bool is_good(const struct reply *reply);
struct trouble trouble_of(struct arena *a, const struct reply *reply);

#endif
