/* Who a browser is: by a secret in a cookie that proves a person of the web, or by its hash in the
 * store a person of any network, for some hours. A page in a frame has no cookie, but a secret in the
 * header Authorization, which is a login or nothing. Nothing is stored for a mere visit. */
#include "web_internal.h"

#include "chance.h"
#include "text.h"

#include <sodium.h>

enum { LOGIN_MS = 12 * 3600 * 1000 };

static const char cookie_name[] = "koikoi", secure_name[] = "__Host-koikoi";

static bool is_secure(const struct web *web)
{
    return str_starts(web->link, STR("https://"));
}

bool who_is_secret(struct str s)
{
    unsigned char bytes[SECRET / 2];
    return s.n == SECRET && str_hex(s, bytes, sizeof bytes);
}

struct str who_hash(struct arena *a, const char *what, struct str secret, int digits)
{
    unsigned char hash[crypto_hash_sha256_BYTES];
    crypto_hash_sha256_state state;
    struct buf hex = {arena_alloc(a, (size_t)digits + 1), 0, (size_t)digits, false};
    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, (const unsigned char *)what, strlen(what) + 1);
    crypto_hash_sha256_update(&state, (const unsigned char *)secret.p, secret.n);
    crypto_hash_sha256_final(&state, hash);
    buf_hex(&hex, hash, (size_t)digits / 2);
    return buf_str(&hex);
}

/* The secret of the cookie; empty if it has none. */
static struct str secret_of(const struct web *web, const struct server_request *r)
{
    struct str rest = server_header(r, "Cookie"),
               name = str_of(is_secure(web) ? secure_name : cookie_name);
    while (rest.n > 0) {
        struct str value, pair = str_trim(str_cut(rest, ';', &rest));
        if (str_is(str_cut(pair, '=', &value), name) && who_is_secret(value))
            return value;
    }
    return STR("");
}

struct str who_cookie(const struct web *web, struct str secret, struct arena *a)
{
    return arena_print(a, "%s=%.*s; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax%s",
                       is_secure(web) ? secure_name : cookie_name, STR_ARG(secret),
                       is_secure(web) ? "; Secure" : "");
}

static const struct account *account_of(const struct web *web, int64_t id)
{
    for (int i = 0; i < web->parts.n_accounts; i++)
        if (web->parts.accounts[i].id == id)
            return &web->parts.accounts[i];
    return NULL;
}

/* The first language of the header that there are texts in. */
static struct str language_of(const struct web *web, const struct server_request *r)
{
    struct str asked = server_query(r, "lang"), rest = server_header(r, "Accept-Language");
    if (asked.n > 0)
        return inbox_texts(web->parts.inbox, asked)->language;
    while (rest.n > 0) {
        struct str ignored, tag = str_trim(str_cut(str_cut(rest, ',', &rest), ';', &ignored));
        struct str base = str_cut(tag, '-', &ignored);
        if (base.n > 0 && str_is(inbox_texts(web->parts.inbox, tag)->language, base))
            return base;
    }
    return STR("");
}

struct str who_fresh(const struct web *web, struct arena *a)
{
    uint8_t bytes[SECRET / 2];
    struct buf hex = {arena_alloc(a, SECRET + 1), 0, SECRET, false};
    web->parts.clock->chance(web->parts.clock->arg, bytes, sizeof bytes);
    buf_hex(&hex, bytes, sizeof bytes);
    return buf_str(&hex);
}

void who_asks(struct web *web, const struct server_request *r, struct arena *a, struct visitor *ret)
{
    struct store *store = web->parts.store;
    struct proof proof = {0};
    struct str head = server_header(r, "Authorization"), bearer = STR("Bearer ");
    bool framed = head.n > 0;
    struct str secret = !framed                    ? secret_of(web, r)
                        : str_starts(head, bearer) ? str_skip(head, bearer.n)
                                                   : STR("");
    *ret = (struct visitor){.reader.account = web->parts.own,
                            .secret = secret,
                            .fresh = !who_is_secret(secret),
                            .framed = framed};
    if (ret->fresh)
        ret->secret = who_fresh(web, a);
    const struct login *login =
        ret->fresh ? NULL
                   : store_login(store, a, who_hash(a, "login", ret->secret, HASH_HEX), false,
                                 clock_now(web->parts.clock));
    const struct account *account = login ? account_of(web, login->account) : NULL;
    ret->fresh |= framed && !account;
    if (account) {
        ret->reader.account = account;
        ret->id = login->network_id;
        ret->login = login->hash;
    } else if (ret->reader.account->adapter->prove(ret->reader.account->state, a,
                                                   &(struct proving){.bytes = ret->secret},
                                                   &proof) == PROVED) {
        ret->id = proof.who.id;
        ret->chat = arena_print(a, "p.%.*s", STR_ARG(ret->id));
    }
    ret->token = who_hash(a, "token", ret->secret, SECRET);
    who_known(web, r, a, ret);
}

