/* A rule set's fields from JSON: see ruleset_fields.h. What is wrong is named by its dotted
 * place. */
#include "ruleset_fields.h"
#include "ruleset_table.h"

enum { PATH_SIZE = 64 };

static bool read_fields(const struct ruleset_field *fields, const cJSON *object, const char *path,
                        struct rules *r, struct err *err);

bool ruleset_word(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!((s.p[i] >= 'a' && s.p[i] <= 'z') || (s.p[i] >= '0' && s.p[i] <= '9') ||
              s.p[i] == '_' || s.p[i] == '-'))
            return false;
    return s.n > 0;
}

static bool read_text(const struct ruleset_field *f, const cJSON *v, const char *path, char *ret,
                      struct err *err)
{
    struct str s = str_of(f->fallback);

    if ((v || f->missing != DEFAULTED) && !json_text(v, path, &s, err))
        return false;
    if (!ruleset_word(s) || s.n >= (size_t)f->size_or_low)
        return err_set(err, "%s: must be 1 to %d of a-z, 0-9, _ and -", path, f->size_or_low - 1);
    memcpy(ret, s.p, s.n);
    return true;
}

static bool read_players(const cJSON *v, const char *path, struct rules *r, struct err *err)
{
    int64_t n;

    if (!json_list(v, path, 1, MAX_PLAYERS - MIN_PLAYERS + 1, err))
        return false;
    for (const cJSON *m = v->child; m; m = m->next) {
        if (!json_whole(m, path, MIN_PLAYERS, MAX_PLAYERS, &n, err))
            return false;
        if (r->players_allowed & 1 << n)
            return err_set(err, "%s: %d is there twice", path, (int)n);
        r->players_allowed |= (uint8_t)(1 << n);
    }
    return true;
}

static bool read_round_list(const cJSON *v, const char *path, struct rules *r, struct err *err)
{
    int64_t n;

    if (!json_list(v, path, 1, MAX_ROUND_CHOICES, err))
        return false;
    for (const cJSON *m = v->child; m; m = m->next) {
        if (!json_whole(m, path, 1, MAX_ROUNDS, &n, err))
            return false;
        if (memchr(r->rounds_allowed, (int)n, r->n_rounds_allowed))
            return err_set(err, "%s: %d is there twice", path, (int)n);
        r->rounds_allowed[r->n_rounds_allowed++] = (uint8_t)n;
    }
    return true;
}

/* A member named by a number: "3", not "03" or "+3". */
static bool number_key(const cJSON *m, const char *path, int low, int high, int *ret,
                       struct err *err)
{
    int64_t n = 0;

    if (m->string[0] == '0' || !str_int(str_of(m->string), &n) || n < low || n > high)
        return err_set(err, "%s.%.20s: unknown field, must be a number from %d to %d", path,
                       m->string, low, high);
    *ret = (int)n;
    return true;
}

static bool read_purse(const cJSON *v, const char *path, struct rules *r, struct err *err)
{
    char inner[PATH_SIZE];
    int64_t coins;
    int rounds = 0;

    if (!v || cJSON_IsNull(v))
        return true;
    if (!cJSON_IsObject(v))
        return err_set(err, "%s: must be null or an object", path);
    for (const cJSON *m = v->child; m; m = m->next) {
        if (!number_key(m, path, 1, MAX_ROUNDS, &rounds, err))
            return false;
        if (r->n_purse == MAX_ROUND_CHOICES)
            return err_set(err, "%s: at most %d entries", path, MAX_ROUND_CHOICES);
        struct buf b = BUF(inner);
        buf_print(&b, "%s.%d", path, rounds);
        if (!json_whole(m, inner, r->scoring == SCORING_COINS, MAX_PURSE, &coins, err))
            return false;
        r->purse_rounds[r->n_purse] = (uint8_t)rounds;
        r->purse[r->n_purse++] = (int16_t)coins;
    }
    r->has_purse = true;
    return r->n_purse > 0 || err_set(err, "%s: empty", path);
}

static bool read_sizes(const cJSON *v, const char *path, const struct rules *r, uint8_t *ret,
                       struct err *err)
{
    char inner[PATH_SIZE];
    int64_t cards;
    int players = 0;

