/* Account of an adapter for the fuzz targets: opened once, with options as "key=value". */
#ifndef KOIKOI_FUZZ_ACCOUNT_H
#define KOIKOI_FUZZ_ACCOUNT_H

#include "adapter.h"

#include <assert.h>

static inline void account_option(void *account, const struct option *o, struct str value)
{
    char *place = (char *)account + o->offset;
    int64_t n = 0;
    bool yes = str_is(value, STR("yes"));
    if (o->kind == OPTION_INT && str_int(value, &n))
        memcpy(place, &n, sizeof n);
    else if (o->kind == OPTION_BOOL)
        memcpy(place, &yes, sizeof yes);
    else
        memcpy(place, &value, sizeof value);
}

static inline void *account_open(const struct adapter *row, struct arena *process,
                                 const char *const *options)
{
    uint32_t can = row->can;
    struct limits limits = row->limits;
    struct err err = {""};
    void *account = arena_alloc(process, row->account_size);
    for (const struct option *o = row->options; o->key; o++) {
        struct str value = str_of(o->fallback);
        for (const char *const *given = options; *given; given++) {
            struct str rest, key = str_cut(str_of(*given), '=', &rest);
            if (str_is(key, str_of(o->key)))
                value = rest;
        }
        account_option(account, o, value);
    }
    bool good = row->open(account, process, &can, &limits, &err);
    assert(good);
    return account;
}

/* One poll and its answer. */
static inline bool account_poll(const struct adapter *row, void *account, struct arena *turn,
                                struct str cursor, struct str body, struct batch *ret)
{
    struct request request = {0};
    struct err err = {""};
    struct reply reply = {
        .status = 200, .body = body, .retry_after_ms = -1, .now = INT64_C(1790856000000)};
    row->poll(account, turn, cursor, &request);
    *ret = (struct batch){0};
    bool good = row->read(account, turn, &reply, ret, &err);
    assert(good || err.text[0] != '\0');
    return good;
}

static inline bool account_clean(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.p[i] < ' ' && s.p[i] != '\n')
            return false;
    return true;
}

/* Checks that hold for every batch, whatever bytes it was read from. */
static inline void account_check(const struct batch *b)
{
    assert(b->n >= 0 && (b->n == 0 || b->at));
    for (int i = 0; i < b->n; i++) {
        const struct update *u = &b->at[i];
        assert(u->n_mentions >= 0 && u->n_mentions <= MAX_MENTIONS);
        assert(account_clean(u->text) && account_clean(u->chat_name) &&
               account_clean(u->from.name));
    }
}

/* A message to a chat, as the outbox passes it. */
static inline struct outgoing account_message(struct str text, uint8_t kind)
{
    return (struct outgoing){.kind = OUT_POST,
                             .where = kind % 2 ? TO_DIRECT : TO_CHAT,
                             .chat = STR("-5"),
                             .to = STR("11"),
                             .text = text,
                             .post = kind % 4 > 1 ? STR("7") : STR(""),
                             .row = 9};
}

#endif
