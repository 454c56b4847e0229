/* See words.h. */
#include "adapters/words.h"

const char *const update_kinds[] = {"text",  "press", "joined", "left", "rights", "blocked",
                                    "moved", "query", "gone",   "back", "erased", NULL};
const char *const receipt_kinds[] = {"sent", "more", "later", "never", NULL};
const char *const never_whys[] = {"other", "unreachable", "gone", "moved", "late", NULL};
const char *const out_kinds[] = {"post", "erase",  "answer", "close",
                                 "ask",  "typing", "widget", NULL};
const char *const out_wheres[] = {"chat", "whisper", "direct", NULL};
const char *const styles[] = {"plain", "take",  "yaku", "danger", "link",
                              "back",  "query", "add",  NULL};
const char *const request_kinds[] = {"none", "http", "watch", "done", NULL};
const char *const abilities[] = {"buttons", "edit",   "erase", "picture",  "whisper",   "direct",
                                 "popup",   "react",  "poll",  "style",    "countdown", "mention",
                                 "handles", "return", "query", "one_post", "number",    "add",
                                 "file",    "close",  "scene", "typing",   NULL};

const struct member sender_fields[] = {FIELD(sender, F_STR, id),
                                       FIELD(sender, F_STR, name),
                                       FIELD(sender, F_STR, handle),
                                       FIELD(sender, F_STR, language),
                                       FIELD(sender, F_BOOL, bot),
                                       FIELD(sender, F_BOOL, anonymous),
                                       END_FIELDS};
const struct member update_fields[] = {WORDS(update, kind, update_kinds),
                                       FIELD(update, F_STR, id),
                                       FIELD(update, F_STR, chat),
                                       FIELD(update, F_STR, chat_name),
                                       FIELD(update, F_BOOL, direct),
                                       FIELD(update, F_BOOL, admin),
                                       FIELD(update, F_BOOL, ask_admin),
                                       FIELD(update, F_BOOL, addressed),
                                       FIELD(update, F_BOOL, reacted),
                                       FIELD(update, F_STR, from.id),
                                       FIELD(update, F_STR, from.name),
                                       FIELD(update, F_STR, from.handle),
                                       FIELD(update, F_STR, from.language),
                                       FIELD(update, F_BOOL, from.bot),
                                       FIELD(update, F_BOOL, from.anonymous),
                                       FIELD(update, F_STR, text),
                                       FIELD(update, F_STR, press),
                                       FIELD(update, F_STR, post),
                                       FIELD(update, F_BOOL, part_unknown),
                                       FIELD(update, F_STR, said),
                                       FIELD(update, F_STR, unnamed),
                                       FIELD(update, F_LONG, when),
                                       END_FIELDS};
const struct member batch_fields[] = {
    FIELD(batch, F_STR, cursor),     FIELD(batch, F_LONG, wait_ms),  FIELD(batch, F_STR, note),
    FIELD(batch, F_BOOL, fatal),     FIELD(batch, F_BOOL, over),     FIELD(batch, F_BOOL, busy),
    FIELD(batch, F_BOOL, ask_first), FIELD(batch, F_BOOL, may_wait), END_FIELDS};
const struct member request_fields[] = {FIELD(request, F_STR, what),
                                        FIELD(request, F_BOOL, follow),
                                        FIELD(request, F_BOOL, unpaced),
                                        FIELD(request, F_INT, timeout_ms),
                                        FIELD(request, F_INT, answer_bytes),
                                        FIELD(request, F_BOOL, outside),
                                        END_FIELDS};
