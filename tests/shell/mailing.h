/* An outbox without its loop, in tests: what the loop does between one sleep and the next, until
 * nothing is left to do at this moment.
 *
 *     mailing_replies(&m)         waits for answers, and hands them over
 *     mailing_settle(&m)          stores what was answered, in a transaction
 *     mailing_go(&m)              all of it, as long as anything happens
 */
#ifndef KOIKOI_TEST_MAILING_H
#define KOIKOI_TEST_MAILING_H

#include "http.h"
#include "outbox.h"

struct mailing {
    struct outbox *outbox;
    struct store *store;
    struct http *http; /* NULL: nothing is sent by HTTP */
    struct arena *turn;
    const struct clock *clock;
    outbox_never *never; /* takes what will never arrive; its arg is NULL */
};

void mailing_replies(const struct mailing *m);
void mailing_settle(const struct mailing *m);
void mailing_go(const struct mailing *m);

#endif
