/* `koikoi doctor`: is everything right with this configuration? Reads it, asks every network that
 * is configured, prints one line for each thing looked at, and what to do about those that are
 * wrong. */
#ifndef KOIKOI_DOCTOR_H
#define KOIKOI_DOCTOR_H

/* Exit status: 0 nothing is wrong, 1 something is, 2 the arguments are. */
int doctor_main(int argc, char **argv);

#endif
