/* job.h - what the host and the kernels of the hybrid sort both know. */
#ifndef CW_SORT_HYBRID_JOB_H
#define CW_SORT_HYBRID_JOB_H

#include <stdint.h>

#include "prim/bucket_map.h"
#include "prim/key_map.h"
#include "sort/lsd/job.h"

#define HYBRID_ONE (LSD_BUCKETS)               /* buckets of one pass */
#define HYBRID_TWO (LSD_BUCKETS * LSD_BUCKETS) /* .. of two */

struct hybrid_job {
    uint64_t n;
    uint64_t seed; /* where samples are taken */
    const void *keys_in;
    struct cw_key_map map;
    uint32_t first_bit, bits; /* of a word: those that count */
    uint32_t key_bytes;
    uint32_t passes;        /* 1 or 2 */
    uint32_t sample_rounds; /* samples of a thread */
    uint64_t *sample;       /* hybrid/sample.h: words, and as many that tell of runs */
    uint32_t way[3];        /* where items are: SORT_IN, after the first pass, after the second */
    uint32_t *leave;        /* 1: the sample or the histogram leave the work to the LSD sort */
    uint32_t *gate;         /* the same, or groups do */
    struct bucket_map *buckets;
    uint64_t *histogram;      /* passes x 256 */
    uint64_t *base;           /* as in lsd_job */
    struct lsd_route *routes; /* passes + 1 */
    uint32_t *state;          /* of the launches of passes: rows and tickets, to be cleared */
    uint32_t state_words;

    /* Groups of whole buckets, which a block sorts each: */
    uint32_t groups;
    uint32_t span; /* two passes: a group begins with the first bucket from span * its number on */
    uint32_t capacity; /* of a group */
    uint32_t *starts;  /* groups + 1; NULL: one group, the whole array */
    const void *keys;
    void *keys_out; /* NULL: not wanted */
    const void *values;
    void *values_out;
    uint32_t value_bytes, last_bytes; /* as in lsd_job */
};

#endif