void who_known(struct web *web, const struct server_request *r, struct arena *a, struct visitor *v)
{
    v->reader.language = language_of(web, r);
    const struct person *p =
        v->fresh ? NULL
                 : store_person_by_network_id(web->parts.store, a, v->reader.account->id, v->id);
    if (!p)
        return;
    v->reader.who = p->who;
    v->name = p->name;
    v->banned = p->banned != 0;
    v->chat = v->login.n > 0 ? p->direct_chat : v->chat;
    struct str chosen = inbox_language(web->parts.inbox, p);
    if (chosen.n > 0 && server_query(r, "lang").n == 0)
        v->reader.language = arena_str(a, chosen);
}

struct str who_link(const struct chat *room)
{
    return room->link.n > 0 ? room->link : str_skip(room->key, strlen("r."));
}

struct str who_room(struct web *web, struct str name, struct arena *a)
{
    struct str key = arena_print(a, "r.%.*s", STR_ARG(name));
    const struct chat *c =
        who_is_secret(name) ? store_chat_by_link(web->parts.store, a, web->parts.own->id, name, key)
                            : NULL;
    return c ? c->key : STR("");
}

struct str who_name(const struct web *web, const struct visitor *v, struct arena *a)
{
    const struct words *words =
        words_for(inbox_texts(web->parts.inbox, v->reader.language), STR("standard"));
    uint64_t n = str_hash(v->id);
    struct str made =
        arena_print(a, "%.*s %02d", STR_ARG(words->month[n % N_MONTHS]), (int)(n / N_MONTHS % 100));
    char *first = (char *)(uintptr_t)made.p; /* ours: it was just made */
    if (*first >= 'a' && *first <= 'z')
        *first = (char)(*first - 'a' + 'A');
    return made;
}

bool who_may(struct web *web, struct str what, int64_t most, int64_t ms)
{
    struct came {
        int64_t since, n;
    } now = {clock_mono(web->parts.clock), 0};
    const struct cache_key key = {.text = what};
    struct came before;
    if (cache_read(web->counted, key, &before, sizeof before) && now.since < before.since + ms)
        now = before;
    if (now.n >= most)
        return false;
    now.n++;
    CACHE_KEEP(web->counted, key, BYTES_OF(now));
    return true;
}

void who_log_in(struct web *web, struct str secret, int64_t account, struct str network_id,
                struct arena *a)
{
    store_put_login(web->parts.store,
                    &(struct login){.hash = who_hash(a, "login", secret, HASH_HEX),
                                    .account = account,
                                    .network_id = network_id,
                                    .until = clock_now(web->parts.clock) + LOGIN_MS});
}

bool who_login(struct web *web, struct str ticket, struct str secret, struct arena *a)
{
    struct store *store = web->parts.store;
    struct err err;
    int64_t now = clock_now(web->parts.clock);
    struct seed seed;
    char hex[SEED_HEX_SIZE];
    if (!chance_read_seed(ticket, &seed))
        return false;
    chance_commit(&seed, hex);
    struct str hash = str_of(hex);
    store_begin(store);
    const struct login *found = store_login(store, a, hash, true, now);
    if (found) {
        store_drop_login(store, hash);
        who_log_in(web, secret, found->account, found->network_id, a);
    }
    return store_commit(store, &err) && found;
}

/* The loopback is free of ceilings of an address, as it is in the server: a proxy that is not trusted
 * to name the others must not lock them all out. */
bool who_is_free(struct str address)
{
    return str_is(address, STR("127.0.0.1")) || str_is(address, STR("::1"));
}

bool who_may_ask(struct web *web, struct server_request *r)
{
    enum { A_MINUTE = 60, MINUTE_MS = 60 * 1000 };
    struct str address = server_client(r, web->parts.pages.proxies, web->scratch);
    struct str what = arena_print(web->scratch, "ask %.*s", STR_ARG(address));
    if (who_is_free(address) || who_may(web, what, A_MINUTE, MINUTE_MS))
        return true;
    answer_error(web, r, 429, "busy");
    return false;
}
