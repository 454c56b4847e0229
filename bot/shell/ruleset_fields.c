/* See ruleset_fields.h. The table describes every field: its name, its kind and where it lives in struct
 * rules. Reading, writing, defaults and "unknown field" all follow it; a new knob is a new row. */
#include "ruleset_fields.h"

#include <stddef.h>

enum { PATH_SIZE = 64 };

enum kind { TEXT, WHOLE, BOOL, CHOICE, PLAYERS, ROUND_LIST, PURSE, SIZES, OBJECT };
enum missing { REQUIRED, NULLABLE /* null too, the default */, DEFAULTED };

struct field {
    const char *key;
    enum kind kind;
    size_t at;             /* offset in struct rules; OBJECT: of its has_ flag, if nullable */
    int size_or_low, high; /* TEXT: bytes; WHOLE: range */
    const char *const *choices;
    const struct field *inner; /* OBJECT */
    enum missing missing;
    const char *fallback; /* DEFAULTED text */
};

#define AT(member) offsetof(struct rules, member)

static const char *const scoring[] = {"coins", "points", NULL};
static const char *const order[] = {"others_dealer_table", "players_table", "dealer_others_table",
                                    NULL};
static const char *const first[] = {"lots", "challenger", "random", NULL};
static const char *const tie[] = {"none", "extra_round", NULL};
static const char *const table_four[] = {"redeal", "keep", NULL};
static const char *const hand_four[] = {"none", "may_redeal", NULL};
static const char *const claim[] = {"declared", "automatic", NULL};
static const char *const capture[] = {"forced", "optional", NULL};
static const char *const exhausted[] = {"draw", "oya_kan", NULL};
static const char *const calls[] = {"none", "double_once", "double_each", NULL};
static const char *const any_calls[] = {"none", "double_once", "", "plus_one_each", NULL};
static const char *const rain[] = {"none", "rainman", "rainman_or_lightning", NULL};
static const char *const trio[] = {"none", "add", "absorb", NULL};

static const struct field deal[] = {
    {.key = "packet", .kind = WHOLE, .at = AT(deal_packet), .size_or_low = 1, .high = N_CARDS},
    {.key = "order", .kind = CHOICE, .at = AT(deal_order), .choices = order},
    {.key = NULL},
};

#define WORTH(name, member)                                                                        \
    {                                                                                              \
        .key = name, .kind = WHOLE, .at = AT(member), .high = MAX_WORTH                            \
    }

static const struct field hand_yaku[] = {
    WORTH("four", hand_yaku[HAND_FOUR]),
    WORTH("pairs", hand_yaku[HAND_PAIRS]),
    WORTH("double_four", hand_yaku[HAND_DOUBLE_FOUR]),
    {.key = "claim", .kind = CHOICE, .at = AT(claim), .choices = claim},
    {.key = "multiplied", .kind = BOOL, .at = AT(hand_yaku_multiplied)},
    {.key = NULL},
};

static const struct field seven_plus[] = {
    {.key = "points", .kind = WHOLE, .at = AT(seven_points), .size_or_low = 1, .high = MAX_WORTH},
    {.key = "min_yaku", .kind = WHOLE, .at = AT(seven_min_yaku), .size_or_low = 1, .high = N_CARDS},
    {.key = "x", .kind = WHOLE, .at = AT(seven_x), .size_or_low = 2, .high = MAX_WORTH},
    {.key = NULL},
};

static const struct field multipliers[] = {
    {.key = "seven_plus",
     .kind = OBJECT,
     .at = AT(has_seven_plus),
     .inner = seven_plus,
     .missing = NULLABLE},
    {.key = "own_koikoi", .kind = CHOICE, .at = AT(own_koikoi), .choices = calls},
    {.key = "opponent_koikoi", .kind = CHOICE, .at = AT(opponent_koikoi), .choices = calls},
    {.key = "any_koikoi", .kind = CHOICE, .at = AT(any_koikoi), .choices = any_calls},
    {.key = "table_brights", .kind = BOOL, .at = AT(table_brights)},
    {.key = NULL},
};

