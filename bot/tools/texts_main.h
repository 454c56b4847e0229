/* `koikoi texts FILE...`: every fault of catalogues, and what they lack, for translators. Returns the exit status. */
#ifndef KOIKOI_TEXTS_MAIN_H
#define KOIKOI_TEXTS_MAIN_H

int texts_main(int argc, char **argv);

#endif
