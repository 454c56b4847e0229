/* Transactions of two daemons side by side, each for the rows of its own account, and now and then one
 * for all: whatever their order, each that is committed has read what those before it have left, and
 * nothing of it is lost. On a server (TEST_STORE); a file has one way of working. */
#include "engine/test.h"
#include "fixture/scratch.h"

#include "db_open.h"
#include "rng.h"
#include "store_sql.h"

enum { DEEDS = 600 };

static struct err err;
static struct arena *arena;
static uint64_t rng;

/* A daemon, its account, and what is known to be stored there. */
static struct party {
    struct db *db;
    struct store *store;
    bool open;
    int64_t account, session, person;
    int64_t saved, prefs, last; /* by transactions that were committed */
    int64_t now;                /* what the open one has added to `saved` ... */
    int64_t pushed[2];          /* ... and the number of its last message for each account */
    bool wrong;                 /* ... and whether it has read anything else */
} party[2];

static bool look(void *arg, const char *holder, const char *away)
{
    (void)arg, (void)holder, (void)away;
    struct db *other;
    struct db_table t;
    OK(db_open_beside(scratch_store(), false, &other, &err));
    OK(other->verbs->query(other, arena, "SELECT 1 FROM pg_sleep(0.3)", 0, NULL, &t, &err));
    other->verbs->close(other);
    return true;
}

static void join(int i)
{
    static const struct str names[] = {{"owl", 3}, {"pigeon", 6}};
    static const char *const called[] = {"one", "two"};
    struct party *p = &party[i];
    struct session_row row = {.version = 1, .live = true, .n_chats = 1, .line = STR("0")};
    const struct sender who = {.id = STR("ann"), .name = STR("Ann")};
    const struct db_turn turn = {1, &names[i], look, NULL, called[i], NULL, NULL};
    OK(db_open_in_turn(scratch_store(), &turn, &p->db, &err));
    OK(store_open_db(p->db, &p->store, &err));
    store_begin(p->store);
    p->account = store_account(p->store, names[i]);
    row.chat[0] = store_chat(p->store, arena, p->account, STR("tea"), STR("Tea"), false).id;
    p->person = store_person(p->store, arena, p->account, &who).id;
    store_set_prefs(p->store, p->person, STR("0"));
    p->session = store_new_session(p->store, &row);
    OK(store_commit(p->store, &err));
}

static int setup_one(void **state)
{
    (void)state;
    if (!scratch_open())
        return 1;
    arena = arena_open(64 << 20);
    memset(party, 0, sizeof party);
    join(0);
    return 0;
}

static int setup(void **state)
{
    int failed = setup_one(state);
    if (!failed)
        join(1);
    return failed;
}

static int teardown(void **state)
{
    (void)state;
    for (int i = 0; i < 2 && party[i].store; i++)
        store_close(party[i].store);
    arena_close(arena);
    scratch_close();
    return 0;
}

static int by_chance(int n)
{
    struct rng l = rng_seed(++rng);
    return (int)rng_below(rng_next(&l), (unsigned)n);
}

static int64_t number_in(struct str s)
{
    int64_t n = -1;
    (void)!str_int(s, &n);
    return n;
}

/* ---- a transaction ---- */

/* What the outbox does: what others left for the account is read before anything is added. */
static void starts(int i, bool beside)
{
    struct party *p = &party[i];
    if (beside)
        store_begin_beside(p->store);
    else
        store_begin(p->store);
    if (store_foreign(p->store))
        (void)store_outbox(p->store, arena, 0, STR(""), 0, 10 * DEEDS);
    p->open = true;
    p->wrong = false;
    p->now = p->pushed[0] = p->pushed[1] = 0;
}

/* What is read is what was committed, with what this transaction has added. */
static void reads(int i, int of)
{
    struct party *p = &party[i], *q = &party[of];
    const struct session_row *row = store_session(p->store, arena, q->session);
    const struct person *ann = store_person_by_network_id(p->store, arena, q->account, STR("ann"));
    p->wrong |= row && number_in(row->line) != q->saved + (of == i ? p->now : 0);
    p->wrong |= ann && number_in(ann->prefs) != q->prefs;
}

