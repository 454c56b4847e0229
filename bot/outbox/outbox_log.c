/* Log lines on the fate of each row: account, chat, match, row, how often it was tried and how long it
 * has waited since it was pushed, or since the first of those that it replaces; never its text.
 *
 *     sent            debug   the network took it at the first attempt
 *     sent_again      debug   at a later one; with maybe_sent=yes it may stand there twice
 *     sent_in_part    debug   one call of several
 *     replaced        debug   a newer row of its slot took its place
 *     send_later      info    refused for now, or no answer; why
 *     paused          info    the network asks for a pause: in that chat, or in all
 *     send_never      info    refused for good; why
 */
#include "outbox_internal.h"

#include <stdio.h>

void outbox_log(const struct outbox *o, const struct row *r, enum log_level level,
                const char *event, struct str why)
{
    char chat[128], reason[200], row[24], tries[24], match[24], waited[24];
    struct str key = lane_key(r->lane);
    if (!log_wants(level))
        return;
    snprintf(chat, sizeof chat, "%.*s", (int)(key.n < 127 ? key.n : 127), key.p);
    snprintf(reason, sizeof reason, "%.*s", (int)(why.n < 199 ? why.n : 199), why.n ? why.p : "");
    snprintf(row, sizeof row, "%lld", (long long)r->id);
    snprintf(tries, sizeof tries, "%lld", (long long)r->tries);
    snprintf(match, sizeof match, "%lld", (long long)r->match);
    snprintf(waited, sizeof waited, "%lld", (long long)(r->since ? outbox_now(o) - r->since : 0));
    /* the list of pairs ends early if there is no reason */
    log_line(level, event, "account", account_of(o, r->lane)->name.p, "chat", chat, "match", match,
             "row", row, "tries", tries, "waited_ms", waited, "maybe_sent",
             r->maybe_sent ? "yes" : "no", why.n ? "why" : NULL, reason, NULL);
}

void outbox_log_pause(const struct outbox *o, const struct row *r, bool all_chats, int64_t ms)
{
    char chat[128] = "all", text[24];
    struct str key = lane_key(r->lane);
    if (!all_chats)
        snprintf(chat, sizeof chat, "%.*s", (int)(key.n < 127 ? key.n : 127), key.p);
    snprintf(text, sizeof text, "%lld", (long long)ms);
    log_line(LOG_INFO, "paused", "account", account_of(o, r->lane)->name.p, "chat", chat, "ms",
             text, NULL);
}
