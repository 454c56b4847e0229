/* The adapter row of Matrix and its options. matrix.h has the map of the folder, README.md what the
 * adapter needs from a server. */
#include "send.h"
#include "polled.h"
#include "widget.h"

enum { OWN_CEILING = 64 * 1024 * 1024, OPTION_LONGEST = 2000, PREFIX_LONGEST = 32 };

#define OPTION(member) offsetof(struct matrix, member)
static const struct option OPTIONS[] = {
    {"homeserver", OPTION_TEXT, "", 0, 0,
     "Matrix homeserver: its URL, or a server name to be looked up; empty: that of the user.",
     OPTION(homeserver)},
    {"user", OPTION_TEXT, "", 0, 0, "The bot's Matrix user, @name:server.", OPTION(user)},
    {"token", OPTION_SECRET, "", 0, 0, "Access token of that user.", OPTION(token)},
    {"password", OPTION_SECRET, "", 0, 0,
     "Password of that user, for one login; the session is kept from then on.", OPTION(password)},
    {"oauth", OPTION_BOOL, "no", 0, 0,
     "Log in by a page that a person opens once (OAuth device grant).", OPTION(oauth)},
    {"device", OPTION_TEXT, "KOIKOI-DAEMON", 0, 0,
     "Device id, the same at every login; a token has its own.", OPTION(device)},
    {"prefix", OPTION_TEXT, "!koi", 0, 0, "The word that commands in a room begin with.",
     OPTION(prefix)},
    {"allow", OPTION_TEXT, "", 0, 0,
     "Users, servers and rooms whose invites are accepted, with blanks between; empty: all.",
     OPTION(allow)},
    {"rooms", OPTION_INT, "5000", 1, MAX_ROOMS, "In how many rooms the bot will be at most.",
     OPTION(rooms)},
    {"pace", OPTION_INT, "12", 0, 60000,
     "Events a minute over all rooms (what a homeserver allows by default); 0: no limit of ours.",
     OPTION(pace)},
    {"burst", OPTION_INT, "10", 1, 1000, "How many events may go at once before the pace holds.",
     OPTION(burst)},
    {"polls", OPTION_BOOL, "yes", 0, 0, "Show the moves in a private chat as a poll to vote in.",
     OPTION(polls)},
    {"pictures", OPTION_BOOL, "yes", 0, 0,
     "Show hands, calls and results as pictures; a hand's is one more event.", OPTION(pictures)},
    {"threads", OPTION_TEXT, "no", 0, 0,
     "Ids of rooms where each thread is a chat of its own, with blanks between; yes: all; no: "
     "none.",
     OPTION(threads)},
    {"widget_homeservers", OPTION_TEXT, "", 0, 0,
     "Homeservers, with blanks between, whose people may open the table beside a room; empty: that "
     "of the bot.",
     OPTION(widget_homeservers)},
    {"e2ee", OPTION_TEXT, "auto", 0, 0,
     "Encrypted rooms: yes; no; auto: if libkoikoi_olm.so is there (make crypto).", OPTION(e2ee)},
    {"recovery_key", OPTION_SECRET, "", 0, 0,
     "Recovery key of the account's identity, if it has one that was made in a client.",
     OPTION(recovery_key)},
    {NULL, OPTION_TEXT, NULL, 0, 0, NULL, 0},
};

static bool matrix_configured(const void *account)
{
    const struct matrix *m = account;
    return m->token.n > 0 || m->password.n > 0 || m->oauth || m->homeserver.n > 0;
}

static bool check_options(const struct matrix *m, struct err *err)
{
    struct str server = m->homeserver;
    bool named = server.n <= 255 && wire_is_plain(server) &&
                 (wire_is_url(server) || !memchr(server.p, '/', server.n));
    if (server.n > 0 && !named)
        return err_set(err, "[matrix] homeserver: must be a URL (https://...) or a server's name");
    if (m->homeserver.n == 0 && !wire_is_user_id(m->user))
        return err_set(err, "[matrix] user: must be @name:server when no homeserver is given");
    if (m->user.n > 0 && (!wire_is_plain(m->user) || m->user.n > ID_BYTES))
        return err_set(err, "[matrix] user: must be @name:server");
    if (m->token.n > 0 && (!wire_is_plain(m->token) || m->token.n > OPTION_LONGEST))
        return err_set(err, "[matrix] token: is not an access token");
    if (m->token.n == 0 && !m->oauth && (m->password.n == 0 || m->user.n == 0))
        return err_set(err, "[matrix]: needs a token, a user with a password, or oauth = yes");
    if (m->password.n > OPTION_LONGEST)
        return err_set(err, "[matrix] password: is too long");
    if (!wire_is_plain(m->device) || m->device.n > ID_BYTES)
        return err_set(err, "[matrix] device: must be a word of ASCII letters");
    if (m->prefix.n > PREFIX_LONGEST || str_trim(m->prefix).n != m->prefix.n ||
        (m->prefix.n > 0 && memchr(m->prefix.p, ' ', m->prefix.n)))
        return err_set(err, "[matrix] prefix: must be one short word");
    if (!str_is(m->e2ee, STR("auto")) && !str_is(m->e2ee, STR("yes")) &&
        !str_is(m->e2ee, STR("no")))
        return err_set(err, "[matrix] e2ee: must be auto, yes or no");
    if (str_is(m->e2ee, STR("yes")) && !crypto_available())
        return err_set(err, "[matrix] e2ee: expected libkoikoi_olm.so beside the program, found "
                            "none; make crypto builds it");
    if (m->pace < 0 || m->burst < 1 || m->rooms < 1)
        return err_set(err, "[matrix]: pace, burst and rooms must not be negative");
    return true;
}

