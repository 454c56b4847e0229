/* `koikoi doctor`: check of the configuration and of every network in it. Prints one line a check,
 * and what to do about each fault. */
#ifndef KOIKOI_DOCTOR_H
#define KOIKOI_DOCTOR_H

/* Returns the exit status: 0 no fault, 1 a fault, 2 wrong arguments. */
int doctor_main(int argc, char **argv);

#endif
