/* What the store keeps of one person: listed, and taken out of it. Results stay, without a name.
 * See store.h. */
#ifndef KOIKOI_STORE_FORGET_H
#define KOIKOI_STORE_FORGET_H

#include "store_match.h"
#include "store_people.h"

/* Sessions in which the handle has or had a seat, with an id above `after`, in order: also those
 * that it left while others played on. Scans all of them. */
bool store_sessions_naming(struct store *s, struct arena *a, int64_t who, int64_t after, int most,
                           struct session_rows *ret, struct err *err) MUST_CHECK;
/* The first piece of a record; *ret_id 0 if it has none. */
bool store_record_head(struct store *s, struct arena *a, int64_t session, int64_t *ret_id,
                       struct str *ret, struct err *err) MUST_CHECK;
bool store_rewrite_record(struct store *s, int64_t id, int64_t session, struct str lines,
                          struct err *err) MUST_CHECK;
/* Handles with that handle, with or without '@', or network id, or number of a person ("#12"), on
 * any network; at most 64. */
bool store_handles_called(struct store *s, struct arena *a, struct str called, struct people *ret,
                          struct err *err) MUST_CHECK;
/* Every handle of the person loses name, handle, network id, language, choices and private chat;
 * codes, badges, answers to puzzles and the places of private messages go. `name` stands in for all
 * of them. */
bool store_forget_handles(struct store *s, const struct people *handles, struct str name,
                          struct err *err) MUST_CHECK;

#endif
