/* A Swiss of sixty-four in one group, whose daemon dies again and again at some call of the
 * database, and starts anew: the table is the one that a daemon without a fault makes, no game is
 * lost and none is begun twice. */
#include "fixture/daemon_run.h"
#include "stride.h"

#include "tournament.h"
#include "store.h"
#include "store_tournament.h"

enum { PEOPLE = 64, ROUNDS = 3, MATCHES = ROUNDS * PEOPLE / 2, RUNS_MOST = 2000 };

struct ending {
    char name[PEOPLE][16];
    struct standing_row row[PEOPLE];
    int deaths;
};

static struct err err;

FIXTURE(setup)
{
    return !daemon_run_setup();
}

FIXTURE(teardown)
{
    daemon_run_teardown();
    return 0;
}

/* ---- reading ---- */

struct tournament_seen {
    struct tournament t;
    char id[PEOPLE][16]; /* of the network, by place */
    bool more;           /* a match that is in no round */
};

static void look(struct tournament_seen *ret)
{
    struct store *store;
    struct tournament_row row;
    bool found;
    arena_reset(daemon_run_arena);
    memset(ret, 0, sizeof *ret);
    OK(store_open(scratch_store(), &store, &err));
    int64_t id = 0;
    do /* a number that a dying daemon took may be left out */
        found = GOT(row, store_tournament(store, daemon_run_arena, ++id));
    while (!found && id < RUNS_MOST);
    assert_true(found);
    struct tournament_player_rows players = store_tournament_players(store, daemon_run_arena, id);
    struct tournament_game_rows games = store_tournament_games(store, daemon_run_arena, id);
    ret->t.format = (uint8_t)row.format;
    ret->t.stage = (uint8_t)row.stage;
    ret->t.round = (int)row.round;
    ret->t.n_entrants = players.n;
    for (int i = 0; i < players.n; i++) {
        struct person p;
        found = GOT(p, store_person_by_id(store, daemon_run_arena, players.at[i].handle));
        snprintf(ret->id[i], sizeof ret->id[i], "%.*s", STR_ARG(p.network_id));
    }
    for (int i = 0; i < games.n; i++) {
        const struct tournament_game_row *g = &games.at[i];
        ret->t.game[ret->t.n_games++] = (struct tournament_game){
            (uint8_t)g->round,  (uint8_t)g->board, (uint8_t)g->first, (uint8_t)g->second,
            (uint8_t)g->result, g->unplayed != 0,  g->session};
    }
    struct session_rows matches = store_all_sessions(store, daemon_run_arena, 0, MATCHES + 1);
    ret->more = matches.n > ret->t.n_games;
    store_close(store);
}

/* ---- the story ---- */

/* One run of the daemon, however often it dies. */
static int run(int every)
{
    int calls, deaths = 0;
    if (every == 0) {
        assert_true(daemon_run_whole(STR(""), DB_DIES, 0, 0, &calls));
        return 0;
    }
    while (daemon_run_dies(STR(""), deaths % 2 ? DB_DIES : DB_DIES_AFTER,
                           every + deaths * 37 % (every / 2)))
        assert_in_range(++deaths, 0, RUNS_MOST);
    return deaths;
}

/* The loser of each open match gives up. */
static int give_up(const struct tournament_seen *s)
{
    int n = 0;
    for (int i = 0; i < s->t.n_games; i++) {
        const struct tournament_game *g = &s->t.game[i];
        char text[32];
        if (g->result != GAME_OPEN || g->session == 0)
            continue;
        snprintf(text, sizeof text, "/resign #%lld", (long long)g->session);
        const char *loser = s->id[(g->round * 5 + g->board) % 3 ? g->second : g->first];
        peer_types(daemon_run_peer, "tea", loser, text);
        peer_types(daemon_run_peer, "tea", loser, text);
        n++;
    }
    return n;
}

static void play(int every, struct ending *ret)
{
    static struct tournament_seen s;
    char who[16];
    daemon_run_begin();
    *ret = (struct ending){0};
    peer_types(daemon_run_peer, "tea", "p00", "/tournament swiss 3");
    for (int i = 1; i < PEOPLE; i++) {
        snprintf(who, sizeof who, "p%02d", i);
        peer_types(daemon_run_peer, "tea", who, "/tournament join");
    }
    peer_types(daemon_run_peer, "tea", "p00", "/tournament start");
    ret->deaths += run(every);
    for (look(&s); s.t.stage == STAGE_RUNNING; look(&s)) {
        assert_int_equal(give_up(&s), PEOPLE / 2); /* all have begun, nobody waits */
        ret->deaths += run(every);
    }
    assert_int_equal(s.t.stage, STAGE_OVER);
    assert_int_equal(s.t.n_games, MATCHES);
    assert_false(s.more);
    for (int i = 0; i < MATCHES; i++)
        for (int k = 0; k < i; k++)
            assert_true(s.t.game[i].session != s.t.game[k].session);
    standing_table(&s.t, ret->row);
    for (int i = 0; i < PEOPLE; i++)
        memcpy(ret->name[i], s.id[ret->row[i].entrant], sizeof ret->name[i]);
    assert_true(peer_asked(daemon_run_peer, "sendMessage", "is over") >= 1);
    daemon_run_end();
}

TEST_WITH(a_swiss_of_64_ends_alike_however_often_the_daemon_dies, setup, teardown)
{
    static struct ending whole, killed;
    static const int every[] = {1700, 900, 4000};
    play(0, &whole);
    for (int i = 0; i < stride(1, 3); i++) {
        play(every[i], &killed);
        print_message("every %d calls: %d deaths\n", every[i], killed.deaths);
        assert_true(killed.deaths > 3);
        assert_memory_equal(killed.name, whole.name, sizeof whole.name);
        assert_memory_equal(killed.row, whole.row, sizeof whole.row);
    }
}
