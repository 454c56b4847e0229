/* Boards in words, in random matches of people with long names, in each language: a board says that nothing was
 * taken only where nothing was, and shows the field. */
#include "engine/test.h"
#include "golden/chat_harness.h"

#include "adapter.h"
#include "text.h"
#include "texts.h"

#include <stdio.h>

extern const struct adapter telegram_adapter;

static const char *const people[] = {"bartholomew", "wilhelmina"};

/* The newest board in the group, above its fold; empty if there is none. */
static struct str board_of(struct chat_harness *s, struct arena *a)
{
    const struct sent_message *sent;
    struct str text = {0}, rest;
    int n = chat_harness_sent(s, &sent);
    for (int i = 0; i < n; i++)
        if (sent[i].edit && sent[i].out.where == TO_CHAT)
            text = str_cut(sent[i].out.text, MARK_FOLD, &rest);
    return text_unmarked(a, text);
}

static int play(struct arena *a, const struct texts *t)
{
    struct chat_harness *s = chat_harness_open(telegram_adapter.can & ~(uint32_t)CAN_PICTURE);
    struct session was, now;
    struct str nobody = STR(""), field = STR("");
    struct str denial = text_unmarked(a, text_make(t, a, T_SCREEN_NOTHING, 0, &nobody, 1)),
               label = str_trim(text_unmarked(a, text_make(t, a, T_FIELD_SHORT, 0, &field, 1)));
    int boards = 0;
    snprintf(s->apps, sizeof s->apps, "bartholomew=%.*s wilhelmina=en", STR_ARG(t->language));
    chat_harness_type(s, people[0], "tea", false, "/challenge @wilhelmina 3");
    chat_harness_type(s, people[1], "tea", false, "/accept");
    while (chat_harness_session(s, &was)) {
        int turn = session_turn(&was);
        chat_harness_forget(s);
        if (turn < 0) {
            for (int i = 0; i < 2; i++)
                chat_harness_type(s, people[i], "tea", false, "/ready");
            continue;
        }
        chat_harness_wait(s, 1000);
        assert_true(chat_harness_auto(s, true));
        struct str board = board_of(s, a);
        if (!chat_harness_session(s, &now) || now.match.round_no != was.match.round_no ||
            session_turn(&now) < 0 || board.n == 0)
            continue;
        boards++;
        bool denied = memmem(board.p, board.n, denial.p, denial.n) != NULL;
        if (denied)
            assert_true(now.match.round.taken[turn] == was.match.round.taken[turn]);
        assert_true(memmem(board.p, board.n, label.p, label.n) != NULL);
    }
    chat_harness_close(s);
    return boards;
}

TEST(no_board_denies_what_was_taken)
{
    struct languages all;
    struct err err = {""};
    struct arena *a = arena_open(1 << 26);
    assert_true(texts_load(STR(""), STR("en"), true, a, &all, &err));
    for (int i = 0; i < all.n; i++)
        assert_in_range(play(a, texts_for(&all, all.at[i]->language)), 20, 1000);
    arena_close(a);
}
