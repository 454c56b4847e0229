/* Any bytes as what a homeserver sends: an answer to a sync, to a message, to the questions of a
 * login; and as the marked text of a message of ours. The first byte says which. */
#include <stdint.h>

#include "fuzz/account.h"

extern const struct adapter matrix_adapter;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MATRIX_AGAIN = 512 }; /* inputs between two accounts: rooms are remembered */

static struct str matrix_cursor;

/* Past whoami, m.direct and the first sync: the next poll is a sync. */
static void *matrix_ready(struct arena *process, struct arena *turn, bool logged_in)
{
    static const char *const options[] = {"homeserver=https://x.example.org", "token=tok",
                                          "user=@koi:x", NULL};
    static const char *const answers[] = {
        "{\"user_id\":\"@koi:x\",\"device_id\":\"D\"}", "{\"@ann:x\":[\"!dm:x\"]}",
        "{\"next_batch\":\"s1\",\"rooms\":{\"join\":{\"!r:x\":{},\"!dm:x\":{}}}}",
        "{\"next_batch\":\"s2\"}"};
    struct batch b;
    void *account = account_open(&matrix_adapter, process, options);
    matrix_cursor = STR("");
    for (size_t i = 0; i < sizeof answers / sizeof *answers && logged_in; i++) {
        bool good =
            account_poll(&matrix_adapter, account, turn, matrix_cursor, str_of(answers[i]), &b);
        assert(good);
        matrix_cursor = arena_str(process, b.cursor);
    }
    return account;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct arena *process, *turn;
    static void *account;
    static int inputs;
    const struct adapter *row = &matrix_adapter;
    struct batch b = {0};
    if (!process) {
        process = arena_open((size_t)1 << 24);
        turn = arena_open((size_t)1 << 28);
    }
    if (size == 0)
        return 0;
    arena_reset(turn);
    if (inputs++ % MATRIX_AGAIN == 0) {
        if (account)
            row->close(account);
        arena_reset(process);
        account = matrix_ready(process, turn, true);
    }
    struct str bytes = {(const char *)data + 1, size - 1};
    if (data[0] % 3 == 0) {
        struct str cursor = matrix_cursor;
        for (int i = 0; i < 2; i++) { /* the second answers what the first led to */
            if (!account_poll(row, account, turn, cursor, bytes, &b))
                break;
            account_check(&b);
            cursor = b.cursor.n > 0 ? b.cursor : cursor;
        }
    } else if (data[0] % 3 == 1) {
        struct outgoing out = account_message(bytes, data[0] / 3);
        out.chat = STR("!r:x");
        out.to = STR("@ann:x");
        account_send(row, account, turn, out, bytes, STR("{\"event_id\":\"$7\"}"), data[0] / 3);
    } else {
        (void)account_poll(row, account, turn, bytes, STR("{\"next_batch\":\"s3\"}"), &b);
    }
    return 0;
}
