/* Our marked text as Telegram shows it: HTML, or plain text where there is no formatting. */
#ifndef TELEGRAM_HTML_H
#define TELEGRAM_HTML_H

#include "adapter.h"

/* Both cut the text at `most` UTF-16 units as shown (Telegram counts after parsing the markup), put
 * an ellipsis there, and close all open tags. */
struct str tg_html(struct arena *a, struct str marked, size_t most);
struct str tg_html_plain(struct arena *a, struct str marked, size_t most);

#endif
