/* What is over is over: every ending, after every kind of message with live buttons, on networks that
 * differ in who sees an answer. Once the challenge, the match or the tournament is over, no message that
 * stands has a button that would go on with it, and none says that it is somebody's move. */
#include "engine/test.h"
#include "golden/chat_harness.h"

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

/* The messages as people see them now, after edits, erasures and lost buttons. */
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
            ret->at[at - 1].out.n_buttons = 0;
        if (m->out.kind == OUT_ERASE && at > 0)
            ret->at[at - 1].out.text = STR("");
        if (takes)
            continue;
        assert_true(ret->n < STANDING);
        ret->at[at > 0 ? at - 1 : ret->n++] = *m;
    }
}

/* ---- what must not live on ---- */

static bool goes_on(const struct press *p, bool offer)
{
    const bool offers =
        p->verb == VERB_ACCEPT || p->verb == VERB_DECLINE || p->verb == VERB_CANCEL ||
        p->verb == VERB_TERMS ||
        (p->verb == VERB_TOURNAMENT && p->index > 0 && p->index < 16); /* join, leave, start */
    static const enum verb in_a_match[] = {
        VERB_MOVE,  VERB_PLAY,     VERB_KOIKOI, VERB_STOP,  VERB_DECLARE, VERB_REDEAL,
        VERB_READY, VERB_HINT,     VERB_HAND,   VERB_YAKU,  VERB_WAIT,    VERB_CONTINUE,
        VERB_DRAW,  VERB_TAKEBACK, VERB_CLAIM,  VERB_NUDGE, VERB_RESIGN};
    bool match = false;
    for (size_t i = 0; !offer && i < sizeof in_a_match / sizeof *in_a_match; i++)
        match |= p->verb == in_a_match[i];
    return offers || match;
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

/* Returns the number of dead things that look alive, and names them. */
static int count_alive(struct chat_harness *s, const char *live, const char *ending, bool offer)
{
    static struct messages_now now;
    int n = 0;
    look(s, &now);
    for (int i = 0; i < now.n; i++) {
        const struct outgoing *o = &now.at[i].out;
        struct press p;
        for (int b = 0; b < o->n_buttons; b++)
            if (chat_harness_read_press(s, o->buttons[b].data, &p) && goes_on(&p, offer)) {
                n++;
                print_error("after \"%s\", \"%s\": [%.*s] of %.*s (%d) lives on under \"%.*s\"\n",
                            live, ending, STR_ARG(o->buttons[b].label), STR_ARG(o->slot), o->where,
                            (int)(o->text.n < 50 ? o->text.n : 50), o->text.p);
            }
        const char *text = arena_str(s->arena, o->text).p;
        if (!offer && !is_superseded(&now, i) && text &&
            (strstr(text, "Your move.") || strstr(text, " to move (") ||
             strstr(text, ", your move."))) {
            n++;
            print_error("after \"%s\", \"%s\": it is somebody's move in \"%.*s\"\n", live, ending,
                        (int)(o->text.n < 50 ? o->text.n : 50), text);
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

static const uint32_t networks[] = {
    CAN_WHISPER | CAN_DIRECT, /* answers are hidden in the group, */
    CAN_DIRECT,               /* in private, */
    0                         /* or read by all */
};

static void try_all(const char *begin, const char *const *live, const char *const *endings,
                    bool offer)
{
    const uint32_t usual =
        CAN_BUTTONS | CAN_EDIT | CAN_ERASE | CAN_POPUP | CAN_HANDLES | CAN_CLOSE | CAN_STYLE;
    int alive = 0, tried = 0;
    for (size_t k = 0; k < sizeof networks / sizeof *networks; k++)
        for (int l = 0; live[l]; l++)
            for (int e = 0; endings[e]; e++, tried++) {
                struct chat_harness *s = chat_harness_open(usual | networks[k]);
                struct session left;
                if (!(networks[k] & CAN_DIRECT) && strchr(live[l], '~')) {
                    chat_harness_close(s); /* it has no private chats */
                    continue;
                }
                if (networks[k] & CAN_DIRECT) { /* their private chats are open */
                    chat_harness_type(s, "alice", "tea", true, "/ping");
                    chat_harness_type(s, "bob", "tea", true, "/ping");
                }
                chat_harness_deal(s, 1, 1,
                                  "alice 1b 2a 3b 4a 5a 6a 7a 8b; bob 9a 10a 11b 12b 2r 3r 4r 5r; "
                                  "field 1p1 1p2 6r 7r 9r 10r 8a 12p1");
                play(s, begin);
                play(s, live[l]);
                play(s, endings[e]);
                if (!offer && chat_harness_session(s, &left)) {
                    print_error("\"%s\" has not ended it\n", endings[e]);
                    alive++;
                }
                alive += count_alive(s, live[l], endings[e], offer);
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
                                          "bob> /accept",
                                          NULL};
    try_all("alice> /challenge @bob standard 3 first_dealer=challenger", live, endings, true);
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
                                       NULL};
    static const char *const endings[] = {"alice> /resign\nalice> /resign",
                                          "bob> /resign\nbob> /resign",
                                          "bob> /draw\nalice> /draw\nbob> /draw",
                                          "wait 25\nbob> /claim\nalice> /claim",
                                          "wait 1500",
                                          "auto 400\nalice> /ready\nbob> /ready\nauto 400\n"
                                          "alice> /ready\nbob> /ready\nauto 400",
                                          NULL};
    try_all("alice> /challenge @bob standard 3 first_dealer=challenger\nbob> /accept", live,
            endings, false);
}

TEST(tournaments)
{
    static const char *const live[] = {"", "bob> /tournament join", NULL};
    static const char *const endings[] = {"alice> /tournament cancel", "wait 200", NULL};
    try_all("alice> /tournament knockout standard", live, endings, true);
}
