/* Stories of the outbox against a network that misbehaves: what was accepted arrives, once, in order, at
 * its pace. The files tests/outbox/NAME.story are the tests; one line is one step, `== TITLE` begins a
 * test, `#` a remark, and `N* STEP` does a step N times, with the number of the turn for # in it.
 *
 *     pace CHAT [PERSON]           messages a minute; the outbox restarts, as after limit NAME=N
 *     quiet CHAT PERSON            the same, and a minute passes: nothing is known to have been sent
 *     say FIELDS                   accepts a message (fields of adapters/words.h); its news stand between | and |
 *     pump | go | answered         sends; does all that can happen now; waits for answers
 *     later MS | clock MS          lets time pass; moves the clock alone
 *     until METHOD PART            lets time pass until that was asked, a minute at most
 *     wall MS                      sets the wall clock wrong by so much
 *     restart                      a new process on the same store
 *     rule METHOD TIMES FIELDS     how the network answers (peer.h); 0: each time
 *     asked METHOD N [PART]        N requests had that method (or any), and that part in their body
 *     count N | rows N | running N requests so far; messages that are stored; requests under way
 *     method I METHOD | at I MS    of request I, which came that long after the start
 *     body I PART                  request I has it; no_body: it has not
 *     hands N SENT                 of N whispers so many go at once; then ten minutes pass
 *     never N [WHY TEXT]           messages that came back as undeliverable, and the last of them
 */
#include "fixture/outbox_peer.h"

#include <assert.h>
#include <glob.h>

#include "adapters/words.h"

enum { MOST_STORIES = 200, MOST_STEPS = 4000 };

struct story {
    char **step; /* to the next title, or NULL */
};

static struct arena *words; /* of a test */
static int64_t begun;

/* ---- words of a step ---- */

static struct str rest; /* of the step at hand */

/* The next word, empty at the end or before a remark. */
static const char *word(void)
{
    rest = str_trim(rest);
    return rest.n == 0 || rest.p[0] == '#' ? "" : next_word(words, &rest).p;
}

static int64_t number(void)
{
    int64_t n = 0;
    const char *w = word();
    if (!str_int(str_of(w), &n))
        fail_msg("expected a number, got %s", w);
    return n;
}

/* Sets the fields of the rest. */
static void fields(const struct member *f, void *of)
{
    for (const char *w; *(w = word());)
        if (!set_field(f, of, str_of(w)))
            fail_msg("no such field: %s", w);
}

/* ---- steps ---- */

static void do_limit(void)
{
    static const struct member limits[] = {FIELD(limits, F_INT, per_chat_minute),
                                           FIELD(limits, F_INT, per_person_minute),
                                           FIELD(limits, F_INT, account_per_second_x100),
                                           FIELD(limits, F_INT, account_burst),
                                           FIELD(limits, F_INT, text_chars),
                                           END_FIELDS};
    fields(limits, &wire.limits);
    restart();
}

static void do_pace(void)
{
    wire.limits.per_chat_minute = (int)number();
    rest = str_trim(rest);
    if (rest.n > 0 && rest.p[0] != '#')
        wire.limits.per_person_minute = (int)number();
    restart();
}

static void do_quiet(void)
{
    do_pace();
    later(60001);
}

static void do_say(void)
{
    struct outgoing out = {.kind = OUT_POST};
    struct str news, field;
    fields(outgoing_fields, &out);
    struct str head = str_cut(out.text, '|', &news);
    if (head.n < out.text.n) {
        news = str_cut(news, '|', &field);
        out.text = arena_print(words, "%.*s%.*s%.*s", STR_ARG(head), STR_ARG(news), STR_ARG(field));
        out.news = (struct str){out.text.p + head.n, news.n};
    }
    say(out);
}

static void do_pump(void)
{
    outbox_pump(outbox_fixture, outbox_fixture_turn);
}

static void do_answered(void)
{
    while (!outbox_unsettled(outbox_fixture))
        outbox_fixture_replies();
}

static void do_later(void)
{
    later(number());
}

static void do_until(void)
{
    const char *method = word(), *part = word();
    for (int i = 0; i < 600 && peer_asked(peer, method, part) == 0; i++)
        later(100);
}

static void do_clock(void)
{
    outbox_fixture_now += number();
}

static void do_wall(void)
{
    fake_clock_wrong = number();
}

struct rule {
    struct str holds, header, body, why, moved, retry_after;
    int fault, status;
    bool done, everywhere;
};

static void do_rule(void)
{
    static const char *const faults[] = {"answers", "hangs_up", "cuts", "babbles", "silent", NULL};
    static const struct member rule_fields[] = {FIELD(rule, F_STR, holds),
                                                FIELD(rule, F_STR, header),
                                                FIELD(rule, F_STR, body),
                                                FIELD(rule, F_STR, why),
                                                FIELD(rule, F_STR, moved),
                                                FIELD(rule, F_STR, retry_after),
                                                WORDS(rule, fault, faults),
                                                FIELD(rule, F_INT, status),
                                                FIELD(rule, F_BOOL, done),
                                                FIELD(rule, F_BOOL, everywhere),
                                                END_FIELDS};
    const char *method = word();
    int times = (int)number();
    struct rule r = {.fault = PEER_ANSWERS};
    fields(rule_fields, &r);
    if (r.retry_after.n > 0)
        r.body = arena_print(words, "{\"ok\":false,\"parameters\":{\"retry_after\":%.*s%s}}",
                             STR_ARG(r.retry_after), r.everywhere ? ",\"everywhere\":true" : "");
    if (r.moved.n > 0)
        r.body =
            arena_print(words, "{\"ok\":false,\"parameters\":{\"migrate_to_chat_id\":\"%.*s\"}}",
                        STR_ARG(r.moved));
    if (r.why.n > 0)
        r.body = arena_print(words, "{\"ok\":false,\"description\":\"%.*s\"}", STR_ARG(r.why));
    peer_rule(peer, (struct peer_rule){.method = method,
                                       .contains = r.holds.p,
                                       .times = times,
                                       .fault = (enum peer_fault)r.fault,
                                       .status = r.status,
                                       .header = r.header.p,
                                       .body = r.body.p,
                                       .but_done = r.done});
}

