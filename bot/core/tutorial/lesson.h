/* Lessons of the tutorial: prepared deals, each with one idea, played by the engine's rules.
 *
 * A lesson is a row: hands, field and stock, and the questions asked in it. A question is a row,
 * too: the moves before it, the answer it wants, and its sentences. The questions of all lessons
 * are numbered through; that number, the place, is what is remembered of a person.
 *
 *     lesson_rules(base, &rules)                         one set of rules for all lessons
 *     lesson_position(ruleset, place, false, &match)     the position of the question
 *     lesson_is_answer(place, &move)                     is this the answer it wants?
 *
 * To add a lesson: a row in lesson.c, its questions, their sentences in the catalogues, a line in
 * tutorial.chat. tests/core/tutorial checks that its deal can be played.
 */
#ifndef KOIKOI_LESSON_H
#define KOIKOI_LESSON_H

#include "match.h"
#include "text.h"

enum { LESSONS = 8, LESSON_PLACES = 12, LESSON_OVER = LESSON_PLACES + 1 };

/* Index of a button. VERB_TUTORIAL: 0 shows the lesson, 1 ... is an answer; the version is the place. */
enum { LESSON_AGAIN = 1000 /* from the start */ };

/* The learner sits at seat 0, an opponent who plays as the rows say at seat 1. */
struct lesson {
    enum text title, idea;
    const char *idea_words; /* what fills the placeholders, see lesson_question */
    uint8_t dealer;
    const char *learner, *other, *field, *stock; /* codes of cards, in the order dealt */
    bool shows_yaku;                             /* a picture of the lesson begins with `yaku` */
    enum yaku yaku;
};

/* Words for the placeholders of a sentence, in their order, with blanks between: a card's code is
 * its name; "s" and "k" are the words for stop and koi-koi, "y" is the list of the learner's yaku,
 * "b" their sum, "x" what multiplies it, "$" what it pays, "tsukimi" and so on a yaku's name. */
struct lesson_question {
    uint8_t lesson;     /* index */
    const char *before; /* moves since the question before it: "8p1>8b 4p1 koikoi" */
    const char *answer;
    enum text ask, refusal, done; /* refusal: why another answer that takes is not wanted */
    const char *ask_words, *refusal_words, *done_words;
};

/* Place 1 ... LESSON_PLACES. */
const struct lesson_question *lesson_question(int place);
const struct lesson *lesson_at(int place);
/* True if the place is the first of its lesson. */
bool lesson_begins(int place);

/* The rules of all lessons: those of `base`, with the small deals. */
void lesson_rules(const struct rules *base, struct rules *ret);
/* The position of a place, or, if `answered`, the one after its answer. Returns false if these
 * rules do not allow the moves. */
bool lesson_position(const struct ruleset *g, int place, bool answered, struct match *ret);
bool lesson_is_answer(int place, const struct move *m);

#endif
