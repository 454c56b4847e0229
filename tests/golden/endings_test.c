/* What is over is over: every ending, after every kind of message with live buttons, on networks that
 * differ in who sees an answer. Once the challenge, the match or the tournament is over, no message that
 * stands has a button that would go on with it, and none says that it is somebody's move. */
#include "engine/test.h"
#include "golden/chat_harness.h"
#include "lesson.h"
#include "puzzle.h"
#include "stride.h"

/* ---- messages that stand ---- */

enum { STANDING = 256 };
struct messages_now {
    int n;
    struct sent_message at[STANDING];
};

static bool is_same_place(const struct sent_message *a, const struct sent_message *b)
{
    const bool chat = a->out.where == TO_CHAT;
    return a->account == b->account && a->out.where == b->out.where &&
           (chat ? str_is(a->out.chat, b->out.chat) : str_is(a->out.to, b->out.to));
}

static bool is_poll(const struct chat_harness *s, const struct sent_message *m)
{
    return m->out.n_buttons > 0 && (s->accounts[m->account].can & CAN_POLL);
}

static void take_away(struct sent_message *m, bool whole)
{
    m->out.n_buttons = 0;
    if (whole)
        m->out.text = STR("");
}

/* Where a poll takes the place of another, that one was answered, and stays if the network has limits:
 * it is out of the story. */
static void leave_answered(const struct chat_harness *s, struct messages_now *now,
                           const struct sent_message *m)
{
    for (int i = 0; m->out.slot.n > 0 && is_poll(s, m) && i < now->n; i++)
        if (is_poll(s, &now->at[i]) && is_same_place(&now->at[i], m) &&
            str_is(now->at[i].out.slot, m->out.slot))
            take_away(&now->at[i], true);
}

/* The messages as people see them now, after edits, erasures and lost buttons; a poll goes as a whole. */
static void look(const struct chat_harness *s, struct messages_now *ret)
{
    ret->n = 0;
    for (int i = 0; i < s->n_sent; i++) {
        const struct sent_message *m = &s->sent[i];
        int at = ret->n;
        if (m->dropped || m->out.kind == OUT_ANSWER)
            continue;
        bool takes = m->out.kind == OUT_ERASE || m->out.kind == OUT_CLOSE;
        while (at > 0 && !(takes ? m->out.slot.n > 0 && is_same_place(&ret->at[at - 1], m) &&
                                       str_is(ret->at[at - 1].out.slot, m->out.slot)
                                 : m->edit && strcmp(ret->at[at - 1].post, m->post) == 0))
            at--;
        if (takes && at > 0)
            take_away(&ret->at[at - 1], m->out.kind == OUT_ERASE || is_poll(s, &ret->at[at - 1]));
        if (takes)
            continue;
        leave_answered(s, ret, m);
        assert_true(ret->n < STANDING);
        ret->at[at > 0 ? at - 1 : ret->n++] = *m;
    }
}

/* ---- what must not live on ---- */

/* What has ended: a challenge or a tournament, a match, a deal that is dealt anew, the lessons, a puzzle. */
enum ended { OFFER, MATCH, DEAL, LESSON, PUZZLE };

static bool goes_on(const struct press *p, enum ended what)
{
    const bool offers =
        p->verb == VERB_ACCEPT || p->verb == VERB_DECLINE || p->verb == VERB_CANCEL ||
        p->verb == VERB_TERMS ||
        (p->verb == VERB_TOURNAMENT && p->index > 0 && p->index < 16); /* join, leave, start */
    static const enum verb in_a_match[] = {
        VERB_MOVE, VERB_PLAY,     VERB_KOIKOI, VERB_STOP,  VERB_DECLARE, VERB_REDEAL,
        VERB_HINT, VERB_READY,    VERB_HAND,   VERB_YAKU,  VERB_WAIT,    VERB_CONTINUE,
        VERB_DRAW, VERB_TAKEBACK, VERB_CLAIM,  VERB_NUDGE, VERB_RESIGN};
    enum { OF_A_DEAL = 7 }; /* those that go on with the cards */
    const int n = what == MATCH  ? (int)(sizeof in_a_match / sizeof *in_a_match)
                  : what == DEAL ? OF_A_DEAL
                                 : 0;
    bool match = false;
    for (int i = 0; i < n; i++)
        match |= p->verb == in_a_match[i];
    if (what == LESSON)
        return p->verb == VERB_TUTORIAL && p->index > 0 && p->index != LESSON_AGAIN;
    if (what == PUZZLE)
        return p->verb == VERB_PUZZLE && p->index % PUZZLE_PRACTICE > 0 &&
               p->index % PUZZLE_PRACTICE < PUZZLE_ANOTHER;
    return (offers && what != DEAL) || match;
}

