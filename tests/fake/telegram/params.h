/* Parameters of one call, from the query, a form, a multipart body or JSON. */
#ifndef FAKE_PARAMS_H
#define FAKE_PARAMS_H

#include "serve.h"

enum { MAX_PARAMS = 48 };

struct param {
    const char *name;
    const char *text;  /* NULL if it came as JSON and is no string */
    const cJSON *json; /* NULL if it came as text */
    const char *file;  /* an uploaded file of file_bytes bytes; NULL: none */
    size_t file_bytes;
    const char *file_name; /* may be NULL */
};

struct params {
    struct param at[MAX_PARAMS];
    int n;
    cJSON *body, *parsed[8]; /* freed with the parameters */
    int n_parsed;
};

/* Parses the request in place; the result points into it. Returns false if it is malformed. */
bool params_read(struct params *p, struct serve_request *r);
void params_free(struct params *p);

const struct param *param(const struct params *p, const char *name); /* NULL if not given */
const char *param_text(const struct params *p, const char *name); /* NULL if not given or no text */
uint64_t params_hash(const struct params *p);                     /* of names, texts and numbers */
uint64_t params_hash_on(uint64_t hash, const void *bytes, size_t n); /* FNV-1a, continued */
int64_t param_int(const struct params *p, const char *name, int64_t none);
bool param_true(const struct params *p, const char *name);
/* The value as JSON; NULL if absent or not JSON (then *ret_bad is true). */
const cJSON *param_json(struct params *p, const char *name, bool *ret_bad);

#endif
