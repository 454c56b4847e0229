/* The fuzz targets without a fuzzer: every seed, every seed cut short, and seeds with bytes
 * changed, dropped and doubled. The same inputs each time; a third of them but in `make thorough`. */
#include "engine/test.h"
#include "engine/stride.h"

#define LLVMFuzzerTestOneInput rules_fuzz
#include "fuzz/rules_fuzz.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput record_fuzz
#include "fuzz/record_fuzz.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput protocol_fuzz
#include "fuzz/protocol_fuzz.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput notation_fuzz
#include "fuzz/notation_fuzz.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput outgoing_fuzz
#include "fuzz/outgoing_fuzz.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput config_fuzz
#include "fuzz/config_fuzz.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput command_fuzz
#include "fuzz/command_fuzz.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput session_fuzz
#include "fuzz/session_fuzz.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput layout_fuzz
#include "fuzz/layout_fuzz.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput telegram_fuzz
#include "fuzz/telegram_fuzz.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput matrix_fuzz
#include "fuzz/matrix_fuzz.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput texts_fuzz
#include "fuzz/texts_fuzz.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput terminal_fuzz
#include "fuzz/terminal_fuzz.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput advice_fuzz
#include "fuzz/advice_fuzz.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput badges_fuzz
#include "fuzz/badges_fuzz.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput beacon_fuzz
#include "fuzz/beacon_fuzz.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput settings_fuzz
#include "fuzz/settings_fuzz.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput puzzle_fuzz
#include "fuzz/puzzle_fuzz.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput words_fuzz
#include "fuzz/words_fuzz.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput key_fuzz
#include "fuzz/key_fuzz.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput server_fuzz
#include "fuzz/server_fuzz.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput update_fuzz
#include "fuzz/update_fuzz.c"
#undef LLVMFuzzerTestOneInput

#include "file.h"

#include <dirent.h>

static uint64_t rolled;

static unsigned roll(unsigned n)
{
    rolled = rolled * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(rolled >> 33) % n;
}

/* What JSON and notation are made of is likelier to lead somewhere than any byte. */
static void damage(uint8_t *at, size_t *n)
{
    static const char likely[] = "0123456789{}[]\",:.-+eabpr/\\ \n\t";
    size_t i = roll((unsigned)*n), k = 1 + roll(8);
    switch (roll(4)) {
    case 0:
        at[i] = (uint8_t)likely[roll(sizeof likely)];
        break;
    case 1:
        at[i] ^= (uint8_t)(1u << roll(8));
        break;
    case 2:
        if (i + k < *n) {
            memmove(at + i, at + i + k, *n - i - k);
            *n -= k;
        }
        break;
    default:
        if (i + k < *n) {
            memmove(at + i + k, at + i, *n - i);
            *n += k;
        }
    }
}

static void try_seed(int (*target)(const uint8_t *, size_t), struct str seed, int damaged, int cuts)
{
    uint8_t *room = malloc(seed.n + 64);
    assert_non_null(room);
    assert_int_equal(target((const uint8_t *)seed.p, seed.n), 0);
    for (int i = 0; i < cuts; i++)
        assert_int_equal(target((const uint8_t *)seed.p, seed.n * (size_t)i / (size_t)cuts), 0);
    for (int i = 0; i < damaged; i++) {
        size_t n = seed.n;
        memcpy(room, seed.p, n);
        for (unsigned k = 1 + roll(4); k > 0; k--)
            damage(room, &n);
        assert_int_equal(target(room, n), 0);
    }
    free(room);
}

static void try_folder(const char *name, int (*target)(const uint8_t *, size_t), int damaged,
                       int cuts)
{
    char path[256];
    int seeds = 0;
    rolled = 1;
    snprintf(path, sizeof path, "tests/fuzz/seeds/%s", name);
    DIR *d = opendir(path);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d)) != NULL;) {
        struct str seed = {NULL, 0};
        struct err err;
        if (e->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "tests/fuzz/seeds/%s/%.100s", name, e->d_name);
        assert_true(file_read(path, 1 << 20, &seed, &err));
        try_seed(target, seed, damaged, cuts);
        file_free(seed);
        seeds++;
    }
    closedir(d);
    assert_true(seeds > 0);
}

#define TAKES_ANY_BYTES(target, damaged, cuts)                                                     \
    TEST(target##_takes_any_bytes)                                                                 \
    {                                                                                              \
        try_folder(#target, target, (damaged) / stride(3, 1), (cuts) / stride(3, 1));              \
    }
TAKES_ANY_BYTES(rules_fuzz, 3000, 200)
TAKES_ANY_BYTES(record_fuzz, 300, 60)
TAKES_ANY_BYTES(protocol_fuzz, 1500, 200)
TAKES_ANY_BYTES(notation_fuzz, 3000, 200)
TAKES_ANY_BYTES(outgoing_fuzz, 20000, 200)
TAKES_ANY_BYTES(config_fuzz, 2000, 200)
TAKES_ANY_BYTES(command_fuzz, 3000, 200)
TAKES_ANY_BYTES(session_fuzz, 3000, 200)
TAKES_ANY_BYTES(layout_fuzz, 3000, 200)
TAKES_ANY_BYTES(telegram_fuzz, 3000, 200)
TAKES_ANY_BYTES(matrix_fuzz, 3000, 200)
TAKES_ANY_BYTES(texts_fuzz, 500, 100)
TAKES_ANY_BYTES(terminal_fuzz, 3000, 200)
TAKES_ANY_BYTES(advice_fuzz, 1500, 200)
TAKES_ANY_BYTES(badges_fuzz, 3000, 100)
TAKES_ANY_BYTES(beacon_fuzz, 3000, 200)
TAKES_ANY_BYTES(settings_fuzz, 3000, 100)
TAKES_ANY_BYTES(puzzle_fuzz, 1000, 100)
TAKES_ANY_BYTES(words_fuzz, 1000, 50)
TAKES_ANY_BYTES(key_fuzz, 100, 70)
TAKES_ANY_BYTES(server_fuzz, 100, 50)
TAKES_ANY_BYTES(update_fuzz, 20000, 200)
