/* Ids of Telegram in the form that the rest of the program keeps.
 *
 * A chat is "-1001234", with a topic "-1001234/7"; an inline message (one of ours in a chat that
 * the bot is not in) is a chat of its own, 'i' and its inline_message_id. A post is "123"; with a
 * picture "123p"; an ephemeral one begins with 'e'. A press is 'q' and the query's id; an ephemeral
 * command is answered to 'e' and its message id; an inline query to 'i', a guest query to 'g' and
 * its id. */
#ifndef TELEGRAM_IDS_H
#define TELEGRAM_IDS_H

#include "arena.h"
#include "str.h"

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

#endif
