/* Requests to a homeserver and the JSON in and out of them. Strings handed out are copies in the
 * arena: valid UTF-8 without control characters but line feed. */
#ifndef KOIKOI_MATRIX_WIRE_H
#define KOIKOI_MATRIX_WIRE_H

#include <cjson/cJSON.h>

#include "matrix.h"

/* Reading. A missing or wrongly typed member is NULL, empty, 0 or false. */
const cJSON *wire_at(const cJSON *o, const char *key);
/* The member of that key, walked down through objects: wire_in(o, "content", "m.relates_to",
 * NULL). */
const cJSON *wire_in(const cJSON *o, ...) __attribute__((sentinel));
struct str wire_str(struct arena *a, const cJSON *o, const char *key);
struct str wire_text(struct arena *a, const cJSON *string);
int64_t wire_int(const cJSON *o, const char *key);
bool wire_is(const cJSON *o, const char *key, const char *value);
bool wire_true(const cJSON *o, const char *key);
cJSON *wire_parse(struct str bytes);                      /* free with cJSON_Delete; NULL: no
                                                             object */

/* Writing. Prints the tree into the arena and frees it. */
struct str wire_take(struct arena *a, cJSON *tree);
void wire_put(cJSON *o, const char *key, struct str value);

/* What may stand in a URL or a header: printable ASCII without blanks, not empty, not too long. */
enum { LONGEST = 3000 };
bool is_plain(struct str s);
bool is_url(struct str s);
/* A user id "@local:server", a room id "!...", an event id "$...": present and at most 255
 * bytes. */
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
