/* See account.h. */
#include "adapters/account.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

bool test_account_set(void *account, const struct adapter *row, struct str key, struct str value)
{
    const struct option *o = row->options;
    while (o && o->key && !str_is(key, str_of(o->key)))
        o++;
    if (!o || !o->key)
        return false;
    char *place = (char *)account + o->offset;
    int64_t n = 0;
    if (o->kind == OPTION_INT && str_int(value, &n))
        memcpy(place, &n, sizeof n);
    else if (o->kind == OPTION_BOOL)
        *(bool *)place = str_is(value, STR("yes"));
    else if (o->kind != OPTION_INT)
        memcpy(place, &value, sizeof value);
    return true;
}

void *test_account(struct arena *a, const struct adapter *row, const char *const *options)
{
    void *account = arena_alloc(a, row->account_size);
    for (const struct option *o = row->options; o && o->key; o++)
        test_account_set(account, row, str_of(o->key), str_of(o->fallback ? o->fallback : ""));
    for (; *options; options++) {
        struct str value, key = str_cut(str_of(*options), '=', &value);
        bool known = test_account_set(account, row, key, arena_str(a, value));
        assert(known);
    }
    return account;
}

void *test_account_open(struct arena *a, const struct adapter *row, const char *const *options)
{
    uint32_t can = row->can;
    struct limits limits = row->limits;
    struct err err;
    void *account = test_account(a, row, options);
    if (!row->open(account, a, &can, &limits, &err)) {
        fprintf(stderr, "%s does not open: %s\n", row->name, err.text);
        abort();
    }
    return account;
}

bool test_goes_on(struct outgoing *out, const struct receipt *got)
{
    if (got->kind == MORE) {
        out->progress = got->progress;
        out->direct_chat = got->direct_chat.n > 0 ? got->direct_chat : out->direct_chat;
        if (got->picture_refused) {
            out->picture_file = STR("");
            out->picture_bytes = STR("PNG");
        }
        return true;
    }
    if (got->kind != NEVER)
        return false;
    if (got->why == NEVER_GONE && out->post.n > 0) {
        out->post = STR("");
        return true;
    }
    if (got->why == NEVER_MOVED)
        out->chat = got->chat;
    return got->why == NEVER_MOVED;
}

void test_remember(struct outgoing *next, const struct receipt *got)
{
    if (got->picture_refused)
        next->picture_file = STR("");
    if (got->direct_chat.n > 0)
        next->direct_chat = got->direct_chat;
    if (got->post.n > 0 && next->post.n > 0)
        next->post = got->post;
    if (got->kind == NEVER && got->why == NEVER_MOVED)
        next->chat = got->chat;
}