/* True of a hand that stands once more below, with a number of its own: "hand:1:0:2" after "hand:1:0:1". */
static bool is_superseded(const struct messages_now *now, int at)
{
    struct str own = now->at[at].out.slot;
    while (own.n > 0 && own.p[own.n - 1] != ':')
        own.n--;
    for (int i = at + 1; str_starts(own, STR("hand:")) && i < now->n; i++)
        if (str_starts(now->at[i].out.slot, own) && is_same_place(&now->at[i], &now->at[at]))
            return true;
    return false;
}

/* What stands in a group that the bot was removed from is out of its reach. */
static bool is_out_of_reach(const struct outgoing *o, const char *ending)
{
    return strstr(ending, "bot leaves") && o->where != TO_DIRECT;
}

/* Returns the number of dead things that look alive, and names them. */
static int count_alive(struct chat_harness *s, const char *live, const char *ending,
                       enum ended what)
{
    static struct messages_now now;
    int n = 0;
    look(s, &now);
    for (int i = 0; i < now.n; i++) {
        const struct outgoing *o = &now.at[i].out;
        struct press p;
        if (is_out_of_reach(o, ending))
            continue;
        for (int b = 0; b < o->n_buttons; b++)
            if (chat_harness_read_press(s, o->buttons[b].data, &p) && goes_on(&p, what)) {
                n++;
                print_error(
                    "after \"%.60s\", \"%.60s\": [%.*s] of %.*s (%d) lives on under \"%.*s\"\n",
                    live, ending, STR_ARG(o->buttons[b].label), STR_ARG(o->slot), o->where,
                    (int)(o->text.n < 50 ? o->text.n : 50), o->text.p);
            }
        const char *text = arena_str(s->arena, o->text).p;
        if ((what == MATCH || what == DEAL) && !is_superseded(&now, i) && text &&
            (strstr(text, "Your move") || strstr(text, " to move (") ||
             strstr(text, ", your move."))) {
            n++;
            print_error("after \"%.60s\", \"%.60s\": it is somebody's move in \"%.*s\"\n", live,
                        ending, (int)(o->text.n < 50 ? o->text.n : 50), text);
        }
    }
    return n;
}

/* ---- stories: lines of "who> text", "who~ text" in private, "who presses label", "wait 3h" ---- */

static void play_line(struct chat_harness *s, struct str line)
{
    struct str rest = line, who = str_word(&rest);
    const bool room = who.p[who.n - 1] == '>', alone = who.p[who.n - 1] == '~';
    int64_t n;
    rest = str_trim(rest);
    if (str_is(who, STR("wait")) && str_int(rest, &n)) {
        chat_harness_wait(s, n * 3600 * 1000);
    } else if (str_is(who, STR("auto")) && str_int(rest, &n)) {
        while (n-- > 0 && chat_harness_auto(s, true))
            ;
    } else if (str_starts(rest, STR("leaves "))) {
        if (str_is(who, STR("bot")))
            chat_harness_bot(s, "leaves", "tea", "");
        else
            chat_harness_goes(s, arena_print(s->arena, "%.*s", STR_ARG(who)).p, "tea", false);
    } else if (room || alone) {
        const char *name = arena_print(s->arena, "%.*s", (int)who.n - 1, who.p).p;
        chat_harness_type(s, name, "tea", alone, arena_print(s->arena, "%.*s", STR_ARG(rest)).p);
    } else {
        (void)str_word(&rest); /* "presses" */
        rest = str_trim(rest);
        chat_harness_press(s, arena_print(s->arena, "%.*s", STR_ARG(who)).p,
                           arena_print(s->arena, "%.*s", STR_ARG(rest)).p);
    }
}

static void play(struct chat_harness *s, const char *story)
{
    for (struct str rest = str_of(story), line; rest.n > 0;) {
        line = str_trim(str_cut(rest, '\n', &rest));
        if (line.n > 0)
            play_line(s, line);
    }
}

enum {
    USUAL = CAN_BUTTONS | CAN_EDIT | CAN_ERASE | CAN_POPUP | CAN_HANDLES | CAN_CLOSE | CAN_STYLE |
            CAN_FOLD
};
static const uint32_t networks[] = {
    USUAL | CAN_WHISPER | CAN_DIRECT, /* answers are hidden in the group, */
    USUAL | CAN_DIRECT | CAN_PICTURE, /* in private, */
    USUAL,                            /* or read by all */
    /* signs in place of buttons in a group, and polls in private or not, as on Matrix */
    CAN_EDIT | CAN_ERASE | CAN_DIRECT | CAN_REACT | CAN_STYLE | CAN_FOLD | CAN_MENTION |
        CAN_HANDLES | CAN_CLOSE | CAN_POLL,
    CAN_EDIT | CAN_ERASE | CAN_DIRECT | CAN_REACT | CAN_STYLE | CAN_FOLD | CAN_MENTION |
        CAN_HANDLES | CAN_CLOSE,
};
enum { SIGNS = 3 }; /* tests/terminal has the endings of the terminal */

