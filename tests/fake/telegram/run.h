/* Life cycle of a program on this server, from its command line to its end.
 *
 *     run_open(program, tables, argc, argv);     options, signals, the listening socket
 *     ... hooks are set, people and chats made ...
 *     run_serve();                               starts the bot; returns after wire_stop()
 *     ... results are read ...
 *     run_close();                               ends the bot
 */
#ifndef FAKE_RUN_H
#define FAKE_RUN_H

#include "arguments.h"

void run_open(const char *program, const struct argument *const *tables, int argc, char **argv);
void run_serve(void);
void run_close(void);

#endif
