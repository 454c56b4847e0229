/* People with browsers: a network whose far end is the daemon.
 *
 * A person is a name and a random secret that their browser keeps; their id is a hash of the secret,
 * so that neither store nor log gives anybody's place away. A room is a link of 128 random bits.
 * What people do comes in by bot/web as updates of this account. What is said to them becomes a
 * letter in the store (REQUEST_KEEP), which bot/web shows to those who may read it. Tables are shown
 * by scenes (CAN_SCENE), so that boards and hands are no letters. */
#include "web.h"

#include <sodium.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { COMMANDS_A_MINUTE = 60 /* of one person in one chat */ };

struct web_account {
    struct str listen, url, proxies, frames; /* options */
    int64_t streams, per_address;
    int never; /* a descriptor that is never readable */
};

static const struct option options[] = {
    {"listen", OPTION_TEXT, "", 0, 0,
     "ADDRESS:PORT at which tables are played in a browser, such as 127.0.0.1:8094; empty: none, "
     "or "
     "127.0.0.1:8094 where the terminal stands in for a network.",
     offsetof(struct web_account, listen)},
    {"url", OPTION_TEXT, "", 0, 0,
     "The address of these pages as people see it, https://... behind a proxy; empty: that of "
     "listen.",
     offsetof(struct web_account, url)},
    {"trusted_proxy", OPTION_TEXT, "", 0, 0,
     "Addresses of proxies, with blanks between, whose X-Forwarded-For is believed.",
     offsetof(struct web_account, proxies)},
    {"frames", OPTION_TEXT, "", 0, 0,
     "Hosts, with blanks between, whose pages may show watched matches, replays and the widget in "
     "a "
     "frame: https://club.example.org for a site of yours, https://app.element.io and "
     "vector://vector for Element in a browser and on a desktop; that of Telegram needs no entry; "
     "empty: none.",
     offsetof(struct web_account, frames)},
    {"streams", OPTION_INT, "2000", 16, 10000, "How many browsers may watch a table at once.",
     offsetof(struct web_account, streams)},
    {"per_address", OPTION_INT, "32", 1, 10000, "How many of them from one address.",
     offsetof(struct web_account, per_address)},
    {.key = NULL},
};

static bool configured(const void *account)
{
    return ((const struct web_account *)account)->listen.n > 0;
}

/* "https://club.example.org:8443", "*.example.org", "vector://vector": an origin of a program that has a
 * scheme of its own. In a Content-Security-Policy anything else may mean all hosts, as a scheme alone
 * does, or end the policy. */
static bool is_host(struct str s)
{
    static const struct str after = STR("://");
    const char *at = memmem(s.p, s.n, after.p, after.n);
    size_t scheme = at ? (size_t)(at - s.p) : 0;
    struct str port, host = str_skip(s, at ? scheme + after.n : 0);
    int64_t number;
    size_t n = host.n;
    host = str_cut(host, ':', &port);
    if ((at && scheme == 0) || (host.n < n && (!str_int(port, &number) || number < 1)) ||
        (!str_starts(host, STR("*.")) && host.n > 0 && host.p[0] == '*'))
        return false;
    for (size_t i = 0; i < scheme; i++)
        if (s.p[i] < 'a' || s.p[i] > 'z')
            return false;
    for (size_t i = host.n > 0 && host.p[0] == '*'; i < host.n; i++) {
        char c = host.p[i];
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.'))
            return false;
    }
    return host.n > 2 && host.p[host.n - 1] != '.';
}

static bool are_hosts(struct str list)
{
    for (struct str word = str_word(&list); word.n > 0; word = str_word(&list))
        if (!is_host(word))
            return false;
    return true;
}

/* "https://play.example.org". */
static bool is_origin(struct str url)
{
    bool safe = str_starts(url, STR("https://")), plain = str_starts(url, STR("http://"));
    struct str host = str_skip(url, safe ? 8 : 7);
    return (safe || plain) && host.n > 0 && str_run(host, '!', "/?#@") == host.n;
}

static bool open_web(void *account, struct arena *process, uint32_t *can, struct limits *limits,
                     struct err *err)
{
    (void)process, (void)can, (void)limits;
    struct web_account *w = account;
    w->never = -1;
    while (w->url.n > 0 && w->url.p[w->url.n - 1] == '/')
        w->url.n--;
    if (w->url.n > 0 && !is_origin(w->url))
        return err_set(err, "[web] url: expected https://HOST or http://HOST and no path");
    if (!are_hosts(w->frames))
        return err_set(err, "[web] frames: expected hosts such as https://club.example.org");
    w->never = eventfd(0, EFD_CLOEXEC);
    return w->never >= 0 || err_set(err, "[web] no descriptor is left");
}

