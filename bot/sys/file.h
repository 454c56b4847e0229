/* Whole files, up to a ceiling. */
#ifndef KOIKOI_FILE_H
#define KOIKOI_FILE_H

#include "err.h"
#include "str.h"

/* path "-" is standard input. The bytes are the caller's until file_free(). */
bool file_read(const char *path, size_t ceiling, struct str *ret, struct err *err) MUST_CHECK;
void file_free(struct str bytes);
bool file_exists(const char *path);

#endif
