/* A rule set's fields to JSON, all of them, in the order of their table. See ruleset_fields.h. */
#include "ruleset_fields.h"
#include "ruleset_table.h"

static void write_fields(struct buf *b, const struct ruleset_field *fields, const struct rules *r);

static void write_sizes(struct buf *b, const uint8_t *at)
{
    const char *comma = "";

    buf_char(b, '{');
    for (int n = MIN_PLAYERS; n <= MAX_PLAYERS; n++)
        if (at[n] > 0) {
            buf_print(b, "%s\"%d\":%d", comma, n, at[n]);
            comma = ",";
        }
    buf_char(b, '}');
}

static void write_purse(struct buf *b, const struct rules *r)
{
    for (int i = 0; i < r->n_purse; i++)
        buf_print(b, "%c\"%d\":%d", i == 0 ? '{' : ',', r->purse_rounds[i], r->purse[i]);
    buf_put(b, r->has_purse ? STR("}") : STR("null"));
}

static void write_list(struct buf *b, const struct rules *r, bool rounds)
{
    const char *comma = "";

    buf_char(b, '[');
    for (int n = MIN_PLAYERS; !rounds && n <= MAX_PLAYERS; n++)
        if (r->players_allowed & 1 << n) {
            buf_print(b, "%s%d", comma, n);
            comma = ",";
        }
    for (int i = 0; rounds && i < r->n_rounds_allowed; i++)
        buf_print(b, "%s%d", i > 0 ? "," : "", r->rounds_allowed[i]);
    buf_char(b, ']');
}

static void write_value(struct buf *b, const struct ruleset_field *f, const struct rules *r)
{
    const uint8_t *at = (const uint8_t *)r + f->at;

    switch (f->kind) {
    case TEXT:
        json_put_text(b, str_of((const char *)at));
        break;
    case WHOLE:
        buf_int(b, *at);
        break;
    case BOOL:
        buf_put(b, *(const bool *)at ? STR("true") : STR("false"));
        break;
    case CHOICE:
        json_put_text(b, str_of(f->choices[*at]));
        break;
    case PLAYERS:
    case ROUND_LIST:
        write_list(b, r, f->kind == ROUND_LIST);
        break;
    case PURSE:
        write_purse(b, r);
        break;
    case SIZES:
        write_sizes(b, at);
        break;
    case OBJECT:
        if (f->missing == NULLABLE && !*(const bool *)at)
            buf_put(b, STR("null"));
        else
            write_fields(b, f->inner, r);
    }
}

static void write_fields(struct buf *b, const struct ruleset_field *fields, const struct rules *r)
{
    for (const struct ruleset_field *f = fields; f->key; f++) {
        buf_print(b, "%c\"%s\":", f == fields ? '{' : ',', f->key);
        write_value(b, f, r);
    }
    buf_char(b, '}');
}

void ruleset_write(struct buf *b, const struct rules *r)
{
    write_fields(b, ruleset_table, r);
}
