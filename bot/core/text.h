/* What is said, apart from the code that says it. text.def lists every sentence with the names of
 * its placeholders; a catalogue (config/texts/LANGUAGE.json, read by the shell) gives each one its
 * words. A sentence is asked for by key, with its arguments in the order text.def names them:
 *
 *     text_make(t, arena, T_WINS, 0, (struct str[]){name, points}, 2)
 *
 * A plural sentence has a form per CLDR category of its language; which category a number falls
 * into is a row in plural.c, so that a new language is a new file and no code.
 *
 * Words are what a rule set calls things (cards, months, yaku, coins); a set that is not complete
 * falls back to the set "standard" of the same language.
 */
#ifndef KOIKOI_TEXT_H
#define KOIKOI_TEXT_H

#include "arena.h"
#include "score.h"

enum text {
#define TEXT(key, name, args) T_##key,
#define PLURAL(key, name, args) T_##key,
#include "text.def"
#undef TEXT
#undef PLURAL
    N_TEXTS
};

enum plural {
    PLURAL_ZERO,
    PLURAL_ONE,
    PLURAL_TWO,
    PLURAL_FEW,
    PLURAL_MANY,
    PLURAL_OTHER,
    N_PLURALS
};
extern const char *const plural_names[N_PLURALS];       /* "zero" ... "other" */

/* The category of n >= 0 in a language ("ru", "pt-BR"); and the set of categories it has for whole
 * numbers, as bits. A language without a row has only OTHER. Source: Unicode CLDR, plural rules. */
enum plural plural_of(struct str language, int64_t n);
unsigned plural_set(struct str language);

enum { MAX_WORDS = 8, MAX_ALIASES = 20, MAX_LANGUAGES = 16 };

enum word {
    WORD_BRIGHT,
    WORD_ANIMAL,
    WORD_RIBBON,
    WORD_PLAIN,
    WORD_STOP,
    WORD_KOIKOI,
    WORD_DEALER,
    N_WORDS
};
extern const char *const word_names[N_WORDS];           /* "bright" ... "dealer" */

struct words {
    struct str name;                    /* as the rule set's field `words` */
    struct str card[N_CARDS];           /* "crane" */
    struct str month[N_MONTHS];         /* "pine" */
    struct str yaku[N_YAKU], hand_yaku[N_HAND_YAKU];
    struct str word[N_WORDS];
    struct str coins[N_PLURALS];        /* "{n} coins" */
};

struct texts {
    struct str language, title;         /* "en", "English" */
    struct str text[N_TEXTS][N_PLURALS];        /* a plain text uses PLURAL_OTHER alone */
    int n_words;
    struct words words[MAX_WORDS];      /* words[0] is "standard", complete; all are completed from
                                           it */
    /* By enum verb (command.h): what people may type for a command; the first is the one shown. */
    struct str alias[64][MAX_ALIASES];
    struct str about[64];               /* "/help COMMAND": what it does, and how to use it */
    struct str option[32][MAX_ALIASES]; /* by enum spare */
};

struct languages { int n; const struct texts *at[MAX_LANGUAGES]; };     /* at[0] is the fallback */

const char *text_name(enum text key);
/* The placeholder names, blank separated, in the order of the arguments. */
const char *text_args(enum text key);
bool text_is_plural(enum text key);

const struct texts *texts_for(const struct languages *all, struct str language);
const struct words *words_for(const struct texts *t, struct str name);

/* The sentence; n chooses the form of a plural one. n_args must be what text.def says. */
struct str text_make(const struct texts *t, struct arena *a, enum text key, int64_t n,
                     const struct str *args, int n_args);
/* Replaces {name} in a pattern; unknown names stay. names: blank separated. */
struct str text_fill(struct arena *a, struct str pattern, const char *names, const struct str *args,
                     int n_args);

/* A name or text from a stranger, made fit to be shown: at most `columns` wide, cut between
 * characters; no controls, direction overrides, marks or line breaks; "?" if nothing is left. */
struct str text_clean(struct arena *a, struct str s, int columns);
/* How wide it is on a screen with fixed columns. */
int text_columns(struct str s);
/* Folded for comparing: NFKC, case folded, without format characters, blanks squeezed. */
struct str text_fold(struct arena *a, struct str s);
/* Its code points, or UTF-16 units; marks count nothing. */
int text_units(struct str s, bool utf16);
/* At most n of these units, cut between lines if the last one can be spared, else between
 * characters; open marks closed. */
struct str text_cut(struct arena *a, struct str s, int n, bool utf16);

#endif
