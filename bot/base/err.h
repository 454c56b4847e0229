/* A failure is weather: a function returns false and says what happened in *err, once, for people.
 * Must be checked: mark such functions MUST_CHECK. */
#ifndef KOIKOI_ERR_H
#define KOIKOI_ERR_H

#include <stdarg.h>
#include <stdbool.h>

#define MUST_CHECK __attribute__((warn_unused_result))

struct err { char text[512]; };

/* err_set writes the text and is false, so that `return err_set(err, "...")` reads well; err_wrap
 * puts "context: " before what is already there and is false. Always false, and readers of code,
 * the compiler among them, can see it. */
int err_write(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
int err_write_before(struct err *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static inline bool err_written(int length) { (void)length; return false; }
#define err_set(...) err_written(err_write(__VA_ARGS__))
#define err_wrap(...) err_written(err_write_before(__VA_ARGS__))

#endif
