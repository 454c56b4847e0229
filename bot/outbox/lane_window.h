/* Rate limits of a lane: when its windows let a row go, and what is counted in them. The diagram of
 * a lane, and its fields, are in lane.h. */
#ifndef KOIKOI_LANE_WINDOW_H
#define KOIKOI_LANE_WINDOW_H

#include "lane.h"

/* The moment from which windows let the row go, after `ahead` others. */
int64_t lane_due_at(const struct lanes *ls, const struct lane *l, const struct row *r, int ahead,
                    int64_t now);
/* For a lane made soon after the start: some may have been sent before that nothing remembers. */
void lane_half_fill(const struct lanes *ls, struct lane *l, int64_t now);
/* When the windows of a lane without rows are like new ones. */
int64_t lane_idle_at(const struct lanes *ls, const struct lane *l);
/* A message of a group that a newer one may replace. */
bool lane_is_board(const struct lane *l, const struct row *r);
/* True if boards of several slots went within the span of the window, *r included. */
bool lane_shares_boards(const struct lanes *ls, const struct lane *l, const struct row *r,
                        int64_t now);
/* Counts a message that goes now. */
void lane_charge(struct lanes *ls, struct lane *l, const struct row *r, int64_t now);
/* True if one more message like this may go now, after `ahead` others. The lane may be NULL: a chat
 * that has none yet, private or not. */
bool lane_has_room(const struct lanes *ls, int account, const struct lane *l, bool alone,
                   const struct row *r, int ahead, int64_t now);
/* The network has refused a message for its rate: learns from it if one person was to see it, or if
 * hidden messages were sent there in the last minute. */
void lane_learn(struct lanes *ls, const struct lane *l, const struct row *r, int64_t now);

#endif
