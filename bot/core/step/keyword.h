/* Keywords: words that mean something behind a command: "computer", "open", "last", the reasons to
 * decline, and commands that do not exist but are often tried. The catalogues have them in every
 * language; the English words always work. The source is command.c. */
#ifndef KOIKOI_KEYWORD_H
#define KOIKOI_KEYWORD_H

#include "text.h"

enum keyword {
    KEYWORD_NONE,
    KEYWORD_COMPUTER,
    KEYWORD_OPEN,
    KEYWORD_LATER,
    KEYWORD_TOO_LONG,
    KEYWORD_OTHER_RULES,
    KEYWORD_NO_TIME,
    KEYWORD_NO_COMPUTER,
    KEYWORD_STRONG,
    KEYWORD_LAST,
    KEYWORD_ANOTHER,
    KEYWORD_OFF,
    KEYWORD_ON,
    KEYWORD_FILLER,
    KEYWORD_CODE,
    KEYWORD_NEW_LINK,
    /* commands that people guess; step_unknown() answers them, keyword_find() does not know them */
    KEYWORD_RESULTS,
    KEYWORD_GUESSED = KEYWORD_RESULTS,
    KEYWORD_PAST,
    KEYWORD_REPLAY,
    KEYWORD_ABOUT,
    KEYWORD_NEW_MATCH,
    KEYWORD_ALONE,
    KEYWORD_MENU,
    KEYWORD_HOW,
    KEYWORD_POINTS,
    KEYWORD_SURRENDER,
    KEYWORD_LOOKS,
    KEYWORD_BREAK,
    KEYWORD_WHO,
    KEYWORD_BADGES,
    KEYWORD_LEVEL,
    KEYWORD_TONGUE,
    KEYWORD_GUESSED_LAST = KEYWORD_TONGUE,
    KEYWORD_ALL,
    KEYWORD_CASUAL,
    KEYWORD_NO,
    KEYWORD_PICTURE,
    KEYWORD_BEGINNER, /* levels of the computer, in their order */
    KEYWORD_EASY,
    KEYWORD_NORMAL,
    KEYWORD_HARD,
    KEYWORD_MASTER,
    /* behind /tournament */
    KEYWORD_SWISS,
    KEYWORD_ROUND_ROBIN,
    KEYWORD_KNOCKOUT,
    KEYWORD_ARENA,
    KEYWORD_JOIN,
    KEYWORD_LEAVE,
    KEYWORD_START,
    KEYWORD_KICK,
    KEYWORD_CANCEL,
    /* names and values of options: "name=value" */
    KEYWORD_RULES,
    KEYWORD_ROUNDS,
    KEYWORD_CLOCK,
    KEYWORD_SEASON,
    KEYWORD_ZONE,
    KEYWORD_LANGUAGE,
    KEYWORD_OPPONENT,
    KEYWORD_TIPS,
    KEYWORD_SEEK,
    KEYWORD_PUZZLE,
    KEYWORD_DUEL,
    KEYWORD_CHAMPION,
    KEYWORD_WATCH,
    KEYWORD_BOARD,
    KEYWORD_PLAYERS,
    KEYWORD_ROUND,
    KEYWORD_QUARTER,
    KEYWORD_MONTH,
    KEYWORD_YEAR,
    KEYWORD_MANUAL,
    KEYWORD_HAND,
    KEYWORD_POLL,
    KEYWORD_NEXT,
    KEYWORD_TEXT,
    KEYWORD_TABLE,
    N_KEYWORDS
};
extern const char *const keyword_names[N_KEYWORDS]; /* in catalogues; "computer" ... */

/* The keyword these words are, as a whole. Returns KEYWORD_NONE if not found. */
enum keyword keyword_find(const struct languages *all, struct arena *a, struct str words);
/* True if the folded words are that one, whatever else they may be. */
bool keyword_is(const struct languages *all, struct str folded, enum keyword k);
/* True if the last of the words is this keyword, which is cut off. */
bool keyword_cut(const struct languages *all, struct arena *a, struct str *words, enum keyword k);
/* The English name of an option, or of its value, from the word of any language: "rounds" for
 * "rondas". Other words stay as they are. */
struct str keyword_option(const struct languages *all, struct arena *a, struct str word);

#endif
