/* grid_around.h - arguments of the kernels around a whole-device sort. */
#ifndef CW_GRID_AROUND_H
#define CW_GRID_AROUND_H

#include <stdint.h>

#include "kernels/key_map.h"

struct grid_places {
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

#define GRID_TALLY_MOST    32768u /* counters of a block */
#define GRID_TALLY_THREADS 256u

struct grid_tally {
    uint64_t n;
    const void *in;
    void *out;
    uint32_t bytes; /* of a key: 1 or 2 */
    struct cw_key_map map;
    uint64_t *counts; /* a key; begin as 0 */
    uint64_t *starts; /* a word; then n */
};

#endif
