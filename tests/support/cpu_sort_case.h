/* cpu_sort_case.h - data sorted by threads of the host, and held against the reference's order.
 *
 * Sorts are tried in every way that this processor has, on one, two and all threads, and with
 * leaves so small that even short arrays are dealt into buckets, more than once.  Every array
 * stands between canaries.
 */
#ifndef CW_CPU_SORT_CASE_H
#define CW_CPU_SORT_CASE_H

#include "cpu/sort/sort.h"
#include "cpu/sort/work.h"
#include "cpu_sort_data.h"

struct sort_run {
    int keys, in_place;
    size_t value_bytes, index_bytes;
    unsigned flags, threads;
    struct cw_sort_ways ways;
};

/* Fails with the case in words. */
void sort_run_try(const struct sort_data *d, const struct sort_run *run);

struct cw_sort_ways sort_ways_random(struct cw_random *random);

/* So many random runs of the data, which is made. */
void sort_data_try(struct sort_data d, size_t runs);

/* Every type, both ways, and every input, at one length; one in `one_in`. */
void sort_length_try(size_t n, size_t runs, uint64_t one_in);

#endif
