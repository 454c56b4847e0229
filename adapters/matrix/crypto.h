/* End-to-end encryption of the account: the library's machine over the account's vault. What it
 * wants sent are requests of ours; what it keeps is stored with the next batch or receipt.
 *
 *     crypto_open                          once user and device are known; m->crypto is set then
 *     reading:  crypto_sync                the keys in an answer to /sync, ahead of its rooms
 *               crypto_decrypt             an encrypted event -> the event
 *     by polls: crypto_poll, _poll_read    requests of the machine's own (crypto_poll.c)
 *     sending:  crypto_share               what must be sent before a message to these people
 *               crypto_encrypt             the ciphertext, made once and kept in the row
 *
 * A request that depends on what the vault has not stored must wait: see crypto_unstored().
 */
#ifndef KOIKOI_MATRIX_CRYPTO_H
#define KOIKOI_MATRIX_CRYPTO_H

#include "polled.h"

struct crypto_request {
    struct str id, kind, method, path, body; /* kind "": no request */
};

/* True if the library is there. */
bool crypto_available(void);
/* True if the options ask for encryption and the library is there. */
bool crypto_wanted(const struct matrix *m);
/* True in *ret if the vault has keys of this device. */
bool crypto_stored(struct matrix *m, struct arena *a, bool *ret, struct err *err) MUST_CHECK;
bool crypto_open(struct matrix *m, struct arena *a, struct err *err) MUST_CHECK;
void crypto_close(struct matrix *m);
bool crypto_unstored(const struct matrix *m);
/* One call of the library, with the members of its arguments; json_free frees the answer. No value
 * on failure, with *err. */
struct json crypto_call(struct matrix *m, const char *what, struct buf *args, struct err *err);
/* A request in an answer of the library; the first one. */
struct crypto_request crypto_request_of(struct arena *a, struct json o);
struct crypto_request crypto_first_request(struct arena *a, struct json answer);

/* Gives the keys of an answer to /sync to the machine. */
void crypto_sync(struct matrix *m, struct arena *a, struct json sync);
/* A comparison of emoji is asked for, which the bot cannot do: it is cancelled by the next poll. In
 * a room (device empty), or by a message to our device; flow: its event, or its transaction. */
void crypto_cancel(struct matrix *m, struct arena *a, struct str user_or_room, struct str device,
                   struct str flow);
/* The answer with the event that was encrypted, in `event`; json_free frees it. No event: *ret_wait
 * if its key may still come. */
struct json crypto_decrypt(struct matrix *m, struct arena *a, struct str room, struct json event,
                           bool *ret_wait);
/* The bot has left the room. The keys that others gave it there stay for a month, since their
 * clients go on with them when it is asked back. */
void crypto_leave(struct matrix *m, struct arena *a, struct str room);
/* It is there again. */
void crypto_return(struct matrix *m, struct arena *a, struct str room);
bool crypto_answered(struct matrix *m, struct arena *a, struct str id, struct str kind,
                     struct str body, struct err *err) MUST_CHECK;

/* The request that must be answered before something is encrypted for `users` ("@a:x @b:y"); kind
 * "" if none. */
bool crypto_share(struct matrix *m, struct arena *a, const struct room *room, struct str users,
                  struct crypto_request *ret, struct err *err) MUST_CHECK;
/* True in *ret_able if the person has a device that reads what is encrypted; first *ret is to be
 * sent. */
bool crypto_able(struct matrix *m, struct arena *a, struct str user, struct crypto_request *ret,
                 bool *ret_able, struct err *err) MUST_CHECK;
/* The content of m.room.encrypted. */
bool crypto_encrypt(struct matrix *m, struct arena *a, struct str room, const char *type,
                    struct str content, struct str *ret, struct err *err) MUST_CHECK;
/* A file for an encrypted room: its bytes, and the members of the event's `file` besides the
 * url. */
bool crypto_encrypt_file(struct matrix *m, struct arena *a, struct str bytes, struct str *ret,
                         struct str *ret_info, struct err *err) MUST_CHECK;

/* Values of the adapter's own, beside those of the library. */
struct str crypto_value(struct matrix *m, struct arena *a, const char *name);
void crypto_set_value(struct matrix *m, const char *name, struct str value);
void crypto_remove_value(struct matrix *m, const char *name);
void crypto_list(struct matrix *m, const char *prefix, void *to, vault_each *each);

/* ---- crypto_poll.c: the signing of this device, keys to upload, devices to look up ---- */

/* What the host can do about keys, in words for log and doctor; it depends on the way to log in, since
 * a token has a device of its own. The store was lost, and the server alone has keys of the device; the
 * key of the account's identity is not here; the device is not signed by it. */
bool crypto_renews(const struct matrix *m); /* another device, by itself */
struct str crypto_advice_lost(const struct matrix *m, struct arena *a, const char *device);
struct str crypto_advice_identity(const struct matrix *m, struct arena *a);
struct str crypto_advice_unsigned(const struct matrix *m, struct arena *a, const char *device);

/* True, with a request or REQUEST_NONE for a moment, if one is due before the next sync. */
bool crypto_poll(struct matrix *m, struct arena *a, struct request *ret);
bool crypto_poll_read(struct polled *p) MUST_CHECK;

#endif
