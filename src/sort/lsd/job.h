/* job.h - what the host and the kernels of the LSD radix sort both know. */
#ifndef CW_SORT_LSD_JOB_H
#define CW_SORT_LSD_JOB_H

#include <stddef.h>
#include <stdint.h>

#include "prim/key_map.h"
#include "sort/lsd/arrays.h"

#define LSD_BUCKETS 256u
#define LSD_PASSES  8u /* at most: a key has 64 bits */

struct bucket_map;

/* What a pass does, which is known when digits have been counted. */
struct lsd_route {
    uint32_t run;    /* 0: all keys have one digit, nothing moves */
    uint32_t before; /* passes before this one that run */
    uint32_t from, to;
    uint32_t first, last; /* keys become words; words become keys */
};

struct lsd_job {
    uint64_t n;                    /* items, or the most of them: */
    const void *count;             /* NULL, or how many there are, */
    uint32_t count_bytes;          /* of 4 or 8 bytes (prim/count.h) */
    const uint32_t *gate;          /* NULL, or a word that is 0 if another method sorts the array */
    const void *keys[SORT_ARRAYS]; /* in, tmp, out */
    const void *values[SORT_ARRAYS];
    uint32_t indexed;   /* the payload is an index: values[SORT_IN] is not read */
    uint32_t drop_keys; /* they are not wanted: the last pass does not write them */
    uint32_t key_bytes, value_bytes;
    /* of a value in the output: an index moves as 4 bytes where that is enough */
    uint32_t last_bytes;
    struct cw_key_map map;
    uint32_t first_bit, bits, passes;

    const struct bucket_map *buckets; /* NULL, or digits are those of its numbers (hybrid/) */

    uint64_t *histogram;      /* passes x 256: how many keys have each digit */
    uint64_t *base;           /* passes x 2 x 256: where the next item of a bucket goes */
    struct lsd_route *routes; /* passes, and where the result is then */

    /* One launch of a pass: */
    uint32_t pass;
    uint32_t rounds; /* with a bucket map: items of a thread, at most TILE_ITEMS */
    uint64_t from;   /* the first item of the portion */
    uint32_t items, tiles;
    uint32_t portion, portions;
    uint32_t *state; /* rows x 256, of all launches: prim/look_back.h */
    uint32_t rows;   /* at least as many as tiles */
    uint32_t *ticket, *next_ticket;
};

/* Shared memory of the two kernels before the passes; and how many threads, and keys of a thread,
 * count. */
struct lsd_histogram_shared {
    uint32_t counts[LSD_PASSES][LSD_BUCKETS];
};

struct lsd_routes_shared {
    uint64_t sums[LSD_BUCKETS / 32u]; /* of each warp */
    uint32_t one;                     /* does a bucket have all keys? */
    uint32_t unused[15];
};

#define LSD_COPY_THREADS  256u
#define HISTOGRAM_THREADS 512u
#define HISTOGRAM_ITEMS   8u
#define HISTOGRAM_SHARE   31u /* log2 of the keys of a block, about: its counters have 32 bits */

/* The bits of pass p's digit, of those that count: all passes but the last one have 8. */
#define lsd_mask(bits, p) ((bits) >= 8u * ((p) + 1u) ? 255u : (1u << ((bits)-8u * (p))) - 1u)

#endif
