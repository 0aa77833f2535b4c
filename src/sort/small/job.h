/* job.h - what the host and the kernels of the sort in one launch both know. */
#ifndef CW_SORT_SMALL_JOB_H
#define CW_SORT_SMALL_JOB_H

#include <stdint.h>

#include "prim/key_map.h"
#include "sort/lsd/arrays.h"

#define SMALL_BUCKETS 256u

struct small_job {
    uint32_t n;                    /* items, or the most of them: */
    uint32_t count_bytes;          /* 4 or 8, */
    const void *count;             /* NULL, or how many there are (prim/count.h) */
    const uint32_t *gate;          /* NULL, or a word that is 0 if another method sorts the array */
    uint32_t rounds;               /* items of a thread */
    const void *keys[SORT_ARRAYS]; /* in, tmp, out */
    const void *values[SORT_ARRAYS];
    uint32_t in_place;
    uint32_t indexed;   /* the payload is an index: values[SORT_IN] is not read */
    uint32_t drop_keys; /* they are not wanted */
    uint32_t key_bytes, value_bytes;
    /* of a value in the output: an index moves as 4 bytes where that is enough */
    uint32_t last_bytes;
    struct cw_key_map map;
    uint32_t first_bit, bits, passes;

    uint32_t *barrier; /* 0 before the launch */
    uint32_t *counts;  /* passes x blocks x 128: two counts a word; 0 before the launch */
};

/* The bits of pass p's digit, of those that count: all passes but the last one have 8. */
#define small_mask(bits, p) ((bits) >= 8u * ((p) + 1u) ? 255u : (1u << ((bits)-8u * (p))) - 1u)

#endif
