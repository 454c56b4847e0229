/* The wire of Telegram: ids in the form that the rest of the program keeps, calls of the Bot API,
 * and the readable parts of its answers.
 *
 * A chat is "-1001234", with a topic "-1001234/7"; an inline message (one of ours in a chat that
 * the bot is not in) is a chat of its own, 'i' and its inline_message_id. A post is "123"; with a
 * picture "123p"; an ephemeral one begins with 'e'. A press is 'q' and the query's id; an ephemeral
 * command is answered to 'e' and its message id; an inline query to 'i', a guest query to 'g' and
 * its id. */
#ifndef TELEGRAM_WIRE_H
#define TELEGRAM_WIRE_H

#include "adapter.h"
#include "json.h"

struct telegram;

/* ---- ids ---- */

struct chat_ref {
    int64_t chat, thread;
};
/* The inline_message_id that the chat stands for; empty for any other chat. */
struct str tg_ids_inline_post(struct str chat);
bool tg_ids_chat(struct str chat, struct chat_ref *ret);
struct post {
    int64_t id;
    bool hidden, picture; /* hidden: ephemeral */
};
bool tg_ids_post(struct str post, struct post *ret);
struct str tg_ids_print_post(struct arena *a, struct post p);
enum { ANONYMOUS_ADMIN = 1087968824 }; /* the account that stands for a group's administrators */
/* True for the accounts that stand for a group or a channel: they get no ephemeral message, so
 * their answers go to everybody. */
bool tg_ids_is_impersonal(struct str id);

/* True for the letters, digits, _ and - of a token or secret; not empty. */
bool tg_is_secret(struct str s);

/* ---- calls ---- */

enum { MAX_FIELDS = 16 };
struct call_field {
    const char *name;
    struct str value; /* text, or already JSON (a number, an object, true) */
    bool json;
};
struct call_fields {
    struct call_field at[MAX_FIELDS];
    int n;
};
void tg_call_text(struct call_fields *f, const char *name, struct str value);
void tg_call_json(struct call_fields *f, const char *name, struct str value);
void tg_call_int(struct arena *a, struct call_fields *f, const char *name, int64_t value);
/* The fields as one JSON object. */
struct str tg_call_print(struct arena *a, const struct call_fields *f);

struct request tg_call(struct telegram *t, struct arena *a, const char *method,
                       const struct call_fields *f);
/* The same as a form with a file. A field names a picture "attach://picture"; a document's part has
 * its field's name. */
struct request tg_call_with_file(struct telegram *t, struct arena *a, const char *method,
                                 const struct call_fields *f, struct part file);
struct request tg_call_with_picture(struct telegram *t, struct arena *a, const char *method,
                                    const struct call_fields *f, struct str bytes);

/* ---- answers ---- */

/* A string as it came, or cleaned into the arena; empty beyond MAX_STRING bytes. */
enum { MAX_STRING = 64 * 1024 };
struct str tg_raw(struct json v, const char *key);
struct str tg_text(struct arena *a, struct json v, const char *key);

/* Answers are scanned as bytes before they are parsed, so that one damaged update spoils no other,
 * and a press on a board of 20 buttons (4 KB) takes 3 us instead of 17.
 *
 * tg_scan_value: the start of the value of the first `name` at or behind `from`, with any blanks
 * around its colon; s.n if not found. A quoted name before a colon cannot be inside a string, where
 * its quotes would be escaped. */
size_t tg_scan_value(struct str s, const char *name, size_t from);
/* Cuts {"result":[ {...}, {...} ]} into its elements. Returns their number, at most `most`; -1 if
 * the array does not end or an element is empty. */
int tg_scan_elements(struct str body, const char *name, struct str *ret, int most);
/* The same JSON with every object, array and string of that name emptied. */
struct str tg_scan_without(struct arena *a, struct str value, const char *name);

/* An answer of the Bot API that is not "ok". */
struct refusal {
    int code; /* 0: no answer */
    bool api; /* in the form of the Bot API, so not from a proxy or login page in between */
    struct str why;
    int64_t retry_ms, moved_to; /* retry_ms: -1 if not given */
};
/* True if the answer is "ok"; else *ret is set. */
bool tg_refusal_read(struct arena *a, const struct reply *reply, struct refusal *ret);
/* True if a send may succeed later: no answer, a server's error, or a gate in between. */
bool tg_refusal_is_transient(const struct refusal *no);

#endif
