/* external.h - sort an array that lies in a file and is larger than memory.
 *
 * Two passes over the data, each of which reads and writes every item once, as any external sort
 * must.  The first splits the array by sampled splitters into buckets on disk; the second loads
 * each bucket, sorts it and writes it where it belongs in the output.  Splitting rather than
 * merging sorted runs: the splits are the first digits of the sort and not work on top of it,
 * buckets are independent, so that threads read, sort and write at the same time without waiting
 * for each other, and a value that is frequent has a bucket of its own, which is counted and never
 * written to disk (of an argsort: not sorted).
 *
 * Buckets are chains of blocks in one scratch file that has no name; blocks are written one after
 * another.  A bucket that is too large all the same is sorted by itself, with all of the memory or
 * again like this, from where its blocks lie.  A bucket of more than a quarter of the array, and
 * not of one value, shows that the sample misled.  The places of a sample follow from a seed that
 * nobody foresees.  If it misled nevertheless, the next seed is made then; if that one did too,
 * the bucket's range of values is cut into 64 equal ones or more, again and again: that needs no
 * sample, and no file more than 11 such passes, since a range has 2^64 values at most.
 *
 * A distribution sort in external memory: Aggarwal and Vitter (1988).  It departs in what happens
 * where a sample misled: no file needs more than a known number of passes.
 *
 * Space: `memory` bytes, and as much disk as the array takes (argsort: 4 or 8 bytes a key more);
 * a bucket that is split again, as much as itself besides.
 */
#ifndef CW_FILES_EXTERNAL_H
#define CW_FILES_EXTERNAL_H

#include "files/output.h"

#define CW_EXTERNAL_MEMORY (UINT64_C(16) << 20) /* the least that it works with */

struct cw_external {
    cw_type type;
    unsigned flags; /* CW_DESCENDING, CW_STABLE, an order of floats */
    int places; /* argsort: write the place of each key as an i64 of this computer's byte order */
    uint64_t n;

    int fd; /* where the keys are, and from which byte on */
    const char *path;
    uint64_t at;
    int swapped; /* they have the other byte order; the output's get it too */
    int times;   /* i64, of which the least comes last (cw_npy_shift) */

    const struct cw_output *out;
    uint64_t out_at;

    uint64_t memory;
    const char *folder; /* for the scratch file */
    unsigned threads;   /* 0: one for each processor */

    /* Called by one thread at a time with what is done so far, 0 .. 1; may be NULL. */
    void (*progress)(void *user, double done);
    void *user;

    uint64_t seed; /* of where keys are sampled; 0: one that nobody foresees */

    /* For tests; 0: by `memory`.  Items of a bucket, and how many buckets are asked for. */
    uint64_t bucket_items;
    uint32_t buckets;
    int foreseen; /* for tests: seeds made later follow from `seed` */
};

cw_status cw_external_sort(const struct cw_external *x);

#endif
