/* Any bytes as what Telegram sends: an answer to getUpdates, the body of a webhook request, an
 * answer to a message; and as the marked text of a message of ours. The first byte says which. */
#include <stdint.h>

#include "fuzz/account.h"

extern const struct adapter telegram_adapter;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const telegram_options[] = {"token=1:a", "webhook_url=https://bot.example.org/t",
                                               "webhook_secret=abcdefghijklmnopq", NULL};

static void *telegram_ready(struct arena *process, struct arena *turn)
{
    static const char *const polled[] = {"token=1:a", NULL};
    struct batch b;
    const struct adapter *row = &telegram_adapter;
    void *account = account_open(row, process, polled);
    (void)account_poll(row, account, turn, STR(""),
                       STR("{\"ok\":true,\"result\":{\"id\":1,\"username\":\"koi\"}}"), &b);
    for (int i = 0; i < 3; i++)
        (void)account_poll(row, account, turn, STR("5"), STR("{\"ok\":true,\"result\":[]}"), &b);
    return account;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct arena *process, *turn;
    static void *account, *with_webhook, *before;
    const struct adapter *row = &telegram_adapter;
    struct batch b = {0};
    struct err err = {""};
    if (!process) {
        process = arena_open((size_t)1 << 24);
        turn = arena_open((size_t)1 << 28);
        account = telegram_ready(process, turn);
        with_webhook = account_open(row, process, telegram_options);
        before = arena_alloc(process, row->account_size);
        memcpy(before, account, row->account_size);
    }
    if (size == 0)
        return 0;
    arena_reset(turn);
    struct str bytes = {(const char *)data + 1, size - 1};
    struct reply brought = {.status = 200, .body = bytes, .retry_after_ms = -1, .now = 1};
    memcpy(account, before, row->account_size);
    switch (data[0] % 3) {
    case 0:
        if (account_poll(row, account, turn, STR("5"), bytes, &b))
            account_check(&b);
        break;
    case 1:
        if (row->webhook_read(with_webhook, turn, &brought, &b, &err))
            account_check(&b);
        break;
    default:
        account_send(row, account, turn, account_message(bytes, data[0] / 3), bytes,
                     STR("{\"ok\":true,\"result\":{\"message_id\":7}}"), data[0] / 3);
    }
    return 0;
}
