/* Fields of a rule set as JSON, both ways, by the table of rules_field.h; then the search for rule
 * sets by name, and `extends`. See ruleset_file.h. */
#include "ruleset_file.h"

#include "embedded.h"
#include "rules_field.h"

#include <dirent.h>

/* ---- fields in ---- */

static void read_members(const struct rules_field *object, struct json v, struct rules *r);

static void read_word(const struct rules_field *f, struct json v, struct rules *r)
{
    struct str s = json_str(v, NULL);
    if (rules_is_word(s.p, s.n, (size_t)f->most - 1))
        memcpy((char *)r + f->at, s.p, s.n);
    else
        json_fail(v, NULL, "expected 1 to %d of a-z, 0-9, _ and -, got \"%.40s\"", f->most - 1,
                  s.p);
}

static void read_players(struct json v, struct rules *r)
{
    struct json m = json_first(json_list(v, NULL, 1, MAX_PLAYERS - MIN_PLAYERS + 1));
    for (; m.at; m = json_next(m)) {
        int n = (int)json_int(m, NULL, MIN_PLAYERS, MAX_PLAYERS);
        if (r->players_allowed & 1 << n)
            json_fail(m, NULL, "expected different numbers, got %d twice", n);
        r->players_allowed |= (uint8_t)(1 << n);
    }
}

static void read_round_list(const struct rules_field *f, struct json v, struct rules *r)
{
    struct json m = json_first(json_list(v, NULL, 1, MAX_ROUND_CHOICES));
    for (; m.at; m = json_next(m)) {
        int n = (int)json_int(m, NULL, f->least, f->most);
        if (memchr(r->rounds_allowed, n, r->n_rounds_allowed))
            json_fail(m, NULL, "expected different numbers, got %d twice", n);
        r->rounds_allowed[r->n_rounds_allowed++] = (uint8_t)n;
    }
}

/* Each key is a number of rounds: "3", not "03" or "+3". */
static void read_purse(const struct rules_field *f, struct json v, struct rules *r)
{
    int least = r->scoring == SCORING_COINS ? f->least : 0;
    for (struct json m = json_first(v); m.at; m = json_next(m)) {
        struct str key = json_name(m);
        int64_t rounds = 0;
        if (key.p[0] == '0' || !str_int(key, &rounds) || rounds < 1 || rounds > MAX_ROUNDS) {
            json_fail(m, NULL, "expected a number of rounds from 1 to %d, got \"%.20s\"",
                      MAX_ROUNDS, key.p);
            return;
        }
        if (r->n_purse == MAX_ROUND_CHOICES) {
            json_fail(v, NULL, "expected at most %d numbers of rounds, got more",
                      MAX_ROUND_CHOICES);
            return;
        }
        r->purse_rounds[r->n_purse] = (uint8_t)rounds;
        r->purse[r->n_purse++] = (int16_t)json_int(m, NULL, least, f->most);
    }
    r->has_purse = true;
    if (r->n_purse == 0)
        json_fail(v, NULL, "expected a number of rounds or null, got {}");
}

static bool is_nullable(const struct rules_field *f)
{
    return f->kind == RULES_PURSE || (f->kind == RULES_OBJECT && f->at != 0);
}

/* An object that is null leaves its fields 0. */
static void read_object(const struct rules_field *f, struct json v, struct rules *r)
{
    if (is_nullable(f) && json_kind(v) == JSON_NULL)
        return;
    if (json_kind(v) != JSON_OBJECT) {
        json_unexpected(v, NULL, is_nullable(f) ? "null or an object" : "an object");
    } else if (f->kind == RULES_PURSE) {
        read_purse(f, v, r);
    } else {
        if (is_nullable(f))
            rules_field_set(r, f, true);
        read_members(f, v, r);
    }
}

static void read_field(const struct rules_field *f, struct json v, struct rules *r)
{
    switch (f->kind) {
    case RULES_WORD:
        read_word(f, v, r);
        break;
    case RULES_NUMBER:
        rules_field_set(r, f, (int)json_int(v, NULL, f->least, f->most));
        break;
    case RULES_CHOICE:
        rules_field_set(r, f, json_word(v, NULL, f->words));
        break;
    case RULES_SWITCH:
        rules_field_set(r, f, json_bool(v, NULL));
        break;
    case RULES_PLAYERS:
        read_players(v, r);
        break;
    case RULES_ROUND_LIST:
        read_round_list(f, v, r);
        break;
    case RULES_PURSE:
    case RULES_OBJECT:
        read_object(f, v, r);
    }
}

