/* What `koikoi doctor` tells an account before it examines it. */
#ifndef KOIKOI_EXAM_H
#define KOIKOI_EXAM_H

#include <stdbool.h>

#include "str.h"

struct exam {
    bool set_profile;         /* set these as the account's own */
    struct str name, picture; /* the picture: PNG */
    bool has_keys;            /* the store keeps something in a vault */
};

#endif
