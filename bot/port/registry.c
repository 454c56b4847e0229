/* See registry.h. The Makefile makes the list, adapters.inc, from the names in adapters/. */
#include "registry.h"

#define ADAPTER(name) extern const struct adapter name##_adapter;
#include "adapters.inc"
#undef ADAPTER

const struct adapter *const registry[] = {
#define ADAPTER(name) &name##_adapter,
#include "adapters.inc"
#undef ADAPTER
    NULL,
};

const struct adapter *registry_find(struct str name)
{
    for (int i = 0; registry[i]; i++)
        if (str_is(name, str_of(registry[i]->name)))
            return registry[i];
    return NULL;
}
