/* Inline and guest mode: see api.h. An inline query can be answered for 30 s, a guest query once. */
#include "api.h"

#define SECOND 1000000000LL
enum { MAX_RESULTS = 50 };

bool inline_feedback = true;

struct query {
    int64_t person, at;
    struct tg_chat *chat;
    const char *words;
    bool guest, answered;
    cJSON *results;
};

static struct query *queries;
static int64_t n_queries, n_said;

static int64_t query_new(struct tg_chat *c, int64_t person, const char *words, bool guest)
{
    queries = must(realloc(queries, (size_t)(n_queries + 1) * sizeof *queries));
    queries[n_queries] = (struct query){.person = person,
                                        .at = serve_now(),
                                        .chat = c,
                                        .words = must(strdup(words)),
                                        .guest = guest};
    return n_queries++;
}

static struct query *query_named(const char *id, const char *kind, bool guest)
{
    size_t n = strlen(kind);
    char *end;
    if (!id || strncmp(id, kind, n) != 0)
        return NULL;
    int64_t at = strtoll(id + n, &end, 10);
    return *end || at < 0 || at >= n_queries || queries[at].guest != guest ? NULL : &queries[at];
}

/* ---- actions of people ---- */

void inline_ask(struct tg_chat *c, int64_t person, const char *words)
{
    struct text_buffer t = {0};
    js_put(&t, "{'id':'query%lld','query':%s,'offset':'','chat_type':%s,'from':",
           (long long)query_new(c, person, words, false), words, chat_kinds[c->kind]);
    person_json(&t, world_person(person));
    txt_put(&t, "}");
    updates_push("inline_query", 0, t);
}

/* A message of this person; the caller closes the object. */
static struct text_buffer message_of(int64_t person, struct tg_chat *c, int64_t id,
                                     const char *words)
{
    struct text_buffer t = {0};
    js_put(&t, "{'message_id':%lld,'date':%lld,'text':%s,'chat':", (long long)id,
           (long long)time(NULL), words);
    chat_json(&t, c);
    txt_put(&t, ",\"from\":");
    person_json(&t, world_person(person));
    return t;
}

void inline_mention(struct tg_chat *c, int64_t person, const char *words)
{
    struct text_buffer t = message_of(person, c, world_message_id(c), words);
    js_put(&t, ",'guest_query_id':'guest%lld'}", (long long)query_new(c, person, words, true));
    updates_push("guest_message", 0, t);
}

static struct tg_message *said(struct tg_chat *c, const cJSON *result)
{
    struct text_buffer words = {0}, entities = {0}, id = {0};
    const cJSON *markup = js_at(result, "reply_markup");
    html_read(js_text(result, "input_message_content/message_text"), &words, &entities);
    txt_print(&id, "inline%lld", (long long)++n_said);
    struct tg_message m = {.id = world_message_id(c),
                           .text = words.p,
                           .entities = entities.p,
                           .markup = markup ? cJSON_Duplicate(markup, 1) : NULL,
                           .inlined = id.p};
    return world_say(c, m);
}

/* If the bot is a member of the chat, it also receives the message sent by way of it. */
static void tell_members(struct tg_chat *c, int64_t person, const struct tg_message *m)
{
    if (c->bot == BOT_LEFT || c->bot == BOT_KICKED)
        return;
    struct text_buffer t = message_of(person, c, m->id, m->text);
    txt_put(&t, ",\"via_bot\":");
    bot_json(&t, false);
    txt_put(&t, "}");
    updates_push("message", 0, t);
}

static void tell_chosen(const struct query *q, const char *result, const struct tg_message *m)
{
    struct text_buffer t = {0};
    js_put(&t, "{'result_id':%s,'query':%s,", result, q->words);
    if (m->markup)
        js_put(&t, "'inline_message_id':%s,", m->inlined);
    txt_put(&t, "\"from\":");
    person_json(&t, world_person(q->person));
    txt_put(&t, "}");
    updates_push("chosen_inline_result", 0, t);
}

bool inline_say(struct tg_chat *c, int64_t person, bool (*passes)(const void *, const char *title),
                const void *with)
{
    const struct query *q = NULL;
    const cJSON *one;
    for (int64_t i = n_queries; i-- > 0 && !q;)
        if (queries[i].person == person && !queries[i].guest)
            q = &queries[i];
    const cJSON *results = q ? q->results : NULL;
    cJSON_ArrayForEach(one, results)
    {
        if (!passes(with, js_text(one, "title")))
            continue;
        struct tg_message *m = said(c, one);
        if (inline_feedback)
            tell_chosen(q, js_text(one, "id"), m);
        tell_members(c, person, m);
        return true;
    }
    return false;
}

/* ---- answers of the bot ---- */

static const char *result_fault(const cJSON *one)
{
    const char *id = js_text(one, "id");
    const char *words = js_text(one, "input_message_content/message_text");
    const cJSON *markup = js_at(one, "reply_markup");
    struct text_buffer t = {0}, entities = {0};
    if (strcmp(js_text(one, "type"), "article") != 0)
        return "unsupported inline query result";
    if (!*id || strlen(id) > 64)
        return "RESULT_ID_INVALID";
    if (!*js_text(one, "title"))
        return "ARTICLE_TITLE_EMPTY";
    if (!*words)
        return "MESSAGE_EMPTY";
    const char *fault = html_read(words, &t, &entities);
    if (!fault && utf16_length(t.p, t.n) > 4096)
        fault = "MESSAGE_TOO_LONG";
    txt_free(&t);
    txt_free(&entities);
    return fault ? fault : markup ? send_markup_fault(markup) : NULL;
}

static const char *results_fault(const cJSON *results)
{
    const cJSON *one, *other;
    if (!cJSON_IsArray(results))
        return "can't parse inline query results";
    if (cJSON_GetArraySize(results) > MAX_RESULTS)
        return "RESULTS_TOO_MUCH";
    cJSON_ArrayForEach(one, results)
    {
        const char *fault = result_fault(one);
        if (fault)
            return fault;
        for (other = one->next; other; other = other->next)
            if (strcmp(js_text(one, "id"), js_text(other, "id")) == 0)
                return "RESULT_ID_DUPLICATE";
    }
    return NULL;
}

const char *inline_answer(struct tg_call *c)
{
    bool bad;
    const cJSON *results = param_json(c->p, "results", &bad);
    struct query *q = query_named(param_text(c->p, "inline_query_id"), "query", false);
    const char *fault = !q || serve_now() - q->at > 30 * SECOND
                            ? "query is too old and response timeout expired or query ID is invalid"
                            : results_fault(results);
    if (api_fails(c, fault))
        return fault;
    cJSON_Delete(q->results);
    q->results = cJSON_Duplicate(results, 1);
    q->answered = true;
    api_said(q->chat, NULL, "");
    return NULL;
}

const char *inline_answer_guest(struct tg_call *c)
{
    bool bad;
    const cJSON *result = param_json(c->p, "result", &bad);
    struct query *q = query_named(param_text(c->p, "guest_query_id"), "guest", true);
    const char *fault = !q || q->answered ? "GUEST_QUERY_ID_INVALID" : result_fault(result);
    if (api_fails(c, fault))
        return fault;
    q->answered = true;
    struct tg_message *m = said(q->chat, result);
    struct text_buffer t = {0};
    js_put(&t, "{'inline_message_id':%s}", m->inlined);
    api_ok(c, t);
    api_said(q->chat, m, m->text);
    return NULL;
}
