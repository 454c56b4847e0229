/* See inline.h. An inline query can be answered for 30 s, a guest query once. */
#include "inline.h"

#include "entities.h"
#include "options.h"
#include "updates.h"

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

static struct query *query_new(struct tg_chat *c, int64_t person, const char *words, bool guest)
{
    if ((n_queries & (n_queries - 1)) == 0)
        queries = must(realloc(queries, (size_t)(n_queries ? n_queries * 2 : 1) * sizeof *queries));
    queries[n_queries] = (struct query){.person = person,
                                        .at = wire_now(),
                                        .chat = c,
                                        .words = must(strdup(words)),
                                        .guest = guest};
    return &queries[n_queries++];
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
    static const char *const kinds[] = {"private", "group", "supergroup"};
    struct text_buffer t = {0};
    query_new(c, person, words, false);
    text_print(&t, "{\"id\":\"query%lld\",\"from\":", (long long)n_queries - 1);
    person_json(&t, world_person(person));
    text_put(&t, ",\"query\":");
    text_json(&t, words);
    text_print(&t, ",\"offset\":\"\",\"chat_type\":\"%s\"}", kinds[c->kind]);
    updates_push("inline_query", 0, t);
}

void inline_mention(struct tg_chat *c, int64_t person, const char *words)
{
    struct text_buffer t = {0};
    query_new(c, person, words, true);
    text_print(&t, "{\"message_id\":%lld,\"from\":", (long long)world_message_id(c));
    person_json(&t, world_person(person));
    text_put(&t, ",\"chat\":");
    chat_json(&t, c);
    text_print(&t,
               ",\"date\":%lld,\"guest_query_id\":\"guest%lld\",\"text\":", (long long)time(NULL),
               (long long)n_queries - 1);
    text_json(&t, words);
    text_put(&t, "}");
    updates_push("guest_message", 0, t);
}

/* If the bot is a member of the chat, it also receives the message sent by way of it. */
static void tell_members(struct tg_chat *c, int64_t person, const struct tg_message *m)
{
    struct text_buffer t = {0};
    if (c->bot == BOT_LEFT || c->bot == BOT_KICKED)
        return;
    text_print(&t, "{\"message_id\":%lld,\"from\":", (long long)m->id);
    person_json(&t, world_person(person));
    text_put(&t, ",\"chat\":");
    chat_json(&t, c);
    text_print(&t, ",\"date\":%lld,\"via_bot\":", (long long)time(NULL));
    bot_json(&t, false);
    text_put(&t, ",\"text\":");
    text_json(&t, m->text);
    text_put(&t, "}");
    updates_push("message", 0, t);
}

static struct tg_message *said(struct tg_chat *c, const cJSON *result)
{
    struct text_buffer words = {0}, entities = {0}, id = {0};
    const cJSON *content = cJSON_GetObjectItem(result, "input_message_content");
    const cJSON *markup = cJSON_GetObjectItem(result, "reply_markup");
    html_read(cJSON_GetStringValue(cJSON_GetObjectItem(content, "message_text")), &words,
              &entities);
    text_print(&id, "inline%lld", (long long)++n_said);
    struct tg_message m = {.id = world_message_id(c),
                           .text = words.p,
                           .entities = entities.p ? entities.p : must(strdup("")),
                           .markup = markup ? cJSON_Duplicate(markup, 1) : NULL,
                           .inlined = id.p};
    return world_say(c, m);
}

static void tell_chosen(const struct query *q, const char *result, const struct tg_message *m)
{
    struct text_buffer t = {0};
    text_put(&t, "{\"result_id\":");
    text_json(&t, result);
    text_put(&t, ",\"from\":");
    person_json(&t, world_person(q->person));
    if (m->markup)
        text_print(&t, ",\"inline_message_id\":\"%s\"", m->inlined);
    text_put(&t, ",\"query\":");
    text_json(&t, q->words);
    text_put(&t, "}");
    updates_push("chosen_inline_result", 0, t);
}

bool inline_say(struct tg_chat *c, int64_t person, bool (*passes)(void *, const char *title),
                void *with)
{
    const struct query *q = NULL;
    const cJSON *one;
    for (int64_t i = n_queries; i-- > 0 && !q;)
        if (queries[i].person == person && !queries[i].guest)
            q = &queries[i];
    const cJSON *results = q ? q->results : NULL;
    cJSON_ArrayForEach(one, results)
    {
        if (!passes(with, cJSON_GetStringValue(cJSON_GetObjectItem(one, "title"))))
            continue;
        struct tg_message *m = said(c, one);
        if (inline_feedback)
            tell_chosen(q, cJSON_GetStringValue(cJSON_GetObjectItem(one, "id")), m);
        tell_members(c, person, m);
        return true;
    }
    return false;
}

/* ---- answers of the bot ---- */

static const char *result_fault(const cJSON *one)
{
    const char *type = cJSON_GetStringValue(cJSON_GetObjectItem(one, "type"));
    const char *id = cJSON_GetStringValue(cJSON_GetObjectItem(one, "id"));
    const char *title = cJSON_GetStringValue(cJSON_GetObjectItem(one, "title"));
    const cJSON *content = cJSON_GetObjectItem(one, "input_message_content");
    const char *words = cJSON_GetStringValue(cJSON_GetObjectItem(content, "message_text"));
    const cJSON *markup = cJSON_GetObjectItem(one, "reply_markup");
    struct text_buffer t = {0}, entities = {0};
    if (!type || strcmp(type, "article") != 0)
        return "unsupported inline query result";
    if (!id || !*id || strlen(id) > 64)
        return "RESULT_ID_INVALID";
    if (!title || !*title)
        return "ARTICLE_TITLE_EMPTY";
    if (!words || !*words)
        return "MESSAGE_EMPTY";
    const char *fault = html_read(words, &t, &entities);
    if (!fault && utf16_length(t.p, t.n) > 4096)
        fault = "MESSAGE_TOO_LONG";
    text_free(&t);
    text_free(&entities);
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
            if (cJSON_Compare(cJSON_GetObjectItem(one, "id"), cJSON_GetObjectItem(other, "id"), 1))
                return "RESULT_ID_DUPLICATE";
    }
    return NULL;
}

static const char too_old[] =
    "query is too old and response timeout expired or query ID is invalid";

void inline_answer(struct tg_call *c)
{
    bool bad;
    const cJSON *results = param_json(c->p, "results", &bad);
    struct query *q = query_named(param_text(c->p, "inline_query_id"), "query", false);
    const char *fault = !q || wire_now() - q->at > 30 * SECOND ? too_old : results_fault(results);
    if (api_refused(c, fault))
        return;
    cJSON_Delete(q->results);
    q->results = cJSON_Duplicate(results, 1);
    q->answered = true;
    api_true(c);
    hooks.said(q->chat, NULL, "");
}

void inline_answer_guest(struct tg_call *c)
{
    bool bad;
    const cJSON *result = param_json(c->p, "result", &bad);
    struct query *q = query_named(param_text(c->p, "guest_query_id"), "guest", true);
    const char *fault = !q || q->answered ? "GUEST_QUERY_ID_INVALID" : result_fault(result);
    if (api_refused(c, fault))
        return;
    q->answered = true;
    struct tg_message *m = said(q->chat, result);
    struct text_buffer t = {0};
    text_print(&t, "{\"inline_message_id\":\"%s\"}", m->inlined);
    api_ok(c, t);
    hooks.said(q->chat, m, m->text);
}
