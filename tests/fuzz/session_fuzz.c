/* Any bytes as a saved session: refused with the name of a field, or read, and what is written
 * again reads as the same. */
#include <stdint.h>

#include "session.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct ruleset_cache rulesets;
    static char first[64 * 1024], second[64 * 1024];
    struct session s;
    struct buf a = BUF(first), b = BUF(second);
    const char *wrong = session_read((struct str){(const char *)data, size}, &rulesets, &s);
    if (wrong) {
        assert(wrong[0]);
        return 0;
    }
    struct str line = session_write(&s, &a);
    wrong = session_read(line, &rulesets, &s);
    assert(!wrong);
    assert(str_is(line, session_write(&s, &b)));
    return 0;
}
