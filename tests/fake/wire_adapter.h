/* A small network of our own over HTTP and JSON, for tests and measurements: it can everything. It
 * speaks a few words of the Telegram Bot API, so that load servers made for that can drive it.
 *
 *   getUpdates {"offset":N,"timeout":s} -> {"ok":true,"result":[{"update_id":N,"message":{...}}|
 *                                          {"update_id":N,"callback_query":{...}}]}
 *   sendMessage, editMessageText, deleteMessage, answerCallbackQuery, openDirect
 */
#ifndef KOIKOI_WIRE_ADAPTER_H
#define KOIKOI_WIRE_ADAPTER_H

#include "registry.h"

struct wire {
    struct str root;            /* "http://127.0.0.1:1234/bot1:x" */
    struct limits limits;       /* as the account is to have them */
    int poll_seconds;
    bool hooked;                /* updates may be brought, one at a time, to /wire with Wire-Secret:
                                   open-sesame */
    bool asks_first;            /* what is brought waits until the next poll has been answered */
};

extern const struct adapter wire_adapter;

/* An account on it, to be put into a struct config. */
struct account wire_account(struct wire *w);

#endif
