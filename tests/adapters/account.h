/* An account of an adapter, with options as koikoi.conf would set them. */
#ifndef KOIKOI_TEST_ACCOUNT_H
#define KOIKOI_TEST_ACCOUNT_H

#include "adapter.h"

/* Sets one option from text. Returns false if there is no such key. */
bool test_account_set(void *account, const struct adapter *row, struct str key, struct str value);
/* An account with these options, "key=value", ended by NULL, and the rows' own values for the rest;
 * not yet opened. Ends the test at an unknown key. */
void *test_account(struct arena *a, const struct adapter *row, const char *const *options);
/* The same, opened. Ends the test if it cannot be. */
void *test_account_open(struct arena *a, const struct adapter *row, const char *const *options);
/* Does to a message what the outbox does after a receipt that is no end: MORE, a post that is gone, a
 * chat that has moved. Returns false if the receipt says something else. */
bool test_goes_on(struct outgoing *out, const struct receipt *got);
/* What the outbox stores of a receipt: the next message like this one begins with it. */
void test_remember(struct outgoing *next, const struct receipt *got);

#endif