static const char usual_deal[] = "alice 1b 2a 3b 4a 5a 6a 7a 8b; bob 9a 10a 11b 12b 2r 3r 4r 5r; "
                                 "field 1p1 1p2 6r 7r 9r 10r 8a 12p1";

/* Every ending after every message, each on one of four networks, or of seven, unless all are tried.
 * deal: NULL for any cards. */
static void try_all(const char *deal, const char *begin, const char *const *live,
                    const char *const *endings, enum ended what)
{
    int alive = 0, tried = 0;
    for (size_t k = 0; k < sizeof networks / sizeof *networks; k++)
        for (int l = 0; live[l]; l++)
            for (int e = 0; endings[e]; e++) {
                const bool deaf = (!(networks[k] & CAN_DIRECT) && strchr(live[l], '~')) ||
                                  (!(networks[k] & CAN_BUTTONS) && strstr(endings[e], "presses"));
                if (deaf || (l + e + (int)k) % stride(k < SIGNS ? 4 : 7, 1) != 0)
                    continue;
                struct chat_harness *s = chat_harness_open(networks[k]);
                struct session left;
                if (networks[k] & CAN_DIRECT) { /* their private chats are open */
                    chat_harness_type(s, "alice", "tea", true, "/ping");
                    chat_harness_type(s, "bob", "tea", true, "/ping");
                }
                tried++;
                if (deal)
                    chat_harness_deal(s, 1, 1, deal);
                play(s, begin);
                play(s, live[l]);
                play(s, endings[e]);
                if (what == MATCH && chat_harness_session(s, &left)) {
                    print_error("\"%s\" has not ended it\n", endings[e]);
                    alive++;
                }
                alive += count_alive(s, live[l], endings[e], what);
                chat_harness_close(s);
            }
    print_message("%d stories\n", tried);
    assert_int_equal(alive, 0);
}

TEST(challenges)
{
    static const char *const live[] = {"", "bob presses Decline", "alice presses Withdraw",
                                       "alice presses Rules", NULL};
    static const char *const endings[] = {"bob> /decline",
                                          "bob presses Decline\nbob presses no time",
                                          "alice> /cancel\nalice> /cancel",
                                          "wait 25",
                                          "olga~ /end 1",
                                          "bob> /accept",
                                          NULL};
    try_all(usual_deal, "alice> /challenge @bob standard 3 first_dealer=challenger", live, endings,
            OFFER);
}

/* A table by tapping; with people who sat down and left. */
TEST(lobbies)
{
    static const char *const live[] = {"",
                                       "bob presses Join",
                                       "bob presses Join\ncarol presses Join",
                                       "bob presses Join\nbob presses Leave",
                                       "alice presses Rules",
                                       "alice presses Withdraw",
                                       NULL};
    static const char *const endings[] = {
        "alice> /cancel\nalice> /cancel",        "wait 25",        "olga~ /end 1",
        "bob presses Join\nalice presses Start", "bot leaves tea", NULL};
    try_all(NULL, "alice> /start\nalice presses Play here\nalice presses 3 players", live, endings,
            OFFER);
}

TEST(searches)
{
    static const char *const live[] = {"", "carol> /notify on", "alice presses Withdraw", NULL};
    static const char *const endings[] = {"alice> /cancel\nalice> /cancel", "wait 200",
                                          "bob> /seek", "olga~ /ban @alice", NULL};
    try_all(usual_deal, "bob> /ping\nalice> /seek standard 3", live, endings, OFFER);
}

/* A try that is given up, or still runs when its day is over. */
TEST(a_duel)
{
    static const char *const live[] = {"", "alice~ /hand", "alice~ /resign", "bob~ /duel", NULL};
    static const char *const endings[] = {"alice~ /resign\nalice~ /resign",
                                          "alice~ /resign\nalice~ /resign\nwait 48", "wait 48",
                                          NULL};
    try_all(NULL, "alice> /settings duel=on\nwait 9\nalice~ /duel start", live, endings, MATCH);
}

