/* Commands as people type them. See body.h. */
#include "body.h"

/* A network with a prefix of its own needs none in private. */
static struct str command_at(const struct body *body, enum verb v, bool alone)
{
    struct str name = command_name(body->t, v, body->network->limits.plain_commands);
    struct str prefix =
        body->network->limits.prefix.n > 0 ? body->network->limits.prefix : STR("/");
    if (alone && body->network->limits.prefix.n > 0)
        return name;
    return arena_print(body->a, "%.*s%.*s", STR_ARG(prefix), STR_ARG(name));
}

struct str body_command(const struct body *body, enum verb v)
{
    return command_at(body, v, body->in_private);
}

struct str body_command_in_private(const struct body *body, enum verb v)
{
    return command_at(body, v, true);
}

struct str body_command_in_group(const struct body *body, enum verb v)
{
    return command_at(body, v, false);
}
