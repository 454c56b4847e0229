/* Commands that people guess, by the table of guesses (step.c) and the catalogues: each word of each
 * language, typed in private by who reads that language, is answered with where to go, or is a command
 * itself; and each language has words of its own for each guess. */
#include "engine/test.h"
#include "golden/chat_harness.h"

#include "character.h"
#include "texts.h"
#include "step.h"

enum { LEAST_WORDS = 31, PAUSE_MS = 5000 };

static struct languages all;
static struct arena *catalogues;

FIXTURE(setup)
{
    struct err err;
    catalogues = arena_open((size_t)1 << 24);
    return texts_load(STR(""), STR("en"), true, catalogues, &all, &err) ? 0 : -1;
}

FIXTURE(teardown)
{
    arena_close(catalogues);
    return 0;
}

static struct str answer_to(struct chat_harness *s, const char *typed)
{
    const struct sent_message *sent;
    struct str text = {0};
    chat_harness_forget(s);
    chat_harness_type(s, "alice", "tea", true, typed);
    for (int i = 0, n = chat_harness_sent(s, &sent); i < n && text.n == 0; i++)
        text = sent[i].dropped ? (struct str){0} : sent[i].out.text;
    chat_harness_wait(s, PAUSE_MS);
    return text;
}

/* Returns false, and says so, unless the answer to that word names the first command of its row. */
static bool is_led(struct chat_harness *s, const struct texts *t, const struct guess *g,
                   struct str word)
{
    char command[64];
    struct str named = command_name(t, g->go[0], false);
    struct str text = answer_to(s, arena_print(s->arena, "/%.*s", STR_ARG(word)).p);
    bool known = command_find(&t, 1, false, word) != VERB_NONE;
    snprintf(command, sizeof command, "/%.*s", STR_ARG(named));
    if (text.n > 0 && (known || strstr(arena_str(s->arena, text).p, command)))
        return true;
    print_error("%.*s: \"/%.*s\" should lead to %s: %.*s\n", STR_ARG(t->language), STR_ARG(word),
                command, STR_ARG(text));
    return false;
}

static int count_lost(const struct texts *t)
{
    struct chat_harness *s = chat_harness_open(CAN_DIRECT | CAN_EDIT | CAN_BUTTONS);
    int lost = 0, words = 0;
    answer_to(s, arena_print(s->arena, "/language %.*s", STR_ARG(t->language)).p);
    for (int i = 0; i < n_step_guesses; i++) {
        const struct guess *g = &step_guesses[i];
        const struct str *list = t->option[g->word];
        if (list[0].n == 0) {
            print_error("%.*s has no word for %s\n", STR_ARG(t->language), keyword_names[g->word]);
            lost++;
        }
        for (int k = 0; k < MAX_ALIASES && list[k].n > 0; k++, words++)
            if (!memchr(list[k].p, ' ', list[k].n)) /* words behind a command, too */
                lost += !is_led(s, t, g, list[k]);
    }
    print_message("%.*s: %d words\n", STR_ARG(t->language), words);
    if (words < LEAST_WORDS) {
        print_error("at least %d are guessed\n", LEAST_WORDS);
        lost++;
    }
    chat_harness_close(s);
    return lost;
}

TEST(each_guess_of_each_language_is_led)
{
    int lost = 0;
    for (int i = 0; i < all.n; i++)
        lost += count_lost(texts_typed(all.at[i]));
    assert_int_equal(all.n, 9);
    assert_int_equal(lost, 0);
}

TESTS_WITH(setup, teardown)
