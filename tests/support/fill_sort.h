/* fill_sort.h - sorts on the emulator, watched: what was counted and written instead of moved (sort/counting/write_out.h). */
#ifndef FILL_SORT_H
#define FILL_SORT_H

#include "sort/radix/job.h"
#include "test.h"

#define N      (CW_FULL_SHAPES ? 60013u : 30011u) /* lists are worked off after every pass */
#define FEWER  (CW_FULL_SHAPES ? 50000u : 17011u) /* and here at the end */
#define NARROW (CW_FULL_SHAPES ? 16384u : 512u)   /* values of a bucket that is counted, at most */

/* A sort, and what was seen of it. */
struct fill_sort {
    cw_type type;
    unsigned flags, first_bit, bits; /* bits 0: all */
    size_t n, shift;
    int in_place;
    uint64_t *keys; /* as they were given */

    uint64_t counted, narrow, single; /* items that were written from counts */
    uint32_t at;                      /* buffers that narrow buckets stood in: 1 << AT_.. */
    uint32_t chunks, none, tiles; /* chunks of the tree's pass, with nothing to move, by tiles */
    int launched, tree;
};

/* A sort of n keys, which are to be filled in, and freed. */
struct fill_sort fill_sort_begin(cw_type type, size_t n);

/* For qsort, of keys. */
int fill_sort_by_size(const void *x, const void *y);

/* Sort s->keys, `shift` items off the alignment, look at it, and compare with a reference. */
void fill_sort_run(struct fill_sort *s);

#endif
