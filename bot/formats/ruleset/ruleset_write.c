/* Writer of a rule set as JSON: all fields, in the order of the table in rules_field.c. */
#include "ruleset_fields.h"

#include "rules_field.h"

static void write_members(struct buf *b, const struct rules_field *object, const struct rules *r);

static void write_purse(struct buf *b, const struct rules *r)
{
    for (int i = 0; i < r->n_purse; i++)
        buf_print(b, "%c\"%d\":%d", i == 0 ? '{' : ',', r->purse_rounds[i], r->purse[i]);
    buf_put(b, r->has_purse ? STR("}") : STR("null"));
}

static void write_players(struct buf *b, const struct rules *r)
{
    const char *comma = "";
    buf_char(b, '[');
    for (int n = MIN_PLAYERS; n <= MAX_PLAYERS; n++)
        if (r->players_allowed & 1 << n) {
            buf_print(b, "%s%d", comma, n);
            comma = ",";
        }
    buf_char(b, ']');
}

static void write_round_list(struct buf *b, const struct rules *r)
{
    buf_char(b, '[');
    for (int i = 0; i < r->n_rounds_allowed; i++)
        buf_print(b, "%s%d", i > 0 ? "," : "", r->rounds_allowed[i]);
    buf_char(b, ']');
}

static void write_value(struct buf *b, const struct rules_field *f, const struct rules *r)
{
    switch (f->kind) {
    case RULES_WORD:
        json_put_text(b, str_of((const char *)r + f->at));
        break;
    case RULES_NUMBER:
        buf_int(b, rules_field_get(r, f));
        break;
    case RULES_CHOICE:
        json_put_text(b, str_of(f->words[rules_field_get(r, f)]));
        break;
    case RULES_SWITCH:
        buf_put(b, rules_field_get(r, f) ? STR("true") : STR("false"));
        break;
    case RULES_PLAYERS:
        write_players(b, r);
        break;
    case RULES_ROUND_LIST:
        write_round_list(b, r);
        break;
    case RULES_PURSE:
        write_purse(b, r);
        break;
    case RULES_OBJECT:
        if (rules_field_get(r, f))
            write_members(b, f, r);
        else
            buf_put(b, STR("null"));
    }
}

static bool is_written(const struct rules_field *f, const struct rules *r)
{
    return !(f->later || f->players != 0) || rules_field_get(r, f) != 0;
}

static void write_members(struct buf *b, const struct rules_field *object, const struct rules *r)
{
    const char *mark = "";
    buf_char(b, '{');
    for (const struct rules_field *f = rules_fields; f->path; f++)
        if (rules_field_object(f) == object && is_written(f, r)) {
            buf_print(b, "%s\"%s\":", mark, rules_field_name(f));
            write_value(b, f, r);
            mark = ",";
        }
    buf_char(b, '}');
}

void ruleset_write(struct buf *b, const struct rules *r)
{
    write_members(b, NULL, r);
}
