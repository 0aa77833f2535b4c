/* ties.h - are there floats that are equal, though their bits differ?
 *
 * A stable sort of floats alone has to keep the order of -0 and +0, and of NaNs of several kinds:
 * keys then move with their places, which takes two to three times as long as keys alone.  Most
 * arrays have no such pair.  One reading of the array finds out, and is paid for many times.
 */
#ifndef CW_CPU_SORT_TIES_H
#define CW_CPU_SORT_TIES_H

#include "cpu/sort/work.h"

/* What was seen. */
struct cw_ties {
    uint64_t minus, plus; /* not 0: -0, +0 */
    uint64_t ones, zeros; /* bits that are set, and clear, in the word of some NaN */
};

/* Whether two of the n keys have one rank and different words; the map is tied. */
int cw_keys_tied(const struct cw_sort_keys *by, const struct cw_key_map *map, const void *keys,
                 size_t n, struct cw_team *team, unsigned threads);

#endif
