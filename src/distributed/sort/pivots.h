/* pivots.h - what the rank that looks for a splitter makes of the samples (splitters.h has the
 * proof). */
#ifndef CW_DISTRIBUTED_SORT_PIVOTS_H
#define CW_DISTRIBUTED_SORT_PIVOTS_H

#include "distributed/sort/samples.h"

/* An item: of the candidates of one rank, the at-th. */
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
 * at most; and which of the candidates, drawn by `seed`. */
uint64_t cw_sample_count(uint64_t length, uint64_t candidates, uint64_t samples);
uint64_t cw_sample_at(uint64_t length, uint64_t count, uint64_t x, uint64_t seed);

/* Where rank r's samples for splitter j begin in a round. */
uint64_t cw_sample_seed(uint64_t seed, uint32_t r, uint32_t j, uint32_t round);

/* A rank's splitter: the candidates of all ranks, and samples of them. */
struct cw_candidates {
    struct cw_samples samples;
    const uint64_t *lengths; /* of each rank */
    uint64_t before;         /* items of all ranks that are before all candidates */
    uint64_t about;          /* how many candidates all ranks think that there are */
    uint64_t seed;
    uint32_t splitter, round;
};

/* For tests: 15, which is that of splitters.h; with less, intervals are wrong more often. */
extern double cw_pivots_chance;

/* The splitter that has `target` items of all ranks before it.  `room`: CW_MERGED_ROOM a rank. */
void cw_pivots_choose(const struct cw_candidates *c, uint64_t target, void *room,
                      struct cw_pivots *out);

#endif
