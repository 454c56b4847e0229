/* Any bytes as a catalogue of texts: refused with a reason, or read. */
#include <stdint.h>

#include "fuzz/json_pool.h"
#include "texts.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct arena *process;
    struct texts_found found;
    if (!process)
        process = arena_open((size_t)1 << 26);
    arena_reset(process);
    size_t before = json_pool_begin();
    const struct texts *t = texts_check((struct str){(const char *)data, size}, process, &found);
    json_pool_end(before);
    assert(found.faults.n > 0 || t->language.n > 0);
    return 0;
}
