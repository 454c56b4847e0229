/* A disk that forgets what was not synced, under every SQLite file of this process.
 *
 * While it is in, files are written as usual, and beside that it keeps what a power cut would leave
 * of each: bytes are safe once their file has been synced; that a file exists, once a log that was
 * made has been synced (SQLite syncs its folder with it) or its folder was synced for a deletion.
 * What is not safe yet may be there or not, in any order, by whole sectors of 512 bytes.
 *
 *     disk_cuts(n, left, seed)       the n-th write, sync, truncation or deletion is the last
 *     fork(); run the daemon         the child ends with DISK_CUT instead, and the files are what
 *                                    the cut left
 *     disk_cuts(0, ...)              takes it out
 */
#ifndef KOIKOI_DISK_H
#define KOIKOI_DISK_H

#include <stdint.h>

enum { DISK_CUT = 9 }; /* exit status */

enum disk_left {
    DISK_LEAVES_SAFE, /* nothing but what is safe */
    DISK_LEAVES_ALL,  /* all that was written, as after the death of the process alone */
    DISK_LEAVES_SOME  /* sectors by chance, from the seed */
};

/* Calls are counted from 1. SQLite must have no file open. */
void disk_cuts(int n, enum disk_left left, uint64_t seed);

#endif
