/* Arguments of a sentence: what fills its placeholders. */
#include "step_internal.h"

struct arg arg_str(struct str s)
{
    return (struct arg){.kind = ARG_TEXT, .s = s};
}
struct arg arg_int(int64_t n)
{
    return (struct arg){.kind = ARG_INT, .n = n};
}
struct arg arg_key(enum text key)
{
    return (struct arg){.kind = ARG_KEY, .n = key};
}
struct arg arg_time(int64_t ms)
{
    return (struct arg){.kind = ARG_TIME, .n = ms};
}
struct arg arg_card(int card)
{
    return (struct arg){.kind = ARG_CARD, .n = card};
}
struct arg arg_command(int verb)
{
    return (struct arg){.kind = ARG_ALIAS, .n = verb};
}
struct arg arg_private(int verb)
{
    return (struct arg){.kind = ARG_PRIVATE, .n = verb};
}
struct arg arg_in_group(int verb)
{
    return (struct arg){.kind = ARG_GROUP, .n = verb};
}
struct arg arg_name(struct str name, struct str id)
{
    return (struct arg){.kind = ARG_NAME, .s = name, .id = id};
}

struct arg arg_seat(const struct session *s, int seat)
{
    const struct player *p = &s->player[seat];
    return (struct arg){.kind = ARG_NAME,
                        .n = session_by_computer(s, seat) ? 1 + p->character : 0,
                        .s = str_of(p->name),
                        .id = str_of(p->id),
                        .account = p->account,
                        .known = s->search.on ? 1 + p->venue : 0};
}
