/* job.h - arguments of the kernels around a whole-device sort. */
#ifndef CW_SORT_INDEX_JOB_H
#define CW_SORT_INDEX_JOB_H

#include <stdint.h>

#include "prim/key_map.h"

struct index_job {
    uint64_t n;
    const void *in;
    void *out;
    uint32_t *places;
    uint32_t bytes; /* of a key or value; gather, 0: the place, as 8 bytes */

    /* words: */
    uint32_t *words; /* NULL: places only */
    uint32_t again;  /* places are there */
    struct cw_key_map map;
    uint32_t shift;
    uint64_t mask;
};

#define SMALL_KEYS_MOST    32768u /* counters of a block */
#define SMALL_KEYS_THREADS 256u

struct small_keys_job {
    uint64_t n;
    const void *in;
    void *out;
    uint32_t bytes; /* of a key: 1 or 2 */
    struct cw_key_map map;
    uint64_t *counts; /* a key; begin as 0 */
    uint64_t *starts; /* a word; then n */
};

#define LSD_THREADS 256u /* a digit each */
#define LSD_PER     14u  /* items of a thread, on a GPU: what its registers hold */
#define LSD_TILE    (LSD_PER * LSD_THREADS)
#define LSD_SHARED  (10496u + 4u * LSD_TILE)
#define RADIX_MOVED 3 /* arrays: keys, values, index */

struct lsd_array {
    const void *in; /* NULL: places */
    void *out;      /* NULL: not moved */
    uint32_t bytes; /* of an item */
};

struct lsd_job {
    uint64_t n;
    uint64_t chunk; /* items */
    uint32_t chunks;
    uint32_t key_bytes;
    const void *keys;
    struct cw_key_map map;
    uint32_t shift, mask; /* the digit's bits of the word */
    uint64_t *counts;     /* a digit and chunk: its items, then those of chunks before */
    uint64_t *totals;     /* a digit */
    struct lsd_array moved[RADIX_MOVED];
    const void *index; /* keys: where they come from */
    uint32_t index_bytes;
};

#endif
