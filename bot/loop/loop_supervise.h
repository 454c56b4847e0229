/* What watches the daemon from outside: the service manager, which wants to hear that it is ready,
 * that it is alive and that it stops, and `koikoi health`. The loop itself answers both, so that
 * one that hangs is found out. */
#ifndef KOIKOI_LOOP_SUPERVISE_H
#define KOIKOI_LOOP_SUPERVISE_H

#include <stdint.h>

struct loop;

/* Without its socket `koikoi health` fails, and the daemon plays on. */
void supervise_open(struct loop *l);
void supervise_tell(const struct loop *l, const char *message);
/* Gives a sign of life if one is due; `now` of the machine's clock. */
void supervise_beat(struct loop *l, int64_t now);
/* At most `wait_ms`: until the next sign is due. */
int supervise_wait(const struct loop *l, int wait_ms);
/* Answers `koikoi health`. */
void supervise_answer(struct loop *l);

#endif
