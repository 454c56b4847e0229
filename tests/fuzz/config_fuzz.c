/* Any bytes as koikoi.conf: refused with the place in it, or a configuration whose values are in
 * their ranges. The state folder comes from the environment, which wins: no input makes a
 * folder. */
#include <stdint.h>

#include "config.h"

#include <assert.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct arena *process;
    struct str text = {(const char *)data, size};
    struct config c;
    struct err err = {""};
    if (!process) {
        process = arena_open((size_t)1 << 26);
        setenv("KOIKOI_STATE_DIR", "/tmp", 1);
    }
    arena_reset(process);
    if (!config_parse("koikoi.conf", text, STR("terminal"), process, &c, &err)) {
        assert(err.text[0] != '\0');
        return 0;
    }
    assert(c.n_accounts == 1 && c.threads >= 1 && c.threads <= 64 &&
           str_is(c.state_dir, STR("/tmp")));
    return 0;
}
