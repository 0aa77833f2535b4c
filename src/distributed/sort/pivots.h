/* pivots.h - what the rank that looks for a splitter makes of the samples (splitters.h has the
 * proof). */
#ifndef CW_DISTRIBUTED_SORT_PIVOTS_H
#define CW_DISTRIBUTED_SORT_PIVOTS_H

#include "distributed/ranks/group.h"

/* Candidates of one rank for one splitter. */
struct cw_interval {
    uint64_t lo, length;
};

/* An item of one rank. */
struct cw_place {
    uint64_t word, at;
    uint32_t rank;
};

enum cw_outcome {
    CW_FOUND,  /* a is the splitter */
    CW_NARROW, /* between a and b, each if it is there */
    CW_BELOW,  /* it was not where it seemed to be: below the interval .. */
    CW_ABOVE   /* .. or above it */
};

/* What a round says of one splitter. */
struct cw_pivots {
    struct cw_place a, b;
    uint64_t candidates; /* about how many are left */
    uint32_t outcome;
    uint32_t has; /* 1: there is an a; 2: there is a b */
};

/* How many of `length` candidates a rank sends if there are about `candidates` in all, 4 * samples
 * at most; and which, drawn by `seed`. */
uint64_t cw_sample_count(uint64_t length, uint64_t candidates, uint64_t samples);
uint64_t cw_sample_at(const struct cw_interval *interval, uint64_t count, uint64_t x,
                      uint64_t seed);

/* Samples of all ranks, counts[r] words of each, which ascend, one rank after another. */
struct cw_samples {
    uint32_t ranks;
    const struct cw_interval *intervals;
    const uint64_t *counts, *seeds, *words;
    uint64_t all;
};

/* The splitter that has `target` items of all ranks before it.  `room`: 32 bytes a rank. */
void cw_pivots_choose(const struct cw_samples *s, uint64_t target, void *room,
                      struct cw_pivots *out);

#define CW_PIVOTS_ROOM 32u

#endif
