/* Tables of fields: what of a struct is stored, once, for the way out and the way in.
 *
 *     static const struct field_row rows[] = {
 *         FIELD_INT(session, "phase", phase, 0, N_PHASES - 1),
 *         FIELD_TEXT(session, "id", id),
 *     };
 *     static const struct field_table table = FIELD_TABLE(session, rows);
 *
 * A table has three forms, of which each struct uses one:
 *
 *     a line     " phase=1 id=abc"        field_put_line()    field_read()
 *     packed     numbers and strings      field_pack()        field_unpack()
 *     JSON       {"phase":1,"id":"abc"}   field_put_json()    field_read_json()
 *
 * In a line and in JSON a field of value 0 is left out, so the 0 of a new field must mean what its
 * absence meant; packed, the order of the rows is the format. */
#ifndef KOIKOI_FIELD_H
#define KOIKOI_FIELD_H

#include "json.h"

enum { FIELD_TEXT_SIZE = 512 }; /* of a FIELD_TEXT at most */

enum field_kind {
    FIELD_IS_INT,    /* 1, 2, 4 or 8 bytes; signed if it has 8 or `least` is negative */
    FIELD_IS_BOOL,   /* packed, those that follow one another are the bits of one number */
    FIELD_IS_WORD,   /* a number by its name; JSON */
    FIELD_IS_TEXT,   /* a char array that ends with a NUL, UTF-8; a line */
    FIELD_IS_HEX,    /* bytes; a line */
    FIELD_IS_STR,    /* struct str; packed, JSON */
    FIELD_IS_STRUCT, /* packed */
    FIELD_IS_LIST,   /* an array of structs with its number, an int; packed, JSON */
    FIELD_IS_ARRAY,  /* a pointer to one, which reading puts into the arena; packed */
    FIELD_IS_REST,   /* the same, to the end of the bytes */
    FIELD_IS_PART,   /* struct str within another, whose member is `count`; packed */
    FIELD_IS_GONE    /* a string that former formats had; packed */
};

struct field_row {
    const char *name;
    enum field_kind kind;
    size_t at, size;              /* of the member */
    int64_t least, most;          /* of a number; of a list the most members */
    size_t count;                 /* of the member with the number of a list's members */
    const struct field_table *of; /* of a struct, or of the members of a list */
    const char *const *words;     /* end with NULL; words[0] stands for unknown ones */
    int since, until; /* packed: the formats that have it; 0: from the first, to the last */
};

struct field_table {
    const struct field_row *at;
    int n;
    size_t size; /* of the struct */
};
#define FIELD_TABLE(type, rows)                                                                    \
    {                                                                                              \
        (rows), sizeof(rows) / sizeof *(rows), sizeof(struct type)                                 \
    }

#define FIELD_OF(type, what, member)                                                               \
    .kind = FIELD_IS_##what, .at = offsetof(struct type, member),                                  \
    .size = sizeof(((struct type *)0)->member)
#define FIELD_INT(type, key, member, from, to)                                                     \
    {                                                                                              \
        .name = (key), FIELD_OF(type, INT, member), .least = (from), .most = (to)                  \
    }
#define FIELD_BOOL(type, key, member)                                                              \
    {                                                                                              \
        .name = (key), FIELD_OF(type, BOOL, member), .most = 1                                     \
    }
#define FIELD_TEXT(type, key, member)                                                              \
    {                                                                                              \
        .name = (key), FIELD_OF(type, TEXT, member)                                                \
    }
#define FIELD_HEX(type, key, member)                                                               \
    {                                                                                              \
        .name = (key), FIELD_OF(type, HEX, member)                                                 \
    }
#define FIELD_STR(type, key, member)                                                               \
    {                                                                                              \
        .name = (key), FIELD_OF(type, STR, member)                                                 \
    }
#define FIELD_WORD(type, key, member, in)                                                          \
    {                                                                                              \
        .name = (key), FIELD_OF(type, WORD, member), .words = (in)                                 \
    }
/* what: LIST, ARRAY or REST. */
#define FIELD_MANY(type, what, key, member, number, to, rows)                                      \
    {                                                                                              \
        .name = (key), FIELD_OF(type, what, member), .count = offsetof(struct type, number),       \
        .most = (to), .of = (rows)                                                                 \
    }

/* ---- a line ---- */

/* " name=value" for each field that is not 0, or for all; behind `prefix`: " p1.name=value". */
void field_put_line(struct buf *b, const struct field_table *of, const void *from,
                    const char *prefix, bool zeros);
/* " name=text", where bytes that would break the line are written %XX. */
void field_put_text(struct buf *b, const char *name, struct str text);
/* Returns NULL if not found. */
const struct field_row *field_find(const struct field_table *of, struct str name);
/* Reads one value into its field. Returns false for a value that would not be written, or is out of
 * range; the field is then as it was. */
bool field_read(const struct field_row *f, void *into, struct str value);
/* Decodes the text of field_put_text(). Returns false for another, or one that does not fit into
 * `size` bytes with its NUL. */
bool field_read_text(struct str value, char *ret, size_t size, struct str *ret_text);

/* ---- packed: numbers are LEB128, strings a length and their bytes ---- */

void field_pack(struct buf *b, const struct field_table *of, const void *from);
/* A bound of the bytes that this takes. */
size_t field_packed_most(const struct field_table *of, const void *from);

/* Unpacking is strict: it refuses a number in a longer form than needed or above its ceiling, and a
 * string beyond the end. Strings point into the bytes. */
struct unpacking {
    struct str rest;     /* what is still to be read */
    struct arena *arena; /* for arrays */
    int format;          /* of the bytes, as `since` and `until` count them */
    bool bad;            /* something was refused */
};
/* A number of at most `most`; 0 if it is refused. */
uint64_t unpack_number(struct unpacking *u, uint64_t most);
void field_unpack(struct unpacking *u, const struct field_table *of, void *into);

/* ---- JSON ---- */

/* The members of an object, without its braces. */
void field_put_json(struct buf *b, const struct field_table *of, const void *from);
/* Strings are cleaned into the arena. What is missing, or other than its field, is 0, and a fault
 * of v only if it is there. */
void field_read_json(struct json v, const struct field_table *of, void *into, struct arena *a);

#endif