/* A field that the text leaves out: null, 0 or its fallback, if it may be. */
static void read_missing(const struct rules_field *f, struct json object, struct rules *r)
{
    bool unused = f->players != 0 && !(r->players_allowed & 1 << f->players);
    if (f->fallback)
        memcpy((char *)r + f->at, f->fallback, strlen(f->fallback));
    else if (!is_nullable(f) && !unused && !f->later)
        json_fail(object, rules_field_name(f), "missing");
}

/* The fields of an object of the rule set; NULL: of the rule set itself. */
static void read_members(const struct rules_field *object, struct json v, struct rules *r)
{
    const char *known[MAX_RULES_FIELDS + 1] = {NULL};
    int n = 0;
    for (const struct rules_field *f = rules_fields; f->path; f++)
        if (rules_field_object(f) == object)
            known[n++] = rules_field_name(f);
    json_allow(v, known);
    for (const struct rules_field *f = rules_fields; f->path; f++) {
        if (rules_field_object(f) != object)
            continue;
        struct json m = json_at(v, rules_field_name(f));
        if (m.at)
            read_field(f, m, r);
        else
            read_missing(f, v, r);
    }
}

static void check_coins(struct json v, const struct rules *r)
{
    char field[16];
    if (r->players_allowed != 1 << 2)
        json_fail(v, "players", "expected [2], since coins are for two");
    if (!r->has_purse)
        json_fail(v, "purse", "missing, coins need one");
    for (int i = 0; i < r->n_rounds_allowed; i++)
        if (!memchr(r->purse_rounds, r->rounds_allowed[i], r->n_purse)) {
            snprintf(field, sizeof field, "purse.%d", r->rounds_allowed[i]);
            json_fail(v, field, "missing, each of rounds_allowed needs one");
        }
}

/* Demands of rules_check() on several fields together, in words. */
static void check_fields(struct json v, const struct rules *r)
{
    char hand[16], table[16];
    if (!memchr(r->rounds_allowed, r->rounds, r->n_rounds_allowed))
        json_fail(v, "rounds", "expected one of rounds_allowed, got %d", r->rounds);
    if (r->scoring == SCORING_COINS)
        check_coins(v, r);
    for (int n = MIN_PLAYERS; n <= MAX_PLAYERS; n++) {
        int cards = n * r->hand[n] + r->table[n];
        snprintf(hand, sizeof hand, "hand.%d", n);
        if ((r->players_allowed & 1 << n) && cards > N_CARDS)
            json_fail(v, hand, "expected at most %d cards in %d hands and table, got %d", N_CARDS,
                      n, cards);
        snprintf(table, sizeof table, "table.%d", n);
        if ((r->players_allowed & 1 << n) && r->table_four == TABLE_FOUR_REDEAL &&
            r->table[n] > MAX_TABLE_REDEALT)
            json_fail(v, table, "expected at most %d, since four of a month void the deal, got %d",
                      MAX_TABLE_REDEALT, r->table[n]);
    }
    const char *field = rules_check(r);
    if (field)
        json_fail(v, field, "does not fit the other fields");
}

/* Reads an object without `extends`. */
static void read_rules(struct json v, struct rules *ret)
{
    struct rules r = {.rounds = 0};
    read_members(NULL, v, &r);
    if (json_good(v))
        check_fields(v, &r);
    if (json_good(v))
        *ret = r;
}

/* ---- fields out ---- */

static void write_members(struct buf *b, const struct rules_field *object, const struct rules *r);

static void write_purse(struct buf *b, const struct rules *r)
{
    char rounds[8];
    json_put_open(b, NULL, '{');
    for (int i = 0; i < r->n_purse; i++) {
        snprintf(rounds, sizeof rounds, "%d", r->purse_rounds[i]);
        json_put_int(b, rounds, r->purse[i]);
    }
    buf_char(b, '}');
}

