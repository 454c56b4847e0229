/* Functions of libkoikoi_olm.so, loaded with dlopen() when encryption is first asked for. */
#ifndef KOIKOI_MATRIX_SEAL_LIBRARY_H
#define KOIKOI_MATRIX_SEAL_LIBRARY_H

#include "olm/olm.h"

struct seal_library {
#define X(result, name, parameters) result(*name) parameters;
    OLM_CALLS(X)
#undef X
};

/* NULL if it is not found, or is of another version. It is looked for beside the program, in the
 * folder ../lib from there, and where the system looks. */
const struct seal_library *seal_library(void);

#endif
