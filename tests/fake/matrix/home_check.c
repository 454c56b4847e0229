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

static bool has_number(const cJSON *o, const char *name)
{
    const cJSON *n = cJSON_GetObjectItemCaseSensitive(o, name);
    return cJSON_IsNumber(n) && n->valuedouble > 0;
}

/* An uploaded picture; clients reserve its space by the stated size. */
static void judge_picture(struct mx_call *c, const cJSON *content)
{
    const cJSON *info = cJSON_GetObjectItemCaseSensitive(content, "info");
    bool known = false;
    for (int i = 0; i < MOST_UPLOADS && c->h->upload[i].mxc; i++)
        known |= strcmp(c->h->upload[i].mxc, home_text(content, "url")) == 0;
    if (!known)
        home_problem(c->h, "a picture that was not uploaded: %s", home_text(content, "url"));
    if (strcmp(home_text(info, "mimetype"), "image/png") != 0 || !has_number(info, "w") ||
        !has_number(info, "h") || !has_number(info, "size"))
        home_problem(c->h, "a picture that does not say how large it is");
    c->h->count.pictures++;
}

/* An uploaded record. */
static void judge_file(struct mx_call *c, const cJSON *content)
{
    const cJSON *info = cJSON_GetObjectItemCaseSensitive(content, "info");
    const char *name = home_text(content, "filename");
    bool known = false;
    for (int i = 0; i < MOST_UPLOADS && c->h->upload[i].mxc; i++)
        known |= strcmp(c->h->upload[i].mxc, home_text(content, "url")) == 0;
    if (!known)
        home_problem(c->h, "a file that was not uploaded: %s", home_text(content, "url"));
    if (!strstr(name, ".koikoi") || !*home_text(info, "mimetype") || !has_number(info, "size"))
        home_problem(c->h, "a file without its name, kind or size");
}

static void judge_message(struct mx_call *c, const cJSON *content)
{
    const char *kind = home_text(content, "msgtype"), *html = home_text(content, "formatted_body");
    const cJSON *id;
    if (strcmp(kind, "m.text") != 0 && strcmp(kind, "m.notice") != 0 &&
        strcmp(kind, "m.image") != 0 && strcmp(kind, "m.file") != 0)
        home_problem(c->h, "a message of the type \"%s\"", kind);
    const cJSON *newer = cJSON_GetObjectItemCaseSensitive(content, "m.new_content");
    if (strcmp(kind, "m.file") == 0)
        judge_file(c, newer ? newer : content);
    if (strcmp(kind, "m.image") == 0)
        judge_picture(c, newer ? newer : content);
    if (!*home_text(content, "body"))
        home_problem(c->h, "a message without a body");
    if (*html && strcmp(home_text(content, "format"), "org.matrix.custom.html") != 0)
        home_problem(c->h, "formatted_body without its format");
    if (!html_is_fine(html))
        home_problem(c->h, "a tag that clients do not show: %.200s", html);
    const cJSON *mentions = cJSON_GetObjectItemCaseSensitive(content, "m.mentions");
    if (!cJSON_IsObject(mentions))
        home_problem(c->h, "a message that does not say whom it mentions");
    cJSON_ArrayForEach(id, cJSON_GetObjectItemCaseSensitive(
                               mentions, "user_ids")) if (!cJSON_IsString(id) ||
                                                          !home_find_user(c->h, id->valuestring))
        home_problem(c->h, "nobody can be mentioned as %s",
                     cJSON_IsString(id) ? id->valuestring : "?");
}

/* The event it refers to must be in the same room. An edit must be of an original event by the same
 * sender. */
static void judge_relation(struct mx_call *c, const struct mx_room *room, const cJSON *content)
{
    const cJSON *relation = cJSON_GetObjectItemCaseSensitive(content, "m.relates_to");
    const cJSON *answered = cJSON_GetObjectItemCaseSensitive(relation, "m.in_reply_to");
    bool edit = strcmp(home_text(relation, "rel_type"), "m.replace") == 0;
    const char *ids[] = {home_text(relation, "event_id"), home_text(answered, "event_id")};
    for (int i = 0; i < 2; i++) {
        int at = *ids[i] ? home_number(c->h, ids[i]) : -1;
        const struct mx_event *e = at >= 0 ? &c->h->event[at] : NULL;
        if (*ids[i] && (!e || e->room != room))
            home_problem(c->h, "it refers to what is not in the room: %s", ids[i]);
        const cJSON *own = e ? cJSON_GetObjectItemCaseSensitive(e->content, "m.relates_to") : NULL;
        if (i == 0 && e && edit &&
            (strcmp(e->sender, c->token->user->id) != 0 || e->redacted ||
             strcmp(home_text(own, "rel_type"), "m.replace") == 0))
            home_problem(c->h, "an edit of what cannot be edited");
    }
    const cJSON *now = cJSON_GetObjectItemCaseSensitive(content, "m.new_content");
    if (edit != cJSON_IsObject(now))
        home_problem(c->h, "an edit and its new content belong together");
    if (edit)
        judge_message(c, now);
}

static void judge_poll(struct mx_call *c, const cJSON *content)
{
    const cJSON *poll = cJSON_GetObjectItemCaseSensitive(content, "org.matrix.msc3381.poll.start");
    const cJSON *answers = cJSON_GetObjectItemCaseSensitive(poll, "answers"), *one, *other;
    int n = cJSON_GetArraySize(answers);
    if (n < 1 || n > POLL_MOST)
        home_problem(c->h, "a poll of %d answers", n);
    if (!*home_text(cJSON_GetObjectItemCaseSensitive(poll, "question"),
                    "org.matrix.msc1767.text") ||
        !*home_text(content, "org.matrix.msc1767.text"))
        home_problem(c->h, "a poll that says nothing");
    cJSON_ArrayForEach(one, answers)
    {
        if (!*home_text(one, "id") || !*home_text(one, "org.matrix.msc1767.text"))
            home_problem(c->h, "an answer of a poll that says nothing");
        for (other = one->next; other; other = other->next)
            if (strcmp(home_text(one, "id"), home_text(other, "id")) == 0)
                home_problem(c->h, "two answers of a poll with one id");
    }
}

/* It ends a poll of the same sender, which has not ended yet. */
static void judge_poll_end(struct mx_call *c, const cJSON *content)
{
    const cJSON *relation = cJSON_GetObjectItemCaseSensitive(content, "m.relates_to");
    const char *id = home_text(relation, "event_id");
    int at = home_number(c->h, id);
    const struct mx_event *e = at >= 0 ? &c->h->event[at] : NULL;
    if (strcmp(home_text(relation, "rel_type"), "m.reference") != 0 || !e ||
        strcmp(e->type, "org.matrix.msc3381.poll.start") != 0 ||
        strcmp(e->sender, c->token->user->id) != 0)
        home_problem(c->h, "the end of what is no poll of its sender: %s", id);
    if (!*home_text(content, "org.matrix.msc1767.text"))
        home_problem(c->h, "the end of a poll that says nothing");
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
    else if (strcmp(type, "org.matrix.msc3381.poll.end") == 0)
        judge_poll_end(c, content);
    else if (strcmp(type, "m.room.redaction") != 0)
        home_problem(c->h, "nobody expects an event of the type %s", type);
}
