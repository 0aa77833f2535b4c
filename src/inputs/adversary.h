/* adversary.h - inputs that make other sorts collide in shared memory, or ours split in vain.
 *
 * merge   A pairwise merge sort whose threads merge E keys each, one after another, from shared
 *         memory (CUB: E = 17 for keys of up to 4 bytes).  After Berney and Sitchinava, Engineering
 *         Worst-Case Inputs for Pairwise Merge Sort on GPUs, IPDPS 2020.
 * radix   A least-significant-digit radix sort whose blocks write a tile of keys to shared memory
 *         in the order of their digit, a warp 32 neighbouring keys at a time (CUB, onesweep).
 * sample  Our own sorts, whose sampled keys are made equal: adversary_sample.c.
 */
#ifndef CW_INPUTS_ADVERSARY_H
#define CW_INPUTS_ADVERSARY_H

#include <stddef.h>
#include <stdint.h>

#include "clearway.h"

/* What a sort is assumed to be; 0: as CUB 3.0 is, on a GPU of compute capability 9.0. */
struct cw_adversary {
    uint32_t items; /* merge: keys that a thread merges, 1 .. 64 */
    uint32_t tile;  /* radix: keys that a block scatters at once, 1024 .. 2^20 */
};

#define CW_ADVERSARY_ITEMS 64u
#define CW_ADVERSARY_TILE  (1u << 20)

/* What is asked (NULL: nothing), checked and with the zeros filled in for keys of that size. */
cw_status cw_adversary_of(const struct cw_adversary *asked, size_t key_bytes,
                          struct cw_adversary *out);

/* rank[x] is the rank that the key at place x must have: a permutation of 0 .. n - 1.  `bytes` of
 * an entry: 4, or 8. */
cw_status cw_adversary_merge(const struct cw_adversary *a, size_t key_bytes, uint64_t n,
                             uint64_t seed, void *rank, size_t bytes);

/* The key at place x of n, as an unsigned number of `digits` digits of 8 bits. */
uint64_t cw_adversary_radix(const struct cw_adversary *a, uint64_t n, uint32_t digits, uint64_t x);

/* ---- samples ---------------------------------------------------------------------------------
 *
 * A sort that looks at some keys first, to know where to cut, is told nothing if all of these are
 * equal: next to all others then stay together.  Whoever knows the places can make such keys, for
 * one pass after another, since a stable pass leaves the others in their order.  The keys of round
 * r that are sampled are r; what is left at the end is random, and above 2^63. */

/* cw_sort on the host with a seed that was set (cw_context_set_seed: its first call), and `rounds`
 * seeds known. */
cw_status cw_adversary_sort(uint64_t set, uint64_t n, uint32_t rounds, uint64_t *keys);

/* The same of version 0.1, whose places followed from n and eight keys: as many rounds as it takes
 * to have no more than `left`. */
cw_status cw_adversary_sort_0_1(uint64_t n, uint64_t left, uint64_t *keys);

/* The external sort with a known seed, and known ones after it; of version 0.1 the seed was the
 * round's number. */
cw_status cw_adversary_external(uint64_t seed, uint64_t n, uint32_t rounds, uint64_t *keys);
cw_status cw_adversary_external_0_1(uint64_t n, uint32_t rounds, uint64_t *keys);

/* ---- the heart of merge, for tests ---------------------------------------------------------- */

/* w threads merge w * E keys of two runs that lie one behind the other in w banks, a_keys of them
 * from the first: from[t * E + j] is 1 if thread t takes its j-th key from the second run.  Returns
 * how many of the w * E reads ask in their step the bank that most of the others ask. */
uint32_t cw_adversary_warp(uint32_t w, uint32_t e, uint32_t a_keys, uint8_t *from);

#endif