static void write_value(struct buf *b, const struct rules_field *f, const struct rules *r)
{
    switch (f->kind) {
    case RULES_WORD:
        json_put_str(b, NULL, str_of((const char *)r + f->at));
        break;
    case RULES_NUMBER:
        json_put_int(b, NULL, rules_field_get(r, f));
        break;
    case RULES_CHOICE:
        json_put_str(b, NULL, str_of(f->words[rules_field_get(r, f)]));
        break;
    case RULES_SWITCH:
        json_put_bool(b, NULL, rules_field_get(r, f));
        break;
    case RULES_PLAYERS:
        json_put_open(b, NULL, '[');
        for (int n = MIN_PLAYERS; n <= MAX_PLAYERS; n++)
            if (r->players_allowed & 1 << n)
                json_put_int(b, NULL, n);
        buf_char(b, ']');
        break;
    case RULES_ROUND_LIST:
        json_put_open(b, NULL, '[');
        for (int i = 0; i < r->n_rounds_allowed; i++)
            json_put_int(b, NULL, r->rounds_allowed[i]);
        buf_char(b, ']');
        break;
    case RULES_PURSE:
        if (r->has_purse)
            write_purse(b, r);
        else
            json_put_null(b, NULL);
        break;
    case RULES_OBJECT:
        if (rules_field_get(r, f))
            write_members(b, f, r);
        else
            json_put_null(b, NULL);
    }
}

static void write_members(struct buf *b, const struct rules_field *object, const struct rules *r)
{
    json_put_open(b, NULL, '{');
    for (const struct rules_field *f = rules_fields; f->path; f++) {
        bool left_out = (f->later || f->players != 0) && rules_field_is_usual(r, f);
        if (rules_field_object(f) != object || left_out)
            continue;
        json_put_name(b, rules_field_name(f));
        write_value(b, f, r);
    }
    buf_char(b, '}');
}

void ruleset_file_write(struct buf *b, const struct rules *r)
{
    write_members(b, NULL, r);
}

/* ---- files, and what they extend ---- */

enum { MAX_EXTENDS = 8 };

/* Origin of a text. A file that extends its own name means the built-in rule set of that name. */
struct ruleset_source {
    struct str folder, name; /* name: of its file, or empty */
    bool built_in;
    int depth; /* how many rule sets extend one another up to this one */
};

static bool open_text(const struct ruleset_source *from, struct str bytes, struct json *ret,
                      struct err *err);

/* Finds the bytes of a named rule set: the folder's file, read into room, or the built-in one. */
static bool find_bytes(const struct ruleset_source *from, char room[static RULESET_FILE_MAX + 1],
                       struct str *ret, struct err *err)
{
    char path[512];
    FILE *f = NULL;
    if (!rules_is_word(from->name.p, from->name.n, RULES_NAME_SIZE - 1))
        return err_set(err, "expected the name of a rule set, got \"%.*s\"",
                       (int)(from->name.n < 40 ? from->name.n : 40), from->name.p);
    if (from->depth > MAX_EXTENDS)
        return err_set(err, "expected at most %d rule sets that extend one another, got more",
                       MAX_EXTENDS);
    if (!from->built_in && from->folder.n > 0 && from->folder.n + from->name.n + 8 < sizeof path) {
        snprintf(path, sizeof path, "%.*s/%.*s.json", STR_ARG(from->folder), STR_ARG(from->name));
        f = fopen(path, "rb");
    }
    if (f) {
        *ret = (struct str){room, fread(room, 1, RULESET_FILE_MAX + 1, f)};
        fclose(f);
        return true;
    }
    snprintf(path, sizeof path, "rules/%.*s.json", STR_ARG(from->name));
    *ret = embedded_find(str_of(path));
    return ret->p || err_set(err, "no rule set is called \"%.*s\"", STR_ARG(from->name));
}

/* Fills an object with what it extends. */
static void expand(struct json v, const struct ruleset_source *from)
{
    char room[RULESET_FILE_MAX + 1];
    struct str bytes;
    struct json tree;
    struct err err;
    if (!json_at(v, "extends").at)
        return;
    struct ruleset_source base = {
        .folder = from->folder, .name = json_str(v, "extends"), .depth = from->depth + 1};
    base.built_in = from->built_in || str_is(base.name, from->name);
    if (!json_good(v))
        return;
    if (!find_bytes(&base, room, &bytes, &err)) {
        json_fail(v, "extends", "%s", err.text);
    } else if (!open_text(&base, bytes, &tree, &err)) {
        json_fail(v, "extends", "%.*s.json: %s", STR_ARG(base.name), err.text);
    } else {
        json_fill(v, tree);
        json_remove(v, "extends");
        json_free(tree);
    }
}

