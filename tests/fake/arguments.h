/* The command line of a fake network: --OPTION=VALUE from a table.
 *
 *     static const struct argument table[] = {{"port", IS_INT, &port, "0: any free one"}, ... {NULL}};
 *     arguments_read("fake_name", table, argc, argv);
 */
#ifndef FAKE_ARGUMENTS_H
#define FAKE_ARGUMENTS_H

enum argument_kind {
    IS_TEXT,                    /* const char * */
    IS_INT,                     /* int */
    IS_LONG,                    /* int64_t */
    IS_REAL,                    /* double */
    IS_FLAG,                    /* bool: --NAME, or --NAME=0 */
};
struct argument {
    const char *name;           /* NULL ends the table */
    enum argument_kind kind;
    void *to;
    const char *about;
};

/* Ends the program if it is told something that is not in the table. */
void arguments_read(const char *program, const struct argument *table, int argc, char **argv);
/* Lists the table and ends the program. */
_Noreturn void arguments_usage(const char *program, const struct argument *table);

#endif
