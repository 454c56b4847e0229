/* One Telegram account and its adapter at the wire, without a network: replies are handed to it by
 * hand. */
#ifndef KOIKOI_TEST_TELEGRAM_LINE_H
#define KOIKOI_TEST_TELEGRAM_LINE_H

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

struct line {
    void *account;
    struct arena *a;
    struct limits limits;
};

void line_set(struct line *l, const char *key, const char *value);
bool open_with(struct line *l, const char *token, const char *root, const char *pace,
               struct err *err);
/* Sets options in pairs, key and value, before it opens; ends with NULL. */
bool open_with_options(struct line *l, struct err *err, ...) __attribute__((sentinel));
struct reply replied(int status, const char *body);
struct request asked(struct line *l, const char *cursor);
struct batch heard(struct line *l, const char *body);
void is(struct str s, const char *expected);
void holds(struct str s, const char *part);
size_t count(struct str s, const char *part);
extern const char me[], nothing[];
/* One update with this inside: exactly one must come out, or none. */
struct update one(struct line *l, const char *update);
void none(struct line *l, const char *update);

struct outgoing post(const char *text);    /* a message for all in a supergroup */
struct outgoing whisper(const char *text); /* one for a single person there, in answer to a press */
struct request said(struct line *l, const struct outgoing *out);
struct receipt became(struct line *l, const struct outgoing *out, int status, const char *body);
void says(struct line *l, struct outgoing out, const char *method, const char *body);
void part_is(struct part p, const char *name, const char *value);
void proves_to_hide(struct line *l);       /* the server has hidden a message before */

#define ANN                                                                                        \
    "{\"id\":11,\"is_bot\":false,\"first_name\":\"Ann\",\"last_name\":\"Lee\",\"username\":"       \
    "\"ann\",\"language_code\":\"pl\"}"
#define TEA "{\"id\":-1001234567890,\"type\":\"supergroup\",\"title\":\"Tea room\"}"
#define NO_PREVIEW ",\"link_preview_options\":{\"is_disabled\":true}"
#define NO(code, why) "{\"ok\":false,\"error_code\":" #code ",\"description\":\"" why "\"}"
#define SENT_41                                                                                    \
    "{\"ok\":true,\"result\":{\"message_id\":41,\"chat\":{\"id\":-5},\"date\":1,\"text\":"         \
    "\"board\"}}"
#define HIDDEN_29                                                                                  \
    "{\"ok\":true,\"result\":{\"message_id\":0,\"ephemeral_message_id\":29,\"text\":\"x\"}}"

int set_up(void **state);
int set_up_running(void **state);      /* its name is known, it asks for news */
int tear_down(void **state);

#define START(f)   cmocka_unit_test_setup_teardown(f, set_up, tear_down)
#define RUNNING(f) cmocka_unit_test_setup_teardown(f, set_up_running, tear_down)

#endif
