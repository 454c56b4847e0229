/* Table of the networks that are built in, and the accounts of one configuration. */
#ifndef KOIKOI_REGISTRY_H
#define KOIKOI_REGISTRY_H

#include "adapter.h"

/* In order of name; ends with NULL. */
extern const struct adapter *const registry[];
/* Returns NULL if not found. */
const struct adapter *registry_find(struct str name);

/* One login on one network, open for as long as the process lives. */
struct account {
    int64_t id;      /* in the store */
    struct str name; /* "telegram" or "telegram.NAME"; NUL-terminated */
    const struct adapter *adapter;
    void *state;  /* adapter->account_size bytes, options filled in */
    uint32_t can; /* enum ability, after open; see account_can() */
    bool away;    /* another daemon polls it and sends for it */
    struct limits limits;
};

/* On failure err names the section, which is not the adapter's own for each account. */
static inline bool registry_open(struct account *a, struct arena *process, struct err *err)
{
    if (a->adapter->open(a->state, process, &a->can, &a->limits, err))
        return true;
    return str_is(a->name, str_of(a->adapter->name)) ? false : err_wrap(err, "[%s]", a->name.p);
}

/* The abilities in one chat. */
static inline uint32_t account_can(const struct account *a, struct str chat)
{
    return a->adapter->can_in ? a->adapter->can_in(a->state, chat, a->can) : a->can;
}

#endif
