/* See painting.h. librsvg depends on the others, so that all are found in it. */
#include "painting.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

const struct painting *paint;

static const struct {
    const char *name;
    size_t at;
} calls[] = {
#define X(name) {#name, offsetof(struct painting, name)},
    PAINTING_CALLS(X)
#undef X
};

static void load(void)
{
    static struct painting found;
    void *library = dlopen("librsvg-2.so.2", RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; library && i < sizeof calls / sizeof *calls; i++) {
        void *call = dlsym(library, calls[i].name);
        if (!call)
            return;
        memcpy((char *)&found + calls[i].at, &call, sizeof call);
    }
    if (library)
        paint = &found;
}

bool painting_load(struct err *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return paint || err_set(err, "pictures: cannot load librsvg-2.so.2");
}
