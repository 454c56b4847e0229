/* The grammar of JSON over raw bytes: what cJSON does not tell, which is where things stand. */
#ifndef KOIKOI_JSON_LEX_H
#define KOIKOI_JSON_LEX_H

#include "str.h"

struct lex {
    const char *start, *p, *end;  /* p: the next byte; where a fault is found it stays there */
    const char *zero;             /* the first \u0000 in a string, or NULL */
    const char *why;              /* the fault, a constant */
    int depth;
};

struct lex lex_open(struct str bytes);
void lex_space(struct lex *l);
bool lex_value(struct lex *l);
/* Behind '{' or a comma: reads a key and its colon. *ret_key is what stands between the quotes. */
bool lex_key(struct lex *l, struct str *ret_key);
void lex_place(const struct lex *l, const char *at, int *ret_line, int *ret_column);

#endif
