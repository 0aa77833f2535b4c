/* splitters.h - where each rank's sorted items must be cut so that all ranks get equal shares.
 *
 * The items of all ranks are ordered by key, then by the rank that has them, then by their place
 * there.  So no two are equal, and the item with K others before it is one item on any input,
 * duplicates or not.  Splitter j is the first item of rank j's share; rank j looks for it.  p ranks,
 * n items in all; a word is a key as a number of the same order.
 *
 * The first round: every w-th item of each rank is a boundary, which all ranks see; all count the
 * items before each of them, exactly (boundaries.c).  w is n / p, or n / 256 where shares are large.
 * Now each splitter lies between two boundaries next to each other, with at most 60 w candidates
 * between them, but for a chance of 2 e^-30; 2 w on the average.
 *
 * Each round after it (T: candidates of all ranks; k: how many of them are before the splitter):
 *
 *      all -> j       lo and L: of their sorted items [lo, lo + L) may be the splitter
 *      all -> j       s = ceil(L C / T) of their words, every L/s-th from a random place on; all if
 *                     T <= C
 *      j -> all       two samples a < splitter < b, and about how many lie between
 *      each rank      [lo, lo + L) becomes what lies between a and b, by binary search
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
 * Rounds.  At most 2 d + 2 v of weight, and so 4 d + 2 v candidates, lie between a and b, where v =
 * T / C and d <= v min(p, sqrt(15 p)).  So a round divides T by C / (4 min(p, sqrt(15 p)) + 2) at
 * least; C is such that this is 16, or a 128th of a share if that is more, up to max(8 p, 8192).
 * For 2^20 items a rank:
 *
 *      p = 8: 240   64: 65   512: 23   1024: 16   4096: 16
 *
 * and the round after T <= C ends it.  4096 ranks of 2^20 items: 2^32 -> 2^26 -> 2^22 -> 2^18 ->
 * found, 5 rounds at most; 4 in fact, since 2 w and 2 d are more likely than 60 w and 4 d + 2 v.  No
 * input takes more, but with the chances above.  A splitter that was found is not spoken of again.
 *
 * Messages a rank, on the average, in r rounds: (p - 1) (4 + 3 (r - 1)), and those of reductions,
 * which settle that all is well and how long numbers are: log2(p) (5 + 2 (r - 1)).
 *
 * Bytes a rank, on the average.  Numbers take as many bytes as the largest of them needs: I those
 * of a place in a rank's items, N of n, R of a rank, W of a word; in later rounds fewer, since words
 * are told less the least that is left.  m = n / w, about p boundaries:
 *
 *      first round       (p - 1) (I + (m / p + 1) (W + I + N))
 *      each other one    (p - 1) (2 I + W (2 C / p + 1) + 1 + N + 2 (W + R + I))
 *      reductions        log2(p) (56 + 32 (r - 1))
 *
 * 2 C, since T may be as little as half of what there is.  4096 ranks of 2^20 u32 send 0.38 MB each,
 * where the exchange that follows takes 4.2; with 96 bytes a message, as this began, it was 2.5.  A
 * rank with an even part of the candidates sends 1 / p of the samples; none sends more than 4 C for a
 * splitter.  Memory of the host (cw_peers_scratch): 230 bytes a rank, 60 a boundary, and while
 * samples travel 8 for each that this rank sends, W for each of the C + p or so that it gets.
 *
 * After Harsh, Kale and Solomonik, Histogram Sort with Sampling (SPAA 2019), who narrow by samples
 * and counts to within a tolerance, one process for all splitters; and Floyd and Rivest (CACM
 * 1975), whose two pivots these are.  Departs in: exact, a rank a splitter, systematic samples.
 * Counts of every probe, as in the former, cost as many bytes as samples and divide by their number
 * alone; p samples a rank divide by that times sqrt(p / 60), so counts are taken of boundaries only,
 * which all splitters share.
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
    uint64_t most; /* no word is above it: the same on all ranks */
    void *self;
    cw_status (*words)(void *self, const uint64_t *at, size_t count, uint64_t *out);
    cw_status (*probe)(void *self, struct cw_probe *probes, size_t count);
};

/* cuts[j] = how many of this rank's items belong to ranks before j, for j of 0 .. ranks.  `total`:
 * items of all ranks; seed: the same on all of them, and not known to who made the keys.  cuts of NULL: this rank has no memory
 * for them, so no rank goes on. */
cw_status cw_splitters_find(struct cw_peers *p, const struct cw_sorted *sorted, uint64_t total,
                            uint64_t seed, uint64_t *cuts);

/* C, and w. */
uint64_t cw_splitters_samples(uint32_t ranks, uint64_t total);
uint64_t cw_splitters_spacing(uint32_t ranks, uint64_t total);

/* What is looked for: `most_items` of a rank at most, no word above `most_word`. */
struct cw_splitters_case {
    uint32_t ranks;
    uint64_t total, most_items, most_word;
};

/* The bounds above: rounds; and for `rounds` of them messages and bytes that a rank sends on the average. */
struct cw_splitters_bound {
    uint32_t rounds;
    double messages, bytes;
};

struct cw_splitters_bound cw_splitters_bound(const struct cw_splitters_case *x, uint32_t rounds);

#endif
