/* `koikoi selfplay`: options, record files, and the totals at the end. */
#include "tool.h"

#include "alloc.h"
#include "file.h"
#include "ruleset_file.h"
#include "search.h"
#include "selfplay.h"

#include <errno.h>
#include <sys/stat.h>

struct selfplay_options {
    struct rules rules;
    int n_levels, levels[MAX_PLAYERS];
    int64_t matches, seed, visits;
    struct str record; /* folder; empty: no records */
    int64_t rounds;    /* 0: as the rules say */
};

struct selfplay_tally {
    int64_t wins, points;
};

static bool read_levels(struct selfplay_options *o, struct str list, struct err *err)
{
    while (list.n > 0) {
        struct str name = str_cut(list, ',', &list);
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
static bool read_rules(struct selfplay_options *o, struct str name, struct err *err)
{
    struct str folder = str_of(getenv("KOIKOI_RULES_DIR")), bytes;
    bool is_file = memchr(name.p, '/', name.n) ||
                   (name.n > 5 && str_is(str_skip(name, name.n - 5), STR(".json")));
    if (!is_file)
        return ruleset_file_find(folder, name, &o->rules, err);
    if (!file_read(name.p, RULESET_FILE_MAX, &bytes, err))
        return false;
    bool ok = ruleset_file_read(folder, bytes, &o->rules, err) || err_wrap(err, "%s", name.p);
    file_free(bytes);
    return ok;
}

static bool read_options(struct tool *t, struct selfplay_options *o)
{
    struct str rules = {0}, levels = {0};
    const struct tool_option options[] = {
        {"--rules", .text = &rules},
        {"--levels", .text = &levels},
        {"--record", .text = &o->record},
        {"--rounds", .number = &o->rounds, .least = 1, .most = MAX_ROUNDS},
        {"--matches", .number = &o->matches, .least = 1, .most = 1000000},
        {"--seed", .number = &o->seed, .most = INT64_MAX},
        {"--visits", .number = &o->visits, .least = 1, .most = UINT32_MAX}};
    struct err *err = &t->err;
    *o = (struct selfplay_options){.matches = 1};
    if (!tool_options(t, options, sizeof options / sizeof *options))
        return false;
    if (rules.n == 0 || levels.n == 0)
        return err_set(err, "--rules and --levels: missing");
    if (!read_rules(o, rules, err) || !read_levels(o, levels, err))
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

static bool save(struct str folder, struct str id, struct str record, struct err *err)
{
    char path[512];
    snprintf(path, sizeof path, "%.*s/%.*s.koikoi", STR_ARG(folder), STR_ARG(id));
    FILE *f = fopen(path, "wb");
    bool ok = f && fwrite(record.p, 1, record.n, f) == record.n;
    if (f && fclose(f) != 0)
        ok = false;
    return ok || err_set(err, "%s: %s", path, strerror(errno));
}

static bool play_all(struct selfplay_options *o, struct selfplay_tally *tally, int64_t *ret_draws,
                     struct err *err)
{
    char *room = alloc_room(SELFPLAY_RECORD_MAX), names[MAX_PLAYERS][32], id[64];
    struct selfplay s = {
        .rules = &o->rules, .players = o->n_levels, .choose = choose_move, .arg = o};
    uint8_t joined[MAX_PLAYERS];
    struct match m;
    bool ok = true;
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
        ok = ok && (o->record.n == 0 || save(o->record, s.id, buf_str(&record), err));
        *ret_draws += ok && m.winner < 0;
        for (int p = 0; ok && p < m.players; p++) {
            tally[joined[p]].points += m.scores[p];
            tally[joined[p]].wins += p == m.winner;
        }
    }
    free(room);
    return ok;
}

enum tool_status selfplay_main(struct tool *t)
{
    struct selfplay_tally tally[MAX_PLAYERS] = {{0, 0}};
    struct selfplay_options o;
    int64_t draws = 0;
    if (!read_options(t, &o) || t->argc > 0)
        return TOOL_USAGE;
    if (o.record.n && mkdir(o.record.p, 0777) != 0 && errno != EEXIST) {
        err_set(&t->err, "%s: %s", o.record.p, strerror(errno));
        return TOOL_BAD;
    }
    if (!play_all(&o, tally, &draws, &t->err))
        return TOOL_BAD;
    printf("%s, %d round%s, %lld match%s, seed %lld, draws %lld\n", o.rules.name, o.rules.rounds,
           o.rules.rounds == 1 ? "" : "s", (long long)o.matches, o.matches == 1 ? "" : "es",
           (long long)o.seed, (long long)draws);
    for (int i = 0; i < o.n_levels; i++)
        printf("%s %d: wins %lld, points %lld\n", level_key((enum level)o.levels[i]), i + 1,
               (long long)tally[i].wins, (long long)tally[i].points);
    return TOOL_GOOD;
}
