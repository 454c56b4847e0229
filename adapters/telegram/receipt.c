/* The answers of a send: a reply -> SENT, MORE, LATER or NEVER. The descriptions are Telegram's;
 * only their stable parts are compared. 429 is a pause; 5xx, 421 and silence are transient; 403 is
 * a closed chat; 400 depends on its description. */
#include "send.h"

static bool says(struct str why, const char *words)
{
    return why.n > 0 && memmem(why.p, why.n, words, strlen(words)) != NULL;
}

static bool says_one(struct str why, const char *const *words)
{
    for (; *words; words++)
        if (says(why, *words))
            return true;
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

static void sent(struct telegram *t, struct arena *a, const struct outgoing *out,
                 struct send_plan plan, struct str body, struct receipt *ret)
{
    int64_t hidden = number_in(body, "ephemeral_message_id");
    int64_t seen = number_in(body, "message_id"), id = hidden ? hidden : seen;
    if (plan.hidden && !hidden && seen) {
        tg_ephemeral_exposed(t, a, out, seen, ret);
        return;
    }
    if (plan.action == SEND_PROBE) {
        tg_ephemeral_probed(t, a, out, hidden, ret);
        return;
    }
    bool picture = is_picture(body);
    ret->kind = SENT;
    if (out->kind != OUT_POST)
        return;
    ret->post = id ? tg_ids_print_post(a, (struct post){id, hidden != 0, picture}) : out->post;
    if (picture)
        ret->picture_file = file_id(a, body);
    if (out->where == TO_DIRECT)
        ret->direct_chat = out->direct_chat.n > 0 ? out->direct_chat : out->to;
}

/* The answer to the edit of an ephemeral message is `true`: the post keeps its id. */
static void edited(struct arena *a, const struct outgoing *out, struct post post,
                   struct receipt *ret)
{
    ret->kind = SENT;
    if (out->kind == OUT_POST && post.id)
        ret->post = tg_ids_print_post(a, post);
}

static void never(struct receipt *ret, enum never_why why, struct str note)
{
    ret->kind = NEVER;
    ret->why = why;
    ret->note = note;
}

static const char *const post_missing[] = {
    "message to edit not found",      "message can't be edited",           "MESSAGE_ID_INVALID",
    "no text in the message to edit", "no caption in the message to edit", NULL};
static const char *const post_deleted[] = {"message to delete not found",
                                           "message can't be deleted", "MESSAGE_ID_INVALID", NULL};
static const char *const query_expired[] = {"query is too old", "QUERY_ID_INVALID",
                                            "query ID is invalid", NULL};
static const char *const chat_closed[] = {"chat not found",
                                          "BOT_NOT_ADMIN",
                                          "USER_ID_INVALID",
                                          "PEER_ID_INVALID",
                                          "not enough rights",
                                          "have no rights",
                                          "CHAT_WRITE_FORBIDDEN",
                                          "TOPIC_CLOSED",
                                          "message thread not found",
                                          "user not found",
                                          "CHAT_RESTRICTED",
                                          "CHAT_SEND_PLAIN_FORBIDDEN",
                                          NULL};
static const char *const bad_picture[] = {"wrong file identifier",
                                          "wrong file_id",
                                          "wrong remote file",
                                          "file is too big",
                                          "file must be non-empty",
                                          "FILE_",
                                          "PHOTO_",
                                          "IMAGE_PROCESS_FAILED",
                                          "failed to get HTTP URL content",
                                          "WEBPAGE_",
                                          "no photo in the request",
                                          "message caption is too long",
                                          "CHAT_SEND_PHOTOS_FORBIDDEN",
                                          "not enough rights to send photos",
                                          "MEDIA_",
                                          NULL};

/* The network refused a part of the message: says which to leave out next; false if nothing is left
 * to leave out. A server that lacks a call (404) may still have the one for texts. */
static bool leave_out(struct arena *a, const struct outgoing *out, const struct refusal *no,
                      struct receipt *ret)
{
    struct send_progress w = tg_progress_read(out->progress);
    bool pictured = out->picture_bytes.n > 0 || out->picture_file.n > 0;
    if (says(no->why, "can't parse entities") && !w.plain) {
        tg_progress_more(a, out, STR("plain"), no->why, ret);
        return true;
    }
    if (!pictured || w.no_picture ||
        (no->code != 413 && no->code != 404 && !says_one(no->why, bad_picture)))
        return false;
    ret->picture_refused = out->picture_file.n > 0 && !w.no_file && no->code != 404;
    tg_progress_more(a, out, ret->picture_refused ? STR("bytes") : STR("text"), no->why, ret);
    return true;
}

static void refused(struct telegram *t, struct arena *a, const struct outgoing *out,
                    struct send_plan plan, const struct refusal *no, struct receipt *ret)
{
    bool hidden = out->where == TO_WHISPER || out->kind == OUT_ANSWER;
    if (plan.action == SEND_CLOSE && !no->moved_to) { /* it stays as it is */
        never(ret, NEVER_OTHER, no->why);
        return;
    }
    if (no->moved_to) {
        never(ret, NEVER_MOVED, no->why);
        ret->chat = arena_print(a, "%lld", (long long)no->moved_to);
    } else if (says(no->why, "message is not modified")) {
        edited(a, out, plan.post, ret);
    } else if (plan.action == SEND_RETRACT) {
        never(ret, NEVER_UNREACHABLE, no->why);
    } else if (out->kind == OUT_ERASE && says_one(no->why, post_deleted)) {
        ret->kind = SENT;
    } else if (says_one(no->why, post_missing) && tg_progress_read(out->progress).hidden_post) {
        ret->kind = MORE; /* the probe is gone: a new message follows */
        ret->note = no->why;
    } else if (says_one(no->why, post_missing)) { /* an inline message cannot be sent anew */
        never(ret, tg_ids_inline_post(out->chat).n > 0 ? NEVER_UNREACHABLE : NEVER_GONE, no->why);
    } else if (says_one(no->why, query_expired)) {
        never(ret, out->kind == OUT_ANSWER ? NEVER_LATE : NEVER_UNREACHABLE, no->why);
    } else if (no->code != 403 && leave_out(a, out, no, ret)) {
        ; /* once more, without that part */
    } else if (tg_progress_read(out->progress).hidden_post) {
        tg_ephemeral_stuck(a, out, no->why, ret);
    } else if (no->code == 403 || says_one(no->why, chat_closed)) {
        tg_closed_add(t, out, &plan);
        never(ret, NEVER_UNREACHABLE, no->why);
    } else {
        never(ret, hidden ? NEVER_UNREACHABLE : NEVER_OTHER, no->why);
    }
}

/* The receipt of a plan without a call. */
static void not_asked(const struct telegram *t, const struct outgoing *out, enum send_action action,
                      struct receipt *ret)
{
    if (action == SEND_LATER) {
        ret->kind = LATER;
        ret->wait_ms = t->probing ? 50 : 500;
        ret->note = t->probing ? STR("the probe for hidden messages is under way")
                               : STR("our own name is not known yet");
    } else if (action == SEND_NOT_HIDDEN) {
        never(ret, NEVER_UNREACHABLE, STR("this server does not know hidden messages"));
    } else if (out->where == TO_WHISPER && out->chat.n > 0 && out->chat.p[0] == 'i') {
        never(ret, NEVER_UNREACHABLE, STR("no ephemeral messages in this chat"));
    } else if (out->kind == OUT_ANSWER) {
        never(ret, NEVER_LATE, STR("nothing to answer to"));
    } else {
        ret->kind = SENT; /* there is no message to replace or erase */
    }
}

static void done(struct telegram *t, struct arena *a, const struct outgoing *out,
                 struct send_plan plan, struct str body, struct receipt *ret)
{
    enum send_action action = plan.action;
    if (action == SEND_ERASE_PICTURE)
        tg_progress_more(a, out, STR("erased"), STR(""), ret);
    else if (action == SEND_CLEAR)
        tg_progress_more(a, out, STR("anew"), STR(""), ret);
    else if (action == SEND_RETRACT)
        never(ret, NEVER_UNREACHABLE, STR("everybody saw it, so it was deleted"));
    else if (action == SEND_ARTICLES || action == SEND_INLINE_EDIT || action == SEND_CLOSE)
        ret->kind = SENT;
    else if (action == SEND_EDIT && !number_in(body, "message_id"))
        edited(a, out, plan.post, ret);
    else
        sent(t, a, out, plan, body, ret);
}

void tg_receipt(void *account, struct arena *a, const struct outgoing *out,
                const struct reply *reply, struct receipt *ret)
{
    struct telegram *t = account;
    struct refusal no;
    struct send_plan plan = tg_plan(t, out);
    enum send_action action = plan.action;
    bool asked = reply->status != 0 || reply->cut;
    *ret = (struct receipt){.kind = LATER};
    t->now = reply->now;
    t->probing &= action != SEND_PROBE;
    if (action == SEND_NOTHING || action == SEND_LATER || action == SEND_NOT_HIDDEN) {
        not_asked(t, out, action, ret);
    } else if (!asked && tg_closed(t, out, &plan)) {
        never(ret, NEVER_UNREACHABLE, STR("refused lately"));
    } else if (tg_refusal_read(a, reply, &no)) {
        done(t, a, out, plan, reply->body, ret);
    } else if (no.code == 429) {
        ret->wait_ms = no.retry_ms > 0 ? no.retry_ms : 1000;
        ret->all_chats = out->kind == OUT_ANSWER;
        ret->limited = true;
        ret->note = no.why;
    } else if (tg_refusal_is_transient(&no)) {
        ret->note = no.code ? no.why : STR("no answer");
    } else if (action == SEND_ERASE_PICTURE && says_one(no.why, post_deleted)) {
        tg_progress_more(a, out, STR("erased"), no.why, ret);
    } else if (action == SEND_CLEAR && no.code != 401) {
        tg_progress_more(a, out, STR("anew"), no.why, ret);
    } else if (no.code == 401) {
        ret->all_chats = true;
        ret->wait_ms = 60000;
        ret->note = no.why;
    } else {
        refused(t, a, out, plan, &no, ret);
    }
    if (ret->kind != SENT && ret->note.n == 0)
        ret->note = arena_print(a, "status %d", reply->status);
}
