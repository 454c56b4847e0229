/* `koikoi health`: asks the daemon of this configuration whether all is well, over the socket in
 * its state directory. The answer is that of /health; a daemon that hangs gives none. */
#ifndef KOIKOI_HEALTH_MAIN_H
#define KOIKOI_HEALTH_MAIN_H

int health_main(int argc, char **argv);

#endif
