/* The operator's commands: who the operator is, what they may know, and what follows. */
#ifndef KOIKOI_INBOX_OPERATOR_H
#define KOIKOI_INBOX_OPERATOR_H

#include "inbox_internal.h"
#include "operator.h"

/* Logs what the operator has ordered and may have forgotten. */
bool operator_open(struct inbox *in, struct err *err) MUST_CHECK;
/* True if the sender of the event is named by the option `operators`. */
bool operator_sends(const struct turn *t);
/* The event of a person who is banned becomes the sentence that says so, or nothing. Returns false
 * if the sender is not banned. */
bool operator_bans(struct turn *t);
/* For FACT_OPEN: whether new matches may begin; for FACT_OPERATOR: figures, the person who is
 * named. */
bool facts_open(struct turn *t) MUST_CHECK;
bool facts_operator(struct turn *t) MUST_CHECK;
bool settle_operator(struct turn *t, const struct operator_effects *o) MUST_CHECK;

#endif
