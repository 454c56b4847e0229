/* Commands on the store. Of a stopped daemon: `koikoi recount` counts seasons and ratings anew from
 * the results of matches, `koikoi forget PERSON` takes a person out of it, `koikoi restore FILE`
 * puts a backup in its place, `koikoi move-store FROM TO` copies it into an empty one. Beside a
 * running one: `koikoi backup FILE` copies it. Each returns the exit status. */
#ifndef KOIKOI_STORE_MAIN_H
#define KOIKOI_STORE_MAIN_H

int recount_main(int argc, char **argv);
int forget_main(int argc, char **argv);
int backup_main(int argc, char **argv);
int restore_main(int argc, char **argv);
int move_store_main(int argc, char **argv);

#endif
