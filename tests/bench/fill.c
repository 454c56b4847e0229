/* Store with many matches, for benches: fill FILE N
 *
 * Each is a match of two people in a group of their own, between its first round and the second,
 * its next deadline a year away: a state in which either player may type seed words, which change
 * the match. Group -(100000 + j) and its first player 100000 + j, as the load server numbers them,
 * j in an order that spreads the first chats over the whole file. FILE must be new. It does not
 * sync.
 */
#include "clock.h"
#include "db_file.h"
#include "engine/positions.h"
#include "ruleset_file.h"
#include "session.h"
#include "store.h"

enum { FIRST = 100000, OTHER = 5000000, STRIDE = 7919, TOGETHER = 5000, VERSION = 20 };
static const int64_t YEAR_MS = 365 * 24 * 3600 * (int64_t)1000;

static struct store *store;
static struct arena *turn;
static struct ruleset rules;
static int64_t account, now;
static struct err err;

static void sits(struct player *p, int64_t number, const char *name)
{
    struct str id = arena_print(turn, "%lld", (long long)number);
    struct sender s = {.id = id,
                       .name = arena_print(turn, "%s %lld", name, (long long)number),
                       .handle = arena_print(turn, "user%lld", (long long)number),
                       .language = STR("en")};
    struct person who = store_person(store, turn, account, &s);
    *p = (struct player){
        .person = who.id, .joined = true, .channel = CHANNEL_WHISPER, .lot = CARD_NONE};
    NAME_PUT(p->id, id);
    NAME_PUT(p->name, s.name);
    NAME_PUT(p->handle, s.handle);
    NAME_PUT(p->language, s.language);
    NAME_PUT(p->seed, id);
}

static void play_a_round(struct rng *rng, struct match *m)
{
    uint8_t deck[N_CARDS];
    struct move legal[MAX_MOVES];
    deck_by_chance(rng, deck);
    match_start(&rules.rules, 2, 0, m);
    match_deal(&rules, m, deck, NULL);
    while (m->stage == MATCH_PLAYING) {
        int n = round_legal(&rules, &m->round, m->round.turn, legal);
        match_apply(&rules, m, m->round.turn, legal[rng_below(rng_next(rng), (unsigned)n)], NULL);
    }
}

/* Match number `no`, in group `number`. */
static void one(int64_t no, int64_t number)
{
    struct rng rng = rng_seed((uint64_t)no);
    struct str key = arena_print(turn, "-%lld", (long long)(FIRST + number));
    struct str title = arena_print(turn, "Group %lld", (long long)number);
    struct session s = {.no = no,
                        .players = 2,
                        .version = VERSION,
                        .phase = SESSION_PLAYING,
                        .rules = rules.rules,
                        .time.move_ms = 24 * 3600 * 1000,
                        .created = now,
                        .moved = now,
                        .due = now + YEAR_MS,
                        .timer = TIMER_READY,
                        .left = -1};
    struct chat chat = store_chat(store, turn, account, key, title, false);
    sits(&s.player[0], FIRST + number, "User");
    sits(&s.player[1], OTHER + number, "Other");
    s.venue[0].chat = chat.id;
    s.venue[0].account = chat.account;
    s.player[1].seat_joined = 1;
    NAME_PUT(s.venue[0].chat_key, key);
    NAME_PUT(s.venue[0].chat_name, title);
    NAME_PUT(s.venue[0].language, STR("en"));
    NAME_PUT(s.id, arena_print(turn, "m%lld", (long long)no));
    do
        play_a_round(&rng, &s.match);
    while (s.match.stage != MATCH_READY);
    struct buf line = {arena_alloc(turn, SESSION_LINE), 0, SESSION_LINE, false};
    struct session_row row = {.version = 1,
                              .due = s.due,
                              .live = true,
                              .n_people = 2,
                              .n_chats = 1,
                              .person = {s.player[0].person, s.player[1].person},
                              .chat = {chat.id},
                              .line = session_write(&s, &line)};
    int64_t made = store_new_session(store, &row);
    if (made != no)
        store_fail(store, "match %lld became number %lld", (long long)no, (long long)made);
}

static bool fill(struct str file, int64_t n)
{
    struct db *db;
    struct rules standard;
    int64_t there = 0;
    if (!ruleset_file_find(STR(""), STR("standard"), &standard, &err) ||
        !db_sqlite_open(file, &db, &err))
        return false;
    if (!db->verbs->script(db, STR("PRAGMA synchronous = OFF"), &err)) {
        db->verbs->close(db);
        return false;
    }
    if (!store_open_db(db, &store, &err))
        return false;
    account = store_account(store, STR("telegram"));
    if (store_take_failure(store, &err))
        return false;
    ruleset_make(&standard, &rules);
    now = clock_now(&clock_of_machine);
    while (there < n) {
        arena_reset(turn);
        store_begin(store);
        for (int i = 0; i < TOGETHER && there < n; i++, there++)
            one(there + 1, (there + 1) * STRIDE % n);
        if (!store_commit(store, &err))
            return false;
        store_idle(store);
    }
    return true;
}

int main(int argc, char **argv)
{
    int64_t n;
    if (argc != 3 || !str_int(str_of(argv[2]), &n) || n < 1) {
        fprintf(stderr, "usage: fill FILE N\n");
        return 2;
    }
    turn = arena_open((size_t)1 << 30);
    bool ok = fill(str_of(argv[1]), n);
    if (!ok)
        fprintf(stderr, "fill: %s\n", err.text);
    store_close(store);
    arena_close(turn);
    return ok ? 0 : 1;
}
