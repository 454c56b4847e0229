/* See character.h. */
#include "character.h"

#define ROW(key, level, name)                                                                      \
    {                                                                                              \
        key, level, T_##name##_MANNER                                                              \
    }
const struct character characters[N_CHARACTERS] = {
    [NO_CHARACTER] = {"", 0, 0},   ROW("mei", LEVEL_BEGINNER, MEI), ROW("taro", LEVEL_EASY, TARO),
    ROW("ume", LEVEL_NORMAL, UME), ROW("ren", LEVEL_HARD, REN),     ROW("kuro", LEVEL_MASTER, KURO),
};

int character_find(const struct languages *all, struct arena *a, struct str word)
{
    for (int c = 1; word.n > 0 && c < N_CHARACTERS; c++) {
        if (str_is(word, str_of(characters[c].key)))
            return c;
        for (int l = 0; l < all->n; l++) {
            struct str name = text_fold(a, texts_typed(all->at[l])->character[c]), rest = name;
            if (str_is(word, name))
                return c;
            for (struct str part = str_word(&rest); part.n > 0; part = str_word(&rest))
                if (rest.n == 0 && str_is(word, part)) /* the last one: "ume", not "grandmother" */
                    return c;
        }
    }
    return NO_CHARACTER;
}
