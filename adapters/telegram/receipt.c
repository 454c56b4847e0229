/* The answers of a send: a reply -> SENT, MORE, LATER or NEVER. The descriptions are Telegram's;
 * only their stable parts are compared. 429 is a pause; 5xx, 421 and silence are transient; 403 is
 * a closed chat; 400 depends on its description. */
#include "send.h"

enum { SHOWS_MS = 24 * 3600 * 1000 };

/* True if it says one of the words, which have | between them. */
static bool says_one(struct str why, const char *words)
{
    for (struct str one, rest = str_of(words); why.n > 0 && rest.n > 0;) {
        one = str_cut(rest, '|', &rest);
        if (memmem(why.p, why.n, one.p, one.n))
            return true;
    }
    return false;
}

/* The number of that name in a body that may have broken off; 0 if not found. */
static int64_t number_in(struct str body, const char *name)
{
    int64_t n = 0;
    for (size_t i = tg_scan_value(body, name, 0);
         i < body.n && body.p[i] >= '0' && body.p[i] <= '9' && n < 1000000000000; i++)
        n = n * 10 + (body.p[i] - '0');
    return n;
}

static bool is_picture(struct str body)
{
    for (size_t i = 0; (i = tg_scan_value(body, "photo", i)) < body.n;)
        if (body.p[i] == '[')
            return true;
    return false;
}

/* The file id of the largest size, which spares the next upload of the same bytes. */
static struct str file_id(struct arena *a, struct str body)
{
    struct json tree = json_open(body, JSON_LOOSE);
    struct json sizes = json_at(json_at(tree, "result"), "photo");
    struct str id = STR("");
    for (struct json size = json_first(sizes); size.at; size = json_next(size))
        id = tg_text(a, size, "file_id");
    json_free(tree);
    return id;
}

static void never(const struct tg_sending *s, enum never_why why, struct str note)
{
    s->receipt->kind = NEVER;
    s->receipt->why = why;
    s->receipt->note = note;
}

/* A receipt MORE, with one word added to the progress. */
static void more(const struct tg_sending *s, struct str word, struct str note)
{
    struct str so_far = s->out->progress;
    s->receipt->kind = MORE;
    s->receipt->progress =
        so_far.n == 0 ? word : arena_print(s->a, "%.*s %.*s", STR_ARG(so_far), STR_ARG(word));
    s->receipt->note = note;
}

static void more_number(const struct tg_sending *s, char sign, int64_t number, struct str note)
{
    more(s, arena_print(s->a, "%c%lld", sign, (long long)number), note);
}

static void sent(const struct tg_sending *s, struct str body)
{
    const struct outgoing *out = s->out;
    struct receipt *ret = s->receipt;
    int64_t hidden = number_in(body, "ephemeral_message_id");
    int64_t seen = number_in(body, "message_id"), id = hidden ? hidden : seen;
    if (s->plan.hidden && !hidden && seen) { /* everybody sees what should be hidden */
        bool other_server = s->t->hides;
        s->t->hides = false;
        s->t->shows_until = other_server ? 0 : s->t->now + SHOWS_MS;
        more_number(s, '!', seen, STR("this server does not know hidden messages"));
        return;
    }
    if (s->plan.action == SEND_PROBE && hidden) {
        s->t->hides = true;
        more_number(s, '#', hidden, STR(""));
        return;
    }
    if (s->plan.action == SEND_PROBE) { /* the message may or may not be there */
        ret->note = STR("an answer of Telegram broke off");
        return;
    }
    bool picture = is_picture(body);
    ret->kind = SENT;
    if (out->kind != OUT_POST)
        return;
    ret->post = id ? tg_ids_print_post(s->a, (struct post){id, hidden != 0, picture}) : out->post;
    if (picture)
        ret->picture_file = file_id(s->a, body);
    if (out->where == TO_DIRECT)
        ret->direct_chat = out->direct_chat.n > 0 ? out->direct_chat : out->to;
}

/* The answer to the edit of an ephemeral message is `true`: the post keeps its id. */
static void edited(const struct tg_sending *s)
{
    s->receipt->kind = SENT;
    if (s->out->kind == OUT_POST && s->plan.post.id)
        s->receipt->post = tg_ids_print_post(s->a, s->plan.post);
}

static const char post_missing[] =
    "message to edit not found|message can't be edited|MESSAGE_ID_INVALID|"
    "no text in the message to edit|no caption in the message to edit";
static const char post_deleted[] =
    "message to delete not found|message can't be deleted|MESSAGE_ID_INVALID";
