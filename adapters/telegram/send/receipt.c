/* What became of a call: their answer -> SENT, MORE, LATER or NEVER. The words are Telegram's; only
 * their stable beginnings are looked at. Codes: 429 is a pause, 5xx, 421 (another server holds the
 * bot) and silence are weather, 403 is a closed door, 400 is a matter of its words. Where the
 * status is 200 although the answer is a refusal, its own code counts. A 200 whose body broke off
 * was done all the same: saying it again would say it twice. */
#include "say.h"

/* {"ok":true, whatever comes behind it. */
static bool begins_well(struct str body)
{
    enum { FIRST = 12 };
    size_t i = tg_json_value(body, "ok", 0);
    return i < FIRST && str_starts(str_skip(body, i), STR("true"));
}

bool tg_refusal_read(struct arena *a, const struct reply *reply, struct refusal *ret)
{
    *ret = (struct refusal){.code = reply->status, .why = STR(""), .retry_ms = -1};
    bool ok = reply->status == 200 && begins_well(reply->body);
    if (ok)
        return true;
    cJSON *tree = reply->body.n > 0 ? cJSON_ParseWithLength(reply->body.p, reply->body.n) : NULL;
    const cJSON *more = tg_json_get(tree, "parameters");
    ok = reply->status / 100 == 2 && tg_json_true(tree, "ok");
    if (cJSON_IsObject(tree)) {
        ret->api = true;
        if (reply->status / 100 == 2 && tg_json_int(tree, "error_code") >= 400)
            ret->code = (int)(tg_json_int(tree, "error_code") % 1000);
        ret->why = tg_json_text(a, tree, "description");
        ret->moved_to = tg_json_int(more, "migrate_to_chat_id");
        if (tg_json_get(more, "retry_after"))
            ret->retry_ms = tg_json_int(more, "retry_after") * 1000;
    }
    cJSON_Delete(tree);
    if (reply->retry_after_ms > ret->retry_ms)
        ret->retry_ms = reply->retry_after_ms;
    return ok;
}

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

/* The number of that name in a body that may have broken off; 0 if it is not there. */
static int64_t number_in(struct str body, const char *name)
{
    int64_t n = 0;
    for (size_t i = tg_json_value(body, name, 0);
         i < body.n && body.p[i] >= '0' && body.p[i] <= '9' && n < 1000000000000; i++)
        n = n * 10 + (body.p[i] - '0');
    return n;
}

static bool is_picture(struct str body)
{
    for (size_t i = 0; (i = tg_json_value(body, "photo", i)) < body.n;)
        if (body.p[i] == '[')
            return true;
    return false;
}

/* The largest picture's id: the same bytes need not be sent again. */
static struct str file_id(struct arena *a, struct str body)
{
    cJSON *tree = cJSON_ParseWithLength(body.p, body.n);
    const cJSON *sizes = tg_json_get(tg_json_get(tree, "result"), "photo");
    int n = cJSON_GetArraySize(sizes);
    struct str id = n > 0 ? tg_json_text(a, cJSON_GetArrayItem(sizes, n - 1), "file_id") : STR("");
    cJSON_Delete(tree);
    return id;
}

static void sent(struct telegram *t, struct arena *a, const struct outgoing *out, struct step step,
                 struct str body, struct receipt *ret)
{
    int64_t hidden = number_in(body, "ephemeral_message_id");
    int64_t seen = number_in(body, "message_id"), id = hidden ? hidden : seen;
    if (step.hidden && !hidden && seen) {
        tg_seen_by_all(t, a, out, seen, ret);
        return;
    }
    if (step.saying == SAYING_TRY) {
        tg_tried(t, a, out, hidden, ret);
        return;
    }
    bool picture = is_picture(body);
    ret->kind = SENT;
    if (out->kind != OUT_POST)
        return;
    ret->post = id ? tg_post_write(a, (struct post){id, hidden != 0, picture}) : out->post;
    if (picture)
        ret->picture_file = file_id(a, body);
    if (out->where == TO_DIRECT)
        ret->direct_chat = out->direct_chat.n > 0 ? out->direct_chat : out->to;
}

/* An edit of a hidden message answers `true`: the post is what it was edited to be. */
static void edited(struct arena *a, const struct outgoing *out, struct post post,
                   struct receipt *ret)
{
    ret->kind = SENT;
    if (out->kind == OUT_POST && post.id)
        ret->post = tg_post_write(a, post);
}

static void never(struct receipt *ret, enum never_why why, struct str note)
{
    ret->kind = NEVER;
    ret->why = why;
    ret->note = note;
}

void tg_more(struct arena *a, const struct outgoing *out, struct str word, struct str note,
             struct receipt *ret)
{
    struct str so_far = out->progress;
    ret->kind = MORE;
    ret->progress =
        so_far.n == 0 ? word : arena_print(a, "%.*s %.*s", STR_ARG(so_far), STR_ARG(word));
    ret->note = note;
}

static const char *const not_there[] = {
    "message to edit not found",      "message can't be edited",           "MESSAGE_ID_INVALID",
    "no text in the message to edit", "no caption in the message to edit", NULL};
static const char *const already_gone[] = {"message to delete not found",
                                           "message can't be deleted", "MESSAGE_ID_INVALID", NULL};
static const char *const too_late[] = {"query is too old", "QUERY_ID_INVALID",
                                       "query ID is invalid", NULL};
