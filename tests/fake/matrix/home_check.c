/* Checks of events that a server accepts but clients cannot show. */
#include "home_internal.h"

enum { EVENT_MOST = 65536, POLL_MOST = 20 };

/* The tags that every client must support; clients drop others or show them as source. */
static bool html_is_fine(const char *html)
{
    static const char *const tags[] = {"strong", "em",    "code",    "pre",     "a",
                                       "br",     "table", "details", "summary", "tr",
                                       "td",     "th",    "p",       "b",       "i"};
    for (const char *p = strchr(html, '<'); p; p = strchr(p + 1, '<')) {
        const char *name = p + 1 + (p[1] == '/');
        size_t n = strcspn(name, " >/");
        bool known = false;
        for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
            known |= strlen(tags[i]) == n && strncmp(tags[i], name, n) == 0;
        if (!known)
            return false;
    }
    return true;
}

/* An uploaded picture, whose space clients reserve by the stated size, or an uploaded record. */
static void judge_upload(struct mx_call *c, const cJSON *content, bool picture)
{
    const char *url = js_text(content, "url"), *kind = js_text(content, "info/mimetype");
    bool sized = js_number(content, "info/size") > 0;
    if (!home_names_media(c->h, url))
        home_problem(c->h, "a %s without an address: %s", picture ? "picture" : "file", url);
    c->h->count.pictures += picture;
    if (picture && (strcmp(kind, "image/png") != 0 || js_number(content, "info/w") <= 0 ||
                    js_number(content, "info/h") <= 0 || !sized))
        home_problem(c->h, "a picture that does not say how large it is");
    if (!picture && (!strstr(js_text(content, "filename"), ".koikoi") || !*kind || !sized))
        home_problem(c->h, "a file without its name, kind or size");
}

static void judge_message(struct mx_call *c, const cJSON *content)
{
    const char *kind = js_text(content, "msgtype"), *html = js_text(content, "formatted_body");
    const cJSON *newer = js_at(content, "m.new_content"), *id;
    bool picture = strcmp(kind, "m.image") == 0, file = strcmp(kind, "m.file") == 0;
    if (!picture && !file && strcmp(kind, "m.text") != 0 && strcmp(kind, "m.notice") != 0)
        home_problem(c->h, "a message of the type \"%s\"", kind);
    if (picture || file)
        judge_upload(c, newer ? newer : content, picture);
    if (!*js_text(content, "body"))
        home_problem(c->h, "a message without a body");
    if (*html && strcmp(js_text(content, "format"), "org.matrix.custom.html") != 0)
        home_problem(c->h, "formatted_body without its format");
    if (!html_is_fine(html))
        home_problem(c->h, "a tag that clients do not show: %.200s", html);
    if (!cJSON_IsObject(js_at(content, "m.mentions")))
        home_problem(c->h, "a message that does not say whom it mentions");
    cJSON_ArrayForEach(id, js_at(content, "m.mentions/user_ids"))
    {
        if (!home_find_user(c->h, js_text(id, "")))
            home_problem(c->h, "nobody can be mentioned as %s", js_text(id, ""));
    }
}

/* The event it refers to must be in the same room. An edit must be of an original event by the same
 * sender. */
static void judge_relation(struct mx_call *c, const struct mx_room *room, const cJSON *content)
{
    static const char *const paths[] = {"m.relates_to/event_id",
                                        "m.relates_to/m.in_reply_to/event_id"};
    bool edit = strcmp(js_text(content, "m.relates_to/rel_type"), "m.replace") == 0;
    for (int i = 0; i < 2; i++) {
        const char *id = js_text(content, paths[i]);
        int at = *id ? home_number(c->h, id) : -1;
        const struct mx_event *e = at >= 0 ? &c->h->event[at] : NULL;
        if (*id && (!e || e->room != room))
            home_problem(c->h, "it refers to what is not in the room: %s", id);
        if (i == 0 && e && edit &&
            (strcmp(e->sender, c->token->user->id) != 0 || e->redacted ||
             strcmp(js_text(e->content, "m.relates_to/rel_type"), "m.replace") == 0))
            home_problem(c->h, "an edit of what cannot be edited");
    }
    if (edit != cJSON_IsObject(js_at(content, "m.new_content")))
        home_problem(c->h, "an edit and its new content belong together");
    if (edit)
        judge_message(c, js_at(content, "m.new_content"));
}

static void judge_poll(struct mx_call *c, const cJSON *content)
{
    const cJSON *poll = js_at(content, "org.matrix.msc3381.poll.start"), *one, *other;
    const cJSON *answers = js_at(poll, "answers");
    int n = cJSON_GetArraySize(answers);
    if (n < 1 || n > POLL_MOST)
        home_problem(c->h, "a poll of %d answers", n);
    if (!*js_text(poll, "question/org.matrix.msc1767.text") ||
        !*js_text(content, "org.matrix.msc1767.text"))
        home_problem(c->h, "a poll that says nothing");
    cJSON_ArrayForEach(one, answers)
    {
        if (!*js_text(one, "id") || !*js_text(one, "org.matrix.msc1767.text"))
            home_problem(c->h, "an answer of a poll that says nothing");
        for (other = one->next; other; other = other->next)
            if (strcmp(js_text(one, "id"), js_text(other, "id")) == 0)
                home_problem(c->h, "two answers of a poll with one id");
    }
}

void check_content(struct mx_call *c, struct mx_room *room, const char *type, const cJSON *content)
{
    if (c->asked->n > EVENT_MOST)
        home_problem(c->h, "an event of %zu bytes", c->asked->n);
    judge_relation(c, room, content);
    if (strcmp(type, "m.room.message") == 0)
        judge_message(c, content);
    else if (strcmp(type, "org.matrix.msc3381.poll.start") == 0)
        judge_poll(c, content);
    else if (strcmp(type, "m.room.redaction") != 0)
        home_problem(c->h, "nobody expects an event of the type %s", type);
}
