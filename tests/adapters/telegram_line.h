/* One Telegram account and its adapter at the wire, without a network: replies are handed to it by hand. */
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
bool open_with(struct line *l, const char *token, const char *root, const char *pace, struct err *err);
/* Sets options in pairs, key and value, before it opens; ends with NULL. */
bool open_with_options(struct line *l, struct err *err, ...) __attribute__((sentinel));
struct reply replied(int status, const char *body);
struct request asked(struct line *l, const char *cursor);
struct batch heard(struct line *l, const char *body);
void is(struct str s, const char *expected);
void holds(struct str s, const char *part);
extern const char me[], nothing[];

int set_up(void **state);
int set_up_running(void **state);      /* its name is known, it asks for news */
int tear_down(void **state);

#endif
