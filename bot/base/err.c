/* See err.h. */
#include "err.h"

#include <stdio.h>
#include <string.h>

int err_write(struct err *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    return n;
}

int err_write_before(struct err *err, const char *format, ...)
{
    char head[sizeof err->text], tail[sizeof err->text];
    va_list args;
    va_start(args, format);
    vsnprintf(head, sizeof head, format, args);
    va_end(args);
    memcpy(tail, err->text, sizeof tail);
    size_t n = strnlen(head, sizeof head - 3);
    memcpy(err->text, head, n);
    return (int)n + snprintf(err->text + n, sizeof err->text - n, ": %s", tail);
}
