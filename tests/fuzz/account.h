/* Account of an adapter for the fuzz targets: opened once, with options as "key=value". */
#ifndef KOIKOI_FUZZ_ACCOUNT_H
#define KOIKOI_FUZZ_ACCOUNT_H

#include "adapters/account.h"

#include <assert.h>

static inline void *account_open(const struct adapter *row, struct arena *process,
                                 const char *const *options)
{
    uint32_t can = row->can;
    struct limits limits = row->limits;
    struct err err = {""};
    void *account = test_account(process, row, options);
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

/* Sends a message and hears what became of it. The first bit of kind / 8 says whether the bytes are
 * its text or the answer, the next one whether it is refused; `taken` is the usual answer. */
static inline void account_send(const struct adapter *row, void *account, struct arena *turn,
                                struct outgoing out, struct str bytes, struct str taken,
                                uint8_t kind)
{
    struct request request = {0};
    struct receipt receipt = {0};
    struct reply reply = {.status = kind & 16 ? 400 : 200, .retry_after_ms = -1, .now = 1};
    out.text = kind & 8 ? bytes : STR("board");
    reply.body = kind & 8 ? taken : bytes;
    row->send(account, turn, &out, &request);
    row->receipt(account, turn, &out, &reply, &receipt);
    assert(receipt.wait_ms >= 0);
}

#endif
