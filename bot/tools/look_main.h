/* Commands for a host who wants to know what the daemon holds, beside the running daemon: `koikoi
 * matches`, `koikoi outbox`, `koikoi quarantine`. None shows a hand, a message's text or a secret,
 * but `koikoi quarantine ID`, which shows what a network sent. Each returns the exit status. */
#ifndef KOIKOI_LOOK_MAIN_H
#define KOIKOI_LOOK_MAIN_H

int matches_main(int argc, char **argv);
int outbox_main(int argc, char **argv);
int quarantine_main(int argc, char **argv);

#endif
