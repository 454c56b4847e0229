/* A match of the core in a test, without a store: English, every preset, and people who sit at a
 * table.
 *
 *     cmocka_run_group_tests(tests, sitting_open, sitting_close)
 *     struct session s = sitting_down(sitting_rules("standard"), 2);
 *     sitting_deal(&s, deck)
 */
#ifndef KOIKOI_TEST_SITTING_H
#define KOIKOI_TEST_SITTING_H

#include "shell/scratch.h"

#include "engine/table.h"
#include "present.h"
#include "session.h"
#include "text.h"

extern struct arena *sitting_arena;
extern struct languages sitting_languages;
extern struct made sitting_made;

int sitting_open(void **state);
int sitting_close(void **state);
enum { SITTING_PRESETS = 4 };
extern struct rules sitting_presets[SITTING_PRESETS];
const struct rules *sitting_rules(const char *preset);

/* Ann (id "a"), Bo ("b") and Cleo ("c") have sat down in the group "tea", account 1, match 12; no
 * card is dealt. */
struct session sitting_down(const struct rules *r, int players);
/* The first round, dealt by seat 0. */
void sitting_deal(struct session *s, const uint8_t deck[static N_CARDS]);

/* The first message that says a thing of this kind about a session: to its seat if it is a hand,
 * else to the table; on a network that can do this. Of `like` kind, seat and notes count. Who sees
 * their hand in popups has pressed. */
struct outgoing sitting_said(const struct session *s, const struct say *like, uint32_t can,
                             struct limits limits);

#endif
