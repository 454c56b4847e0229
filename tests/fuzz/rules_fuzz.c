/* Any bytes as a rule set: refused, or one that the engine takes and that reads back the same. */
#include <stdint.h>

#include "ruleset_file.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void rules_text(struct str text)
{
    struct str none = {NULL, 0};
    struct rules r, back;
    char first[RULESET_TEXT_MAX], second[RULESET_TEXT_MAX];
    struct buf a = BUF(first), b = BUF(second);
    struct err err = {""};
    if (!ruleset_file_read(none, text, &r, &err)) {
        assert(err.text[0] != '\0');
        return;
    }
    assert(rules_check(&r) == NULL);
    ruleset_file_write(&a, &r);
    assert(!a.cut && ruleset_file_read(none, buf_str(&a), &back, &err));
    ruleset_file_write(&b, &back);
    assert(str_is(buf_str(&a), buf_str(&b)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rules_text((struct str){(const char *)data, size});
    return 0;
}
