/* The page inside another program's window: /app/NAME in the apps of the network NAME, watched matches
 * and replays on sites of the operator's choice.
 *
 * A cookie does not reach a frame. Instead the page sends what the network gave it (POST /prove), and
 * gets a secret that it keeps in memory and sends in the header Authorization: a login like that by a
 * ticket. The secret says who; what they may see the store says at each request.
 *
 * Some proofs a network must be asked for: the visit then waits for its answer. And some may have come
 * into other hands: the window that brings one shows a code, which its person writes into a chat, once.
 * The window keeps a secret from then on, which counts with such a proof alone. */
#include "web_internal.h"

#include "command.h"
#include "http.h"

#include "text.h"

enum {
    PROOFS_A_MINUTE = 10,
    MINUTE_MS = 60 * 1000,
    BYTES_MOST = 4096,
    NAME_BYTES = 16,
    ID_BYTES = 256,
    WINDOWS_MOST = 10, /* of one person that wait, or are given up, while a code counts */
    ANSWER_BYTES = 4096,
    PROOFS = 1024,
    PROOF_BYTES = 512,
    ASKING_MOST = 128, /* visits that wait for an answer of a network */
    ASKING_EACH = 8    /* of one host of it: one that answers none leaves the others theirs */
};

/* The next account of that network, NULL after the last. `from`: 0 at first. */
static const struct account *account_named(const struct web *web, struct str name, int *from)
{
    while (*from < web->parts.n_accounts) {
        const struct account *a = &web->parts.accounts[(*from)++];
        if (a != web->parts.own && a->adapter->prove && str_is(str_of(a->adapter->name), name))
            return a;
    }
    return NULL;
}

bool frame_is_path(const struct web *web, struct str path)
{
    return account_named(web, str_skip(path, strlen("/app/")), &(int){0}) != NULL;
}

struct str frame_hosts(const struct web *web, struct str path)
{
    struct str own = STR(""), option = web->parts.pages.frames;
    if (str_starts(path, STR("/app/"))) {
        const struct account *a = account_named(web, str_skip(path, strlen("/app/")), &(int){0});
        if (!a)
            return STR("");
        own = str_of(a->adapter->framed_by);
    } else if (!str_starts(path, STR("/watch/")) && !str_starts(path, STR("/replay/"))) {
        return STR("");
    }
    return str_trim(arena_print(web->scratch, "%.*s %.*s", STR_ARG(own), STR_ARG(option)));
}

/* ---- proofs ---- */

/* Visits that wait for a network's answer, and the answers of late, so that a page which waits for its
 * person asks its network once. */
struct proofs {
    struct cache *settled; /* struct settled by account and bytes */
    struct proof_visit *asking;
    int n_asking;
};
struct settled {
    int64_t until; /* monotonic */
    char who[ID_BYTES];
};
struct proof_visit {
    enum flight kind; /* FLIGHT_PROOF: tags of transfers */
    int answers;
    char host[ID_BYTES]; /* the one asked first: it names the others */
    struct server_request *visit;
    const struct account *account;
    struct proof_visit *next;
};

/* The body of POST /prove. */
struct proof_body {
    struct str network, bytes;
    struct str
        window; /* the secret of a window that has been confirmed, or is to be; may be empty */
};

static bool read_body(struct web *web, const struct server_request *r, struct proof_body *ret)
{
    struct err err;
    struct json v = json_open(r->body, JSON_LINE);
    ret->network = json_clean(web->scratch, v, "network", NAME_BYTES);
    ret->bytes = json_clean(web->scratch, v, "bytes", BYTES_MOST);
    ret->window = json_kind(json_at(v, "window")) == JSON_STRING
                      ? json_clean(web->scratch, v, "window", SECRET)
                      : STR("");
    return json_close(v, &err);
}

void frame_refuse(struct web *web, struct server_request *r, const struct visitor *v)
{
    answer_said(web, r, 403, "proof",
                text_make(inbox_texts(web->parts.inbox, v->reader.language), web->scratch,
                          T_PAGE_REOPEN, 0, NULL, 0));
}

static void refuse(struct web *web, struct server_request *r)
{
    struct visitor v;
    who_asks(web, r, web->scratch, &v);
    frame_refuse(web, r, &v);
}

/* A window whose person is still to write its code: the page shows it, and asks again. */
static void answer_code(struct web *web, struct server_request *r, const struct account *account,
                        struct str window, struct str code)
{
    struct visitor v;
    struct buf b = {arena_room(web->scratch, ANSWER_BYTES), 0, ANSWER_BYTES, false};
    who_asks(web, r, web->scratch, &v);
    const struct texts *t = inbox_texts(web->parts.inbox, v.reader.language);
    struct str prefix = account->limits.prefix.n > 0 ? account->limits.prefix : STR("/");
    JSON_PUT(&b, "{'window':$,'text':$,'say':$}", window,
             text_make(t, web->scratch, T_PAGE_CONFIRM, 0, NULL, 0),
             arena_print(web->scratch, "%.*s%.*s %.*s", STR_ARG(prefix),
                         STR_ARG(t->alias[VERB_WIDGET][0]), STR_ARG(code)));
    answer_json(r, 200, buf_str(&b));
}