/* `name` must be the name of the file; a file that extends another may leave it out. */
static void check_name(struct json v, struct str name)
{
    struct json found = json_at(v, "name");
    if (!found.at && json_at(v, "extends").at)
        json_set_str(v, "name", name);
    else if (!json_is_str(v, "name", name))
        json_fail(v, "name", "expected \"%.*s\", the name of its file, got %s", STR_ARG(name),
                  json_kind(found) == JSON_STRING ? json_str(found, NULL).p
                  : found.at                      ? "no string"
                                                  : "nothing");
}

/* The text of a rule set as an object without `extends`. */
static bool open_text(const struct ruleset_source *from, struct str bytes, struct json *ret,
                      struct err *err)
{
    if (bytes.n > RULESET_FILE_MAX)
        return err_set(err, "expected at most %d bytes, got more", RULESET_FILE_MAX);
    struct json v = json_open(bytes, JSON_NUMBERED);
    if (json_good(v) && from->name.n > 0)
        check_name(v, from->name);
    if (json_good(v))
        expand(v, from);
    *ret = v;
    return json_good(v) || json_close(v, err);
}

static bool read_text(const struct ruleset_source *from, struct str bytes, struct rules *ret,
                      struct err *err)
{
    struct json v;
    if (!open_text(from, bytes, &v, err))
        return false;
    read_rules(v, ret);
    return json_close(v, err);
}

bool ruleset_file_find(struct str folder, struct str name, struct rules *ret, struct err *err)
{
    char room[RULESET_FILE_MAX + 1];
    struct ruleset_source from = {.folder = folder, .name = name};
    struct str bytes;
    if (!find_bytes(&from, room, &bytes, err))
        return false;
    return read_text(&from, bytes, ret, err) || err_wrap(err, "%.*s.json", STR_ARG(name));
}

bool ruleset_file_read(struct str folder, struct str bytes, struct rules *ret, struct err *err)
{
    return read_text(&(struct ruleset_source){.folder = folder}, bytes, ret, err);
}

void ruleset_file_value(struct json v, const char *key, struct str folder, struct rules *ret)
{
    struct json value = json_at(v, key);
    struct err err;
    if (json_kind(value) == JSON_STRING) {
        if (!ruleset_file_find(folder, json_str(value, NULL), ret, &err))
            json_fail(value, NULL, "%s", err.text);
        return;
    }
    value = json_object(v, key);
    if (!value.at)
        return;
    expand(value, &(struct ruleset_source){.folder = folder});
    if (json_good(v))
        read_rules(value, ret);
}

static bool add_name(struct str file, int max, char ret[][RULES_NAME_SIZE], int *n)
{
    int at = 0;
    if (file.n <= 5 || !str_is(str_skip(file, file.n - 5), STR(".json")))
        return true;
    file.n -= 5;
    if (!rules_is_word(file.p, file.n, RULES_NAME_SIZE - 1))
        return true;
    char name[RULES_NAME_SIZE] = {0};
    memcpy(name, file.p, file.n);
    while (at < *n && strcmp(ret[at], name) < 0)
        at++;
    if (at < *n && strcmp(ret[at], name) == 0)
        return true;
    if (*n == max)
        return false;
    memmove(ret[at + 1], ret[at], (size_t)(*n - at) * RULES_NAME_SIZE);
    memcpy(ret[at], name, sizeof name);
    ++*n;
    return true;
}

int ruleset_file_names(struct str folder, int max, char ret[][RULES_NAME_SIZE])
{
    char path[512];
    int n = 0;
    for (int i = 0; i < embedded_count(); i++)
        if (str_starts(str_of(embedded_at(i).name), STR("rules/")))
            (void)add_name(str_of(embedded_at(i).name + 6), max, ret, &n);
    snprintf(path, sizeof path, "%.*s", STR_ARG(folder));
    DIR *d = folder.n > 0 ? opendir(path) : NULL;
    for (struct dirent *e; d && (e = readdir(d));)
        if (!add_name(str_of(e->d_name), max, ret, &n))
            break;
    if (d)
        closedir(d);
    return n;
}

int ruleset_file_all(struct str folder, struct str wanted, struct rules ret[RULESETS_MOST],
                     struct err *err)
{
    char names[RULESETS_MOST][RULES_NAME_SIZE];
    int n = ruleset_file_names(folder, RULESETS_MOST, names);
    bool found = false;
    for (int i = 0; i < n; i++) {
        if (!ruleset_file_find(folder, str_of(names[i]), &ret[i], err))
            return 0;
        found |= str_is(str_of(names[i]), wanted);
    }
    if (!found)
        err_set(err, "no rule set is called \"%.*s\"", STR_ARG(wanted));
    return found ? n : 0;
}
