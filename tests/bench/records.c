/* Are all records of a store right, also those of matches that still run? records FILE
 *
 * Each is played again from its first line: a move that is there twice, or one that is missing between
 * two others, is against the rules. Prints how many there are, their moves, and how many are wrong; ends
 * with 1 if any is.
 */
#include "replay.h"
#include "store.h"

static int lines_of(struct str record, int *ret_moves)
{
    int n = 0;
    while (record.n) {
        struct str line = str_cut(record, '\n', &record);
        *ret_moves += str_starts(line, STR("{\"t\":\"play\""));
        n++;
    }
    return n;
}

/* One that stops short is right as far as it goes. */
static bool right(struct str record, int lines)
{
    struct err why;
    int line;
    if (replay_record(record, NULL, &line, &why) || line == lines + 1)
        return true;
    fprintf(stderr, "records: line %d: %s\n", line, why.text);
    return false;
}

int main(int argc, char **argv)
{
    struct store *store;
    struct err err;
    int records = 0, moves = 0, wrong = 0;
    bool found = true;
    if (argc != 2 || !store_open(str_of(argv[1]), &store, &err)) {
        fprintf(stderr, "records: %s\n", argc == 2 ? err.text : "usage: records FILE");
        return 2;
    }
    struct arena *a = arena_open((size_t)1 << 28);
    bool ok = true;
    for (int64_t id = 1; ok && found; id++) {
        struct session_row row;
        struct str record = {0};
        arena_reset(a);
        ok = store_session(store, a, id, &row, &found, &err) &&
             (!found || store_record(store, a, id, &record, &err));
        if (!ok || record.n == 0)
            continue;
        records++;
        wrong += !right(record, lines_of(record, &moves));
    }
    if (!ok)
        fprintf(stderr, "records: %s\n", err.text);
    printf("{\"bench\":\"records\",\"records\":%d,\"moves\":%d,\"wrong\":%d}\n", records, moves,
           wrong);
    arena_close(a);
    store_close(store);
    return !ok || wrong > 0 || records == 0;
}
