/* Messages to the service manager that started the process: systemd, or podman in its place. Each
 * is one datagram to the socket that the variable NOTIFY_SOCKET names, as sd_notify(3) describes;
 * without the variable nothing is sent.
 *
 *     supervisor_tell("READY=1")
 *     supervisor_tell("WATCHDOG=1")      at least each supervisor_watchdog_ms()
 */
#ifndef KOIKOI_SUPERVISOR_H
#define KOIKOI_SUPERVISOR_H

#include <stdbool.h>
#include <stdint.h>

/* Returns false if there is no supervisor, or it does not take the message now. */
bool supervisor_tell(const char *message);
/* The same with the time of CLOCK_MONOTONIC, as a reload is announced. */
bool supervisor_tell_reloading(void);
/* Half of the time after which a silent process is ended; 0: the supervisor does not watch. */
int64_t supervisor_watchdog_ms(void);

#endif
