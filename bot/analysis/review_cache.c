/* See review_cache.h. A value is the time of the request, then the review once it has come. */
#include "review_cache.h"

struct head {
    _Alignas(max_align_t) int64_t asked; /* 0: it is not being made */
};

static struct cache_key key_of(int64_t session)
{
    return (struct cache_key){.no = session};
}

struct cache *review_cache_open(void)
{
    return cache_open(REVIEW_CACHE_SLOTS,
                      REVIEW_CACHE_SLOTS * (REVIEW_SIZE(REVIEW_LINES) + sizeof(struct head) + 256));
}

const struct match_review *review_cache_find(struct cache *c, int64_t session, int64_t now,
                                             bool *ret_coming)
{
    struct str value;
    struct head head;
    *ret_coming = false;
    if (!cache_find(c, key_of(session), &value))
        return NULL;
    if (value.n > sizeof head)
        return (const struct match_review *)(const void *)(value.p + sizeof head);
    memcpy(&head, value.p, sizeof head);
    *ret_coming = head.asked > 0 && now >= head.asked && now < head.asked + REVIEW_WAIT_MS;
    return NULL;
}

void review_cache_ask(struct cache *c, int64_t session, int64_t now)
{
    struct str value;
    if (cache_find(c, key_of(session), &value) && value.n > sizeof(struct head))
        return; /* it is there already */
    *(struct head *)cache_put(c, key_of(session), sizeof(struct head)) = (struct head){now};
}

const struct match_review *review_cache_put(struct cache *c, int64_t session, struct str bytes)
{
    struct match_review head;
    cache_drop(c, key_of(session)); /* its job has ended, whatever the result */
    if (bytes.n < sizeof head)
        return NULL;
    memcpy(&head, bytes.p, sizeof head);
    if (head.n < 0 || head.n > REVIEW_LINES || bytes.n != REVIEW_SIZE(head.n))
        return NULL;
    char *room = cache_put(c, key_of(session), sizeof(struct head) + bytes.n);
    *(struct head *)(void *)room = (struct head){0};
    memcpy(room + sizeof(struct head), bytes.p, bytes.n);
    return (const struct match_review *)(const void *)(room + sizeof(struct head));
}
