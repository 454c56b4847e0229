/* Command line of a fake network: --OPTION=VALUE, each a row of a table.
 *
 *     static const struct argument table[] = {{"port", IS_INT, &port, "0: any free one"}, ... {NULL}};
 *     static const struct argument *const tables[] = {table, NULL};
 *     arguments_read("fake_name", tables, argc, argv);
 */
#ifndef FAKE_ARGUMENTS_H
#define FAKE_ARGUMENTS_H

enum argument_kind {
    IS_TEXT, /* const char * */
    IS_INT,  /* int */
    IS_LONG, /* int64_t */
    IS_REAL, /* double */
    IS_FLAG, /* bool: --NAME, or --NAME=0 */
};
struct argument {
    const char *name; /* NULL ends the table */
    enum argument_kind kind;
    void *to;
    const char *about;
};

/* Ends the program with usage if a word is no row of the tables. */
void arguments_read(const char *program, const struct argument *const *tables, int argc,
                    char **argv);
/* Lists the tables and ends the program. */
_Noreturn void arguments_usage(const char *program, const struct argument *const *tables);

#endif
