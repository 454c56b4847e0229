/* Catalogues: every sentence that players read, by key. A catalogue (config/texts/LANGUAGE.json,
 * read by bot/formats) has the words. The keys and their placeholders are those of the English one,
 * of which text.awk makes text.def. Arguments come in the order of text.def:
 *
 *     text_make(t, arena, T_WINS, 0, (struct str[]){name, points}, 2)
 *
 * A plural sentence has one form per CLDR category of its language; plural.c maps numbers to them.
 * Words are a rule set's names for things (cards, months, yaku, coins). What a set does not name
 * falls back to the set "standard" of the same language. */
#ifndef KOIKOI_TEXT_H
#define KOIKOI_TEXT_H

#include "arena.h"
#include "score.h"

enum text {
#define TEXT(key, name, args, inline_key)   T_##key,
#define PLURAL(key, name, args, inline_key) T_##key,
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
extern const char *const plural_names[N_PLURALS]; /* "zero" ... "other" */

/* The category of n >= 0 in a language ("ru", "pt-BR"), and the language's categories for whole
 * numbers as bits. A language without a row in plural.c has only OTHER. Source: Unicode CLDR. */
enum plural plural_of(struct str language, int64_t n);
unsigned plural_set(struct str language);

enum {
    MAX_WORDS = 8,
    MAX_ALIASES = 20,
    MAX_LANGUAGES = 16,
    MAX_CHARACTERS = 8,
    MAX_COMMANDS = 64,
    ALIAS_PLACES = 2048, /* a power of two above MAX_COMMANDS * MAX_ALIASES */
    MAX_KEYWORDS = 80,
    MAX_EXAMPLES = 5,
    BRIEF_CHARS = 60
};

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
extern const char *const word_names[N_WORDS]; /* "bright" ... "dealer" */

/* A name or value of a rule option, or what else people type for a card; and the language's word. */
struct rule_word {
    struct str key, word;
};

struct words {
    struct str name;            /* value of the rule set's field `words` */
    struct str card[N_CARDS];   /* "crane" */
    struct str month[N_MONTHS]; /* "pine" */
    /* A card with its month, by itself and as what is played or taken; as grammar has it. */
    struct str named[N_CARDS], taken[N_CARDS];
    struct str yaku[N_YAKU], hand_yaku[N_HAND_YAKU];
    struct str word[N_WORDS];
    struct str coins[N_PLURALS]; /* "{n} coins" */
    int n_also;
    const struct rule_word *also; /* "bow" for "ribbon", both folded */
};

struct texts {
    struct str language, title; /* "en", "English" */
    /* Behind texts_typed(): empty before it. */
    struct str character[MAX_CHARACTERS]; /* their names */
    /* By enum verb (command.h): the names of a command; the first is the one shown. */
    struct str alias[MAX_COMMANDS][MAX_ALIASES];
    uint16_t alias_at[ALIAS_PLACES]; /* where they stand, see command_index() */
    struct str brief[MAX_COMMANDS];  /* one phrase of at most BRIEF_CHARS, for lists */
    struct str about[MAX_COMMANDS];  /* more, for /help COMMAND; may be empty */
    struct str example[MAX_COMMANDS][MAX_EXAMPLES]; /* texts for the words behind a command */
    struct str option[MAX_KEYWORDS][MAX_ALIASES];   /* by enum keyword */
    struct rule_word *rule_word;                    /* n_rule_words */
    int n_rule_words;
    /* Behind texts_find(): empty before it. Sentences: read by text_form(), or still as JSON. */
    struct str (*text)[N_PLURALS], *written;
    int n_words;
    struct words words[MAX_WORDS]; /* words[0] is "standard", complete; it completes the others */

    const struct texts *english;        /* has each sentence that is missing here; NULL in itself */
    bool typed;                         /* what is typed is read */
    void (*read)(struct texts *unread); /* reads that, then the rest; NULL: all is read */
    void (*read_text)(struct texts *unread, enum text key);
    struct texts *unread; /* itself, for both */
    struct arena *arena;
    struct str bytes;
};

struct languages {
    int n;
    struct texts *at[MAX_LANGUAGES]; /* at[0] is the fallback */
};

const char *text_name(enum text key);
/* The placeholder names, separated by blanks, in the order of the arguments. */
const char *text_args(enum text key);
bool text_is_plural(enum text key);
/* The one for inline mode, which names no command. Its arguments are the first of the original. */
enum text text_inline(enum text key);

const struct texts *texts_typed(const struct texts *t); /* with what is typed in its language */
/* That of the language, else of its base ("zh" for "zh-CN"), all of it; NULL if not found. */
const struct texts *texts_find(const struct languages *all, struct str language);
const struct texts *texts_for(const struct languages *all, struct str language); /* or at[0] */
const struct words *words_for(const struct texts *t, struct str name);

struct str text_form(const struct texts *t, enum text key, enum plural form); /* as written */
/* Makes the sentence; n chooses the form of a plural one. n_args must match text.def. */
struct str text_make(const struct texts *t, struct arena *a, enum text key, int64_t n,
                     const struct str *args, int n_args);
/* Replaces {name} in a pattern; unknown names stay. `names` are separated by blanks. */
struct str text_fill(struct arena *a, struct str pattern, const char *names, const struct str *args,
                     int n_args);

/* Sanitizes a name or text from outside: at most `columns` wide, cut between characters, without
 * controls, direction overrides, marks or line breaks. Returns "?" if nothing visible is left. */
struct str text_clean(struct arena *a, struct str s, int columns);
bool text_is_plain(struct str s); /* letters and digits, of any script, their marks, spaces */
int text_columns(struct str s);   /* width in columns of a terminal */
/* Folds for comparison: NFKC, case folded, no format characters, single blanks. */
struct str text_fold(struct arena *a, struct str s);
/* Length in code points or UTF-16 units; marks do not count. */
int text_units(struct str s, bool utf16);
/* Cuts to n of these units: between lines if at most a quarter is lost by it, else between
 * characters. Closes open marks. */
struct str text_cut(struct arena *a, struct str s, int n, bool utf16);
struct str text_unmarked(struct arena *a, struct str s); /* without markup and its ids */

#endif
