/* Any bytes as a catalogue of texts: refused with a reason, or read. */
#include <stdint.h>

#include "fuzz/json_pool.h"
#include "texts.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct arena *process;
    static struct texts texts;
    struct err err = {""};
    if (!process)
        process = arena_open((size_t)1 << 26);
    arena_reset(process);
    size_t before = json_pool_begin();
    bool good = texts_read((struct str){(const char *)data, size}, process, &texts, &err);
    json_pool_end(before);
    assert(good || err.text[0] != '\0');
    return 0;
}