TEST(matches)
{
    static const char *const live[] = {"",
                                       "alice> /resign",
                                       "bob> /resign",
                                       "alice~ /resign",
                                       "alice> /resign\nwait 1\nalice> /resign",
                                       "alice> /draw",
                                       "alice> /hand\nbob> /hand",
                                       "alice> /play crane",
                                       "alice~ /play crane",
                                       "wait 19",
                                       "wait 25",
                                       "auto 1\nalice> /resign",
                                       "bob leaves tea",
                                       NULL};
    static const char *const endings[] = {"alice> /resign\nalice> /resign",
                                          "bob> /resign\nbob> /resign",
                                          "bob> /draw\nalice> /draw\nbob> /draw",
                                          "wait 25\nbob> /claim\nalice> /claim",
                                          "wait 1500",
                                          "olga~ /end 1",
                                          "bob> /resign\nbob> /resign\nwait 2300",
                                          "bot leaves tea\nwait 2300",
                                          "auto 400\nalice> /ready\nbob> /ready\nauto 400\n"
                                          "alice> /ready\nbob> /ready\nauto 400",
                                          NULL};
    try_all(usual_deal, "alice> /challenge @bob standard 3 first_dealer=challenger\nbob> /accept",
            live, endings, MATCH);
}

/* Bob cannot pay what Alice wins. */
TEST(bankruptcy)
{
    static const char *const live[] = {"", "alice> /resign", "bob> /draw",
                                       "alice> /hand\nbob> /hand", NULL};
    static const char *const endings[] = {
        "alice> /play moon\nbob> /play 2r\nalice> /play sake\nalice> /koikoi\n"
        "bob> /play 12b\nalice> /play 3b\nalice> /stop",
        NULL};
    try_all("alice 8b 9a 3b 1b 4p1 5p1 7p1 10p1; bob 2r 4r 6p1 12b 11r 11p 10r 5r; "
            "field 8p1 9p1 3p1 1p1 2p1 6a 12p1 4a; stock 7r 7p2 2p2 2a 4p2 6p2 11a 12p2",
            "alice> /challenge @bob sensei 3 first_dealer=challenger\nbob> /accept", live, endings,
            MATCH);
}

/* Bob was dealt four of a month and calls a redeal: the deal is over, the match is not. */
TEST(a_void_deal)
{
    static const char *const live[] = {"",
                                       "bob> /hand",
                                       "alice> /hand\nbob> /hand",
                                       "alice> /play 1",
                                       "alice> /play 1\nbob> /hand",
                                       NULL};
    static const char *const endings[] = {"bob> /redeal", NULL};
    try_all("alice 1b 2a 3b 4a 5a 6a 7a 8b; bob 9a 9r 9p1 9p2 10a 10r 11a 12b; "
            "field 1r 2r 3r 4r 5r 6r 7r 8a",
            "alice> /challenge @bob okoshki first_dealer=challenger\nbob> /accept", live, endings,
            DEAL);
}

/* Who types each number until the next lesson comes has learnt it all in the end. */
TEST(the_last_lesson)
{
    static const char *const live[] = {"", "alice~ /rules", "alice~ /tutorial", NULL};
    static char story[4096];
    static const char *const endings[] = {story, NULL};
    for (int i = 0, n = 0; i < 250; i++)
        n += snprintf(story + n, sizeof story - (size_t)n, "alice~ %d\n", 1 + i % 9);
    try_all(usual_deal, "alice~ /tutorial", live, endings, LESSON);
}

TEST(a_puzzle)
{
    static const char *const live[] = {"", "alice~ /puzzle", "alice~ /puzzle last", NULL};
    static const char *const endings[] = {"alice~ /puzzle 1", "alice~ /puzzle 2", NULL};
    try_all(usual_deal, "alice~ /puzzle", live, endings, PUZZLE);
}

TEST(tournaments)
{
    static const char *const live[] = {"", "bob> /tournament join", NULL};
    static const char *const endings[] = {"alice> /tournament cancel", "wait 200", NULL};
    try_all(usual_deal, "alice> /tournament knockout standard", live, endings, OFFER);
}

/* Its rounds end by their date, and those who never came lose; or the first did. */
TEST(rounds_of_a_tournament)
{
    static const char *const live[] = {"", "alice> /ready\nbob> /ready\ncarol> /ready", "wait 25",
                                       NULL};
    static const char *const endings[] = {"wait 2300", NULL};
    try_all(NULL,
            "alice> /tournament roundrobin standard\nbob> /tournament join\n"
            "carol> /tournament join\nalice> /tournament start\nwait 0",
            live, endings, MATCH);
}

/* The hour is over: matches that run are played to their end, then nothing of it lives. */
TEST(an_arena)
{
    static const char *const live[] = {"", "carol> /tournament join",
                                       "alice> /ready\nbob> /ready\nalice> /resign",
                                       "alice> /ready\nbob> /ready\nalice> /resign\n"
                                       "alice> /resign",
                                       NULL};
    static const char *const endings[] = {"alice> /tournament cancel\nolga~ /end 1", "wait 40",
                                          "wait 2300", NULL};
    try_all(NULL,
            "alice> /tournament arena standard\nbob> /tournament join\n"
            "alice> /tournament start\nwait 0",
            live, endings, OFFER);
}