    if (!v)
        return err_set(err, "%s: missing", path);
    if (!cJSON_IsObject(v))
        return err_set(err, "%s: must be an object", path);
    for (const cJSON *m = v->child; m; m = m->next) {
        if (!number_key(m, path, MIN_PLAYERS, MAX_PLAYERS, &players, err))
            return false;
        struct buf b = BUF(inner);
        buf_print(&b, "%s.%d", path, players);
        if (!json_whole(m, inner, 1, N_CARDS, &cards, err))
            return false;
        ret[players] = (uint8_t)cards;
    }
    for (int n = MIN_PLAYERS; n <= MAX_PLAYERS; n++)
        if ((r->players_allowed & 1 << n) && ret[n] == 0)
            return err_set(err, "%s.%d: missing", path, n);
    return true;
}

static bool read_object(const struct ruleset_field *f, const cJSON *v, const char *path,
                        struct rules *r, struct err *err)
{
    if (f->missing == NULLABLE) {
        bool has = v && !cJSON_IsNull(v);
        if (!has)
            return true;
        *(bool *)((char *)r + f->at) = true;
    }
    if (!v)
        return err_set(err, "%s: missing", path);
    if (!cJSON_IsObject(v))
        return err_set(err, "%s: must be %san object", path,
                       f->missing == NULLABLE ? "null or " : "");
    return read_fields(f->inner, v, path, r, err);
}

static bool read_field(const struct ruleset_field *f, const cJSON *v, const char *path,
                       struct rules *r, struct err *err)
{
    uint8_t *at = (uint8_t *)r + f->at;
    int64_t n;
    int i;

    switch (f->kind) {
    case TEXT:
        return read_text(f, v, path, (char *)at, err);
    case WHOLE:
        if (!json_whole(v, path, f->size_or_low, f->high, &n, err))
            return false;
        *at = (uint8_t)n;
        return true;
    case BOOL:
        return json_bool(v, path, (bool *)at, err);
    case CHOICE:
        if (!json_choice(v, path, f->choices, &i, err))
            return false;
        *at = (uint8_t)i;
        return true;
    case PLAYERS:
        return read_players(v, path, r, err);
    case ROUND_LIST:
        return read_round_list(v, path, r, err);
    case PURSE:
        return read_purse(v, path, r, err);
    case SIZES:
        return read_sizes(v, path, r, at, err);
    case OBJECT:
        return read_object(f, v, path, r, err);
    }
    return false;
}

static bool read_fields(const struct ruleset_field *fields, const cJSON *object, const char *path,
                        struct rules *r, struct err *err)
{
    char inner[PATH_SIZE];
    const char *dot = *path ? "." : "";

    for (const cJSON *m = object->child; m; m = m->next) {
        const struct ruleset_field *f = fields;
        while (f->key && strcmp(f->key, m->string) != 0)
            f++;
        if (!f->key)
            return err_set(err, "%s%s%.40s: unknown field", path, dot, m->string);
    }
    for (const struct ruleset_field *f = fields; f->key; f++) {
        struct buf b = BUF(inner);
        buf_print(&b, "%s%s%s", path, dot, f->key);
        if (!read_field(f, json_member(object, f->key), inner, r, err))
            return false;
    }
    return true;
}

/* What must fit together, said in words where one field does not tell it. */
static bool fits(const struct rules *r, struct err *err)
{
    if (!memchr(r->rounds_allowed, r->rounds, r->n_rounds_allowed))
        return err_set(err, "rounds: %d is not in rounds_allowed", r->rounds);
    if (r->scoring == SCORING_COINS) {
        if (r->players_allowed != 1 << 2)
            return err_set(err, "players: coins are for two, it must be [2]");
        if (!r->has_purse)
            return err_set(err, "purse: coins need one");
        for (int i = 0; i < r->n_rounds_allowed; i++)
            if (!memchr(r->purse_rounds, r->rounds_allowed[i], r->n_purse))
                return err_set(err, "purse.%d: missing, every one of rounds_allowed needs it",
                               r->rounds_allowed[i]);
    }
    for (int n = MIN_PLAYERS; n <= MAX_PLAYERS; n++)
        if ((r->players_allowed & 1 << n) && n * r->hand[n] + r->table[n] > N_CARDS)
            return err_set(err, "hand.%d: %d hands and the table need more than 48 cards", n, n);
    const char *field = rules_check(r);
    return !field || err_set(err, "%s: does not fit the other fields", field);
}

bool ruleset_read(const cJSON *object, struct rules *ret, struct err *err)
{
    struct rules r = {.rounds = 0};

    if (!read_fields(ruleset_table, object, "", &r, err) || !fits(&r, err))
        return false;
    *ret = r;
    return true;
}