static const struct field yaku[] = {
    WORTH("goko", yaku[YAKU_GOKO]),
    WORTH("shiko", yaku[YAKU_SHIKO]),
    WORTH("ame_shiko", yaku[YAKU_AME_SHIKO]),
    WORTH("sanko", yaku[YAKU_SANKO]),
    WORTH("tsukimi", yaku[YAKU_TSUKIMI]),
    WORTH("hanami", yaku[YAKU_HANAMI]),
    WORTH("inoshikacho", yaku[YAKU_INOSHIKACHO]),
    WORTH("akatan", yaku[YAKU_AKATAN]),
    WORTH("aotan", yaku[YAKU_AOTAN]),
    WORTH("tane", yaku[YAKU_TANE]),
    WORTH("tanzaku", yaku[YAKU_TANZAKU]),
    WORTH("kasu", yaku[YAKU_KASU]),
    WORTH("hiki", yaku[YAKU_HIKI]),
    {.key = NULL},
};

static const struct field viewing[] = {
    {.key = "rain_cancels", .kind = CHOICE, .at = AT(rain_cancels), .choices = rain},
    WORTH("both", viewing_both),
    {.key = "with_brights", .kind = BOOL, .at = AT(viewing_with_brights)},
    {.key = NULL},
};

static const struct field top[] = {
    {.key = "name", .kind = TEXT, .at = AT(name), .size_or_low = RULES_NAME_SIZE},
    {.key = "players", .kind = PLAYERS, .at = AT(players_allowed)},
    {.key = "rounds", .kind = WHOLE, .at = AT(rounds), .size_or_low = 1, .high = MAX_ROUNDS},
    {.key = "rounds_allowed", .kind = ROUND_LIST},
    {.key = "scoring", .kind = CHOICE, .at = AT(scoring), .choices = scoring},
    {.key = "purse", .kind = PURSE, .missing = NULLABLE},
    {.key = "hand", .kind = SIZES, .at = AT(hand)},
    {.key = "table", .kind = SIZES, .at = AT(table)},
    {.key = "deal", .kind = OBJECT, .inner = deal},
    {.key = "first_dealer", .kind = CHOICE, .at = AT(first_dealer), .choices = first},
    {.key = "tie_break", .kind = CHOICE, .at = AT(tie_break), .choices = tie},
    {.key = "table_four", .kind = CHOICE, .at = AT(table_four), .choices = table_four},
    {.key = "hand_four", .kind = CHOICE, .at = AT(hand_four), .choices = hand_four},
    {.key = "hand_yaku",
     .kind = OBJECT,
     .at = AT(has_hand_yaku),
     .inner = hand_yaku,
     .missing = NULLABLE},
    {.key = "capture", .kind = CHOICE, .at = AT(capture), .choices = capture},
    {.key = "wild_lightning", .kind = BOOL, .at = AT(wild_lightning)},
    {.key = "exhausted", .kind = CHOICE, .at = AT(exhausted), .choices = exhausted},
    {.key = "multipliers", .kind = OBJECT, .inner = multipliers},
    {.key = "yaku", .kind = OBJECT, .inner = yaku},
    {.key = "viewing", .kind = OBJECT, .inner = viewing},
    {.key = "sake_is_plain", .kind = BOOL, .at = AT(sake_is_plain)},
    {.key = "trio_extra", .kind = CHOICE, .at = AT(trio_extra), .choices = trio},
    {.key = "words",
     .kind = TEXT,
     .at = AT(words),
     .size_or_low = RULES_WORD_SIZE,
     .missing = DEFAULTED,
     .fallback = "standard"},
    {.key = "deck",
     .kind = TEXT,
     .at = AT(deck),
     .size_or_low = RULES_WORD_SIZE,
     .missing = DEFAULTED,
     .fallback = "hanafuda"},
    {.key = NULL},
};

/* ---- reading ---- */

static bool read_fields(const struct field *fields, const cJSON *object, const char *path,
                        struct rules *r, struct err *err);

