/* A failure is weather: a function returns false and says what happened in *err, once, for people.
 * Must be checked: mark such functions MUST_CHECK. */
#ifndef KOIKOI_ERR_H
#define KOIKOI_ERR_H

#include <stdarg.h>
#include <stdbool.h>

#define MUST_CHECK __attribute__((warn_unused_result))

struct err { char text[512]; };

/* Writes the text and returns false, so that `return err_set(err, "...")` reads well. */
bool err_set(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Puts "context: " before what is already there; returns false. */
bool err_wrap(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
