/* job.h - what the kernels of an offline plan (src/offline) are told. */
#ifndef CW_OFFLINE_KERNELS_JOB_H
#define CW_OFFLINE_KERNELS_JOB_H

#include <stdint.h>

/* 64 registers a thread, so also two blocks of half as many. */
#define PLAN_PASS_THREADS 1024u

/* A pass over tiles of items: kernels/pass.h. */
struct plan_pass {
    const void *in;
    void *out;
    const uint16_t *places; /* n: where in its tile an item goes */
    const uint64_t *lines;  /* of 32 places of a tile: the first run, and above it a mask of the
                               lanes that begin another one */
    const uint32_t *bases;  /* of a run: where place 0 of its tile would go, modulo 2^32 */
    uint64_t n;
    uint32_t tile;     /* items */
    uint32_t bytes;    /* of an item */
    uint32_t unit;     /* bytes that it may be read by: the largest power of two in it */
    uint32_t wide_in;  /* whether tiles may be read by 16 bytes */
    uint32_t wide_out; /* written */
};

/* Tiles of kernels/bits.h: two runs of 2^RUN items, so 2^(2 RUN) of them; loads under way. */
#define PLAN_RUN_BITS_OF(word)   ((word) == 16 ? 5u : 6u)
#define PLAN_BITS_ROUND_OF(word) ((word) == 4 ? 16u : (word) == 8 ? 8u : 4u)
#define PLAN_TILE_BITS           12u
#define PLAN_BITS_THREADS        256u

/* kernels/simple.h */
#define PLAN_SIMPLE_THREADS 256u
#define PLAN_SIMPLE_ROUND   4u /* items that a thread has under way */

/* out[A i xor b] = in[i]: kernels/bits.h.  Vectors of index bits, as numbers. */
struct plan_bits {
    const void *in;
    void *out;
    uint32_t bytes, unit;
    uint32_t block_bits;     /* 2^these blocks */
    uint32_t start;          /* b */
    uint32_t block_from[32]; /* what bit k of a block's number adds to the source */
    uint32_t block_to[32];   /* and to the destination */
    /* bit k of an item of the tile, in the order read: source */
    uint32_t read_from[PLAN_TILE_BITS];
    uint32_t read_slot[PLAN_TILE_BITS]; /* and place in shared memory */
    uint32_t write_to[PLAN_TILE_BITS];  /* in the order written: destination */
    uint32_t write_slot[PLAN_TILE_BITS];
};

/* All else: kernels/simple.h. */
struct plan_simple {
    const void *in;
    void *out;
    const uint32_t *index; /* gather: out[i] = in[index[i]] */
    uint64_t n;
    uint64_t first; /* turn: out[i] = in[(first + i) mod n], or (first - i) */
    uint32_t back;  /* first - i */
    uint32_t bytes, unit;
};

#endif
