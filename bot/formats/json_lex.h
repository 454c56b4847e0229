/* Scanner of JSON over raw bytes: finds faults and places of values, which cJSON does not give. */
#ifndef KOIKOI_JSON_LEX_H
#define KOIKOI_JSON_LEX_H

#include "str.h"

struct json_lex {
    const char *start, *p, *end; /* p: the next byte; stops at a fault */
    const char *zero;            /* the first \u0000 in a string, or NULL */
    const char *why;             /* the fault, a constant */
    int depth;
};

struct json_lex json_lex_open(struct str bytes);
void json_lex_space(struct json_lex *l);
bool json_lex_value(struct json_lex *l);
/* Reads a key and its colon, behind '{' or a comma. *ret_key is the text between the quotes. */
bool json_lex_key(struct json_lex *l, struct str *ret_key);
void json_lex_place(const struct json_lex *l, const char *at, int *ret_line, int *ret_column);

#endif