static struct str window_hash(struct web *web, struct str window)
{
    return who_hash(web->scratch, "window", window, HASH_HEX);
}

/* Digits that no other window of this person shows. */
static struct str fresh_code(struct web *web, const struct login *window)
{
    enum { MOST = 1000000 };
    struct store *store = web->parts.store;
    struct str code;
    uint32_t n;
    do {
        web->parts.clock->chance(web->parts.clock->arg, (uint8_t *)&n, sizeof n);
        code = arena_print(web->scratch, "%0*d", WIDGET_CODE, (int)(n % MOST));
    } while (store_login_waits(store, window->account, window->network_id, code, 0));
    return code;
}

/* In a transaction. True if this window may log in as that person; else *ret is what it is to show. */
static bool is_confirmed(struct web *web, const struct account *account, struct str who,
                         struct str asked, struct str *ret_window, struct str *ret_code)
{
    struct store *store = web->parts.store;
    int64_t now = clock_now(web->parts.clock);
    const struct login *known =
        who_is_secret(asked) ? store_login(store, web->scratch, window_hash(web, asked), false, now)
                             : NULL;
    *ret_window = asked;
    if (known && known->account == account->id && str_is(known->network_id, who)) {
        struct login again = *known;
        *ret_code = again.code;
        if (again.code.n > 0)
            return false;
        again.until = now + WINDOW_MS;
        store_put_login(store, &again);
        return true;
    }
    struct str windows = arena_print(web->scratch, "windows %.*s", STR_ARG(who));
    if (!who_may(web, windows, WINDOWS_MOST, WINDOW_CODE_MS))
        return false;
    *ret_window = who_fresh(web, web->scratch);
    struct login fresh = {.hash = window_hash(web, *ret_window),
                          .account = account->id,
                          .network_id = who,
                          .until = now + WINDOW_CODE_MS};
    fresh.code = fresh_code(web, &fresh);
    *ret_code = fresh.code;
    store_put_login(store, &fresh);
    return false;
}

/* Logs the browser in; returns false if the bytes have been used, or its person is still to confirm it. */
static bool accept(struct web *web, struct server_request *r, const struct account *account,
                   const struct proof *proof, struct str asked)
{
    struct store *store = web->parts.store;
    struct err err;
    struct str secret = who_fresh(web, web->scratch), window, code = STR("");
    struct str once = arena_print(web->scratch, "proof:%.*s", STR_ARG(proof->once));
    store_begin(store);
    bool good =
        proof->once.n == 0 || store_hear(store, account->id, once, 0, clock_now(web->parts.clock));
    if (good && proof->confirm)
        good = is_confirmed(web, account, proof->who.id, asked, &window, &code);
    if (good)
        who_log_in(web, secret, account->id, proof->who.id, web->scratch);
    if (!store_commit(store, &err))
        answer_error(web, r, 503, "again");
    else if (good)
        answer_json(r, 200, arena_print(web->scratch, "{\"secret\":\"%.*s\"}", STR_ARG(secret)));
    else if (code.n > 0)
        answer_code(web, r, account, window, code);
    else
        refuse(web, r);
    return good;
}

/* ---- what a network was asked ---- */

static struct cache_key settled_key(struct web *web, const struct account *account,
                                    struct str bytes)
{
    return (struct cache_key){.no = account->id,
                              .text = who_hash(web->scratch, "proof", bytes, HASH_HEX)};
}

static bool find_settled(struct web *web, const struct account *account, struct str bytes,
                         struct proof *ret)
{
    struct settled s;
    if (!cache_read(web->proofs->settled, settled_key(web, account, bytes), &s, sizeof s))
        return false;
    *ret = (struct proof){.who = {.id = arena_str(web->scratch, str_of(s.who))}, .confirm = true};
    return s.until > clock_mono(web->parts.clock);
}

static void keep_settled(struct web *web, const struct account *account, struct str bytes,
                         const struct proof *proof)
{
    struct settled s = {.until = clock_mono(web->parts.clock) + WINDOW_CODE_MS};
    if (proof->who.id.n >= sizeof s.who)
        return;
    memcpy(s.who, proof->who.id.p, proof->who.id.n);
    CACHE_KEEP(web->proofs->settled, settled_key(web, account, bytes), BYTES_OF(s));
}