static const char *const closed_door[] = {"chat not found",
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

/* A part of it was refused: what to leave out next; false if nothing is left to leave out. A server
 * that knows fewer calls than we (404) may still know the one for texts. */
static bool leave_out(struct arena *a, const struct outgoing *out, const struct refusal *no,
                      struct receipt *ret)
{
    struct way w = tg_way(out->progress);
    bool pictured = out->picture_bytes.n > 0 || out->picture_file.n > 0;
    if (says(no->why, "can't parse entities") && !w.plain) {
        tg_more(a, out, STR("plain"), no->why, ret);
        return true;
    }
    if (!pictured || w.no_picture ||
        (no->code != 413 && no->code != 404 && !says_one(no->why, bad_picture)))
        return false;
    ret->picture_refused = out->picture_file.n > 0 && !w.no_file && no->code != 404;
    tg_more(a, out, ret->picture_refused ? STR("bytes") : STR("text"), no->why, ret);
    return true;
}

static void refused(struct arena *a, const struct outgoing *out, struct step step,
                    const struct refusal *no, struct receipt *ret)
{
    bool hidden = out->where == TO_WHISPER || out->kind == OUT_ANSWER;
    if (no->moved_to) {
        never(ret, NEVER_MOVED, no->why);
        ret->chat = arena_print(a, "%lld", (long long)no->moved_to);
    } else if (says(no->why, "message is not modified")) {
        edited(a, out, step.post, ret);
    } else if (step.saying == SAYING_TAKE_BACK) {
        never(ret, NEVER_UNREACHABLE, no->why);
    } else if (out->kind == OUT_ERASE && says_one(no->why, already_gone)) {
        ret->kind = SENT;
    } else if (says_one(no->why, not_there) && tg_way(out->progress).filling) {
        ret->kind = MORE; /* what went ahead is gone: it is said at once */
        ret->note = no->why;
    } else if (says_one(no->why, not_there)) { /* where we are not, nothing can be said anew */
        never(ret, tg_one_post(out->chat).n > 0 ? NEVER_UNREACHABLE : NEVER_GONE, no->why);
    } else if (says_one(no->why, too_late)) {
        never(ret, out->kind == OUT_ANSWER ? NEVER_LATE : NEVER_UNREACHABLE, no->why);
    } else if (no->code != 403 && leave_out(a, out, no, ret)) {
        ; /* once more, without that part */
    } else if (no->code == 403 || says_one(no->why, closed_door)) {
        never(ret, NEVER_UNREACHABLE, no->why);
    } else {
        never(ret, hidden ? NEVER_UNREACHABLE : NEVER_OTHER, no->why);
    }
}

/* Nothing was asked of the network: why that was. */
static void not_asked(const struct telegram *t, const struct outgoing *out, enum saying saying,
                      struct receipt *ret)
{
    if (saying == SAYING_LATER) {
        ret->kind = LATER;
        ret->wait_ms = t->trying ? 50 : 500;
        ret->note = t->trying ? STR("it is not known yet whether a message can be hidden")
                              : STR("our own name is not known yet");
    } else if (saying == SAYING_UNHIDDEN) {
        never(ret, NEVER_UNREACHABLE, STR("this server does not know hidden messages"));
    } else if (out->where == TO_WHISPER && out->chat.n > 0 && out->chat.p[0] == 'i') {
        never(ret, NEVER_UNREACHABLE, STR("nobody can be whispered to there"));
    } else if (out->kind == OUT_ANSWER) {
        never(ret, NEVER_LATE, STR("nothing to answer to"));
    } else {
        ret->kind = SENT; /* nothing stands that could be replaced or erased */
    }
}

static void done(struct telegram *t, struct arena *a, const struct outgoing *out, struct step step,
                 struct str body, struct receipt *ret)
{
    enum saying saying = step.saying;
    if (saying == SAYING_ROOM)
        tg_more(a, out, STR("erased"), STR(""), ret);
    else if (saying == SAYING_TAKE_BACK)
        never(ret, NEVER_UNREACHABLE, STR("it could not be hidden, and was taken back"));
    else if (saying == SAYING_ARTICLES || saying == SAYING_ONE_POST)
        ret->kind = SENT;
    else if (saying == SAYING_EDIT && !number_in(body, "message_id"))
        edited(a, out, step.post, ret);
    else
        sent(t, a, out, step, body, ret);
}

/* It was not Telegram that said no, or it may say yes the next time. Gates in between (a proxy, a
 * page to log in) refuse and send elsewhere in words of their own. */
static bool is_weather(const struct refusal *no)
{
    bool gate = no->code / 100 == 3 || no->code == 403 || no->code == 407 || no->code == 408;
    return no->code / 100 < 3 || no->code == 421 || no->code >= 500 || (gate && !no->api);
}

void tg_verdict(struct telegram *t, struct arena *a, const struct outgoing *out,
                const struct reply *reply, struct receipt *ret)
{
    struct refusal no;
    struct step step = tg_step(t, out);
    enum saying saying = step.saying;
    *ret = (struct receipt){.kind = LATER};
    t->trying &= saying != SAYING_TRY;
    if (saying == SAYING_NOTHING || saying == SAYING_LATER || saying == SAYING_UNHIDDEN) {
        not_asked(t, out, saying, ret);
    } else if (tg_refusal_read(a, reply, &no)) {
        done(t, a, out, step, reply->body, ret);
    } else if (no.code == 429) {
        ret->wait_ms = no.retry_ms > 0 ? no.retry_ms : 1000;
        ret->all_chats = out->kind == OUT_ANSWER;
        ret->note = no.why;
    } else if (is_weather(&no)) {
        ret->note = no.code ? no.why : STR("no answer");
    } else if (saying == SAYING_ROOM && says_one(no.why, already_gone)) {
        tg_more(a, out, STR("erased"), no.why, ret);
    } else if (no.code == 401) {
        ret->all_chats = true;
        ret->wait_ms = 60000;
        ret->note = no.why;
    } else {
        refused(a, out, step, &no, ret);
    }
    if (ret->kind != SENT && ret->note.n == 0)
        ret->note = arena_print(a, "status %d", reply->status);
}