const struct member receipt_fields[] = {WORDS(receipt, kind, receipt_kinds),
                                        FIELD(receipt, F_STR, post),
                                        FIELD(receipt, F_STR, direct_chat),
                                        FIELD(receipt, F_STR, picture_file),
                                        FIELD(receipt, F_BOOL, picture_refused),
                                        FIELD(receipt, F_BOOL, repeats),
                                        FIELD(receipt, F_STR, progress),
                                        FIELD(receipt, F_BOOL, admin),
                                        FIELD(receipt, F_STR, chat),
                                        WORDS(receipt, why, never_whys),
                                        FIELD(receipt, F_LONG, lacking.needs),
                                        FIELD(receipt, F_LONG, lacking.has),
                                        FIELD(receipt, F_BOOL, lacking.theirs),
                                        FIELD(receipt, F_LONG, wait_ms),
                                        FIELD(receipt, F_BOOL, all_chats),
                                        FIELD(receipt, F_BOOL, limited),
                                        FIELD(receipt, F_STR, note),
                                        END_FIELDS};
const struct member outgoing_fields[] = {
    WORDS(outgoing, kind, out_kinds),      WORDS(outgoing, where, out_wheres),
    FIELD(outgoing, F_STR, chat),          FIELD(outgoing, F_STR, to),
    FIELD(outgoing, F_STR, slot),          FIELD(outgoing, F_BOOL, replace_only),
    FIELD(outgoing, F_BOOL, notify),       FIELD(outgoing, F_BOOL, alert),
    FIELD(outgoing, F_BOOL, aside),        FIELD(outgoing, F_BOOL, named),
    FIELD(outgoing, F_BOOL, alone),        FIELD(outgoing, F_STR, learners),
    FIELD(outgoing, F_BOOL, reports),      FIELD(outgoing, F_STR, press),
    FIELD(outgoing, F_STR, reply_to),      FIELD(outgoing, F_STR, group),
    FIELD(outgoing, F_STR, group_slot),    FIELD(outgoing, F_STR, text),
    FIELD(outgoing, F_STR, picture),       FIELD(outgoing, F_STR, caption),
    FIELD(outgoing, F_STR, picture_bytes), FIELD(outgoing, F_STR, picture_file),
    FIELD(outgoing, F_STR, file_name),     FIELD(outgoing, F_STR, file),
    FIELD(outgoing, F_STR, post),          FIELD(outgoing, F_STR, direct_chat),
    FIELD(outgoing, F_STR, group_post),    FIELD(outgoing, F_STR, progress),
    FIELD(outgoing, F_LONG, expires),      FIELD(outgoing, F_LONG, row),
    FIELD(outgoing, F_BOOL, maybe_sent),   END_FIELDS};
const struct member button_fields[] = {FIELD(button, F_STR, label), FIELD(button, F_STR, data),
                                       FIELD(button, F_BOOL, row_end), END_FIELDS};
const struct member article_fields[] = {FIELD(article, F_STR, id),    FIELD(article, F_STR, title),
                                        FIELD(article, F_STR, about), FIELD(article, F_STR, text),
                                        FIELD(article, F_STR, label), END_FIELDS};
const struct member menu_fields[] = {FIELD(menu_entry, F_STR, language),
                                     FIELD(menu_entry, F_STR, command),
                                     FIELD(menu_entry, F_STR, about),
                                     FIELD(menu_entry, F_BOOL, unseen),
                                     FIELD(menu_entry, F_BOOL, for_admins),
                                     FIELD(menu_entry, F_BOOL, private_only),
                                     END_FIELDS};
const struct member reply_fields[] = {FIELD(reply, F_LONG, retry_after_ms),
                                      FIELD(reply, F_LONG, date), FIELD(reply, F_BOOL, cut),
                                      FIELD(reply, F_BOOL, too_large), END_FIELDS};

