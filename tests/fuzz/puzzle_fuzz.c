/* Any bytes as a file of puzzles: a line is refused with a reason, or its best move is one of the
 * legal ones and its numbers are in their ranges. */
#include <stdint.h>

#include "puzzle_file.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct puzzle puzzle;
    struct str file = {(const char *)data, size};
    int n = puzzle_file_count(file);
    assert(n >= 0 && (size_t)n <= size);
    for (int i = 0; i < n && i < 4; i++) {
        struct err err = {""};
        struct str line = puzzle_file_line(file, i);
        bool good = puzzle_file_read(line, &puzzle, &err);
        assert(good || err.text[0] != '\0');
        if (!good)
            continue;
        assert(puzzle.no >= 1 && puzzle.view.n_legal >= 1 &&
               puzzle.view.n_legal <= MAX_PUZZLE_ANSWERS);
        bool solved = false;
        for (int k = 0; k < puzzle.view.n_legal; k++) {
            assert(puzzle.win[k] <= 100);
            solved |= puzzle_solved_by(&puzzle, k);
        }
        assert(solved);
    }
    assert(puzzle_file_line(file, n + 1).n == 0);
    return 0;
}
