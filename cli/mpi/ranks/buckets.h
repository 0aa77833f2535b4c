/* buckets.h - a file larger than the memory of all ranks: cut into buckets by sampled splitters, each rank's part of
 * them on its own disk, then bucket by bucket sorted by all ranks in memory.
 *
 * Two passes over the data, each of which reads and writes every item once.  A bucket holds about a quarter of what
 * one rank's buffer can, since a rank may have all of it, and a value up to two quarters; one that is more frequent
 * has a bucket of its own, which is never loaded but written from its count, or of keys that are equal and not
 * the same, in a stable sort of floats, copied.  After files/external.h, of which this is one level: a bucket that
 * is larger than a rank's memory all the same ends with an error that says so. */
#ifndef CLI_MPI_BUCKETS_H
#define CLI_MPI_BUCKETS_H

#include "files/npy.h"
#include "prim/key_map.h"

struct buckets {
    const char *in, *out; /* out: the file that all ranks write */
    const struct cw_npy *head;
    uint64_t out_at; /* where its items begin */
    int shifted;
    unsigned flags;
    uint64_t memory;    /* bytes of a rank */
    const char *folder; /* for scratch files */
    cw_context *context;
    int rank, ranks;
    void (*progress)(void *user, double done);
    void *user;
};

/* All ranks together; the same status on all. */
cw_status buckets_sort(const struct buckets *b);

#endif
