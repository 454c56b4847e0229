/* C face of libkoikoi_olm.so: keys and ratchets of end-to-end encryption (matrix-sdk-crypto, in
 * Rust).
 *
 * It does no I/O, has no thread and no clock. What it keeps goes through struct olm_keep, into
 * whatever the caller has; what is to be sent comes back as requests, whose answers are handed in.
 * A panic inside ends in {"error": ...}. All strings are UTF-8 with a NUL; those returned belong to
 * the caller until koikoi_olm_free().
 *
 *     koikoi_olm_open(&keep, user, device, &olm)      {} or {"error": why}
 *     koikoi_olm_call(olm, what, json)                the answer, as JSON; {"error": why}
 *     koikoi_olm_close(olm)
 *
 *     what      json                                       answer
 *     sync      the answer to /sync, or its part on keys   keys: [{room, session}] that came
 *     requests  {}                                         requests: to be sent now
 *     answered  id, kind, body (a string)                  {}: that request was answered, 2xx
 *     open      room, event of m.room.encrypted            event; or why, and wait: true if the key
 *                                                          may still come
 *     share     room, users                                requests that must be answered first;
 *                                                          none: seal may be called
 *     seal      room, type, content                        content of m.room.encrypted
 *     able      users                                      requests; able: each has a device that
 *                                                          can read what is sealed
 *     identity  {}                                         requests, in order, that sign the device
 *     recover   recovery_key, key_id, key, secrets         identity: it was taken over
 *     forget    room                                       {}: the room was left
 *     status    {}                                         user, device, ed25519, identity
 *
 * A request is {id, kind, method, path, body}; path begins with /_matrix.
 */
#ifndef KOIKOI_OLM_H
#define KOIKOI_OLM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OLM_VERSION = 1 };

typedef void olm_each(void *to, const char *name, size_t name_n, const char *value, size_t value_n);

/* The values of one device, by name. `get` and `list` pass what they find to `each`; false if they
 * cannot read. `list` goes in the order of names. */
struct olm_keep {
    void *at;
    bool (*get)(void *at, const char *name, size_t n, void *to, olm_each *each);
    void (*put)(void *at, const char *name, size_t n, const char *value, size_t value_n);
    void (*remove)(void *at, const char *name, size_t n);
    bool (*list)(void *at, const char *prefix, size_t n, void *to, olm_each *each);
};

struct olm;

/* The functions of the library, X(result, name, parameters). */
#define OLM_CALLS(X)                                                                               \
    X(uint32_t, koikoi_olm_version, (void))                                                        \
    X(char *, koikoi_olm_open,                                                                     \
      (const struct olm_keep *keep, const char *user, const char *device, struct olm **ret))       \
    X(void, koikoi_olm_close, (struct olm * olm))                                                  \
    X(char *, koikoi_olm_call, (struct olm * olm, const char *what, const char *json))             \
    /* Encrypts n bytes into ret, which has room for n: what an event's `file` says of its key. */ \
    X(char *, koikoi_olm_seal_file, (const char *bytes, size_t n, char *ret))                      \
    X(void, koikoi_olm_free, (char *text))

#endif