void put_visible(struct text_buffer *t, struct str s, bool quoted)
{
    for (size_t i = 0, n; i < s.n; i += n) {
        unsigned char c = (unsigned char)s.p[i];
        size_t times = 1;
        for (n = 1; i + n < s.n && ((unsigned char)s.p[i + n] & 0xc0) == 0x80 && c >= 0xc0;)
            n++;
        while (i + (times + 1) * n <= s.n && memcmp(s.p + i + times * n, s.p + i, n) == 0)
            times++;
        if (times > 40) {
            txt_print(t, "$(%.*s*%zu)", (int)n, s.p + i, times);
            n *= times;
        } else if (c == '\n') {
            txt_put(t, "\\n");
        } else if (c < 0x20 || c == 0x7f || (c & 0xc0) == 0x80) {
            txt_print(t, "\\x%02x", c);
        } else if (quoted && (c == '"' || c == '\\')) {
            txt_print(t, "\\%c", c);
        } else {
            txt_add(t, s.p + i, n);
        }
    }
}

void put_value(struct text_buffer *t, struct str s)
{
    bool bare = s.n > 0;
    for (size_t i = 0; i < s.n; i++)
        bare = bare && s.p[i] > ' ' && s.p[i] != '"' && s.p[i] != '\\' && s.p[i] != 0x7f;
    if (!bare)
        txt_put(t, "\"");
    put_visible(t, s, !bare);
    if (!bare)
        txt_put(t, "\"");
}

void put_fields(struct text_buffer *t, const struct member *f, const void *of, const void *usual)
{
    for (; f->name; f++) {
        const char *is = (const char *)of + f->offset, *was = (const char *)usual + f->offset;
        const struct str *s = (const void *)is, *u = (const void *)was;
        if (f->kind == F_STR && !str_is(*s, *u)) {
            txt_print(t, " %s=", f->name);
            put_value(t, *s);
        }
        if (f->kind == F_BOOL && *(const bool *)is != *(const bool *)was)
            txt_print(t, " %s%s", *(const bool *)is ? "" : "not-", f->name);
        if (f->kind == F_INT && *(const int *)is != *(const int *)was)
            txt_print(t, " %s=%d", f->name, *(const int *)is);
        if (f->kind == F_LONG && *(const int64_t *)is != *(const int64_t *)was)
            txt_print(t, " %s=%lld", f->name, (long long)*(const int64_t *)is);
        if (f->kind == F_WORD && *(const int *)is != *(const int *)was)
            txt_print(t, " %s", f->words[*(const int *)is]);
    }
}

struct str next_word(struct arena *a, struct str *rest)
{
    while (rest->n && rest->p[0] == ' ')
        *rest = str_skip(*rest, 1);
    char *to = arena_alloc(a, rest->n + 1);
    size_t n = 0, i = 0;
    bool quoted = false;
    for (; i < rest->n && (quoted || rest->p[i] != ' '); i++) {
        char hex[3] = {0};
        if (rest->p[i] == '"') {
            quoted = !quoted;
        } else if (rest->p[i] == '\\' && i + 1 < rest->n) {
            char c = rest->p[++i];
            if (c == 'x' && i + 2 < rest->n) {
                memcpy(hex, rest->p + i + 1, 2);
                to[n++] = (char)strtol(hex, NULL, 16);
                i += 2;
            } else {
                to[n++] = c == 'n' ? '\n' : c;
            }
        } else {
            to[n++] = rest->p[i];
        }
    }
    *rest = str_skip(*rest, i);
    return (struct str){to, n};
}

bool set_field(const struct member *f, void *of, struct str word)
{
    struct str value, name = str_cut(word, '=', &value);
    for (; f->name; f++) {
        char *at = (char *)of + f->offset;
        int64_t n = 0;
        for (int i = 0; f->kind == F_WORD && f->words[i]; i++)
            if (str_is(word, str_of(f->words[i]))) {
                *(int *)at = i;
                return true;
            }
        if (!str_is(name, str_of(f->name)))
            continue;
        if ((f->kind == F_INT || f->kind == F_LONG) && !str_int(value, &n))
            return false;
        if (f->kind == F_STR)
            *(struct str *)at = value;
        else if (f->kind == F_BOOL)
            *(bool *)at = !str_is(value, STR("no"));
        else if (f->kind == F_LONG)
            *(int64_t *)at = n;
        else
            *(int *)at = (int)n;
        return true;
    }
    return false;
}
