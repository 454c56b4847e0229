/* Any bytes as the table of badges: refused with a reason and without a change, or one whose rules
 * are in their ranges. */
#include <stdint.h>

#include "badges_file.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct badge_rules rules = {.rule[0].n = 77};
    struct err err = {""};
    bool good = badges_read((struct str){(const char *)data, size}, &rules, &err);
    if (!good) {
        assert(err.text[0] != '\0' && rules.rule[0].n == 77);
        return 0;
    }
    assert(memchr(data, '{', size));
    for (int b = 0; b < N_BADGES; b++) {
        struct badge_rule r = rules.rule[b];
        assert(r.kind <= BADGE_BY_YAKU);
        assert(r.kind == BADGE_NEVER || r.kind == BADGE_BY_YAKU || r.n >= 1);
        assert(r.kind != BADGE_BY_YAKU || (r.n >= 0 && r.n < N_YAKU));
    }
    return 0;
}
