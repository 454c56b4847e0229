/* Functions of libkoikoi_olm.so, loaded with dlopen() when encryption is first asked for. */
#ifndef KOIKOI_MATRIX_SEAL_LIBRARY_H
#define KOIKOI_MATRIX_SEAL_LIBRARY_H

#include "olm/olm.h"

struct seal_library {
#define X(result, name, parameters) result(*name) parameters;
    OLM_CALLS(X)
#undef X
};

/* NULL if it is not found, or is of another version. It is looked for beside the program and in
 * the folder ../lib/koikoi from there. */
const struct seal_library *seal_library(void);

#endif
