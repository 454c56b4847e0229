/* Whole files, up to a ceiling. */
#ifndef KOIKOI_FILE_H
#define KOIKOI_FILE_H

#include "err.h"
#include "str.h"

/* path "-" is standard input. The bytes are the caller's until file_free(). */
bool file_read(const char *path, size_t ceiling, struct str *ret, struct err *err) MUST_CHECK;
void file_free(struct str bytes);
bool file_exists(const char *path);
/* True if both are there and are one file, whatever they are called. */
bool file_is_same(const char *a, const char *b);
/* A new file that root made becomes that of whoever owns what stands at `path`, or else the folder: the
 * daemon that is to use it is seldom root. Nothing if we are not root. */
void file_hand_over(const char *part, const char *path);
/* Gives the file `part` the name `path`, in the place of what has it, and syncs both the bytes and
 * the folder: after a power cut the new file is there, or the old one. On failure errno is set. */
bool file_keep(const char *part, const char *path) MUST_CHECK;

#endif
