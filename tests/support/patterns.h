/* patterns.h - inputs that sorts have trouble with, each a rule for the cell (r, c).
 *
 * Random ones, those with few different keys, sorted and nearly so, and 0-1 matrices
 * made against the arguments of the proofs: all zeros in one row, staircases, columns
 * and rows that stand against the wanted order, one zero a super-row, periods of w.
 */
#ifndef CW_TEST_PATTERNS_H
#define CW_TEST_PATTERNS_H

#include "machine/model/model.h"

extern const uint32_t cw_pattern_count;
const char *cw_pattern_name(uint32_t k);

/* Fill the w x m matrix x, row by row, with pattern k. */
void cw_pattern_fill(uint32_t k, uint32_t w, uint32_t m, uint64_t seed, cw_word *x);

/* A random order of 0 .. n - 1: every threshold at once. */
void cw_random_order(uint64_t n, uint64_t seed, cw_word *x);

#endif
