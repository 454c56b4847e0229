/* Reader of a rule set from JSON, by the table of rules_field.h. Errors begin with the path of the
 * field. */
#include "ruleset_fields.h"

#include "rules_field.h"

static bool read_members(const struct rules_field *object, const cJSON *v, struct rules *r,
                         struct err *err);

static bool read_word(const struct rules_field *f, const cJSON *v, struct rules *r, struct err *err)
{
    struct str s = {NULL, 0};
    if (!json_text(v, f->path, &s, err))
        return false;
    if (!rules_is_word(s.p, s.n, (size_t)f->most - 1))
        return err_set(err, "%s: expected 1 to %d of a-z, 0-9, _ and -, got \"%.40s\"", f->path,
                       f->most - 1, s.p);
    memcpy((char *)r + f->at, s.p, s.n);
    return true;
}

static bool read_players(const struct rules_field *f, const cJSON *v, struct rules *r,
                         struct err *err)
{
    int64_t n;
    if (!json_list(v, f->path, 1, MAX_PLAYERS - MIN_PLAYERS + 1, err))
        return false;
    for (const cJSON *m = v->child; m; m = m->next) {
        if (!json_whole(m, f->path, MIN_PLAYERS, MAX_PLAYERS, &n, err))
            return false;
        if (r->players_allowed & 1 << n)
            return err_set(err, "%s: expected different numbers, got %d twice", f->path, (int)n);
        r->players_allowed |= (uint8_t)(1 << n);
    }
    return true;
}

static bool read_round_list(const struct rules_field *f, const cJSON *v, struct rules *r,
                            struct err *err)
{
    int64_t n;
    if (!json_list(v, f->path, 1, MAX_ROUND_CHOICES, err))
        return false;
    for (const cJSON *m = v->child; m; m = m->next) {
        if (!json_whole(m, f->path, f->least, f->most, &n, err))
            return false;
        if (memchr(r->rounds_allowed, (int)n, r->n_rounds_allowed))
            return err_set(err, "%s: expected different numbers, got %d twice", f->path, (int)n);
        r->rounds_allowed[r->n_rounds_allowed++] = (uint8_t)n;
    }
    return true;
}

/* A key that is a number of rounds: "3", not "03" or "+3". */
static bool read_rounds_key(const struct rules_field *f, const char *key, int *ret, struct err *err)
{
    int64_t n = 0;
    if (key[0] == '0' || !str_int(str_of(key), &n) || n < 1 || n > MAX_ROUNDS)
        return err_set(err, "%s.%.20s: expected a number of rounds from 1 to %d, got \"%.20s\"",
                       f->path, key, MAX_ROUNDS, key);
    *ret = (int)n;
    return true;
}

static bool read_purse(const struct rules_field *f, const cJSON *v, struct rules *r,
                       struct err *err)
{
    char inner[RULES_PATH_SIZE];
    int64_t coins;
    int rounds = 0;
    if (cJSON_IsNull(v))
        return true;
    if (!json_object(v, f->path, true, err))
        return false;
    for (const cJSON *m = v->child; m; m = m->next) {
        if (!read_rounds_key(f, m->string, &rounds, err))
            return false;
        if (r->n_purse == MAX_ROUND_CHOICES)
            return err_set(err, "%s: expected at most %d numbers of rounds, got more", f->path,
                           MAX_ROUND_CHOICES);
        snprintf(inner, sizeof inner, "%s.%d", f->path, rounds);
        if (!json_whole(m, inner, r->scoring == SCORING_COINS ? f->least : 0, f->most, &coins, err))
            return false;
        r->purse_rounds[r->n_purse] = (uint8_t)rounds;
        r->purse[r->n_purse++] = (int16_t)coins;
    }
    r->has_purse = true;
    return r->n_purse > 0 ||
           err_set(err, "%s: expected a number of rounds or null, got {}", f->path);
}

static bool read_object(const struct rules_field *f, const cJSON *v, struct rules *r,
                        struct err *err)
{
    bool nullable = f->at != 0;
    if (nullable && cJSON_IsNull(v))
        return true;
    if (!json_object(v, f->path, nullable, err))
        return false;
    if (nullable)
        rules_field_set(r, f, true);
    return read_members(f, v, r, err);
}

