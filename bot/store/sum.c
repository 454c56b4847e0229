/* See sum.h. Each value goes in with its length, so that no byte can move from one to another. */
#include "sum.h"

static uint64_t put_bytes(uint64_t h, const void *p, size_t n)
{
    const unsigned char *at = p;
    for (size_t i = 0; i < n; i++)
        h = (h ^ at[i]) * 0x100000001b3u;
    return h;
}

/* Lowest byte first, so that a store can move to another machine. */
static uint64_t sum_number(uint64_t h, int64_t v)
{
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)((uint64_t)v >> 8 * i);
    return put_bytes(h, bytes, sizeof bytes);
}

static uint64_t sum_text(uint64_t h, struct str s)
{
    return put_bytes(sum_number(h, (int64_t)s.n), s.p, s.n);
}

static uint64_t put_ids(uint64_t h, int n, const int64_t *id)
{
    h = sum_number(h, n);
    for (int i = 0; i < n; i++)
        h = sum_number(h, id[i]);
    return h;
}

static const uint64_t start = 0xcbf29ce484222325u;

static int64_t sum_end(uint64_t h)
{
    return h ? (int64_t)h : 1;
}

int64_t sum_session(const struct session_row *row)
{
    uint64_t h = sum_number(start, row->id);
    h = sum_number(h, row->version);
    h = sum_number(h, row->due);
    h = sum_number(h, row->live);
    h = put_ids(h, row->n_people, row->person);
    h = put_ids(h, row->n_chats, row->chat);
    if (row->account > 0) /* else it may be older than that column */
        h = sum_number(h, row->account);
    return sum_end(sum_text(h, row->line));
}

int64_t sum_record(int64_t session, struct str lines)
{
    return sum_end(sum_text(sum_number(start, session), lines));
}

int64_t sum_meta(struct str name, struct str value)
{
    return sum_end(sum_text(sum_text(start, name), value));
}
