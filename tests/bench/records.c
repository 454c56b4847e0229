/* Check of all records of a store, those of running matches included: records FILE [EVENTS]
 *
 * It replays each record: a repeated move, or one missing between two others, breaks the rules. A
 * move missing at the end does not: so the record must contain as many played cards as the stored
 * match, and the match must be past every press that the fake's event log
 * (tests/fake/telegram/bot/event_log.h) shows as answered. Prints the number of records, of moves,
 * of wrong records and of lost moves; exits with 1 if there are any of the last two.
 */
#include "replay.h"
#include "session.h"
#include "store.h"

#include <cjson/cJSON.h>

enum { MOST_TAPS = 1 << 20, MOST_MATCHES = 1 << 14 };

/* Presses by the number of their tap: the match version in which the move was made. */
struct recorded_tap {
    int64_t match, version;
};
/* The newest version in which a move was answered; -1: none. */
static int64_t answered[MOST_MATCHES];
static int n_answered;

/* ---- the event log ---- */

/* "p12.34.1.MAC": a move in version 34 of match 12. */
static bool is_move(struct str data, struct recorded_tap *ret)
{
    struct str rest, match = str_cut(data, '.', &rest), version = str_cut(rest, '.', &rest);
    return str_starts(match, STR("p")) && str_int(str_skip(match, 1), &ret->match) &&
           str_int(version, &ret->version) && ret->match > 0 && ret->match < MOST_MATCHES;
}

static void take_line(const cJSON *line, struct recorded_tap *taps)
{
    const cJSON *tap = cJSON_GetObjectItem(line, "tap");
    const char *data = cJSON_GetStringValue(cJSON_GetObjectItem(line, "data"));
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItem(line, "text"));
    size_t n = tap ? (size_t)tap->valuedouble : MOST_TAPS;
    if (n >= MOST_TAPS)
        return;
    if (data && !is_move(str_of(data), &taps[n]))
        taps[n].match = 0;
    if (!text || *text || taps[n].match == 0) /* a move's answer is empty */
        return;
    n_answered++;
    if (taps[n].version > answered[taps[n].match])
        answered[taps[n].match] = taps[n].version;
}

static bool read_events(const char *file)
{
    FILE *f = fopen(file, "r");
    struct recorded_tap *taps = calloc(MOST_TAPS, sizeof *taps);
    char *line = NULL;
    size_t cap = 0;
    if (!f || !taps) {
        perror(file);
        return false;
    }
    while (getline(&line, &cap, f) > 0) {
        if (strncmp(line, "{\"t\":\"press\"", 12) != 0 &&
            strncmp(line, "{\"t\":\"answer\"", 13) != 0)
            continue;
        cJSON *one = cJSON_Parse(line);
        take_line(one, taps);
        cJSON_Delete(one);
    }
    free(line);
    free(taps);
    fclose(f);
    return true;
}

/* ---- the records ---- */

struct record_counts {
    int lines, moves, of_round;
};

static struct record_counts count(struct str record)
{
    struct record_counts n = {0};
    while (record.n) {
        struct str line = str_cut(record, '\n', &record);
        bool play = str_starts(line, STR("{\"t\":\"play\""));
        n.lines++;
        n.moves += play;
        n.of_round = str_starts(line, STR("{\"t\":\"deal\"")) ? 0 : n.of_round + play;
    }
    return n;
}

/* A record that stops early is right as far as it goes. */
static bool legal(struct str record, int lines)
{
    struct err why;
    int line;
    if (replay_record(record, NULL, &line, &why) || line == lines + 1)
        return true;
    fprintf(stderr, "records: line %d: %s\n", line, why.text);
    return false;
}

static bool as_far_as(const struct session *s, const struct record_counts *n)
{
    int played = 0;
    for (int i = 0; i < s->match.round.n_seen; i++)
        played += (s->match.round.seen[i].seat_kind & 15) == SEEN_PLAY;
    if (played == n->of_round)
        return true;
    fprintf(stderr, "records: match %lld: %d cards played, %d in the record\n", (long long)s->no,
            played, n->of_round);
    return false;
}

int main(int argc, char **argv)
{
    static struct ruleset_cache rulesets;
    static struct session s;
    struct store *store;
    struct err err;
    int records = 0, moves = 0, wrong = 0, lost = 0;
    memset(answered, -1, sizeof answered);
    if (argc < 2 || argc > 3 || !store_open(str_of(argv[1]), &store, &err)) {
        fprintf(stderr, "records: %s\n",
                argc == 2 || argc == 3 ? err.text : "usage: records FILE [EVENTS]");
        return 2;
    }
    if (argc == 3 && !read_events(argv[2]))
        return 2;
    struct arena *a = arena_open((size_t)1 << 28);
    const struct session_row *row;
    for (int64_t id = 1; (row = store_session(store, a, id)); id++, arena_reset(a)) {
        struct str record = store_record(store, a, id);
        if (session_read(row->line, &rulesets, &s) != NULL)
            continue;
        if (id < MOST_MATCHES && s.version <= answered[id]) {
            fprintf(stderr, "records: match %lld is at version %lld, a move in %lld was answered\n",
                    (long long)id, (long long)s.version, (long long)answered[id]);
            lost++;
        }
        if (record.n == 0)
            continue;
        struct record_counts n = count(record);
        records++;
        moves += n.moves;
        wrong += !legal(record, n.lines) || !as_far_as(&s, &n);
    }
    bool ok = !store_take_failure(store, &err);
    if (!ok)
        fprintf(stderr, "records: %s\n", err.text);
    printf("{\"bench\":\"records\",\"records\":%d,\"moves\":%d,\"wrong\":%d,\"answered\":%d,"
           "\"lost\":%d}\n",
           records, moves, wrong, n_answered, lost);
    arena_close(a);
    store_close(store);
    return !ok || wrong > 0 || lost > 0 || records == 0 || (argc == 3 && n_answered == 0);
}
