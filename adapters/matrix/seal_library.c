/* See seal_library.h. It is loaded once, on the thread of the loop. */
#include "seal_library.h"

#include <dlfcn.h>
#include <string.h>

static const struct {
    const char *name;
    size_t at;
} CALLS[] = {
#define X(result, name, parameters) {#name, offsetof(struct seal_library, name)},
    OLM_CALLS(X)
#undef X
};

static const char *const PLACES[] = {"$ORIGIN/libkoikoi_olm.so",
                                     "$ORIGIN/../lib/koikoi/libkoikoi_olm.so"};

static bool find_calls(void *library, struct seal_library *ret)
{
    for (size_t i = 0; i < sizeof CALLS / sizeof *CALLS; i++) {
        void *call = dlsym(library, CALLS[i].name);
        if (!call)
            return false;
        memcpy((char *)ret + CALLS[i].at, &call, sizeof call);
    }
    return ret->koikoi_olm_version() == OLM_VERSION;
}

const struct seal_library *seal_library(void)
{
    static bool looked, good;
    static struct seal_library found;
    for (size_t i = 0; !looked && !good && i < sizeof PLACES / sizeof *PLACES; i++) {
        void *library = dlopen(PLACES[i], RTLD_NOW | RTLD_LOCAL);
        good = library && find_calls(library, &found);
        if (library && !good)
            dlclose(library);
    }
    looked = true;
    return good ? &found : NULL;
}