static void do_asked(void)
{
    const char *method = word();
    int n = (int)number();
    const char *part = word();
    int found = 0;
    for (int i = 0; i < peer_count(peer); i++) {
        struct peer_request r = peer_request(peer, i);
        found += (strcmp(method, "any") == 0 || strcmp(method, r.method) == 0) &&
                 strstr(r.body, part) != NULL;
    }
    assert_int_equal(found, n);
}

static void do_at(void)
{
    int i = (int)number();
    assert_int_equal(peer_request(peer, i).at - begun, number());
}

static void do_count(void)
{
    assert_int_equal(peer_count(peer), number());
}

static void do_rows(void)
{
    assert_int_equal(stored_rows(), number());
}

static void do_running(void)
{
    assert_int_equal(http_running(outbox_fixture_http), number());
}

static void do_method(void)
{
    int i = (int)number();
    assert_string_equal(peer_request(peer, i).method, word());
}

static void do_body(void)
{
    int i = (int)number();
    const char *body = peer_request(peer, i).body, *part = word();
    if (!*part || !strstr(body, part))
        fail_msg("%s\nhas not %s", body, part);
}

static void do_no_body(void)
{
    int i = (int)number();
    assert_null(strstr(peer_request(peer, i).body, word()));
}

static void do_hands(void)
{
    int before = peer_asked(peer, "sendMessage", "a hand");
    struct outgoing hand = {
        .where = TO_WHISPER, .chat = STR("c1"), .to = STR("ann"), .text = STR("a hand")};
    for (int64_t n = number(); n > 0; n--)
        say(hand);
    go();
    assert_int_equal(peer_asked(peer, "sendMessage", "a hand") - before, number());
    later(10 * 60000); /* the others, and longer than any window */
}

static void do_never(void)
{
    assert_int_equal(n_never, number());
    const char *why = word();
    if (*why) {
        assert_string_equal(never_whys[never_why], why);
        assert_string_equal(never_text, word());
    }
}

static const struct {
    const char *word;
    void (*act)(void);
} verbs[] = {
    {"pace", do_pace},     {"quiet", do_quiet}, {"limit", do_limit},       {"say", do_say},
    {"pump", do_pump},     {"go", go},          {"answered", do_answered}, {"later", do_later},
    {"clock", do_clock},   {"wall", do_wall},   {"restart", restart},      {"rule", do_rule},
    {"asked", do_asked},   {"count", do_count}, {"rows", do_rows},         {"running", do_running},
    {"method", do_method}, {"body", do_body},   {"no_body", do_no_body},   {"hands", do_hands},
    {"never", do_never},   {"at", do_at},       {"until", do_until}};

static void act(struct str step)
{
    rest = step;
    const char *verb = word();
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(verb, verbs[i].word) == 0) {
            verbs[i].act();
            if (*word())
                fail_msg("more than %s takes", verb);
            return;
        }
    fail_msg("no such step: %s", verb);
}

/* "N* STEP", or a step. */
static void act_times(struct str step)
{
    struct str what, times = str_cut(step, '*', &what);
    int64_t n = 0;
    if (!str_int(times, &n)) {
        act(step);
        return;
    }
    what = str_trim(what);
    for (int64_t i = 0; i < n; i++) {
        struct text_buffer t = {0};
        for (size_t k = 0; k < what.n; k++)
            if (what.p[k] == '#')
                txt_int(&t, i);
            else
                txt_add(&t, what.p + k, 1);
        act(arena_str(words, (struct str){t.p, t.n}));
        txt_free(&t);
    }
}

static void play(void **state)
{
    const struct story *s = *state;
    if (words)
        arena_close(words); /* the network's rules have lain there till its end */
    words = arena_open(64 << 20);
    begun = outbox_fixture_now;
    for (char **step = s->step; *step && strncmp(*step, "== ", 3) != 0; step++)
        if (**step && **step != '#') {
            print_message("%s\n", *step);
            act_times(str_of(*step));
        }
}

__attribute__((constructor)) static void read_stories(void)
{
    static struct story story[MOST_STORIES];
    static char *line[MOST_STEPS + 1];
    glob_t found;
    int n = 0, n_stories = 0;
    if (glob("tests/outbox/*.story", 0, NULL, &found) != 0)
        return;
    for (size_t f = 0; f < found.gl_pathc; f++) {
        FILE *file = fopen(found.gl_pathv[f], "r");
        char *text = NULL;
        size_t size = 0;
        assert(file);
        while (getline(&text, &size, file) > 0) {
            text[strcspn(text, "\n")] = '\0';
            assert(n < MOST_STEPS);
            line[n] = strdup(text);
            if (strncmp(text, "== ", 3) == 0) {
                assert(n_stories < MOST_STORIES);
                story[n_stories] = (struct story){&line[n + 1]};
                test_add(&(const struct CMUnitTest){line[n] + 3, play, outbox_peer_setup,
                                                    outbox_peer_teardown, &story[n_stories++]});
            }
            n++;
        }
        free(text);
        fclose(file);
    }
    globfree(&found);
}
