/* Button data: see command.h. The hash is SipHash-2-4 of what stands before it, under a key that
 * the store keeps: nobody can make a button that the bot did not. It binds no person: who may press
 * is decided by who pressed. libsodium's short hash needs no state. */
#include "command.h"

#include <sodium.h>

enum { HASH_CHARS = 11, JOIN_CHARS = 8 };

static void hash_text(const uint8_t *key, struct str data, char ret[static HASH_CHARS])
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    uint8_t hash[crypto_shorthash_BYTES];
    crypto_shorthash(hash, (const unsigned char *)data.p, data.n, key);
    uint64_t v;
    memcpy(&v, hash, sizeof v);
    for (int i = 0; i < HASH_CHARS; i++, v >>= 6)
        ret[i] = digits[v & 63];
}

struct str press_write(const uint8_t key[static PRESS_KEY_BYTES], struct press p, struct arena *a)
{
    char text[PRESS_DATA_MAX], hash[HASH_CHARS];
    struct buf b = BUF(text);
    buf_char(&b, commands[p.verb].letter);
    buf_int(&b, p.no);
    buf_char(&b, '.');
    buf_int(&b, p.version);
    buf_char(&b, '.');
    buf_int(&b, p.index);
    hash_text(key, buf_str(&b), hash);
    buf_char(&b, '.');
    buf_put(&b, (struct str){hash, HASH_CHARS});
    return arena_str(a, buf_str(&b));
}

static bool number(struct str s, int64_t max, int64_t *ret)
{
    return str_int(s, ret) && *ret >= 0 && *ret <= max;
}

bool press_read(const uint8_t key[static PRESS_KEY_BYTES], struct str data, struct press *ret)
{
    struct press p = {VERB_NONE, 0, 0, 0};
    char hash[HASH_CHARS];
    if (data.n < HASH_CHARS + 7 || data.n > PRESS_DATA_MAX ||
        data.p[data.n - HASH_CHARS - 1] != '.')
        return false;
    struct str said = {data.p, data.n - HASH_CHARS - 1};
    hash_text(key, said, hash);
    if (sodium_memcmp(hash, data.p + data.n - HASH_CHARS, HASH_CHARS) != 0)
        return false;
    for (int v = 0; v < N_VERBS; v++)
        if (commands[v].letter && commands[v].letter == said.p[0])
            p.verb = (enum verb)v;
    struct str rest = str_skip(said, 1), no = str_cut(rest, '.', &rest),
               version = str_cut(rest, '.', &rest);
    if (p.verb == VERB_NONE || !number(no, (int64_t)1 << 53, &p.no) ||
        !number(version, UINT32_MAX, &p.version) || !number(rest, 1 << 20, &p.index))
        return false;
    *ret = p;
    return true;
}

/* ---- codes that people type ---- */

/* Of the hash of "join 12": no button's data begins like that. */
static void join_hash(const uint8_t *key, int64_t no, char ret[static JOIN_CHARS])
{
    static const char digits[] = "abcdefghijkmnpqrstuvwxyz23456789";
    char text[32];
    uint8_t hash[crypto_shorthash_BYTES];
    struct buf b = BUF(text);
    buf_put(&b, STR("join "));
    buf_int(&b, no);
    crypto_shorthash(hash, (const unsigned char *)text, b.n, key);
    uint64_t v;
    memcpy(&v, hash, sizeof v);
    for (int i = 0; i < JOIN_CHARS; i++, v >>= 5)
        ret[i] = digits[v & 31];
}

struct str join_write(const uint8_t key[static PRESS_KEY_BYTES], int64_t no, struct arena *a)
{
    char hash[JOIN_CHARS];
    join_hash(key, no, hash);
    return arena_print(a, "%lld-%.*s", (long long)no, JOIN_CHARS, hash);
}

bool join_read(const uint8_t key[static PRESS_KEY_BYTES], struct str words, struct arena *a,
               int64_t *ret_no)
{
    char hash[JOIN_CHARS];
    int64_t n;
    struct str rest, no = str_cut(text_fold(a, str_trim(words)), '-', &rest);
    if (!number(no, (int64_t)1 << 53, &n) || rest.n != JOIN_CHARS)
        return false;
    join_hash(key, n, hash);
    if (sodium_memcmp(hash, rest.p, JOIN_CHARS) != 0)
        return false;
    *ret_no = n;
    return true;
}
