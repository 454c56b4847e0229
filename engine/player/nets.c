/* See nets.h. */
#include "nets.h"
#include "rules_field.h"

#include <string.h>

/* Where the fields of struct rules begin that are younger than the first numbers. */
enum { FIRST_FIELDS = offsetof(struct rules, koikoi_limit) };

uint64_t net_hash(uint64_t hash, const void *bytes, size_t n)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ at[i]) * 0x100000001b3u;
    return hash;
}

/* Fields without an effect on a round become zero, then all bytes are hashed: so a new field counts
 * unless it is named here. A later field at 0 does not change the hash. */
uint64_t net_rules_hash(const struct rules *r)
{
    struct rules key = *r;
    uint64_t hash;
    memset(key.name, 0, sizeof key.name);
    memset(key.rounds_allowed, 0, sizeof key.rounds_allowed);
    memset(key.purse_rounds, 0, sizeof key.purse_rounds);
    memset(key.purse, 0, sizeof key.purse);
    memset(key.words, 0, sizeof key.words);
    memset(key.deck, 0, sizeof key.deck);
    key.players_allowed = key.rounds = key.n_rounds_allowed = key.n_purse = 0;
    key.scoring = key.first_dealer = key.tie_break = key.drawn_dealer = 0;
    key.has_purse = false;
    hash = net_hash(NET_HASH_START, &key, FIRST_FIELDS);
    for (const struct rules_field *f = rules_fields; f->path; f++) {
        unsigned value = (unsigned)rules_field_get(&key, f);
        unsigned char bytes[4];
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (unsigned char)(value >> 8 * i);
        if (f->later && !rules_field_is_usual(&key, f))
            hash = net_hash(net_hash(hash, f->path, strlen(f->path)), bytes, sizeof bytes);
    }
    return hash;
}
