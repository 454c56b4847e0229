/* Allocation: blocks of the size asked for, zero bytes included; a failure ends the process with a
 * line that names the size. */
#include "engine/test.h"
#include "fixture/scratch.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "alloc.h"

TEST(zeroed_memory_is_zero)
{
    static const char zero[300];
    char *one = alloc_zeroed(sizeof zero), *many = alloc_array(3, 100);
    assert_memory_equal(one, zero, sizeof zero);
    assert_memory_equal(many, zero, sizeof zero);
    free(one);
    free(many);
}

TEST(nothing_is_a_valid_size)
{
    free(alloc_zeroed(0));
    free(alloc_array(0, 8));
    free(alloc_array(8, 0));
    free(alloc_room(0));
    free(alloc_grow(NULL, 0));
}

TEST(text_is_copied_and_ends_with_a_nul)
{
    char *copy = alloc_text((struct str){"hands", 4}), *empty = alloc_text((struct str){0});
    assert_string_equal(copy, "hand");
    assert_string_equal(empty, "");
    free(copy);
    free(empty);
}

TEST(growing_keeps_the_old_bytes)
{
    char *p = alloc_text(STR("moon"));
    p = alloc_grow(p, 100000);
    assert_string_equal(p, "moon");
    free(p);
}

enum alloc_call { ZEROED, ARRAY, PAIRS, OVERFLOW_OF_ARRAY, ROOM, GROW, N_CALLS };

/* More than any machine has; volatile, because the compiler would warn of a constant. */
static volatile size_t huge = SIZE_MAX / 2;

static void ask_too_much(enum alloc_call call)
{
    switch (call) {
    case ZEROED:
        free(alloc_zeroed(huge));
        break;
    case ARRAY:
        free(alloc_array(huge, 1));
        break;
    case PAIRS: /* the largest product that is a size */
        free(alloc_array(2, huge));
        break;
    case OVERFLOW_OF_ARRAY:
        free(alloc_array(huge, 4));
        break;
    case ROOM:
        free(alloc_room(huge));
        break;
    default:
        free(alloc_grow(NULL, huge));
    }
}

TEST(a_failed_allocation_aborts_and_names_the_size)
{
    for (enum alloc_call call = 0; call < N_CALLS; call++) {
        int to_test[2], status;
        char line[200], wanted[80];
        assert_int_equal(pipe(to_test), 0);
        pid_t pid = fork();
        if (pid == 0) {
            signal(SIGABRT, SIG_DFL);
            dup2(to_test[1], 2);
            ask_too_much(call);
            _exit(0);
        }
        close(to_test[1]);
        ssize_t n = read(to_test[0], line, sizeof line - 1);
        close(to_test[0]);
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_true(n > 0);
        line[n] = '\0';
        assert_false(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        if (WIFSIGNALED(status)) { /* a sanitizer ends the process with a report of its own */
            assert_int_equal(WTERMSIG(status), SIGABRT);
            snprintf(wanted, sizeof wanted, "koikoi: out of memory: %zu bytes\n",
                     call == PAIRS               ? 2 * huge
                     : call == OVERFLOW_OF_ARRAY ? SIZE_MAX
                                                 : huge);
            assert_string_equal(line, wanted);
        }
    }
}