/* A field that the text leaves out: null, 0 or its fallback, if it may be. */
static bool read_missing(const struct rules_field *f, struct rules *r, struct err *err)
{
    bool nullable = f->kind == RULES_PURSE || (f->kind == RULES_OBJECT && f->at != 0);
    bool unused = f->players != 0 && !(r->players_allowed & 1 << f->players);
    if (f->fallback)
        memcpy((char *)r + f->at, f->fallback, strlen(f->fallback));
    return f->fallback || nullable || unused || f->later || err_set(err, "%s: missing", f->path);
}

static bool read_field(const struct rules_field *f, const cJSON *v, struct rules *r,
                       struct err *err)
{
    int64_t n = 0;
    int choice = 0;
    bool on = false;
    if (!v)
        return read_missing(f, r, err);
    switch (f->kind) {
    case RULES_WORD:
        return read_word(f, v, r, err);
    case RULES_NUMBER:
        if (!json_whole(v, f->path, f->least, f->most, &n, err))
            return false;
        rules_field_set(r, f, (int)n);
        return true;
    case RULES_CHOICE:
        if (!json_choice(v, f->path, f->words, &choice, err))
            return false;
        rules_field_set(r, f, choice);
        return true;
    case RULES_SWITCH:
        if (!json_bool(v, f->path, &on, err))
            return false;
        rules_field_set(r, f, on);
        return true;
    case RULES_PLAYERS:
        return read_players(f, v, r, err);
    case RULES_ROUND_LIST:
        return read_round_list(f, v, r, err);
    case RULES_PURSE:
        return read_purse(f, v, r, err);
    case RULES_OBJECT:
        return read_object(f, v, r, err);
    }
    return false;
}

/* Returns NULL if the object (NULL: the rule set) has no field of this name. */
static const struct rules_field *find_member(const struct rules_field *object, const char *name)
{
    for (const struct rules_field *f = rules_fields; f->path; f++)
        if (rules_field_object(f) == object && strcmp(rules_field_name(f), name) == 0)
            return f;
    return NULL;
}

static bool read_members(const struct rules_field *object, const cJSON *v, struct rules *r,
                         struct err *err)
{
    for (const cJSON *m = v->child; m; m = m->next)
        if (!find_member(object, m->string))
            return err_set(err, "%s%s%.40s: unknown field", object ? object->path : "",
                           object ? "." : "", m->string);
    for (const struct rules_field *f = rules_fields; f->path; f++)
        if (rules_field_object(f) == object &&
            !read_field(f, json_member(v, rules_field_name(f)), r, err))
            return false;
    return true;
}

static bool coins_fit(const struct rules *r, struct err *err)
{
    if (r->players_allowed != 1 << 2)
        return err_set(err, "players: expected [2], since coins are for two");
    if (!r->has_purse)
        return err_set(err, "purse: missing, coins need one");
    for (int i = 0; i < r->n_rounds_allowed; i++)
        if (!memchr(r->purse_rounds, r->rounds_allowed[i], r->n_purse))
            return err_set(err, "purse.%d: missing, each of rounds_allowed needs one",
                           r->rounds_allowed[i]);
    return true;
}

/* Demands of rules_check() on several fields together, in words. */
static bool fields_fit(const struct rules *r, struct err *err)
{
    if (!memchr(r->rounds_allowed, r->rounds, r->n_rounds_allowed))
        return err_set(err, "rounds: expected one of rounds_allowed, got %d", r->rounds);
    if (r->scoring == SCORING_COINS && !coins_fit(r, err))
        return false;
    for (int n = MIN_PLAYERS; n <= MAX_PLAYERS; n++) {
        int cards = n * r->hand[n] + r->table[n];
        if ((r->players_allowed & 1 << n) && cards > N_CARDS)
            return err_set(err, "hand.%d: expected at most %d cards in %d hands and table, got %d",
                           n, N_CARDS, n, cards);
    }
    const char *field = rules_check(r);
    return !field || err_set(err, "%s: does not fit the other fields", field);
}

bool ruleset_read(const cJSON *object, struct rules *ret, struct err *err)
{
    struct rules r = {.rounds = 0};
    if (!read_members(NULL, object, &r, err) || !fields_fit(&r, err))
        return false;
    *ret = r;
    return true;
}
