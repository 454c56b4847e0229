/* Any bytes as a match record: refused at a line that is there, or one behind the last. What
 * replays verifies too, for replaying checks the shuffles. */
#include <stdint.h>

#include "replay.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str record = {(const char *)data, size};
    struct err err = {""};
    int line = 0, lines = 1;
    for (size_t i = 0; i < size; i++)
        lines += data[i] == '\n';
    bool good = replay_record(record, NULL, &line, &err);
    assert(good || (line >= 1 && line <= lines + 1 && err.text[0] != '\0'));
    bool fair = verify_record(record, NULL, &line, &err);
    assert(fair || !good);
    assert(fair || (line >= 1 && line <= lines + 1 && err.text[0] != '\0'));
    return 0;
}
