/* `koikoi selfplay`: options, record files, and the totals at the end. */
#include "selfplay.h"

#include "file.h"
#include "ruleset_file.h"
#include "search.h"

#include <errno.h>
#include <sys/stat.h>

struct selfplay_options {
    struct rules rules;
    int n_levels, levels[MAX_PLAYERS];
    int64_t matches, seed, visits;
    const char *record; /* folder; NULL: no records */
    const char *rules_name, *levels_text;
    int64_t rounds;
};

struct selfplay_tally {
    int64_t wins, points;
};

static const char usage[] = "usage: koikoi selfplay --rules R [--rounds N] --levels a,b[,c] "
                            "--matches N --seed S --record DIR\n"
                            "                       [--visits N]\n";

static bool read_number_option(const char *name, const char *text, int64_t low, int64_t high,
                               int64_t *ret, struct err *err)
{
    int64_t n;
    if (!str_int(str_of(text), &n) || n < low || n > high)
        return err_set(err, "%s: expected a whole number from %lld to %lld, got %s", name,
                       (long long)low, (long long)high, text);
    *ret = n;
    return true;
}

static bool read_option(struct selfplay_options *o, const char *name, const char *value,
                        struct err *err)
{
    if (strcmp(name, "--rules") == 0)
        o->rules_name = value;
    else if (strcmp(name, "--levels") == 0)
        o->levels_text = value;
    else if (strcmp(name, "--record") == 0)
        o->record = value;
    else if (strcmp(name, "--rounds") == 0)
        return read_number_option(name, value, 1, MAX_ROUNDS, &o->rounds, err);
    else if (strcmp(name, "--matches") == 0)
        return read_number_option(name, value, 1, 1000000, &o->matches, err);
    else if (strcmp(name, "--seed") == 0)
        return read_number_option(name, value, 0, INT64_MAX, &o->seed, err);
    else if (strcmp(name, "--visits") == 0)
        return read_number_option(name, value, 1, UINT32_MAX, &o->visits, err);
    else
        return err_set(err, "%s: unknown option", name);
    return true;
}

static bool read_levels(struct selfplay_options *o, struct err *err)
{
    struct str rest = str_of(o->levels_text);
    while (rest.n > 0) {
        struct str name = str_cut(rest, ',', &rest);
        int level = level_read(name.p, name.n);
        if (level < 0)
            return err_set(
                err, "--levels: expected beginner, easy, normal, hard or master, got \"%.*s\"",
                STR_ARG(name));
        if (o->n_levels == MAX_PLAYERS)
            return err_set(err, "--levels: expected at most %d, got more", MAX_PLAYERS);
        o->levels[o->n_levels++] = level;
    }
    return true;
}

/* R is the name of a rule set, or a file if it has a slash or ends in .json. */
static bool read_rules_option(struct selfplay_options *o, struct err *err)
{
    struct str name = str_of(o->rules_name), folder = str_of(getenv("KOIKOI_RULES_DIR")), bytes;
    bool is_file = strchr(o->rules_name, '/') ||
                   (name.n > 5 && str_is(str_skip(name, name.n - 5), STR(".json")));
    if (!is_file)
        return ruleset_file_find(folder, name, &o->rules, err);
    if (!file_read(o->rules_name, RULESET_FILE_MAX, &bytes, err))
        return false;
    bool ok =
        ruleset_file_read(folder, bytes, &o->rules, err) || err_wrap(err, "%s", o->rules_name);
    file_free(bytes);
    return ok;
}

static bool read_options(int argc, char **argv, struct selfplay_options *ret, struct err *err)
{
    struct selfplay_options *o = ret;
    *o = (struct selfplay_options){.matches = 1};
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 == argc)
            return err_set(err, "%s: missing its value", argv[i]);
        if (!read_option(o, argv[i], argv[i + 1], err))
            return false;
    }
    if (!o->rules_name || !o->levels_text)
        return err_set(err, "--rules and --levels: missing");
    if (!read_rules_option(o, err) || !read_levels(o, err))
        return false;
    if (o->n_levels < MIN_PLAYERS || !(o->rules.players_allowed & 1 << o->n_levels))
        return err_set(err,
                       "--levels: expected a number of players that the rule set allows, got %d",
                       o->n_levels);
    if (o->rounds > 0) {
        if (!memchr(o->rules.rounds_allowed, (int)o->rounds, o->rules.n_rounds_allowed))
            return err_set(err, "--rounds: expected a number that the rule set allows, got %d",
                           (int)o->rounds);
        o->rules.rounds = (uint8_t)o->rounds;
    }
    return true;
}

