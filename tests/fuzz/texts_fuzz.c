/* Any bytes as a catalogue of texts: refused with a reason, or read. */
#include <stdint.h>

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
    const struct texts *t = texts_check((struct str){(const char *)data, size}, process, &found);
    assert(found.faults.n > 0 || t->language.n > 0);
    return 0;
}