static const char topic_missing[] = "thread|topic|TOPIC_|forum|FORUM_";
static const char query_expired[] = "query is too old|QUERY_ID_INVALID|query ID is invalid";
static const char chat_closed[] =
    "chat not found|BOT_NOT_ADMIN|USER_ID_INVALID|PEER_ID_INVALID|not enough rights|"
    "have no rights|CHAT_WRITE_FORBIDDEN|user not found|CHAT_RESTRICTED|"
    "CHAT_SEND_PLAIN_FORBIDDEN|CHAT_ID_INVALID|CHANNEL_|USER_DEACTIVATED|USER_IS_BLOCKED|"
    "group chat was deleted|need administrator rights";
static const char bad_picture[] =
    "wrong file identifier|wrong file_id|wrong remote file|file is too big|"
    "file must be non-empty|FILE_|PHOTO_|IMAGE_PROCESS_FAILED|failed to get HTTP URL content|"
    "WEBPAGE_|no photo in the request|message caption is too long|CHAT_SEND_PHOTOS_FORBIDDEN|"
    "not enough rights to send photos|MEDIA_";

/* The chat or topic itself is refused. */
static bool is_closed(const struct refusal *no)
{
    return no->code == 403 || says_one(no->why, chat_closed) || says_one(no->why, topic_missing);
}

/* The network refused a part of the message: says which to leave out next; false if nothing is left
 * to leave out. A server that lacks a call (404) may still have the one for texts. What it once gave
 * us an id for, a picture or the message that is answered, may be gone from it, whatever it says. */
static bool leave_out(const struct tg_sending *s, const struct refusal *no)
{
    const struct outgoing *out = s->out;
    struct send_progress w = s->so_far;
    bool closed = is_closed(no), file = out->picture_file.n > 0 && !w.no_file;
    bool pictured = !w.no_picture && (out->picture_bytes.n > 0 || out->picture_file.n > 0);
    if (says_one(no->why, "can't parse entities") && !w.plain) {
        more(s, STR("plain"), no->why);
        return true;
    }
    if (pictured && (no->code == 413 || no->code == 404 || says_one(no->why, bad_picture) ||
                     (file && !closed))) {
        s->receipt->picture_refused = file && no->code != 404;
        more(s, s->receipt->picture_refused ? STR("bytes") : STR("text"), no->why);
        return true;
    }
    if (s->plan.action != SEND_NEW || out->reply_to.n == 0 || w.no_reply || closed)
        return false;
    more(s, STR("alone"), no->why);
    return true;
}

/* A topic of a private chat is gone: the chat itself is not. What stands in it goes on without a topic,
 * and so does the person. */
static void topic_gone(const struct tg_sending *s, struct str why)
{
    struct str chat = arena_print(s->a, "%lld", (long long)s->plan.to.chat);
    if (s->out->where == TO_CHAT) {
        never(s, NEVER_MOVED, why);
        s->receipt->chat = chat;
    } else {
        more(s, STR("main"), why);
        s->receipt->direct_chat = chat;
    }
}

static void refused(const struct tg_sending *s, const struct refusal *no)
{
    const struct outgoing *out = s->out;
    struct receipt *ret = s->receipt;
    bool personal = out->where != TO_CHAT || out->kind == OUT_ANSWER;
    int64_t probe = s->so_far.hidden_post;
    if (no->moved_to) {
        never(s, NEVER_MOVED, no->why);
        ret->chat = arena_print(s->a, "%lld", (long long)no->moved_to);
    } else if (s->plan.action == SEND_CLOSE || s->plan.action == SEND_ASK) { /* it stays as it is */
        never(s, NEVER_OTHER, no->why);
    } else if (says_one(no->why, "message is not modified")) {
        edited(s);
    } else if (s->plan.action == SEND_RETRACT) {
        never(s, NEVER_UNREACHABLE, no->why);
    } else if (out->kind == OUT_ERASE && says_one(no->why, post_deleted)) {
        ret->kind = SENT;
    } else if (says_one(no->why, post_missing) && probe) {
        ret->kind = MORE; /* the probe is gone: a new message follows */
        ret->note = no->why;
    } else if (s->plan.action != SEND_NEW &&
               says_one(no->why, post_missing)) { /* an inline message cannot be sent anew */
        never(s, tg_ids_inline_post(out->chat).n > 0 ? NEVER_UNREACHABLE : NEVER_GONE, no->why);
    } else if (says_one(no->why, query_expired)) {
        never(s, out->kind == OUT_ANSWER ? NEVER_LATE : NEVER_UNREACHABLE, no->why);
    } else if (s->plan.to.chat > 0 && s->plan.to.thread && says_one(no->why, topic_missing)) {
        topic_gone(s, no->why);
    } else if (no->code != 403 && leave_out(s, no)) {
        ;               /* once more, without that part */
    } else if (probe) { /* it cannot be edited: it will be deleted, and a new message sent */
        more_number(s, '~', probe, no->why);
    } else if (s->plan.action == SEND_EDIT) { /* for whatever reason: a new one may do */
        never(s, NEVER_GONE, no->why);
    } else if (is_closed(no)) {
        tg_closed_add(s);
        never(s, NEVER_UNREACHABLE, no->why);
    } else {
        never(s, personal ? NEVER_UNREACHABLE : NEVER_OTHER, no->why);
    }
}