static void saves(int i)
{
    struct party *p = &party[i];
    const struct session_row *found = store_session(p->store, arena, p->session);
    if (!found)
        return;
    struct session_row row = *found;
    row.version++;
    row.line = arena_print(arena, "%lld", (long long)number_in(found->line) + 1);
    store_save(p->store, &row, found->version);
    p->now++;
}

static void pushes(int i, int of)
{
    struct party *p = &party[i];
    const struct out_row row = {
        .account = party[of].account, .lane = STR("tea"), .bytes = STR("words")};
    int64_t id = store_push(p->store, &row);
    p->wrong |= id > 0 && id <= party[of].last;
    p->pushed[of] = id;
}

/* Returns false if it is to be done again. */
static bool ends(int i)
{
    struct party *p = &party[i];
    p->open = false;
    if (!store_commit(p->store, &err)) {
        if (!store_again(p->store))
            fail_msg("%s", err.text);
        return false;
    }
    assert_false(p->wrong);
    p->saved += p->now;
    for (int k = 0; k < 2; k++)
        if (p->pushed[k] > 0)
            party[k].last = p->pushed[k];
    return true;
}

static void begins(int i)
{
    bool alone = store_again(party[i].store) || !store_beside(party[!i].store);
    if (party[!i].open && alone) /* one of them has the store to itself */
        (void)ends(!i);
    starts(i, true);
}

/* All that one may do alone; nobody else is in the middle of a transaction. */
static void does_all(int i)
{
    struct party *p = &party[i], *other = &party[!i];
    starts(i, false);
    reads(i, i);
    reads(i, !i);
    saves(i);
    pushes(i, by_chance(2));
    store_set_prefs(p->store, other->person,
                    arena_print(arena, "%lld", (long long)other->prefs + 1));
    assert_true(ends(i));
    other->prefs++;
}

/* ---- stories ---- */

TEST_IF(scratch_on_server(), two_write_their_own_rows_at_the_same_time, setup, teardown)
{
    for (int first = 0; first < 2; first++) {
        does_all(!first);
        does_all(first);
        for (int k = 0; k < 3; k++) { /* each learns what the other has done */
            begins(k % 2);
            reads(k % 2, k % 2);
            (void)ends(k % 2);
        }
        starts(first, true);
        saves(first);
        starts(!first, true);
        saves(!first);
        assert_true(store_beside(party[0].store) && store_beside(party[1].store));
        assert_true(ends(first));
        assert_true(ends(!first));
    }
    assert_int_equal(party[0].saved, 4);
    assert_int_equal(party[1].saved, 4);
}

/* Reading it, changing it, and what is common: each fails, and has the store to itself then. */
static void touches_its_session(int i)
{
    (void)store_session(party[i].store, arena, party[!i].session);
}

static void touches_its_chat(int i)
{
    (void)store_chat(party[i].store, arena, party[!i].account, STR("tea"), STR("Coffee"), false);
}

static void touches_its_message(int i)
{
    pushes(i, !i);
}

static void touches_a_person(int i)
{
    store_set_ban(party[i].store, party[i].person, 1);
}

static void touches_a_value(int i)
{
    store_set_meta(party[i].store, STR("name"), STR("value"));
}

static void begins_a_match(int i)
{
    struct session_row row = {.version = 1, .live = true, .line = STR("0")};
    (void)store_new_session(party[i].store, &row);
}

TEST_IF(scratch_on_server(), what_is_not_ones_own_is_done_alone, setup, teardown)
{
    static void (*const touches[])(int i) = {touches_its_session, touches_its_chat,
                                             touches_its_message, touches_a_person,
                                             touches_a_value,     begins_a_match};
    for (size_t k = 0; k < sizeof touches / sizeof *touches; k++)
        for (int i = 0; i < 2; i++) {
            int64_t before = party[i].saved;
            do {
                begins(i);
                saves(i);
            } while (!ends(i)); /* others have written meanwhile */
            begins(i);
            assert_true(store_beside(party[i].store));
            saves(i);
            touches[k](i);
            assert_true(store_failed(party[i].store) && store_broken(party[i].store));
            assert_false(ends(i));
            begins(i);
            assert_false(store_beside(party[i].store));
            saves(i);
            touches[k](i);
            assert_true(ends(i));
            assert_int_equal(party[i].saved, before + 2);
        }
}

/* ---- a batch that is taken for new ---- */

