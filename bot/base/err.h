/* Errors from outside (disk, network, files): the function returns false and describes the error in
 * *err, once, for people. Mark such functions MUST_CHECK. */
#ifndef KOIKOI_ERR_H
#define KOIKOI_ERR_H

#include <stdarg.h>
#include <stdbool.h>

#define MUST_CHECK __attribute__((warn_unused_result))

struct err {
    char text[512];
};

/* err_set writes the text; err_wrap puts "context: " before the text that is there. Both are always
 * false, also to the compiler, for `return err_set(err, "...")`. */
int err_write(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
int err_write_before(struct err *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static inline bool err_written(int length)
{
    (void)length;
    return false;
}
#define err_set(...)  err_written(err_write(__VA_ARGS__))
#define err_wrap(...) err_written(err_write_before(__VA_ARGS__))

#endif
