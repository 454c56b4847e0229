/* Start data of a Mini App ("initData"): fields as in a query, signed with a key made from the bot's
 * token (core.telegram.org/bots/webapps, "Validating data received via the Mini App").
 *
 *     key  = HMAC-SHA256("WebAppData", token)
 *     hash = hex of HMAC-SHA256(key, the fields but `hash`, sorted, as "name=value", with '\n' between)
 *
 * Parsers differ on which of two fields of one name counts, and a value with a line break would look
 * like two fields to the sum: data with either is refused. */
#include "telegram.h"

#include <sodium.h>
#include <stdlib.h>

enum { FIELDS = 32, BYTES_MOST = 4096, OLDEST_MS = 3600 * 1000, EARLY_MS = 60 * 1000 };

struct start_field {
    struct str name, value;
};

/* Decodes "%7B" and '+'. Returns false for what no encoder writes, and for control characters. */
static bool decode(struct arena *a, struct str s, struct str *ret)
{
    struct buf b = {arena_alloc(a, s.n + 1), 0, s.n, false};
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i] == '+' ? ' ' : s.p[i];
        if (c == '%') {
            int byte = str_escaped(str_skip(s, i));
            if (byte < 0)
                return false;
            c = (char)byte;
            i += 2;
        }
        if ((unsigned char)c < ' ')
            return false;
        buf_char(&b, c);
    }
    *ret = buf_str(&b);
    return true;
}

static bool is_name(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!((s.p[i] >= 'a' && s.p[i] <= 'z') || s.p[i] == '_'))
            return false;
    return s.n > 0;
}

static int by_name(const void *a, const void *b)
{
    struct str x = ((const struct start_field *)a)->name, y = ((const struct start_field *)b)->name;
    int order = memcmp(x.p, y.p, x.n < y.n ? x.n : y.n);
    return order ? order : (x.n > y.n) - (x.n < y.n);
}

/* Returns the number of fields, sorted; 0 if they are not all well-formed and of different names. */
static int read_fields(struct arena *a, struct str bytes, struct start_field *ret)
{
    int n = 0;
    while (bytes.n > 0) {
        struct str value, pair = str_cut(bytes, '&', &bytes);
        if (n == FIELDS || !is_name(ret[n].name = str_cut(pair, '=', &value)) ||
            !decode(a, value, &ret[n].value))
            return 0;
        n++;
    }
    if (n > 0)
        qsort(ret, (size_t)n, sizeof *ret, by_name);
    for (int i = 1; i < n; i++)
        if (str_is(ret[i].name, ret[i - 1].name))
            return 0;
    return n;
}

static struct str field_of(const struct start_field *at, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (str_is(at[i].name, str_of(name)))
            return at[i].value;
    return STR("");
}

static void hmac(const void *key, size_t n_key, struct str text, unsigned char *ret)
{
    crypto_auth_hmacsha256_state state;
    crypto_auth_hmacsha256_init(&state, key, n_key);
    crypto_auth_hmacsha256_update(&state, (const unsigned char *)text.p, text.n);
    crypto_auth_hmacsha256_final(&state, ret);
}

static bool is_signed(const struct telegram *t, struct arena *a, const struct start_field *at,
                      int n)
{
    static const char purpose[] = "WebAppData";
    unsigned char key[crypto_auth_hmacsha256_BYTES], sum[sizeof key], hash[sizeof key];
    struct buf b = {arena_room(a, BYTES_MOST), 0, BYTES_MOST, false};
    for (int i = 0; i < n; i++) {
        if (str_is(at[i].name, STR("hash")))
            continue;
        if (b.n > 0)
            buf_char(&b, '\n');
        buf_put(&b, at[i].name);
        buf_char(&b, '=');
        buf_put(&b, at[i].value);
    }
    hmac(purpose, sizeof purpose - 1, t->token, key);
    hmac(key, sizeof key, buf_str(&b), sum);
    struct str said = field_of(at, n, "hash");
    return !b.cut && said.n == 2 * sizeof hash && str_hex(said, hash, sizeof hash) &&
           sodium_memcmp(hash, sum, sizeof sum) == 0;
}

enum proved tg_prove(void *account, struct arena *turn, const struct proving *p, struct proof *ret)
{
    const struct telegram *t = account;
    struct start_field at[FIELDS];
    int64_t seconds;
    int n = p->bytes.n <= BYTES_MOST ? read_fields(turn, p->bytes, at) : 0;
    if (n == 0 || !is_signed(t, turn, at, n) || !str_int(field_of(at, n, "auth_date"), &seconds) ||
        seconds < (p->now - OLDEST_MS) / 1000 || seconds > (p->now + EARLY_MS) / 1000)
        return PROVED_NO;
    struct json user = json_open(field_of(at, n, "user"), JSON_LOOSE);
    bool good = json_number(user, "id") > 0;
    if (good)
        *ret = (struct proof){.who = tg_sender(turn, user),
                              .once = arena_str(turn, field_of(at, n, "hash"))};
    json_free(user);
    return good && !ret->who.bot && !ret->who.anonymous ? PROVED : PROVED_NO;
}