enum { BATCH = 5 };

/* Updates `first` and those behind it, of somebody who is known: returns how many are new, -1 if it is
 * to be done again. */
static int hears(int i, int first)
{
    struct party *p = &party[i];
    struct foreseen all[BATCH];
    int n = 0;
    starts(i, false);
    for (int k = 0; k < BATCH; k++)
        all[k] = (struct foreseen){
            .id = arena_print(arena, "%d", first + k), .person = STR("ann"), .chat = STR("tea")};
    store_look_ahead(p->store, p->account, BATCH, all, 1000);
    for (int k = 0; k < BATCH; k++)
        n += store_hear(p->store, p->account, all[k].id, 0, 1000);
    saves(i);
    return ends(i) ? n : -1;
}

/* The same until it is stored. */
static int is_heard(int i, int first)
{
    int n = hears(i, first);
    return n >= 0 ? n : hears(i, first);
}

TEST_IF(scratch_on_server(), a_batch_of_known_people_waits_for_its_commit_alone, setup_one,
        teardown)
{
    int64_t least = INT64_MAX;
    int ms;
    assert_int_equal(is_heard(0, 0), BATCH);
    (void)look(NULL, "", NULL); /* for so long that the leases are due */
    assert_true(store_keep(party[0].store, &ms, &err));
    for (int first = BATCH; first < 50 * BATCH && least > 1; first += BATCH) { /* it may be slow */
        int64_t before = party[0].db->waits;
        assert_int_equal(is_heard(0, first), BATCH);
        least = party[0].db->waits - before < least ? party[0].db->waits - before : least;
    }
    assert_int_equal(least, 1);
}

/* Nothing of it stays, and done again it finds which ones were heard. */
TEST_IF(scratch_on_server(), what_was_taken_for_new_is_heard_once, setup_one, teardown)
{
    assert_int_equal(is_heard(0, 0), BATCH);
    assert_int_equal(is_heard(0, BATCH), BATCH);
    assert_int_equal(hears(0, 2 * BATCH - 1), -1);
    assert_true(store_refused(party[0].store));
    assert_int_equal(hears(0, 2 * BATCH - 1), BATCH - 1);
    assert_int_equal(hears(0, 2 * BATCH), 1);     /* asked for: the last batch was not all new */
    assert_int_equal(hears(0, 2 * BATCH - 1), 0); /* the same */
    assert_int_equal(hears(0, 4 * BATCH), BATCH);
    starts(0, false);
    reads(0, 0);
    assert_true(ends(0));
}

static void does_any(int i)
{
    struct party *p = &party[i];
    if (!p->open) {
        begins(i);
        return;
    }
    switch (by_chance(6)) {
    case 0:
        reads(i, i);
        break;
    case 1:
        pushes(i, i);
        break;
    case 2: /* what it may not */
        if (by_chance(4) == 0)
            reads(i, !i);
        break;
    case 3:
        (void)ends(i);
        break;
    default:
        saves(i);
    }
}

TEST_IF(scratch_on_server(), every_order_of_transactions_is_one_after_the_other, setup, teardown)
{
    for (int k = 0; k < DEEDS; k++) {
        int i = by_chance(2);
        if (by_chance(12) > 0) {
            does_any(i);
            continue;
        }
        for (int j = 0; j < 2; j++)
            if (party[j].open)
                (void)ends(j);
        does_all(i);
    }
    for (int i = 0; i < 2; i++)
        if (party[i].open)
            (void)ends(i);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            starts(i, false);
            reads(i, k);
            assert_true(ends(i));
        }
    assert_true(party[0].saved > DEEDS / 20 && party[1].saved > DEEDS / 20);
}

TEST_IF(!scratch_on_server(), in_a_file_each_transaction_has_the_store_to_itself, setup_one,
        teardown)
{
    const struct sender who = {.id = STR("bo"), .name = STR("Bo")};
    struct store *store = party[0].store;
    store_begin_beside(store);
    assert_false(store_beside(store));
    int64_t bo = store_person(store, arena, party[0].account, &who).id;
    store_link(store, party[0].person, bo);
    OK(store_commit(store, &err));
    assert_false(store_again(store));
    assert_int_equal(store_person_by_id(store, arena, bo)->who, party[0].person);
}
