/* Adapter of a small network over HTTP and JSON with every ability, for tests and measurements. It
 * uses a part of the Telegram Bot API, so that load generators for Telegram can drive it.
 *
 *   getUpdates {"offset":N,"timeout":s} -> {"ok":true,"result":[{"update_id":N,"message":{...}}|
 *                                          {"update_id":N,"callback_query":{...}}]}
 *   sendMessage, editMessageText, deleteMessage, answerCallbackQuery, openDirect
 */
#ifndef KOIKOI_WIRE_ADAPTER_H
#define KOIKOI_WIRE_ADAPTER_H

#include "registry.h"

struct wire {
    struct str root;      /* "http://127.0.0.1:1234/bot1:x" */
    struct limits limits; /* the limits that the account gets */
    int poll_seconds;
    /* updates may also arrive by webhook, one at a time, at /wire with the header Wire-Secret:
     * open-sesame */
    bool hooked;
    bool asks_first; /* updates of the webhook wait until the next poll was answered */
};

extern const struct adapter wire_adapter;

/* An account on it, for struct config. */
struct account wire_account(struct wire *w);

#endif
