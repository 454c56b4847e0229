/* Updates as bytes: see update.h. One format byte, then the rows. */
#include "update.h"

#include "field.h"

enum { FORMAT = 3 };

static const struct field_row sender_rows[] = {
    FIELD_STR(sender, "id", id),
    FIELD_STR(sender, "name", name),
    FIELD_STR(sender, "handle", handle),
    FIELD_STR(sender, "language", language),
    FIELD_BOOL(sender, "bot", bot),
    FIELD_BOOL(sender, "anonymous", anonymous),
    {.name = "self", FIELD_OF(sender, BOOL, self), .most = 1, .since = 2},
};
static const struct field_table senders = FIELD_TABLE(sender, sender_rows);

static const struct field_row rows[] = {
    FIELD_INT(update, "kind", kind, 0, UPDATE_ERASED),
    FIELD_BOOL(update, "direct", direct),
    FIELD_BOOL(update, "admin", admin),
    FIELD_BOOL(update, "addressed", addressed),
    FIELD_BOOL(update, "reacted", reacted),
    {.name = "part_unknown", FIELD_OF(update, BOOL, part_unknown), .most = 1, .since = 3},
    FIELD_STR(update, "id", id),
    FIELD_STR(update, "chat", chat),
    FIELD_STR(update, "chat_name", chat_name),
    FIELD_STR(update, "text", text),
    FIELD_STR(update, "press", press),
    FIELD_STR(update, "post", post),
    FIELD_STR(update, "said", said),
    FIELD_STR(update, "unnamed", unnamed),
    {.name = "from", FIELD_OF(update, STRUCT, from), .of = &senders},
    FIELD_MANY(update, LIST, "mention", mention, n_mentions, MAX_MENTIONS, &senders),
    FIELD_MANY(update, LIST, "choice", choice, n_choices, MAX_MENTIONS, &senders),
};
static const struct field_table table = FIELD_TABLE(update, rows);

void update_mention(struct update *u, struct sender who)
{
    for (int i = 0; i < u->n_mentions; i++)
        if (who.id.n > 0 && str_is(u->mention[i].id, who.id))
            return;
    if (u->n_mentions < MAX_MENTIONS)
        u->mention[u->n_mentions++] = who;
}

int64_t update_content(const struct update *u)
{
    const struct str parts[] = {u->chat, u->from.id, u->text, u->press, u->post, u->said};
    uint64_t h = (uint64_t)u->kind ^ (uint64_t)u->when << 4;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        h = (h ^ (str_hash(parts[i]) + parts[i].n)) * UINT64_C(0x9e3779b97f4a7c15) + (h >> 29);
    return (int64_t)(h | 1);
}

struct str update_pack(const struct update *u, struct arena *a)
{
    size_t most = 1 + field_packed_most(&table, u);
    struct buf b = {arena_room(a, most), 0, most, false};
    buf_char(&b, FORMAT);
    field_pack(&b, &table, u);
    return buf_str(&b);
}

bool update_unpack(struct str bytes, struct update *ret)
{
    struct update u = {0};
    struct unpacking from = {.rest = bytes};
    from.format = (int)unpack_number(&from, FORMAT);
    if (from.format == 0)
        return false;
    field_unpack(&from, &table, &u);
    if (from.bad || from.rest.n > 0)
        return false;
    *ret = u;
    return true;
}
