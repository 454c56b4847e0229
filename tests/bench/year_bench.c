/* The store after a simulated year: year_bench [SMOKE]
 *
 * A hundredth of 10,000 matches a day, for 365 days: 100 matches of 3 rounds a day, in 500 groups
 * of 40 people, each with its session (saved 40 times), its record in pieces as it is played, its
 * results of a season and its marks of heard updates, which leave after three days as the daemon's
 * do. With and without retention_days. Everything else that a store holds (messages that wait,
 * names of pictures, codes) does not grow with time. File sizes of a whole year at the full rate
 * are these times a hundred. It does not sync: what is measured is size and the time of look-ups,
 * not commits.
 */
#include "clock.h"
#include "db_file.h"
#include "fixture/match/random_match.h"
#include "store.h"
#include "store_season.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    DAYS = 365,
    A_DAY = 100,
    FULL_RATE = 10000,
    GROUPS = 500,
    PEOPLE = 40,
    SAVES = 40,
    UPDATES = 60,
    LINE_BYTES = 1500, /* of a session of two in one group */
    RECORDS = 16,
    LOOKS = 2000
};
static const int64_t DAY_MS = 24 * 3600 * (int64_t)1000, HEARD_MS = 3 * 24 * 3600 * (int64_t)1000;

static struct store *store;
static struct arena *turn;
static int64_t account;
static struct err err;
static struct str records[RECORDS];

static void must(bool ok)
{
    if (!ok) {
        fprintf(stderr, "year_bench: %s\n", err.text);
        exit(1);
    }
}

static void make_records(void)
{
    struct rules r = rules_named("standard");
    r.rounds = 3;
    for (int i = 0; i < RECORDS; i++) {
        char *room = malloc(SELFPLAY_RECORD_MAX);
        records[i] = random_record(&r, 2, (uint64_t)i, 0, room, SELFPLAY_RECORD_MAX);
    }
}

/* Two lines at a time, as a move writes them. */
static void keep_record(int64_t session, struct str rest)
{
    while (rest.n) {
        struct str piece = {rest.p, 0}, line;
        for (int i = 0; i < 2 && rest.n; i++) {
            line = str_cut(rest, '\n', &rest);
            piece.n = (size_t)(line.p + line.n - piece.p) + 1;
        }
        store_append_record(store, session, piece);
    }
}

static void play(int64_t no, int64_t at)
{
    static char bytes[LINE_BYTES];
    int64_t group = no % GROUPS, first = no % PEOPLE, second = (no + 1 + no % 7) % PEOPLE;
    struct person who[2];
    struct chat chat = store_chat(
        store, turn, account, arena_print(turn, "-%lld", (long long)group), STR("A group"), false);
    for (int i = 0; i < 2; i++) {
        int64_t n = group * PEOPLE + (i ? second : first);
        const struct sender from = {.id = arena_print(turn, "%lld", (long long)n),
                                    .name = STR("Somebody"),
                                    .language = STR("en")};
        who[i] = store_person(store, turn, account, &from);
    }
    for (int i = 0; i < LINE_BYTES; i++)
        bytes[i] = (char)('a' + (no * 31 + i * 7) % 26);
    struct session_row row = {.version = 1,
                              .due = at + DAY_MS,
                              .live = true,
                              .n_people = 2,
                              .n_chats = 1,
                              .person = {who[0].id, who[1].id},
                              .chat = {chat.id},
                              .line = {bytes, sizeof bytes}};
    row.id = store_new_session(store, &row);
    keep_record(row.id, records[no % RECORDS]);
    for (int i = 0; i < SAVES; i++) {
        bytes[i]++;
        row.version++;
        row.live = i + 1 < SAVES;
        row.ended = row.live ? 0 : at;
        store_save(store, &row, row.version - 1);
    }
    for (int i = 0; i < 2; i++) {
        struct result_row result =
            store_result(store, turn, chat.id,
                         arena_print(turn, "%lld", (long long)(at / DAY_MS / 91)), who[i].id);
        tally_add(&result.tally, &(struct tally){.won = i, .lost = !i, .points = 5});
        store_set_result(store, &result);
        store_set_last_of_person(store, who[i].id, row.id);
    }
    for (int i = 0; i < UPDATES; i++)
        (void)store_hear(store, account, arena_print(turn, "%lld", (long long)(no * UPDATES + i)),
                         0, at);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Microseconds for one look at a session and its chat's last match, cold rows among them. */
static double look_us(int64_t n)
{
    double from = seconds();
    for (int i = 0; i < LOOKS; i++) {
        int64_t no = n - (int64_t)i * 7919 % (n / 8 + 1);
        arena_reset(turn);
        (void)store_session(store, turn, no);
        (void)store_last_session_of_chat(store, turn, no % GROUPS + 1);
    }
    return (seconds() - from) * 1e6 / LOOKS;
}

static double megabytes(const char *file)
{
    struct stat st;
    return stat(file, &st) == 0 ? (double)st.st_size / 1e6 : 0;
}

static void year(const char *file, int days, int retention_days)
{
    struct db *db;
    int64_t no = 0, now = INT64_C(1795262400000);
    double begun = seconds();
    must(db_sqlite_open(str_of(file), &db, &err));
    must(db->verbs->script(db, STR("PRAGMA synchronous = OFF"), &err));
    must(store_open_db(db, &store, &err));
    account = store_account(store, STR("telegram"));
    for (int day = 0; day < days; day++, now += DAY_MS) {
        arena_reset(turn);
        store_begin(store);
        for (int i = 0; i < A_DAY; i++)
            play(++no, now);
        store_forget_heard(store, 0, now - HEARD_MS, 2 * A_DAY * UPDATES);
        if (retention_days)
            store_forget_matches(store, now - retention_days * DAY_MS, 2 * A_DAY);
        must(store_commit(store, &err));
        store_idle(store);
    }
    double took = seconds() - begun, look = look_us(no);
    store_close(store);
    double mb = megabytes(file);
    printf(
        "{\"bench\":\"year\",\"matches\":%lld,\"days\":%d,\"retention_days\":%d,\"file_mb\":%.1f,"
        "\"kb_a_match\":%.2f,\"gb_at_%d_a_day\":%.0f,\"look_us\":%.0f,\"ms_a_match\":%.2f}\n",
        (long long)no, days, retention_days, mb, mb * 1e3 / (double)no, FULL_RATE,
        mb * FULL_RATE / A_DAY / 1e3, look, took * 1e3 / (double)no);
}

int main(int argc, char **argv)
{
    char folder[] = "/tmp/koikoi-year.XXXXXX", file[64];
    int days = argc > 1 && argv[1][0] ? 10 : DAYS;
    if (!mkdtemp(folder))
        return 1;
    turn = arena_open((size_t)1 << 30);
    make_records();
    for (int i = 0; i < 2; i++) {
        snprintf(file, sizeof file, "%s/%d.db", folder, i);
        year(file, days, i * (days < 90 ? 3 : 90));
        unlink(file);
        snprintf(file, sizeof file, "%s/%d.db-wal", folder, i);
        unlink(file);
    }
    (void)rmdir(folder);
    arena_close(turn);
    return 0;
}
