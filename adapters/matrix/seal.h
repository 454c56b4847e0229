/* End-to-end encryption of the account: the library's machine over the account's vault. What it
 * wants sent are requests of ours; what it keeps is stored with the next batch or receipt.
 *
 *     seal_open                          once user and device are known; m->seal is set from then on
 *     hearing:  seal_sync                the keys in an answer to /sync, ahead of its rooms
 *               seal_read                an encrypted event -> the event
 *     by polls: seal_next, seal_answered requests of the machine's own
 *     saying:   seal_share               what must be sent before a message to these people
 *               seal_content             the ciphertext, made once and kept in the row
 *
 * A request that depends on what the vault has not stored must wait: see seal_unstored().
 */
#ifndef KOIKOI_MATRIX_SEAL_H
#define KOIKOI_MATRIX_SEAL_H

#include "wire.h"

struct seal_request {
    struct str id, kind, method, path, body; /* kind "": no request */
};

/* True if the library is there. */
bool seal_available(void);
/* True if the options ask for encryption and the library is there. */
bool seal_wanted(const struct matrix *m);
/* True in *ret if the vault has keys of this device. */
bool seal_stored(struct matrix *m, struct arena *a, bool *ret, struct err *err) MUST_CHECK;
bool seal_open(struct matrix *m, struct arena *a, struct err *err) MUST_CHECK;
void seal_close(struct matrix *m);
bool seal_unstored(const struct matrix *m);
/* One call of the library; cJSON_Delete frees the answer. NULL on failure, with *err. */
cJSON *seal_call(struct matrix *m, const char *what, cJSON *args, struct err *err) MUST_CHECK;
/* The first of the requests in an answer of the library. */
struct seal_request seal_first_request(struct arena *a, const cJSON *answer);

/* Gives the keys of an answer to /sync to the machine. */
void seal_sync(struct matrix *m, const cJSON *sync);
/* The event that was sealed; cJSON_Delete frees it. NULL: *ret_wait if its key may still come,
 * *ret_why for the log. */
cJSON *seal_read(struct matrix *m, struct arena *a, struct str room, const cJSON *event,
                 bool *ret_wait, struct str *ret_why);
/* The bot has left the room: its keys are of no more use. */
void seal_forget(struct matrix *m, struct str room);
bool seal_answered(struct matrix *m, struct str id, struct str kind, struct str body,
                   struct err *err) MUST_CHECK;

/* The request that must be answered before something is sealed for `users` ("@a:x @b:y"); kind ""
 * if none. */
bool seal_share(struct matrix *m, struct arena *a, struct str room, struct str users,
                struct seal_request *ret, struct err *err) MUST_CHECK;
/* True in *ret_able if the person has a device that reads what is sealed; first *ret is to be
 * sent. */
bool seal_able(struct matrix *m, struct arena *a, struct str user, struct seal_request *ret,
               bool *ret_able, struct err *err) MUST_CHECK;
/* The content of m.room.encrypted; frees `content`. */
bool seal_content(struct matrix *m, struct arena *a, struct str room, const char *type,
                  cJSON *content, struct str *ret, struct err *err) MUST_CHECK;
/* A file for an encrypted room: its bytes, and the members of the event's `file` besides the
 * url. */
bool seal_file(struct matrix *m, struct arena *a, struct str bytes, struct str *ret,
               struct str *ret_info, struct err *err) MUST_CHECK;

/* Values of the adapter's own, beside those of the library. */
struct str seal_value(struct matrix *m, struct arena *a, const char *name);
void seal_set_value(struct matrix *m, const char *name, struct str value);
/* Events that wait for their key: "wait TAB room TAB event id". */
typedef void seal_each(void *to, struct str name, struct str value);
void seal_list(struct matrix *m, const char *prefix, void *to, seal_each *each);
void seal_remove_value(struct matrix *m, const char *name);

#endif
