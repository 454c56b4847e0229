/* See matrix_table.h. */
#include "adapters/matrix_table.h"

#include "adapters/matrix_hs.h"
#include "replay.h"

enum { MINUTES = 60 * 1000, MOST_MS = 120 * MINUTES, STEP_MS = 5000, TOLD = 12, MOST_OPTIONS = 9 };

extern const struct adapter matrix_adapter;

struct home *table_home;
struct people *table_people;

static const char *const *more;
static struct str rules;
static struct err err;

static struct account account(struct arena *process)
{
    const char *options[MOST_OPTIONS] = {
        arena_print(process, "homeserver=%s", home_root(table_home)).p, "user=@bot:koi.test",
        "password=pw-bot", "pictures=no", /* unless the test's own options say otherwise */
    };
    for (int i = 0; more && more[i] && i < MOST_OPTIONS - 5; i++)
        options[4 + i] = more[i];
    return (struct account){.name = STR("matrix"),
                            .adapter = &matrix_adapter,
                            .can = matrix_adapter.can,
                            .limits = matrix_adapter.limits,
                            .state = hs_account(process, options)};
}

void table_lay(const char *const *options)
{
    more = options;
    rules = STR("");
    life_begin_on(account);
    table_home = home_open(life_clock(), 0);
    home_user(table_home, "bot");
}

void table_lay_anew(const char *const *options)
{
    table_clear();
    table_lay(options);
}

void table_rules(struct str rules_dir)
{
    rules = rules_dir;
}

void table_sit(int n, const char *preset, enum people_way way)
{
    static const char *const names[] = {"ann", "bo", "kei"};
    table_people = people_open(table_home, n, names, preset, way);
}

struct life *table_daemon(void)
{
    struct life *l = life_open(rules, DB_FAILS, 0, 0);
    assert_non_null(l);
    return l;
}

/* What was said last, for whoever has to find out what went wrong. */
static void tell_and_fail(void)
{
    int n = home_events(table_home);
    for (int i = n > TOLD ? n - TOLD : 0; i < n; i++) {
        struct home_event e = home_event(table_home, i);
        char *content = cJSON_PrintUnformatted(e.content);
        print_message("%d %s in %.6s: %s %.300s\n", i, e.sender, e.room, e.type, content);
        cJSON_free(content);
    }
    fail_msg("after %d moves and %d requests it is not over\n%s", people_said(table_people).moves,
             home_counts(table_home).requests, home_problems(table_home));
}

void table_goes_on_to(struct life *l, int moves)
{
    int64_t begun = *life_clock();
    people_rest(table_people, moves);
    while (people_said(table_people).moves < moves && *life_clock() < begun + MOST_MS)
        life_turns(l, STEP_MS);
    if (people_said(table_people).moves < moves)
        tell_and_fail();
}

int64_t table_goes_on(struct life *l)
{
    int64_t begun = *life_clock();
    people_rest(table_people, 0);
    while (!people_said(table_people).over && *life_clock() < begun + MOST_MS)
        life_turns(l, STEP_MS);
    if (!people_said(table_people).over)
        tell_and_fail();
    int64_t took = *life_clock() - begun;
    life_turns(l, STEP_MS);
    return took;
}

struct str table_record(struct life *l, struct arena *a)
{
    struct str lines;
    int line = 0;
    OK(store_record(life_store(l), a, 1, &lines, &err));
    if (!replay_record(lines, NULL, &line, &err))
        fail_msg("line %d: %s", line, err.text);
    assert_non_null(strstr(lines.p, "\"t\":\"match_end\",\"why\":\"rounds\""));
    return lines;
}

void table_is_well(struct life *l)
{
    struct arena *a = arena_open(1 << 24);
    table_record(l, a);
    arena_close(a);
    assert_string_equal(home_problems(table_home), "");
    assert_int_equal(home_counts(table_home).logins, 1);
    assert_int_equal(home_counts(table_home).early, 0);
}

void table_clear(void)
{
    home_close(table_home);
    if (table_people)
        people_close(table_people);
    table_people = NULL;
    life_end();
}

int table_setup(void **state)
{
    static const char *const unhurried[] = {"pace=0", NULL};
    (void)state;
    if (!life_setup())
        return 1;
    table_lay(unhurried);
    return 0;
}

int table_teardown(void **state)
{
    (void)state;
    table_clear();
    life_teardown();
    return 0;
}
