/* Join codes: see command.h. Keyed hashes like those of buttons (press.c). */
#include "command.h"

#include <sodium.h>

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
