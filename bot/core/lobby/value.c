/* See value.h. */
#include "value.h"

#include "character.h"
#include "keyword.h"
#include "search.h"

enum { SECOND_MS = 1000, WORD_COLUMNS = 60, LIST_SIZE = 256, COUNT_MAX = 1000, SPAN_MAX_DAYS = 30 };

/* "20s", "30m", "24h", "2d" as ms. Returns -1 for anything else. */
static int64_t length_of(struct str s)
{
    int64_t count;
    if (s.n < 2 || !value_number((struct str){s.p, s.n - 1}, 0, COUNT_MAX, &count))
        return -1;
    switch (s.p[s.n - 1]) {
    case 's':
        return count * SECOND_MS;
    case 'm':
        return count * MINUTE_MS;
    case 'h':
        return count * HOUR_MS;
    case 'd':
        return count * DAY_MS;
    default:
        return -1;
    }
}

int64_t value_span(struct step *st, struct str s)
{
    if (keyword_find(st->w->languages, st->fx->arena, s) == KEYWORD_OFF)
        return 0;
    int64_t ms = length_of(s);
    bool whole = ms % MINUTE_MS == 0;
    return whole && ms >= MINUTE_MS && ms <= SPAN_MAX_DAYS * DAY_MS ? ms : -1;
}

bool value_clock(struct step *st, struct str s, struct clock_value *ret)
{
    struct str gain, total = str_cut(s, '+', &gain);
    if (total.n == s.n) {
        int64_t move = value_span(st, s);
        if (move >= 0)
            *ret = (struct clock_value){.move_ms = move};
        return move >= 0;
    }
    int64_t total_ms = value_span(st, total), gain_ms = length_of(gain);
    if (total_ms <= 0 || gain_ms < 0 || gain_ms > DAY_MS)
        return false;
    *ret = (struct clock_value){.total_ms = total_ms, .gain_ms = gain_ms};
    return true;
}

bool value_number(struct str s, int64_t low, int64_t high, int64_t *ret)
{
    return str_int(s, ret) && *ret >= low && *ret <= high;
}

bool value_rounds_ok(const struct rules *r)
{
    for (int i = 0; i < r->n_rounds_allowed; i++)
        if (r->rounds_allowed[i] == r->rounds)
            return true;
    return r->n_rounds_allowed == 0;
}

/* ---- lists ---- */

static struct buf new_list(struct step *st)
{
    return (struct buf){arena_alloc(st->fx->arena, LIST_SIZE), 0, LIST_SIZE, false};
}

static void add_item(struct buf *list, struct str item)
{
    if (list->n > 0)
        buf_put(list, STR(", "));
    buf_put(list, item);
}

struct str value_characters(struct step *st)
{
    struct buf list = new_list(st);
    for (int c = 1; c < N_CHARACTERS; c++)
        add_item(&list, str_of(characters[c].key));
    add_item(&list, STR("none"));
    return buf_str(&list);
}

struct str value_levels(struct step *st)
{
    struct buf list = new_list(st);
    for (int level = 0; level < N_LEVELS; level++)
        add_item(&list, str_of(level_key((enum level)level)));
    return buf_str(&list);
}

/* ---- refusals ---- */

bool value_refuse(struct step *st, enum text key, struct str word)
{
    notice_refuse(
        st, key,
        ARGS(arg_str(text_clean(st->fx->arena, word, WORD_COLUMNS)), arg_command(VERB_HELP)));
    return false;
}

bool value_refuse_for(struct step *st, struct str name, struct arg allowed)
{
    struct arena *arena = st->fx->arena;
    if (allowed.kind == ARG_TEXT)
        allowed.s = text_clean(arena, allowed.s, WORD_COLUMNS);
    notice_refuse(st, T_BAD_VALUE, ARGS(arg_str(text_clean(arena, name, WORD_COLUMNS)), allowed));
    return false;
}

bool value_refuse_rounds(struct step *st, const struct rules *r)
{
    struct buf list = new_list(st);
    for (int i = 0; i < r->n_rounds_allowed; i++)
        add_item(&list, arena_print(st->fx->arena, "%d", r->rounds_allowed[i]));
    return value_refuse_for(st, STR("rounds"),
                            list.n > 0 ? arg_str(buf_str(&list)) : arg_command(VERB_HELP));
}