static struct move choose_move(void *arg, int who, const struct view *v, uint64_t seed)
{
    const struct selfplay_options *o = arg;
    struct budget b = {.visits = (uint32_t)o->visits};
    struct advice a;
    search(v, (enum level)o->levels[who], &b, seed, &a);
    return a.move;
}

static bool save(const char *folder, struct str id, struct str record, struct err *err)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%.*s.koikoi", folder, STR_ARG(id));
    FILE *f = fopen(path, "wb");
    bool ok = f && fwrite(record.p, 1, record.n, f) == record.n;
    if (f && fclose(f) != 0)
        ok = false;
    return ok || err_set(err, "%s: %s", path, strerror(errno));
}

static void count_result(const struct match *m, const uint8_t *joined, struct selfplay_tally *tally,
                         int64_t *draws)
{
    *draws += m->winner < 0;
    for (int p = 0; p < m->players; p++) {
        tally[joined[p]].points += m->scores[p];
        tally[joined[p]].wins += p == m->winner;
    }
}

static bool play_all(struct selfplay_options *o, struct selfplay_tally *tally, int64_t *ret_draws,
                     struct err *err)
{
    char *room = malloc(SELFPLAY_RECORD_MAX), names[MAX_PLAYERS][32], id[64];
    struct selfplay s = {
        .rules = &o->rules, .players = o->n_levels, .choose = choose_move, .arg = o};
    uint8_t joined[MAX_PLAYERS];
    struct match m;
    bool ok = room || err_set(err, "no memory");
    for (int i = 0; i < s.players; i++) {
        snprintf(names[i], sizeof names[i], "%s %d", level_key((enum level)o->levels[i]), i + 1);
        s.names[i] = str_of(names[i]);
    }
    for (int64_t k = 1; ok && k <= o->matches; k++) {
        struct buf record = {room, 0, SELFPLAY_RECORD_MAX, false};
        snprintf(id, sizeof id, "selfplay-%lld-%06lld", (long long)o->seed, (long long)k);
        s.id = str_of(id);
        s.seed = str_hash(s.id);
        ok = selfplay_match(&s, &record, &m, joined) ||
             err_set(err, "%s: the record is too long", id);
        ok = ok && (!o->record || save(o->record, s.id, buf_str(&record), err));
        if (ok)
            count_result(&m, joined, tally, ret_draws);
    }
    free(room);
    return ok;
}

int selfplay_main(int argc, char **argv)
{
    struct selfplay_tally tally[MAX_PLAYERS] = {{0, 0}};
    struct selfplay_options o;
    struct err err;
    int64_t draws = 0;
    if (!read_options(argc, argv, &o, &err)) {
        fprintf(stderr, "koikoi selfplay: %s\n%s", err.text, usage);
        return 2;
    }
    if (o.record && mkdir(o.record, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "koikoi selfplay: %s: %s\n", o.record, strerror(errno));
        return 1;
    }
    if (!play_all(&o, tally, &draws, &err)) {
        fprintf(stderr, "koikoi selfplay: %s\n", err.text);
        return 1;
    }
    printf("%s, %d round%s, %lld match%s, seed %lld, draws %lld\n", o.rules.name, o.rules.rounds,
           o.rules.rounds == 1 ? "" : "s", (long long)o.matches, o.matches == 1 ? "" : "es",
           (long long)o.seed, (long long)draws);
    for (int i = 0; i < o.n_levels; i++)
        printf("%s %d: wins %lld, points %lld\n", level_key((enum level)o.levels[i]), i + 1,
               (long long)tally[i].wins, (long long)tally[i].points);
    return 0;
}
