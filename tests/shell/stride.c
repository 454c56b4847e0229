/* See stride.h. */
#include "shell/stride.h"

#include "shell/scratch.h"

#include <stdlib.h>

int stride, stride_points;

bool stride_open(int usual)
{
    const char *told = getenv("CRASH_STRIDE");
    stride = told ? (int)strtol(told, NULL, 10) : usual;
    return stride >= 1;
}

int stride_tell(void **state)
{
    (void)state;
    print_message("%d crash points\n", stride_points);
    return 0;
}
