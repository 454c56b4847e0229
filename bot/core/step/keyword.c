/* See keyword.h. */
#include "keyword.h"

const char *const keyword_names[N_KEYWORDS] = {
    "",       "computer", "open",    "later",  "too_long", "other_rules", "no_time",  "no_computer",
    "strong", "last",     "another", "off",    "on",       "filler",      "code",     "results",
    "past",   "replay",   "about",   "all",    "casual",   "no",          "picture",  "beginner",
    "easy",   "normal",   "hard",    "master", "swiss",    "round_robin", "knockout", "join",
    "leave",  "start",    "kick",    "cancel"};

_Static_assert((int)N_KEYWORDS <= (int)MAX_KEYWORDS, "the catalogues have room for every keyword");

static bool is_alias(const struct str list[MAX_ALIASES], struct str word)
{
    for (int i = 0; i < MAX_ALIASES && list[i].n > 0; i++)
        if (str_is(list[i], word))
            return true;
    return false;
}

enum keyword keyword_find(const struct languages *all, struct arena *a, struct str words)
{
    struct str word = text_fold(a, words);
    for (int t = 0; word.n > 0 && t < all->n; t++)
        for (int i = 1; i < N_KEYWORDS; i++)
            if (is_alias(all->at[t]->option[i], word) || str_is(word, str_of(keyword_names[i])))
                return (enum keyword)i;
    return KEYWORD_NONE;
}
