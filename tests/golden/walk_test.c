/* The walk of all buttons: whoever presses a button that the bot has shown reaches an answer, and no
 * answer is a sentence about a hand where there is no match. It begins with every command there is, in a
 * group with rights and without, in private, and with the private chat closed; each new kind of button is
 * pressed once by somebody who plays and once by somebody who does not. */
#include "engine/test.h"
#include "golden/chat_harness.h"

enum { MAX_KINDS = 3000, MOST_PRESSES = 2500 };

/* One kind of button: what it does, in which chat, pressed by whom. */
struct walked {
    enum verb verb;
    int64_t index;
    const char *who;
    char place[24];
};

struct walk {
    struct chat_harness *s;
    int n, presses, dead;
    struct walked kind[MAX_KINDS];
};

static bool is_new(struct walk *w, struct walked k)
{
    for (int i = 0; i < w->n; i++)
        if (w->kind[i].verb == k.verb && w->kind[i].index == k.index &&
            strcmp(w->kind[i].who, k.who) == 0 && strcmp(w->kind[i].place, k.place) == 0)
            return false;
    assert_true(w->n < MAX_KINDS);
    w->kind[w->n++] = k;
    return true;
}

/* Presses the button as this person and says so if nothing comes back. */
static void press(struct walk *w, const struct sent_message *m, const struct button *b,
                  const char *who)
{
    const struct sent_message *sent;
    chat_harness_forget(w->s);
    if (!chat_harness_press_in(w->s, who, m, b))
        return;
    w->presses++;
    int n = chat_harness_sent(w->s, &sent);
    bool answered = false;
    for (int i = 0; i < n; i++)
        answered |= !sent[i].dropped && (sent[i].out.text.n > 0 || sent[i].out.picture.n > 0);
    if (!answered) {
        w->dead++;
        print_error("%s presses [%.*s] of \"%.*s\": no answer\n", who, STR_ARG(b->label),
                    (int)(m->out.text.n < 60 ? m->out.text.n : 60), m->out.text.p);
    }
}

/* Follows the buttons of what was sent since the last call, then those of what came back. */
static void follow(struct walk *w, int depth)
{
    static const char *const people[] = {"alice", "bob"};
    enum { DEEPEST = 6, MOST = 64 };
    const struct sent_message *sent;
    int n = chat_harness_sent(w->s, &sent);
    if (depth == DEEPEST || n == 0)
        return;
    n = n < MOST ? n : MOST;
    struct sent_message *here = arena_array(w->s->arena, struct sent_message, n);
    memcpy(here, sent, (size_t)n * sizeof *here);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < here[i].out.n_buttons && !here[i].dropped; k++)
            for (int p = 0; p < 2 && w->presses < MOST_PRESSES; p++) {
                const struct button *b = &here[i].out.buttons[k];
                struct press pressed;
                struct walked kind = {.who = people[p]};
                if (!chat_harness_read_press(w->s, b->data, &pressed) ||
                    pressed.verb == VERB_RESIGN)
                    continue;
                kind.verb = pressed.verb;
                kind.index =
                    pressed.verb == VERB_MOVE || pressed.verb == VERB_PLAY ? 0 : pressed.index;
                snprintf(kind.place, sizeof kind.place, "%d %.*s", here[i].out.where,
                         (int)(here[i].out.chat.n < 16 ? here[i].out.chat.n : 16),
                         here[i].out.chat.n ? here[i].out.chat.p : "");
                if (!is_new(w, kind))
                    continue;
                press(w, &here[i], b, people[p]);
                follow(w, depth + 1);
            }
}

static void type(struct walk *w, bool direct, const char *words)
{
    const struct sent_message *sent;
    chat_harness_wait(w->s, (int64_t)60 * 1000); /* so many commands have a ceiling */
    chat_harness_forget(w->s);
    chat_harness_type(w->s, "alice", "tea", direct, words);
    if (chat_harness_sent(w->s, &sent) == 0) {
        w->dead++;
        print_error("alice types %s: no answer\n", words);
    }
    follow(w, 0);
}

/* open: their private chats with the bot are. */
static void walk(uint32_t can, bool direct, bool open)
{
    static const char *const more[] = {"/help all",
                                       "/challenge computer",
                                       "/tournament knockout",
                                       "/history",
                                       "/challenge @bob",
                                       "/puzzle last",
                                       "/language",
                                       "/duel",
                                       "/games",
                                       "/score",
                                       "/resign",
                                       "/resign",
                                       "/review",
                                       "/replay",
                                       "/verify"};
    static struct walk w;
    w = (struct walk){.s = chat_harness_open(can)};
    w.s->files_of_program = true;
    for (int i = 0; open && i < 2; i++)
        chat_harness_type(w.s, i ? "bob" : "alice", "tea", true, "/ping");
    for (int pass = 0; pass < 2; pass++) { /* without a match, and with what the first has begun */
        for (int v = 1; v < N_COMMANDS; v++)
            if (commands[v].permitted != FOR_OPERATORS && v != VERB_FORGET)
                type(&w, direct, arena_print(w.s->arena, "/%s", commands[v].name).p);
        for (size_t i = 0; i < sizeof more / sizeof *more; i++)
            type(&w, direct, more[i]);
    }
    chat_harness_close(w.s);
    print_message("%d presses of %d kinds\n", w.presses, w.n);
    assert_true(w.presses > 30 && w.presses < MOST_PRESSES);
    assert_int_equal(w.dead, 0);
}

enum {
    USUAL = CAN_BUTTONS | CAN_EDIT | CAN_ERASE | CAN_POPUP | CAN_HANDLES | CAN_CLOSE | CAN_STYLE |
            CAN_FOLD
};

TEST(in_a_group_with_rights)
{
    walk(USUAL | CAN_WHISPER | CAN_DIRECT, false, true);
}

TEST(in_a_group_without_rights)
{
    walk(USUAL | CAN_DIRECT, false, true);
}

TEST(with_the_private_chat_closed)
{
    walk(USUAL | CAN_DIRECT, false, false);
}

TEST(where_nothing_is_private)
{
    walk(USUAL, false, false);
}

TEST(with_pictures)
{
    walk(USUAL | CAN_DIRECT | CAN_PICTURE, false, true);
}

TEST(in_private)
{
    walk(USUAL | CAN_DIRECT, true, true);
}
