/* job.h - what the host and the kernels of cw_permute both know.
 *
 * permute/plan.c says which kernels run, and why.
 */
#ifndef CW_PERMUTE_JOB_H
#define CW_PERMUTE_JOB_H

#include <stdint.h>

#define PERMUTE_NONE   0xffffffffu /* no target: the index was out of range, or there is no item */
#define PERMUTE_DIRECT 0xffffu     /* instead of a place in a tile: fetch it where it is */
#define PERMUTE_LEAVE  0xfffeu     /* the index was out of range */

/* Shapes.  On the emulator they are small, so that small tests meet every case, unless it is to try
 * those of a GPU. */
#define PERMUTE_FULL(cuda) (cuda)
#if defined(SHAPES_EARLY) /* a test: large shapes, but windows and passes of a small array */
#define PERMUTE_LATE(cuda) ((cuda) && 0)
#else
#define PERMUTE_LATE(cuda) (cuda)
#endif
#define PERMUTE_THREADS(cuda)     (PERMUTE_FULL(cuda) ? 512u : 64u)
#define PERMUTE_ITEMS(cuda, log)  (PERMUTE_FULL(cuda) ? (log) <= 2 ? 16u : 8u : 4u)
#define PERMUTE_TILE(cuda, log)   (PERMUTE_THREADS(cuda) * PERMUTE_ITEMS(cuda, log))
#define PERMUTE_BIN_LOG(cuda)     (PERMUTE_FULL(cuda) ? 9u : 3u) /* bins of a pass, at most */
#define PERMUTE_PLACE(cuda, log)  (PERMUTE_FULL(cuda) ? (log) <= 2 ? 14u : 16u - (log) : 7u)
#define PERMUTE_ROUTE_BINS(cuda)  (PERMUTE_FULL(cuda) ? 256u : 8u)
#define PERMUTE_FEW_BINS(cuda)    (PERMUTE_FULL(cuda) ? 64u : 4u)
#define PERMUTE_WINDOW(cuda, log) (PERMUTE_LATE(cuda) ? 24u - (log) : 9u) /* 16 MiB */
#define PERMUTE_PASS_LOG(cuda)    (PERMUTE_LATE(cuda) ? 9u : 3u) /* more bins than these: two passes */
#define PERMUTE_STREAM_ITEMS      8u
#define PERMUTE_STREAM_THREADS(c) (PERMUTE_FULL(c) ? 256u : 64u)
#define PERMUTE_STREAM_LOG(c)     (PERMUTE_FULL(c) ? 12u : 9u) /* tiles of fetch lie in one window */

/* naive, check: a thread an element, or a part of one. */
struct permute_naive {
    uint64_t n;
    const void *index;
    const void *in;
    void *out;
    uint32_t wide;   /* index of 8 bytes */
    uint32_t gather; /* units: out[i] = in[p[i]] */
    uint32_t unit;   /* bytes that a thread moves: 1, 2, 4, 8 or 16 */
    uint32_t units;  /* of an element */
    uint32_t *seen;  /* check: a bit a target */
    uint32_t *bad;   /* check: how many offenders were met */
};

/* A pass that brings items to bins by bits of their targets. */
struct permute_pass {
    uint64_t n;
    const void *index; /* of the first pass; then u32 targets */
    const void *in;
    void *values;
    uint32_t *keys;  /* targets, for the next pass */
    uint16_t *lows;  /* or their low bits, for the last one */
    uint32_t wide;   /* index of 8 bytes */
    uint32_t first;  /* first pass */
    uint32_t part;   /* log2 of the items of a part, later */
    uint32_t shift;  /* log2 of the targets of a bin */
    uint32_t bins;   /* of a part: a power of two */
    uint32_t *given; /* items of each part, later */
    uint32_t *taken; /* items of each bin, so far */
};

/* The last step: items of a bin go to their places. */
struct permute_place {
    uint64_t n;
    const uint16_t *lows;
    const void *values;
    void *out;
    const uint32_t *taken;
};

/* Gathering: requests go to windows of the input, and values come back the same way. */
struct permute_route {
    uint64_t n;
    const void *index;
    const void *in;
    void *out;
    void *values;
    uint32_t *keys;   /* requests, by window */
    uint16_t *places; /* where in its tile each request stood */
    uint64_t *table; /* of a tile, for each bin: where it begins there, and how many (upper half) */
    uint32_t *taken; /* of each bin */
    uint32_t wide;   /* index of 8 bytes */
    uint32_t shift;  /* log2 of a window */
    uint32_t bins;
    uint32_t stride; /* of the table */
};

#endif
