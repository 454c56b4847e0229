/* Fields of a struct as words of a line, both ways: NAME=VALUE, a flag, or a word of an enum. */
#ifndef KOIKOI_TEST_WORDS_H
#define KOIKOI_TEST_WORDS_H

#include "adapter.h"
#include "fake_json.h"

struct member {
    const char *name; /* NULL ends a table */
    enum { F_STR, F_BOOL, F_INT, F_LONG, F_WORD } kind;
    size_t offset;
    const char *const *words; /* F_WORD: of an enum, NULL ends them */
};
#define FIELD(type, kind, member)                                                                  \
    {                                                                                              \
#member, kind, offsetof(struct type, member), NULL                                         \
    }
#define WORDS(type, member, words)                                                                 \
    {                                                                                              \
#member, F_WORD, offsetof(struct type, member), words                                      \
    }
#define END_FIELDS                                                                                 \
    {                                                                                              \
        NULL, F_STR, 0, NULL                                                                       \
    }

/* The words of the contract, NULL ends them, and the fields of its structs. */
extern const char *const update_kinds[];
extern const char *const receipt_kinds[];
extern const char *const never_whys[];
extern const char *const out_kinds[];
extern const char *const out_wheres[];
extern const char *const styles[];
extern const char *const request_kinds[];
extern const char *const abilities[];
extern const struct member sender_fields[], update_fields[], batch_fields[], request_fields[],
    receipt_fields[], outgoing_fields[], button_fields[], article_fields[], menu_fields[],
    reply_fields[];

/* A byte that a reader cannot see is \xNN, a line's end \n; a letter that stands there more than 40
 * times is $(x*N). */
void put_visible(struct text_buffer *t, struct str s, bool quoted);
void put_value(struct text_buffer *t, struct str s); /* in quotes if it needs them */
/* The fields that differ from the usual ones. */
void put_fields(struct text_buffer *t, const struct member *f, const void *of, const void *usual);

/* The next word of a line, "in quotes" with \n, \xNN, \" and \\; it lives in the arena. */
struct str next_word(struct arena *a, struct str *rest);
/* Sets a field from a word. Returns false for an unknown name or a bad number. */
bool set_field(const struct member *f, void *of, struct str word);

#endif
