/* See still.h. */
#include "shell/still.h"

#include <string.h>

int64_t still_now(void *arg)
{
    return *(const _Atomic int64_t *)arg;
}

void still_chance(void *arg, uint8_t *ret, size_t n)
{
    (void)arg;
    memset(ret, STILL_CHANCE, n);
}
