/* slices.h - a rank's part of a file, read and written by MPI-IO, of any length. */
#ifndef CLI_MPI_SLICES_H
#define CLI_MPI_SLICES_H

#include <mpi.h>

#include "clearway.h"
#include "files/output.h"

/* Who hears of each piece: how much of the whole is done, of which this part goes from `from` to `to`. */
struct slice_told {
    void (*tell)(void *user, double done);
    void *user;
    double from, to;
};

/* Each rank opens the file for itself: on one where it is not there, on another machine's disk say, the others
 * would else wait for it when they close it.  The status is this rank's own; cw_last_error() has MPI's words.  `told` may be NULL. */
cw_status slice_read(const char *path, uint64_t at, void *to, uint64_t bytes,
                     const struct slice_told *told);
cw_status slice_write(const char *path, uint64_t at, const void *from, uint64_t bytes,
                      const struct slice_told *told);

/* The worst status of all ranks, on all of them; cw_last_error() then has the words of the first that has it. */
cw_status all_agree(cw_status mine);

/* A file that rank 0 makes beside where it will stand, under a name that all ranks know, and that any of them
 * removes if it is ended by a signal, and the cleaner of rank 0 in any case.  `path`: 4096 bytes for that name. */
cw_status shared_output_open(const char *out, struct cw_output *o, char *path);

#endif
