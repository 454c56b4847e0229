/* Lists of rows. A file that reads a table declares its list in one line and reads it in one call:
 *
 *     ROW_LIST(letters, struct letter);                 struct letters {n, at}
 *     return letters_of(store_select(...)); */
#ifndef KOIKOI_ROWS_H
#define KOIKOI_ROWS_H

/* An array of some table's struct. */
struct rows {
    int n;
    void *at;
};
#define ROW_LIST(list, row)                                                                        \
    struct list {                                                                                  \
        int n;                                                                                     \
        row *at;                                                                                   \
    };                                                                                             \
    static inline struct list list##_of(struct rows rows)                                          \
    {                                                                                              \
        return (struct list){rows.n, rows.at};                                                     \
    }                                                                                              \
    struct list

#endif
