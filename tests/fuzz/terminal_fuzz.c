/* Any bytes as lines typed into a terminal, and as the marked text of a message shown there: each
 * line becomes at most one update. */
#include <stdint.h>

#include "fuzz/account.h"

#include <fcntl.h>
#include <unistd.h>

extern const struct adapter terminal_adapter;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { TERMINAL_MOST = 16 * 1024 /* bytes that a pipe holds at once */ };

static void *terminal_ready(struct arena *process, int *ret_input)
{
    int pipes[2], shown = open("/dev/null", O_WRONLY | O_CLOEXEC);
    bool good = pipe2(pipes, O_CLOEXEC | O_NONBLOCK) == 0;
    assert(good && shown >= 0);
    const char *const options[] = {arena_print(process, "input=%d", pipes[0]).p,
                                   arena_print(process, "output=%d", shown).p, "person=Ann", NULL};
    *ret_input = pipes[1];
    return account_open(&terminal_adapter, process, options);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct arena *process, *turn;
    static void *account;
    static int input;
    struct batch b = {0};
    if (!process) {
        process = arena_open((size_t)1 << 24);
        turn = arena_open((size_t)1 << 28);
        account = terminal_ready(process, &input);
    }
    if (size > TERMINAL_MOST)
        return 0;
    arena_reset(turn);
    struct outgoing out = account_message((struct str){(const char *)data, size}, 0);
    struct request request = {0};
    out.chat = STR("#home");
    terminal_adapter.send(account, turn, &out, &request);
    if (write(input, data, size) != (ssize_t)size || write(input, "\n", 1) != 1)
        return 0;
    do {
        (void)account_poll(&terminal_adapter, account, turn, STR(""), STR(""), &b);
        account_check(&b);
    } while (b.n > 0);
    return 0;
}
