/* See rules_option.h. The options are the rows of rules_field.c that chat may set. */
#include "rules_option.h"

#include "rules_field.h"

/* An object that may be null is an option too: `null` takes it away. */
static bool is_option(const struct rules_field *f)
{
    return !f->file_only && (f->kind != RULES_OBJECT || f->at != 0);
}

/* The i-th option; NULL behind the last. */
static const struct rules_field *option_at(int64_t i)
{
    const struct rules_field *f = rules_fields;
    while (f->path && (!is_option(f) || i-- > 0))
        f++;
    return f->path ? f : NULL;
}

/* ---- setting ---- */

/* Gives the fields of an object their usual values, or 0. */
static void fill_object(struct rules *r, const struct rules_field *object, bool on)
{
    rules_field_set(r, object, on);
    for (const struct rules_field *f = object + 1; f->path; f++)
        if (rules_field_object(f) == object)
            rules_field_set(r, f, on ? f->usual : 0);
}

static bool put_value(struct rules *r, const struct rules_field *f, int value)
{
    if (!rules_field_is_on(r, f))
        fill_object(r, rules_field_object(f), true);
    rules_field_set(r, f, value);
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

static bool set(struct rules *r, const struct rules_field *f, struct str value)
{
    bool off = str_is(value, STR("false")) || str_is(value, STR("off")) ||
               str_is(value, STR("no")) || str_is(value, STR("null"));
    bool on = str_is(value, STR("true")) || str_is(value, STR("on")) || str_is(value, STR("yes"));
    char *text = (char *)r + f->at;
    int64_t n;
    switch (f->kind) {
    case RULES_WORD:
        if (!rules_is_word(value.p, value.n, (size_t)f->most - 1))
            return false;
        memset(text, 0, (size_t)f->most);
        memcpy(text, value.p, value.n);
        return true;
    case RULES_NUMBER:
        return str_int(value, &n) && n >= f->least && n <= f->most && put_value(r, f, (int)n);
    case RULES_CHOICE:
        for (int i = 0; f->words[i]; i++)
            if ((value.n > 0 && str_is(str_of(f->words[i]), value)) ||
                (off && str_is(STR("none"), str_of(f->words[i]))))
                return put_value(r, f, i);
        return false;
    case RULES_OBJECT:
        if (off)
            fill_object(r, f, false);
        return off;
    case RULES_SWITCH:
        return (off || on) && put_value(r, f, on);
    case RULES_PURSE:
        return set_purse(r, f, value);
    case RULES_PLAYERS:
    case RULES_ROUND_LIST:
        break;
    }
    return false;
}

enum rules_option_error rules_option_set(struct rules *r, struct str name, struct str value,
                                         struct buf *ret_allowed)
{
    struct rules next = *r;
    const struct rules_field *f = option_at(0);
    for (int i = 1; f && !str_is(name, str_of(f->path)); i++)
        f = option_at(i);
    if (!f)
        return RULES_OPTION_UNKNOWN;
    if (set(&next, f, value)) {
        *r = next;
        return RULES_OPTION_OK;
    }
    if (f->kind == RULES_SWITCH)
        buf_put(ret_allowed, STR("true|false"));
    if (f->kind == RULES_NUMBER || f->kind == RULES_PURSE)
        buf_print(ret_allowed, "%d-%d", f->least, f->most);
    if (f->kind == RULES_PURSE)
        buf_char(ret_allowed, '|');
    if (f->kind == RULES_OBJECT || f->kind == RULES_PURSE)
        buf_put(ret_allowed, STR("null"));
    for (int i = 0; f->words[i]; i++)
        if (f->words[i][0] != '\0')
            buf_print(ret_allowed, "%s%s", i > 0 ? "|" : "", f->words[i]);
    return RULES_OPTION_VALUE;
}

bool rules_option_at(const struct rules *r, int i, struct str *ret_name, struct buf *ret_value)
{
    const struct rules_field *f = option_at(i);
    if (!f)
        return false;
    *ret_name = str_of(f->path);
    if (f->kind == RULES_PURSE && !r->has_purse)
        buf_put(ret_value, STR("null"));
    for (int k = 0; f->kind == RULES_PURSE && k < r->n_purse; k++)
        if (k == 0 || r->purse[k] != r->purse[0])
            buf_print(ret_value, "%s%d", k > 0 ? "/" : "", r->purse[k]);
    if (f->kind == RULES_WORD)
        buf_put(ret_value, str_of((const char *)r + f->at));
    if (f->kind == RULES_WORD || f->kind == RULES_PURSE || !rules_field_is_on(r, f))
        return true;
    if (f->kind == RULES_NUMBER)
        buf_int(ret_value, rules_field_get(r, f));
    else if (f->kind == RULES_CHOICE)
        buf_put(ret_value, str_of(f->words[rules_field_get(r, f)]));
    else
        buf_put(ret_value, rules_field_get(r, f)     ? STR("true")
                           : f->kind == RULES_OBJECT ? STR("null")
                                                     : STR("false"));
    return true;
}

const char *rules_option_word(int i)
{
    for (const struct rules_field *f = rules_fields; f->path; f++) {
        if (is_option(f) && strcmp(f->path, "rounds") != 0 && i-- == 0)
            return f->path;
    }
    for (const struct rules_field *f = rules_fields; f->path; f++)
        for (const char *const *word = f->words; *word; word++)
            if (**word && strcmp(*word, "none") != 0 && i-- == 0)
                return *word;
    return NULL;
}

/* ---- as one number ----
 *
 * From the low end: 6 bits of rounds; then for each change 17 bits, 1 + option * 1024 + value. */

enum { PACK_ROUNDS = 64, PACK_VALUES = 1024, PACK_CHANGE = 1 << 17, PACK_NULL = PACK_VALUES - 1 };

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
        return set(r, f, buf_str(&b));
    case RULES_PURSE:
        return set_purse(r, f, value == PACK_NULL ? STR("null") : buf_str(&b));
    case RULES_OBJECT:
        fill_object(r, f, value != 0);
        return true;
    case RULES_SWITCH:
        return put_value(r, f, value != 0);
    case RULES_CHOICE:
        for (int i = 0; i <= value; i++)
            if (!f->words[i])
                return false;
        return put_value(r, f, value);
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