static void matrix_keep(void *account, struct vault *vault)
{
    struct matrix *m = account;
    m->vault = vault;
}

static bool matrix_open(void *account, struct arena *process, uint32_t *can, struct limits *limits,
                        struct err *err)
{
    struct matrix *m = account;
    if (!check_options(m, err))
        return false;
    m->own = arena_open(OWN_CEILING);
    m->known = rooms_open();
    if (!m->polls)
        *can &= ~(uint32_t)CAN_POLL;
    if (!m->pictures)
        *can &= ~(uint32_t)CAN_PICTURE;
    if (m->prefix.n > 0)
        limits->prefix = arena_print(process, "%.*s ", STR_ARG(m->prefix));
    limits->account_per_second_x100 = (int)(m->pace * 100 / 60);
    limits->account_burst = (int)m->burst;
    return true;
}

static void matrix_menu(void *account, const struct menu_lists *menu)
{
    struct matrix *m = account;
    m->menu = menu;
}

static bool matrix_self(const void *account, struct arena *turn, struct str *ret_name,
                        struct str *ret_link)
{
    struct str user = ((const struct matrix *)account)->session.user;
    *ret_name = user;
    *ret_link = arena_print(turn, "https://matrix.to/#/%.*s", STR_ARG(user));
    return user.n > 0;
}

static void matrix_poll(void *account, struct arena *turn, struct str cursor, struct request *ret)
{
    struct matrix *m = account;
    arena_reset(m->own);
    rooms_tidy(m->known);
    cursor_read(m, m->own, cursor, &m->session);
    uint64_t mark = str_hash(m->session.access);
    if (mark != m->access_mark) { /* another token: forget the state of the last one */
        m->access_mark = mark;
        m->refused = false;
    }
    if (!auth_poll(m, turn, ret))
        sync_poll(m, turn, ret);
}

/* Most syncs bring back what the bot has said, or what people say to each other. A restart may hear
 * that again: it is stored with what matters next, or when there is much of it. */
static bool tells_nothing(struct matrix *m, struct arena *turn, const struct batch *b,
                          struct str since)
{
    enum { MOST = 32 };
    bool nothing = m->session.since.n > 0 && b->n == 0 && b->note.n == 0 && !crypto_unstored(m) &&
                   m->n_unstored < MOST;
    if (nothing) {
        struct matrix_session same = m->session;
        same.since = since;
        nothing = str_is(b->cursor, cursor_write(turn, &same));
    }
    m->n_unstored = nothing ? m->n_unstored + 1 : 0;
    return nothing;
}

static bool read_answer(struct matrix *m, struct arena *turn, const struct reply *reply,
                        bool (*read)(struct polled *p), struct batch *ret, struct err *err)
{
    struct matrix_session next = m->session;
    struct polled p = {.m = m, .a = turn, .reply = reply, .next = &next, .batch = ret, .err = err};
    *ret = (struct batch){0};
    p.answer = wire_answer(reply);
    p.error = wire_error_of(turn, reply);
    m->now = reply->now;
    if (next.born == 0)
        next.born = reply->now;
    int failures = m->failures;
    bool first = !m->synced, good = read(&p);
    if (good && m->failures == failures)
        m->failures = 0;
    json_free(p.answer);
    if (good)
        ret->cursor = cursor_write(turn, &next);
    ret->may_wait = good && !first && tells_nothing(m, turn, ret, next.since);
    return good;
}

static bool matrix_read(void *account, struct arena *turn, const struct reply *reply,
                        struct batch *ret, struct err *err)
{
    struct matrix *m = account;
    return read_answer(m, turn, reply, m->step >= STEP_DIRECTS ? sync_read : auth_read, ret, err);
}

static bool matrix_read_beside(void *account, struct arena *turn, const struct reply *reply,
                               struct batch *ret, struct err *err)
{
    return read_answer(account, turn, reply, room_actions_read_beside, ret, err);
}

static void matrix_close(void *account)
{
    struct matrix *m = account;
    crypto_close(m);
    json_free(m->keys.queue);
    free(m->keys.session);
    rooms_close(m->known);
    arena_close(m->own);
}

static struct str matrix_user(const void *account)
{
    return ((const struct matrix *)account)->user;
}

const struct adapter matrix_adapter = {
    .name = "matrix",
    .title = "Matrix",
    .can = CAN_TYPING | CAN_EDIT | CAN_ERASE | CAN_PICTURE | CAN_FILE | CAN_DIRECT | CAN_REACT |
           CAN_POLL | CAN_STYLE | CAN_FOLD | CAN_MENTION | CAN_HANDLES | CAN_CLOSE | CAN_WIDGET,
    .limits = {.text_chars = 4000,
               .caption_chars = 4000,
               .buttons = POLL_ANSWERS,
               .buttons_a_row = 1,
               .account_per_second_x100 = 20,
               .account_burst = 10,
               .picture_apart = true,
               .in_flight = 4},
    .account_size = sizeof(struct matrix),
    .options = OPTIONS,
    .configured = matrix_configured,
    .needs = "token, password, oauth or homeserver",
    .person = wire_is_user_id,
    .person_like = "@you:example.org",
    .bot = matrix_user,
    .keep = matrix_keep,
    .open = matrix_open,
    .self = matrix_self,
    .menu = matrix_menu,
    .poll = matrix_poll,
    .read = matrix_read,
    .beside = room_actions_beside,
    .beside_read = matrix_read_beside,
    .prove = widget_prove,
    .edits = matrix_edits,
    .send = matrix_send,
    .receipt = matrix_receipt,
    .close = matrix_close,
    .exam = matrix_exam,
    .examine = matrix_examine,
};
