/* See rules_option.h. The options are the rows of rules_field.c that chat may set. */
#include "rules_option.h"

#include "rules_field.h"

/* The index of `value` among the words of a choice; -1 if it is not one. */
static int word_index(const struct rules_field *f, struct str value)
{
    for (int i = 0; f->words[i]; i++)
        if (value.n > 0 && str_is(str_of(f->words[i]), value))
            return i;
    return -1;
}

static bool is_object(const struct rules_field *f)
{
    return f->kind == RULES_OBJECT;
}

/* An object that may be null is an option too: `null` takes it away. */
static bool is_option(const struct rules_field *f)
{
    return !f->file_only && !(is_object(f) && f->at == 0);
}

/* Gives the fields of an object their usual values, or 0. */
static void fill_object(struct rules *r, const struct rules_field *object, bool on)
{
    rules_field_set(r, object, on);
    for (const struct rules_field *f = object + 1; f->path; f++)
        if (rules_field_object(f) == object)
            rules_field_set(r, f, on ? f->usual : 0);
}

static void put_value(struct rules *r, const struct rules_field *f, int value)
{
    if (!rules_field_is_on(r, f))
        fill_object(r, rules_field_object(f), true);
    rules_field_set(r, f, value);
}

static bool set_switch(struct rules *r, const struct rules_field *f, struct str value)
{
    bool off = str_is(value, STR("false")) || str_is(value, STR("off")) ||
               str_is(value, STR("no")) || str_is(value, STR("null"));
    bool on = str_is(value, STR("true")) || str_is(value, STR("on")) || str_is(value, STR("yes"));
    if (!off && (!on || is_object(f)))
        return false;
    if (is_object(f))
        fill_object(r, f, false);
    else
        put_value(r, f, on);
    return true;
}

/* One purse, whatever number of rounds is chosen. */
static bool set_purse(struct rules *r, const struct rules_field *f, struct str value)
{
    int64_t coins = 0;
    bool none = str_is(value, STR("null"));
    if (!none && (!str_int(value, &coins) || coins < f->least || coins > f->most))
        return false;
    r->has_purse = !none;
    r->n_purse = none ? 0 : r->n_rounds_allowed;
    memset(r->purse_rounds, 0, sizeof r->purse_rounds);
    memset(r->purse, 0, sizeof r->purse);
    for (int i = 0; i < r->n_purse; i++) {
        r->purse_rounds[i] = r->rounds_allowed[i];
        r->purse[i] = (int16_t)coins;
    }
    return true;
}

static bool set_number(struct rules *r, const struct rules_field *f, struct str value)
{
    int64_t n;
    if (!str_int(value, &n) || n < f->least || n > f->most)
        return false;
    put_value(r, f, (int)n);
    return true;
}

static bool set_choice(struct rules *r, const struct rules_field *f, struct str value)
{
    int i = word_index(f, value);
    if (i >= 0)
        put_value(r, f, i);
    return i >= 0;
}

static bool set_word(struct rules *r, const struct rules_field *f, struct str value)
{
    char *at = (char *)r + f->at;
    if (!rules_is_word(value.p, value.n, (size_t)f->most - 1))
        return false;
    memset(at, 0, (size_t)f->most);
    memcpy(at, value.p, value.n);
    return true;
}

static bool set(struct rules *r, const struct rules_field *f, struct str value)
{
    switch (f->kind) {
    case RULES_WORD:
        return set_word(r, f, value);
    case RULES_NUMBER:
        return set_number(r, f, value);
    case RULES_CHOICE:
        return set_choice(r, f, value);
    case RULES_OBJECT:
    case RULES_SWITCH:
        return set_switch(r, f, value);
    case RULES_PURSE:
        return set_purse(r, f, value);
    case RULES_PLAYERS:
    case RULES_ROUND_LIST:
        break;
    }
    return false;
}

static void put_allowed(struct buf *b, const struct rules_field *f)
{
    if (f->kind == RULES_SWITCH)
        buf_put(b, STR("true|false"));
    if (f->kind == RULES_NUMBER || f->kind == RULES_PURSE)
        buf_print(b, "%d-%d", f->least, f->most);
    if (f->kind == RULES_PURSE)
        buf_char(b, '|');
    if (f->kind == RULES_OBJECT || f->kind == RULES_PURSE)
        buf_put(b, STR("null"));
    for (int i = 0; f->words[i]; i++)
        if (f->words[i][0] != '\0')
            buf_print(b, "%s%s", i > 0 ? "|" : "", f->words[i]);
}

enum rules_option_error rules_option_set(struct rules *r, struct str name, struct str value,
                                         struct buf *ret_allowed)
{
    struct rules next = *r;
    const struct rules_field *f = rules_fields;
    while (f->path && !(is_option(f) && str_is(name, str_of(f->path))))
        f++;
    if (!f->path)
        return RULES_OPTION_UNKNOWN;
    if (!set(&next, f, value)) {
        put_allowed(ret_allowed, f);
        return RULES_OPTION_VALUE;
    }
    *r = next;
    return RULES_OPTION_OK;
}

