/* A match on phones: who plays it reads few messages, most of them silent, each of them one screen. The
 * account of it goes to standard output, message by message: when, what, how high, for whom it rings. */
#include "engine/test.h"
#include "fixture/phone.h"
#include "golden/chat_harness.h"

#include "adapter.h"

extern const struct adapter telegram_adapter;

enum { THINKS_MS = 3000, MOST_PUBLIC = 7, MOST_LOUD = 4, MOST_RINGS = 7 };

static const char *const people[] = {"ann", "bo", "cy"};
enum { PEOPLE = sizeof people / sizeof *people };

struct account_of_match {
    int64_t began;
    int messages, edits, loud, hidden_edits, popups, highest;
    int rings[PEOPLE];
};

static bool is_one_of(struct str to, const char *name)
{
    return str_is(to, str_of(name));
}

static void count_rings(struct account_of_match *m, const struct outgoing *o)
{
    for (int i = 0; i < PEOPLE; i++)
        m->rings[i] += o->where == TO_CHAT || is_one_of(o->to, people[i]);
}

/* What came since the last time. Edits are counted, new messages written down. */
static void read_new(struct chat_harness *s, struct account_of_match *m, const char *did)
{
    const struct sent_message *sent;
    int n = chat_harness_sent(s, &sent);
    for (int i = 0; i < n; i++) {
        const struct outgoing *o = &sent[i].out;
        bool shown = o->kind == OUT_POST && !sent[i].dropped, hidden = o->where != TO_CHAT;
        m->popups += o->kind == OUT_ANSWER && o->text.n > 0;
        if (!shown)
            continue;
        bool loud = o->notify && !sent[i].edit;
        int high = phone_height(o);
        m->highest = high > m->highest && hidden ? high : m->highest;
        m->edits += sent[i].edit && !hidden;
        m->hidden_edits += sent[i].edit && hidden;
        if (sent[i].edit)
            continue;
        m->messages += !hidden;
        m->loud += loud && !hidden;
        if (loud)
            count_rings(m, o);
        struct str line, rest;
        line = str_cut(phone_text(o->text), '\n', &rest);
        print_message("%4lld s  %-22s %-5.*s %4d points%s  %.*s\n",
                      (long long)(s->now - m->began) / 1000, did, hidden ? (int)o->to.n : 5,
                      hidden ? o->to.p : "group", high, loud ? ", rings" : "       ",
                      line.n < 60 ? (int)line.n : 60, line.p);
        if (o->picture.n > 0)
            assert_true(high <= PHONE_SCREEN);
    }
    chat_harness_forget(s);
}

static void presses(struct chat_harness *s, struct account_of_match *m, const char *who,
                    const char *label)
{
    char did[64];
    snprintf(did, sizeof did, "%s: [%s]", who, label);
    chat_harness_wait(s, THINKS_MS);
    if (!chat_harness_press(s, who, label))
        fail_msg("%s finds no [%s]", who, label);
    read_new(s, m, did);
}

/* Who has never opened their hand does it once; then each moves with a tap. */
static void play_on(struct chat_harness *s, struct account_of_match *m, int players)
{
    struct session now;
    for (int i = 0; i < players; i++)
        presses(s, m, people[i], "🎴");
    while (chat_harness_session(s, &now)) {
        int turn = session_turn(&now);
        if (turn >= 0) {
            chat_harness_wait(s, THINKS_MS);
            assert_true(chat_harness_auto(s, false));
            read_new(s, m, "a move");
            continue;
        }
        for (int i = 0; i < players && chat_harness_session(s, &now) && session_turn(&now) < 0; i++)
            presses(s, m, people[i], "Ready");
    }
}

static struct account_of_match play(int players)
{
    struct chat_harness *s = chat_harness_open(telegram_adapter.can);
    struct account_of_match m = {.began = s->now};
    s->accounts[0].limits = telegram_adapter.limits;
    chat_harness_bot(s, "joins", "tea", "ann");
    read_new(s, &m, "the bot is added");
    m = (struct account_of_match){.began = s->now}; /* the welcome is no part of the match */
    presses(s, &m, "ann", "Play here");
    if (players > 2)
        presses(s, &m, "ann", "3 players");
    for (int i = 1; i < players; i++)
        presses(s, &m, people[i], "Join");
    presses(s, &m, "ann", "Start");
    play_on(s, &m, players);
    print_message(
        "%d public messages, %d of them ring; %d edits of them; %d edits of hands; %d popups; "
        "the highest private view %d points\nrings:",
        m.messages, m.loud, m.edits, m.hidden_edits, m.popups, m.highest);
    for (int i = 0; i < players; i++)
        print_message(" %s %d", people[i], m.rings[i]);
    print_message("; %lld s\n", (long long)(s->now - m.began) / 1000);
    chat_harness_close(s);
    return m;
}

static void hold(const struct account_of_match *m)
{
    assert_in_range(m->messages, 1, MOST_PUBLIC);
    assert_in_range(m->loud, 1, MOST_LOUD);
    for (int i = 0; i < PEOPLE; i++)
        assert_in_range(m->rings[i], 0, MOST_RINGS);
}

TEST(two_people_three_rounds)
{
    struct account_of_match m = play(2);
    hold(&m);
}

TEST(three_newcomers)
{
    struct account_of_match m = play(3);
    hold(&m);
}
