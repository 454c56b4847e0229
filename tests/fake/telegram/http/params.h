/* The parameters of one call, from the query, a form, a multipart body or JSON, seen alike. */
#ifndef FAKE_PARAMS_H
#define FAKE_PARAMS_H

#include "wire.h"

#include <cjson/cJSON.h>

enum { MAX_PARAMS = 48 };

struct param {
    const char *name;
    const char *text;  /* NULL if it came as a JSON value that is no string */
    const cJSON *json; /* NULL if it came as text */
    const char *file;  /* what was uploaded, file_bytes of it; NULL: no file */
    size_t file_bytes;
};

struct params {
    struct param at[MAX_PARAMS];
    int n;
    cJSON *body, *parsed[8]; /* freed with the rest */
    int n_parsed;
};

/* Reads the request, changing it in place; what it returns points into it. False: not readable. */
bool params_read(struct params *p, struct request *r);
void params_free(struct params *p);

const struct param *param(const struct params *p, const char *name); /* NULL: not given */
const char *param_text(const struct params *p, const char *name);    /* NULL: none or no text */
uint64_t params_hash(const struct params *p); /* of their names, texts and numbers */
int64_t param_int(const struct params *p, const char *name, int64_t none);
bool param_true(const struct params *p, const char *name);
/* The value as JSON; NULL if absent or not JSON (then *ret_bad is true). */
const cJSON *param_json(struct params *p, const char *name, bool *ret_bad);

#endif
