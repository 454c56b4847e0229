/* cmocka with what it needs, and a folder of its own for each test, gone afterwards. */
#ifndef KOIKOI_TEST_SCRATCH_H
#define KOIKOI_TEST_SCRATCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "str.h"

bool scratch_open(void);
void scratch_close(void);
/* The path of a file in it; valid until the eighth call after this one. */
struct str scratch_file(const char *name);
void scratch_write(const char *name, const char *text);
/* The permission bits of a file; -1 if it is not there. */
int scratch_mode(const char *name);
/* Runs statements on a store that is closed. */
void scratch_sql(const char *name, const char *sql);

/* `err` is the test's own struct err. */
#define OK(call) do { if (!(call)) fail_msg("%s: %s", #call, err.text); } while (0)

#endif