static void put_purse(const struct rules *r, struct buf *b)
{
    for (int i = 0; i < r->n_purse; i++) {
        if (i > 0 && r->purse[i] == r->purse[0])
            continue;
        if (i > 0)
            buf_char(b, '/');
        buf_int(b, r->purse[i]);
    }
    if (!r->has_purse)
        buf_put(b, STR("null"));
}

bool rules_option_at(const struct rules *r, int i, struct str *ret_name, struct buf *ret_value)
{
    const struct rules_field *f = rules_fields;
    while (f->path && (!is_option(f) || i-- > 0))
        f++;
    if (!f->path)
        return false;
    *ret_name = str_of(f->path);
    if (f->kind == RULES_WORD)
        buf_put(ret_value, str_of((const char *)r + f->at));
    else if (f->kind == RULES_PURSE)
        put_purse(r, ret_value);
    else if (!rules_field_is_on(r, f))
        return true;
    else if (f->kind == RULES_NUMBER)
        buf_int(ret_value, rules_field_get(r, f));
    else if (f->kind == RULES_CHOICE)
        buf_put(ret_value, str_of(f->words[rules_field_get(r, f)]));
    else
        buf_put(ret_value, rules_field_get(r, f) ? STR("true")
                           : is_object(f)        ? STR("null")
                                                 : STR("false"));
    return true;
}

/* ---- as one number ----
 *
 * From the low end: 6 bits of rounds; then for each change 17 bits, 1 + option * 1024 + value. */

enum { PACK_ROUNDS = 64, PACK_VALUES = 1024, PACK_CHANGE = 1 << 17, PACK_NULL = PACK_VALUES - 1 };

static const struct rules_field *option_at(int64_t i)
{
    const struct rules_field *f = rules_fields;
    while (f->path && (!is_option(f) || i-- > 0))
        f++;
    return f->path ? f : NULL;
}

static int packed_value(const struct rules *r, const struct rules_field *f)
{
    if (f->kind == RULES_PURSE)
        return r->has_purse && r->n_purse > 0 ? r->purse[0] : PACK_NULL;
    if (f->kind == RULES_WORD || !rules_field_is_on(r, f))
        return 0;
    return rules_field_get(r, f);
}

static bool put_packed(struct rules *r, const struct rules_field *f, int value)
{
    char text[16];
    struct buf b = BUF(text);
    buf_int(&b, value);
    switch (f->kind) {
    case RULES_NUMBER:
        return set_number(r, f, buf_str(&b));
    case RULES_PURSE:
        return set_purse(r, f, value == PACK_NULL ? STR("null") : buf_str(&b));
    case RULES_OBJECT:
        fill_object(r, f, value != 0);
        return true;
    case RULES_SWITCH:
        put_value(r, f, value != 0);
        return true;
    case RULES_CHOICE:
        for (int i = 0; i <= value; i++)
            if (!f->words[i])
                return false;
        put_value(r, f, value);
        return true;
    default:
        return false;
    }
}

bool rules_option_pack(const struct rules *r, const struct rules *preset, int64_t *ret)
{
    struct rules next = *preset;
    int64_t packed = r->rounds, unit = PACK_ROUNDS;
    next.rounds = r->rounds;
    for (int i = 0; option_at(i); i++) {
        const struct rules_field *f = option_at(i);
        int value = packed_value(r, f);
        if (value == packed_value(&next, f))
            continue;
        if (unit >= RULES_PACKED_END || value >= PACK_VALUES || !put_packed(&next, f, value))
            return false;
        packed += (1 + (int64_t)i * PACK_VALUES + value) * unit;
        unit *= PACK_CHANGE;
    }
    *ret = packed;
    return true;
}

bool rules_option_unpack(int64_t packed, const struct rules *preset, struct rules *ret)
{
    struct rules r = *preset;
    if (packed <= 0 || packed >= RULES_PACKED_END || packed % PACK_ROUNDS > MAX_ROUNDS)
        return false;
    r.rounds = (uint8_t)(packed % PACK_ROUNDS);
    for (packed /= PACK_ROUNDS; packed > 0; packed /= PACK_CHANGE) {
        int change = (int)(packed % PACK_CHANGE) - 1;
        const struct rules_field *f = change < 0 ? NULL : option_at(change / PACK_VALUES);
        if (!f || !put_packed(&r, f, change % PACK_VALUES))
            return false;
    }
    *ret = r;
    return true;
}

/* ---- the cache ----
 *
 * Its key is the rules as bytes; two that differ in padding alone are kept twice, which is only
 * slower. */

const struct ruleset *ruleset_cache_get(struct ruleset_cache *c, const struct rules *r)
{
    const struct cache_key key = {.text = {(const char *)r, sizeof *r}};
    struct str found;
    if (!c->cache)
        c->cache = cache_in(c->memory, sizeof c->memory, RULESET_CACHE_SLOTS,
                            sizeof(struct rules) + sizeof(struct ruleset));
    if (cache_find(c->cache, key, &found))
        return (const struct ruleset *)(const void *)found.p;
    struct ruleset *g = cache_put(c->cache, key, sizeof *g);
    ruleset_make(r, g);
    return g;
}
