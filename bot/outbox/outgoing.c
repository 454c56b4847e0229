/* See outgoing.h. */
#include "outgoing.h"

#include "field.h"

enum { FORMAT = 7, OLDEST = 2 };

static const struct field_row button_rows[] = {
    FIELD_STR(button, "label", label),
    FIELD_STR(button, "data", data),
    FIELD_INT(button, "style", style, 0, BUTTON_STYLES - 1),
    FIELD_BOOL(button, "row_end", row_end),
};
static const struct field_table buttons = FIELD_TABLE(button, button_rows);

static const struct field_row article_rows[] = {
    FIELD_STR(article, "id", id),       FIELD_STR(article, "title", title),
    FIELD_STR(article, "about", about), FIELD_STR(article, "text", text),
    FIELD_STR(article, "label", label),
};
static const struct field_table articles = FIELD_TABLE(article, article_rows);

#define STR_ROW(member)  FIELD_STR(outgoing, #member, member)
#define FLAG_ROW(member) FIELD_BOOL(outgoing, #member, member)
static const struct field_row rows[] = {
    FIELD_INT(outgoing, "kind", kind, 0, OUT_WIDGET),
    FIELD_INT(outgoing, "where", where, 0, TO_DIRECT),
    FLAG_ROW(replace_only),
    FLAG_ROW(notify),
    FLAG_ROW(alert),
    FLAG_ROW(or_direct),
    FLAG_ROW(or_aloud),
    FLAG_ROW(aside),
    FLAG_ROW(named),
    FIELD_INT(outgoing, "expires", expires, 0, INT64_MAX),
    {.name = "match", FIELD_OF(outgoing, INT, match), .most = INT64_MAX, .since = 5},
    {.name = "alone", FIELD_OF(outgoing, BOOL, alone), .most = 1, .since = 6},
    STR_ROW(chat),
    STR_ROW(to),
    {.name = "name", .kind = FIELD_IS_GONE, .until = 2}, /* of the receiver */
    STR_ROW(slot),
    STR_ROW(press),
    STR_ROW(reply_to),
    STR_ROW(text),
    {.name = "caption", FIELD_OF(outgoing, STR, caption), .since = 6},
    STR_ROW(picture),
    STR_ROW(group),
    STR_ROW(group_slot),
    STR_ROW(aloud),
    {.name = "file_name", FIELD_OF(outgoing, STR, file_name), .since = 4},
    {.name = "file", FIELD_OF(outgoing, STR, file), .since = 4},
    {.name = "news",
     FIELD_OF(outgoing, PART, news),
     .count = offsetof(struct outgoing, text),
     .since = 4},
    {.name = "passed_on", FIELD_OF(outgoing, BOOL, passed_on), .most = 1, .since = 7},
    {.name = "learners", FIELD_OF(outgoing, STR, learners), .since = 6},
    {.name = "reports", FIELD_OF(outgoing, BOOL, reports), .since = 6},
    FIELD_MANY(outgoing, ARRAY, "buttons", buttons, n_buttons, MAX_BUTTONS, &buttons),
    FIELD_MANY(outgoing, REST, "articles", articles, n_articles, MAX_ARTICLES, &articles),
};
static const struct field_table table = FIELD_TABLE(outgoing, rows);

bool outgoing_encode(const struct outgoing *out, struct buf *ret, struct err *err)
{
    buf_char(ret, FORMAT);
    field_pack(ret, &table, out);
    return !ret->cut || err_set(err, "message: expected at most %zu bytes, got more", ret->cap);
}

bool outgoing_decode(struct str bytes, struct arena *a, struct outgoing *ret, struct err *err)
{
    struct outgoing out = {0};
    struct unpacking from = {.rest = bytes, .arena = a};
    from.format = (int)unpack_number(&from, FORMAT);
    if (from.bad || from.format < OLDEST)
        return err_set(err, "outbox row: expected format %d, got %d", FORMAT,
                       bytes.n ? (unsigned char)bytes.p[0] : 0);
    field_unpack(&from, &table, &out);
    if (from.bad || from.rest.n > 0)
        return err_set(err, "outbox row: damaged at byte %zu of %zu", bytes.n - from.rest.n,
                       bytes.n);
    *ret = out;
    return true;
}
