/* splitters.h - where each rank's sorted items must be cut so that all ranks get equal shares.
 *
 * The items of all ranks are ordered by key, then by the rank that has them, then by their place
 * there.  So no two are equal, and the item with K others before it is one item on any input,
 * duplicates or not.  Splitter j is the first item of rank j's share; rank j looks for it.  The
 * others tell it how many of their items may still be the one, [lo, hi) of their sorted array, and
 * samples of these.
 *
 * A round (T: candidates of all ranks; k: how many of them are before the splitter; p ranks):
 *
 *      all -> j       lo and L = hi - lo                                  16 bytes
 *      all -> j       s = ceil(L C / T) of their words, every L/s-th from a random place on; all if
 *                     T <= C
 *      j -> all       two samples a < splitter < b, and about how many lie between
 *      each rank      [lo, hi) becomes what lies between a and b, by binary search
 *
 * Weigh each of rank i's samples by w_i = L_i / s_i <= T / C.  The weight of rank i's samples
 * before the splitter is the number of its items before it, but for less than w_i, and on the
 * average exactly that: the start is random, so of two neighbouring multiples of w_i each is taken
 * as often as it must be.  Ranks draw independently.  So the weight of all samples before the
 * splitter is k to within D = sum w_i, always; and to within sqrt(15 sum w_i^2) but for a chance of
 * 2 e^-30, by Hoeffding's inequality.  Let d be the smaller of the two.  a is the last sample with
 * less than k - d before it, b the first with more than k + d.  If chance has it otherwise, the
 * next round's counts show it (k < 0 or k >= T), and the search goes on below a or above b: nothing
 * is lost but that round.
 *
 * Rounds.  At most 2 d + 2 w of weight, and so 4 d + 2 w candidates, lie between a and b, and d <=
 * w min(p, sqrt(15 p)) with w <= T / C.  So a round divides T by C / (4 min(p, sqrt(15 p)) + 2) at
 * least:
 *
 *      C = max(8 p, 8192)      p = 8: 240   64: 65   512: 23   1024: 16   4096: 33
 *
 * and the round after T <= C ends it.  4096 ranks of 2^20 items: 2^32 -> 2^27 -> 2^22 -> 2^17 ->
 * found, 5 rounds.  No input takes more, but with the chance above.
 *
 * Messages a rank: p - 1 in each of five collectives a round, two of which only agree that all is
 * well.  Volume of all ranks together: p (p - 1) (96 bytes + 8 (C / p + 1)) a round.  A rank with
 * an even part of the candidates sends 1 / p of it; none sends more than 4 C samples for a
 * splitter.  Memory on the host: 232 bytes a rank, and 8 for each of the C + p samples or so that it
 * gets, and for each that it sends.
 *
 * After Harsh, Kale and Solomonik, Histogram Sort with Sampling (SPAA 2019), who narrow by samples
 * and counts to within a tolerance, one process for all splitters; and Floyd and Rivest (CACM
 * 1975), whose two pivots these are.  Departs in: exact, a rank a splitter, systematic samples.
 */
#ifndef CW_DISTRIBUTED_SORT_SPLITTERS_H
#define CW_DISTRIBUTED_SORT_SPLITTERS_H

#include "distributed/ranks/group.h"

/* How many words of positions lo .. hi - 1 are below `word`, or with `upper` not above it, and the
 * lo before them: the answer takes the place of lo. */
struct cw_probe {
    uint64_t word, lo, hi;
    int upper;
};

/* A rank's sorted items, as unsigned words of the same order. */
struct cw_sorted {
    uint64_t n;
    void *self;
    cw_status (*words)(void *self, const uint64_t *at, size_t count, uint64_t *out);
    cw_status (*probe)(void *self, struct cw_probe *probes, size_t count);
};

/* cuts[j] = how many of this rank's items belong to ranks before j, for j of 0 .. ranks.  `total`:
 * items of all ranks; seed: the same on all of them, and not known to who made the keys. */
cw_status cw_splitters_find(struct cw_peers *p, const struct cw_sorted *sorted, uint64_t total,
                            uint64_t seed, uint64_t *cuts);

/* C of `ranks`. */
uint64_t cw_splitters_samples(uint32_t ranks);

#endif
