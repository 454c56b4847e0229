/* Any bytes as the line of a picture: refused with a reason, or read, and what is written is the
 * same line. */
#include <stdint.h>

#include "spread.h"

#include <assert.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str line = {(const char *)data, size};
    char bytes[SPREAD_LINE];
    struct buf again = BUF(bytes);
    struct spread s;
    struct err err = {""};

    if (!spread_read(line, &s, &err)) {
        assert(err.text[0] != '\0');
        return 0;
    }
    spread_write(&s, &again);
    assert(!again.cut && str_is(buf_str(&again), line));
    return 0;
}
