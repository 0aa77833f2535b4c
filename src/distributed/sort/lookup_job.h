/* lookup_job.h - what the host and the kernels that look into sorted keys both know. */
#ifndef CW_DISTRIBUTED_SORT_LOOKUP_JOB_H
#define CW_DISTRIBUTED_SORT_LOOKUP_JOB_H

#include <stdint.h>

#include "prim/key_map.h"

#define LOOKUP_THREADS 128u

struct lookup_keys {
    const void *keys;
    uint32_t bytes; /* of a key */
    uint32_t first; /* the bits that count */
    uint64_t range;
    struct cw_key_map map;
};

/* at[i] becomes the word of key at[i]. */
struct lookup_words {
    struct lookup_keys keys;
    uint64_t *at;
    uint64_t count;
};

/* Four numbers a probe: word, lo, hi, upper (splitters.h).  lo becomes the answer. */
struct lookup_probes {
    struct lookup_keys keys;
    uint64_t *probes;
    uint64_t count;
};

/* Numbers of 4 or 8 bytes, to which `by` is added. */
struct lookup_add {
    void *numbers;
    uint64_t count, by;
    uint32_t bytes;
};

/* Sorted runs, one behind the other: run r begins at starts[r].  cuts[t * runs + r]: where tile t
 * of the result begins in it.  ranks[i]: the place in the result of item i * step (runs.h). */
struct lookup_runs {
    uint64_t *cuts, *ranks;
    uint64_t tiles, tile; /* how many, and items of each but the last */
    uint64_t samples, step;
    uint32_t runs;
    uint64_t starts[33];
};

/* Of the ranks and of the cuts. */
struct lookup_cuts {
    struct lookup_keys keys;
    struct lookup_runs runs;
    uint32_t log_lanes; /* 2^log_lanes lanes a tile or sample, at least one a run */
};

/* Elements of 1, 2, 4 or 8 bytes. */
struct lookup_gather {
    struct lookup_runs runs;
    const void *in;
    void *out;
    uint32_t bytes;
};

#endif
