/* Our marked text as Telegram reads it: HTML, or plain text where there is no formatting. */
#ifndef TELEGRAM_HTML_H
#define TELEGRAM_HTML_H

#include "adapter.h"

/* Both cut at `most` UTF-16 units of what is seen (the network counts after reading the markup),
 * put an ellipsis there, and leave nothing open. */
struct str tg_html(struct arena *a, struct str marked, size_t most);
struct str tg_plain(struct arena *a, struct str marked, size_t most);

#endif