bool ruleset_word(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!((s.p[i] >= 'a' && s.p[i] <= 'z') || (s.p[i] >= '0' && s.p[i] <= '9') ||
              s.p[i] == '_' || s.p[i] == '-'))
            return false;
    return s.n > 0;
}

static bool read_text(const struct field *f, const cJSON *v, const char *path, char *ret,
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

static bool read_object(const struct field *f, const cJSON *v, const char *path, struct rules *r,
                        struct err *err)
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

static bool read_field(const struct field *f, const cJSON *v, const char *path, struct rules *r,
                       struct err *err)
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

static bool read_fields(const struct field *fields, const cJSON *object, const char *path,
                        struct rules *r, struct err *err)
{
    char inner[PATH_SIZE];
    const char *dot = *path ? "." : "";

    for (const cJSON *m = object->child; m; m = m->next) {
        const struct field *f = fields;
        while (f->key && strcmp(f->key, m->string) != 0)
            f++;
        if (!f->key)
            return err_set(err, "%s%s%.40s: unknown field", path, dot, m->string);
    }
    for (const struct field *f = fields; f->key; f++) {
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

    if (!read_fields(top, object, "", &r, err) || !fits(&r, err))
        return false;
    *ret = r;
    return true;
}

/* ---- writing ---- */

static void write_fields(struct buf *b, const struct field *fields, const struct rules *r);

static void write_sizes(struct buf *b, const uint8_t *at)
{
    const char *comma = "";

    buf_char(b, '{');
    for (int n = MIN_PLAYERS; n <= MAX_PLAYERS; n++)
        if (at[n] > 0) {
            buf_print(b, "%s\"%d\":%d", comma, n, at[n]);
            comma = ",";
        }
    buf_char(b, '}');
}

static void write_purse(struct buf *b, const struct rules *r)
{
    for (int i = 0; i < r->n_purse; i++)
        buf_print(b, "%c\"%d\":%d", i == 0 ? '{' : ',', r->purse_rounds[i], r->purse[i]);
    buf_put(b, r->has_purse ? STR("}") : STR("null"));
}

static void write_list(struct buf *b, const struct rules *r, bool rounds)
{
    const char *comma = "";

    buf_char(b, '[');
    for (int n = MIN_PLAYERS; !rounds && n <= MAX_PLAYERS; n++)
        if (r->players_allowed & 1 << n) {
            buf_print(b, "%s%d", comma, n);
            comma = ",";
        }
    for (int i = 0; rounds && i < r->n_rounds_allowed; i++)
        buf_print(b, "%s%d", i > 0 ? "," : "", r->rounds_allowed[i]);
    buf_char(b, ']');
}

static void write_value(struct buf *b, const struct field *f, const struct rules *r)
{
    const uint8_t *at = (const uint8_t *)r + f->at;

    switch (f->kind) {
    case TEXT:
        json_put_text(b, str_of((const char *)at));
        break;
    case WHOLE:
        buf_int(b, *at);
        break;
    case BOOL:
        buf_put(b, *(const bool *)at ? STR("true") : STR("false"));
        break;
    case CHOICE:
        json_put_text(b, str_of(f->choices[*at]));
        break;
    case PLAYERS:
    case ROUND_LIST:
        write_list(b, r, f->kind == ROUND_LIST);
        break;
    case PURSE:
        write_purse(b, r);
        break;
    case SIZES:
        write_sizes(b, at);
        break;
    case OBJECT:
        if (f->missing == NULLABLE && !*(const bool *)at)
            buf_put(b, STR("null"));
        else
            write_fields(b, f->inner, r);
    }
}

static void write_fields(struct buf *b, const struct field *fields, const struct rules *r)
{
    for (const struct field *f = fields; f->key; f++) {
        buf_print(b, "%c\"%s\":", f == fields ? '{' : ',', f->key);
        write_value(b, f, r);
    }
    buf_char(b, '}');
}

void ruleset_write(struct buf *b, const struct rules *r)
{
    write_fields(b, top, r);
}
