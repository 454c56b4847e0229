/* `koikoi picture FILE`: a layout (bot/core/layout/layout.h) as a PNG on standard output. Returns
 * the exit status. */
#ifndef KOIKOI_PICTURE_MAIN_H
#define KOIKOI_PICTURE_MAIN_H

int picture_main(int argc, char **argv);

#endif
