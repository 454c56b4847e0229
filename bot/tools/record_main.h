/* `koikoi replay FILE` and `koikoi verify FILE`: check and print the record in a file. Each returns
 * the exit status. */
#ifndef KOIKOI_RECORD_MAIN_H
#define KOIKOI_RECORD_MAIN_H

int replay_main(int argc, char **argv);
int verify_main(int argc, char **argv);

#endif
