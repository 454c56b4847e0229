/* Drives the Telegram adapter by hand: a test checks each request and supplies the answer. */
#ifndef KOIKOI_TEST_TELEGRAM_EXCHANGE_H
#define KOIKOI_TEST_TELEGRAM_EXCHANGE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "adapter.h"

extern const struct adapter telegram_adapter;
#define T (&telegram_adapter)

enum { NOW_S = 1700000000 };
#define NOW (NOW_S * INT64_C(1000))

struct tg_exchange {
    void *account;
    struct arena *a;
    struct limits limits;
};

void tg_exchange_set(struct tg_exchange *tg, const char *key, const char *value);
bool tg_exchange_open(struct tg_exchange *tg, const char *token, const char *root, const char *pace,
                      struct err *err);
/* Sets options, pairs of key and value that end with NULL, before it opens the account. */
bool tg_exchange_open_with(struct tg_exchange *tg, struct err *err, ...) __attribute__((sentinel));
struct reply reply_of(int status, const char *body);
struct request poll_request(struct tg_exchange *tg, const char *cursor);
struct batch read_batch(struct tg_exchange *tg, const char *body);
void assert_is(struct str s, const char *expected);
void assert_holds(struct str s, const char *part);
size_t count(struct str s, const char *part);
extern const char get_me[], no_updates[];
/* Reads one update with this content: exactly one must come out, or none. */
struct update read_one(struct tg_exchange *tg, const char *update);
void read_none(struct tg_exchange *tg, const char *update);

struct outgoing post(const char *text);    /* a message to a supergroup */
struct outgoing whisper(const char *text); /* a whisper to one person there, in answer to a press */
struct request send_request(struct tg_exchange *tg, const struct outgoing *out);
struct receipt receipt_of(struct tg_exchange *tg, const struct outgoing *out, int status,
                          const char *body);
void assert_sends(struct tg_exchange *tg, struct outgoing out, const char *method,
                  const char *body);
void assert_part(struct part p, const char *name, const char *value);
void confirm_ephemeral(
    struct tg_exchange *tg); /* the server has hidden a message: no probe follows */

#define ANN                                                                                        \
    "{\"id\":11,\"is_bot\":false,\"first_name\":\"Ann\",\"last_name\":\"Lee\",\"username\":"       \
    "\"ann\",\"language_code\":\"pl\"}"
#define TEA           "{\"id\":-1001234567890,\"type\":\"supergroup\",\"title\":\"Tea room\"}"
#define NO_PREVIEW    ",\"link_preview_options\":{\"is_disabled\":true}"
#define NO(code, why) "{\"ok\":false,\"error_code\":" #code ",\"description\":\"" why "\"}"
#define SENT_41                                                                                    \
    "{\"ok\":true,\"result\":{\"message_id\":41,\"chat\":{\"id\":-5},\"date\":1,\"text\":"         \
    "\"board\"}}"
#define HIDDEN_29                                                                                  \
    "{\"ok\":true,\"result\":{\"message_id\":0,\"ephemeral_message_id\":29,\"text\":\"x\"}}"

int setup(void **state);
int setup_running(void **state); /* the name is known, the next poll is getUpdates */
int teardown(void **state);

#define START(f)   cmocka_unit_test_setup_teardown(f, setup, teardown)
#define RUNNING(f) cmocka_unit_test_setup_teardown(f, setup_running, teardown)

#endif
