/* Functions that are too easy to use wrongly, or that hide time, chance or a wait. Given to every
 * compilation by the Makefile (-include); using one does not compile. */
#ifndef KOIKOI_BANNED_H
#define KOIKOI_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#pragma GCC poison sprintf vsprintf strcpy strcat strncat strncpy strtok atoi atol atof rand srand \
    system gets
#pragma GCC poison localtime gmtime ctime asctime sleep usleep

#endif
