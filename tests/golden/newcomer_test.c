/* A newcomer who knows nothing of the game: a program that presses what the messages say finishes
 * the tutorial. In each lesson it first presses something else; the answer must say the same button
 * again. */
#include "engine/test.h"
#include "golden/chat_input.h"
#include "fixture/scratch.h"

enum { LESSONS_TOLD = 8, MOST_PRESSES = 60 };

struct newcomer {
    struct chat_harness *harness;
    struct str lesson; /* the newest message with buttons */
    const struct outgoing *menu;
    struct str answer; /* the newest text of any kind */
};

/* Reads what came since the last time. */
static void look(struct newcomer *n)
{
    const struct sent_message *sent;
    int count = chat_harness_sent(n->harness, &sent);
    for (int i = 0; i < count; i++) {
        if (sent[i].out.text.n > 0)
            n->answer = sent[i].out.text;
        if (sent[i].out.n_buttons > 0) {
            n->lesson = sent[i].out.text;
            n->menu = &sent[i].out;
        }
    }
    chat_harness_forget(n->harness);
}

/* What stands last between quotation marks; empty: nothing does. */
static struct str told(struct str text)
{
    static const char open[] = "“", close[] = "”";
    struct str found = {0};
    for (size_t i = 0; i + sizeof open <= text.n; i++)
        if (memcmp(text.p + i, open, sizeof open - 1) == 0) {
            size_t from = i + sizeof open - 1, to = from;
            while (to + sizeof close - 1 <= text.n &&
                   memcmp(text.p + to, close, sizeof close - 1) != 0)
                to++;
            found = (struct str){text.p + from, to - from};
        }
    return found;
}

static bool holds(struct str label, struct str words)
{
    return words.n > 0 && memmem(label.p, label.n, words.p, words.n) != NULL;
}

/* Presses the first button that holds the words, or the first that does not. */
static void press(struct newcomer *n, struct str words, bool with)
{
    for (int i = 0; i < n->menu->n_buttons; i++)
        if (holds(n->menu->buttons[i].label, words) == with) {
            char label[200];
            struct buf b = BUF(label);
            buf_print(&b, "%.*s", STR_ARG(n->menu->buttons[i].label));
            assert_true(chat_harness_press(n->harness, "alice", label));
            look(n);
            return;
        }
    fail_msg("no button for \"%.*s\" under: %.*s", STR_ARG(words), STR_ARG(n->lesson));
}

static bool names_lesson(struct str text, int lesson)
{
    char head[40];
    struct buf b = BUF(head);
    buf_print(&b, "Lesson %d of %d", lesson, LESSONS_TOLD);
    return holds(text, buf_str(&b));
}

TEST(following_the_messages_finishes_the_tutorial)
{
    struct newcomer n = {.harness = chat_harness_open(DEFAULT_CAN)};
    int lesson = 0;
    chat_harness_type(n.harness, "alice", "", true, "/start");
    look(&n);
    press(&n, STR("Learn"), true);
    for (int i = 0; i < MOST_PRESSES && !holds(n.lesson, STR("That is the whole game")); i++) {
        struct str wanted = told(n.lesson);
        assert_true(wanted.n > 0);
        if (!names_lesson(n.lesson, lesson)) {
            assert_true(names_lesson(n.lesson, ++lesson));
            struct str before = n.lesson;
            press(&n, wanted, false);
            assert_true(str_is(n.lesson, before)); /* no step further */
            struct str again = told(n.answer);
            if (!str_is(again, wanted))
                fail_msg("lesson %d: wanted \"%.*s\", the refusal says: %.*s", lesson,
                         STR_ARG(wanted), STR_ARG(n.answer));
        }
        press(&n, wanted, true);
    }
    assert_int_equal(lesson, LESSONS_TOLD);
    assert_true(holds(n.lesson, STR("That is the whole game")));
    chat_harness_close(n.harness);
}
