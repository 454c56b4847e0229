/* Puzzle: a view from a game in which one decision matters, its answer and the reason. Facts that
 * were measured when the collection was made (config/puzzles.jsonl); no hidden card is behind it.
 *
 * Each day has its puzzle, by its number counted from 1970-01-01 (`day`), the same in all chats. A
 * puzzle of no day (0) is for practice. */
#ifndef KOIKOI_PUZZLE_H
#define KOIKOI_PUZZLE_H

#include "hint.h"
#include "text.h"
#include "world.h"

enum { MAX_PUZZLE_ANSWERS = 16 };

struct puzzle {
    int no; /* from 1 */
    struct view view;
    struct hint hint;                /* the best move, and why it is better than the next one */
    uint8_t win[MAX_PUZZLE_ANSWERS]; /* percent to win the match after each of view.legal */
    uint8_t level;                   /* enum level: the strongest below master that misses it */
};

/* True if view.legal[answer] is the best move, or differs from it in equal plains alone. */
bool puzzle_solved_by(const struct puzzle *p, int answer);

/* The place in the collection, from 0, of a day's puzzle. */
int puzzle_place_of_day(int64_t day, int total);
/* The place of one for practice, of a day so long past that none of the days to come is known. */
int puzzle_for_practice(int64_t current, uint32_t any, int total);

/* What /puzzle asks for: the puzzle of a day, or one for practice by its place. */
struct puzzle_asked {
    int64_t day;
    int place;
};

struct puzzle_solver {
    struct str name;
    int64_t run; /* days in a row up to that one */
};
struct puzzle_of_day {
    int64_t day;
    const struct puzzle *puzzle;
    int answer;               /* the sender's, from 1; 0: none */
    int64_t answered, solved; /* people */
    int n_solvers;
    const struct puzzle_solver *solver; /* those of the chat */
};

/* What a person has solved, without the puzzle that is still open. */
struct puzzle_record {
    int64_t answered, solved;
    int64_t run, longest; /* days in a row */
};

/* Facts for /puzzle, and for the post of a day. */
struct puzzle_facts {
    int total;
    int64_t current; /* the day whose puzzle is open in the chat */
    struct puzzle_of_day asked;
    struct puzzle_of_day before; /* the one whose solution is posted; puzzle NULL: none */
    struct puzzle_record record; /* of FACT_FIGURES: of the person whose card it is */
};

/* Back from what a puzzle's buttons and its link carry: the day, or PUZZLE_PRACTICE and the place. */
void puzzle_of_version(int64_t version, int total, struct puzzle_asked *ret);
struct effects;
struct ruleset_cache;
/* The position as a table: the computer's characters sit at the other seats. */
struct table *puzzle_table(struct effects *fx, struct ruleset_cache *rulesets,
                           const struct puzzle_of_day *d);

/* Effect: the sender's one answer to the puzzle of a day. */
struct puzzle_effects {
    int64_t day;
    int answer; /* from 1 */
    bool solved;
};

/* Index of a button of VERB_PUZZLE: an answer, by its number from 1; 0: the puzzle of the day; or
 * one of these. */
enum { PUZZLE_ANOTHER = 100, PUZZLE_LAST = 101, PUZZLE_PRACTICE = 1 << 24 };

/* What /puzzle asks for, as its words or its button say; the inbox loads that before the step.
 * current: the day whose puzzle is open in the chat; total: puzzles in the collection. */
void puzzle_asked(const struct world *w, const struct event *e, struct arena *a, int64_t current,
                  int total, struct puzzle_asked *ret);

/* Of notice->puzzle: its title; the question; reason, chances, how many found it, and whether the answer
 * notice->n did; the path of the page of one. */
struct draft;
struct str part_puzzle_title(const struct draft *d, enum text head);
void part_puzzle_question(struct draft *d);
void part_puzzle_solution(struct draft *d);
struct str part_puzzle_path(const uint8_t *key, int64_t version, struct arena *a);

/* A puzzle as a scene: each move is an answer. With one (from 1; 0: none) it has no moves; its sentences
 * tell that it is kept, or once it is over the solution; `next` is the version of another for practice.
 * And its preview: title, question, position; nothing of its answer. reader->table is its position. */
struct scene_reader;
struct scene_preview;
struct str puzzle_scene(struct scene_reader *reader, const struct puzzle_of_day *d, int answer,
                        bool over, int64_t next);
void puzzle_preview(struct scene_reader *reader, const struct puzzle_of_day *d,
                    struct scene_preview *ret);

#endif
