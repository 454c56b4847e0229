/* Any bytes as typed text, as a name and as button data: no crash, no mark or control byte in the
 * output, no button accepted that the bot did not sign. */
#include <stdint.h>

#include "command.h"

#include "adapter.h"
#include "texts.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct arena *process, *turn;
    static struct languages english;
    static const uint8_t key[PRESS_KEY_BYTES] = {9};
    struct str text = {(const char *)data, size};
    struct press press;
    struct err err;
    if (!process) {
        process = arena_open((size_t)1 << 26);
        turn = arena_open((size_t)1 << 28);
        bool good = texts_load(STR(""), STR("en"), true, process, &english, &err);
        assert(good);
    }
    arena_reset(turn);
    const struct texts *texts[] = {english.at[0]};
    for (int direct = 0; direct < 2; direct++) {
        struct event e = {.direct = direct};
        command_read(texts, 1, turn, text, &e);
        assert(e.verb < N_VERBS && e.words.n <= size);
    }
    struct str name = text_clean(turn, text, 32);
    assert(name.n > 0 && text_columns(name) <= 32);
    for (size_t i = 0; i < name.n; i++)
        assert((unsigned char)name.p[i] >= ' ');
    assert(text_cut(turn, text, 10, true).n <=
           2 * size + 16); /* a mark left open is closed: one byte each */
    assert(!press_read(key, text, &press));
    return 0;
}
