/* See update_pack.h. One format byte, then fields in a fixed order. */
#include "update_pack.h"

#include "pack.h"

enum { FORMAT = 1, NUMBER_BYTES = 10, NUMBERS = 8 };
enum { DIRECT = 1, ADMIN = 2, ADDRESSED = 4, REACTED = 8, ALL_FLAGS = 15 };
enum { SENDER_BOT = 1, SENDER_ANONYMOUS = 2, SENDER_FLAGS = 3 };
enum { STRINGS = 8, SENDER_STRINGS = 4 };

static void strings_of(const struct update *u, struct str ret[static STRINGS])
{
    const struct str all[STRINGS] = {u->id,    u->chat, u->chat_name, u->text,
                                     u->press, u->post, u->said,      u->unnamed};
    memcpy(ret, all, sizeof all);
}

static size_t sender_size(const struct sender *s)
{
    return s->id.n + s->name.n + s->handle.n + s->language.n +
           (size_t)(SENDER_STRINGS + 1) * NUMBER_BYTES;
}

static size_t size_of(const struct update *u)
{
    struct str strings[STRINGS];
    size_t n = 1 + (size_t)(NUMBERS + STRINGS) * NUMBER_BYTES + sender_size(&u->from);
    strings_of(u, strings);
    for (int i = 0; i < STRINGS; i++)
        n += strings[i].n;
    for (int i = 0; i < u->n_mentions; i++)
        n += sender_size(&u->mention[i]);
    for (int i = 0; i < u->n_choices; i++)
        n += sender_size(&u->choice[i]);
    return n;
}

static void pack_sender(struct buf *b, const struct sender *s)
{
    pack_string(b, s->id);
    pack_string(b, s->name);
    pack_string(b, s->handle);
    pack_string(b, s->language);
    pack_number(b, (s->bot ? SENDER_BOT : 0u) | (s->anonymous ? SENDER_ANONYMOUS : 0u));
}

static void pack_senders(struct buf *b, int n, const struct sender *s)
{
    pack_number(b, (uint64_t)n);
    for (int i = 0; i < n; i++)
        pack_sender(b, &s[i]);
}

struct str update_pack(const struct update *u, struct arena *a)
{
    struct str strings[STRINGS];
    size_t most = size_of(u);
    struct buf b = {arena_alloc(a, most), 0, most, false};
    strings_of(u, strings);
    buf_char(&b, FORMAT);
    pack_number(&b, u->kind);
    pack_number(&b, (u->direct ? DIRECT : 0u) | (u->admin ? ADMIN : 0u) |
                        (u->addressed ? ADDRESSED : 0u) | (u->reacted ? REACTED : 0u));
    for (int i = 0; i < STRINGS; i++)
        pack_string(&b, strings[i]);
    pack_sender(&b, &u->from);
    pack_senders(&b, u->n_mentions, u->mention);
    pack_senders(&b, u->n_choices, u->choice);
    return buf_str(&b);
}

static void unpack_sender(struct unpacking *p, struct sender *ret)
{
    ret->id = unpack_string(p);
    ret->name = unpack_string(p);
    ret->handle = unpack_string(p);
    ret->language = unpack_string(p);
    unsigned flags = (unsigned)unpack_number(p, SENDER_FLAGS);
    ret->bot = flags & SENDER_BOT;
    ret->anonymous = flags & SENDER_ANONYMOUS;
}

static int unpack_senders(struct unpacking *p, struct sender ret[static MAX_MENTIONS])
{
    int n = (int)unpack_number(p, MAX_MENTIONS);
    for (int i = 0; i < n && !p->bad; i++)
        unpack_sender(p, &ret[i]);
    return n;
}

bool update_unpack(struct str bytes, struct update *ret)
{
    struct update u = {0};
    struct unpacking p = {bytes, false};
    struct str *const strings[STRINGS] = {&u.id,    &u.chat, &u.chat_name, &u.text,
                                          &u.press, &u.post, &u.said,      &u.unnamed};
    if (unpack_number(&p, FORMAT) != FORMAT)
        return false;
    u.kind = (enum update_kind)unpack_number(&p, UPDATE_QUERY);
    unsigned flags = (unsigned)unpack_number(&p, ALL_FLAGS);
    u.direct = flags & DIRECT;
    u.admin = flags & ADMIN;
    u.addressed = flags & ADDRESSED;
    u.reacted = flags & REACTED;
    for (int i = 0; i < STRINGS; i++)
        *strings[i] = unpack_string(&p);
    unpack_sender(&p, &u.from);
    u.n_mentions = unpack_senders(&p, u.mention);
    u.n_choices = unpack_senders(&p, u.choice);
    if (p.bad || p.rest.n)
        return false;
    *ret = u;
    return true;
}