static int asked_of(const struct web *web, struct str host)
{
    int n = 0;
    for (const struct proof_visit *a = web->proofs->asking; a; a = a->next)
        n += str_is(host, str_of(a->host));
    return n;
}

/* Asks the network, beside all else. */
static void ask(struct web *web, const struct proof_visit *so_far, const struct request *request)
{
    struct proof_visit *asking = alloc_zeroed(sizeof *asking);
    *asking = *so_far;
    asking->kind = FLIGHT_PROOF;
    asking->next = web->proofs->asking;
    web->proofs->asking = asking;
    web->proofs->n_asking++;
    http_start(web->parts.http, request, asking);
}

static void ask_first(struct web *web, struct proof_visit *a, const struct request *request)
{
    struct str host = str_url_host(request->url);
    if (host.n >= sizeof a->host || asked_of(web, host) == ASKING_EACH) {
        answer_error(web, a->visit, 429, "busy");
        return;
    }
    memcpy(a->host, host.p, host.n);
    ask(web, a, request);
}

static void settle(struct web *web, struct proof_visit *a, const struct proof_body *body,
                   const struct reply *reply)
{
    struct proof proof = {0};
    const struct proving proving = {.bytes = body->bytes,
                                    .now = clock_now(web->parts.clock),
                                    .answers = a->answers,
                                    .reply = reply};
    switch (a->account->adapter->prove(a->account->state, web->scratch, &proving, &proof)) {
    case PROVED_NO:
        refuse(web, a->visit);
        break;
    case PROVED_ASK:
        ask(web, a, &proof.ask);
        break;
    case PROVED:
        keep_settled(web, a->account, body->bytes, &proof);
        (void)accept(web, a->visit, a->account, &proof, body->window);
        break;
    }
}

static struct proof_visit asking_take(struct web *web, const void *tag)
{
    struct proof_visit **at = &web->proofs->asking, taken;
    while (*at != tag)
        at = &(*at)->next;
    struct proof_visit *found = *at;
    *at = found->next;
    web->proofs->n_asking--;
    taken = *found;
    free(found);
    return taken;
}

void web_proved(struct web *web, const void *tag, const struct reply *reply)
{
    struct proof_visit a = asking_take(web, tag);
    struct proof_body body = {0};
    arena_reset(web->scratch);
    a.answers++;
    if (read_body(web, a.visit, &body)) /* it was read before */
        settle(web, &a, &body, reply);
}

void frame_end(struct web *web)
{
    if (!web->proofs)
        return;
    while (web->proofs->asking) {
        http_cancel(web->parts.http, web->proofs->asking);
        answer_error(web, asking_take(web, web->proofs->asking).visit, 503, "again");
    }
    cache_close(web->proofs->settled);
    free(web->proofs);
}

void frame_prove(struct web *web, struct server_request *r)
{
    struct str address = server_client(r, web->parts.pages.proxies, web->scratch);
    struct str what = arena_print(web->scratch, "prove %.*s", STR_ARG(address));
    struct proof proof = {0};
    struct proof_body body = {0};
    int at = 0;
    if (!str_starts(server_header(r, "Content-Type"), STR("application/json"))) {
        answer_error(web, r, 415, "json");
        return;
    }
    bool read = read_body(web, r, &body);
    const struct account *account = read ? account_named(web, body.network, &at) : NULL;
    if (!account) {
        answer_error(web, r, 400, "body");
        return;
    }
    if (!web->proofs) {
        web->proofs = alloc_zeroed(sizeof *web->proofs);
        web->proofs->settled = cache_open(PROOFS, PROOFS * PROOF_BYTES);
    }
    if (find_settled(web, account, body.bytes, &proof)) {
        if (accept(web, r, account, &proof, body.window)) /* the next one is asked for anew */
            cache_drop(web->proofs->settled, settled_key(web, account, body.bytes));
        return;
    }
    if (web->proofs->n_asking == ASKING_MOST ||
        (!who_is_free(address) && !who_may(web, what, PROOFS_A_MINUTE, MINUTE_MS))) {
        answer_error(web, r, 429, "busy");
        return;
    }
    const struct proving proving = {.bytes = body.bytes, .now = clock_now(web->parts.clock)};
    enum proved proved = PROVED_NO;
    while (account && proved == PROVED_NO) {
        proved = account->adapter->prove(account->state, web->scratch, &proving, &proof);
        if (proved == PROVED_NO)
            account = account_named(web, body.network, &at);
    }
    if (proved == PROVED_ASK)
        ask_first(web, &(struct proof_visit){.visit = r, .account = account}, &proof.ask);
    else if (proved == PROVED)
        (void)accept(web, r, account, &proof, STR(""));
    else
        refuse(web, r);
}
