/* Button data, join codes and links to pages: see command.h. Their hash is SipHash-2-4 over the text before it,
 * keyed by a secret of the store: only the bot can make a valid one. A button is bound to no person;
 * the sender of the press is checked when it is handled. libsodium's short hash needs no
 * initialization. */
#include "command.h"

#include <sodium.h>

enum { HASH_CHARS = 11, CODE_CHARS = 8, CODE_TEXT_SIZE = 32 };
#define NUMBER_MAX      ((int64_t)1 << 53)
#define PRESS_INDEX_MAX ((int64_t)1 << 57)

/* The first n digits of the hash, from the low end; their number is a power of two. */
static void hash_text(const uint8_t *key, struct str text, struct str digits, int n, char *ret)
{
    uint8_t hash[crypto_shorthash_BYTES];
    uint64_t v;
    crypto_shorthash(hash, (const unsigned char *)text.p, text.n, key);
    memcpy(&v, hash, sizeof v);
    for (int i = 0; i < n; i++, v /= digits.n)
        ret[i] = digits.p[v % digits.n];
}

/* ---- buttons ---- */

static void hash_press(const uint8_t *key, struct str data, char ret[static HASH_CHARS])
{
    hash_text(key, data, STR("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"),
              HASH_CHARS, ret);
}

struct str press_write(const uint8_t key[static PRESS_KEY_BYTES], struct press p, struct arena *a)
{
    char text[PRESS_DATA_MAX], hash[HASH_CHARS];
    struct buf b = BUF(text);
    buf_print(&b, "%c%lld.%lld.%lld", commands[p.verb].letter, (long long)p.no,
              (long long)p.version, (long long)p.index);
    hash_press(key, buf_str(&b), hash);
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
    struct str signed_text = {data.p, data.n - HASH_CHARS - 1};
    hash_press(key, signed_text, hash);
    if (sodium_memcmp(hash, data.p + data.n - HASH_CHARS, HASH_CHARS) != 0)
        return false;
    for (int v = 0; v < N_VERBS; v++)
        if (commands[v].letter && commands[v].letter == signed_text.p[0])
            p.verb = (enum verb)v;
    struct str rest = str_skip(signed_text, 1), no = str_cut(rest, '.', &rest),
               version = str_cut(rest, '.', &rest);
    if (p.verb == VERB_NONE || !read_number(no, NUMBER_MAX, &p.no) ||
        !read_number(version, UINT32_MAX, &p.version) ||
        !read_number(rest, PRESS_INDEX_MAX, &p.index))
        return false;
    *ret = p;
    return true;
}

/* ---- codes ---- */

/* Of "join 12" or "tournament 12"; no button data begins like that, so that none can stand for
 * another. */
static void hash_code(const uint8_t *key, enum verb verb, int64_t no, char ret[static CODE_CHARS])
{
    char text[CODE_TEXT_SIZE];
    struct buf b = BUF(text);
    buf_print(&b, "%s %lld", commands[verb].name, (long long)no);
    hash_text(key, buf_str(&b), STR("abcdefghijkmnpqrstuvwxyz23456789"), CODE_CHARS, ret);
}

struct str join_code_write(const uint8_t key[static PRESS_KEY_BYTES], enum verb verb, int64_t no,
                           struct arena *a)
{
    char hash[CODE_CHARS];
    hash_code(key, verb, no, hash);
    return arena_print(a, "%lld-%.*s", (long long)no, CODE_CHARS, hash);
}

bool join_code_read(const uint8_t key[static PRESS_KEY_BYTES], enum verb verb, struct str words,
                    struct arena *a, int64_t *ret_no)
{
    char hash[CODE_CHARS];
    int64_t n;
    struct str rest, no = str_cut(text_fold(a, str_trim(words)), '-', &rest);
    if (!read_number(no, NUMBER_MAX, &n) || rest.n != CODE_CHARS)
        return false;
    hash_code(key, verb, n, hash);
    if (sodium_memcmp(hash, rest.p, CODE_CHARS) != 0)
        return false;
    *ret_no = n;
    return true;
}

/* ---- links ---- */

enum { SHARE_NAME = HASH_CHARS, SHARE_SECRET = 2 * HASH_CHARS };

/* The parts are hashes of texts that differ in their first letter. */
static void hash_share(const uint8_t *key, const char *what, int64_t no, int renewed,
                       char name[SHARE_NAME], char secret[SHARE_SECRET])
{
    char text[CODE_TEXT_SIZE] = "";
    for (int part = 0; part < 3; part++) {
        struct buf b = BUF(text);
        buf_print(&b, "=%d %s %lld", part, what, (long long)no);
        if (part > 0 && renewed > 0)
            buf_print(&b, " %d", renewed);
        hash_press(key, buf_str(&b), part == 0 ? name : secret + (part - 1) * HASH_CHARS);
    }
}

struct str share_write(const uint8_t key[static PRESS_KEY_BYTES], const char *what, int64_t no,
                       int renewed, struct arena *a)
{
    char name[SHARE_NAME], secret[SHARE_SECRET];
    hash_share(key, what, no, renewed, name, secret);
    return arena_print(a, "%s/%lld-%.*s#%.*s", what, (long long)no, SHARE_NAME, name, SHARE_SECRET,
                       secret);
}

bool share_read(const uint8_t key[static PRESS_KEY_BYTES], const char *what, struct str path,
                int64_t *ret_no)
{
    char name[SHARE_NAME], secret[SHARE_SECRET];
    struct str rest, no = str_cut(path, '-', &rest);
    int64_t n;
    if (!read_number(no, NUMBER_MAX, &n) || rest.n != SHARE_NAME)
        return false;
    hash_share(key, what, n, 0, name, secret);
    if (sodium_memcmp(name, rest.p, SHARE_NAME) != 0)
        return false;
    *ret_no = n;
    return true;
}

bool share_opens(const uint8_t key[static PRESS_KEY_BYTES], const char *what, int64_t no,
                 int renewed, struct str secret)
{
    char name[SHARE_NAME], wanted[SHARE_SECRET];
    hash_share(key, what, no, renewed, name, wanted);
    return secret.n == SHARE_SECRET && sodium_memcmp(wanted, secret.p, SHARE_SECRET) == 0;
}
