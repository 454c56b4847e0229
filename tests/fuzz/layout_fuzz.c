/* Any bytes as the layout of a picture: refused with a reason, or read, and what is written is the
 * same line. */
#include <stdint.h>

#include "layout.h"

#include <assert.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str line = {(const char *)data, size};
    char bytes[LAYOUT_BYTES];
    struct buf again = BUF(bytes);
    struct layout s;
    struct err err = {""};
    if (!layout_read(line, &s, &err)) {
        assert(err.text[0] != '\0');
        return 0;
    }
    layout_write(&s, &again);
    assert(!again.cut && str_is(buf_str(&again), line));
    return 0;
}
