/* Are all records of a store right, also those of matches that still run? records FILE [LEDGER]
 *
 * Each is played again from its first line: a move that is there twice, or one that is missing
 * between two others, is against the rules. What is missing at its end is not: so it must hold as
 * many cards played as the match in the store, and that must have gone on from every press that the
 * ledger of the fake (see tests/fake/telegram/ledger.h) says was answered as a move. Prints how
 * many records there are, their moves, how many are wrong and how many answered moves are lost;
 * ends with 1 if any is.
 */
#include "replay.h"
#include "session.h"
#include "store.h"

#include <cjson/cJSON.h>

enum { MOST_TAPS = 1 << 20, MOST_MATCHES = 1 << 14 };

/* What was pressed, by the number of the tap: the version of the match that a move was made in. */
struct tap {
    int64_t match, version;
};
/* The newest version from which an answered move went on; -1: none. */
static int64_t answered[MOST_MATCHES];
static int n_answered;

/* ---- the ledger ---- */

/* "p12.34.1.MAC": a move in version 34 of match 12. */
static bool is_move(struct str data, struct tap *ret)
{
    struct str rest, match = str_cut(data, '.', &rest), version = str_cut(rest, '.', &rest);
    return str_starts(match, STR("p")) && str_int(str_skip(match, 1), &ret->match) &&
           str_int(version, &ret->version) && ret->match > 0 && ret->match < MOST_MATCHES;
}

static void take_line(const cJSON *line, struct tap *taps)
{
    const cJSON *tap = cJSON_GetObjectItem(line, "tap");
    const char *data = cJSON_GetStringValue(cJSON_GetObjectItem(line, "data"));
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItem(line, "text"));
    size_t n = tap ? (size_t)tap->valuedouble : MOST_TAPS;
    if (n >= MOST_TAPS)
        return;
    if (data && !is_move(str_of(data), &taps[n]))
        taps[n].match = 0;
    if (!text || *text || taps[n].match == 0) /* a move that is taken is answered without words */
        return;
    n_answered++;
    if (taps[n].version > answered[taps[n].match])
        answered[taps[n].match] = taps[n].version;
}

static bool read_ledger(const char *file)
{
    FILE *f = fopen(file, "r");
    struct tap *taps = calloc(MOST_TAPS, sizeof *taps);
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

struct counted {
    int lines, moves, of_round;
};

static struct counted count(struct str record)
{
    struct counted n = {0};
    while (record.n) {
        struct str line = str_cut(record, '\n', &record);
        bool play = str_starts(line, STR("{\"t\":\"play\""));
        n.lines++;
        n.moves += play;
        n.of_round = str_starts(line, STR("{\"t\":\"deal\"")) ? 0 : n.of_round + play;
    }
    return n;
}

/* One that stops short is right as far as it goes. */
static bool legal(struct str record, int lines)
{
    struct err why;
    int line;
    if (replay_record(record, NULL, &line, &why) || line == lines + 1)
        return true;
    fprintf(stderr, "records: line %d: %s\n", line, why.text);
    return false;
}

static bool as_far_as(const struct session *s, const struct counted *n)
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
    static struct made made;
    static struct session s;
    struct store *store;
    struct err err;
    int records = 0, moves = 0, wrong = 0, lost = 0;
    bool found = true;
    memset(answered, -1, sizeof answered);
    if (argc < 2 || argc > 3 || !store_open(str_of(argv[1]), &store, &err)) {
        fprintf(stderr, "records: %s\n",
                argc == 2 || argc == 3 ? err.text : "usage: records FILE [LEDGER]");
        return 2;
    }
    if (argc == 3 && !read_ledger(argv[2]))
        return 2;
    struct arena *a = arena_open((size_t)1 << 28);
    bool ok = true;
    for (int64_t id = 1; ok && found; id++) {
        struct session_row row;
        struct str record = {0};
        arena_reset(a);
        ok = store_session(store, a, id, &row, &found, &err) &&
             (!found || store_record(store, a, id, &record, &err));
        if (!ok || !found || session_read(row.line, &made, &s) != NULL)
            continue;
        if (id < MOST_MATCHES && s.version <= answered[id]) {
            fprintf(stderr, "records: match %lld is at version %lld, a move in %lld was answered\n",
                    (long long)id, (long long)s.version, (long long)answered[id]);
            lost++;
        }
        if (record.n == 0)
            continue;
        struct counted n = count(record);
        records++;
        moves += n.moves;
        wrong += !legal(record, n.lines) || !as_far_as(&s, &n);
    }
    if (!ok)
        fprintf(stderr, "records: %s\n", err.text);
    printf("{\"bench\":\"records\",\"records\":%d,\"moves\":%d,\"wrong\":%d,\"answered\":%d,"
           "\"lost\":%d}\n",
           records, moves, wrong, n_answered, lost);
    arena_close(a);
    store_close(store);
    return !ok || wrong > 0 || lost > 0 || records == 0 || (argc == 3 && n_answered == 0);
}
