/* job.h - arguments of the kernels that gather by an index, and of those that count small keys. */
#ifndef CW_SORT_INDEX_JOB_H
#define CW_SORT_INDEX_JOB_H

#include <stdint.h>

#include "prim/key_map.h"

#define INDEX_THREADS 256u

struct index_job {
    uint64_t n;
    const void *in;
    void *out;
    const uint32_t *places; /* NULL: item i is from place i */
    uint32_t wide;          /* gather: places have 8 bytes */
    uint32_t bytes;         /* of a key or value; gather, 0: the place, as 8 bytes */
    const void *count;      /* NULL, or how many items there are, n at most, */
    uint32_t count_bytes;
};

#define SMALL_KEYS_MOST    32768u /* counters of a block */
#define SMALL_KEYS_COUNT   1024u  /* threads that count, */
#define SMALL_KEYS_THREADS 256u   /* and that scan and write */
#define SMALL_KEYS_SHARE \
    31u /* log2 of the keys that a block counts, about: counters have 32 bits */

struct small_keys_job {
    uint64_t n;
    const void *in;
    void *out;
    uint32_t bytes; /* of a key: 1 or 2 */
    struct cw_key_map map;
    uint64_t *counts; /* a key; begin as 0 */
    uint64_t *starts; /* a word; then n */
};

#endif
