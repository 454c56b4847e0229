/* Button data: see command.h. The hash is SipHash-2-4 over the text before it, keyed by a secret of
 * the store: only the bot can make a valid button. A button is bound to no person; the sender of
 * the press is checked when it is handled. libsodium's short hash needs no initialization. */
#include "command.h"

#include <sodium.h>

enum { HASH_CHARS = 11 };
#define PRESS_INDEX_MAX ((int64_t)1 << 57)

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

static bool read_number(struct str s, int64_t max, int64_t *ret)
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
    struct str sealed = {data.p, data.n - HASH_CHARS - 1};
    hash_text(key, sealed, hash);
    if (sodium_memcmp(hash, data.p + data.n - HASH_CHARS, HASH_CHARS) != 0)
        return false;
    for (int v = 0; v < N_VERBS; v++)
        if (commands[v].letter && commands[v].letter == sealed.p[0])
            p.verb = (enum verb)v;
    struct str rest = str_skip(sealed, 1), no = str_cut(rest, '.', &rest),
               version = str_cut(rest, '.', &rest);
    if (p.verb == VERB_NONE || !read_number(no, (int64_t)1 << 53, &p.no) ||
        !read_number(version, UINT32_MAX, &p.version) ||
        !read_number(rest, PRESS_INDEX_MAX, &p.index))
        return false;
    *ret = p;
    return true;
}

/* ---- join codes: keyed hashes like those of buttons ---- */

enum { JOIN_CHARS = 8, TEXT_SIZE = 32 };
#define NUMBER_MAX ((int64_t)1 << 53)

/* Hash of "join 12" or "tournament 12"; no button data begins like that, so that none can stand for
 * another. */
static void hash_number(const uint8_t *key, struct str what, int64_t no,
                        char ret[static JOIN_CHARS])
{
    static const char digits[] = "abcdefghijkmnpqrstuvwxyz23456789";
    char text[TEXT_SIZE];
    uint8_t hash[crypto_shorthash_BYTES];
    struct buf b = BUF(text);
    buf_put(&b, what);
    buf_char(&b, ' ');
    buf_int(&b, no);
    crypto_shorthash(hash, (const unsigned char *)text, b.n, key);
    uint64_t v;
    memcpy(&v, hash, sizeof v);
    for (int i = 0; i < JOIN_CHARS; i++, v >>= 5)
        ret[i] = digits[v & 31];
}

static struct str code_write(const uint8_t *key, struct str what, int64_t no, struct arena *a)
{
    char hash[JOIN_CHARS];
    hash_number(key, what, no, hash);
    return arena_print(a, "%lld-%.*s", (long long)no, JOIN_CHARS, hash);
}

static bool code_read(const uint8_t *key, struct str what, struct str words, struct arena *a,
                      int64_t *ret_no)
{
    char hash[JOIN_CHARS];
    int64_t n;
    struct str rest, no = str_cut(text_fold(a, str_trim(words)), '-', &rest);
    if (!str_int(no, &n) || n < 0 || n > NUMBER_MAX || rest.n != JOIN_CHARS)
        return false;
    hash_number(key, what, n, hash);
    if (sodium_memcmp(hash, rest.p, JOIN_CHARS) != 0)
        return false;
    *ret_no = n;
    return true;
}

struct str join_code_write(const uint8_t key[static PRESS_KEY_BYTES], int64_t no, struct arena *a)
{
    return code_write(key, STR("join"), no, a);
}

bool join_code_read(const uint8_t key[static PRESS_KEY_BYTES], struct str words, struct arena *a,
                    int64_t *ret_no)
{
    return code_read(key, STR("join"), words, a, ret_no);
}

struct str tournament_code_write(const uint8_t key[static PRESS_KEY_BYTES], int64_t no,
                                 struct arena *a)
{
    return code_write(key, STR("tournament"), no, a);
}

bool tournament_code_read(const uint8_t key[static PRESS_KEY_BYTES], struct str word,
                          struct arena *a, int64_t *ret_no)
{
    return code_read(key, STR("tournament"), word, a, ret_no);
}