static void close_web(void *account)
{
    struct web_account *w = account;
    if (w->never >= 0)
        close(w->never);
}

static bool pages(const void *account, struct pages *ret)
{
    const struct web_account *w = account;
    *ret = (struct pages){w->listen.n > 0 ? w->listen : STR("127.0.0.1:8094"),
                          w->url,
                          w->proxies,
                          w->frames,
                          w->streams,
                          w->per_address};
    return true;
}

static enum proved prove(void *account, struct arena *turn, const struct proving *p,
                         struct proof *ret)
{
    unsigned char hash[crypto_hash_sha256_BYTES];
    struct buf id = {arena_alloc(turn, WEB_ID + 1), 0, WEB_ID, false};
    (void)account;
    if (p->bytes.n < WEB_ID)
        return PROVED_NO;
    crypto_hash_sha256(hash, (const unsigned char *)p->bytes.p, p->bytes.n);
    buf_hex(&id, hash, WEB_ID / 2);
    *ret = (struct proof){.who = {.id = buf_str(&id)}};
    return PROVED;
}

static void poll_web(void *account, struct arena *turn, struct str cursor, struct request *ret)
{
    (void)turn, (void)cursor;
    *ret = (struct request){.kind = REQUEST_WATCH,
                            .what = STR("nothing"),
                            .fd = ((const struct web_account *)account)->never};
}

static bool read_web(void *account, struct arena *turn, const struct reply *reply,
                     struct batch *ret, struct err *err)
{
    (void)account, (void)turn, (void)reply, (void)err;
    *ret = (struct batch){0};
    return true;
}

/* Chats: "p.ID" is the private one of a person, "r.ID" a room. */
static struct str private_chat(struct arena *a, struct str id)
{
    return arena_print(a, "p.%.*s", STR_ARG(id));
}

static bool one_reader(const void *account, struct str chat)
{
    (void)account;
    return str_starts(chat, STR("p."));
}

/* An answer without words is for networks that wait for one. A slot names no letter where each is to
 * stay. */
static void send_web(void *account, struct arena *turn, const struct outgoing *out,
                     struct request *ret)
{
    (void)account;
    bool direct = out->where == TO_DIRECT || out->chat.n == 0;
    *ret = (struct request){.kind = REQUEST_DONE, .what = STR("nothing")};
    if (out->kind == OUT_CLOSE || (out->kind == OUT_ANSWER && out->text.n == 0))
        return;
    bool to_one = out->kind == OUT_ANSWER || out->where == TO_WHISPER;
    struct str slot = out->aside || out->named ? STR("") : out->slot;
    *ret = (struct request){.kind = REQUEST_KEEP,
                            .what = STR("letter"),
                            .letter = {.chat = direct ? private_chat(turn, out->to) : out->chat,
                                       .reader = to_one ? out->to : STR(""),
                                       .slot = slot},
                            .body = web_letter(turn, out, slot)};
}

static void receipt_web(void *account, struct arena *turn, const struct outgoing *out,
                        const struct reply *reply, struct receipt *ret)
{
    (void)account, (void)reply;
    *ret = (struct receipt){.kind = SENT};
    if (out->kind == OUT_POST)
        ret->post = arena_print(turn, "%lld", (long long)out->row);
    if (out->where == TO_DIRECT && out->kind == OUT_POST)
        ret->direct_chat = private_chat(turn, out->to);
}

const struct adapter web_adapter = {
    .name = "web",
    .title = "Web",
    .can = CAN_BUTTONS | CAN_EDIT | CAN_ERASE | CAN_WHISPER | CAN_DIRECT | CAN_POPUP | CAN_STYLE |
           CAN_FOLD | CAN_COUNTDOWN | CAN_SCENE,
    .limits = {.prefix = {"/", 1},
               .text_chars = 8000,
               .buttons = MAX_BUTTONS,
               .buttons_a_row = 8,
               .per_chat_minute = COMMANDS_A_MINUTE,
               .in_flight = 64},
    .account_size = sizeof(struct web_account),
    .options = options,
    .configured = configured,
    .needs = "listen",
    .open = open_web,
    .one_reader = one_reader,
    .poll = poll_web,
    .read = read_web,
    .pages = pages,
    .prove = prove,
    .send = send_web,
    .receipt = receipt_web,
    .close = close_web,
};