/* The receipt of a plan without a call. */
static void not_asked(const struct tg_sending *s)
{
    const struct outgoing *out = s->out;
    bool probing = s->t->probing;
    if (s->plan.action == SEND_LATER) {
        s->receipt->wait_ms = probing ? 50 : 500;
        s->receipt->note = probing ? STR("the probe for hidden messages is under way")
                                   : STR("our own name is not known yet");
    } else if (s->plan.action == SEND_NOT_HIDDEN) {
        never(s, NEVER_UNREACHABLE, STR("this server does not know hidden messages"));
    } else if (out->where == TO_WHISPER && out->chat.n > 0 && out->chat.p[0] == 'i') {
        never(s, NEVER_UNREACHABLE, STR("no ephemeral messages in this chat"));
    } else if (out->kind == OUT_ANSWER) {
        never(s, NEVER_LATE, STR("nothing to answer to"));
    } else {
        s->receipt->kind = SENT; /* there is no message to replace or erase */
    }
}

/* Known for a while: somebody who changes one setting often changes another. */
static void asked(const struct tg_sending *s, struct str body)
{
    struct telegram *t = s->t;
    struct json tree = json_open(body, JSON_LOOSE);
    struct str status = tg_raw(json_at(tree, "result"), "status");
    struct known_admin *k = &t->admin[t->admin_next];
    s->receipt->kind = SENT;
    s->receipt->admin = str_is(status, STR("administrator")) || str_is(status, STR("creator"));
    *k = (struct known_admin){s->plan.to.chat, 0, t->now + ADMIN_MS, s->receipt->admin};
    if (str_int(s->out->to, &k->person))
        t->admin_next = (t->admin_next + 1) % KNOWN_ADMINS;
    json_free(tree);
}

static void done(const struct tg_sending *s, struct str body)
{
    enum send_action action = s->plan.action;
    if (action == SEND_ASK)
        asked(s, body);
    else if (action == SEND_ERASE_PICTURE)
        more(s, STR("erased"), STR(""));
    else if (action == SEND_CLEAR)
        more(s, STR("anew"), STR(""));
    else if (action == SEND_RETRACT)
        never(s, NEVER_UNREACHABLE, STR("everybody saw it, so it was deleted"));
    else if (action == SEND_ARTICLES || action == SEND_INLINE_EDIT || action == SEND_CLOSE)
        s->receipt->kind = SENT;
    else if (action == SEND_EDIT && !number_in(body, "message_id"))
        edited(s);
    else
        sent(s, body);
}

void tg_receipt(void *account, struct arena *a, const struct outgoing *out,
                const struct reply *reply, struct receipt *ret)
{
    struct telegram *t = account;
    struct refusal no;
    struct tg_sending s = tg_plan(t, a, out);
    enum send_action action = s.plan.action;
    bool called = reply->status != 0 || reply->cut;
    *ret = (struct receipt){.kind = LATER};
    s.receipt = ret;
    t->now = reply->now;
    t->probing &= action != SEND_PROBE;
    if (action == SEND_NOTHING || action == SEND_LATER || action == SEND_NOT_HIDDEN) {
        not_asked(&s);
    } else if (action == SEND_TYPING) { /* whatever the answer: it is not worth another call */
        ret->kind = SENT;
    } else if (!called && tg_closed(&s)) {
        never(&s, NEVER_UNREACHABLE, STR("refused lately"));
    } else if (tg_refusal_read(a, reply, &no)) {
        done(&s, reply->body);
    } else if (no.code == 429) {
        ret->wait_ms =
            no.retry_ms > 0 ? no.retry_ms : 0; /* without a time ours, longer each time */
        ret->all_chats = out->kind == OUT_ANSWER && no.retry_ms > 0;
        ret->limited = true;
        ret->note = no.why;
    } else if (tg_refusal_is_transient(&no)) {
        ret->note = no.code ? no.why : reply->why.n > 0 ? reply->why : STR("no answer");
    } else if ((action == SEND_ERASE_PICTURE || action == SEND_CLEAR) && no.code != 401) {
        more(&s, action == SEND_CLEAR ? STR("anew") : STR("erased"),
             no.why); /* gone, or it stays */
    } else if (no.code == 401) {
        ret->all_chats = true;
        ret->wait_ms = 60000;
        ret->note = no.why;
    } else {
        refused(&s, &no);
    }
    if (ret->kind != SENT && ret->note.n == 0)
        ret->note = arena_print(a, "status %d", reply->status);
}
